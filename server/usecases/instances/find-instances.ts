// The instances that a person may mean by what was typed: a name or an id, or the beginning of one.
import { sql } from "kysely";
import { startingWith } from "@/server/db/like";
import { queryRows } from "@/server/db/sql";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import type { InstanceMatch } from "@/server/contract/answers/instances";
import { shortestId } from "@/server/usecases/hosts/list/find-hosts";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

/** More than these are not told apart by a list either. */
const most = 6;

/** A whole name or id wins over its beginning, and among instances of one name those that have not ended; at most six, newest first. A tenant finds its own only. */
export async function findInstances(
  { database }: Backend,
  actor: Actor,
  query: { readonly text: string },
): Promise<Outcome<readonly InstanceMatch[]>> {
  const scope = scopeOf(actor, "instance.read");
  if (!scope.ok) return scope;
  const { text } = query;
  const prefix = startingWith(text);
  const own = scope.value.kind === "all" ? sql`true` : sql`i.tenant_id = ${scope.value.tenantId}::uuid`;
  const rows = await queryRows(
    database,
    sql<{ id: string; name: string; org: string; open: boolean; exact: boolean }>`
    SELECT i.id::text, i.name, t.org, i.ended_at IS NULL AS open, (i.name = ${text} OR i.id::text = lower(${text})) AS exact FROM instance i JOIN tenant t ON t.id = i.tenant_id
    WHERE ${own} AND (i.name LIKE ${prefix} OR (length(${text}) >= ${shortestId} AND i.id::text LIKE lower(${prefix}))) ORDER BY exact DESC, open DESC, i.created_at DESC, i.id DESC LIMIT ${most}`,
  );
  const exact = rows.filter((row) => row.exact);
  const best = exact.some(({ open }) => open) ? exact.filter(({ open }) => open) : exact;
  return done((best.length > 0 ? best : rows).map(({ exact: _, ...row }) => row));
}
