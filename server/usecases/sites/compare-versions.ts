// The differences between two versions of a site, and what restoring one would change (docs/adr/0048-site-document.md).
import { revisionOf, siteDifference } from "@/server/domain/sites/difference";
import type { SiteDocument } from "@/server/domain/sites/document";
import { restorationOf } from "@/server/domain/sites/restore";
import type { SiteRestoration, VersionDifference } from "@/server/contract/sites/sites";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import { readSiteState, targetOf } from "@/server/usecases/sites/site-state";
import type { SiteState } from "@/server/usecases/sites/site-state";
import { readVersion } from "@/server/usecases/sites/site-versions";

async function stateOf({ database }: Backend, actor: Actor, site: string): Promise<Outcome<SiteState>> {
  const scope = scopeOf(actor, "site.read");
  if (!scope.ok) return scope;
  const state = await readSiteState(database, site);
  return state === null ? notFound("site", site) : done(state);
}

interface DifferenceRequest {
  readonly site: string;
  readonly from: number;
  /** Null for the current site. */
  readonly to: number | null;
}

export async function compareVersions(
  backend: Backend,
  actor: Actor,
  { site, from, to }: DifferenceRequest,
): Promise<Outcome<VersionDifference>> {
  const state = await stateOf(backend, actor, site);
  if (!state.ok) return state;
  const { siteId, document: now } = state.value;
  const read = (version: number): Promise<Outcome<SiteDocument>> =>
    readVersion(backend.database, { siteId, site, version });
  const before = await read(from);
  if (!before.ok) return before;
  const after = to === null ? done(now) : await read(to);
  return after.ok ? done({ site, from, to, changes: siteDifference(before.value, after.value) }) : after;
}

interface RestorationRequest {
  readonly site: string;
  readonly version: number;
  readonly shared: boolean;
}

export async function previewRestore(
  backend: Backend,
  actor: Actor,
  { site, version, shared }: RestorationRequest,
): Promise<Outcome<SiteRestoration>> {
  const state = await stateOf(backend, actor, site);
  if (!state.ok) return state;
  const { siteId, document: now } = state.value;
  const then = await readVersion(backend.database, { siteId, site, version });
  if (!then.ok) return then;
  const { document, kept } = restorationOf(then.value, now, { shared });
  return done({
    site,
    version,
    revision: revisionOf(now),
    document,
    kept,
    changes: siteDifference(now, targetOf(document, now, state.value)),
  });
}
