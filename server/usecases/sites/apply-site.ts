// Applies a document to a site, in one transaction with the version and the audit event (docs/adr/0048-site-document.md).
import { sql } from "kysely";
import { formatChange, revisionOf, siteDifference } from "@/server/domain/sites/difference";
import type { SiteChange } from "@/server/domain/sites/difference";
import type { SiteDocument } from "@/server/domain/sites/document";
import { parseSiteDocument } from "@/server/domain/sites/parse-document";
import type { FaultAt, ParsedDocument } from "@/server/domain/sites/parse-document";
import type { Transaction } from "@/server/db/prisma";
import { execute, queryRows } from "@/server/db/sql";
import { siteOperations } from "@/server/contract/sites/sites";
import type { SiteApplied } from "@/server/contract/sites/sites";
import { accessChanged } from "@/server/usecases/access/access-changes";
import { usedProcedures } from "@/server/usecases/assurance/used-procedures";
import { holdOverrides } from "@/server/usecases/cleaning/overrides/override-levels";
import { acted, unchanged, defineAct } from "@/server/usecases/define-act";
import type { ActContext } from "@/server/usecases/define-act";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { documentProblem } from "@/server/usecases/sites/document-problem";
import { orderFaults } from "@/server/usecases/sites/priorities";
import { leftOut, sharedFaults, siteFaults } from "@/server/usecases/sites/removal-faults";
import { rolloutFaults } from "@/server/usecases/sites/rollout-faults";
import { procedureFaults } from "@/server/usecases/sites/procedure-faults";
import { resolveSecrets } from "@/server/usecases/sites/site-secrets";
import type { ResolvedSecrets } from "@/server/usecases/sites/site-secrets";
import { blankSite, readSiteState, stillUnreadable, targetOf } from "@/server/usecases/sites/site-state";
import type { SiteState } from "@/server/usecases/sites/site-state";
import { storeVersion } from "@/server/usecases/sites/site-versions";
import { wakeWaitingForSku } from "@/server/usecases/hosts/skus/wake-waiting";
import { lockShared } from "@/server/usecases/sites/lock-shared";
import { createSite, removeLeftOut, writeSite } from "@/server/usecases/sites/write-site";

/** More lines would be too long for an audit event; the version has all of them. */
const maxLogged = 100;

/** One document at a time, because SKUs and tenants belong to all sites. Then locks the site, as other acts on its policy and images do. */
async function lockSite(tx: Transaction, name: string): Promise<void> {
  await lockShared(tx);
  await queryRows(tx, sql`SELECT id FROM site WHERE name = ${name} FOR UPDATE`);
  await holdOverrides(tx);
}

const nameIn = (parsed: ParsedDocument): string =>
  parsed.ok ? parsed.document.site : (parsed.site ?? "(the document names none)");

/** The work to do, once it is known to apply to the current state of the site. */
interface Work {
  readonly state: SiteState | null;
  readonly given: SiteDocument;
  readonly faultAt: FaultAt;
  readonly before: SiteDocument;
  readonly after: SiteDocument;
  readonly secrets: ResolvedSecrets;
}

/** Writes the tables. A problem lists every fault found, and rolls the transaction back. Returns the id of the site. */
async function writeTables(context: ActContext, work: Work): Promise<Outcome<string>> {
  const { tx, actor } = context;
  const { state, given, faultAt, before, after, secrets } = work;
  const left = leftOut(before, after);
  const used = state === null ? [] : await usedProcedures(tx, state.siteId);
  const inUse = [
    ...(state === null ? [] : await siteFaults(tx, state, after, faultAt)),
    ...(await sharedFaults(tx, left, faultAt)),
    ...(await rolloutFaults(tx, before, after, { given, faultAt })),
  ];
  const siteId = state?.siteId ?? (await createSite(tx, actor, after.site, after.policy));
  // An image that the site had before cannot be written; it is already a fault.
  const writable = inUse.length > 0 ? withImageOf(before, after) : after;
  // A new site already has its policy.
  const had = state === null ? { ...before, policy: after.policy } : before;
  const writing = { tx, actor, secrets: context.secrets, siteId, before: had, after: writable };
  await writeSite(writing, secrets.values);
  const wrong = [
    ...procedureFaults(used, after, faultAt),
    ...secrets.faults,
    ...(await orderFaults(tx, siteId, before, after, { given, faultAt })),
  ];
  if (wrong.length + inUse.length > 0)
    return documentProblem(wrong.length > 0 ? "invalid" : "notAllowedNow", [...wrong, ...inUse]);
  await removeLeftOut(writing, left);
  if (siteDifference(before, writable).some(({ path }) => path[0] === "skus")) await wakeWaitingForSku(tx);
  return done(siteId);
}

