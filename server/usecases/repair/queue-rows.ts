// Hosts that ask for a repair, for the queue, the panel of one host and the list of repeat offenders.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { z } from "zod";
import { queryRows } from "@/server/db/sql";
import type { Database, Reader } from "@/server/db/prisma";
import type { QueueRow } from "@/server/contract/repair/answers";
import type { Alert } from "@/server/domain/repair/health/report";
import { storedBody } from "@/server/domain/repair/health/report";
import { describeState } from "@/server/domain/lifecycle/state-table";
import { storedState } from "@/server/domain/lifecycle/states";
import type { StoredState } from "@/server/domain/lifecycle/states";
import { repairReports } from "@/server/domain/repair/completion";
import { requestedIssue } from "@/server/domain/repair/requested";
import type { RepairRequest, RequestedIssue } from "@/server/domain/repair/requested";
import { claimRefusal, isComingBack } from "@/server/domain/repair/claim-refusal";
import type { ClaimFacts } from "@/server/domain/repair/claim-refusal";
import { repairSources } from "@/server/domain/repair/claimable";
import { expectedEnds } from "@/server/domain/hosts/forecast";
import { leasedColumn } from "@/server/usecases/hosts/host-facts";
import { measuredTrips } from "@/server/usecases/fleet/expected-back";
import { isForRepair } from "@/server/usecases/instances/free-hosts";
import { repairedOf, toRepaired } from "@/server/usecases/repair/repair-rows";
import type { RepairedColumns } from "@/server/usecases/repair/repair-rows";
import type { RepairScope } from "@/server/usecases/repair/repair-scope";

/** As literals, so that the index on these reports is used. */
const sources = sql.join(repairSources.map((source) => sql.lit(source)));

/** Condition on `health_report q`: it asks for a repair. */
export const asksForRepair = sql`q.source IN (${sources}) AND q.mode = 'merge' AND jsonb_array_length(q.body -> 'alerts') > 0`;

/** Condition on an `instance i`: it holds its host for a repair, and is not being released. */
export const holdsForRepair = sql`i.ended_at IS NULL AND i.release_requested_at IS NULL AND EXISTS (SELECT 1 FROM repair p WHERE p.instance_id = i.id AND p.released_at IS NULL)`;

