// Drops a database that a test run created on a server.

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
    await client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(name)} WITH (FORCE)`);
  } finally {
    await client.end();
  }
}
