// Finds machines that left or came back since the last pass, and records why (docs/repair.md#capacity). The controller's commits do not do this: a state
// shorter than the time between two passes is not reported, and did not matter as capacity.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Database, Transaction } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import {
  capacityChanges,
  capacityLabels,
  removedReasons,
  standingOfHost,
} from "@/server/domain/break-fix/capacity";
import type { CapacityChange, HostFacts, Seen, Stories } from "@/server/domain/break-fix/capacity";
import { announce } from "@/server/usecases/break-fix/announce";
import { concerns } from "@/server/usecases/break-fix/notices";
import { closeReturned } from "@/server/usecases/break-fix/ticket-hooks";
import { lastHolding } from "@/server/usecases/repair/queue-rows";

interface Row extends HostFacts, Stories {
  readonly hostId: string;
  readonly host: string;
  readonly siteId: string;
  readonly site: string | null;
  readonly there: boolean;
  /** Of what decides how it stands. */
  readonly mark: string | null;
  readonly known: boolean;
  readonly wasIn: boolean | null;
  readonly wasReason: string | null;
  readonly ever: boolean | null;
  readonly wasInstanceId: string | null;
  readonly wasTenantId: string | null;
  readonly ticket: string | null;
  readonly notice: string | null;
  readonly planned: boolean;
}

/** Small enough for one short transaction; the next pass takes the rest. */
const hostsAtOnce = 25;

