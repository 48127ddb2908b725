// Releases instances and notifies the controller, the screens and the audit log: one statement for all concurrent releases
// (docs/adr/0001-host-row-as-queue.md).
import { auditInsert, auditText } from "@/server/db/audit";
import type { AuditEvent } from "@/server/db/audit";
import { gathered } from "@/server/db/hot/gather";
import { rowsByKey } from "@/server/db/hot/pool";
import { jsonText } from "@/server/db/hot/json-text";
import type { HotDatabase } from "@/server/db/hot/pool";
import { feedChannel, wakeChannel, wokenWith } from "@/server/db/hot/signal";
import type { Signal } from "@/server/domain/lifecycle/signals";

interface Question {
  readonly instance_id: string;
  readonly host_id: string;
  readonly tenant_id: string | null;
  readonly released_by: string | null;
  readonly message: string;
  /** JSON as text; `jsonText` has replaced what `jsonb` cannot store. */
  readonly payload: string;
  readonly repair: boolean;
  readonly audit: string;
}

// Hosts are locked before instances, in the order of their ids, as in a commit.
const release = gathered<{ readonly instance_id: string }, Question>(
  "release_instances",
  `
  WITH q AS (
    SELECT * FROM ${rowsByKey("q", "n int, instance_id uuid, host_id uuid, tenant_id uuid, released_by uuid, message text, payload text, repair boolean, audit text")}
  ), held AS (
    SELECT r.host_id FROM host_run r WHERE r.host_id IN (SELECT host_id FROM q)
      AND (r.health @> '{"classifications": ["PreventInstanceDeletion"]}') IS NOT TRUE -- safety: release: an alert that came meanwhile prevents it
    ORDER BY r.host_id FOR NO KEY UPDATE
  ), released AS (
    UPDATE instance i SET release_requested_at = now(), released_by = q.released_by, repair_release = coalesce(q.repair, false), updated_at = now()
    FROM q JOIN held ON held.host_id = q.host_id
    WHERE i.id = q.instance_id AND i.ended_at IS NULL AND i.release_requested_at IS NULL
    RETURNING q.*
  ), history AS (
    INSERT INTO instance_status_history (instance_id, status, message)
    SELECT instance_id, 'Terminating', message FROM released
  ), input AS (
    SELECT host_id, 'release' AS kind, payload::jsonb AS payload FROM released
  ), ${wokenWith(`,
      boot_held = true -- safety: held: the release is accepted → boot_held = r.boot_held
  `)}, fed AS (
    INSERT INTO feed (host_id, tenant_id, what) SELECT host_id, tenant_id, 'release' FROM released
  ), audited AS (${auditInsert("(SELECT jsonb_agg(e) FROM released, jsonb_array_elements(audit::jsonb) e)")})
  SELECT n, instance_id::text, pg_notify('${feedChannel}', '')::text AS feed, pg_notify('${wakeChannel}', '')::text AS wake
  FROM released`,
);

export interface InstanceRelease {
  readonly instanceId: string;
  readonly hostId: string;
  readonly tenantId: string | null;
  readonly releasedBy: string | null;
  /** For the instance's status history. */
  readonly message: string;
  /** It ends a repair. */
  readonly repair?: boolean;
  readonly payload: Extract<Signal, { kind: "release" }>["payload"];
}

/** True if this call released it. False if another call was first or the instance has ended; then nothing was written. */
export async function markReleased(
  database: HotDatabase,
  { instanceId, hostId, tenantId, releasedBy, message, payload, repair = false }: InstanceRelease,
  events: readonly AuditEvent[],
): Promise<boolean> {
  const row = await release(database, {
    instance_id: instanceId,
    host_id: hostId,
    tenant_id: tenantId,
    released_by: releasedBy,
    message,
    payload: jsonText(payload),
    repair,
    audit: auditText(events),
  });
  return row !== undefined;
}
