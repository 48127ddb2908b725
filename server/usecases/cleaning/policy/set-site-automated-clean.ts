// Whether hosts of a site are cleaned by themselves. A new version of the site's policy; reclamations that run keep their copy.
// A host with a debt does not become Ready without cleaning, whatever is set here (docs/cleaning.md#priorities-and-overrides).
import { findPolicy, policyMoved, writePolicy } from "@/server/usecases/cleaning/policy/site-policy";
import { cleaning } from "@/server/contract/cleaning";
import { defineAct } from "@/server/usecases/define-act";
import { done } from "@/server/usecases/problem";

export const setSiteAutomatedClean = defineAct({
  ...cleaning.setSiteAutomatedClean,
  names: ({ siteId }) => ({ kind: "site", id: siteId }),
  find: findPolicy,
  run: async (context, site, { siteId, automatedClean, policyVersion }) => {
    const moved = policyMoved(site, policyVersion);
    if (moved !== null) return moved;
    if (site.body.automatedClean === automatedClean)
      return done({ value: { policyVersion: site.version }, changes: [] });
    const version = await writePolicy(context, site, { ...site.body, automatedClean });
    return done({
      value: { policyVersion: version },
      changes: [
        {
          targetId: siteId,
          tenantId: null,
          before: { automatedClean: site.body.automatedClean, policyVersion: site.version },
          after: { automatedClean, policyVersion: version },
        },
      ],
    });
  },
});
