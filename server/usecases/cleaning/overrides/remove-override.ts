// Removes an override, so that the next wider scope or the default counts again.
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

export const removeOverride = defineAct({
  ...cleaning.removeOverride,
  names: (input) => ({ kind: "override", id: overrideId(input) }),
  find: ({ tx }, input) => lockOverrides(tx, input),
  run: async ({ tx }, { before, stored }, name) => {
    if (before === null) return unchanged({ removed: false });
    const change = { ...name, priority: null };
    const levels = await checkedLevels(tx, change, stored);
    // If the scope is gone, there are no hosts whose order could have a tie.
    if (!levels.ok && levels.problem.code !== "notFound") return levels;
    const ties = levels.ok ? tiesOf(levels.value, change) : [];
    if (ties.length > 0) return tieRefusal(ties);
    const { scope, scopeId, interface: stepInterface, step } = name;
    await tx.stepOverride.deleteMany({ where: { scope, scopeId, interface: stepInterface, step } });
    return acted({
      value: { removed: true },
      targetId: overrideId(name),
      tenantId: null,
      before: { scope, scopeId, step: stepName(name), priority: before.priority },
      after: null,
    });
  },
});
