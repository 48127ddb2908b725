// The pool of the few hot statements, and how one is declared: a name, a text, typed parameters and rows (docs/design/datapath.md).
import { DatabaseError, Pool, types, type QueryResultRow } from "pg";
import { createPool } from "@/server/db/connection";

const int8Oid = 20;

/** Anything that runs a statement: the pool, one client of it inside a transaction, or a Prisma transaction (`hotWithin`). */
export interface HotDatabase {
  query<Row extends QueryResultRow>(statement: {
    name: string;
    text: string;
    values: unknown[];
  }): Promise<{ rows: Row[] }>;
}

export interface HotPoolOptions {
  /** Most connections at once. */
  readonly max: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName?: string;
  /** An idle connection broke, for example because the database restarted; the pool replaces it. */
  readonly onError?: (error: Error) => void;
}

/**
 * A pool whose `bigint` columns arrive as BigInt, because versions and generations must not lose precision.
 * Connections are made when first needed. The owner calls `end()`.
 */
export function createHotPool(databaseUrl: string, options: HotPoolOptions): Pool {
  return createPool(
    {
      connectionString: databaseUrl,
      max: options.max,
      application_name: options.applicationName ?? "reclaim",
      // The plans of the few statements do not depend on their parameters, and planning the larger ones costs more than running them.
      // They find their rows by key: a plan made while a table was empty would read all of it for as long as the connection lives.
      options: "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off",
      types: {
        getTypeParser: (oid, format) =>
          oid === int8Oid && format !== "binary" ? BigInt : types.getTypeParser(oid, format),
      },
    },
    options.onError,
  );
}

const texts = new Map<string, string>();

/** SQLSTATE deadlock_detected: PostgreSQL has undone this statement so that the other could go on. */
const deadlockDetected = "40P01";
/** Runs of one statement that deadlocks end in. Statements about many hosts lock them in the order of their ids, so that even one is rare. */
const mostRuns = 4;

/** On a pool a statement is its own transaction: one that was undone for a deadlock has done nothing, and runs again. Inside another's transaction all of that is undone, so it throws. */
async function runAgain<T>(database: HotDatabase, run: () => Promise<T>): Promise<T> {
  for (let runs = 1; ; runs += 1) {
    try {
      return await run();
    } catch (error) {
      // safety: pool: a statement that a deadlock undid runs again (always)
      if (!(
        database instanceof Pool &&
        error instanceof DatabaseError &&
        error.code === deadlockDetected &&
        runs < mostRuns
      ))
        throw error;
    }
  }
}

/**
 * Declares one prepared statement: parsed once per connection under `name`, run by the returned function. Parameters go to the server as
 * `pg` sends them: objects as JSON, but arrays as PostgreSQL arrays, so a JSON array must be given as text (`JSON.stringify`).
 * Throws when two statements share a name, which would silently run the wrong one.
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

/** Every statement declared so far, by name: for the test that each of them fits the schema. */
export function hotStatements(): ReadonlyMap<string, string> {
  return texts;
}
