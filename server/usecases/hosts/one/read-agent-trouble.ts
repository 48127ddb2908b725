// What is wrong with the agent of a host that goes on: it missed a call, or it was lost and its step runs again.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { readCauses } from "@/server/domain/cleaning/failures/cause";
import type { Causes } from "@/server/domain/cleaning/failures/cause";
import { stepName } from "@/server/domain/cleaning/steps/step";
import { agentStep, lastHeard, missedCall } from "@/server/usecases/hosts/silent-agents";

interface Row {
  readonly interface: string;
  readonly step: string;
  readonly status: string;
  readonly verdict: string | null;
  readonly causes: unknown;
  /** Null: no call is missed. */
  readonly silentMs: number | null;
}

/** The step of the agent that runs, or runs next after an attempt of it was lost. Null: nothing is wrong with the agent. */
export async function readAgentTrouble(reader: SqlReader, reclamationId: string): Promise<Causes | null> {
  const [row] = await queryRows(
    reader,
    sql<Row>`
    SELECT t.interface, t.step, t.status, a.verdict, a.causes, CASE WHEN ${missedCall} THEN (extract(epoch FROM now() - ${lastHeard}) * 1000)::float8 END AS "silentMs"
    FROM reclamation c JOIN ${agentStep}
    WHERE c.id = ${reclamationId}::uuid AND t.status IN ('running', 'planned') ORDER BY t.position LIMIT 1`,
  );
  if (row === undefined) return null;
  if (row.status === "planned") return row.verdict === "lost" ? readCauses(row.causes) : null;
  const { silentMs } = row;
  return silentMs === null
    ? null
    : [
        {
          key: "agentSilent",
          step: stepName(row),
          facts: { seconds: Math.round(silentMs / 1_000) },
          raw: "",
        },
      ];
}
