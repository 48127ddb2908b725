// What a different policy would have changed apart from the erase, as far as recorded reclamations show (docs/adr/0053-policy-foresight.md).
import { leftOutMeaning } from "@/server/domain/assurance/standing";
import { isErase } from "@/server/domain/cleaning/steps/catalogue";
import type { Policy } from "@/server/domain/cleaning/policy/policy";
import type { SettingEffect } from "@/server/domain/cleaning/policy/effect";
import { gateEffects } from "@/server/domain/cleaning/policy/gates-effect";
import type { RecordedGates } from "@/server/domain/cleaning/policy/gates-effect";
import { limitEffects } from "@/server/domain/cleaning/policy/limits-effect";
import type { RecordedLimits } from "@/server/domain/cleaning/policy/limits-effect";
import type { GateName } from "@/server/domain/reclamations/gates/gate-names";
import { isObject } from "@/server/domain/json";
import { formatSetting } from "@/server/domain/sites/setting-fields";

/** What the recorded reclamations say about these settings. */
export interface RecordedRuns extends RecordedLimits {
  /** Stopped because one of the site's tests failed. */
  readonly failedTests: number;
  readonly releases: number;
  readonly onboardings: number;
  /** Step runs by `interface.step`. */
  readonly steps: Readonly<Record<string, StepRuns | undefined>>;
  readonly gates: RecordedGates;
}

export interface StepRuns {
  readonly runs: number;
  /** Reclamations of kind release, whose host owes a sanitization. */
  readonly releases: number;
  readonly failed: number;
  readonly proves: readonly GateName[];
}

export interface OtherSettings {
  readonly policy: Policy;
  /** Of the site; 0 disables a step. */
  readonly priorities: Readonly<Record<string, number>>;
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
        words: `${failedTests} stopped at a test; which of them would have passed the remaining tests is not recorded`,
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
        words: `${releases} releases would have ended in Manageable, with the debt kept; ${onboardings} onboardings of hosts without a debt would not have been cleaned. ${leftOutMeaning}`,
      };

/** The effect of a priority of a site, a SKU or a host, from the recorded runs of the step there. Pure. @param priority undefined: the override is removed */
export function priorityEffect(
  step: string,
  priority: number | undefined,
  ran: StepRuns | undefined,
): SettingEffect {
  const setting = `Priority of ${step}`;
  if (priority === undefined)
    return {
      setting,
      kind: "unknown",
      reclamations: null,
      words: "the effect of the step's own priority is not recorded",
    };
  if (priority > 0)
    return {
      setting,
      kind: "unknown",
      reclamations: null,
      words:
        ran === undefined
          ? "the step never ran, so its effect is not recorded"
          : "the effect of another order of steps is not recorded",
    };
  const off = offEffect(setting, ran);
  return isErase(step) ? { ...off, words: `${off.words}. ${leftOutMeaning}` } : off;
}

function offEffect(setting: string, ran: StepRuns | undefined): SettingEffect {
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
          words: `${ran.failed} stopped at the step; how they would have continued is not recorded`,
        }
      : {
          setting,
          kind: "same",
          reclamations: 0,
          words: `${ran.runs} ran the step, none stopped at it, and no gate depends on it`,
        };
}

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && [...a].sort().every((one, index) => one === [...b].sort()[index]);

/** Settings whose effect cannot be derived from the records: all without a row of their own. */
const untold = [
  "attempts",
  "autoRepair",
  "brake",
  "procedures",
  "provisioningNetworks",
  "reflashFirmware",
  "requiredSteps",
  "times",
] as const;

/** The paths at which two values differ. */
function differing(before: unknown, after: unknown, path: readonly string[]): readonly (readonly string[])[] {
  if (!isObject(before) || !isObject(after))
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [path];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => differing(before[name], after[name], [...path, name]));
}

const untoldEffects = (before: Policy, after: Policy): readonly SettingEffect[] =>
  untold
    .flatMap((name) => differing(before[name], after[name], ["policy", name]))
    .map((path) => ({
      setting: formatSetting(path),
      kind: "unknown",
      reclamations: null,
      words: "the effect of another value is not recorded",
    }));

/** Settings that affect no recorded reclamation, and what they affect. */
const besides = {
  attestation:
    "affects reclamations that begin from now on: where it is required, a host waits before its first step until its boot matches an approved bundle. What earlier ones would have measured is not recorded",
  changesNeedApproval: "affects who changes settings, and no reclamation",
  proofMaxAgeDays:
    "affects no recorded reclamation; hosts that wait in Ready for longer are checked again, a tenth of a SKU at once",
} as const;

const besidesEffects = (before: Policy, after: Policy): readonly SettingEffect[] =>
  (["attestation", "changesNeedApproval", "proofMaxAgeDays"] as const)
    .filter((name) => before[name] !== after[name])
    .map((name) => ({
      setting: formatSetting(["policy", name]),
      kind: "same",
      reclamations: 0,
      words: besides[name],
    }));

/** Removing a priority restores the step's own, which the records do not contain. */
function priorityEffects(before: OtherSettings, after: OtherSettings, runs: RecordedRuns) {
  const steps = [...new Set([...Object.keys(before.priorities), ...Object.keys(after.priorities)])].sort();
  return steps.flatMap((step): readonly SettingEffect[] => {
    const priority = after.priorities[step];
    if (priority === before.priorities[step]) return [];
    return [priorityEffect(step, priority, runs.steps[step])];
  });
}

/** One row per setting that differs. Pure. */
export function foreseeSettings(
  before: OtherSettings,
  after: OtherSettings,
  runs: RecordedRuns,
): readonly SettingEffect[] {
  const [old, next] = [before.policy, after.policy];
  return [
    ...gateEffects(old.requires, next.requires, runs.gates),
    ...(old.automatedClean === next.automatedClean ? [] : [cleanEffect(next.automatedClean, runs)]),
    ...(sameList(old.validationTests, next.validationTests)
      ? []
      : [testsEffect(old.validationTests, next.validationTests, runs)]),
    ...limitEffects(old.admission, next.admission, runs),
    ...priorityEffects(before, after, runs),
    ...untoldEffects(old, next),
    ...besidesEffects(old, next),
  ];
}
