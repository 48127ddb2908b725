// What a document would change at its site. Secrets are not compared, because nobody sends them for a preview.
import { revisionOf, siteDifference } from "@/server/domain/sites/difference";
import { parseSiteDocument } from "@/server/domain/sites/parse-document";
import type { SiteComparison } from "@/server/contract/sites/sites";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import { documentProblem } from "@/server/usecases/sites/document-problem";
import { blankSite, readSiteState, stillUnreadable, targetOf } from "@/server/usecases/sites/site-state";

export async function compareSite(
  { database }: Backend,
  actor: Actor,
  { document: text }: { readonly document: string },
): Promise<Outcome<SiteComparison>> {
  const scope = scopeOf(actor, "site.read");
  if (!scope.ok) return scope;
  const parsed = parseSiteDocument(text);
  if (!parsed.ok) return documentProblem("invalid", parsed.faults);
  const { site } = parsed.document;
  const state = await readSiteState(database, site);
  const { document: before, unreadable } = state ?? (await blankSite(database, site));
  const after = targetOf(parsed.document, before, state);
  return done({
    site,
    exists: state !== null,
    revision: state === null ? null : revisionOf(before),
    changes: siteDifference(before, after),
    unreadable: stillUnreadable(unreadable, after),
  });
}
