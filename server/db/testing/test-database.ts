// A database for each test file: a copy of the migrated template, so that tests never see each other's rows.
import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { Pool } from "pg";
import { dropWhenLeft } from "@/scripts/testing/drop-database.mjs";
import { onServer } from "@/server/db/testing/template";

export interface TestDatabase {
  readonly url: string;
  /** Ends all sessions on it and removes it. */
  drop(): Promise<void>;
}

let administrators: Pool | null = null;

/** One connection for all files of a worker: a new one costs as much processor time as a third of a copied database (docs/adr/0035-cheap-tests.md). */
function administrator(serverUrl: string): Pool {
  const connectionString = onServer(serverUrl, "postgres");
  return (administrators ??= new Pool({
    connectionString,
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  }));
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
  // File by file: through the write-ahead log each page would be written twice.
  await administrator(serverUrl).query(
    `CREATE DATABASE ${name} TEMPLATE ${inject("testTemplate")} STRATEGY FILE_COPY`,
  );
  return {
    url: onServer(serverUrl, name),
    drop: () => dropWhenLeft((statement, values) => administrator(serverUrl).query(statement, values), name),
  };
}
