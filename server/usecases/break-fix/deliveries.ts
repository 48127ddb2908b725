// The outbox of the webhooks: which event is to be sent next, and what became of it. In order for each webhook; at least once, because a process may be
// killed between the answer and its note (docs/repair.md#webhooks).
import { sql } from "kysely";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import type { SecretBox } from "@/server/db/secrets/secret-box";
import type { Database } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import { isGivenUp, retryAfterMs } from "@/server/domain/break-fix/events";

/** Longer than an attempt may take; a process that was killed holds a webhook up for no longer. */
const leaseSeconds = 60;

export interface DueDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly url: string;
  /** Null: the provider's. */
  readonly tenantId: string | null;
  readonly secret: string;
  readonly body: string;
  readonly attempts: number;
  readonly failingSince: Date | null;
}

type DueRow = Omit<DueDelivery, "secret"> & { readonly sealed: Uint8Array };

/**
 * The oldest waiting event of each webhook whose time has come, at most so many; nobody else sends to these webhooks meanwhile. Those of a
 * disabled tenant wait until it is enabled.
 */
export async function takeDue(
  database: Database,
  secrets: SecretBox,
  limit: number,
): Promise<readonly DueDelivery[]> {
  const rows = await queryRows(
    database,
    sql<DueRow>`
    WITH due AS (
      SELECT w.id, d.id AS delivery FROM webhook w
        CROSS JOIN LATERAL (SELECT d.id, d.next_at FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.delivered_at IS NULL ORDER BY d.seq LIMIT 1) d
      WHERE w.disabled_at IS NULL AND (w.busy_until IS NULL OR w.busy_until < now()) AND d.next_at <= now()
        AND NOT EXISTS (SELECT 1 FROM tenant t WHERE t.id = w.tenant_id AND t.disabled_at IS NOT NULL)
      ORDER BY d.next_at, w.id LIMIT ${limit} FOR UPDATE OF w SKIP LOCKED
    ), taken AS (
      UPDATE webhook w SET busy_until = now() + ${leaseSeconds}::int * interval '1 second' FROM due WHERE w.id = due.id
      RETURNING w.id, due.delivery, w.url, w.tenant_id, w.secret, w.failing_since
    )
    SELECT d.id::text, t.id::text AS "webhookId", t.url, t.tenant_id::text AS "tenantId", t.secret AS sealed, d.body, d.attempts, t.failing_since AS "failingSince"
    FROM taken t JOIN webhook_delivery d ON d.id = t.delivery`,
  );
  return rows.map(({ sealed, ...row }) => ({
    ...row,
    secret: secrets.open(sealed, secretPlaces.webhookSecret(row.webhookId)),
  }));
}

/** What an attempt came to. `error` null: the receiver took it (2xx). */
export interface Attempt {
  readonly status: number | null;
  readonly error: string | null;
  /** The receiver wants no more of it (410): it is not tried again by itself. */
  readonly gone: boolean;
}

/** Notes it, and gives the webhook free. Returns whether it was switched off. */
export async function noteAttempt(
  database: Database,
  { id, webhookId, attempts, failingSince }: DueDelivery,
  { status, error, gone }: Attempt,
  now: Date,
): Promise<boolean> {
  const since = failingSince ?? now;
  const off = error !== null && (gone || isGivenUp(since, now));
  const next = new Date(now.getTime() + retryAfterMs(attempts + 1, Math.random()));
  await database.$transaction([
    database.webhookDelivery.updateMany({
      where: { id },
      data: {
        attempts: attempts + 1,
        attemptedAt: now,
        status,
        error,
        ...(error === null ? { deliveredAt: now } : { nextAt: next }),
      },
    }),
    database.webhook.updateMany({
      where: { id: webhookId },
      data: {
        busyUntil: null,
        failingSince: error === null ? null : since,
        ...(off
          ? {
              disabledAt: now,
              disabledReason: gone
                ? "The receiver answered 410: it wants no more events."
                : `Nothing was taken for three days. Last: ${error}`,
            }
          : {}),
      },
    }),
  ]);
  return off;
}
