// How many hosts of a selection can take an intent, for buttons. A bulk act stores its own preview (`bulk/preview-bulk.ts`).
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { reachOf } from "@/server/domain/access/access";
import { maxBulkHosts } from "@/server/domain/hosts/bulk-intents";
import { hostActions } from "@/server/domain/hosts/host-actions";
import type { HostIntent } from "@/server/domain/hosts/host-actions";
import { refusal } from "@/server/domain/lifecycle/intents";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { factsColumns, factsFrom, toIntentFacts } from "@/server/usecases/hosts/host-facts";
import type { FactsRow } from "@/server/usecases/hosts/host-facts";
import type { HostActPreview } from "@/server/contract/hosts/hosts-answers";
import { findHostIds } from "@/server/usecases/hosts/list/list-hosts";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

const reasonsShown = 50;

export interface HostActQuery {
  readonly target: { readonly hostIds: readonly string[] } | { readonly filter: string };
  readonly intent: HostIntent;
}

/** "Select all" is a filter, not a list. */
async function targets(
  backend: Backend,
  actor: Actor,
  { target, intent }: HostActQuery,
): Promise<Outcome<readonly string[]>> {
  if (reachOf(actor.role, hostActions[intent].right) !== "any")
    return refused("forbidden", `The role ${actor.role} may not do ${hostActions[intent].right}.`);
  if ("hostIds" in target) return done([...new Set(target.hostIds)]);
  const found = await findHostIds(backend, target.filter, maxBulkHosts + 1);
  if (found === null) return refused("invalid", "The filter is not valid.", "filter");
  return found.length > maxBulkHosts
    ? refused("invalid", `The filter finds more than ${maxBulkHosts} hosts; select fewer.`, "filter")
    : done(found);
}

const readFacts = ({ database }: Backend, hostIds: readonly string[]): Promise<FactsRow[]> =>
  queryRows(
    database,
    sql`
  SELECT ${factsColumns} FROM ${factsFrom} WHERE r.host_id = ANY(${[...hostIds]}::uuid[]) ORDER BY r.name`,
  );

/** Stores nothing. */
export async function previewHostAct(
  backend: Backend,
  actor: Actor,
  query: HostActQuery,
): Promise<Outcome<HostActPreview>> {
  const ids = await targets(backend, actor, query);
  if (!ids.ok) return ids;
  const rows = await readFacts(backend, ids.value);
  const cannot = rows.flatMap((row) => {
    const reason = refusal(query.intent, toIntentFacts(row));
    return reason === null ? [] : [{ hostId: row.host_id, name: row.name, reason }];
  });
  return done({
    total: rows.length,
    can: rows.length - cannot.length,
    cannot: cannot.slice(0, reasonsShown),
  });
}
