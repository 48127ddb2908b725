// Drops a database that a test run created on a server.
import { setTimeout as wait } from "node:timers/promises";

const waitMs = 2_000;
const lookMs = 20;

/**
 * Sessions that are ending are waited for: one that is ended by force tells its client, which nobody may listen to any more. What is left then is ended.
 * @param {(statement: string, values?: unknown[]) => Promise<{ rows: readonly unknown[] }>} query on another database of the server
 * @param {string} name of letters, digits and underscores
 */
export async function dropWhenLeft(query, name) {
  const open = "SELECT FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend' LIMIT 1";
  for (let waited = 0; waited < waitMs; waited += lookMs) {
    if ((await query(open, [name])).rows.length === 0) break;
    await wait(lookMs);
  }
  await query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
}

/** @param {string} databaseUrl */
export async function dropDatabase(databaseUrl) {
  const { default: pg } = await import("pg");
  const url = new URL(databaseUrl);
  const name = url.pathname.slice(1);
  url.pathname = "/postgres";
  const client = new pg.Client({ connectionString: url.href });
  client.on("error", () => undefined); // the query on it fails by itself
  await client.connect();
  try {
    await dropWhenLeft((statement, values) => client.query(statement, values), name);
  } finally {
    await client.end();
  }
}
