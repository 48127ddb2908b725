// What of the journal of earlier attempts a later one needs (docs/design/sanitization.md#an-agent-that-restarts-during-an-erase).
import { deviceKey } from "@/server/domain/inventory/inventory";
import type { JournalEvent } from "@/server/domain/sanitization/device-result";

/**
 * Per device: the first digests, which are of the tenant's own data and must never match again; and what belongs to the last announced send,
 * which may still run. In order. What lies between was answered by a later attempt, and would make a command grow with every retry. Pure.
 */
export function journalToHandOn(journal: readonly JournalEvent[]): readonly JournalEvent[] {
  const kept = new Set(
    [...new Set(journal.map(deviceKey))].flatMap((device) => {
      const events = journal.filter((event) => deviceKey(event) === device);
      const announced = events.findLastIndex(({ event }) => event === "about-to-send");
      const seed = events[announced]?.seed;
      const first = events.find(({ digests }) => digests !== undefined);
      const prepared = events.findLast(({ digests, seed: of }) => digests !== undefined && of === seed);
      return [first, prepared, ...(announced < 0 ? events : events.slice(announced))];
    }),
  );
  return journal.filter((event) => kept.has(event));
}
