// Which firmware the fleet runs: hosts by model, component and version, and how many of them their SKU's baseline wants otherwise (docs/platform.md#firmware).
import { sql } from "kysely";
import { z } from "zod";
import type { FirmwareList, FirmwareRow } from "@/server/contract/hosts/platform";
import { firmwareInForce } from "@/server/db/firmware-in-force";
import { containing } from "@/server/db/like";
import { queryRows } from "@/server/db/sql";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { pagesOf } from "@/server/usecases/cursor";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

/** Model, component and version. */
const pages = pagesOf<[string, string, string]>("firmware", z.tuple([z.string(), z.string(), z.string()]));

/** Each typed word must occur in model, component or version. A host that lists a component twice in one version counts once. */
export async function listFirmware(
  { database }: Backend,
  actor: Actor,
  query: {
    readonly text: string;
    readonly differing: boolean;
    readonly cursor: string | null;
    readonly limit: number;
  },
): Promise<Outcome<FirmwareList>> {
  const scope = scopeOf(actor, "host.list");
  if (!scope.ok) return scope;
  const start = pages.start(query.cursor);
  if (!start.ok) return start;
  const after = start.value;
  const words = query.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const where = sql.join(
    [
      sql`true`,
      ...words.map(
        (word) => sql`lower(model || ' ' || component || ' ' || version) LIKE ${containing(word)}`,
      ),
      ...(query.differing ? [sql`differ > 0`] : []),
      ...(after === null ? [] : [sql`(model, component, version) > (${after[0]}, ${after[1]}, ${after[2]})`]),
    ],
    sql` AND `,
  );
  const rows = await queryRows(
    database,
    sql<FirmwareRow>`
    WITH listed AS (
      SELECT DISTINCT h.id, concat_ws(' ', h.manufacturer, h.model) AS model, f.component, f.version, v.collected_at
      FROM host h JOIN host_inventory v ON v.host_id = h.id AND v.source = 'bmc'
      CROSS JOIN LATERAL jsonb_to_recordset(v.body -> 'firmware') AS f(component text, version text)
      WHERE f.component <> '' AND f.version <> ''
    ), wanted AS (
      SELECT h.id, f.component, f.version FROM host h JOIN sku u ON u.id = h.sku_id
      LEFT JOIN LATERAL ${sql.raw(firmwareInForce)} w ON true
      CROSS JOIN LATERAL jsonb_to_recordset(coalesce(w.firmware, u.components #> '{baseline,firmware}')) AS f(component text, version text)
    ), counted AS (
      SELECT l.model, l.component, l.version, count(*)::int AS hosts,
        count(*) FILTER (WHERE w.version = l.version)::int AS "asWanted",
        count(*) FILTER (WHERE w.version <> l.version)::int AS differ, min(l.collected_at) AS "readAt"
      FROM listed l LEFT JOIN wanted w ON w.id = l.id AND w.component = l.component
      GROUP BY l.model, l.component, l.version
    )
    SELECT * FROM counted WHERE ${where} ORDER BY model, component, version LIMIT ${query.limit + 1}`,
  );
  const [missing] = await queryRows(
    database,
    sql<{ unread: number }>`
    SELECT count(*)::int AS unread FROM host h LEFT JOIN host_inventory v ON v.host_id = h.id AND v.source = 'bmc'
    WHERE h.hardware_type IS DISTINCT FROM 'fake' AND coalesce(jsonb_array_length(v.body -> 'firmware'), 0) = 0`,
  );
  const { page, nextCursor } = pages.page(rows, query.limit, (row) => [
    row.model,
    row.component,
    row.version,
  ]);
  return done({ rows: page, nextCursor, unread: missing?.unread ?? 0 });
}
