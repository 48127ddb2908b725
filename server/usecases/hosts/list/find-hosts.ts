// The hosts that a typed text may refer to: a name or an id, or the beginning of one.
import { sql } from "kysely";
import { startingWith } from "@/server/db/like";
import { queryRows } from "@/server/db/sql";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import type { HostMatch } from "@/server/contract/hosts/hosts-answers";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

/** A longer list would not help to choose. */
const most = 6;
/** A shorter prefix of an id may be a mistyped name. */
export const shortestId = 8;

/** Exactly one for a full name or id, even if others begin with it; else at most six that begin with the text, by name. Empty if there is no such host. */
export async function findHosts(
  { database }: Backend,
  actor: Actor,
  query: { readonly text: string },
): Promise<Outcome<readonly HostMatch[]>> {
  const scope = scopeOf(actor, "host.read");
  if (!scope.ok) return scope;
  const { text } = query;
  const prefix = startingWith(text);
  const rows = await queryRows(
    database,
    sql<{ id: string; name: string; state_version: bigint; exact: boolean }>`
    SELECT r.host_id::text AS id, r.name, r.state_version, (r.name = ${text} OR r.host_id::text = lower(${text})) AS exact FROM host_run r
    WHERE r.name LIKE ${prefix} OR (length(${text}) >= ${shortestId} AND r.host_id::text LIKE lower(${prefix})) ORDER BY exact DESC, r.name LIMIT ${most}`,
  );
  const exact = rows.filter((row) => row.exact);
  return done(
    (exact.length > 0 ? exact : rows).map(({ id, name, state_version }) => ({
      id,
      name,
      stateVersion: String(state_version),
    })),
  );
}
