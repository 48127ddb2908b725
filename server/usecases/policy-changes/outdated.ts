// Requests that are of no use any more: the site has changed since they were made, or nobody decided in time.
import { sql } from "kysely";
import type { Database, Transaction } from "@/server/db/prisma";
import { execute } from "@/server/db/sql";
import { inTransaction } from "@/server/db/transaction";
import { outdatedWords, standingDigest } from "@/server/domain/site/two-people";
import type { SiteStanding } from "@/server/domain/site/two-people";
import { done } from "@/server/usecases/problem";
import { lockShared } from "@/server/usecases/sites/lock-shared";
import { readStanding } from "@/server/usecases/sites/site-standing";

/** Voids those of a site as it is now. The caller holds the lock on sites. */
export async function voidOutdated(tx: Transaction, now: SiteStanding): Promise<void> {
  const base = standingDigest(now);
  await execute(
    tx,
    sql`
    UPDATE approval a SET voided_at = now(), voided_reason = CASE WHEN c.base <> ${base} THEN ${outdatedWords} ELSE 'it expired' END
    FROM policy_change c WHERE c.approval_id = a.id AND a.site_id = ${now.siteId}::uuid AND a.decision IS NULL AND a.voided_at IS NULL
      AND (c.base <> ${base} OR a.valid_until <= clock_timestamp())`,
  );
  await forgetRequests(tx);
}

/** What was decided or voided keeps no input, which may hold secrets. */
export const forgetRequests = (tx: Transaction): Promise<unknown> =>
  execute(
    tx,
    sql`
    UPDATE policy_change c SET request = NULL FROM approval a
    WHERE a.id = c.approval_id AND c.request IS NOT NULL AND (a.decision IS NOT NULL OR a.voided_at IS NOT NULL)`,
  );

/** Of the sites that these requests are of. */
export async function voidIfOutdated(database: Database, approvalIds: readonly string[]): Promise<void> {
  await inTransaction(database, async (tx) => {
    await lockShared(tx);
    const changes = await tx.policyChange.findMany({ where: { approvalId: { in: [...approvalIds] } } });
    for (const { siteName } of changes) {
      const now = await readStanding(tx, siteName);
      if (now !== null) await voidOutdated(tx, now);
    }
    return done(null);
  });
}
