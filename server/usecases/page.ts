// Numbered pages of a list, with the order of its rows.
import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { Database } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";

export interface Page<Order extends string> {
  readonly pageNumber: number;
  readonly pageSize: number;
  readonly orderBy: Order;
}

/** The rows of one page, and the total number of rows. */
export interface Paged<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

/** `… ASC, id` or `… DESC, id` for an allowed column. */
export function orderSql(
  order: string,
  columns: Readonly<Record<string, RawBuilder<unknown>>>,
  id: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const [, name = "", direction] = /^(.*)_(ASC|DESC)$/.exec(order) ?? [];
  const way = direction === "DESC" ? sql`DESC` : sql`ASC`;
  const column = columns[name];
  return column === undefined ? id : sql`${column} ${way}, ${id} ${way}`;
}

/** Reads a page and counts concurrently. `counted`: the tables and conditions of the rows. */
export async function readPage<Row extends object>(
  database: Database,
  rows: RawBuilder<Row>,
  counted: RawBuilder<unknown>,
): Promise<Paged<Row>> {
  const count = sql<{ total: number }>`SELECT count(*)::int AS total ${counted}`;
  const [found, [line]] = await Promise.all([queryRows(database, rows), queryRows(database, count)]);
  return { rows: found, total: line?.total ?? 0 };
}
