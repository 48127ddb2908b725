// Which machines there are, and why some left and came back; a tenant sees its own (docs/repair.md#capacity).
import { sql } from "kysely";
import type { z } from "zod";
import type { CapacityEvent, CapacityNode, capacity as contract } from "@/server/contract/break-fix/capacity";
import { queryRows } from "@/server/db/sql";
import { capacityReasons, capacityLabels } from "@/server/domain/break-fix/capacity";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

type EventRow = Omit<CapacityEvent, "reason" | "reasonWords"> & { readonly reason: string };

/** The cursor is the id of an event that the reader may see; sequence numbers are not exposed. */
export async function capacityEvents(
  { database }: Backend,
  actor: Actor,
  { after, order, hostId, site, limit }: z.output<typeof contract.events.input>,
): Promise<Outcome<readonly CapacityEvent[]>> {
  const scope = scopeOf(actor, "capacity.read");
  if (!scope.ok) return scope;
  const tenant = scope.value.kind === "tenant" ? scope.value.tenantId : null;
  const own = tenant === null ? sql`true` : sql`e.tenant_id = ${tenant}::uuid`;
  const known =
    after === undefined
      ? []
      : await queryRows(
          database,
          sql<{ seq: bigint }>`SELECT e.seq FROM capacity_event e WHERE e.id = ${after}::uuid AND ${own}`,
        );
  const [last] = known;
  const newest = order === "newest";
  if (after !== undefined && last === undefined) return notFound("event", after);
  const rows = await queryRows(
    database,
    sql<EventRow>`
    SELECT e.id::text, e.at, e.direction, e.reason, e.host_id::text AS "hostId", CASE WHEN ${tenant === null}::boolean THEN e.host_name END AS host, s.name AS site,
      t.name AS tenant, e.instance_id::text AS "instanceId", i.name AS instance, e.ticket, e.notice, e.planned
    FROM capacity_event e LEFT JOIN site s ON s.id = e.site_id LEFT JOIN tenant t ON t.id = e.tenant_id
      LEFT JOIN instance i ON i.id = e.instance_id
    WHERE ${own} AND ${last === undefined ? sql`true` : sql`e.seq ${newest ? sql`<` : sql`>`} ${String(last.seq)}::bigint`}
      AND ${hostId === undefined ? sql`true` : sql`e.host_id = ${hostId}::uuid`} AND ${site === undefined ? sql`true` : sql`s.name = ${site}`}
    ORDER BY e.seq ${newest ? sql`DESC` : sql``} LIMIT ${limit}`,
  );
  return done(
    rows.map((row) => {
      const reason = capacityReasons.find((each) => each === row.reason) ?? "released";
      return { ...row, reason, reasonWords: capacityLabels[reason] };
    }),
  );
}

/** Ordered by id. */
export async function capacityNodes(
  { database }: Backend,
  actor: Actor,
  { after, limit }: z.output<typeof contract.nodes.input>,
): Promise<Outcome<readonly CapacityNode[]>> {
  const scope = scopeOf(actor, "capacity.read");
  if (!scope.ok) return scope;
  const tenant = scope.value.kind === "tenant" ? scope.value.tenantId : null;
  return done(
    await queryRows(
      database,
      sql<CapacityNode>`
      SELECT h.id::text AS "hostId", CASE WHEN ${tenant === null}::boolean THEN h.name END AS host,
        (r.health @> '{"classifications": ["PreventAllocations"]}') IS NOT TRUE AND r.state NOT LIKE 'Failed/%' AS healthy,
        i.id IS NOT NULL AS "inUse", i.id::text AS "instanceId", h.created_at AS "createdAt", i.ready_at AS "handedOverAt",
        nullif(concat_ws(' ', h.manufacturer, h.model), '') AS hardware, k.name AS sku,
        (SELECT CASE WHEN jsonb_typeof(v.body -> 'gpus') = 'array' THEN jsonb_array_length(v.body -> 'gpus') END FROM host_inventory v
          WHERE v.host_id = h.id ORDER BY v.source = 'agent' DESC, v.collected_at DESC LIMIT 1) AS gpus,
        t.org AS account, s.name AS region
      FROM host h JOIN host_run r ON r.host_id = h.id LEFT JOIN site s ON s.id = h.site_id LEFT JOIN sku k ON k.id = h.sku_id
        LEFT JOIN instance i ON i.host_id = h.id AND i.ended_at IS NULL LEFT JOIN tenant t ON t.id = i.tenant_id
      WHERE ${tenant === null ? sql`true` : sql`i.tenant_id = ${tenant}::uuid`} AND ${after === undefined ? sql`true` : sql`h.id > ${after}::uuid`}
      ORDER BY h.id LIMIT ${limit}`,
    ),
  );
}
