// Webhooks: where events are sent; a tenant sees its own (docs/repair.md#webhooks).
import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { DeliveryRow, WebhookRow } from "@/server/contract/break-fix/webhooks";
import { providerKinds } from "@/server/domain/break-fix/event-kinds";
import { webhooks as contract } from "@/server/contract/break-fix/webhooks";
import { jsonText } from "@/server/db/hot/json-text";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import { queryRows } from "@/server/db/sql";
import { isUniqueViolation } from "@/server/db/transaction";
import { reachOf } from "@/server/domain/access/access";
import { secretOf, testKind } from "@/server/domain/break-fix/events";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { acted, defineAct } from "@/server/usecases/define-act";
import type { ActContext, Target } from "@/server/usecases/define-act";
import { done, notFound, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { mayRead, scopeOf } from "@/server/usecases/read";

interface ListedWebhook extends Omit<WebhookRow, "mayChange" | "next"> {
  /** Id of the next event; null if none is pending. */
  readonly nextId: string | null;
  readonly nextKind: string;
  readonly nextAt: Date;
}

export async function listWebhooks(
  { database }: Backend,
  actor: Actor,
): Promise<Outcome<readonly WebhookRow[]>> {
  const scope = scopeOf(actor, "webhook.read");
  if (!scope.ok) return scope;
  const own = scope.value.kind === "tenant" ? sql`w.tenant_id = ${scope.value.tenantId}::uuid` : sql`true`;
  const rows = await queryRows(
    database,
    sql<ListedWebhook>`
    SELECT w.id::text, w.name, t.name AS tenant, w.url, w.kinds, w.created_by AS "createdBy", w.created_at AS "createdAt", w.failing_since AS "failingSince",
      w.disabled_at AS "disabledAt", w.disabled_reason AS "disabledReason",
      (SELECT count(*)::int FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.delivered_at IS NULL) AS waiting,
      (SELECT max(d.delivered_at) FROM webhook_delivery d WHERE d.webhook_id = w.id) AS "lastDeliveredAt",
      n.id::text AS "nextId", n.kind AS "nextKind", n.created_at AS "nextAt", a.attempted_at AS "lastAttemptAt", a.status AS "lastStatus", a.error AS "lastError", t.disabled_at IS NOT NULL AS "tenantDisabled"
    FROM webhook w LEFT JOIN tenant t ON t.id = w.tenant_id
      LEFT JOIN LATERAL (SELECT d.attempted_at, d.status, d.error FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.attempted_at IS NOT NULL
        ORDER BY d.seq DESC LIMIT 1) a ON true
      LEFT JOIN LATERAL (SELECT d.id, d.kind, d.created_at FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.delivered_at IS NULL
        ORDER BY d.seq LIMIT 1) n ON true
    WHERE ${own} ORDER BY t.name NULLS FIRST, w.name`,
  );
  const mayChange = reachOf(actor.role, "webhook.write") !== "none" && actor.readOnly !== true;
  return done(
    rows.map(({ nextId, nextKind, nextAt, ...row }) => ({
      ...row,
      url: shownUrl(row, actor),
      next: nextId === null ? null : { id: nextId, kind: nextKind, createdAt: nextAt },
      mayChange,
    })),
  );
}

/** Path and query of such an address often contain a secret: a tenant's are shown only to the tenant. */
const shownUrl = ({ url, tenant }: Pick<WebhookRow, "url" | "tenant">, { tenantId }: Actor): string =>
  tenant !== null && tenantId === null ? new URL(url).origin : url;

export async function listDeliveries(
  { database }: Backend,
  actor: Actor,
  { id, limit }: { readonly id: string; readonly limit: number },
): Promise<Outcome<readonly DeliveryRow[]>> {
  const scope = scopeOf(actor, "webhook.read");
  if (!scope.ok) return scope;
  const webhook = await database.webhook.findUnique({ where: { id }, select: { tenantId: true } });
  if (webhook === null || mayRead(actor, "webhook.read", webhook.tenantId) !== "allowed")
    return notFound("webhook", id);
  return done(
    await queryRows(
      database,
      sql<DeliveryRow>`
      SELECT d.id::text, d.kind, d.created_at AS "createdAt", d.attempts, d.attempted_at AS "attemptedAt",
        CASE WHEN d.delivered_at IS NULL AND w.disabled_at IS NULL THEN d.next_at END AS "nextAt", d.status, d.error, d.delivered_at AS "deliveredAt"
      FROM webhook_delivery d JOIN webhook w ON w.id = d.webhook_id WHERE w.id = ${id}::uuid ORDER BY d.seq DESC LIMIT ${limit}`,
    ),
  );
}

/** Maximum per tenant, and for the provider: each event is written once per webhook. */
const most = 10;

export const createWebhook = defineAct({
  ...contract.create,
  names: ({ name }) => ({ kind: "webhook", id: name }),
  find: ({ actor }, { name }) =>
    Promise.resolve({ id: name, belongs: { tenantId: actor.tenantId }, value: actor.tenantId }),
  run: async ({ tx, actor, secrets }, tenantId, { name, url, kinds }) => {
    const hidden = kinds.filter((kind) => providerKinds.has(kind));
    // safety: webhooks: a tenant is told nothing of security events
    if (tenantId !== null && hidden.length > 0)
      return refused("invalid", `Only the provider's webhooks receive ${hidden.join(", ")}.`, "kinds");
    if ((await tx.webhook.count({ where: { tenantId } })) >= most)
      return refused("conflict", `There are already ${most} webhooks: remove one first.`);
    const id = randomUUID();
    const secret = secretOf(randomBytes(32));
    try {
      await tx.webhook.create({
        data: {
          id,
          name,
          tenantId,
          url,
          kinds,
          secret: secrets.seal(secret, secretPlaces.webhookSecret(id)),
          createdBy: actor.name,
        },
      });
    } catch (error) {
      if (isUniqueViolation(error)) return refused("conflict", `A webhook ${name} already exists.`, "name");
      throw error;
    }
    return acted({
      value: { id, secret },
      targetId: id,
      tenantId,
      before: null,
      after: { name, host: new URL(url).host, kinds },
    });
  },
});

interface Kept {
  readonly id: string;
  readonly tenantId: string | null;
  readonly name: string;
  /** An event is being sent to it. */
  readonly busy: boolean;
}

async function findWebhook(
  { tx }: ActContext,
  { id }: { readonly id: string },
): Promise<Target<Kept> | null> {
  const [row] = await queryRows(
    tx,
    sql<Kept>`SELECT id::text, tenant_id::text AS "tenantId", name, coalesce(busy_until >= now(), false) AS busy FROM webhook WHERE id = ${id}::uuid FOR UPDATE`,
  );
  return row === undefined ? null : { id: row.id, belongs: { tenantId: row.tenantId }, value: row };
}

const names = ({ id }: { readonly id: string }) => ({ kind: "webhook", id });
const changed = ({ id, tenantId, name }: Kept, after: Readonly<Record<string, string | boolean>>) => ({
  targetId: id,
  tenantId,
  before: null,
  after: { name, ...after },
});

export const removeWebhook = defineAct({
  ...contract.remove,
  names,
  find: findWebhook,
  run: async ({ tx }, webhook) => {
    await tx.webhook.delete({ where: { id: webhook.id } });
    return acted({ value: { id: webhook.id }, ...changed(webhook, { removed: true }) });
  },
});

export const resumeWebhook = defineAct({
  ...contract.resume,
  names,
  find: findWebhook,
  run: async ({ tx }, webhook) => {
    await tx.webhook.update({
      where: { id: webhook.id },
      data: { disabledAt: null, disabledReason: null, failingSince: null },
    });
    await tx.webhookDelivery.updateMany({
      where: { webhookId: webhook.id, deliveredAt: null },
      data: { nextAt: new Date() },
    });
    return acted({ value: { id: webhook.id }, ...changed(webhook, { resumed: true }) });
  },
});

/** Lets people skip an event that the receiver will never accept, so that it does not block those after it. */
export const skipDelivery = defineAct({
  ...contract.skip,
  names,
  find: findWebhook,
  run: async ({ tx }, webhook, { deliveryId }) => {
    const next = await tx.webhookDelivery.findFirst({
      where: { webhookId: webhook.id, deliveredAt: null },
      orderBy: { seq: "asc" },
      select: { id: true, kind: true },
    });
    if (next === null) return refused("notAllowedNow", "No pending events.");
    if (next.id !== deliveryId)
      return refused("notAllowedNow", "The event is no longer the next one: it has been sent or skipped.");
    if (webhook.busy) return refused("notAllowedNow", "The event is being sent now: wait for the result.");
    await tx.webhookDelivery.delete({ where: { id: next.id } });
    return acted({
      value: { id: webhook.id },
      ...changed(webhook, { skipped: next.kind, delivery: next.id }),
    });
  },
});

export const testWebhook = defineAct({
  ...contract.test,
  names,
  find: findWebhook,
  run: async ({ tx }, webhook) => {
    const body = jsonText({
      type: testKind,
      timestamp: new Date().toISOString(),
      data: { webhook: webhook.name },
    });
    const { id: deliveryId } = await tx.webhookDelivery.create({
      data: { webhookId: webhook.id, kind: testKind, body },
      select: { id: true },
    });
    return acted({ value: { id: webhook.id, deliveryId }, ...changed(webhook, { deliveryId }) });
  },
});
