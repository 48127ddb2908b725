// Sets the admission limits of a site, as a new version of its policy. Queued hosts are counted against it at the next pass, and hosts in progress continue
// (docs/cleaning.md#admission).
import { changePolicy, findPolicy } from "@/server/usecases/cleaning/policy/site-policy";
import { queue } from "@/server/contract/cleaning/queue";
import type { AuditFacts } from "@/server/db/audit";
import type { Policy } from "@/server/domain/cleaning/policy/policy";
import { defineAct } from "@/server/usecases/define-act";

/** Facts for the audit log, with each place and its limit as one text. */
const limitFacts = ({ segments, powerDomains, ...numbers }: Policy["admission"]): AuditFacts => ({
  ...numbers,
  segments: placeTexts(segments),
  powerDomains: placeTexts(powerDomains),
});
const placeTexts = (limits: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(limits).map(([place, limit]) => `${place}: ${limit}`);

export const setSiteAdmission = defineAct({
  ...queue.setLimits,
  names: ({ siteId }) => ({ kind: "site", id: siteId }),
  find: findPolicy,
  run: (context, site, { limits, policyVersion }) => {
    const before = site.body.admission;
    const after = { ...before, ...limits };
    return changePolicy(context, site, {
      body: { ...site.body, admission: after },
      seen: policyVersion,
      before: limitFacts(before),
      after: limitFacts(after),
    });
  },
});
