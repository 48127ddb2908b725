// What the journal of earlier attempts says: the part that a later attempt needs, and what may still run (docs/design/sanitization.md#an-agent-that-restarts-during-an-erase).
import { deviceKey } from "@/server/domain/hosts/inventory/inventory";
import type { JournalEvent } from "@/server/domain/cleaning/sanitization/device-result";
import { goesOnOverReset } from "@/server/domain/cleaning/sanitization/techniques";

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

/**
 * Whether everything that a step may have left running goes on over a reset of the host. A command is announced before it is sent, so a drive runs
 * what was announced for it or nothing; a drive of which nothing was announced counts as unknown. `drives`: serials of all that the step may erase;
 * `journal`: that of all its attempts. Pure.
 */
export const goOnOverReset = (journal: readonly JournalEvent[], drives: readonly string[]): boolean =>
  drives.length > 0 &&
  journal.every(({ technique }) => goesOnOverReset(technique)) &&
  drives.every((drive) => journal.some(({ serial, event }) => serial === drive && event === "about-to-send"));
