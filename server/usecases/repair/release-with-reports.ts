// A release that reports something about the machine: the alerts change in the transaction that marks the release, so that neither exists without the other.
import { sql } from "kysely";
import type { Pool } from "pg";
import { writeAudit } from "@/server/db/audit";
import type { AuditEvent } from "@/server/db/audit";
import { withTransaction } from "@/server/db/connection";
import { markReleased } from "@/server/db/hot/host/release";
import type { InstanceRelease } from "@/server/db/hot/host/release";
import { queryRows, sqlOn } from "@/server/db/sql";
import type { Sql } from "@/server/db/sql";
import type { ReportChange } from "@/server/domain/repair/health/change-report";
import { deletionPrevented } from "@/server/domain/lifecycle/intents";
import {
  completionChanges,
  releaseChanges,
  repairReports,
  repairStatus,
} from "@/server/domain/repair/completion";
import type { HealthIssue } from "@/server/domain/repair/health-issue";
import { ticketOfIssue, ticketsOfRepair } from "@/server/usecases/break-fix/ticket-hooks";
import type { ReplacementWish } from "@/server/domain/break-fix/ticket";
import type { TicketWriter } from "@/server/usecases/break-fix/stored-tickets";
import {
  failureLabels,
  onlineRepairMessages,
  onlineRepairRemoved,
  withRepairLabels,
} from "@/server/domain/repair/online-repair";
import { lockHealth, readReports } from "@/server/usecases/repair/health/stored-reports";
import { writeReports } from "@/server/usecases/repair/health/write-reports";
import { readLabels } from "@/server/usecases/instances/labels";
import { noRoomForLabels, storeLabels } from "@/server/usecases/repair/repair-status";
import { done, notFound, refused, sentence } from "@/server/usecases/problem";
import { recordEnd } from "@/server/usecases/repair/record-repair";
import type { Outcome } from "@/server/usecases/problem";

export const mayNotRepair: Outcome<never> = refused(
  "forbidden",
  "Ending a repair needs the capability targetedInstanceCreation.",
  "repairTenant",
);

export const preventedRelease: Outcome<never> = refused("notAllowedNow", sentence(deletionPrevented));

/** Whether a release was not marked because of an alert that came after the check. */
export async function isPrevented(
  on: { query(text: string, values: string[]): Promise<{ rows: unknown[] }> },
  instanceId: string,
): Promise<boolean> {
  const { rows } = await on.query(
    `SELECT 1 FROM instance i JOIN host_run r ON r.host_id = i.host_id
     WHERE i.id = $1::uuid AND i.release_requested_at IS NULL AND r.health @> '{"classifications": ["PreventInstanceDeletion"]}'`,
    [instanceId],
  );
  return rows.length > 0;
}

interface ReleaseContext {
  readonly issue: HealthIssue | null;
  /** It ends a repair. */
  readonly repairTenant: boolean;
  /** For the ticket of the issue. */
  readonly wish?: ReplacementWish;
  /** Who reports it. */
  readonly by: TicketWriter;
  /** Why the preceding online repair failed; null if there was none. */
  readonly failed?: string | null;
}

interface Facts {
  readonly labels: unknown;
  readonly autoRepair: boolean;
}

/** Checked in the transaction of the alerts, because the request's knowledge of its tenant may be seconds old. Revoking the capability waits for it. */
async function mayEndRepair(tx: Sql, hostId: string, tenantId: string | null): Promise<boolean> {
  const rows = await queryRows(
    tx,
    sql`SELECT 1 FROM tenant_grant g JOIN host_run r ON r.site_id = g.site_id
    WHERE r.host_id = ${hostId}::uuid AND g.tenant_id = ${tenantId}::uuid AND g.kind = 'targetedInstanceCreation' FOR KEY SHARE OF g`,
  );
  return rows.length > 0;
}

