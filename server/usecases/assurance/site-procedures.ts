// The procedures of sites: a part of each site's policy, changed in the same way.
import { sql } from "kysely";
import { procedures as contract } from "@/server/contract/assurance/procedures";
import type { SiteProcedures } from "@/server/contract/assurance/procedures";
import { queryRows } from "@/server/db/sql";
import { storedPolicy } from "@/server/domain/cleaning/policy/policy";
import { highestVersion } from "@/server/domain/assurance/procedures/procedure";
import type { Procedure } from "@/server/domain/assurance/procedures/procedure";
import type { Actor } from "@/server/usecases/actor";
import { usedProcedures } from "@/server/usecases/assurance/used-procedures";
import type { Backend } from "@/server/usecases/backend";
import { changePolicy, findPolicy } from "@/server/usecases/cleaning/policy/site-policy";
import { defineAct } from "@/server/usecases/define-act";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

/** Provider's people only. */
export async function listProcedures(
  { database }: Backend,
  actor: Actor,
): Promise<Outcome<readonly SiteProcedures[]>> {
  const scope = scopeOf(actor, "assurance.read");
  if (!scope.ok) return scope;
  const rows = await queryRows(
    database,
    sql<{ id: string; name: string; policy_version: number; body: unknown }>`
    SELECT s.id::text, s.name, s.policy_version, p.body FROM site s
      JOIN site_policy p ON p.site_id = s.id AND p.version = s.policy_version ORDER BY s.name`,
  );
  return done(
    rows.map(({ id, name, policy_version: policyVersion, body }) => {
      const { procedures, requires } = storedPolicy.parse(body);
      return { siteId: id, site: name, policyVersion, required: requires.assuranceSigned, procedures };
    }),
  );
}

const names = ({ siteId }: { readonly siteId: string }) => ({ kind: "site", id: siteId });

/** The version of the saved procedure: the current one if nothing changed, else one that it never had. */
const versionOf = (
  before: Procedure | undefined,
  next: Omit<Procedure, "version">,
  used: readonly Procedure[],
): number => {
  const isSame =
    before !== undefined &&
    JSON.stringify({ ...next, version: before.version }) === JSON.stringify({ ...next, ...before });
  return isSame ? before.version : highestVersion(used, next.name) + 1;
};

/** For the audit log. */
const facts = (procedure: Procedure | undefined) => ({
  procedure: procedure?.name ?? null,
  version: procedure?.version ?? null,
  text: procedure === undefined ? null : JSON.stringify(procedure),
});

export const saveProcedure = defineAct({
  ...contract.save,
  names,
  find: findPolicy,
  run: async (context, site, { procedure, policyVersion, reason }) => {
    const { procedures } = site.body;
    const used = await usedProcedures(context.tx, site.siteId);
    const before = procedures.find(({ name }) => name === procedure.name);
    const next: Procedure = { ...procedure, version: versionOf(before, procedure, used) };
    return changePolicy(context, site, {
      body: {
        ...site.body,
        procedures:
          before === undefined
            ? [...procedures, next]
            : procedures.map((each) => (each === before ? next : each)),
      },
      seen: policyVersion,
      before: facts(before),
      after: { ...facts(next), reason },
    });
  },
});

export const removeProcedure = defineAct({
  ...contract.remove,
  names,
  find: findPolicy,
  run: (context, site, { name, policyVersion, reason }) => {
    const before = site.body.procedures.find((each) => each.name === name);
    if (before === undefined) return refused("notFound", `The site has no procedure ${name}.`, "name");
    return changePolicy(context, site, {
      body: { ...site.body, procedures: site.body.procedures.filter((each) => each !== before) },
      seen: policyVersion,
      before: facts(before),
      after: { ...facts(undefined), procedure: name, reason },
    });
  },
});
