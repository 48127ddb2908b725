// Tells people of erases that were voided although nobody at Reclaim switched the host (docs/security.md#security-events).
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Decided } from "@/server/controller/loop/commit-rows";
import { recordSecurityEvent } from "@/server/db/security-events";
import { sqlOn } from "@/server/db/sql";
import type { VoidedErase } from "@/server/domain/sanitization/voided";

/** What this decision voided; null: nothing, or a person's power action, which is audited. Pure. */
export function newVoid({ view, decision }: Pick<Decided, "view" | "decision">): VoidedErase | null {
  const { voided } = decision.run.context.cleaning;
  const found = voided ?? decision.reclamation?.row.plan?.voided?.at(-1);
  const known = [view.run.context.cleaning.voided, ...(view.reclamation?.plan?.voided ?? [])];
  if (found === undefined || found.reason === "personPower" || known.some((row) => row?.at === found.at))
    return null;
  return found;
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