/** Locks the host's health first, so that it cannot change before it is written. */
async function changesOf(
  tx: Sql,
  { hostId, instanceId }: InstanceRelease,
  { issue, repairTenant, failed = null }: ReleaseContext,
): Promise<readonly ReportChange[]> {
  await lockHealth(tx, hostId);
  const reports = await readReports(tx, hostId);
  const [facts] = await queryRows(
    tx,
    sql<Facts>`
    SELECT h.labels, coalesce((p.body ->> 'autoRepair')::boolean, false) AS "autoRepair"
    FROM host h JOIN site s ON s.id = h.site_id LEFT JOIN site_policy p ON p.site_id = s.id AND p.version = s.policy_version
    WHERE h.id = ${hostId}::uuid`,
  );
  if (facts === undefined) return [];
  if (!repairTenant)
    return [
      ...(failed === null ? [] : onlineRepairRemoved(reports)),
      ...releaseChanges(issue, facts.autoRepair),
    ];
  const labels = readLabels(facts.labels);
  const standing = repairReports(reports);
  await recordEnd(tx, { instanceId, labels, issue, requested: standing.requested });
  return completionChanges(standing, labels, issue);
}

/** The issue is from the former tenant; the end of a repair goes to the tickets that it was for. */
async function tellTickets(
  tx: Sql,
  { instanceId, hostId, tenantId }: InstanceRelease,
  said: ReleaseContext,
): Promise<void> {
  const { issue, repairTenant, wish, by: writer } = said;
  if (!repairTenant) {
    if (issue !== null)
      await ticketOfIssue(tx, {
        hostId,
        instanceId,
        tenantId,
        issue,
        ...(wish === undefined ? {} : { wish }),
        origin: "release",
        writer,
      });
    return;
  }
  const [host] = await queryRows(
    tx,
    sql<{ labels: unknown }>`SELECT labels FROM host WHERE id = ${hostId}::uuid`,
  );
  const completed = issue === null && repairStatus(readLabels(host?.labels)) === "Completed";
  await ticketsOfRepair(tx, hostId, completed ? "completed" : "failed");
}

async function isOpen(tx: Sql, instanceId: string): Promise<boolean> {
  const rows = await queryRows(
    tx,
    sql`SELECT 1 FROM instance WHERE id = ${instanceId}::uuid AND ended_at IS NULL`,
  );
  return rows.length > 0;
}

/** Locks hosts before instances. False if there is no room for the labels. */
async function labelFailed(
  tx: Sql,
  { instanceId, hostId }: InstanceRelease,
  reason: string,
): Promise<boolean> {
  await queryRows(tx, sql`SELECT 1 FROM host_run WHERE host_id = ${hostId}::uuid FOR NO KEY UPDATE`);
  const [row] = await queryRows(
    tx,
    sql<{ labels: unknown }>`SELECT labels FROM instance WHERE id = ${instanceId}::uuid FOR NO KEY UPDATE`,
  );
  const labels = failureLabels(reason);
  if (withRepairLabels(readLabels(row?.labels), labels) === null) return false;
  await storeLabels(tx, instanceId, labels);
  return true;
}

interface Released {
  readonly instanceId: string;
  readonly hostId: string;
  readonly alreadyReleasing: boolean;
}

/** All or nothing. Reports about a machine count until its instance has ended, even if another request released it first. */
export function releaseWithReports(
  pool: Pool,
  release: InstanceRelease,
  events: readonly AuditEvent[],
  said: ReleaseContext,
): Promise<Outcome<Released>> {
  const { instanceId, hostId } = release;
  return withTransaction(
    pool,
    async (client): Promise<Outcome<Released>> => {
      const tx = sqlOn(client);
      // safety: repair: the capability is asked for again where the repair ends
      if (said.repairTenant && !(await mayEndRepair(tx, hostId, release.tenantId))) return mayNotRepair;
      const changes = await changesOf(tx, release, said);
      const written = await writeReports(tx, hostId, changes, {
        name: said.by.name,
        reason: "release",
        repairEnded: onlineRepairMessages.failed,
      });
      if (!written.ok) return written;
      if (typeof said.failed === "string" && !(await labelFailed(tx, release, said.failed)))
        return noRoomForLabels;
      await tellTickets(tx, release, said);
      if (await markReleased(client, release, events))
        return done({ instanceId, hostId, alreadyReleasing: false });
      if (await isPrevented(client, instanceId)) return preventedRelease;
      if (!(await isOpen(tx, instanceId))) return notFound("instance", instanceId);
      await writeAudit(tx, ...events);
      return done({ instanceId, hostId, alreadyReleasing: true });
    },
    ({ ok }) => ok,
  );
}
