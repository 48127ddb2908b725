// Connections of PostgreSQL: the one place that makes pools and lends their connections, so that none is without a listener for its `error`.
import { Pool } from "pg";
import type { PoolClient, PoolConfig } from "pg";

/**
 * A pool in which a connection that breaks never ends the process. A pool listens to its idle connections only, and a lent one may break
 * before its borrower has listened: PostgreSQL's last message can arrive together with the answer that opened the connection.
 * https://node-postgres.com/apis/pool#events
 */
export function createPool(config: PoolConfig, onError: (error: Error) => void = () => undefined): Pool {
  const pool = new Pool({
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...config,
  });
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/**
 * Lends a connection to `work`, and gives it back once; one that broke meanwhile is thrown away. `spoilt` says that it may not be lent again,
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

/** Runs `work` in a transaction: commits when `keep` says so of what it gives, rolls back when not or when it throws. */
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

/** The same on a connection that somebody has. */
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
