// Which hosts of a filter a manual cleaning can run on, and why it cannot run on the others.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { traitRefusal } from "@/server/domain/cleaning/plan/manual";
import { quietFacts, refusal } from "@/server/domain/lifecycle/intents";
import { allStates } from "@/server/domain/lifecycle/states";
import type { CleaningCandidates } from "@/server/contract/cleaning/cleaning-answers";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { factsColumns, factsFrom, toHostFacts } from "@/server/usecases/hosts/host-facts";
import type { FactsRow } from "@/server/usecases/hosts/host-facts";
import { filterConditions, filterFrom } from "@/server/usecases/hosts/list/host-filter-sql";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

const shown = 8;
/** Hosts examined: enough to fill the list even if some of them are refused for a reason other than their state. */
const lookedAt = 60;

/** In any other state, a host cannot be cleaned manually, whatever else holds. */
const cleanable = allStates().filter((state) => refusal("clean", quietFacts(state)) === null);

/** A host whose exact name was typed comes first, then those whose state allows it. */
export async function cleaningCandidates(
  { database }: Backend,
  actor: Actor,
  { filter, runbookId }: { readonly filter: string; readonly runbookId?: string | undefined },
): Promise<Outcome<CleaningCandidates>> {
  const scope = scopeOf(actor, "host.clean");
  if (!scope.ok) return scope;
  const runbook =
    runbookId === undefined
      ? null
      : await database.runbook.findUnique({
          where: { id: runbookId },
          select: { name: true, traits: true },
        });
  if (runbookId !== undefined && runbook === null) return notFound("runbook", runbookId);
  const parsed = await filterConditions(database, filter);
  if (!parsed.ok)
    return done({
      can: [],
      cannot: [],
      total: 0,
      problem: { message: parsed.message, position: parsed.position },
    });
  const where = sql`WHERE ${sql.join([sql`true`, ...parsed.conditions], sql` AND `)}`;
  const first = sql`(r.name = ${filter.trim()}) DESC, (r.state = ANY(${cleanable})) DESC, r.name`;
  const [rows, counted] = await Promise.all([
    queryRows(
      database,
      sql<FactsRow & { traits: readonly string[] }>`
      SELECT ${factsColumns}, x.traits FROM ${factsFrom} JOIN host x ON x.id = r.host_id
      WHERE r.host_id IN (SELECT r.host_id FROM ${filterFrom} ${where} ORDER BY ${first} LIMIT ${lookedAt}) ORDER BY ${first}`,
    ),
    queryRows(database, sql<{ count: number }>`SELECT count(*)::int AS count FROM ${filterFrom} ${where}`),
  ]);
  const hosts = rows.map((row) => {
    const { hostId, state, ...facts } = toHostFacts(row);
    return {
      hostId,
      name: row.name,
      state,
      reason: refusal("clean", { state, ...facts }) ?? (runbook && traitRefusal(runbook, row.traits)),
    };
  });
  return done({
    can: hosts
      .filter(({ reason }) => reason === null)
      .slice(0, shown)
      .map(({ hostId, name, state }) => ({ hostId, name, state })),
    cannot: hosts
      .flatMap(({ reason, ...host }) => (reason === null ? [] : [{ ...host, reason }]))
      .slice(0, shown),
    total: counted[0]?.count ?? 0,
    problem: null,
  });
}
