// What changing a priority would do: the order before and after, and ties at every level below.
import { priorityEffect } from "@/server/domain/cleaning/policy/settings-effect";
import { gatesRestingOn, inOrder } from "@/server/domain/cleaning/plan/plan";
import { effectiveSteps, withChange } from "@/server/domain/cleaning/plan/priorities";
import type { EffectiveStep, OverrideChange } from "@/server/domain/cleaning/plan/priorities";
import { hostCatalogue } from "@/server/domain/cleaning/steps/catalogue";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import type { OrderLine, OverridePreview } from "@/server/contract/cleaning/cleaning-answers";
import {
  checkedLevels,
  overrideId,
  readOverrides,
  scopeLabels,
  tiesOf,
} from "@/server/usecases/cleaning/overrides/override-levels";
import { recordedStep } from "@/server/usecases/cleaning/overrides/recorded-step";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

const tiesShown = 50;

const lines = (steps: readonly EffectiveStep[]): readonly OrderLine[] =>
  inOrder(steps.filter(({ priority }) => priority > 0)).map(({ step, priority, source }) => ({
    name: stepName(step),
    priority,
    source,
  }));

/** @param change.priority null removes the override */
export async function previewOverride(
  { database }: Backend,
  actor: Actor,
  change: OverrideChange,
): Promise<Outcome<OverridePreview>> {
  const scope = scopeOf(actor, "cleaning.read");
  if (!scope.ok) return scope;
  const stored = await readOverrides(database, change);
  const levels = await checkedLevels(database, change, stored);
  if (!levels.ok) return levels;
  const [own] = levels.value;
  if (own === undefined) return notFound(scopeLabels[change.scope], change.scopeId);
  const steps = hostCatalogue(own.offered);
  const after = effectiveSteps(steps, withChange(own.overrides, change));
  const step = after.find((effective) => stepName(effective.step) === stepName(change));
  return done({
    before: lines(effectiveSteps(steps, own.overrides)),
    after: lines(after),
    ties: tiesOf(levels.value, change).slice(0, tiesShown),
    hosts: levels.value.reduce((sum, { hosts }) => sum + hosts, 0),
    unproven:
      step !== undefined && step.priority === 0 && step.step.priority > 0 ? gatesRestingOn(step.step) : [],
    effect:
      (stored.find((row) => overrideId(row) === overrideId(change))?.priority ?? null) === change.priority
        ? null
        : priorityEffect(
            stepName(change),
            change.priority ?? undefined,
            await recordedStep(database, change),
          ),
  });
}
