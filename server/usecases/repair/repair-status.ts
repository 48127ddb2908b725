// What an instance's tenant reads of its online repair. It follows the host's reports, whoever writes or removes them.
import { sql } from "kysely";
import { execute, queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { InstanceLabels } from "@/server/domain/instances/own-text";
import { onlineRepairLabels, onlineRepairMessages } from "@/server/domain/repair/online-repair";
import { ticketOfEndedRepair } from "@/server/usecases/break-fix/ticket-hooks";
import { refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

export const noRoomForLabels: Outcome<never> = refused(
  "conflict",
  `The instance has too many labels to add those of an online repair (${onlineRepairLabels.deletion} and others). Remove some.`,
  "labels",
);

/**
 * Runs in the transaction that changed the reports, with the host's row locked. Adds a line of history only if the status that the tenant reads has changed.
 * The tenant's choice for the repair ends with the repair.
 */
export async function tellOnlineRepair(
  tx: SqlReader,
  hostId: string,
  on: boolean,
  message: string,
): Promise<void> {
  const held = await queryRows(
    tx,
    sql<{ id: string }>`
    WITH held AS (
      UPDATE instance i SET updated_at = now(),
        labels = CASE WHEN ${on} THEN i.labels ELSE i.labels - ${onlineRepairLabels.deletion}::text END
      FROM host_run r WHERE r.host_id = i.host_id AND i.host_id = ${hostId}::uuid AND i.ended_at IS NULL
      RETURNING i.id, r.state = 'Assigned/Ready' AND i.release_requested_at IS NULL AS ready
    ), told AS (
      INSERT INTO instance_status_history (instance_id, status, message)
      SELECT id, ${on ? "Repairing" : "Ready"}, ${message} FROM held WHERE ready
    )
    SELECT id::text FROM held`,
  );
  if (!on && message === onlineRepairMessages.completed)
    for (const { id } of held) await ticketOfEndedRepair(tx, id);
}

/** Adds labels to the instance's own; the caller has checked the result. */
export async function storeLabels(tx: SqlReader, id: string, labels: InstanceLabels): Promise<void> {
  await execute(
    tx,
    sql`UPDATE instance SET labels = labels || ${JSON.stringify(labels)}::jsonb, updated_at = now() WHERE id = ${id}::uuid`,
  );
}
