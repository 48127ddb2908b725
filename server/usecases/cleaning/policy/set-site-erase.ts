// Sets by which standard, to which level and by which techniques a site erases drives. A new version of its policy: reclamations in progress keep theirs.
import { isDeepStrictEqual } from "node:util";
import { memberChanges, changeWords } from "@/server/domain/site/difference";
import { policyOperations } from "@/server/contract/policy";
import { withErase } from "@/server/usecases/cleaning/policy/preview-policy";
import { findPolicy, policyMoved, writePolicy } from "@/server/usecases/cleaning/policy/site-policy";
import { defineAct } from "@/server/usecases/define-act";
import { done } from "@/server/usecases/problem";

export const setSiteErase = defineAct({
  ...policyOperations.setErase,
  names: ({ siteId }) => ({ kind: "site", id: siteId }),
  find: findPolicy,
  run: async (context, site, { siteId, erase, policyVersion, reason }) => {
    const moved = policyMoved(site, policyVersion);
    if (moved !== null) return moved;
    const before = site.body.sanitization;
    const after = withErase(before, erase);
    if (isDeepStrictEqual(before, after))
      return done({ value: { policyVersion: site.version }, changes: [] });
    const version = await writePolicy(context, site, { ...site.body, sanitization: after });
    return done({
      value: { policyVersion: version },
      changes: [
        {
          targetId: siteId,
          tenantId: null,
          before: { policyVersion: site.version },
          after: {
            policyVersion: version,
            reason,
            changes: memberChanges(before, after).map(changeWords),
          },
        },
      ],
    });
  },
});
