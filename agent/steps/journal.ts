// What earlier attempts recorded before they sent anything, so that a successor joins instead of sending again
// (docs/design/sanitization.md#an-agent-that-restarts-during-an-erase).
import { deviceKey } from "@/server/domain/hosts/inventory/inventory";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";
import type { JournalEvent } from "@/agent/steps/results";
import { areasText, type Area } from "@/agent/verification/area";

/** The last command that an earlier attempt announced for a device, if its end is not recorded. */
export interface EarlierSend {
  readonly technique: Technique;
  readonly seed: string;
  readonly digests: readonly string[];
  readonly markersWritten: number;
  /** A mask of the canaries on the drive; null: none were asked for. */
  readonly canaries: string | null;
}

/** Sample places follow from seed and areas. On different areas the comparison would look elsewhere and prove nothing. */
const noteOf = (areas: readonly Area[], markersWritten: number) =>
  `markers written: ${markersWritten}; areas: ${areasText(areas)}`;

/** The journal line that must be stored before a command is sent. Has digests only the first time for a seed. */
export function aboutToSend(
  device: { serial: string; model: string },
  technique: Technique,
  at: Date,
  evidence: {
    seed: string;
    digests?: readonly string[];
    markersWritten: number;
    areas: readonly Area[];
    canaries?: string | null;
  },
): JournalEvent {
  return {
    serial: device.serial,
    model: device.model,
    event: "about-to-send",
    technique,
    seed: evidence.seed,
    ...(evidence.digests ? { digests: [...evidence.digests] } : {}),
    ...(evidence.canaries == null ? {} : { canaries: evidence.canaries }),
    status: noteOf(evidence.areas, evidence.markersWritten).slice(0, 2000),
    at: at.toISOString(),
  };
}

/** How many markers a line says were written; null if it was prepared on different areas. */
function markersOn(line: JournalEvent, areas: readonly Area[]): number | null {
  const markersWritten = Number(/^markers written: (\d+);/.exec(line.status ?? "")?.[1] ?? Number.NaN);
  return line.status === noteOf(areas, markersWritten).slice(0, 2000) ? markersWritten : null;
}

/**
 * Samples of the tenant's own data that the first attempt of this step took before anything was sent. No later erase may leave a block of it,
 * however many attempts have sampled since. Null if there are none, or if the device is divided differently now.
 */
export function firstDigests(
  journal: readonly JournalEvent[],
  device: { serial: string; model: string },
  areas: readonly Area[],
): { readonly seed: string; readonly digests: readonly string[] } | null {
  const first = journal.find(
    (event) =>
      deviceKey(event) === deviceKey(device) &&
      event.event === "about-to-send" &&
      event.digests !== undefined,
  );
  return first?.seed === undefined || first.digests === undefined || markersOn(first, areas) === null
    ? null
    : { seed: first.seed, digests: first.digests };
}

/**
 * Null if no earlier attempt announced anything for this device, if its end was observed (a new attempt then means a new erase), or if the device
 * is divided differently now.
 */
export function earlierSend(
  journal: readonly JournalEvent[],
  device: { serial: string; model: string },
  areas: readonly Area[],
): EarlierSend | null {
  const events = journal.filter((event) => deviceKey(event) === deviceKey(device));
  const announced = events.findLastIndex(({ event }) => event === "about-to-send");
  const last = events[announced];
  const prepared = events.findLast(
    ({ event, digests, seed }) => event === "about-to-send" && digests !== undefined && seed === last?.seed,
  );
  if (!last || !prepared?.seed || !prepared.digests) return null;
  if (events.slice(announced + 1).some(({ event }) => event === "observed")) return null;
  const markersWritten = markersOn(prepared, areas);
  if (markersWritten === null) return null;
  const canaries = prepared.canaries ?? null;
  return {
    technique: last.technique,
    seed: prepared.seed,
    digests: prepared.digests,
    markersWritten,
    canaries,
  };
}
