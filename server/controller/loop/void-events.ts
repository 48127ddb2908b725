// Tells people of erases that were voided although nobody at Reclaim switched the host (docs/security.md#security-events).
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Decided } from "@/server/controller/loop/commit-rows";
import { recordSecurityEvent } from "@/server/db/security-events";
import { sqlOn } from "@/server/db/sql";
import type { VoidedErase } from "@/server/domain/cleaning/sanitization/voided";

/** What this decision voided; null: nothing, or a person's power action, which is audited. Pure. */
export function newVoid({ view, decision }: Pick<Decided, "view" | "decision">): VoidedErase | null {
  // It is noted in the context first, and in the plan once that is made anew.
  const planned = decision.reclamation?.row.plan?.voided ?? [];
  const known = new Set(
    [view.run.context.cleaning.voided, ...(view.reclamation?.plan?.voided ?? [])].map((voided) => voided?.at),
  );
  const found = [decision.run.context.cleaning.voided, ...planned].find(
    (voided) => voided !== undefined && !known.has(voided.at),
  );
  return found === undefined || found.reason === "personPower" ? null : found;
}

/** After the commit; nothing waits for it. */
export function tellVoid(pool: Pool, logger: Logger, item: Decided): void {
  const found = newVoid(item);
  if (found === null) return;
  const { hostId } = item.view.run;
  recordSecurityEvent(sqlOn(pool), {
    kind: "eraseVoided",
    hostId,
    // The message names it, if a request from one came before.
    address: "unknown",
    tried: found.message,
    path: found.reason,
  }).catch((error: unknown) => logger.error({ hostId, err: error }, "a security event could not be stored"));
}
