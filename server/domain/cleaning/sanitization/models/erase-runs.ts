// What a device result shows about a technique on a drive model: how long it took, whether it stalled, and whether the device lied
// (docs/adr/0088-remnant-probe.md).
import { countOf, probeOutcome } from "@/server/domain/cleaning/sanitization/probe";
import type { ProbeOutcome } from "@/server/domain/cleaning/sanitization/probe";
import { joinedCommand } from "@/server/domain/cleaning/sanitization/device-result";
import type { DeviceResult, DeviceTry } from "@/server/domain/cleaning/sanitization/device-result";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";

/** A command that a device accepted. */
export interface EraseRun {
  readonly technique: Technique;
  /** Identifies a try on a drive within a step run, because a later attempt reports the tries of earlier ones again. */
  readonly startedAt: string;
  readonly completed: boolean;
  /** Null: it did not complete, or its start was not observed. */
  readonly durationMs: number | null;
  /** It made no progress for the time allowed by the policy. */
  readonly stalled: boolean;
  /** The device reported success, but content was still there, or its status log names another technique. */
  readonly lied: boolean;
  /** Set if the first reading already refuted the erase, because no later reading follows then. */
  readonly probe: ProbeOutcome | null;
}

const leftContent = ({ verification: read, probe }: DeviceResult): boolean =>
  (read !== undefined && (read.mismatches > 0 || read.markersFound > 0 || read.result === "failed")) ||
  (probe !== undefined && countOf(probe.found) > 0);

const tookMs = ({ startedAt, endedAt, command }: DeviceTry): number | null => {
  const ms = Date.parse(endedAt) - Date.parse(startedAt);
  return command === joinedCommand || !(ms >= 0) ? null : ms;
};

/** Rejected commands are not runs. Pure. */
export function eraseRuns(report: DeviceResult): readonly EraseRun[] {
  const { tries, probe } = report;
  return tries.flatMap((tried, index): readonly EraseRun[] => {
    const last = index === tries.length - 1;
    const stalled = last && report.problem === "hangs";
    if (tried.exitCode !== 0 && !tried.completed && !stalled) return [];
    const left = last && tried.completed && leftContent(report);
    return [
      {
        technique: tried.technique,
        startedAt: tried.startedAt,
        completed: tried.completed,
        durationMs: tried.completed ? tookMs(tried) : null,
        stalled,
        lied: left || tried.logged !== undefined,
        probe: left && probe !== undefined ? probeOutcome(probe, null) : null,
      },
    ];
  });
}
