// Decides for every act whether a change of a site is made or becomes a request (docs/adr/0112-policy-changes-by-two-people.md). The change is tried, so that
// its faults are reported at once and its effect is known; if it needs two people, it is rolled back and a request is stored instead.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { writeAudit } from "@/server/db/audit";
import type { AuditEvent } from "@/server/db/audit";
import type { Database, Transaction } from "@/server/db/prisma";
import { ZodError } from "zod";
import type { AuditAction } from "@/server/domain/access/audit-actions";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import type { SecretBox } from "@/server/db/secrets/secret-box";
import { queryRows } from "@/server/db/sql";
import { inTransaction } from "@/server/db/transaction";
import { evidenceDigest } from "@/server/domain/assurance/approvals/evidence-digest";
import { formatChange } from "@/server/domain/sites/difference";
import type { SiteChange } from "@/server/domain/sites/difference";
import type { SiteStanding } from "@/server/domain/sites/two-people";
import {
  changeDays,
  changesForTwo,
  proposedDigest,
  siteAdded,
  standingDigest,
  switchOnRefusal,
  twoPeoplePart,
  unreadableSite,
} from "@/server/domain/sites/two-people";
import type { Actor } from "@/server/usecases/actor";
import { askApproval } from "@/server/usecases/assurance/approvals/ask-approval";
import { voidOutdated } from "@/server/usecases/assurance/policy-changes/outdated";
import { isAsSeen, madeSite, seenBy } from "@/server/usecases/assurance/policy-changes/seen-site";
import type { KeptRequest, SeenSite } from "@/server/usecases/assurance/policy-changes/seen-site";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { lockShared } from "@/server/usecases/sites/lock-shared";
import {
  peopleWhoApprove,
  readSiteStanding,
  sitesOfTwo,
  storedDigest,
  triedImage,
  tryStanding,
} from "@/server/usecases/sites/site-standing";

/** The act that is called, and its caller. */
export interface Call {
  readonly action: AuditAction;
  readonly actor: Actor;
  readonly secrets: SecretBox;
  readonly input: unknown;
  /** For its event in the audit log. */
  readonly event: Pick<AuditEvent, "actor" | "requestId" | "address">;
}

interface Proposal {
  readonly before: SiteStanding;
  readonly after: SiteStanding;
  readonly changes: readonly SiteChange[];
  /** For a document: the site that it names, which may be a different one. */
  readonly seen: SeenSite | null;
  /** The site that the change created. */
  readonly made: SiteStanding | null;
}

/** The sites that need two people, before the act. */
interface Before {
  readonly sites: readonly string[];
  readonly standings: readonly SiteStanding[];
  /** Sites that this release cannot read: the digest of what is stored, by name. */
  readonly unreadable: ReadonlyMap<string, string>;
}

/** Like `inTransaction`, for an act that may change a site. */
export async function inAskingTransaction<O>(
  database: Database,
  work: (tx: Transaction) => Promise<Outcome<O>>,
  call: Call,
): Promise<Outcome<O>> {
  const proposals: Proposal[] = [];
  const result = await inTransaction(database, async (tx) => {
    // Holds for every site until the end of the transaction: switching the setting on takes the same lock.
    await lockShared(tx);
    const before = await readBefore(tx);
    const [unreadable] = before.unreadable.keys();
    const seen =
      before.sites.length === 0 ? null : await readable(unreadable, seenBy(tx, call.action, call.input));
    const made = seen === "unreadable" ? seen : await readable(unreadable, work(tx));
    if (seen === "unreadable" || made === "unreadable")
      return refused("notAllowedNow", unreadableSite(unreadable ?? ""));
    if (!made.ok) return made;
    for (const [site, stored] of before.unreadable)
      // safety: two people: a site that cannot be read is not changed by one
      if ((await storedDigest(tx, site)) !== stored) return refused("notAllowedNow", unreadableSite(site));
    // safety: two people: a new site, where the only ones that need two cannot be read
    if (unreadable !== undefined && before.standings.length === 0 && (await madeSite(tx, seen)) !== null)
      return refused("notAllowedNow", unreadableSite(unreadable));
    const refusal = await switchedOn(tx, before);
    if (refusal !== null) return refused("notAllowedNow", refusal, "policy.changesNeedApproval");
    const proposal = await proposalOf(tx, before, seen);
    // safety: two people: a change that needs two is not made by one
    if (proposal !== null) {
      proposals.push(proposal);
      return refused("awaitsApproval", "The change needs the approval of another person.");
    }
    return made;
  });
  const [proposal] = proposals;
  return proposal === undefined ? result : ask(database, call, proposal);
}

async function readBefore(tx: Transaction): Promise<Before> {
  const sites = await sitesOfTwo(tx);
  const standings: SiteStanding[] = [];
  const unreadable = new Map<string, string>();
  for (const site of sites) {
    const standing = await tryStanding(tx, site);
    if (standing === "unreadable") unreadable.set(site, await storedDigest(tx, site));
    else if (standing !== null) standings.push(standing);
  }
  return { sites, standings, unreadable };
}

/** `unreadable` if there is a known unreadable site, and the work failed to parse what it read. */
async function readable<T>(unreadable: string | undefined, work: Promise<T>): Promise<T | "unreadable"> {
  try {
    return await work;
  } catch (error) {
    if (unreadable !== undefined && error instanceof ZodError) return "unreadable";
    throw error;
  }
}

