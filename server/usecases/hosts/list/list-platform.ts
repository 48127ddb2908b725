// Items of platforms, of one host or of all: which hosts have a version, a BIOS setting, or an item that is not as wanted.
import { sql } from "kysely";
import { z } from "zod";
import type { PlatformLine, PlatformList } from "@/server/contract/hosts/platform";
import { containing } from "@/server/db/like";
import { queryRows } from "@/server/db/sql";
import type { ItemVerdict } from "@/server/domain/hosts/platform/judge";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { numberPart, pagesOf } from "@/server/usecases/cursor";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

/** Name of the host, and place of the item in the comparison. */
const pages = pagesOf<[string, number]>("platform", z.tuple([z.string(), numberPart]));

/** The newest reading of each host. Items stand in the order of the comparison. */
export async function listPlatform(
  { database }: Backend,
  actor: Actor,
  query: {
    readonly host?: string | undefined;
    readonly item: string;
    readonly found: string;
    readonly verdict?: ItemVerdict | undefined;
    readonly cursor: string | null;
    readonly limit: number;
  },
): Promise<Outcome<PlatformList>> {
  const scope = scopeOf(actor, "host.list");
  if (!scope.ok) return scope;
  const start = pages.start(query.cursor);
  if (!start.ok) return start;
  const [name, place] = start.value ?? ["", 0];
  const where = sql.join(
    [
      sql`(r.name, x.n) > (${name}, ${place})`,
      sql`lower(x.item ->> 'name') LIKE ${containing(query.item.toLowerCase())}`,
      sql`lower(x.item ->> 'found') LIKE ${containing(query.found.toLowerCase())}`,
      ...(query.host === undefined ? [] : [sql`r.host_id = ${query.host}::uuid`]),
      ...(query.verdict === undefined ? [] : [sql`x.item ->> 'verdict' = ${query.verdict}`]),
    ],
    sql` AND `,
  );
  const rows = await queryRows(
    database,
    sql<PlatformLine & { readonly place: number }>`
    SELECT r.host_id::text AS "hostId", r.name AS host, c.platform ->> 'sku' AS sku, x.item ->> 'name' AS item, x.item ->> 'wanted' AS wanted,
      x.item ->> 'found' AS found, x.item ->> 'verdict' AS verdict, (x.item ->> 'named')::boolean AS named,
      (c.platform ->> 'readAt')::timestamptz AS "readAt", x.n::int AS place
    FROM host_run r
    CROSS JOIN LATERAL (SELECT t.platform FROM reclamation t WHERE t.host_id = r.host_id AND t.platform IS NOT NULL ORDER BY t.started_at DESC, t.number DESC LIMIT 1) c
    CROSS JOIN LATERAL jsonb_array_elements(c.platform -> 'items') WITH ORDINALITY x(item, n)
    WHERE ${where} ORDER BY r.name, x.n LIMIT ${query.limit + 1}`,
  );
  const { page, nextCursor } = pages.page(rows, query.limit, (row) => [row.host, row.place]);
  return done({ rows: page.map(({ place: _, ...line }) => line), nextCursor });
}