/** Whether a ticket of this instance asks for a repair. A ticket of an earlier holder does not explain why the machine leaves now. */
const asksForRepairOf = (instanceId: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`EXISTS (SELECT 1 FROM ticket t WHERE t.host_id = x.host_id AND t.closed_at IS NULL AND t.origin IN ('release', 'onlineRepair')
      AND t.instance_id = ${instanceId} -- safety: tickets: why a machine leaves is of who had it last
    )`;

/** Hosts whose capacity state differs from the last recorded one. The reason is compared only through what can change it. */
const changedHosts = sql<Row>`
  WITH now AS (
    SELECT r.host_id, r.name, r.site_id, r.state, r.allocatable, r.maintenance, h.retired,
      coalesce(r.health @> '{"classifications": ["PreventAllocations"]}', false) AS blocked, i.id AS instance_id, i.tenant_id,
      concat_ws(' ', r.allocatable OR i.id IS NOT NULL, i.id, h.retired, r.maintenance, r.state LIKE 'Failed/%', coalesce(r.health @> '{"classifications": ["PreventAllocations"]}', false)) AS mark
    FROM host_run r JOIN host h ON h.id = r.host_id LEFT JOIN instance i ON i.host_id = r.host_id AND i.ended_at IS NULL
  ), changed AS (
    SELECT n.mark, coalesce(n.host_id, c.host_id) AS host_id, coalesce(n.name, c.host_name) AS host, coalesce(n.site_id, c.site_id) AS site_id, n.host_id IS NOT NULL AS there,
      c.host_id IS NOT NULL AS known, coalesce(n.state, '') AS state, coalesce(n.allocatable, false) AS allocatable, coalesce(n.maintenance, false) AS maintenance,
      coalesce(n.retired, false) AS retired, coalesce(n.blocked, false) AS blocked, n.instance_id, n.tenant_id, c.in_service, c.reason, c.ever,
      c.instance_id AS was_instance_id, c.tenant_id AS was_tenant_id
    FROM now n FULL JOIN capacity_host c ON c.host_id = n.host_id
    WHERE c.mark IS DISTINCT FROM coalesce(n.mark, 'gone') ORDER BY 1 LIMIT ${hostsAtOnce}
  )
  SELECT x.mark, x.host_id::text AS "hostId", x.host, x.site_id::text AS "siteId", s.name AS site, x.there, x.known, x.state, x.allocatable, x.maintenance, x.retired, x.blocked,
    x.instance_id::text AS "instanceId", x.tenant_id::text AS "tenantId", x.in_service AS "wasIn", x.reason AS "wasReason", x.ever,
    x.was_instance_id::text AS "wasInstanceId", x.was_tenant_id::text AS "wasTenantId",
    ${asksForRepairOf(sql`x.was_instance_id`)} AS "tenantRepair",
    ${asksForRepairOf(lastHolding(sql`x.host_id`))} OR EXISTS (SELECT 1 FROM repair_lease l WHERE l.host_id = x.host_id AND l.ended_at IS NULL) AS repair,
    EXISTS (SELECT 1 FROM ticket t WHERE t.host_id = x.host_id AND (t.state = 'repaired' OR t.outcome = 'returned' AND t.closed_at > now() - interval '1 hour')) AS repaired,
    EXISTS (SELECT 1 FROM ticket t WHERE t.replacement_host_id = x.host_id AND t.tenant_id = x.tenant_id) AS replacement,
    EXISTS (SELECT 1 FROM ticket t WHERE t.host_id = x.host_id AND t.tenant_id = x.tenant_id AND t.outcome = 'returned') AS returned,
    (SELECT t.ref FROM (SELECT ref, closed_at, opened_at, id FROM ticket WHERE host_id = x.host_id
        UNION ALL SELECT ref, closed_at, opened_at, id FROM ticket WHERE replacement_host_id = x.host_id) t
      ORDER BY t.closed_at IS NOT NULL, t.opened_at DESC, t.id DESC LIMIT 1) AS ticket,
    n.ref AS notice, coalesce(NOT n.immediate, false) AS planned
  FROM changed x LEFT JOIN site s ON s.id = x.site_id LEFT JOIN host h ON h.id = x.host_id
    LEFT JOIN LATERAL (SELECT n.ref, n.immediate FROM notice n WHERE n.ended_at IS NULL AND n.starts_at <= now() AND ${concerns}
      ORDER BY n.starts_at DESC, n.id DESC LIMIT 1) n ON true`;

const seenOf = (row: Row): Seen | null =>
  row.known
    ? {
        inService: row.wasIn === true,
        reason: removedReasons.find((each) => each === row.wasReason) ?? null,
        ever: row.ever === true,
        instanceId: row.wasInstanceId,
        tenantId: row.wasTenantId,
      }
    : null;

interface Written {
  readonly id: string;
  readonly at: Date;
}

/** One writer at a time, so that polling by the last id misses nothing. Returns how many hosts had changed. */
export async function watchCapacity(database: Database): Promise<number> {
  return database.$transaction(async (tx) => {
    const [lock] = await queryRows(
      tx,
      sql<{ mine: boolean }>`SELECT pg_try_advisory_xact_lock(hashtext('reclaim capacity')) AS mine`,
    );
    if (lock?.mine !== true) return 0;
    const rows = await queryRows(tx, changedHosts);
    for (const row of rows) await note(tx, row);
    await closeReturned(tx);
    return rows.length;
  });
}

async function note(tx: Transaction, row: Row): Promise<void> {
  const before = seenOf(row);
  const now = standingOfHost(row.there ? row : null, before, row);
  for (const change of capacityChanges(before, now, row)) await tell(tx, row, change);
  if (!row.there) {
    await tx.capacityHost.deleteMany({ where: { hostId: row.hostId } });
    return;
  }
  const data = { hostName: row.host, siteId: row.siteId, ...now, mark: row.mark ?? "" };
  await tx.capacityHost.upsert({
    where: { hostId: row.hostId },
    create: { hostId: row.hostId, ...data },
    update: data,
  });
}

/** The host's ticket is named to a tenant only if it is that tenant's. */
async function tell(tx: Transaction, row: Row, change: CapacityChange): Promise<void> {
  const { direction, reason, tenantId, instanceId } = change;
  const [written] = await queryRows(
    tx,
    sql<Written & { ticket: string | null }>`
    INSERT INTO capacity_event (at, direction, reason, host_id, host_name, site_id, tenant_id, instance_id, ticket, notice, planned)
    SELECT coalesce((SELECT CASE WHEN ${direction} = 'added' THEN i.created_at ELSE i.ended_at END FROM instance i WHERE i.id = ${instanceId}::uuid), now()),
      ${direction}, ${reason}, ${row.hostId}::uuid, ${row.host}, ${row.siteId}::uuid, ${tenantId}::uuid, ${instanceId}::uuid,
      CASE WHEN ${tenantId}::uuid IS NULL THEN ${row.ticket}::text ELSE (SELECT t.ref FROM ticket t WHERE t.ref = ${row.ticket}::text AND t.tenant_id = ${tenantId}::uuid) END,
      ${row.notice}::text, ${row.planned}::boolean
    RETURNING id::text, at, ticket`,
  );
  if (written === undefined) return;
  const data = {
    id: written.id,
    at: written.at,
    reason,
    reasonWords: capacityLabels[reason],
    hostId: row.hostId,
    site: row.site,
    instanceId,
    ticket: written.ticket,
    notice: row.notice,
    planned: row.planned,
  };
  await announce(tx, {
    kind: direction === "added" ? "capacity.added" : "capacity.removed",
    provider: { ...data, host: row.host, tenantId },
    tenants: tenantId === null ? [] : [{ tenantId, data }],
  });
}
