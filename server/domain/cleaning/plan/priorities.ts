// The priority of a step on a host, and where it comes from: default, site, SKU or host (docs/cleaning.md#priorities-and-overrides).
// A change must not give two steps of one interface the same priority, anywhere that it applies (docs/cleaning.md#order).
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { CleanStep, StepInterface } from "@/server/domain/cleaning/steps/step";

/** From least to most specific. */
export const overrideScopes = ["site", "sku", "host"] as const;
export type OverrideScope = (typeof overrideScopes)[number];

export const maxPriority = 1_000;

export interface StepOverride {
  readonly scope: OverrideScope;
  readonly interface: string;
  readonly step: string;
  /** 0 disables. */
  readonly priority: number;
  /** Name of who set it; null or left out: not recorded. */
  readonly setBy?: string | null | undefined;
}

export interface EffectiveStep {
  readonly step: CleanStep;
  readonly priority: number;
  readonly source: "default" | OverrideScope;
  readonly setBy?: string | null | undefined;
}

/** Every step of a catalogue with its effective priority; the most specific override wins. Pure. */
export function effectiveSteps(
  catalogue: readonly CleanStep[],
  overrides: readonly StepOverride[],
): readonly EffectiveStep[] {
  const found = new Map<string, StepOverride>();
  for (const scope of overrideScopes)
    for (const override of overrides) if (override.scope === scope) found.set(stepName(override), override);
  return catalogue.map((step) => {
    const override = found.get(stepName(step));
    return override === undefined
      ? { step, priority: step.priority, source: "default" }
      : { step, priority: override.priority, source: override.scope, setBy: override.setBy };
  });
}

/** Pairs of steps of one interface with the same priority above 0. Their order would be undefined, so startup and saving reject them. Pure. */
export function tiesWithinInterface(
  steps: readonly EffectiveStep[],
): readonly (readonly [EffectiveStep, EffectiveStep])[] {
  const ties: (readonly [EffectiveStep, EffectiveStep])[] = [];
  steps.forEach((a, index) => {
    for (const b of steps.slice(index + 1)) {
      if (a.priority > 0 && a.priority === b.priority && a.step.interface === b.step.interface)
        ties.push([a, b]);
    }
  });
  return ties;
}

/** "deploy.a and deploy.b have the same priority 90": used at startup, in the answer to a save, and for a host whose agent introduces a tie. */
export const tieMessage = ([a, b]: readonly [EffectiveStep, EffectiveStep]): string =>
  `${stepName(a.step)} and ${stepName(b.step)} have the same priority ${a.priority}`;

/** The order of interfaces for steps with equal priority. */
export const tieOrder = [
  "vendor",
  "power",
  "management",
  "firmware",
  "deploy",
  "bios",
  "raid",
] as const satisfies readonly StepInterface[];

/** A change of one override; `priority` null removes it. */
export interface OverrideChange {
  readonly scope: OverrideScope;
  readonly scopeId: string;
  readonly interface: string;
  readonly step: string;
  readonly priority: number | null;
}

/** All overrides after the change. Only the row of the changed scope is replaced. Pure. */
export function withChange(
  overrides: readonly StepOverride[],
  change: OverrideChange,
): readonly StepOverride[] {
  const others = overrides.filter(
    (override) => override.scope !== change.scope || stepName(override) !== stepName(change),
  );
  return change.priority === null
    ? others
    : [
        ...others,
        { scope: change.scope, interface: change.interface, step: change.step, priority: change.priority },
      ];
}

export interface MadeTie {
  readonly steps: readonly [string, string];
  readonly priority: number;
  readonly message: string;
}

/** Ties of the changed step after the change, given these overrides. No other step can get a new tie. Pure. */
export function tiesMade(
  catalogue: readonly CleanStep[],
  overrides: readonly StepOverride[],
  change: OverrideChange,
): readonly MadeTie[] {
  const name = stepName(change);
  return tiesWithinInterface(effectiveSteps(catalogue, withChange(overrides, change)))
    .filter((pair) => pair.some(({ step }) => stepName(step) === name))
    .map((pair) => ({
      steps: [stepName(pair[0].step), stepName(pair[1].step)],
      priority: pair[0].priority,
      message: tieMessage(pair),
    }));
}
