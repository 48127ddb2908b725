// Sets the standard, level and techniques by which a site erases drives, as a new version of its policy. Reclamations in progress keep theirs.
import { memberChanges, formatChange } from "@/server/domain/sites/difference";
import { policyOperations } from "@/server/contract/cleaning/policy";
import { withErase } from "@/server/usecases/cleaning/policy/preview-policy";
import { changePolicy, findPolicy } from "@/server/usecases/cleaning/policy/site-policy";
import { defineAct } from "@/server/usecases/define-act";

export const setSiteErase = defineAct({
  ...policyOperations.setErase,
  names: ({ siteId }) => ({ kind: "site", id: siteId }),
  find: findPolicy,
  run: (context, site, { erase, policyVersion, reason }) => {
    const before = site.body.sanitization;
    const after = withErase(before, erase);
    return changePolicy(context, site, {
      body: { ...site.body, sanitization: after },
      seen: policyVersion,
      before: {},
      after: { reason, changes: memberChanges(before, after).map(formatChange) },
    });
  },
});
