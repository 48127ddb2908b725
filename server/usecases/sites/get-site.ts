// A site as a document: as the tables have it, or as a stored version says (docs/adr/0048-site-document.md).
import { revisionOf } from "@/server/domain/site/difference";
import type { SiteView } from "@/server/contract/site";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { done, notFound, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import { readSiteState } from "@/server/usecases/sites/site-state";
import { storedVersion } from "@/server/usecases/sites/site-versions";

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
  const row = await database.siteVersion.findFirst({
    where: { siteId, ...(wanted === undefined ? {} : { version: wanted }) },
    orderBy: { version: "desc" },
  });
  if (wanted === undefined)
    return done({
      siteId,
      site: name,
      version: row?.version ?? null,
      revision: revisionOf(state.document),
      document: state.document,
    });
  if (row === null) return notFound("version", `${wanted} of the site ${name}`);
  const document = storedVersion(row.document);
  if (document === null)
    return refused(
      "notAllowedNow",
      `Version ${wanted} of the site ${name} has settings that this release of Reclaim does not know.`,
      "version",
    );
  return done({ siteId, site: name, version: row.version, revision: null, document });
}
