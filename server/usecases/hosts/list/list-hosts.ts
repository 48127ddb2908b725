// The hosts list: filter, total order, and keyset pagination, so that every page costs the same however far down it is.
import { sql } from "kysely";
import { z } from "zod";
import type { RawBuilder } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { HostSort } from "@/server/contract/hosts/hosts";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { instantPart, pagesOf } from "@/server/usecases/cursor";
import type { Pages } from "@/server/usecases/cursor";
import { filterConditions, filterFrom } from "@/server/usecases/hosts/list/host-filter-sql";
import { readCauseGroups } from "@/server/usecases/hosts/list/cause-groups";
import { lastReady, selectRows, toHostRow } from "@/server/usecases/hosts/list/host-rows";
import type { HostRowRecord } from "@/server/usecases/hosts/list/host-rows";
import type { HostList, HostRow } from "@/server/contract/hosts/hosts-answers";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

export interface ListHosts {
  readonly filter: string;
  readonly sort: HostSort;
  readonly descending: boolean;
  /** Also counts the hosts by cause. */
  readonly group?: "cause" | null;
  readonly cursor: string | null;
  /** 1 to 1000. */
  readonly limit: number;
}

/** A host that was never Ready sorts as the oldest. Times are compared in whole milliseconds, the precision of the columns. */
const sortKeys = {
  since: sql`r.state_since`,
  name: sql`r.name`,
  lastReady: sql`coalesce(${lastReady}, 'epoch')`,
} satisfies Record<HostSort, RawBuilder<unknown>>;

/** For people, descending `since` means longest first: it sorts by age, not by time. */
const isTimeDescending = (sort: HostSort, descending: boolean): boolean =>
  sort === "name" ? descending : !descending;

/** What the list is sorted by, and the host's id. */
type Key = [string | Date, string];
const byTime = z.tuple([instantPart, z.guid()]);
const pages: Record<HostSort, Pages<Key>> = {
  name: pagesOf<Key>("name", z.tuple([z.string(), z.guid()])),
  since: pagesOf<Key>("since", byTime),
  lastReady: pagesOf<Key>("lastReady", byTime),
};

function after(sort: HostSort, backwards: boolean, [key, hostId]: Key): RawBuilder<unknown> {
  const value = typeof key === "string" ? sql`${key}` : sql`${key}::timestamptz`;
  return backwards
    ? sql`(${sortKeys[sort]}, r.host_id) < (${value}, ${hostId}::uuid)`
    : sql`(${sortKeys[sort]}, r.host_id) > (${value}, ${hostId}::uuid)`;
}

const sortKeyOf = (sort: HostSort, row: HostRow): string | Date => {
  switch (sort) {
    case "name":
      return row.name;
    case "since":
      return row.stateSince;
    case "lastReady":
      return row.lastReadyAt ?? new Date(0);
  }
};

const where = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  conditions.length === 0 ? sql`` : sql`WHERE ${sql.join([...conditions], sql` AND `)}`;

/** A filter that cannot be parsed is part of the answer, not an error: the page shows where, and keeps its rows. */
export async function listHosts(
  { database }: Backend,
  actor: Actor,
  query: ListHosts,
): Promise<Outcome<HostList>> {
  const scope = scopeOf(actor, "host.list");
  if (!scope.ok) return scope;
  const parsed = await filterConditions(database, query.filter);
  if (!parsed.ok)
    return done({
      rows: [],
      nextCursor: null,
      total: null,
      groups: null,
      problem: { message: parsed.message, position: parsed.position },
    });
  const { conditions } = parsed;
  const backwards = isTimeDescending(query.sort, query.descending);
  const start = pages[query.sort].start(query.cursor);
  if (!start.ok) return start;
  const rest = start.value === null ? conditions : [...conditions, after(query.sort, backwards, start.value)];
  const direction = backwards ? sql`DESC` : sql`ASC`;
  const order = sql`${sortKeys[query.sort]} ${direction}, r.host_id ${direction}`;
  const limit = Math.min(1000, Math.max(1, Math.trunc(query.limit)));
  const page = sql`SELECT r.host_id FROM ${filterFrom} ${where(rest)} ORDER BY ${order} LIMIT ${limit + 1}`;
  const [records, total, groups] = await Promise.all([
    queryRows(database, sql<HostRowRecord>`${selectRows(page, order)}`),
    query.cursor === null
      ? queryRows(
          database,
          sql<{ count: number }>`SELECT count(*)::int AS count FROM ${filterFrom} ${where(conditions)}`,
        )
      : null,
    query.cursor === null && query.group === "cause" ? readCauseGroups(database, conditions) : null,
  ]);
  const { page: rows, nextCursor } = pages[query.sort].page(records.map(toHostRow), limit, (row) => [
    sortKeyOf(query.sort, row),
    row.hostId,
  ]);
  return done({
    rows,
    nextCursor,
    total: total?.[0]?.count ?? null,
    groups,
    problem: null,
  });
}

/** The rows of these hosts that still match the filter, in no order, for updating cells in place. */
export async function readHostRows(
  { database }: Backend,
  actor: Actor,
  query: { readonly hostIds: readonly string[]; readonly filter: string },
): Promise<Outcome<readonly HostRow[]>> {
  const scope = scopeOf(actor, "host.list");
  if (!scope.ok) return scope;
  const parsed = await filterConditions(database, query.filter);
  if (!parsed.ok || query.hostIds.length === 0) return done([]);
  const page = sql`SELECT r.host_id FROM ${filterFrom} ${where([sql`r.host_id = ANY(${[...query.hostIds]}::uuid[])`, ...parsed.conditions])}`;
  return done(
    (await queryRows(database, sql<HostRowRecord>`${selectRows(page, sql`r.host_id`)}`)).map(toHostRow),
  );
}

/** Ids of all matches, ordered by name, at most `limit`; null if the filter cannot be parsed. */
export async function findHostIds(
  { database }: Backend,
  filter: string,
  limit: number,
): Promise<readonly string[] | null> {
  const parsed = await filterConditions(database, filter);
  if (!parsed.ok) return null;
  const rows = await queryRows(
    database,
    sql<{
      host_id: string;
    }>`SELECT r.host_id::text FROM ${filterFrom} ${where(parsed.conditions)} ORDER BY r.name LIMIT ${limit}`,
  );
  return rows.map(({ host_id }) => host_id);
}

/** How many hosts match. Throws if the filter cannot be parsed. */
export async function countHosts({ database }: Backend, filter: string): Promise<number> {
  const parsed = await filterConditions(database, filter);
  if (!parsed.ok) throw new Error(`the filter ${filter}: ${parsed.message}`);
  const [row] = await queryRows(
    database,
    sql<{ hosts: number }>`SELECT count(*)::int AS hosts FROM ${filterFrom} ${where(parsed.conditions)}`,
  );
  return row?.hosts ?? 0;
}
