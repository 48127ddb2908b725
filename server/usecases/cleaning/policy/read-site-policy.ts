// The whole policy in force at a site, which the next reclamation there copies.
import { storedPolicy } from "@/server/domain/cleaning/policy/policy";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import type { SitePolicyView } from "@/server/contract/cleaning/cleaning-answers";
import { personNames } from "@/server/usecases/person-names";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

/** Throws if the stored value is no policy. */
export async function readSitePolicy(
  { database }: Backend,
  actor: Actor,
  query: { readonly siteId: string },
): Promise<Outcome<SitePolicyView>> {
  const scope = scopeOf(actor, "cleaning.read");
  if (!scope.ok) return scope;
  const site = await database.site.findUnique({
    where: { id: query.siteId },
    select: { id: true, name: true, policyVersion: true },
  });
  const row =
    site === null
      ? null
      : await database.sitePolicy.findUnique({
          where: { siteId_version: { siteId: site.id, version: site.policyVersion } },
        });
  if (site === null || row === null) return notFound("site", query.siteId);
  const names = await personNames(database, [row.createdBy]);
  return done({
    siteId: site.id,
    site: site.name,
    version: row.version,
    createdAt: row.createdAt,
    createdByName: row.createdBy === null ? null : (names.get(row.createdBy) ?? null),
    policy: storedPolicy.parse(row.body),
  });
}
