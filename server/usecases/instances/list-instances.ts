// Instances: a tenant's own, or all for the provider's people, each with where its host is, in words that a tenant may see.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { containing } from "@/server/db/like";
import { queryRows } from "@/server/db/sql";
import { roleTable } from "@/server/domain/access/roles";
import { tenantNotices } from "@/server/domain/repair/health/tenant-alerts";
import { nicoInstanceStatus } from "@/server/domain/lifecycle/projections";
import { describeState, stateTable } from "@/server/domain/lifecycle/state-table";
import { isClaimable, storedState } from "@/server/domain/lifecycle/states";
import type { StoredState } from "@/server/domain/lifecycle/states";
import { onlineRepairSource } from "@/server/domain/repair/online-repair";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { beyond, pagesByTime } from "@/server/usecases/cursor";
import type {
  InstanceList,
  InstanceRow,
  InstanceStatus,
} from "@/server/contract/instances/instances-answers";
import { deletionColumns } from "@/server/usecases/hosts/host-facts";
import { editable, releasable, repairOf } from "@/server/usecases/instances/instance-request";
import { settlingOfInstance } from "@/server/usecases/instances/settling";
import { readLabels } from "@/server/usecases/instances/labels";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { mayRead, scopeOf } from "@/server/usecases/read";
import type { Scope } from "@/server/usecases/read";
import { isUuid } from "@/server/domain/uuid";

interface InstanceRecord {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly labels: unknown;
  readonly vpc_id: string | null;
  readonly tenant_id: string;
  readonly org: string;
  readonly tenant_name: string;
  readonly created_at: Date;
  readonly ready_at: Date | null;
  readonly release_requested_at: Date | null;
  readonly ended_at: Date | null;
  readonly host_id: string;
  readonly host_name: string | null;
  readonly state: string | null;
  readonly site: string | null;
  readonly sku: string | null;
  /** Whether the host is still being returned from this instance; what it does after that is not this tenant's business. */
  readonly ours: boolean;
  /** The reclamation that settles what this instance left behind, and its outcome. */
  readonly reclamation_id: string | null;
  readonly reclamation_number: bigint | null;
  readonly reclamation_ended_at: Date | null;
  readonly outcome: string | null;
  readonly erased_at: Date | null;
  /** The host has left the fleet. */
  readonly gone: boolean;
  /** The newest line of the status history. */
  readonly message: string | null;
  /** The host's health as shown, while the instance has it. */
  readonly health: unknown;
  readonly deletion_prevented: boolean;
  readonly online_repair: boolean;
  /** The report for the online repair. */
  readonly repair_report: unknown;
}

/** While the reclamation is open, its erase may be voided and then no longer counts (docs/adr/0020-a-boot-is-proven.md); with these outcomes it was proven. */
const eraseCounts = sql`(e.outcome IN ('ready', 'decommissioned') OR (r.reclamation_id = e.id AND r.context #> '{cleaning,voided}' IS NULL))`;
const columns = sql`i.id::text, i.name, i.description, i.labels, i.network->>'vpcId' AS vpc_id, i.tenant_id::text, t.org, t.name AS tenant_name, i.created_at, i.ready_at, i.release_requested_at, i.ended_at,
  i.host_id::text, r.name AS host_name, r.state, s.name AS site, k.name AS sku, i.ended_at IS NULL OR coalesce(c.instance_id = i.id AND c.ended_at IS NULL, false) AS ours,
  e.id::text AS reclamation_id, e.number AS reclamation_number, e.ended_at AS reclamation_ended_at, e.outcome,
  CASE WHEN ${eraseCounts} THEN (SELECT max(p.ended_at) FROM step_run p WHERE p.reclamation_id = e.id AND p.plan_epoch = e.plan_epoch AND 'storageSanitized' = ANY(p.proves) HAVING bool_and(p.status = 'succeeded')) END AS erased_at,
  EXISTS (SELECT 1 FROM gone_host g WHERE g.host_id = i.host_id) AS gone,
  (SELECT m.message FROM instance_status_history m WHERE m.instance_id = i.id ORDER BY m.id DESC LIMIT 1) AS message,
  CASE WHEN i.ended_at IS NULL THEN (SELECT x.shown FROM host_health x WHERE x.host_id = i.host_id) END AS health,
  ${deletionColumns}, p.body AS repair_report`;
