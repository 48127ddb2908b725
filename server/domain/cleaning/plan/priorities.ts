// The priority that a step has on a host, and where it comes from: default, site, SKU or host (docs/cleaning.md#priorities-and-overrides).
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { CleanStep, StepInterface } from "@/server/domain/cleaning/steps/step";

/** From the least to the most specific. */
export const overrideScopes = ["site", "sku", "host"] as const;
export type OverrideScope = (typeof overrideScopes)[number];

export const mostPriority = 1_000;

export interface StepOverride {
  readonly scope: OverrideScope;
  readonly interface: string;
  readonly step: string;
  /** 0 disables. */
  readonly priority: number;
}

export interface EffectiveStep {
  readonly step: CleanStep;
  readonly priority: number;
  readonly source: "default" | OverrideScope;
}

/** Every step of a catalogue with the priority in force; the most specific override wins. Pure. */
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
      : { step, priority: override.priority, source: override.scope };
  });
}

/** Pairs of steps of one interface with the same priority over 0: their order would be an accident, so they are refused at start-up and on save. Pure. */
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

/** "deploy.a and deploy.b have the same priority 90", for start-up, the answer to a save, and a host whose agent brings a tie. */
export const tieMessage = ([a, b]: readonly [EffectiveStep, EffectiveStep]): string =>
  `${stepName(a.step)} and ${stepName(b.step)} have the same priority ${a.priority}`;

/** A tie between interfaces goes in this order. */
export const tieOrder = [
  "vendor",
  "power",
  "management",
  "firmware",
  "deploy",
  "bios",
  "raid",
] as const satisfies readonly StepInterface[];
