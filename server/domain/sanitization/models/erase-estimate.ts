// How long an erase of some drives will take, by what drives of their models took (docs/adr/0088-remnant-probe.md).
import type { ErasePolicy } from "@/server/domain/agents/protocol";
import type { StorageDevice } from "@/server/domain/inventory/inventory";
import { durationsIn, percentileMs } from "@/server/domain/sanitization/models/durations";

/** How many drives the agent erases at the same time; the others wait for one of them. */
export const erasedAtOnce = 8;

/** Fewer tell more of one drive than of its model. */
const fewestRuns = 5;

/** A row of the table of drive models. */
export interface ModelDurations {
  readonly model: string;
  readonly firmware: string;
  readonly technique: string;
  readonly durations: readonly number[];
  readonly longestMs: number;
}

export interface EraseEstimate {
  readonly medianMs: number;
  /** Of the drive of whose model the fewest are known. */
  readonly runs: number;
}

const together = (rows: readonly ModelDurations[]): EraseEstimate | null => {
  const length = Math.max(0, ...rows.map(({ durations }) => durations.length));
  const sum = Array.from({ length }, (_, step) =>
    rows.reduce((total, { durations }) => total + (durations[step] ?? 0), 0),
  );
  const runs = durationsIn(sum);
  const medianMs = percentileMs(sum, 0.5, Math.max(0, ...rows.map(({ longestMs }) => longestMs)));
  return runs < fewestRuns || medianMs === null ? null : { medianMs, runs };
};

/** By the policy's first technique of which enough is known: of the drive's firmware, else of any. */
function ofDrive(
  { model, firmware, media }: StorageDevice,
  techniques: ErasePolicy["techniques"],
  rows: readonly ModelDurations[],
): EraseEstimate | null {
  for (const technique of techniques[media]) {
    const alike = rows.filter((row) => row.model === model && row.technique === technique);
    const found = together(alike.filter((row) => row.firmware === (firmware ?? ""))) ?? together(alike);
    if (found !== null) return found;
  }
  return null;
}

/** In the order of the list each takes the place of the first that is done, as with the agent. */
function togetherMs(drivesMs: readonly number[]): number {
  const lanes = Array<number>(erasedAtOnce).fill(0);
  for (const ms of drivesMs) {
    const lane = lanes.indexOf(Math.min(...lanes));
    lanes[lane] = (lanes[lane] ?? 0) + ms;
  }
  return Math.max(...lanes);
}

/** Null: too little is known of one of the drives. Pure. */
export function estimateErase(
  devices: readonly StorageDevice[],
  techniques: ErasePolicy["techniques"],
  rows: readonly ModelDurations[],
): EraseEstimate | null {
  const each = devices.flatMap((device) => ofDrive(device, techniques, rows) ?? []);
  return each.length === 0 || each.length < devices.length
    ? null
    : {
        medianMs: togetherMs(each.map(({ medianMs }) => medianMs)),
        runs: Math.min(...each.map(({ runs }) => runs)),
      };
}
