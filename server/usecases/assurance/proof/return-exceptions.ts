// The exceptions that a return rests on. Reasons and people are the provider's (docs/adr/0099-receipts.md).
import { sql } from "kysely";
import type { ReturnException } from "@/server/contract/assurance/proof";
import type { Database } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import { gateNames, gateTable } from "@/server/domain/reclamations/gates/gate-names";

interface Row {
  readonly gate: string;
  readonly serial: string | null;
  readonly reason: string;
  readonly measure: string;
  readonly risk: string;
  readonly until: Date | null;
  readonly askedBy: string;
  readonly askedAt: Date;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
}

const meaningOf = (gate: string): string => {
  const name = gateNames.find((each) => each === gate);
  return name === undefined ? gate : gateTable[name].meaning;
};

/** Approved ones of gates that were let through. */
export async function readReturnExceptions(
  database: Database,
  reclamationId: string,
  reader: "provider" | "tenant",
): Promise<readonly ReturnException[]> {
  const rows = await queryRows(
    database,
    sql<Row>`
    SELECT x.gate, x.drive_serial AS serial, a.reason, x.measure, x.risk, a.valid_until AS until, a.asked_by_name AS "askedBy", a.asked_at AS "askedAt",
      a.decided_by_name AS "decidedBy", a.decided_at AS "decidedAt"
    FROM gate_exception x JOIN approval a ON a.id = x.approval_id JOIN gate g ON g.reclamation_id = x.reclamation_id AND g.gate = x.gate
    WHERE x.reclamation_id = ${reclamationId}::uuid AND a.decision = 'approved' AND g.status = 'excepted' ORDER BY a.decided_at, x.id`,
  );
  // safety: proof: reasons and people are the provider's (false)
  const hidden = reader === "tenant";
  return rows.map(
    ({ gate, serial, reason, measure, risk, until, askedBy, askedAt, decidedBy, decidedAt }) => ({
      ...{ gate, serial, until, decidedAt, meaning: meaningOf(gate) },
      reason: hidden ? null : reason,
      measure: hidden ? null : measure,
      risk: hidden ? null : risk,
      askedBy: hidden ? null : { name: askedBy, at: askedAt },
      approvedBy:
        hidden || decidedBy === null || decidedAt === null ? null : { name: decidedBy, at: decidedAt },
    }),
  );
}
