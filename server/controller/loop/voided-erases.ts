// Records voided erases as security events, if somebody outside may have caused them (docs/security.md#security-events).
import type { Pool } from "pg";
import { writeSecurityEvent } from "@/server/db/security-events";
import { sqlOn } from "@/server/db/sql";
import type { VoidedErase, VoidReason } from "@/server/domain/sanitization/voided";
import type { Decided } from "@/server/controller/loop/commit-rows";
import type { ControllerObserver } from "@/server/controller/loop/observer";

/** A person's own power action is in the audit log, and a boot without an agent has a cause of its own. */
const fromOutside: ReadonlySet<VoidReason> = new Set<VoidReason>([
  "unorderedBoot",
  "unorderedReset",
  "contestedBoot",
]);

/** The void that this decision brought; null: none. It is noted in the context first, and in the plan once that is made anew. */
export function voidOf({ view, decision }: Decided): VoidedErase | null {
  const planned = decision.reclamation?.row.plan?.voided ?? [];
  const known = new Set(
    [view.run.context.cleaning.voided, ...(view.reclamation?.plan?.voided ?? [])].map((voided) => voided?.at),
  );
  const found = [decision.run.context.cleaning.voided, ...planned].find(
    (voided) => voided !== undefined && !known.has(voided.at),
  );
  return found !== undefined && fromOutside.has(found.reason) ? found : null;
}

/** After the commit: what was voided is in the reclamation, whether or not this can be written. */
export async function noteVoids(
  pool: Pool,
  written: readonly Decided[],
  observer: ControllerObserver,
): Promise<void> {
  for (const item of written) {
    const voided = voidOf(item);
    if (voided === null) continue;
    await writeSecurityEvent(sqlOn(pool), {
      kind: "eraseVoided",
      hostId: item.view.run.hostId,
      address: "not known",
      tried: voided.message,
      path: `voided because of ${voided.reason}`,
    }).catch((error: unknown) => observer.error("a security event could not be written", error));
  }
}
