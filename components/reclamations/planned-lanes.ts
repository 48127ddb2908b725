// The lanes of a reclamation with what is expected joined to them: the rest of the step that runs, then the steps that did not begin.
import type { StepRunLine, TimelineBar, TimelineLane } from "@/server/surfaces/trpc/types";

export interface ShownBar extends TimelineBar {
  /** Not happened yet: by the devices' own estimates, earlier runs or the catalogue. */
  readonly planned: boolean;
}

export interface ShownLane {
  readonly name: string;
  readonly bars: readonly ShownBar[];
}

type Run = Pick<StepRunLine, "step" | "status" | "expectedEndAt" | "restarts">;

/** Names of lanes stand once: a step that is to be tried again has its past and its future in one. Pure. */
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

/** When the last of what is expected ends, in ms; null: nothing is expected. Pure. */
export function plannedEnd(lanes: readonly ShownLane[]): number | null {
  const ends = lanes.flatMap(({ bars }) =>
    bars.flatMap(({ planned, to }) => (planned && to !== null ? [to.getTime()] : [])),
  );
  return ends.length === 0 ? null : Math.max(...ends);
}
