// The newest reclamation of a host for its repairer: gates and steps, without serial numbers, people and tenants.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import type { RepairHost } from "@/server/contract/repair/answers";
import { readGates } from "@/server/usecases/hosts/one/get-gates";
import type { RepairScope } from "@/server/usecases/repair/repair-scope";

type LastReclamation = NonNullable<RepairHost["reclamation"]>;

const statuses = ["planned", "running", "succeeded", "failed", "excepted"] as const;

interface StepRecord {
  readonly step: string;
  readonly status: string;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly total: number;
  readonly succeeded: number;
}

const readSteps = (database: Database, reclamationId: string): Promise<readonly StepRecord[]> =>
  queryRows(
    database,
    sql<StepRecord>`
    SELECT p.interface || '.' || p.step AS step, p.status, p.started_at AS "startedAt", p.ended_at AS "endedAt", d.total, d.succeeded
    FROM reclamation c JOIN step_run p ON p.reclamation_id = c.id AND p.plan_epoch = c.plan_epoch
    LEFT JOIN LATERAL (SELECT count(*)::int AS total, (count(*) FILTER (WHERE v.verdict = 'sanitized'))::int AS succeeded
      FROM device_result v WHERE v.step_run_id = p.id AND v.attempt = p.attempt) d ON true
    WHERE c.id = ${reclamationId}::uuid ORDER BY p.position`,
  );

/** Reasons name drives by serial number, differing devices, people and sources; for a tenant the status is enough. */
function tellsReasons(scope: RepairScope): boolean {
  // safety: repair: reasons of gates are not told to a tenant (true)
  return scope.kind === "all";
}

export async function readLastReclamation(
  database: Database,
  hostId: string,
  scope: RepairScope,
): Promise<LastReclamation | null> {
  const last = await database.reclamation.findFirst({
    where: { hostId, kind: { not: "manualCleaning" } },
    orderBy: [{ startedAt: "desc" }, { number: "desc" }],
    select: { id: true, number: true, kind: true, startedAt: true, endedAt: true, stoppedAt: true },
  });
  if (last === null) return null;
  const { id, number, stoppedAt, ...head } = last;
  const [gates, steps] = await Promise.all([
    readGates(database, { hostId, reclamationId: id }),
    readSteps(database, id),
  ]);
  return {
    ...head,
    number: `R-${number}`,
    stopped: stoppedAt !== null,
    gates: (gates ?? []).map(({ gate, status, reason }) => ({
      gate,
      status,
      reason: tellsReasons(scope) ? reason : null,
    })),
    steps: steps.map(({ status, total, succeeded, ...step }) => ({
      ...step,
      status: statuses.find((known) => known === status) ?? "planned",
      devices: total === 0 ? null : { total, succeeded },
    })),
  };
}
