// The migrated database that every test's database is a copy of: made once per set of migrations, and never connected to again.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Client } from "pg";
import { migrate, migrations } from "@/scripts/setup/migrate.mjs";

/** The same server's address with another database. */
export function onServer(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** Runs statements on the server's own database `postgres`. */
export async function administer<Result>(
  serverUrl: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: onServer(serverUrl, "postgres") });
  client.on("error", () => undefined); // a pending query fails by itself
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * @param serverUrl address of any database on the server; its user must be allowed to create databases
 * @returns name of the template
 */
export async function ensureTemplate(serverUrl: string): Promise<string> {
  const hash = createHash("sha256");
  for (const name of migrations()) {
    hash
      .update(name)
      .update(readFileSync(new URL(`../../../prisma/migrations/${name}/migration.sql`, import.meta.url)));
  }
  const template = `reclaim_template_${hash.digest("hex").slice(0, 16)}`;
  await administer(serverUrl, async (client) => {
    await client.query("SELECT pg_advisory_lock(hashtext($1))", [template]); // two test runs may share a server
    const { rows } = await client.query("SELECT datistemplate FROM pg_database WHERE datname = $1", [
      template,
    ]);
    if (rows[0]?.datistemplate === true) return;
    await client.query(`DROP DATABASE IF EXISTS ${template}`); // left incomplete by a run that was killed
    await migrate(onServer(serverUrl, template));
    await client.query(`ALTER DATABASE ${template} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`);
  });
  return template;
}