/** The newest instance of a host that was not for a repair: that of the tenant that has the host, or had it last. */
export const lastHolding = (hostId: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(SELECT i.id FROM instance i WHERE i.host_id = ${hostId} AND NOT EXISTS (SELECT 1 FROM repair p WHERE p.instance_id = i.id)
    ORDER BY i.created_at DESC, i.id DESC LIMIT 1)`;

/** Excludes hosts that are already being repaired. Condition on a host `h` and its open instance `i`. */
export const inQueue = sql`NOT coalesce(${holdsForRepair}, false)`;

/** `asked`: the alerts that ask for a repair, for hosts that have any. */
export const askedFrom = sql`(SELECT q.host_id, min((a.value ->> 'inAlertSince')::timestamptz) AS since, jsonb_agg(jsonb_build_object('source', q.source, 'alert', a.value) ORDER BY q.source DESC) AS asked
    FROM health_report q CROSS JOIN LATERAL jsonb_array_elements(q.body -> 'alerts') a WHERE ${asksForRepair} GROUP BY q.host_id) q`;

const columns = sql`h.id::text, r.name, s.name AS site, h.rack, k.name AS sku, h.sku_id::text, r.state, r.state_since, r.maintenance, h.retired, ${leasedColumn}, coalesce(r.health @> '{"repair": true}', false) AS asks,
  EXISTS (SELECT 1 FROM debt d WHERE d.chassis_serial = h.serial AND d.cleared_at IS NULL) AS owes, i.id::text AS instance_id, i.tenant_id::text AS held_by, i.release_requested_at IS NOT NULL AS releasing,
  c.started_at AS back_since, c.paused_at IS NOT NULL AS stands, q.since, q.asked, d.total, d.recent, (${isForRepair}) AS claimable`;

const from = (
  asking: boolean,
) => sql`host h JOIN host_run r ON r.host_id = h.id JOIN site s ON s.id = h.site_id
  ${asking ? sql`` : sql`LEFT`} JOIN ${askedFrom} ON q.host_id = h.id
  LEFT JOIN sku k ON k.id = h.sku_id LEFT JOIN instance i ON i.host_id = h.id AND i.ended_at IS NULL
  LEFT JOIN reclamation c ON c.id = r.reclamation_id AND c.ended_at IS NULL AND c.kind IN ('release', 'repairRelease')
  LEFT JOIN ${repairedOf}`;

export interface QueueRecord extends RepairedColumns {
  readonly id: string;
  readonly name: string;
  readonly site: string;
  readonly rack: string | null;
  readonly sku: string | null;
  readonly sku_id: string | null;
  readonly state: string;
  readonly state_since: Date;
  readonly maintenance: boolean;
  readonly retired: boolean;
  /** The external repair system that has the host; null if none. */
  readonly leased_to: string | null;
  readonly asks: boolean;
  readonly owes: boolean;
  readonly instance_id: string | null;
  readonly held_by: string | null;
  readonly releasing: boolean;
  /** Start of the open reclamation that returns the host; `stands`: it waits for a person. */
  readonly back_since: Date | null;
  readonly stands: boolean;
  readonly since: Date | null;
  readonly asked: unknown;
  readonly claimable: boolean;
}

/** @param asking only hosts that ask for a repair */
export const readQueueRecords = (
  database: Database,
  where: RawBuilder<unknown>,
  { asking, after = sql`` }: { readonly asking: boolean; readonly after?: RawBuilder<unknown> },
): Promise<readonly QueueRecord[]> =>
  queryRows(database, sql<QueueRecord>`SELECT ${columns} FROM ${from(asking)} WHERE ${where} ${after}`);

/** How many hosts ask for a repair, and how many of them can be claimed now. */
export async function countQueue(
  database: Database,
  where: RawBuilder<unknown>,
): Promise<{ readonly total: number; readonly claimable: number }> {
  const [row] = await queryRows(
    database,
    sql<{ total: number; claimable: number }>`
    SELECT count(*)::int AS total, (count(*) FILTER (WHERE ${isForRepair}))::int AS claimable FROM ${from(true)} WHERE ${where}`,
  );
  return row ?? { total: 0, claimable: 0 };
}

/** The hosts that can be claimed for a repair now, with the one that has waited longest; null if there is none. @param where condition on a host `h` */
export async function readClaimable(
  reader: Reader,
  where: RawBuilder<unknown>,
): Promise<{ readonly hosts: number; readonly host: string; readonly since: Date } | null> {
  const [row] = await queryRows(
    reader,
    sql<{ hosts: number; host: string; since: Date }>`
    SELECT count(*)::int AS hosts, (array_agg(r.name ORDER BY q.since, h.id))[1] AS host, min(q.since) AS since
    FROM ${from(true)} WHERE ${inQueue} AND (${isForRepair}) AND ${where} HAVING count(*) > 0`,
  );
  return row ?? null;
}

const storedAsked = z.array(z.object({ source: z.string(), alert: z.unknown() }));

/** Which reports ask for a repair, also where this version cannot read their alerts. */
export const sourcesOf = ({ asked }: Pick<QueueRecord, "asked">) =>
  (storedAsked.safeParse(asked).data ?? []).map(({ source }) => ({ source, mode: "merge" }));

/** The alerts that ask for a repair, as far as this version can read them. */
export function askedOf(stored: unknown): readonly RepairRequest[] {
  return (storedAsked.safeParse(stored).data ?? []).flatMap(({ source, alert }) => {
    const [read]: readonly Alert[] =
      storedBody.safeParse({ successes: [], alerts: [alert] }).data?.alerts ?? [];
    return read === undefined ? [] : [{ source, alert: read }];
  });
}

/** Falls back to an empty issue if this version cannot read it. */
export const requestedIssueOf = (record: Pick<QueueRecord, "asked" | "since">): RequestedIssue =>
  requestedIssue(askedOf(record.asked)) ?? {
    ...{ category: null, summary: "", details: "" },
    sinceMs: record.since?.getTime() ?? 0,
  };

/** A tenant must not learn what another tenant does with a host, not even from the host's state. */
export function isForeign(record: Pick<QueueRecord, "held_by">, scope: RepairScope): boolean {
  // safety: repair: what another tenant does with a host is not told (false)
  return scope.kind === "tenant" && record.held_by !== null && record.held_by !== scope.tenantId;
}

export function queueStatus(
  record: Pick<QueueRecord, "held_by" | "state" | "releasing">,
  scope: RepairScope,
): { readonly state: string; readonly tone: QueueRow["tone"] } {
  if (isForeign(record, scope))
    return record.releasing
      ? { state: "being cleaned", tone: "working" }
      : { state: "in use", tone: "neutral" };
  const state = storedState(record.state);
  return { state, tone: describeState(state).tone };
}

function leasedTo(record: Pick<QueueRecord, "leased_to">, scope: RepairScope): string | null {
  // safety: repair: which system has a host is not told to a tenant
  if (scope.kind === "tenant") return null;
  return record.leased_to;
}

export const factsOf = (
  record: QueueRecord,
  scope: RepairScope,
  stopped: string | null,
): ClaimFacts & { state: StoredState } => ({
  // For a host that another tenant has: only that it is in use or being released, not its actual state.
  state: isForeign(record, scope) ? "Assigned/Ready" : storedState(record.state),
  claimable: record.claimable,
  held: record.instance_id !== null,
  releasing: record.releasing,
  maintenance: record.maintenance,
  retired: record.retired,
  leased: record.leased_to !== null,
  leasedTo: leasedTo(record, scope),
  owes: record.owes,
  asks: record.asks,
  stopped,
});

/** Whether each host can be claimed, and when the cleaning of those in cleaning is expected to end. */
export async function claimsOf(
  database: Database,
  records: readonly QueueRecord[],
  scope: RepairScope,
  stopped: string | null,
): Promise<readonly QueueRow["claim"][]> {
  const open = records.map((record) => ({
    sinceMs: record.back_since?.getTime() ?? 0,
    skuId: record.sku_id,
    stands:
      record.stands ||
      record.back_since === null ||
      isForeign(record, scope) ||
      !isComingBack(factsOf(record, scope, null)),
  }));
  const cleaned = open.some(({ stands }) => !stands);
  const now = new Date();
  const ends = cleaned ? expectedEnds(now.getTime(), open, await measuredTrips(database, now)) : [];
  return records.map((record, index) => {
    const refusal = claimRefusal(factsOf(record, scope, stopped));
    const end = ends[index] ?? null;
    return {
      // The right to repair is not enough to claim: only a tenant has instances.
      allowed: refusal === null && scope.kind === "tenant",
      reason: refusal?.reason ?? (scope.kind === "all" ? "Only a repair tenant can claim hosts." : null),
      short: refusal?.short ?? null,
      expectedAt: end === null ? null : new Date(end),
    };
  });
}

export const placeOf = ({ id, name, site, rack, sku }: QueueRecord) => ({
  hostId: id,
  host: name,
  site,
  rack,
  sku,
});

export function toQueueRow(record: QueueRecord, claim: QueueRow["claim"], scope: RepairScope): QueueRow {
  const { sinceMs, ...issue } = requestedIssueOf(record);
  return {
    ...placeOf(record),
    ...queueStatus(record, scope),
    issue,
    since: new Date(sinceMs),
    ...repairReports(sourcesOf(record)),
    repaired: toRepaired(record),
    claim,
  };
}