const from = sql`instance i JOIN tenant t ON t.id = i.tenant_id
  LEFT JOIN host_run r ON r.host_id = i.host_id LEFT JOIN reclamation c ON c.id = r.reclamation_id
  LEFT JOIN host h ON h.id = i.host_id LEFT JOIN site s ON s.id = r.site_id LEFT JOIN sku k ON k.id = h.sku_id
  ${settlingOfInstance} LEFT JOIN reclamation e ON e.id = settling.id
  LEFT JOIN health_report p ON p.host_id = i.host_id AND p.source = ${onlineRepairSource} AND p.mode = 'merge' AND i.ended_at IS NULL`;

const tones = {
  Pending: "working",
  Provisioning: "working",
  Configuring: "working",
  Ready: "neutral",
  Updating: "working",
  Repairing: "attention",
  Rebooting: "working",
  Terminating: "working",
  Error: "failed",
  Terminated: "neutral",
} as const satisfies Record<InstanceStatus, InstanceRow["tone"]>;

/** A gone host cannot return from its instance, which leaves only the release. */
function statusOf(row: InstanceRecord, state: StoredState | null): InstanceStatus {
  if (row.ended_at !== null) return "Terminated";
  return state === null
    ? "Terminating"
    : nicoInstanceStatus(state, {
        releaseRequested: row.release_requested_at !== null,
        onlineRepair: row.online_repair,
      });
}

function toRow(row: InstanceRecord, actor: Actor): InstanceRow {
  const state = row.state === null ? null : storedState(row.state);
  const status = statusOf(row, state);
  const provider = !roleTable[actor.role].ofTenant;
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    labels: readLabels(row.labels),
    vpcId: row.vpc_id,
    status,
    tone: tones[status],
    tenantId: row.tenant_id,
    tenantOrg: row.org,
    tenantName: row.tenant_name,
    createdAt: row.created_at,
    readyAt: row.ready_at,
    releaseRequestedAt: row.release_requested_at,
    endedAt: row.ended_at,
    hostWords: hostText(row, state),
    message: status === "Ready" || status === "Terminated" ? null : row.message,
    notices: tenantNotices(row.health),
    site: row.site,
    sku: row.sku,
    host: provider && row.host_name !== null ? { id: row.host_id, name: row.host_name } : null,
    ...afterRelease(row, provider),
    onlineRepair: repairOf(row, status, actor),
    edit: editable(row, actor),
    release: releasable(row, state, actor),
  };
}

/** What followed the release, and when the host was erased and proven clean. Tenants may know the times, but not the record. */
function afterRelease(
  row: InstanceRecord,
  provider: boolean,
): Pick<InstanceRow, "reclamation" | "erasedAt" | "verifiedAt"> {
  const { reclamation_id: id, reclamation_number: number } = row;
  return {
    reclamation:
      provider && id !== null && number !== null
        ? { id, number: `R-${number}`, hostId: row.host_id, gone: row.host_name === null && row.gone }
        : null,
    erasedAt: row.erased_at,
    verifiedAt:
      row.outcome !== null && Object.hasOwn(provenWords, row.outcome) ? row.reclamation_ended_at : null,
  };
}

/** Outcomes for which every gate held, in words that a tenant may see. */
const provenWords: Readonly<Record<string, string>> = {
  ready: "returned to allocation",
  decommissioned: "erased, and taken out of the fleet",
};

/** Where the host is, as far as this tenant may know: after its return has ended, only that it did. */
function hostText(row: InstanceRecord, state: StoredState | null): string | null {
  if (row.ended_at !== null && !row.ours)
    return row.outcome === null ? null : (provenWords[row.outcome] ?? null);
  if (state === null) return null;
  return isClaimable(state) && row.ended_at === null
    ? stateTable["Assigned/WaitingForNetworkConfig"].tenantWords
    : describeState(state).tenantWords;
}

