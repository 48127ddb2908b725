// The automated plan: the applicable steps with a priority, in order (design: cleaning.md, Order).
import type { CleanStep, KnownHardware, StepInterface } from "@/server/domain/cleaning/clean-steps";

/** A tie between interfaces goes in this order. */
const tieOrder = ["vendor", "power", "management", "firmware", "deploy", "bios", "raid"] as const satisfies readonly StepInterface[];

export interface PlannedStep {
  readonly step: CleanStep;
  readonly priority: number;
  readonly prioritySource: "default";
}

/** Highest priority first; a tie between interfaces by `tieOrder`. Pure. */
export function automatedPlan(catalogue: readonly CleanStep[], known: KnownHardware): readonly PlannedStep[] {
  return catalogue
    .filter((step) => step.priority > 0 && step.applies(known))
    .map((step): PlannedStep => ({ step, priority: step.priority, prioritySource: "default" }))
    .sort((a, b) => b.priority - a.priority || tieOrder.indexOf(a.step.interface) - tieOrder.indexOf(b.step.interface));
}

/** Pairs of steps of one interface with the same priority over 0: their order would be an accident, so start-up refuses them. */
export function tiesWithinInterface(catalogue: readonly CleanStep[]): readonly (readonly [CleanStep, CleanStep])[] {
  const ties: (readonly [CleanStep, CleanStep])[] = [];
  catalogue.forEach((a, index) => {
    for (const b of catalogue.slice(index + 1)) {
      if (a.priority > 0 && a.priority === b.priority && a.interface === b.interface) ties.push([a, b]);
    }
  });
  return ties;
}
