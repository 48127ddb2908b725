// Whether a change of one step's priority would put two steps of one interface level, anywhere that it counts (docs/cleaning.md#order).
import { effectiveSteps, tieMessage, tiesWithinInterface } from "@/server/domain/cleaning/plan/priorities";
import type { EffectiveStep, OverrideScope, StepOverride } from "@/server/domain/cleaning/plan/priorities";
import { hostCatalogue } from "@/server/domain/cleaning/steps/catalogue";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { OfferedStep } from "@/server/domain/agents/protocol";

/** The change of one override; `priority` null takes it away. */
export interface OverrideChange {
  readonly scope: OverrideScope;
  readonly scopeId: string;
  readonly interface: string;
  readonly step: string;
  readonly priority: number | null;
}

/** One combination of scopes that hosts have, or would have. */
export interface OverrideLevel {
  /** Overrides that count there now. */
  readonly overrides: readonly StepOverride[];
  /** What the agents there offer besides our own steps. */
  readonly offered: readonly OfferedStep[];
}

/** The overrides of a level after the change. Only the changed scope's own row is replaced. Pure. */
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

/** Every step of a level with its priority in force. Pure. */
export const levelSteps = ({ overrides, offered }: OverrideLevel): readonly EffectiveStep[] =>
  effectiveSteps(hostCatalogue(offered), overrides);

export interface MadeTie {
  readonly steps: readonly [string, string];
  readonly priority: number;
  readonly message: string;
}

/** The ties of the changed step at a level after the change: no other step's can be new. Pure. */
export function tiesMade(level: OverrideLevel, change: OverrideChange): readonly MadeTie[] {
  const name = stepName(change);
  return tiesWithinInterface(
    levelSteps({ overrides: withChange(level.overrides, change), offered: level.offered }),
  )
    .filter((pair) => pair.some(({ step }) => stepName(step) === name))
    .map((pair) => ({
      steps: [stepName(pair[0].step), stepName(pair[1].step)],
      priority: pair[0].priority,
      message: tieMessage(pair),
    }));
}
