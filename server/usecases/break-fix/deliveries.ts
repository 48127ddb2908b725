// The outbox of the webhooks: which event is sent next, and the result. In order for each webhook, and at least once, because a process may be
// killed between the response and its recording (docs/repair.md#webhooks).
import { sql } from "kysely";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import type { SecretBox } from "@/server/db/secrets/secret-box";
import type { Database } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import { isGivenUp, retryAfterMs } from "@/server/domain/break-fix/events";

/** Longer than an attempt may take; a killed process blocks a webhook no longer than this. */
const leaseSeconds = 60;
/** Concurrent deliveries for one owner, so that its slow receivers do not delay others. The provider has as many as four tenants. */
const placesOf = { tenant: 2, provider: 8 } as const;

export interface DueDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly url: string;
  /** Null for the provider. */
  readonly tenantId: string | null;
  /** Null if it cannot be decrypted. */
  readonly secret: string | null;
  readonly body: string;
  readonly attempts: number;
  readonly failingSince: Date | null;
  /** End of the lease on the webhook; a later lease has a different time. */
  readonly busyUntil: Date;
}

type DueRow = Omit<DueDelivery, "secret"> & { readonly sealed: Uint8Array };

/**
 * Takes the oldest pending event of each webhook that is due, at most `limit`. Owners take turns: first whoever has the fewest deliveries in progress,
 * then whoever was served longest ago, however old the events of others are. Nobody else sends to these webhooks meanwhile. Events for a disabled
 * tenant wait until it is enabled.
 */
export async function takeDue(
  database: Database,
  secrets: SecretBox,
  limit: number,
): Promise<readonly DueDelivery[]> {
  const rows = await queryRows(
    database,
    sql<DueRow>`
    WITH owner AS (
      SELECT w.tenant_id, count(*) FILTER (WHERE w.busy_until >= now()) AS busy, max(w.turn_at) AS turn FROM webhook w GROUP BY w.tenant_id
    ), waiting AS (
      SELECT w.id, w.tenant_id, d.id AS delivery, row_number() OVER (PARTITION BY w.tenant_id ORDER BY w.turn_at NULLS FIRST, d.next_at, w.id) AS place FROM webhook w
        CROSS JOIN LATERAL (SELECT d.id, d.next_at FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.delivered_at IS NULL ORDER BY d.seq LIMIT 1) d
      WHERE w.disabled_at IS NULL AND (w.busy_until IS NULL OR w.busy_until < now()) AND d.next_at <= now()
        AND NOT EXISTS (SELECT 1 FROM tenant t WHERE t.id = w.tenant_id AND t.disabled_at IS NOT NULL)
    ), due AS (
      SELECT w.id, p.delivery FROM waiting p JOIN webhook w ON w.id = p.id JOIN owner o ON o.tenant_id IS NOT DISTINCT FROM p.tenant_id
      WHERE (w.busy_until IS NULL OR w.busy_until < now())
        AND p.place + o.busy <= CASE WHEN p.tenant_id IS NULL THEN ${placesOf.provider}::int ELSE ${placesOf.tenant}::int END
      ORDER BY p.place + o.busy, o.turn NULLS FIRST, w.id LIMIT ${limit} FOR UPDATE OF w SKIP LOCKED
    ), taken AS (
      UPDATE webhook w SET busy_until = now() + ${leaseSeconds}::int * interval '1 second', turn_at = now() FROM due WHERE w.id = due.id
      RETURNING w.id, due.delivery, w.url, w.tenant_id, w.secret, w.failing_since, w.busy_until
    )
    SELECT d.id::text, t.id::text AS "webhookId", t.url, t.tenant_id::text AS "tenantId", t.secret AS sealed, d.body, d.attempts, t.failing_since AS "failingSince",
      t.busy_until AS "busyUntil"
    FROM taken t JOIN webhook_delivery d ON d.id = t.delivery`,
  );
  return rows.map(({ sealed, ...row }) => ({ ...row, secret: opened(secrets, row.webhookId, sealed) }));
}

/** A secret that cannot be decrypted must not block other webhooks. */
function opened(secrets: SecretBox, webhookId: string, sealed: Uint8Array): string | null {
  try {
    return secrets.open(sealed, secretPlaces.webhookSecret(webhookId));
  } catch {
    return null;
  }
}

/** Result of an attempt. `error` is null if the receiver accepted the event (2xx). */
export interface Attempt {
  readonly status: number | null;
  readonly error: string | null;
  /** The receiver wants no more events (410): no automatic retry. */
  readonly gone: boolean;
}

/** Ends the lease on the webhook without recording an attempt. */
export async function giveBack(database: Database, { webhookId, busyUntil }: DueDelivery): Promise<void> {
  await database.webhook.updateMany({ where: { id: webhookId, busyUntil }, data: { busyUntil: null } });
}

/**
 * Records the result and ends the lease on the webhook. Records nothing if the attempt outlived its lease and another process has the webhook,
 * which then records its own result. Returns whether the webhook was disabled.
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
