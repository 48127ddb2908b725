// Records of repairs as they are read: one that was given up without a word of its end has ended, too.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import type { RepairIssue, RepairLine } from "@/server/contract/repair/answers";
import { issueCategories } from "@/server/domain/repair/health-issue";
import { isRepeatOffender, repairOutcomes, repeatRule } from "@/server/domain/repair/repairs";
import type { RepairScope } from "@/server/usecases/repair/repair-scope";

/** Of `repair p` and its `instance i`: when it ended; null: it goes on. */
export const endedAt = sql`coalesce(p.released_at, i.release_requested_at, i.ended_at)`;
/** How it ended. Given up without a word: none. Null: a release before the records did not note it. */
export const outcome = sql`CASE WHEN p.released_at IS NOT NULL THEN p.outcome ELSE 'none' END`;
export const repairFrom = sql`repair p LEFT JOIN instance i ON i.id = p.instance_id`;

/** The beginning of the days of the rule. */
export const ruleBegan = sql`now() - ${repeatRule.days} * interval '1 day'`;

/** Of `repair p` and its `instance i`: it ended within the days of the rule. The first half is for the index on `released_at`. */
export const endedInRule = sql`((p.released_at IS NULL OR p.released_at >= ${ruleBegan}) AND ${endedAt} >= ${ruleBegan})`;

export const repairColumns = sql`p.id::text, p.host_id::text, p.host_name, p.tenant_id::text, p.claimed_at, ${endedAt} AS ended_at, ${outcome} AS outcome, p.ticket, p.summary,
  p.issue_category, p.issue_summary, p.issue_details, p.new_issue, t.name AS tenant_name`;

export interface RepairRecord {
  readonly id: string;
  readonly host_id: string;
  readonly host_name: string;
  readonly tenant_id: string;
  readonly tenant_name: string;
  readonly claimed_at: Date;
  readonly ended_at: Date | null;
  readonly outcome: string | null;
  readonly ticket: string | null;
  readonly summary: string | null;
  readonly issue_category: string | null;
  readonly issue_summary: string | null;
  readonly issue_details: string | null;
  readonly new_issue: string | null;
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

/** Which tenant repaired is for that tenant and the provider to know. */
export const toRepairLine = (row: RepairRecord, scope: RepairScope): RepairLine => ({
  id: row.id,
  hostId: row.host_id,
  host: row.host_name,
  by: "tenant",
  tenant: scope.kind === "all" || scope.tenantId === row.tenant_id ? row.tenant_name : null,
  system: null,
  claimedAt: row.claimed_at,
  releasedAt: row.ended_at,
  outcome: row.ended_at === null ? null : (repairOutcomes.find((known) => known === row.outcome) ?? null),
  leaseEnd: null,
  ticket: row.ticket,
  note: row.summary,
  issue: issueOfRow(row),
  newIssue: row.new_issue,
});

/** LEFT JOIN LATERAL of a host `h`: its repairs that ended. */
export const repairedOf = sql`LATERAL (SELECT count(*)::int AS total, (count(*) FILTER (WHERE ${endedAt} >= ${ruleBegan}))::int AS recent
  FROM ${repairFrom} WHERE p.host_id = h.id AND ${endedAt} IS NOT NULL) d ON true`;

export interface RepairedColumns {
  readonly total: number;
  readonly recent: number;
}

export const toRepaired = ({ total, recent }: RepairedColumns) => ({
  total,
  recent,
  offender: isRepeatOffender(recent),
});

/** So many repairs of one host are read. */
export const mostOfHost = 50;

/** The newest repairs of one host. */
export const readRepairsOf = (database: Database, hostId: string): Promise<readonly RepairRecord[]> =>
  queryRows(
    database,
    sql<RepairRecord>`
    SELECT ${repairColumns} FROM ${repairFrom} JOIN tenant t ON t.id = p.tenant_id
    WHERE p.host_id = ${hostId}::uuid ORDER BY p.claimed_at DESC, p.id DESC LIMIT ${mostOfHost}`,
  );
