// Asks a host again for what it was enrolled for, after a person has corrected what stopped it.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { HostSignal } from "@/server/db/hot/signal";
import { intentsOfEnrolment, isFirstContact, isGoal } from "@/server/domain/hosts/enrolment/progress";
import { refusal } from "@/server/domain/lifecycle/intents";
import { isBmcFailure } from "@/server/domain/lifecycle/states";
import type { IntentActor } from "@/server/domain/lifecycle/signals";
import type { HostFacts } from "@/server/usecases/hosts/host-facts";

interface EnrolmentOfHost {
  readonly goal: string;
  readonly first_contact: string;
  readonly serial_given: boolean;
}

/**
 * Signals for a host that stopped in Enroll or in a failure of its BMC; none for any other failure, where a retry could erase or not be intended.
 * Intents that are already pending are not requested again.
 */
export async function askedAgain(
  tx: SqlReader,
  facts: HostFacts,
  by: IntentActor,
): Promise<readonly HostSignal[]> {
  const { hostId, state, pending } = facts;
  if (state !== "Enroll")
    return !isBmcFailure(state) || pending.includes("retry") || refusal("retry", facts) !== null
      ? []
      : [{ hostId, kind: "retry", payload: { by } }];
  if (pending.includes("manage")) return [];
  const [row] = await queryRows(
    tx,
    sql<EnrolmentOfHost>`
    SELECT e.goal, e.first_contact, h.expected_serial IS NOT NULL AS serial_given FROM enrolment_line l JOIN enrolment e ON e.id = l.enrolment_id JOIN host h ON h.id = l.host_id
    WHERE l.host_id = ${hostId}::uuid ORDER BY e.at DESC, e.id DESC LIMIT 1`,
  );
  const wanted =
    row !== undefined && isGoal(row.goal) && isFirstContact(row.first_contact)
      ? intentsOfEnrolment({ goal: row.goal, firstContact: row.first_contact }, row.serial_given)
      : [];
  return (wanted.length === 0 ? (["manage"] as const) : wanted).map((kind) => ({
    hostId,
    kind,
    payload: { by },
  }));
}
