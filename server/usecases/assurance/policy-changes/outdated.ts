// Requests that have become useless: the site has changed since, or nobody decided in time.
import { sql } from "kysely";
import type { Database, Transaction } from "@/server/db/prisma";
import { execute } from "@/server/db/sql";
import { inTransaction } from "@/server/db/transaction";
import { outdatedText, standingDigest } from "@/server/domain/sites/two-people";
import type { SiteStanding } from "@/server/domain/sites/two-people";
import { voidApprovals } from "@/server/usecases/assurance/approvals/ask-approval";
import { done } from "@/server/usecases/problem";
import { lockShared } from "@/server/usecases/sites/lock-shared";
import { tryStanding } from "@/server/usecases/sites/site-standing";

/** Why a request is void, by the field that its refused approval names. */
const outdatedBy = {
  base: outdatedText,
  seen: "the site has changed since",
  proposed: "it would now make something else than was shown",
};
export type OutdatedField = keyof typeof outdatedBy;
const isOutdatedField = (field: string | undefined): field is OutdatedField =>
  field !== undefined && Object.hasOwn(outdatedBy, field);

export const expiredText = "it expired";

/** Voids those that no longer match the site. The caller holds the lock on sites. */
export async function voidOutdated(tx: Transaction, now: SiteStanding): Promise<void> {
  const base = standingDigest(now);
  await execute(
    tx,
    sql`
    UPDATE approval a SET voided_at = now(), voided_reason = CASE WHEN c.base <> ${base} THEN ${outdatedText} ELSE ${expiredText} END
    FROM policy_change c WHERE c.approval_id = a.id AND a.site_id = ${now.siteId}::uuid AND a.decision IS NULL AND a.voided_at IS NULL
      AND (c.base <> ${base} OR a.valid_until <= clock_timestamp())`,
  );
  await forgetRequests(tx);
}

/** Deletes the input of decided or voided requests, which may contain secrets. */
export const forgetRequests = (tx: Transaction): Promise<unknown> =>
  execute(
    tx,
    sql`
    UPDATE policy_change c SET request = NULL FROM approval a
    WHERE a.id = c.approval_id AND c.request IS NOT NULL AND (a.decision IS NOT NULL OR a.voided_at IS NOT NULL)`,
  );

/** For all sites, during housekeeping. */
export async function voidExpiredChanges(database: Database): Promise<void> {
  await inTransaction(database, async (tx) => {
    await lockShared(tx);
    await execute(
      tx,
      sql`
      UPDATE approval SET voided_at = now(), voided_reason = ${expiredText}
      WHERE kind = 'policyChange' AND decision IS NULL AND voided_at IS NULL AND valid_until <= clock_timestamp()`,
    );
    await forgetRequests(tx);
    return done(null);
  });
}

/**
 * Called after a refused decision, which was rolled back: a request that can never be approved any more must not look pending, nor block the next request
 * for its site.
 * @param field of the refusal
 */
export async function voidIfOutdated(
  database: Database,
  approvalIds: readonly string[],
  field: string | undefined,
): Promise<void> {
  const waiting = { id: { in: [...approvalIds] }, kind: "policyChange", decision: null, voidedAt: null };
  if ((await database.approval.count({ where: waiting })) === 0) return;
  await inTransaction(database, async (tx) => {
    await lockShared(tx);
    const ids = (await tx.approval.findMany({ where: waiting })).map(({ id }) => id);
    if (isOutdatedField(field)) await voidApprovals(tx, ids, outdatedBy[field]);
    const changes = await tx.policyChange.findMany({ where: { approvalId: { in: ids } } });
    for (const { siteName } of changes) {
      const now = await tryStanding(tx, siteName);
      if (now !== null && now !== "unreadable") await voidOutdated(tx, now);
    }
    await forgetRequests(tx);
    return done(null);
  });
}