/** Why a site that would newly need two people cannot; null if there is none, or if it can. */
async function switchedOn(tx: Transaction, { sites }: Before): Promise<string | null> {
  for (const site of (await sitesOfTwo(tx)).filter((name) => !sites.includes(name))) {
    const refusal = switchOnRefusal(await peopleWhoApprove(tx), await triedImage(tx, site));
    if (refusal !== null) return refusal;
  }
  return null;
}

/**
 * The proposal for the site that changes. SKUs belong to all sites, so if nothing else differs, it is for the first site; the same for a new site. Null if
 * nothing needs two people.
 */
async function proposalOf(
  tx: Transaction,
  { standings }: Before,
  seen: SeenSite | null,
): Promise<Proposal | null> {
  const found: Proposal[] = [];
  const made = await madeSite(tx, seen);
  const added = made === null ? [] : [siteAdded(made)];
  for (const standing of standings) {
    const after = await readSiteStanding(tx, standing.document.site);
    if (after === null) throw new Error(`the site ${standing.document.site} is gone`);
    const changes = [...changesForTwo(standing, after), ...added];
    if (changes.length > 0) found.push({ before: standing, after, changes, seen, made });
  }
  const own = found.find(({ changes }) =>
    changes.some(({ path: [part] }) => part !== "skus" && part !== "sites"),
  );
  return own ?? found[0] ?? null;
}

/** Stores the request. The requester's answer is that it is pending, or why it was not stored. */
async function ask<O>(database: Database, call: Call, proposal: Proposal): Promise<Outcome<O>> {
  const { actor } = call;
  const { site } = proposal.before.document;
  if (actor.kind === "local")
    return refused("forbidden", `A change of site ${site} needs two people: sign in first.`);
  const asked = await inTransaction(database, async (tx) => {
    await lockShared(tx);
    const now = await readSiteStanding(tx, site);
    if (
      now === null ||
      standingDigest(now) !== standingDigest(proposal.before) ||
      !(await isAsSeen(tx, proposal.seen))
    )
      return refused("conflict", `Site ${site} was changed meanwhile. Look at it, and apply again.`);
    await voidOutdated(tx, now);
    const [waiting] = await queryRows(
      tx,
      sql<{ id: string; by: string; by_id: string }>`
      SELECT id::text, asked_by_name AS by, asked_by::text AS by_id FROM approval
      WHERE kind = 'policyChange' AND site_id = ${now.siteId}::uuid AND decision IS NULL AND voided_at IS NULL`,
    );
    if (waiting !== undefined)
      return refused(
        "conflict",
        waiting.by_id === actor.personId
          ? `Your change ${waiting.id.slice(0, 8)} of site ${site} waits for approval. Withdraw it to ask for another one.`
          : `A change of site ${site} by ${waiting.by} waits for approval (${waiting.id.slice(0, 8)}). Approve or reject it first.`,
      );
    return done(await store(tx, call, proposal));
  });
  return asked.ok
    ? refused(
        "awaitsApproval",
        `The change of site ${site} waits for approval by another provider admin, as request ${asked.value.id.slice(0, 8)}. Nothing has changed yet. The request expires on ${asked.value.validUntil.toISOString().slice(0, 10)}.`,
      )
    : asked;
}

const reasonIn = (input: unknown): string =>
  typeof input === "object" && input !== null && "reason" in input && typeof input.reason === "string"
    ? input.reason
    : "";

async function store(tx: Transaction, { action, actor, secrets, input, event }: Call, proposal: Proposal) {
  const { before, after, changes, seen, made } = proposal;
  const kept: KeptRequest = { input, seen };
  const { siteId } = before;
  const [clock] = await queryRows(tx, sql<{ now: Date }>`SELECT clock_timestamp() AS now`);
  const validUntil = new Date((clock?.now.getTime() ?? 0) + changeDays * 86_400_000);
  const changeId = randomUUID();
  const facts = {
    siteId,
    action,
    base: standingDigest(before),
    proposed: proposedDigest(after, made),
    changes: changes.map(formatChange),
  };
  const evidence = evidenceDigest({ ...facts, changeId });
  const reason = reasonIn(input);
  const id = await askApproval(tx, actor, {
    ...{ kind: "policyChange" as const, subjectId: changeId, evidence, siteId, hostId: null, reason },
    validUntil,
  });
  await tx.policyChange.create({
    data: {
      ...{ id: changeId, approvalId: id, siteId, siteName: before.document.site, action },
      ...{ base: facts.base, proposed: facts.proposed },
      changes: [...changes],
      document: twoPeoplePart(after.document),
      request: secrets.seal(JSON.stringify(kept), secretPlaces.policyChange(changeId)),
    },
  });
  await writeAudit(tx, {
    ...event,
    ...{ action: "policyChange.ask", targetId: siteId, tenantId: null, outcome: "done", before: null },
    after: {
      ...{ approval: id, act: action, site: before.document.site, reason, evidence },
      ...{ changes: facts.changes.slice(0, 100), validUntil: validUntil.toISOString() },
    },
  });
  return { id, validUntil };
}
