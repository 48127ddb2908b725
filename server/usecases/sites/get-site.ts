// A site as a document: as the tables have it, or as a stored version says (docs/adr/0048-site-document.md).
import { revisionOf } from "@/server/domain/site/difference";
import type { SiteView } from "@/server/contract/site";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import { readSiteState } from "@/server/usecases/sites/site-state";
import { readVersion } from "@/server/usecases/sites/site-versions";

interface SiteAsked {
  readonly site: string;
  readonly version?: number | undefined;
}

/** Throws when what is stored is no policy or no SKU of this release. */
export async function getSite(
  { database }: Backend,
  actor: Actor,
  { site: name, version: wanted }: SiteAsked,
): Promise<Outcome<SiteView>> {
  const scope = scopeOf(actor, "site.read");
  if (!scope.ok) return scope;
  const state = await readSiteState(database, name);
  if (state === null) return notFound("site", name);
  const { siteId } = state;
  if (wanted !== undefined) {
    const version = await readVersion(database, { siteId, site: name, version: wanted });
    return version.ok
      ? done({ siteId, site: name, version: wanted, revision: null, document: version.value })
      : version;
  }
  const newest = await database.siteVersion.findFirst({
    where: { siteId },
    orderBy: { version: "desc" },
    select: { version: true },
  });
  return done({
    siteId,
    site: name,
    version: newest?.version ?? null,
    revision: revisionOf(state.document),
    document: state.document,
  });
}
