// PostgreSQL connections. Only this file makes pools and lends their connections, so that none lacks an `error` listener.
import { Pool } from "pg";
import type { PoolClient, PoolConfig } from "pg";

/**
 * Limits of every session, in milliseconds. A transaction that its client forgot keeps PostgreSQL from removing dead rows, and may hold locks. Roles have
 * the same limits (scripts/setup/roles.mjs), for sessions that we did not open.
 */
export const sessionLimits = {
  idle_in_transaction_session_timeout: 60_000,
  statement_timeout: 15 * 60_000,
} as const;

/**
 * A pool in which a broken connection never ends the process. A pool listens only to its idle connections, and a lent one may break
 * before its borrower listens: PostgreSQL's last message can arrive together with the answer that opened the connection.
 * https://node-postgres.com/apis/pool#events
 */
export function createPool(config: PoolConfig, onError: (error: Error) => void = () => undefined): Pool {
  const pool = new Pool({
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...sessionLimits,
    ...config,
  });
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/**
 * Lends a connection to `work` and returns it once; a broken one is discarded. Call `spoilt` if it must not be lent again,
 * for example because its transaction could not be ended.
 */
export async function withConnection<T>(
  pool: Pool,
  work: (client: PoolClient, spoilt: () => void) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  const spoilt = (): void => {
    broken = true;
  };
  client.on("error", spoilt);
  try {
    return await work(client, spoilt);
  } finally {
    client.off("error", spoilt);
    client.release(broken);
  }
}

/** Runs `work` in a transaction. Commits if `keep` accepts its value; rolls back otherwise, or if it throws. */
export async function withTransaction<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  keep: (value: T) => boolean = () => true,
): Promise<T> {
  return withConnection(pool, async (client, spoilt) => {
    try {
      await client.query("BEGIN");
      const value = await work(client);
      await client.query(keep(value) ? "COMMIT" : "ROLLBACK");
      return value;
    } catch (error) {
      await client.query("ROLLBACK").catch(spoilt);
      throw error;
    }
  });
}

/** The same on a connection that the caller already has. */
export async function withinTransaction(client: PoolClient, work: () => Promise<void>): Promise<void> {
  try {
    await client.query("BEGIN");
    await work();
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}
