// Repeat offenders: hosts that were repaired too often within the days of the rule (server/domain/repair/repairs.ts).
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { OffenderRow, RepairOffenders } from "@/server/contract/repair/answers";
import { repeatRule } from "@/server/domain/repair/repairs";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { placeOf, readQueueRecords, queueStatus } from "@/server/usecases/repair/queue-rows";
import { endedInRule, repairColumns, repairFrom, toRepairLine } from "@/server/usecases/repair/repair-rows";
import type { RepairRecord } from "@/server/usecases/repair/repair-rows";
import { repairScope } from "@/server/usecases/repair/repair-scope";
import { knownToRepair } from "@/server/usecases/repair/known-hosts";

const most = 500;

/** Starts from the few repairs within the rule's days instead of from every host. A separate query, because the planner would join all hosts first. */
const offending = sql<{
  host_id: string;
}>`SELECT p.host_id::text FROM ${repairFrom} WHERE ${endedInRule} GROUP BY p.host_id HAVING count(*) >= ${repeatRule.repairs}::int`;

export async function listOffenders({ database }: Backend, actor: Actor): Promise<Outcome<RepairOffenders>> {
  const scope = repairScope(actor);
  if (!scope.ok) return scope;
  const found = await queryRows(database, offending);
  if (found.length === 0) return done({ ...repeatRule, rows: [] });
  const hosts = await readQueueRecords(
    database,
    sql`h.id = ANY(${found.map(({ host_id }) => host_id)}::uuid[]) AND ${knownToRepair(scope.value)}`,
    { asking: false, after: sql`ORDER BY d.recent DESC, r.name LIMIT ${most}` },
  );
  const repairs = await queryRows(
    database,
    sql<RepairRecord>`
    SELECT ${repairColumns} FROM ${repairFrom} WHERE p.host_id = ANY(${hosts.map(({ id }) => id)}::uuid[]) AND ${endedInRule} ORDER BY p.ended_at DESC, p.id DESC`,
  );
  return done({
    ...repeatRule,
    rows: hosts.map((host): OffenderRow => ({
      ...placeOf(host),
      ...queueStatus(host, scope.value),
      repairs: repairs
        .filter(({ host_id }) => host_id === host.id)
        .map((record) => toRepairLine(record, scope.value)),
    })),
  });
}
