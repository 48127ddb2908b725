// The pool of the few hot statements, and how to declare one: a name, a text, typed parameters and rows (docs/design/datapath.md).
import { DatabaseError, Pool, types, type QueryResultRow } from "pg";
import { createPool } from "@/server/db/connection";

const int8Oid = 20;

/** Anything that runs a statement: the pool, one of its clients inside a transaction, or a Prisma transaction (`hotWithin`). */
export interface HotDatabase {
  query<Row extends QueryResultRow>(statement: {
    name: string;
    text: string;
    values: unknown[];
  }): Promise<{ rows: Row[] }>;
}

export interface HotPoolOptions {
  /** Maximum connections. */
  readonly max: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName?: string;
  /** An idle connection broke, for example because the database restarted. The pool replaces it. */
  readonly onError?: (error: Error) => void;
}

/**
 * A pool whose `bigint` columns arrive as BigInt, because versions and generations must not lose precision.
 * Connections are opened when first needed. The owner calls `end()`.
 */
export function createHotPool(databaseUrl: string, options: HotPoolOptions): Pool {
  return createPool(
    {
      connectionString: databaseUrl,
      max: options.max,
      application_name: options.applicationName ?? "reclaim",
      // The plans of these few statements do not depend on their parameters, and planning the larger ones costs more than running them.
      // They find rows by key; a plan made while a table was empty would scan the whole table for as long as the connection lives.
      options: "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off",
      types: {
        getTypeParser: (oid, format) =>
          oid === int8Oid && format !== "binary" ? BigInt : types.getTypeParser(oid, format),
      },
    },
    options.onError,
  );
}

/**
 * At the end of a list of rows to look up: all of them, but the planner, which does not know the limit, expects a tenth. Of the 100 that it expects of a JSON
 * parameter it would rather read a whole table that was small when a connection first planned the statement, with every dead row in it (docs/adr/0142-the-path-of-a-return.md).
 */
export const byKey = "LIMIT (SELECT NULL::bigint)";

/** The rows of a JSON parameter, looked up by key. */
export const rowsByKey = (alias: string, columns: string, parameter = "$1"): string =>
  `(SELECT * FROM jsonb_to_recordset(${parameter}::jsonb) AS ${alias}(${columns}) ${byKey}) ${alias}`;

const texts = new Map<string, string>();

/** SQLSTATE deadlock_detected: PostgreSQL cancelled this statement so that the other could continue. */
const deadlockDetected = "40P01";
/** Maximum attempts of a statement that is cancelled for deadlocks. Statements about many hosts lock them in id order, so even one is rare. */
const maxRuns = 4;

/**
 * On a pool a statement is its own transaction: one that was cancelled for a deadlock has done nothing, and is retried. Inside another
 * transaction all of that is rolled back, so it throws.
 */
async function runAgain<T>(database: HotDatabase, run: () => Promise<T>): Promise<T> {
  for (let runs = 1; ; runs += 1) {
    try {
      return await run();
    } catch (error) {
      // safety: pool: a statement that a deadlock undid runs again (always)
      if (
        !(
          database instanceof Pool &&
          error instanceof DatabaseError &&
          error.code === deadlockDetected &&
          runs < maxRuns
        )
      )
        throw error;
    }
  }
}

/**
 * Declares one prepared statement: parsed once per connection under `name`, run by the returned function. Parameters go to the server as
 * `pg` sends them: objects as JSON, but arrays as PostgreSQL arrays, so a JSON array must be passed as text (`JSON.stringify`).
 * Throws if two statements share a name, which would silently run the wrong one.
 */
export function named<Row extends QueryResultRow, Parameters extends readonly unknown[]>(
  name: string,
  text: string,
): (database: HotDatabase, ...parameters: Parameters) => Promise<Row[]> {
  const known = texts.get(name);
  if (known !== undefined && known !== text) throw new Error(`two hot statements are called ${name}`);
  if (name.length > 63) throw new Error(`${name}: PostgreSQL cuts names after 63 bytes`);
  texts.set(name, text);
  return async (database, ...parameters) => {
    const result = await runAgain(database, () =>
      database.query<Row>({ name, text, values: [...parameters] }),
    );
    return result.rows;
  };
}

/** Every statement declared so far, by name, for the test that each fits the schema. */
export function hotStatements(): ReadonlyMap<string, string> {
  return texts;
}
