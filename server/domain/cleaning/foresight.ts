// What other settings of a policy than the erase would have changed, as far as recorded reclamations tell (docs/adr/0053-policy-foresight.md).
import type { GateName } from "@/server/domain/gates/gate-names";

/** What of the recorded reclamations bears on such settings. */
export interface RecordedRuns {
  /** When reclamations were in progress, in ms; null: still. */
  readonly inProgress: readonly { readonly fromMs: number; readonly untilMs: number | null }[];
  readonly waited: number;
  /** Stopped because a test of the site failed. */
  readonly failedTests: number;
  readonly releases: number;
  readonly onboardings: number;
  /** Runs of steps, by `interface.step`. */
  readonly steps: Readonly<Record<string, StepRuns | undefined>>;
}

export interface StepRuns {
  readonly runs: number;
  /** Reclamations of a release, whose host owes a sanitization. */
  readonly releases: number;
  readonly failed: number;
  readonly proves: readonly GateName[];
}

export const effectKinds = ["otherwise", "same", "unknown"] as const;

export interface SettingEffect {
  readonly setting: string;
  /** `unknown`: the record does not tell, which is not the same as no change. */
  readonly kind: (typeof effectKinds)[number];
  /** How many reclamations; null where it cannot be counted. */
  readonly reclamations: number | null;
  readonly words: string;
}

export interface OtherSettings {
  readonly automatedClean: boolean;
  readonly validationTests: readonly string[];
  /** Hosts in progress at a time; null: no limit. */
  readonly atWork: number | null;
  /** 0 disables a step. */
  readonly priorities: Readonly<Record<string, number>>;
}

/** How many began while as many were in progress as the limit allows. Pure. */
export function beganOverLimit(runs: RecordedRuns["inProgress"], limit: number): number {
  const ends = runs.map(({ untilMs }) => untilMs ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b);
  const starts = runs.map(({ fromMs }) => fromMs).sort((a, b) => a - b);
  let ended = 0;
  return starts.filter((from, begun) => {
    while (ended < ends.length && (ends[ended] ?? 0) <= from) ended += 1;
    return begun - ended >= limit;
  }).length;
}

function limitEffect(before: number | null, after: number | null, runs: RecordedRuns): SettingEffect {
  const setting = "Hosts in progress";
  if (after === null || (before !== null && after > before))
    return runs.waited === 0
      ? { setting, kind: "same", reclamations: 0, words: "no recorded reclamation waited in the queue" }
      : {
          setting,
          kind: "unknown",
          reclamations: runs.waited,
          words: `${runs.waited} reclamations waited in the queue; how much less they would have waited is not recorded`,
        };
  const over = beganOverLimit(runs.inProgress, after);
  return over === 0
    ? {
        setting,
        kind: "same",
        reclamations: 0,
        words: `never were ${after} in progress when another one began`,
      }
    : {
        setting,
        kind: "otherwise",
        reclamations: over,
        words: `at least ${over} would have waited: ${after} were in progress when they began`,
      };
}

function testsEffect(
  before: readonly string[],
  after: readonly string[],
  { failedTests }: RecordedRuns,
): SettingEffect {
  const setting = "Validation tests";
  const added = after.filter((test) => !before.includes(test));
  if (added.length > 0)
    return {
      setting,
      kind: "unknown",
      reclamations: null,
      words: `${added.join(", ")} never ran: what they would have found is not recorded`,
    };
  if (failedTests === 0)
    return { setting, kind: "same", reclamations: 0, words: "no recorded reclamation stopped at a test" };
  return after.length === 0
    ? {
        setting,
        kind: "otherwise",
        reclamations: failedTests,
        words: `${failedTests} stopped at a test and would not have run it`,
      }
    : {
        setting,
        kind: "unknown",
        reclamations: failedTests,
        words: `${failedTests} stopped at a test; which would have passed the tests that are left is not recorded`,
      };
}

const cleanEffect = (after: boolean, { releases, onboardings }: RecordedRuns): SettingEffect =>
  after
    ? {
        setting: "Automated cleaning",
        kind: "unknown",
        reclamations: null,
        words: "hosts that were not cleaned have no recorded erase",
      }
    : {
        setting: "Automated cleaning",
        kind: "otherwise",
        reclamations: releases,
        words: `${releases} releases would have ended in Manageable, with the debt kept; ${onboardings} onboardings would not have been cleaned where nothing was owed`,
      };

function priorityEffect(step: string, priority: number, runs: RecordedRuns): SettingEffect {
  const setting = `Priority of ${step}`;
  const ran = runs.steps[step];
  if (priority > 0)
    return {
      setting,
      kind: "unknown",
      reclamations: null,
      words:
        ran === undefined
          ? "the step never ran: what it would have done is not recorded"
          : "what another order of steps would have done is not recorded",
    };
  if (ran === undefined || ran.runs === 0)
    return { setting, kind: "same", reclamations: 0, words: "no recorded reclamation ran the step" };
  const gates = ran.proves.length === 0 ? "" : `, and ${ran.proves.join(", ")} would be unproven`;
  return ran.proves.length > 0
    ? {
        setting,
        kind: "otherwise",
        reclamations: ran.releases,
        words: `${ran.releases} releases would not have become Ready: the step would not have run${gates}`,
      }
    : ran.failed > 0
      ? {
          setting,
          kind: "unknown",
          reclamations: ran.failed,
          words: `${ran.failed} stopped at the step; how they would have gone on is not recorded`,
        }
      : {
          setting,
          kind: "same",
          reclamations: 0,
          words: `${ran.runs} ran the step, none stopped at it, and no gate rests on it`,
        };
}

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && [...a].sort().every((one, index) => one === [...b].sort()[index]);

/** One row for each setting that differs. Pure. */
export function foreseeSettings(
  before: OtherSettings,
  after: OtherSettings,
  runs: RecordedRuns,
): readonly SettingEffect[] {
  const steps = [...new Set([...Object.keys(before.priorities), ...Object.keys(after.priorities)])].sort();
  return [
    ...(before.automatedClean === after.automatedClean ? [] : [cleanEffect(after.automatedClean, runs)]),
    ...(sameList(before.validationTests, after.validationTests)
      ? []
      : [testsEffect(before.validationTests, after.validationTests, runs)]),
    ...(before.atWork === after.atWork ? [] : [limitEffect(before.atWork, after.atWork, runs)]),
    ...steps.flatMap((step) => {
      const priority = after.priorities[step];
      return priority === undefined || priority === before.priorities[step]
        ? []
        : [priorityEffect(step, priority, runs)];
    }),
  ];
}
