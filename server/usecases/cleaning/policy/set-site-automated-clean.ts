// Sets whether hosts of a site are cleaned automatically, as a new version of its policy; reclamations in progress keep their copy.
// Whatever is set here, a host with a debt does not become Ready without cleaning (docs/cleaning.md#priorities-and-overrides).
import { changePolicy, findPolicy } from "@/server/usecases/cleaning/policy/site-policy";
import { cleaning } from "@/server/contract/cleaning/cleaning";
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
