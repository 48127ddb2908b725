// What a change of a priority would do: the order before and after, and the ties that it would make at every level below.
import { gatesRestingOn, inOrder } from "@/server/domain/cleaning/plan/plan";
import { levelSteps, tiesMade, withChange } from "@/server/domain/cleaning/plan/override-ties";
import type { OverrideChange } from "@/server/domain/cleaning/plan/override-ties";
import { mostPriority } from "@/server/domain/cleaning/plan/priorities";
import type { EffectiveStep } from "@/server/domain/cleaning/plan/priorities";
import { findCleanStep } from "@/server/domain/cleaning/steps/catalogue";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { Reader } from "@/server/db/prisma";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import type { OrderLine, OverridePreview } from "@/server/contract/answers/cleaning";
import { overrideLevels, scopeName } from "@/server/usecases/cleaning/overrides/override-levels";
import type { NamedLevel } from "@/server/usecases/cleaning/overrides/override-levels";
import { done, notFound, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

const tiesShown = 50;

const scopeWords = { site: "site", sku: "SKU", host: "host" } as const;

/** What a change is checked on; a problem where its scope, step or priority is unknown. */
export async function checkedLevels(
  reader: Reader,
  change: OverrideChange,
): Promise<Outcome<readonly NamedLevel[]>> {
  const { priority } = change;
  if (priority !== null && (!Number.isInteger(priority) || priority < 0 || priority > mostPriority))
    return refused("invalid", `priority must be a whole number from 0 to ${mostPriority}.`, "priority");
  const name = await scopeName(reader, change.scope, change.scopeId);
  if (name === null) return notFound(scopeWords[change.scope], change.scopeId);
  const levels = await overrideLevels(reader, change, name);
  const declared = findCleanStep(change.interface, change.step);
  if (declared?.reserved === true)
    return refused(
      "invalid",
      `${stepName(change)} is a reserved step: it runs only in manual cleanings that name it.`,
      "step",
    );
  if (
    declared === null &&
    !levels.some(({ offered }) => offered.some((row) => stepName(row) === stepName(change)))
  ) {
    // An override whose agents are gone can still be taken away.
    if (priority !== null)
      return refused(
        "invalid",
        `There is no clean step ${stepName(change)}, and no agent of ${scopeWords[change.scope]} ${name} offers one.`,
        "step",
      );
  }
  return done(levels);
}

const lines = (steps: readonly EffectiveStep[]): readonly OrderLine[] =>
  inOrder(steps.filter(({ priority }) => priority > 0)).map(({ step, priority, source }) => ({
    name: stepName(step),
    priority,
    source,
  }));

/** Every tie that the change would make, the most hosts first. Pure. */
export function tiesOf(levels: readonly NamedLevel[], change: OverrideChange): OverridePreview["ties"] {
  return levels.flatMap((level) =>
    tiesMade(level, change).map((tie) => ({ where: level.where, hosts: level.hosts, ...tie })),
  );
}

/** @param change.priority null: the override is taken away */
export async function previewOverride(
  { database }: Backend,
  actor: Actor,
  change: OverrideChange,
): Promise<Outcome<OverridePreview>> {
  const scope = scopeOf(actor, "cleaning.read");
  if (!scope.ok) return scope;
  const levels = await checkedLevels(database, change);
  if (!levels.ok) return levels;
  const [own] = levels.value;
  if (own === undefined) return notFound(scopeWords[change.scope], change.scopeId);
  const after = levelSteps({ overrides: withChange(own.overrides, change), offered: own.offered });
  const step = after.find((effective) => stepName(effective.step) === stepName(change));
  return done({
    before: lines(levelSteps(own)),
    after: lines(after),
    ties: tiesOf(levels.value, change).slice(0, tiesShown),
    hosts: levels.value.reduce((sum, { hosts }) => sum + hosts, 0),
    unproven:
      step !== undefined && step.priority === 0 && step.step.priority > 0 ? gatesRestingOn(step.step) : [],
  });
}
