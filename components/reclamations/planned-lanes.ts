// A reclamation's timeline lanes joined with what is expected: the rest of the running step, then the steps that have not started.
import type { StepRunLine, TimelineBar, TimelineLane } from "@/server/surfaces/trpc/types";

export interface ShownBar extends TimelineBar {
  /** Still to come, as estimated by the devices, earlier runs or the catalogue. */
  readonly planned: boolean;
}

export interface ShownLane {
  readonly name: string;
  readonly bars: readonly ShownBar[];
}

type Run = Pick<StepRunLine, "step" | "status" | "expectedEndAt" | "restarts">;

/** Each name has one lane: a step that is about to be retried has its past and its future in the same lane. Pure. */
export function withPlanned(
  lanes: readonly TimelineLane[],
  planned: readonly TimelineLane[],
  runs: readonly Run[],
  nowMs: number,
): readonly ShownLane[] {
  const ahead = new Map<string, ShownBar[]>();
  const add = (name: string, bar: ShownBar) => ahead.set(name, [...(ahead.get(name) ?? []), bar]);
  for (const { step, status, expectedEndAt } of runs) {
    if (status === "running" && expectedEndAt !== null && expectedEndAt.getTime() > nowMs)
      add(step, { from: new Date(nowMs), to: expectedEndAt, words: "expected", tone: null, planned: true });
  }
  for (const { name, bars } of planned) {
    const restarts = runs.some(
      ({ step, status, restarts: does }) => step === name && status === "planned" && does,
    );
    for (const bar of bars)
      add(name, { ...bar, words: restarts ? "expected, restarts the host" : bar.words, planned: true });
  }
  const begun = lanes.map(({ name, bars }): ShownLane => ({
    name,
    bars: [...bars.map((bar) => ({ ...bar, planned: false })), ...(ahead.get(name) ?? [])],
  }));
  const known = new Set(lanes.map(({ name }) => name));
  return [
    ...begun,
    ...[...ahead].filter(([name]) => !known.has(name)).map(([name, bars]): ShownLane => ({ name, bars })),
  ];
}

/** When the last expected bar ends, in ms; null if nothing is expected. Pure. */
export function plannedEnd(lanes: readonly ShownLane[]): number | null {
  const ends = lanes.flatMap(({ bars }) =>
    bars.flatMap(({ planned, to }) => (planned && to !== null ? [to.getTime()] : [])),
  );
  return ends.length === 0 ? null : Math.max(...ends);
}
