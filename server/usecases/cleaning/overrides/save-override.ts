// Sets the priority of a step for a site, a SKU or a host. Existing plans keep theirs; new plans use it.
import { stepName } from "@/server/domain/cleaning/steps/step";
import { cleaning } from "@/server/contract/cleaning/cleaning";
import { acted, unchanged, defineAct } from "@/server/usecases/define-act";
import {
  checkedLevels,
  lockOverrides,
  overrideId,
  tiesOf,
} from "@/server/usecases/cleaning/overrides/override-levels";
import { tieRefusal } from "@/server/usecases/cleaning/tie-refusal";

export const saveOverride = defineAct({
  ...cleaning.saveOverride,
  names: (input) => ({ kind: "override", id: overrideId(input) }),
  find: ({ tx }, input) => lockOverrides(tx, input),
  run: async ({ tx, actor }, { before, stored }, change) => {
    const levels = await checkedLevels(tx, change, stored);
    if (!levels.ok) return levels;
    const ties = tiesOf(levels.value, change);
    // safety: override: no tie
    if (ties.length > 0) return tieRefusal(ties);
    if (before?.priority === change.priority) return unchanged({ priority: change.priority });
    const { scope, scopeId, interface: stepInterface, step, priority } = change;
    const written = { priority, changedAt: new Date(), changedBy: actor.personId };
    await tx.stepOverride.upsert({
      where: { scopeId_interface_step: { scopeId, interface: stepInterface, step } },
      create: { scope, scopeId, interface: stepInterface, step, ...written },
      update: written,
    });
    return acted({
      value: { priority },
      targetId: overrideId(change),
      tenantId: null,
      before: before === null ? null : { priority: before.priority },
      after: { scope, scopeId, step: stepName(change), priority },
    });
  },
});
