// The instances that a typed text may refer to: a name or an id, or the beginning of one.
import { sql } from "kysely";
import { startingWith } from "@/server/db/like";
import { queryRows } from "@/server/db/sql";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import type { InstanceMatch } from "@/server/contract/instances/instances-answers";
import { shortestId } from "@/server/usecases/hosts/list/find-hosts";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

/** A longer list would not help to choose. */
const most = 6;

/**
 * A full name or id is preferred over its prefix, and among instances with the same name, those that have not ended. At most six, newest first. A tenant
 * finds only its own.
 */
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
