// Escalates a failed online repair: ends it, labels the instance and releases it with its issue, all or nothing (docs/adr/0093-repair.md).
import { sql } from "kysely";
import { instances as contract } from "@/server/contract/instances/instances";
import { queryRows } from "@/server/db/sql";
import type { Sql } from "@/server/db/sql";
import { releaseRefusal } from "@/server/domain/lifecycle/intents";
import type { HealthIssue } from "@/server/domain/repair/health-issue";
import { onlineRepairOf, onlineRepairSource } from "@/server/domain/repair/online-repair";
import { reporterOf } from "@/server/usecases/break-fix/ticket-hooks";
import { unchanged, defineTellingAct } from "@/server/usecases/define-act";
import { findHeld, notNow, releaseMessage } from "@/server/usecases/instances/release-instance";
import { done, refused } from "@/server/usecases/problem";
import { releaseWithReports } from "@/server/usecases/repair/release-with-reports";

interface Begun {
  /** Null if an operator described it in other words. */
  readonly issue: HealthIssue | null;
}

/**
 * The last online repair that was started for this instance, whether in progress or cleared: an escalation that was interrupted after its first step can
 * be retried. Null if there was none.
 */
async function lastBegun(tx: Sql, instanceId: string): Promise<Begun | null> {
  const [row] = await queryRows(
    tx,
    sql<{ created_at: Date; standing: unknown; last: unknown }>`
    SELECT i.created_at,
      (SELECT p.body FROM health_report p WHERE p.host_id = i.host_id AND p.source = ${onlineRepairSource} AND p.mode = 'merge') AS standing,
      (SELECT c.body FROM health_change c WHERE c.host_id = i.host_id AND c.at >= i.created_at AND c.source = ${onlineRepairSource}
        AND c.mode = 'merge' AND c.kind = 'set' ORDER BY c.id DESC LIMIT 1) AS last
    FROM instance i WHERE i.id = ${instanceId}::uuid`,
  );
  if (row === undefined || (row.standing === null && row.last === null)) return null;
  // History is deleted after a while, even for a repair in progress.
  if (row.standing === null) return { issue: onlineRepairOf(row.last)?.issue ?? null };
  const standing = onlineRepairOf(row.standing);
  // Reports from before this tenant had the machine do not concern it.
  return { issue: standing !== null && standing.since >= row.created_at ? standing.issue : null };
}

export const escalateRepair = defineTellingAct({
  ...contract.escalateRepair,
  names: ({ instanceId }) => ({ kind: "instance", id: instanceId }),
  find: ({ tx }, { instanceId }) => findHeld(tx, instanceId),
  run: async ({ tx, actor, by }, host, { instanceId: id, issue: given, failureReason }) => {
    const { hostId, tenantId, releaseRequested } = host;
    if (releaseRequested) return unchanged({ instanceId: id, hostId, alreadyReleasing: true });
    const begun = await lastBegun(tx, id);
    if (begun === null)
      return refused(
        "notAllowedNow",
        "This instance has no online repair to escalate. Release it with an issue instead.",
      );
    const issue = given ?? begun.issue;
    if (issue === null)
      return refused(
        "invalid",
        "Describe what is wrong with the machine: its online repair does not.",
        "issue",
      );
    // The repair's own alert ends with it; one from another source still prevents the release when it is marked.
    const reason = releaseRefusal({ ...host, onlineRepair: false, deletionPrevented: false }, actor.role);
    if (reason !== null) return notNow(reason);
    const failed = failureReason ?? issue.summary;
    return done({
      value: { instanceId: id, hostId, alreadyReleasing: false },
      store: (pool, events) =>
        releaseWithReports(
          pool,
          {
            instanceId: id,
            hostId,
            tenantId,
            releasedBy: actor.personId,
            message: releaseMessage,
            payload: { by, instanceId: id },
          },
          events,
          { issue, repairTenant: false, by: reporterOf(actor), failed },
        ),
      changes: [
        {
          targetId: id,
          tenantId,
          before: {
            name: host.instanceName,
            hostId,
            onlineRepair: host.onlineRepair === true,
            released: false,
          },
          after: {
            onlineRepair: false,
            released: true,
            issue: issue.summary,
            category: issue.category,
            failed,
          },
        },
      ],
    });
  },
});
