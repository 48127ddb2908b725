// Estimates how long an erase will take from recorded durations of the same drive models (docs/adr/0088-remnant-probe.md).
import type { ErasePolicy } from "@/server/domain/agents/protocol";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import { durationsIn, percentileMs } from "@/server/domain/cleaning/sanitization/models/durations";

/** How many drives the agent erases concurrently. The others wait. */
export const erasedAtOnce = 8;

/** With fewer runs, the durations say more about single drives than about the model. */
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
  /** Number of runs for the drive with the fewest. */
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

/** Uses the policy's first technique with enough runs: with the drive's firmware, or else with any firmware. */
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

/** Drives start in list order, each when an earlier one finishes, as with the agent. */
function togetherMs(drivesMs: readonly number[]): number {
  const lanes = Array<number>(erasedAtOnce).fill(0);
  for (const ms of drivesMs) {
    const lane = lanes.indexOf(Math.min(...lanes));
    lanes[lane] = (lanes[lane] ?? 0) + ms;
  }
  return Math.max(...lanes);
}

/** Null: too little is known about one of the drives. Pure. */
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