export interface ListInstances {
  /** Part of a name, or an id. */
  readonly text: string;
  readonly status: "open" | "ended" | "all";
  readonly cursor: string | null;
  /** 1 to 200. */
  readonly limit: number;
}

export function instanceConditions(
  scope: Scope,
  { text, status }: Pick<ListInstances, "text" | "status">,
): RawBuilder<unknown> {
  const pattern = containing(text);
  const parts = [
    ...(scope.kind === "tenant" ? [sql`i.tenant_id = ${scope.tenantId}::uuid`] : []),
    ...(status === "open"
      ? [sql`i.ended_at IS NULL`]
      : status === "ended"
        ? [sql`i.ended_at IS NOT NULL`]
        : []),
    ...(text === ""
      ? []
      : isUuid(text)
        ? [sql`i.id = ${text}::uuid`]
        : scope.kind === "all"
          ? [sql`(i.name ILIKE ${pattern} OR t.name ILIKE ${pattern} OR r.name ILIKE ${pattern})`]
          : [sql`i.name ILIKE ${pattern}`]),
  ];
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` AND `);
}

const pages = pagesByTime("instances");

/** Newest first. */
export async function listInstances(
  { database }: Backend,
  actor: Actor,
  query: ListInstances,
): Promise<Outcome<InstanceList>> {
  const scope = scopeOf(actor, "instance.read");
  if (!scope.ok) return scope;
  const conditions = instanceConditions(scope.value, query);
  const limit = Math.min(200, Math.max(1, Math.trunc(query.limit)));
  const start = pages.start(query.cursor);
  if (!start.ok) return start;
  const [records, total] = await Promise.all([
    queryRows(
      database,
      sql<InstanceRecord>`SELECT ${columns} FROM ${from} WHERE ${conditions} AND ${beyond(sql`(i.created_at, i.id)`, "<", start.value)} ORDER BY i.created_at DESC, i.id DESC LIMIT ${limit + 1}`,
    ),
    query.cursor === null
      ? queryRows(
          database,
          sql<{ count: number }>`SELECT count(*)::int AS count FROM ${from} WHERE ${conditions}`,
        )
      : null,
  ]);
  const mapped = records.map((row) => toRow(row, actor));
  const { page, nextCursor } = pages.page(mapped, limit, ({ createdAt, id }) => [createdAt, id]);
  return done({
    rows: page,
    nextCursor,
    total: total?.[0]?.count ?? null,
  });
}

/** One instance, including ended ones. Another tenant's is not found. */
export async function getInstance(
  { database }: Backend,
  actor: Actor,
  query: { readonly id: string },
): Promise<Outcome<InstanceRow>> {
  const scope = scopeOf(actor, "instance.read");
  if (!scope.ok) return scope;
  if (!isUuid(query.id)) return notFound("instance", query.id);
  const [record] = await queryRows(
    database,
    sql<InstanceRecord>`SELECT ${columns} FROM ${from} WHERE i.id = ${query.id}::uuid`,
  );
  if (record === undefined || mayRead(actor, "instance.read", record.tenant_id) !== "allowed")
    return notFound("instance", query.id);
  return done(toRow(record, actor));
}

/** Instances by id as the actor sees them, omitting those that the actor may not see. */
export async function instancesById(
  { database }: Backend,
  actor: Actor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, InstanceRow>> {
  if (ids.length === 0) return new Map();
  const records = await queryRows(
    database,
    sql<InstanceRecord>`SELECT ${columns} FROM ${from} WHERE i.id = ANY(${[...ids]}::uuid[])`,
  );
  return new Map(
    records
      .filter((record) => mayRead(actor, "instance.read", record.tenant_id) === "allowed")
      .map((record) => [record.id, toRow(record, actor)]),
  );
}
