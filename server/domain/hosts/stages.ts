// The stages of a reclamation, left to right, derived from the states it went through.
import { describeState } from "@/server/domain/lifecycle/state-table";
import type { Tone } from "@/server/domain/lifecycle/state-rows/state-row";
import { isFailed, topLevel } from "@/server/domain/lifecycle/states";
import type { StoredState } from "@/server/domain/lifecycle/states";

const stageNames = ["Off network", "Cleaning", "Inventory", "Validation", "Return"] as const;
type StageName = (typeof stageNames)[number];

export interface StageRow {
  readonly name: StageName;
  readonly status: "done" | "now" | "todo" | "skipped";
  readonly tone: Tone;
  readonly tookMs: number | null;
  readonly since: Date | null;
}

/** Null for a state outside of any stage, before or after the reclamation. */
function stageOf(state: StoredState): StageName | null {
  switch (topLevel(state)) {
    case "Assigned":
      return state === "Assigned/Ready" ||
        state === "Assigned/WaitingForNetworkConfig" ||
        state === "Assigned/WaitingForRebootToReady"
        ? null
        : "Off network";
    case "WaitingForCleanup":
      return "Cleaning";
    case "BomValidating":
      return "Inventory";
    case "Validation":
      return "Validation";
    case "HostInit":
    case "ReturnToAllocation":
      return "Return";
    default:
      return null;
  }
}

export interface StateEntry {
  readonly state: StoredState;
  readonly at: Date;
}

/**
 * @param entries the states of one reclamation, in order; a failed state belongs to the stage in which it stopped
 * @param endedAt when the reclamation ended, or null
 * @param release whether it began with an instance: otherwise there is no network to come back from
 */
export function stages(
  entries: readonly StateEntry[],
  endedAt: Date | null,
  release: boolean,
): readonly StageRow[] {
  const took = new Map<StageName, number>();
  let current: StageName | null = null;
  let since: Date | null = null;
  let tone: Tone = "neutral";
  entries.forEach(({ state, at }, index) => {
    const stage: StageName | null = isFailed(state) ? current : stageOf(state);
    if (stage !== current || since === null) since = at;
    current = stage;
    tone = describeState(state).tone;
    const until = entries[index + 1]?.at ?? endedAt;
    if (stage !== null && until !== null)
      took.set(stage, (took.get(stage) ?? 0) + Math.max(0, until.getTime() - at.getTime()));
  });
  const over = endedAt !== null;
  const place = current === null || over ? stageNames.length : stageNames.indexOf(current);
  const last = over && current !== null ? stageNames.indexOf(current) : place;
  return stageNames
    .map((name, index): StageRow => {
      const tookMs = took.get(name) ?? null;
      if (index === place) return { name, status: "now", tone, tookMs: null, since };
      if (index < place && tookMs !== null)
        return { name, status: "done", tone: "good", tookMs, since: null };
      return {
        name,
        status: index < last || (over && index < place) ? "skipped" : "todo",
        tone: "neutral",
        tookMs: null,
        since: null,
      };
    })
    .filter(({ name, status }) => release || name !== "Off network" || status === "now");
}
