// Brings a database to the newest migration, and makes sure that it is there: the Prisma CLI ends with 0 when its engine dies.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pinnedNode, root } from "../folders.mjs";
import { run } from "./command.mjs";

const oldestServer = 15;

/** @returns {string[]} names of the migrations, oldest first */
export function migrations() {
  const folder = join(root, "prisma", "migrations");
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => existsSync(join(folder, name, "migration.sql"))) : [];
  if (names.length === 0) throw new Error(`${folder} has no migrations`);
  return names.sort();
}

/**
 * Makes the database if the server has none of that name, and applies what is missing.
 * @param {string} databaseUrl
 * @returns {Promise<number>} how many migrations were applied
 */
export async function migrate(databaseUrl) {
  const before = await applied(databaseUrl);
  const missing = migrations().filter((name) => !before.includes(name));
  if (missing.length === 0) return 0;
  const output = await run(pinnedNode, [join(root, "node_modules", "prisma", "build", "index.js"), "migrate", "deploy"], {
    name: "prisma migrate deploy",
    env: { DATABASE_URL: databaseUrl, CHECKPOINT_DISABLE: "1", PRISMA_HIDE_UPDATE_MESSAGE: "1" },
  });
  const after = await applied(databaseUrl);
  const left = migrations().filter((name) => !after.includes(name));
  if (left.length > 0) throw new Error(`migrations not applied: ${left.join(", ")}\n${output.trim()}`);
  return missing.length;
}

/**
 * @param {string} databaseUrl
 * @returns {Promise<string[]>} none when the database does not exist yet
 * @throws when the server cannot be reached or is too old
 */
async function applied(databaseUrl) {
  const { default: pg } = await import("pg"); // here, because start.mjs loads this file before anything is installed
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    const { rows: versions } = await client.query("SELECT current_setting('server_version_num')::int / 10000 AS major");
    if (versions[0].major < oldestServer) throw new Error(`it is PostgreSQL ${versions[0].major}; ${oldestServer} or later is needed`);
    const { rows } = await client.query(`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS "exists"`);
    if (!rows[0].exists) return [];
    const done = await client.query("SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL");
    return done.rows.map((row) => row.migration_name);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "3D000") return []; // no such database
    const { hostname, port, pathname } = new URL(databaseUrl);
    const message = error instanceof Error ? error.message || String(Reflect.get(error, "code")) : String(error);
    throw new Error(`the database at ${hostname}:${port || 5432}${pathname} cannot be used: ${message}`);
  } finally {
    await client.end().catch(() => undefined);
  }
}
