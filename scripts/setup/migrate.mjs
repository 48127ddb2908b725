// Brings a database to the newest migration. Each migration is one transaction together with the row that records it, so that an interrupted start,
// however it ends, leaves nothing half done (docs/adr/0018-what-a-database-knows-of-itself.md). The table is Prisma's own: its command line reads it.
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../folders.mjs";

const oldestServer = 15;
/** Prisma's own lock, so that a concurrent `prisma migrate` and this wait for each other. */
const lockKey = 72_707_369;
/** SQLSTATE invalid_catalog_name. */
const noDatabase = "3D000";
/** SQLSTATE duplicate_database, and the unique_violation that PostgreSQL reports when two create it at once. */
const beingMade = new Set(["42P04", "23505"]);
/** The first migration, which replaced those of before release 0.2.0, and the last of those. */
const first = "20261129120000_release_0_2_0";
const lastBefore = "20261129050000_left_out_by_two_people";
/** A replaced migration. When it was applied is kept, because reclamations have the records that the self-audit looks for only since then. */
const recordsSince = "20261123223500_history_digest";
/** The last commit that has the replaced migrations. */
const commitBefore = "b1bddaec";

const table = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ, migration_name VARCHAR(255) NOT NULL,
  logs TEXT, rolled_back_at TIMESTAMPTZ, started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

const folder = join(root, "prisma", "migrations");

/** @returns {string[]} names of the migrations, oldest first */
export function migrations() {
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => existsSync(join(folder, name, "migration.sql")))
    : [];
  if (names.length === 0) throw new Error(`${folder} has no migrations`);
  return names.sort();
}

/**
 * Creates the database if it does not exist, and applies what is missing.
 * @param {string} databaseUrl
 * @returns {Promise<number>} how many migrations were applied
 * @throws if the server cannot be used, or if a migration fails, which is then rolled back
 */
export async function migrate(databaseUrl) {
  const client = await connect(databaseUrl);
  try {
    await requireServer(client, databaseUrl);
    // A session lock: it ends with the connection, however this process ends.
    await client.query("SELECT pg_advisory_lock($1::bigint)", [lockKey]);
    // A migration of much data takes its time, whatever limits the role has.
    await client.query(
      "SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN ('statement_timeout', 'transaction_timeout', 'lock_timeout')",
    );
    await client.query(table);
    await takeOver(client, databaseUrl);
    let count = 0;
    for (const name of migrations()) if (await apply(client, name)) count += 1;
    return count;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * A database that has the replaced migrations has what the first one makes: it is recorded in their place.
 * @param {import("pg").Client} client
 * @param {string} databaseUrl
 * @throws if it has only some of them
 */
async function takeOver(client, databaseUrl) {
  const { rows } = await client.query(
    "SELECT migration_name AS name, finished_at FROM _prisma_migrations WHERE migration_name < $1 ORDER BY 1",
    [first],
  );
  if (rows.length === 0) return;
  if (rows.some(({ finished_at }) => finished_at === null) || rows.at(-1).name !== lastBefore)
    throw unusable(
      databaseUrl,
      new Error(
        `a version before 0.2.0 migrated it, and not to the end: it has ${rows.at(-1).name}, and needs ${lastBefore}. Nothing was changed. In a clone at commit ${commitBefore} run  npm ci && npm run migrate  with the same settings, and then this command again`,
      ),
    );
  await client.query(
    `WITH kept AS (UPDATE _prisma_migrations SET migration_name = $1, checksum = $2 WHERE migration_name = $3)
     DELETE FROM _prisma_migrations WHERE migration_name < $1 AND migration_name <> $3`,
    [first, checksumOf(scriptOf(first)), recordsSince],
  );
}

/** @param {string} name */
const scriptOf = (name) => readFileSync(join(folder, name, "migration.sql"), "utf8");

/** As Prisma has it. @param {string} script */
const checksumOf = (script) => createHash("sha256").update(script).digest("hex");

/**
 * @param {import("pg").Client} client
 * @param {string} name
 * @returns {Promise<boolean>} false: it was applied before
 */
async function apply(client, name) {
  const { rowCount } = await client.query(
    "SELECT FROM _prisma_migrations WHERE migration_name = $1 AND finished_at IS NOT NULL AND rolled_back_at IS NULL",
    [name],
  );
  if (rowCount !== 0) return false;
  const script = scriptOf(name);
  try {
    await client.query("BEGIN");
    await client.query(script);
    await client.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count) VALUES ($1, $2, $3, now(), clock_timestamp(), 1)",
      [randomUUID(), checksumOf(script), name],
    );
    await client.query("COMMIT");
    return true;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw new Error(
      `the migration ${name} failed, and nothing of it was applied: ${messageOf(error)}. The data is as before; after repairing the cause, run again:  npm run migrate`,
    );
  }
}

/**
 * @param {string} databaseUrl
 * @returns {Promise<import("pg").Client>} connected to that database, which is created if it does not exist
 * @throws if the server cannot be reached
 */
export async function connect(databaseUrl) {
  const { default: pg } = await import("pg"); // imported here, because start.mjs loads this file before anything is installed
  const open = async (/** @type {string} */ url) => {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 10_000,
      application_name: "reclaim migrate",
    });
    client.on("error", () => undefined); // the statement in progress fails with it
    await client.connect();
    return client;
  };
  try {
    // Another start may be creating it right now, even one that was killed: its statement either completes or is rolled back.
    for (let attempt = 1; ; attempt += 1) {
      const client = await open(databaseUrl).catch((error) => {
        if (codeOf(error) !== noDatabase || attempt === 40) throw error;
      });
      if (client) return client;
      if (attempt > 1) await new Promise((done) => setTimeout(done, 250));
      await create(open, databaseUrl);
    }
  } catch (error) {
    throw unusable(databaseUrl, error);
  }
}

/**
 * @param {(url: string) => Promise<import("pg").Client>} open
 * @param {string} databaseUrl
 */
async function create(open, databaseUrl) {
  const server = new URL(databaseUrl);
  const name = decodeURIComponent(server.pathname.slice(1));
  server.pathname = "/postgres";
  const admin = await open(server.href);
  try {
    await admin.query(`CREATE DATABASE ${admin.escapeIdentifier(name)}`);
  } catch (error) {
    if (!beingMade.has(codeOf(error))) throw error;
  } finally {
    await admin.end();
  }
}

/** @param {import("pg").Client} client @param {string} databaseUrl */
async function requireServer(client, databaseUrl) {
  const { rows } = await client.query("SELECT current_setting('server_version_num')::int / 10000 AS major");
  if (rows[0].major < oldestServer)
    throw unusable(
      databaseUrl,
      new Error(`it is PostgreSQL ${rows[0].major}; ${oldestServer} or later is needed`),
    );
}

/** @param {string} databaseUrl @param {unknown} error */
function unusable(databaseUrl, error) {
  const { hostname, port, pathname } = new URL(databaseUrl);
  return new Error(
    `the database at ${hostname}:${port || 5432}${pathname} cannot be used: ${messageOf(error)}`,
  );
}

/** @param {unknown} error */
const codeOf = (error) => String(error instanceof Error ? Reflect.get(error, "code") : "");

/** @param {unknown} error */
const messageOf = (error) => (error instanceof Error ? error.message || codeOf(error) : String(error));
