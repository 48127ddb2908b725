// The part of earlier attempts' journal that a later attempt needs (docs/design/sanitization.md#an-agent-that-restarts-during-an-erase).
import { deviceKey } from "@/server/domain/inventory/inventory";
import type { JournalEvent } from "@/server/domain/sanitization/device-result";

/**
 * Per device, in order: the first digests, which are of the tenant's data and must never match again, and what belongs to the last announced send,
 * which may still be running. Later attempts have dealt with everything in between, and keeping it would make the command grow with every retry. Pure.
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
