// SQL as text with the type of its rows, on any of our connections: `queryRows(on, sql<Row>`…`)`, and `execute` for a change (docs/adr/0040-the-host-record-once.md).
import { CompiledQuery, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import type { DatabaseConnection, Driver, QueryResult, RawBuilder } from "kysely";
import { types } from "pg";
import type { Pool, PoolClient, QueryResultRow } from "pg";
import type { HotDatabase } from "@/server/db/hot/pool";
import { findPool } from "@/server/db/prisma";
import type { Reader } from "@/server/db/prisma";
import { statementNames } from "@/server/db/statement-names";
import { perProcess } from "@/server/process/process-state";

/** Runs statements on one source of connections: a pool, or one transaction. Kysely's builder is hidden, so that there is one way to ask. */
export type Sql = Pick<Kysely<unknown>, "executeQuery" | "getExecutor">;

/** Anything that a statement can run on: Prisma's client, a Prisma transaction, or our own. */
export type SqlReader = Reader | Sql;

const int8Oid = 20;
const typed = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === int8Oid && format !== "binary" ? BigInt : types.getTypeParser(oid, format),
};
/** Names count towards what a connection keeps prepared. */
const namesOfStatements = perProcess("sqlStatementNames", () => statementNames("sql"));

type Send = (query: CompiledQuery) => Promise<QueryResult<unknown>>;

const sendTo =
  (client: Pool | PoolClient): Send =>
  async ({ sql, parameters }) => {
    const { rows, rowCount } = await client.query<Record<string, unknown>>({
      name: namesOfStatements()(sql),
      text: sql,
      values: [...parameters],
      types: typed,
    });
    return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
  };

/** Prisma does not expose the connection of its transactions. */
const sendWithin =
  (tx: Reader): Send =>
  async ({ sql, parameters }) => ({ rows: await tx.$queryRawUnsafe<unknown[]>(sql, ...parameters) });

const noTransaction = (): Promise<never> =>
  Promise.reject(new Error("transactions are made by server/db/transaction.ts"));

function builderOn(send: Send): Sql {
  const connection: DatabaseConnection = {
    // The statement names the type of its rows; at run time nothing knows it.
    executeQuery: async <Row>(query: CompiledQuery) => (await send(query)) as QueryResult<Row>,
    streamQuery: () => {
      throw new Error("rows are not streamed");
    },
  };
  const driver: Driver = {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: noTransaction,
    commitTransaction: noTransaction,
    rollbackTransaction: noTransaction,
    releaseConnection: () => Promise.resolve(),
    destroy: () => Promise.resolve(),
  };
  return new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (on) => new PostgresIntrospector(on),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

const builders = perProcess("sqlBuilders", () => new WeakMap<object, Sql>());

/** Each of Next's bundles may have its own `Kysely` class, so `instanceof` fails for what another bundle made (docs/adr/0017-one-per-process.md). */
const isBuilder = (on: SqlReader): on is Sql => "getExecutor" in on;

/** The builder on a client or transaction. For a client that `createDatabase` made, statements go to its pool and bypass Prisma. */
export function sqlOf(on: SqlReader): Sql {
  const known = builders().get(on);
  if (known !== undefined) return known;
  // After the lookup: Prisma's client is a slow proxy to ask for its members.
  if (isBuilder(on)) return on;
  const pool = findPool(on);
  const made = builderOn(pool === undefined ? sendWithin(on) : sendTo(pool));
  builders().set(on, made);
  return made;
}

/** The builder on one connection, such as a transaction's, or on a pool without a client. One for each: making one takes 40 µs. */
export function sqlOn(client: Pool | PoolClient): Sql {
  const known = builders().get(client);
  if (known !== undefined) return known;
  const made = builderOn(sendTo(client));
  builders().set(client, made);
  return made;
}

/** Rows of a statement written as text. */
export async function queryRows<Row>(on: SqlReader, statement: RawBuilder<Row>): Promise<Row[]> {
  return (await statement.execute(sqlOf(on))).rows;
}

/** Runs a statement that is written as text and returns no rows. Returns how many rows it changed. */
export async function execute(on: SqlReader, statement: RawBuilder<unknown>): Promise<number> {
  const { sql, parameters } = statement.compile(sqlOf(on));
  return executeText(on, sql, parameters);
}

/** The same with text and parameters given separately, because a hot statement shares the text. */
export async function executeText(
  on: SqlReader,
  text: string,
  parameters: readonly unknown[],
): Promise<number> {
  if (!isBuilder(on) && findPool(on) === undefined) return on.$executeRawUnsafe(text, ...parameters);
  const { numAffectedRows } = await sqlOf(on).executeQuery(CompiledQuery.raw(text, [...parameters]));
  return Number(numAffectedRows ?? 0n);
}

/** Lets a hot statement run on the same connection. Values are sent as text there, so no precision is lost. */
export function hotWithin(on: SqlReader): HotDatabase {
  return {
    query: async <Row extends QueryResultRow>({ text, values }: { text: string; values: unknown[] }) => {
      const { rows } = await sqlOf(on).executeQuery<Row>(CompiledQuery.raw(text, values));
      return { rows };
    },
  };
}
