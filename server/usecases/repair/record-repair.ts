// The record of a repair: started by the claim and ended by the release, each in the same transaction (docs/adr/0097-repairs-are-records.md).
import { sql } from "kysely";
import { execute } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { HostLabels } from "@/server/domain/hosts/labels/host-labels";
import { requestedIssue } from "@/server/domain/repair/requested";
import type { RequestedIssue } from "@/server/domain/repair/requested";
import { repairSources } from "@/server/domain/repair/claimable";
import type { HealthIssue } from "@/server/domain/repair/health-issue";
import { repairNote } from "@/server/domain/repair/repairs";
import { readReports } from "@/server/usecases/repair/health/stored-reports";

export interface RepairClaim {
  readonly instanceId: string;
  readonly hostId: string;
  readonly tenantId: string;
}

const insertRecord = (
  tx: SqlReader,
  { instanceId, hostId, tenantId }: RepairClaim,
  { category, summary, details, sinceMs }: RequestedIssue,
) =>
  execute(
    tx,
    sql`
    INSERT INTO repair (id, instance_id, host_id, host_name, tenant_id, claimed_at, issue_category, issue_summary, issue_details, asked_at)
    SELECT gen_random_uuid(), ${instanceId}::uuid, h.id, h.name, ${tenantId}::uuid, clock_timestamp(), ${category}::text, ${summary}, ${details}, ${new Date(sinceMs)}::timestamptz
    FROM host h WHERE h.id = ${hostId}::uuid`,
  );

/** Records what the host is to be repaired for at this time. A host that asks for no repair gets no record. */
export async function recordClaim(tx: SqlReader, claim: RepairClaim): Promise<void> {
  const asked = (await readReports(tx, claim.hostId))
    .filter(({ source, mode }) => mode === "merge" && repairSources.includes(source))
    .flatMap(({ source, alerts }) => alerts.map((alert) => ({ source, alert })));
  const issue = requestedIssue(asked);
  if (issue !== null) await insertRecord(tx, claim, issue);
}

interface RepairEnd {
  readonly instanceId: string;
  /** As they were when the release was accepted. */
  readonly labels: HostLabels;
  /** What is wrong with the host now; null if nothing was reported. */
  readonly issue: HealthIssue | null;
  /** The release ended a repair that the host asked for, even if no claim started one. */
  readonly requested: boolean;
}

/** The first recorded end counts; repeating the release does not change it. */
export async function recordEnd(
  tx: SqlReader,
  { instanceId, labels, issue, requested }: RepairEnd,
): Promise<void> {
  const { outcome, ticket, summary } = repairNote(labels);
  await execute(
    tx,
    sql`
    INSERT INTO repair AS p (id, instance_id, host_id, host_name, tenant_id, claimed_at, released_at, outcome, ticket, summary, new_issue)
    SELECT gen_random_uuid(), i.id, i.host_id, h.name, i.tenant_id, i.created_at, clock_timestamp(), ${outcome}, ${ticket}::text, ${summary}::text, ${issue?.summary ?? null}::text
    FROM instance i JOIN host h ON h.id = i.host_id
    WHERE i.id = ${instanceId}::uuid AND i.ended_at IS NULL
      AND (${requested} OR EXISTS (SELECT 1 FROM repair known WHERE known.instance_id = i.id))
    ON CONFLICT (instance_id) DO UPDATE SET released_at = excluded.released_at, outcome = excluded.outcome,
      ticket = excluded.ticket, summary = excluded.summary, new_issue = excluded.new_issue
    WHERE p.released_at IS NULL`,
  );
}
