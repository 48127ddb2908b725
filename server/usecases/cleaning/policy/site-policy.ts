// A site's policy as acts change it: read with a lock, and written as a new version. Reclamations in progress keep the copy that they started with.
import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { storedPolicy } from "@/server/domain/cleaning/policy/policy";
import type { Policy } from "@/server/domain/cleaning/policy/policy";
import type { AuditFacts } from "@/server/db/audit";
import type { ActContext } from "@/server/usecases/define-act";
import { refused } from "@/server/usecases/problem";
import { acted, unchanged } from "@/server/usecases/define-act";

export interface LockedPolicy {
  readonly siteId: string;
  readonly version: number;
  readonly body: Policy;
  /** The highest version that the site ever had. */
  readonly newest: number;
}

/** Null if there is no such site. Throws on a policy that this version does not understand. */
export async function lockPolicy(
  { tx }: Pick<ActContext, "tx">,
  siteId: string,
): Promise<LockedPolicy | null> {
  const [site] = await queryRows(
    tx,
    sql<{ policy_version: number; body: unknown; newest: number }>`
    SELECT s.policy_version, p.body, (SELECT max(n.version) FROM site_policy n WHERE n.site_id = s.id) AS newest
    FROM site s JOIN site_policy p ON p.site_id = s.id AND p.version = s.policy_version WHERE s.id = ${siteId}::uuid FOR UPDATE OF s`,
  );
  return site === undefined
    ? null
    : { siteId, version: site.policy_version, body: storedPolicy.parse(site.body), newest: site.newest };
}

/** `lockPolicy` as the `find` of an act on a site. */
export async function findPolicy(context: Pick<ActContext, "tx">, { siteId }: { readonly siteId: string }) {
  const site = await lockPolicy(context, siteId);
  return site === null ? null : { id: siteId, belongs: { tenantId: null }, value: site };
}

/** Writes the next version and puts it in force. Returns its number. */
export async function writePolicy(
  { tx, actor }: Pick<ActContext, "tx" | "actor">,
  { siteId, newest }: LockedPolicy,
  body: Policy,
): Promise<number> {
  const version = newest + 1;
  await tx.sitePolicy.create({ data: { siteId, version, body, createdBy: actor.personId } });
  await tx.site.update({ where: { id: siteId }, data: { policyVersion: version } });
  return version;
}

interface PolicyChange {
  readonly body: Policy;
  /** The version that the person saw; any other version is refused. */
  readonly seen: number | undefined;
  /** Facts for the audit log, to which the versions are added. */
  readonly before: AuditFacts;
  readonly after: AuditFacts;
}

/** Puts a different policy in force, for every act on a site's policy. No-op if the policy is the same. */
export async function changePolicy(
  context: Pick<ActContext, "tx" | "actor">,
  site: LockedPolicy,
  { body, seen, before, after }: PolicyChange,
) {
  if (seen !== undefined && seen !== site.version)
    return refused(
      "conflict",
      `Somebody else has changed the site's policy; it is now at version ${site.version}. Reload and try again.`,
      "policyVersion",
    );
  if (isDeepStrictEqual(site.body, body)) return unchanged({ policyVersion: site.version });
  const version = await writePolicy(context, site, body);
  return acted({
    value: { policyVersion: version },
    targetId: site.siteId,
    tenantId: null,
    before: { ...before, policyVersion: site.version },
    after: { ...after, policyVersion: version },
  });
}
