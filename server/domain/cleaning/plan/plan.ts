// The automated plan: the applicable steps with a priority, in order (docs/cleaning.md#automated-cleaning).
import {
  effectiveSteps,
  tieMessage,
  tieOrder,
  tiesWithinInterface,
} from "@/server/domain/cleaning/plan/priorities";
import type { EffectiveStep, OverrideScope, StepOverride } from "@/server/domain/cleaning/plan/priorities";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { CleanStep, KnownHardware } from "@/server/domain/cleaning/steps/step";
import type { CleanupSummary } from "@/server/domain/cleaning/cleanup-summary";
import type { GateName } from "@/server/domain/reclamations/gates/gate-names";
import type { VoidedErase } from "@/server/domain/cleaning/sanitization/voided";

export type PlannedStep = EffectiveStep;

/** A step that an override had disabled when the plan was made. Gates that depend on it report this. */
export interface DisabledStep {
  readonly interface: string;
  readonly step: string;
  readonly source: OverrideScope;
  /** Who set the override; null or missing: not recorded. */
  readonly setBy?: string | null;
  /** Gates that its success would have proven. */
  readonly proves: readonly GateName[];
  /** Drives that it would have treated. */
  readonly devices: readonly { readonly serial: string; readonly model: string }[];
}

/** The inputs of a plan, as stored in `reclamation.plan`. */
export interface PlanRecord {
  readonly managers: readonly { readonly name: string; readonly version: string }[];
  readonly disabled: readonly DisabledStep[];
  /** Name of the SKU that provided baseline and priorities; null: the host had none. Missing in plans of the previous release. */
  readonly sku?: string | null;
  /** Why earlier plans of this reclamation no longer count, oldest first. */
  readonly voided?: readonly VoidedErase[];
  /** The outcome of its steps, written when the reclamation stopped or ended (docs/adr/0014-cleaning.md). */
  readonly cleanup?: CleanupSummary;
}

/** Highest priority first. Ties between interfaces are resolved by `tieOrder`. Pure. */
export function inOrder(steps: readonly EffectiveStep[]): readonly EffectiveStep[] {
  return [...steps].sort(
    (a, b) =>
      b.priority - a.priority || tieOrder.indexOf(a.step.interface) - tieOrder.indexOf(b.step.interface),
  );
}

/** The steps that run on this hardware with these overrides. Pure. */
export function automatedPlan(
  catalogue: readonly CleanStep[],
  overrides: readonly StepOverride[],
  known: KnownHardware,
): readonly PlannedStep[] {
  return inOrder(
    effectiveSteps(catalogue, overrides).filter(({ step, priority }) => priority > 0 && step.applies(known)),
  );
}

/** The gates that depend on a step. Storage depends on every erase, even one that names no drive, such as that of a whole controller. Pure. */
export function gatesRestingOn(step: CleanStep): readonly GateName[] {
  // safety: plan: storage rests on every erase (never)
  return step.erases ? [...new Set<GateName>([...step.proves, "storageSanitized"])] : step.proves;
}

/** Steps that would run by default but were disabled by an override. Gates that depend on one report this. Pure. */
export function disabledSteps(
  catalogue: readonly CleanStep[],
  overrides: readonly StepOverride[],
  known: KnownHardware,
): readonly DisabledStep[] {
  return effectiveSteps(catalogue, overrides).flatMap(
    ({ step, priority, source, setBy }): readonly DisabledStep[] => {
      if (priority > 0 || step.priority === 0 || source === "default" || !step.applies(known)) return [];
      return [
        {
          interface: step.interface,
          step: step.step,
          source,
          setBy: setBy ?? null,
          proves: gatesRestingOn(step),
          devices: step.devices(known, {}).map(({ serial, model }) => ({ serial, model })),
        },
      ];
    },
  );
}

export type MadePlan =
  | { readonly ok: true; readonly steps: readonly PlannedStep[]; readonly disabled: readonly DisabledStep[] }
  /** Equal priorities within an interface (from the agent, or from overrides of several scopes), a wrong order, or faulty site steps. `message` says which. */
  | { readonly ok: false; readonly message: string };

/** Steps that would write to drives that an earlier step has erased. The final boot would detect what they write as a change. Pure. */
function orderFaults(steps: readonly PlannedStep[]): readonly string[] {
  return steps.flatMap((late, index) => {
    // safety: plan: nothing writes to a drive that is erased (always)
    if (!late.step.writes) return [];
    const before = steps
      .slice(0, index)
      .find(({ step }) => step.where === "agent" && step.proves.includes("storageSanitized"));
    return before === undefined
      ? []
      : [
          `${stepName(late.step)} (priority ${late.priority}) would write to drives already erased by ${stepName(before.step)}: give it a priority above ${before.priority}`,
        ];
  });
}

/** The plan of one host, or why there is none. Without a defined order there is no plan. Pure. */
export function makePlan(
  catalogue: readonly CleanStep[],
  overrides: readonly StepOverride[],
  known: KnownHardware,
): MadePlan {
  const steps = automatedPlan(catalogue, overrides, known);
  const ties = tiesWithinInterface(steps);
  // safety: plan: no order that is an accident
  if (ties.length > 0)
    return { ok: false, message: `${ties.map(tieMessage).join("; ")}: give one of them another priority` };
  const faults = orderFaults(steps);
  if (faults.length > 0) return { ok: false, message: faults.join("; ") };
  return { ok: true, steps, disabled: disabledSteps(catalogue, overrides, known) };
}
