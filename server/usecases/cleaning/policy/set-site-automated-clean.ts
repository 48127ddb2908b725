// Whether hosts of a site are cleaned automatically. A new version of the site's policy; reclamations that run keep their copy.
// A host with a debt does not become Ready without cleaning, whatever is set here (docs/cleaning.md#priorities-and-overrides).
import { changePolicy, findPolicy } from "@/server/usecases/cleaning/policy/site-policy";
import { cleaning } from "@/server/contract/cleaning";
import { defineAct } from "@/server/usecases/define-act";

export const setSiteAutomatedClean = defineAct({
  ...cleaning.setSiteAutomatedClean,
  names: ({ siteId }) => ({ kind: "site", id: siteId }),
  find: findPolicy,
  run: (context, site, { automatedClean, policyVersion }) =>
    changePolicy(context, site, {
      body: { ...site.body, automatedClean },
      seen: policyVersion,
      before: { automatedClean: site.body.automatedClean },
      after: { automatedClean },
    }),
});
