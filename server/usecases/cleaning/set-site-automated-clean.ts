// Whether hosts of a site are cleaned by themselves. A new version of the site's policy; reclamations that run keep their copy.
// A host with a debt does not become Ready without cleaning, whatever is set here (design: cleaning.md, Overrides).
import { z } from "zod";
import { policy } from "@/server/domain/cleaning/policy";
import { defineAct } from "@/server/usecases/define-act";
import { done, refused } from "@/server/usecases/problem";

export const setSiteAutomatedClean = defineAct({
  action: "site.setAutomatedClean",
  right: "cleaning.override",
  input: z.strictObject({
    siteId: z.uuid("must be the id of a site"),
    automatedClean: z.boolean(),
    /** The policy version that the person saw. */
    policyVersion: z.int().min(1).optional(),
  }),
  names: ({ siteId }) => ({ kind: "site", id: siteId }),
  find: async ({ tx }, { siteId }) => {
    const [site] = await tx.$queryRaw<{ policy_version: number; body: unknown; newest: number }[]>`
      SELECT s.policy_version, p.body, (SELECT max(n.version) FROM site_policy n WHERE n.site_id = s.id) AS newest
      FROM site s JOIN site_policy p ON p.site_id = s.id AND p.version = s.policy_version WHERE s.id = ${siteId}::uuid FOR UPDATE OF s`;
    return site === undefined ? null : { id: siteId, belongs: { tenantId: null }, value: site };
  },
  run: async ({ tx, actor }, site, { siteId, automatedClean, policyVersion }) => {
    if (policyVersion !== undefined && policyVersion !== site.policy_version) return refused("conflict", `The site's policy was changed meanwhile; it is at version ${site.policy_version} now.`, "policyVersion");
    const before = policy.parse(site.body);
    if (before.automatedClean === automatedClean) return done({ value: { policyVersion: site.policy_version }, changes: [] });
    const version = site.newest + 1;
    await tx.sitePolicy.create({ data: { siteId, version, body: { ...before, automatedClean }, createdBy: actor.personId } });
    await tx.site.update({ where: { id: siteId }, data: { policyVersion: version } });
    return done({
      value: { policyVersion: version },
      changes: [{ targetId: siteId, tenantId: null, before: { automatedClean: before.automatedClean, policyVersion: site.policy_version }, after: { automatedClean, policyVersion: version } }],
    });
  },
});
