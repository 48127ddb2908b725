// Records of repairs as they are read: a repair that was released without a stated outcome has also ended.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import type { RepairIssue, RepairLine } from "@/server/contract/repair/answers";
import { issueCategories } from "@/server/domain/repair/health-issue";
import { isRepeatOffender, repairOutcomes, repeatRule } from "@/server/domain/repair/repairs";
import { outsideFacts } from "@/server/usecases/repair/leases/outside-repairs";
import type { OutsideColumns } from "@/server/usecases/repair/leases/outside-repairs";
import type { RepairScope } from "@/server/usecases/repair/repair-scope";

/**
 * Repairs `p`: by tenants, and ended ones by external systems. `ended_at` is null while in progress. `outcome` is `none` if released without one; null if an
 * earlier release did not record it. `taken_back`: the claim ended before its tenant had the host, so nobody repaired anything
 * (docs/adr/0121-ready-lasts.md).
 */
export const repairFrom = sql`(
  SELECT p.id, p.host_id, p.host_name, p.tenant_id, t.name AS tenant_name, NULL::text AS system_name, p.claimed_at, p.released_at,
    coalesce(p.released_at, i.release_requested_at, i.ended_at) AS ended_at, CASE WHEN p.released_at IS NOT NULL THEN p.outcome ELSE 'none' END AS outcome,
    p.ticket, p.summary, p.issue_category, p.issue_summary, p.issue_details, p.new_issue, NULL::text AS lease_end, NULL::text AS ended_by, NULL::text AS ended_reason,
    p.released_at IS NULL AND i.release_requested_at IS NULL AND i.ready_at IS NULL AND i.ended_at IS NOT NULL AS taken_back
  FROM repair p LEFT JOIN instance i ON i.id = p.instance_id LEFT JOIN tenant t ON t.id = p.tenant_id
  UNION ALL
  SELECT l.id, l.host_id, coalesce(h.name, (SELECT g.name FROM gone_host g WHERE g.host_id = l.host_id LIMIT 1), l.host_id::text), NULL, NULL, l.system_name, l.taken_at, l.ended_at,
    l.ended_at, l.outcome, l.ticket, l.note, NULL, l.reason, NULL, l.new_issue, l.how, l.ended_by, l.ended_reason, false
  FROM repair_lease l LEFT JOIN host h ON h.id = l.host_id WHERE l.ended_at IS NOT NULL) p`;

/** Start of the period that the repeat-offender rule counts. */
export const ruleBegan = sql`now() - ${repeatRule.days} * interval '1 day'`;

/** Condition on `repairFrom`: ended within that period. The first half is for the indexes on the ends. */
export const endedInRule = sql`((p.released_at IS NULL OR p.released_at >= ${ruleBegan}) AND p.ended_at >= ${ruleBegan} AND NOT coalesce(p.taken_back, false))`;

export const repairColumns = sql`p.id::text, p.host_id::text, p.host_name, p.tenant_id::text, p.tenant_name, p.system_name, p.claimed_at, p.ended_at, p.outcome, p.ticket, p.summary,
  p.issue_category, p.issue_summary, p.issue_details, p.new_issue, p.lease_end, p.ended_by, p.ended_reason`;

export interface RepairRecord extends OutsideColumns {
  readonly host_id: string;
  readonly host_name: string;
  /** Null if an external repair system did it: `system_name`. */
  readonly tenant_id: string | null;
  readonly tenant_name: string | null;
  readonly claimed_at: Date;
  readonly ended_at: Date | null;
  readonly outcome: string | null;
  readonly issue_category: string | null;
  readonly issue_details: string | null;
}

type IssueColumns = Pick<RepairRecord, "issue_category" | "issue_summary" | "issue_details">;

export const issueOfRow = ({
  issue_category,
  issue_summary,
  issue_details,
}: IssueColumns): RepairIssue | null =>
  issue_summary === null
    ? null
    : {
        category: issueCategories.find((known) => known === issue_category) ?? null,
        summary: issue_summary,
        details: issue_details ?? "",
      };

/** Only the tenant itself and the provider learn which tenant did a repair. Pure. */
export function toRepairLine(row: RepairRecord, scope: RepairScope): RepairLine {
  const line = {
    hostId: row.host_id,
    host: row.host_name,
    claimedAt: row.claimed_at,
    releasedAt: row.ended_at,
    outcome: row.ended_at === null ? null : (repairOutcomes.find((known) => known === row.outcome) ?? null),
  };
  if (row.system_name !== null) return { ...line, ...outsideFacts(row, scope) };
  return {
    id: row.id,
    ...line,
    by: "tenant",
    tenant: scope.kind === "all" || scope.tenantId === row.tenant_id ? row.tenant_name : null,
    system: null,
    leaseEnd: null,
    ticket: row.ticket,
    note: row.summary,
    issue: issueOfRow(row),
    newIssue: row.new_issue,
  };
}

/** For a LEFT JOIN LATERAL on a host `h`: its ended repairs. */
export const repairedOf = sql`LATERAL (SELECT count(*)::int AS total, (count(*) FILTER (WHERE p.ended_at >= ${ruleBegan}))::int AS recent
  FROM ${repairFrom} WHERE p.host_id = h.id AND p.ended_at IS NOT NULL AND NOT coalesce(p.taken_back, false)) d ON true`;

export interface RepairedColumns {
  readonly total: number;
  readonly recent: number;
}

export const toRepaired = ({ total, recent }: RepairedColumns) => ({
  total,
  recent,
  offender: isRepeatOffender(recent),
});

/** Maximum number of repairs that are read for a host. */
const maxOfHost = 50;

/** The newest repairs of one host. */
export const readRepairsOf = (database: Database, hostId: string): Promise<readonly RepairRecord[]> =>
  queryRows(
    database,
    sql<RepairRecord>`
    SELECT ${repairColumns} FROM ${repairFrom} WHERE p.host_id = ${hostId}::uuid ORDER BY p.claimed_at DESC, p.id DESC LIMIT ${maxOfHost}`,
  );
