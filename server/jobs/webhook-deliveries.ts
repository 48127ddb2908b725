// Sends what the outbox of the webhooks holds (docs/repair.md#webhooks).
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database } from "@/server/db/prisma";
import type { SecretBox } from "@/server/db/secrets/secret-box";
import { signedHeaders } from "@/server/domain/break-fix/events";
import { postEvent } from "@/server/hardware/events/post-event";
import { startRounds } from "@/server/jobs/rounds";
import { giveBack, noteAttempt, takeDue } from "@/server/usecases/break-fix/deliveries";
import type { DueDelivery } from "@/server/usecases/break-fix/deliveries";

const everyMs = 1_000;
const atOnce = 16;

interface Parts {
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly logger: Logger;
  /** Private networks in which the provider's own webhooks may be (`RECLAIM_WEBHOOK_NETWORKS`); a tenant's never are. */
  readonly networks: readonly string[];
}

/** Any number of processes may do it side by side. Returns how it ends, which resolves when what is under way has. */
export function startWebhookDeliveries(parts: Parts): () => Promise<void> {
  return startRounds(
    everyMs,
    (over) => deliverAll(parts, over),
    (error) => parts.logger.warn({ err: error }, "webhooks could not be served"),
  );
}

/** Until nothing is due and nothing under way. A place is filled again when its delivery ends: a slow receiver holds up nobody else's. */
export async function deliverAll(parts: Parts, signal: AbortSignal): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const start = (delivery: DueDelivery) => {
    const one = deliver(parts, delivery, signal)
      .catch((error: unknown) => parts.logger.warn({ err: error }, "a webhook could not be served"))
      .finally(() => underWay.delete(one));
    underWay.add(one);
  };
  try {
    while (!signal.aborted) {
      const free = atOnce - underWay.size;
      const due = free === 0 ? [] : await takeDue(parts.database, parts.secrets, free);
      due.forEach(start);
      if (underWay.size === 0) return;
      await Promise.race([...underWay, delay(everyMs, undefined, { ref: false })]);
    }
  } finally {
    await Promise.all(underWay);
  }
}

async function deliver(
  { database, logger, networks }: Parts,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<void> {
  const { id, body, url, secret, tenantId, webhookId } = delivery;
  const at = new Date();
  const sent =
    secret === null
      ? { status: null, error: "Its secret cannot be opened." }
      : await postEvent(
          url,
          { headers: signedHeaders(secret, { id, body, at }), body },
          { networks: tenantId === null ? networks : [], signal },
        );
  // What our own stop broke off says nothing about the receiver.
  if (signal.aborted && sent.error !== null) return giveBack(database, delivery);
  const off = await noteAttempt(database, delivery, { ...sent, gone: sent.status === 410 }, new Date());
  if (off) logger.warn({ webhookId, reason: sent.error }, "a webhook was switched off");
}
