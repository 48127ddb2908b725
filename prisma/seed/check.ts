// What `npm start` asks before it changes anything: is this database one that it may use with this key, and may demo data go into it.
import { Client, DatabaseError } from "pg";
import type { SeedConfig } from "@/server/config";
import { checkKey, readContent } from "@/server/db/database-state";
import type { Ask } from "@/server/db/database-state";
import { seedingOf } from "@/server/domain/database/seeding";
import type { Seeding } from "@/server/domain/database/seeding";

/** SQLSTATE invalid_catalog_name: the server has no database of that name, and `npm start` makes it. */
const noDatabase = "3D000";

/** Changes nothing. Throws WrongKeyError, or what the database says when it cannot be asked. */
export async function check(config: SeedConfig): Promise<Seeding> {
  const client = new Client({
    connectionString: config.databaseUrl,
    connectionTimeoutMillis: 10_000,
    application_name: "reclaim start",
  });
  client.on("error", () => undefined); // the statement that is under way fails with it
  const fleet = config.simulator !== undefined;
  try {
    await client.connect();
    const ask: Ask = async (text, ...values) =>
      (await client.query<Record<string, unknown>>(text, [...values])).rows;
    await checkKey(ask, config.encryptionKey);
    return seedingOf(await readContent(ask, config.simulator?.networkToken), fleet);
  } catch (error) {
    if (error instanceof DatabaseError && error.code === noDatabase)
      return { kind: "seed", marker: fleet ? "fleet" : "people" };
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}
