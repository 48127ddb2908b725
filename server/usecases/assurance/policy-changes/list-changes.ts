// Changes of sites that wait for another person, and what became of others.
import { sql } from "kysely";
import { z } from "zod";
import type {
  PolicyChangeLine,
  PolicyChangePage,
  PolicyChangeView,
} from "@/server/contract/assurance/policy-changes";
import { queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import { reachOf } from "@/server/domain/access/access";
import { decidingRight, samePersonReason } from "@/server/domain/assurance/approvals/approval";
import { siteChange } from "@/server/domain/sites/difference";
import { shownChange } from "@/server/domain/sites/shown-changes";
import { outdatedText, standingDigest } from "@/server/domain/sites/two-people";
import { resettersOf } from "@/server/usecases/access/resets";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { beyond, pagesByTime } from "@/server/usecases/cursor";
import type { Place } from "@/server/usecases/cursor";
import { expiredText } from "@/server/usecases/assurance/policy-changes/outdated";
import { done, notFound, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import { tryStanding } from "@/server/usecases/sites/site-standing";
import { storedVersion } from "@/server/usecases/sites/site-versions";

interface Query {
  readonly site: string | null;
  readonly over: boolean;
  readonly cursor: string | null;
  readonly limit: number;
}

type Row = Omit<PolicyChangeLine, "own" | "mayDecide" | "mayWithdraw" | "changes"> & {
  readonly changes: unknown;
  readonly base: string;
  readonly askedById: string;
  readonly askerResetBy: readonly string[];
  readonly now: Date;
};

const changeList = z.array(siteChange);
const pagesOver = pagesByTime("policy changes over");
const pagesWaiting = pagesByTime("policy changes");

const columns = sql`
  c.id::text, a.id::text AS "approvalId", a.evidence, c.site_id::text AS "siteId", c.site_name AS site, c.action, c.changes, c.base, c.version,
  a.asked_by_name AS "askedBy", a.asked_by::text AS "askedById", a.asker_reset_by::text[] AS "askerResetBy", a.asked_at AS "askedAt", a.reason, a.valid_until AS "validUntil",
  a.decision, a.decided_by_name AS "decidedBy", a.decided_at AS "decidedAt", a.decided_reason AS "decidedReason", a.decided_with AS "decidedWith", a.voided_reason AS voided, now() AS now`;

const rowsOf = ({ site, over, limit }: Query, place: Place | null) => sql<Row>`
  SELECT ${columns} FROM policy_change c JOIN approval a ON a.id = c.approval_id
  WHERE (a.decision IS NOT NULL OR a.voided_at IS NOT NULL OR a.valid_until <= now()) = ${over}
    AND (${site}::text IS NULL OR c.site_name = ${site})
    AND ${beyond(sql`(a.asked_at, a.id)`, "<", place)}
  ORDER BY a.asked_at DESC, a.id DESC LIMIT ${limit + 1}`;

/** Why a request no longer counts, even if that was not recorded yet. */
async function voidedOf(database: Database, row: Row): Promise<string | null> {
  if (row.decision !== null || row.voided !== null) return row.voided;
  if (row.validUntil.getTime() <= row.now.getTime()) return expiredText;
  const now = await tryStanding(database, row.site);
  if (now === "unreadable") return "this release of Reclaim cannot read the site";
  return now !== null && standingDigest(now) === row.base ? null : outdatedText;
}

async function lineOf(database: Database, actor: Actor, row: Row): Promise<PolicyChangeLine> {
  const { base: _base, now: _now, askedById, askerResetBy, changes, ...rest } = row;
  const voided = await voidedOf(database, row);
  const waits = row.decision === null && voided === null;
  const own = askedById === actor.personId;
  const deciderResetBy = await resettersOf(database, actor.personId);
  const people = { askedBy: askedById, decidedBy: actor.personId, askerResetBy, deciderResetBy };
  return {
    ...rest,
    changes: changeList.parse(changes).map(shownChange),
    voided,
    own,
    mayDecide:
      waits && samePersonReason(people) === null && reachOf(actor.role, decidingRight.policyChange) === "any",
    mayWithdraw: waits && own && reachOf(actor.role, "site.apply") === "any",
  };
}

/** Provider's people only. */
export async function listPolicyChanges(
  { database }: Backend,
  actor: Actor,
  query: Query,
): Promise<Outcome<PolicyChangePage>> {
  const scope = scopeOf(actor, "assurance.read");
  if (!scope.ok) return scope;
  const pages = query.over ? pagesOver : pagesWaiting;
  const start = pages.start(query.cursor);
  if (!start.ok) return start;
  const rows = await queryRows(database, rowsOf(query, start.value));
  const { page, nextCursor } = pages.page(rows, query.limit, ({ askedAt, approvalId }) => [
    askedAt,
    approvalId,
  ]);
  return done({ items: await Promise.all(page.map((row) => lineOf(database, actor, row))), nextCursor });
}

/** A single one of these. */
export async function getPolicyChange(
  { database }: Backend,
  actor: Actor,
  { id }: { readonly id: string },
): Promise<Outcome<PolicyChangeView>> {
  const scope = scopeOf(actor, "assurance.read");
  if (!scope.ok) return scope;
  const [row] = await queryRows(
    database,
    sql<Row & { readonly document: unknown }>`
    SELECT ${columns}, c.document FROM policy_change c JOIN approval a ON a.id = c.approval_id WHERE c.id = ${id}::uuid`,
  );
  if (row === undefined) return notFound("change", id);
  const { document: stored, ...rest } = row;
  const document = storedVersion(stored);
  if (document === null)
    return refused("notAllowedNow", "The change has settings that this release of Reclaim does not know.");
  return done({ ...(await lineOf(database, actor, rest)), document });
}
