// Where cleaning, or a step that erases, is left out now. Every page asks for it, so it reads small tables and a partial index.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { LeftOut } from "@/server/contract/access/session";
import { automatedErases } from "@/server/domain/cleaning/steps/catalogue";

/** How many places are named. */
const maxNamed = 5;

type Row = LeftOut["places"][number] & { readonly total: number };

export async function readLeftOut(reader: SqlReader): Promise<LeftOut> {
  const rows = await queryRows(
    reader,
    sql<Row>`
    SELECT scope, id::text AS id, name, steps, count(*) OVER ()::int AS total FROM (
      -- What cannot be read is no proof that hosts are cleaned.
      SELECT 'site' AS scope, s.id, s.name, '{}'::text[] AS steps FROM site s LEFT JOIN site_policy p ON p.site_id = s.id AND p.version = s.policy_version
        WHERE (p.body->>'automatedClean') IS DISTINCT FROM 'true'
      UNION ALL
      SELECT 'host', h.id, h.name, '{}' FROM host h WHERE h.automated_clean = false
      UNION ALL
      SELECT o.scope, o.scope_id, coalesce(s.name, k.name, h.name), array_agg(o.interface || '.' || o.step ORDER BY o.interface, o.step)
        FROM step_override o LEFT JOIN site s ON s.id = o.scope_id LEFT JOIN sku k ON k.id = o.scope_id LEFT JOIN host h ON h.id = o.scope_id
        WHERE o.priority = 0 AND o.interface || '.' || o.step = ANY(${[...automatedErases]}::text[]) GROUP BY 1, 2, 3
    ) AS places ORDER BY array_position(ARRAY['site', 'sku', 'host'], scope), name, steps LIMIT ${maxNamed}`,
  );
  return { places: rows.map(({ total: _, ...place }) => place), total: rows[0]?.total ?? 0 };
}
