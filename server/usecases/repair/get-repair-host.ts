// One host for its repairer: what is wrong, who may claim it, earlier repairs, and what its last reclamation proved. For a repair tenant, it contains nothing
// about other tenants or the provider's people (docs/repair.md#what-a-repair-tenant-sees).
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import type { RepairAlert, RepairHost, RepairLine } from "@/server/contract/repair/answers";
import type { KeptReport } from "@/server/domain/repair/health/change-report";
import { formatClaim } from "@/server/domain/repair/claim-text";
import { onlineRepairSince } from "@/server/domain/repair/online-repair";
import { repairReports } from "@/server/domain/repair/completion";
import { describeState } from "@/server/domain/lifecycle/state-table";
import { storedState } from "@/server/domain/lifecycle/states";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { allocationStop, tenantStop } from "@/server/usecases/database/allocation-stop";
import { readReports } from "@/server/usecases/repair/health/stored-reports";
import { readLabels } from "@/server/usecases/instances/labels";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { knownToRepair } from "@/server/usecases/repair/known-hosts";
import {
  requestedIssueOf,
  claimsOf,
  factsOf,
  isForeign,
  placeOf,
  readQueueRecords,
  queueStatus,
} from "@/server/usecases/repair/queue-rows";
import type { QueueRecord } from "@/server/usecases/repair/queue-rows";
import { readLastReclamation } from "@/server/usecases/repair/last-reclamation";
import { readRepairsOf, toRepaired, toRepairLine } from "@/server/usecases/repair/repair-rows";
import { isRepairReport, repairScope, visibleMessage } from "@/server/usecases/repair/repair-scope";
import type { RepairScope } from "@/server/usecases/repair/repair-scope";
import { isUuid } from "@/server/domain/uuid";

const maxStates = 100;

const alertsOf = (reports: readonly KeptReport[], scope: RepairScope): readonly RepairAlert[] =>
  reports.flatMap((report) =>
    report.alerts.map((alert) => ({
      id: alert.id,
      target: alert.target,
      since: new Date(alert.inAlertSince),
      classifications: alert.classifications,
      message: visibleMessage(report, alert, scope),
    })),
  );

const readStates = async (database: Database, hostId: string, since: Date): Promise<RepairHost["states"]> => {
  const rows = await queryRows(
    database,
    sql<{ state: string; at: Date }>`
    SELECT state, at FROM state_history WHERE host_id = ${hostId}::uuid AND at >= ${since}::timestamptz ORDER BY version DESC LIMIT ${maxStates}`,
  );
  return rows.map(({ at, ...row }) => {
    const state = storedState(row.state);
    return { state, tone: describeState(state).tone, at };
  });
};

/** Only for readers who may know what the host does. */
async function privileged(
  database: Database,
  record: QueueRecord,
  reports: readonly KeptReport[],
  scope: RepairScope,
): Promise<Pick<RepairHost, "stateSince" | "labels" | "alerts" | "reclamation" | "states">> {
  if (isForeign(record, scope))
    return { stateSince: null, labels: null, alerts: null, reclamation: null, states: null };
  const [host, last] = await Promise.all([
    database.host.findUnique({ where: { id: record.id }, select: { labels: true } }),
    readLastReclamation(database, record.id, scope),
  ]);
  return {
    stateSince: record.state_since,
    labels: readLabels(host?.labels),
    alerts: alertsOf(reports, scope),
    reclamation: last,
    states: last === null ? [] : await readStates(database, record.id, last.startedAt),
  };
}

/** A host that is neither in the queue nor held by the reader is not found. */
async function findRecord(
  database: Database,
  scope: RepairScope,
  host: string,
): Promise<QueueRecord | undefined> {
  const named = isUuid(host) ? sql`h.id = ${host}::uuid` : sql`r.name = ${host}`;
  const [record] = await readQueueRecords(database, sql`${named} AND ${knownToRepair(scope)}`, {
    asking: false,
  });
  return record;
}

/** Repairs by tenants and by external systems in one list, newest first. */
async function readLines(
  database: Database,
  { id: hostId }: QueueRecord,
  scope: RepairScope,
): Promise<readonly RepairLine[]> {
  const repairs = await readRepairsOf(database, hostId);
  return repairs
    .filter(
      ({ tenant_id, ended_at }) => ended_at !== null || scope.kind === "all" || tenant_id === scope.tenantId,
    )
    .map((repair) => toRepairLine(repair, scope));
}

export async function getRepairHost(
  { database }: Backend,
  actor: Actor,
  { host }: { readonly host: string },
): Promise<Outcome<RepairHost>> {
  const found = repairScope(actor);
  if (!found.ok) return found;
  const scope = found.value;
  const record = await findRecord(database, scope, host);
  if (record === undefined) return notFound("host", host);
  const [reports, lines, stop] = await Promise.all([
    readReports(database, record.id),
    readLines(database, record, scope),
    allocationStop(database),
  ]);
  const stopped = stop === null ? null : tenantStop;
  const [claim] = await claimsOf(database, [record], scope, stopped);
  const { sinceMs, ...issue } = requestedIssueOf(record);
  const onlineSince = isForeign(record, scope) ? null : onlineRepairSince(reports);
  return done({
    ...placeOf(record),
    ...queueStatus(record, scope),
    asks: record.since === null ? null : { issue, since: new Date(sinceMs), ...repairReports(reports) },
    onlineSince,
    repairAlerts: alertsOf(reports.filter(isRepairReport), scope),
    claim: claim ?? { allowed: false, reason: null, short: null, expectedAt: null },
    claimWords: formatClaim(factsOf(record, scope, stopped), {
      asked: record.since !== null,
      online: onlineSince !== null,
    }),
    held: lines.find(({ releasedAt }) => releasedAt === null) ?? null,
    earlier: lines.filter(({ releasedAt }) => releasedAt !== null),
    repaired: toRepaired(record),
    ...(await privileged(database, record, reports, scope)),
  });
}
