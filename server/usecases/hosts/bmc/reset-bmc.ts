// Has a host's BMC restarted at a person's request (docs/hardware.md#reset-bmc). A controller does it.
import { sql } from "kysely";
import { bmc as contract } from "@/server/contract/hosts/bmc";
import { execute } from "@/server/db/sql";
import { defineAct, unchanged } from "@/server/usecases/define-act";
import { readResetFacts } from "@/server/usecases/hosts/bmc/reset-facts";
import { done, refused, sentence } from "@/server/usecases/problem";

export const resetBmc = defineAct({
  ...contract.reset,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: async ({ tx }, { hostId }) => {
    const facts = await readResetFacts(tx, hostId);
    return facts === null ? null : { id: hostId, belongs: { tenantId: facts.tenantId }, value: facts };
  },
  run: async ({ tx, by }, { name, known, isOpen, openAt, refusal }, { hostId, reason }) => {
    if (isOpen) return unchanged({ accepted: true as const });
    if (!known)
      return refused(
        "notAllowedNow",
        `The BMC of ${name} cannot be reset: its address, user or password is not known. Enter them with Change BMC.`,
      );
    // A look at this host would not show that one, nor how it ends.
    if (openAt !== null)
      return refused(
        "notAllowedNow",
        `The BMC of ${name} also serves ${openAt}, and is being reset there. Follow it at ${openAt}; it is one restart for both.`,
      );
    if (refusal !== null) return refused("notAllowedNow", sentence(refusal));
    const asked = await execute(
      tx,
      sql`INSERT INTO bmc_reset (host_id, requested_at, requested_by, reason) VALUES (${hostId}::uuid, now(), ${by.name}, ${reason})
        ON CONFLICT (host_id) DO UPDATE SET phase = 'requested', requested_at = now(), requested_by = ${by.name}, reason = ${reason}, reset_type = NULL, before = NULL,
          answered = false, sent_at = NULL, away_at = NULL, ended_at = NULL, says = NULL, todo = NULL
        WHERE bmc_reset.ended_at IS NOT NULL`,
    );
    // Somebody else asked for the same meanwhile.
    if (asked === 0) return unchanged({ accepted: true as const });
    return done({
      value: { accepted: true as const },
      changes: [{ targetId: hostId, tenantId: null, before: null, after: { requested: true, reason } }],
      tell: { feed: [{ hostId, tenantId: null, what: "settings" }] },
    });
  },
});
