// What is wrong with the agent of a host that goes on: it missed a call, or it was lost and its step runs again.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { missedCallMs } from "@/server/domain/agents/missed-call";
import { readCauses } from "@/server/domain/cleaning/failures/cause";
import type { Causes } from "@/server/domain/cleaning/failures/cause";
import { stepName } from "@/server/domain/cleaning/steps/step";

interface Row {
  readonly interface: string;
  readonly step: string;
  readonly status: string;
  readonly verdict: string | null;
  readonly causes: unknown;
  readonly nowMs: number;
  readonly startedMs: number;
  readonly progressMs: number | null;
  readonly seenMs: number | null;
  readonly heartbeatMs: number;
}

/** The step of the agent that runs, or runs next after an attempt of it was lost. Null: nothing is wrong with the agent. */
export async function readAgentTrouble(reader: SqlReader, reclamationId: string): Promise<Causes | null> {
  const [row] = await queryRows(
    reader,
    sql<Row>`
    SELECT t.interface, t.step, t.status, a.verdict, a.causes, (extract(epoch FROM now()) * 1000)::float8 AS "nowMs",
      (extract(epoch FROM a.started_at) * 1000)::float8 AS "startedMs", (extract(epoch FROM a.progress_at) * 1000)::float8 AS "progressMs",
      (extract(epoch FROM g.last_seen_at) * 1000)::float8 AS "seenMs", (c.policy->'times'->>'heartbeatMs')::float8 AS "heartbeatMs"
    FROM reclamation c JOIN step_run t ON t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch AND t.status IN ('running', 'planned') AND t."where" = 'agent'
      JOIN step_attempt a ON a.step_run_id = t.id AND a.attempt = t.attempt
      LEFT JOIN agent_session g ON g.host_id = c.host_id AND g.boot_epoch = a.boot_epoch
    WHERE c.id = ${reclamationId}::uuid ORDER BY t.position LIMIT 1`,
  );
  if (row === undefined) return null;
  if (row.status === "planned") return row.verdict === "lost" ? readCauses(row.causes) : null;
  const silentMs = missedCallMs(row, row.nowMs);
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
