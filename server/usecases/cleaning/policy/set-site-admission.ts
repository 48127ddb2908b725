// The limits of a site's admission. A new version of its policy: hosts that wait are counted against it at the next look, and hosts in progress go on
// (docs/cleaning.md#admission).
import { findPolicy, policyMoved, writePolicy } from "@/server/usecases/cleaning/policy/site-policy";
import { queue } from "@/server/contract/queue";
import { defineAct } from "@/server/usecases/define-act";
import { done } from "@/server/usecases/problem";

export const setSiteAdmission = defineAct({
  ...queue.setLimits,
  names: ({ siteId }) => ({ kind: "site", id: siteId }),
  find: findPolicy,
  run: async (context, site, { siteId, limits, policyVersion }) => {
    const moved = policyMoved(site, policyVersion);
    if (moved !== null) return moved;
    const before = site.body.admission;
    const same =
      before.atWork === limits.atWork &&
      before.bootsPerMinute === limits.bootsPerMinute &&
      before.perPowerDomain === limits.perPowerDomain &&
      before.tenantReleasesPerHour === limits.tenantReleasesPerHour;
    if (same) return done({ value: { policyVersion: site.version }, changes: [] });
    const version = await writePolicy(context, site, { ...site.body, admission: limits });
    return done({
      value: { policyVersion: version },
      changes: [
        {
          targetId: siteId,
          tenantId: null,
          before: { ...before, policyVersion: site.version },
          after: { ...limits, policyVersion: version },
        },
      ],
    });
  },
});