function withImageOf({ agentImage }: SiteDocument, { agentImage: _, ...after }: SiteDocument): SiteDocument {
  return agentImage === undefined ? after : { ...after, agentImage };
}

/** Reads back the tables after the write. Throws if they differ from the document: then this code fails to write or to read a setting. */
async function readBack(tx: Transaction, after: SiteDocument): Promise<SiteDocument> {
  const state = await readSiteState(tx, after.site);
  const [difference] = state === null ? [] : siteDifference(after, state.document);
  if (state === null || difference !== undefined)
    throw new Error(
      `the site ${after.site} is not what was written: ${difference === undefined ? "it is not there" : formatChange(difference)}`,
    );
  return state.document;
}

const logged = (changes: readonly SiteChange[]): readonly string[] =>
  changes.length <= maxLogged
    ? changes.map(formatChange)
    : [...changes.slice(0, maxLogged).map(formatChange), `and ${changes.length - maxLogged} more`];

const outdated = (site: string, revision: string | null, seen: string) =>
  refused(
    "conflict",
    `The site ${site} is at revision ${revision ?? "none"}, not at ${seen}: somebody else has changed it. Compare your document with it, then apply it with the new revision.`,
    "revision",
  );

export const applySite = defineAct({
  ...siteOperations.apply,
  committed: accessChanged,
  names: ({ document }) => ({ kind: "site", id: nameIn(parseSiteDocument(document)) }),
  find: async ({ tx }, { document }) => {
    const parsed = parseSiteDocument(document);
    if (parsed.ok) await lockSite(tx, parsed.document.site);
    const state = parsed.ok ? await readSiteState(tx, parsed.document.site) : null;
    return { id: nameIn(parsed), belongs: { tenantId: null }, value: { parsed, state } };
  },
  run: async (context, { parsed, state }, input) => {
    if (!parsed.ok) return documentProblem("invalid", parsed.faults);
    const { tx, actor, approved = null } = context;
    const { document: given, faultAt } = parsed;
    const { site } = given;
    if (state === null && !input.create)
      return refused("notFound", `There is no site ${site}. To create it, run: reclaim site apply --create.`);
    const { document: before, unreadable } = state ?? (await blankSite(tx, site));
    const after = targetOf(given, before, state);
    const secrets = resolveSecrets(given, input.secrets, state, context.secrets, faultAt);
    const changes = [...siteDifference(before, after), ...secrets.changes];
    const revision = state === null ? null : revisionOf(before);
    const answer: SiteApplied = {
      site,
      created: state === null,
      applied: false,
      version: null,
      revision,
      changes,
      unreadable: stillUnreadable(unreadable, after),
    };
    if (state !== null && changes.length + secrets.faults.length === 0) return unchanged(answer);
    // safety: site: a document for another state of the site is refused
    for (const seen of [given.revision, input.revision])
      if (seen !== undefined && seen !== revision) return outdated(site, revision, seen);
    if (input.dryRun) await execute(tx, sql`SAVEPOINT site_dry_run`);
    const written = await writeTables(context, { state, given, faultAt, before, after, secrets });
    if (!written.ok) return written;
    const now = await readBack(tx, after);
    if (input.dryRun) {
      await execute(tx, sql`ROLLBACK TO SAVEPOINT site_dry_run`);
      return unchanged(answer);
    }
    const { reason } = input;
    const version = await storeVersion(tx, written.value, state === null ? null : before, {
      document: now,
      changes,
      reason,
      by: actor,
      approved,
    });
    const applied = revisionOf(now);
    return acted({
      value: { ...answer, applied: true, version, revision: applied },
      targetId: written.value,
      tenantId: null,
      before: state === null ? null : { revision },
      after: { site, version, revision: applied, reason, changes: logged(changes) },
      tell: { wake: true, feed: [] },
    });
  },
});
