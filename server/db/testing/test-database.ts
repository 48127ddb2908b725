// A database for each test file: a copy of the migrated template, so that tests never see each other's rows.
import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { administer, onServer } from "@/server/db/testing/template";

export interface TestDatabase {
  readonly url: string;
  /** Ends all sessions on it and removes it. */
  drop(): Promise<void>;
}

/**
 * For the vitest project `integration`. Call in `beforeAll`, and `drop()` in `afterAll`:
 * ```ts
 * let database: TestDatabase;
 * beforeAll(async () => { database = await createTestDatabase(); });
 * afterAll(() => database.drop());
 * ```
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = inject("testServerUrl");
  const name = `${inject("testPrefix")}${randomBytes(6).toString("hex")}`;
  await administer(serverUrl, (client) =>
    // File by file: through the write-ahead log each page would be written twice.
    client.query(`CREATE DATABASE ${name} TEMPLATE ${inject("testTemplate")} STRATEGY FILE_COPY`),
  );
  return {
    url: onServer(serverUrl, name),
    drop: async () => {
      await administer(serverUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
}
