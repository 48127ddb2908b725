// A site as a document: from the tables, or from a stored version (docs/adr/0048-site-document.md).
import { revisionOf } from "@/server/domain/sites/difference";
import { authorityExpiry } from "@/server/domain/sites/authorities";
import type { SiteDocument } from "@/server/domain/sites/document";
import { readAuthorities } from "@/server/domain/sites/read-authorities";
import type { SiteAuthorityLine, SiteView } from "@/server/contract/sites/sites";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import { readSiteState } from "@/server/usecases/sites/site-state";
import { readVersion } from "@/server/usecases/sites/site-versions";

/** The soonest to expire first. Omits what is not a readable certificate, which no stored document ever had. Pure. */
const authorityLines = ({ authorities = {} }: SiteDocument, now: Date): readonly SiteAuthorityLine[] =>
  Object.entries(authorities)
    .flatMap(([name, { usedFor, pem }]) =>
      readAuthorities(pem).certificates.map((certificate) => ({
        name,
        usedFor,
        ...certificate,
        expiry: authorityExpiry(certificate.validTo, now),
      })),
    )
    .sort((a, b) => Date.parse(a.validTo) - Date.parse(b.validTo));

interface SiteRequest {
  readonly site: string;
  readonly version?: number | undefined;
}

/** Throws if the stored value is no policy of this release. */
export async function getSite(
  { database }: Backend,
  actor: Actor,
  { site: name, version: wanted }: SiteRequest,
): Promise<Outcome<SiteView>> {
  const scope = scopeOf(actor, "site.read");
  if (!scope.ok) return scope;
  const state = await readSiteState(database, name);
  if (state === null) return notFound("site", name);
  const { siteId } = state;
  if (wanted !== undefined) {
    const version = await readVersion(database, { siteId, site: name, version: wanted });
    return version.ok
      ? done({
          siteId,
          site: name,
          version: wanted,
          revision: null,
          document: version.value,
          authorities: authorityLines(version.value, new Date()),
          unreadable: [],
        })
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
    authorities: authorityLines(state.document, new Date()),
    unreadable: state.unreadable,
  });
}
