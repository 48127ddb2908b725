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
/** Of one tenant at once, so that its slow receivers hold up nobody else's. */
const placesOfTenant = 2;

export interface DueDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly url: string;
  /** Null: the provider's. */
  readonly tenantId: string | null;
  /** Null: it cannot be opened. */
  readonly secret: string | null;
  readonly body: string;
  readonly attempts: number;
  readonly failingSince: Date | null;
  /** Until when the webhook was taken; whoever comes later has another time. */
  readonly busyUntil: Date;
}

type DueRow = Omit<DueDelivery, "secret"> & { readonly sealed: Uint8Array };

/**
 * The oldest waiting event of each webhook whose time has come, at most so many, the provider's first; nobody else sends to these webhooks
 * meanwhile. Those of a disabled tenant wait until it is enabled.
 */
export async function takeDue(
  database: Database,
  secrets: SecretBox,
  limit: number,
): Promise<readonly DueDelivery[]> {
  const rows = await queryRows(
    database,
    sql<DueRow>`
    WITH waiting AS (
      SELECT w.id, w.tenant_id, d.id AS delivery, d.next_at, row_number() OVER (PARTITION BY w.tenant_id ORDER BY d.next_at, w.id) AS place FROM webhook w
        CROSS JOIN LATERAL (SELECT d.id, d.next_at FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.delivered_at IS NULL ORDER BY d.seq LIMIT 1) d
      WHERE w.disabled_at IS NULL AND (w.busy_until IS NULL OR w.busy_until < now()) AND d.next_at <= now()
        AND NOT EXISTS (SELECT 1 FROM tenant t WHERE t.id = w.tenant_id AND t.disabled_at IS NOT NULL)
    ), due AS (
      SELECT w.id, p.delivery FROM waiting p JOIN webhook w ON w.id = p.id
      WHERE (w.busy_until IS NULL OR w.busy_until < now()) AND (p.tenant_id IS NULL
        OR p.place + (SELECT count(*) FROM webhook b WHERE b.tenant_id = p.tenant_id AND b.busy_until >= now()) <= ${placesOfTenant}::int)
      ORDER BY p.tenant_id IS NOT NULL, p.next_at, w.id LIMIT ${limit} FOR UPDATE OF w SKIP LOCKED
    ), taken AS (
      UPDATE webhook w SET busy_until = now() + ${leaseSeconds}::int * interval '1 second' FROM due WHERE w.id = due.id
      RETURNING w.id, due.delivery, w.url, w.tenant_id, w.secret, w.failing_since, w.busy_until
    )
    SELECT d.id::text, t.id::text AS "webhookId", t.url, t.tenant_id::text AS "tenantId", t.secret AS sealed, d.body, d.attempts, t.failing_since AS "failingSince",
      t.busy_until AS "busyUntil"
    FROM taken t JOIN webhook_delivery d ON d.id = t.delivery`,
  );
  return rows.map(({ sealed, ...row }) => ({ ...row, secret: opened(secrets, row.webhookId, sealed) }));
}

/** One that cannot be opened must not hold up the others. */
function opened(secrets: SecretBox, webhookId: string, sealed: Uint8Array): string | null {
  try {
    return secrets.open(sealed, secretPlaces.webhookSecret(webhookId));
  } catch {
    return null;
  }
}

/** What an attempt came to. `error` null: the receiver took it (2xx). */
export interface Attempt {
  readonly status: number | null;
  readonly error: string | null;
  /** The receiver wants no more of it (410): it is not tried again by itself. */
  readonly gone: boolean;
}

/** Gives the webhook free without a word about its receiver. */
export async function giveBack(database: Database, { webhookId, busyUntil }: DueDelivery): Promise<void> {
  await database.webhook.updateMany({ where: { id: webhookId, busyUntil }, data: { busyUntil: null } });
}

/**
 * Notes it, and gives the webhook free. Nothing is noted where the webhook was taken by another meanwhile, because the attempt outlived its time: what is
 * known of it is the other's then. Returns whether it was switched off.
 */
export async function noteAttempt(
  database: Database,
  { id, webhookId, attempts, failingSince, busyUntil }: DueDelivery,
  { status, error, gone }: Attempt,
  now: Date,
): Promise<boolean> {
  const since = failingSince ?? now;
  const off = error !== null && (gone || isGivenUp(since, attempts + 1, now));
  const next = new Date(now.getTime() + retryAfterMs(attempts + 1, Math.random()));
  return database.$transaction(async (tx) => {
    const { count } = await tx.webhook.updateMany({
      where: { id: webhookId, busyUntil },
      data: {
        busyUntil: null,
        failingSince: error === null ? null : since,
        ...(off
          ? {
              disabledAt: now,
              disabledReason: gone
                ? "The receiver responded 410: it accepts no more events."
                : `No event was accepted for three days. Last response: ${error}`,
            }
          : {}),
      },
    });
    if (count === 0) return false;
    await tx.webhookDelivery.updateMany({
      where: { id },
      data: {
        attempts: attempts + 1,
        attemptedAt: now,
        status,
        error,
        ...(error === null ? { deliveredAt: now } : { nextAt: next }),
      },
    });
    return off;
  });
}
