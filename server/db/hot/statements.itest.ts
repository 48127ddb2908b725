// Every hot statement fits the schema (PostgreSQL prepares each of them), and no name is used twice.
import { readdirSync } from "node:fs";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createHotPool, hotStatements, named } from "@/server/db/hot/pool";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing/test-database";

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  client.on("error", () => undefined); // a pending query fails by itself
  await client.connect();
  const files = readdirSync(new URL(".", import.meta.url), { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => /^[a-z/-]+\.ts$/.test(name)))
    await import(/* @vite-ignore */ new URL(file, import.meta.url).href);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

it("prepares", async () => {
  const statements = [...hotStatements()];
  expect(statements.length).toBeGreaterThan(20);
  const broken: string[] = [];
  for (const [name, text] of statements) {
    await client
      .query(`PREPARE "${name}" AS ${text}`)
      .catch((error: unknown) =>
        broken.push(`${name}: ${error instanceof Error ? error.message : String(error)}`),
      );
  }
  expect(broken).toEqual([]);
});

it("refuses a second statement of the same name, and a name that PostgreSQL would cut", () => {
  named("only_once", "SELECT 1");
  expect(() => named("only_once", "SELECT 1")).not.toThrow();
  expect(() => named("only_once", "SELECT 2")).toThrow(/only_once/);
  expect(() => named("x".repeat(64), "SELECT 1")).toThrow(/63/);
});

it("gives bigint columns whole, and survives a lost connection", async () => {
  const lost: Error[] = [];
  const pool = createHotPool(database.url, { max: 1, onError: (error) => lost.push(error) });
  const largest = named<{ readonly n: bigint }, []>("largest", "SELECT 9223372036854775807::bigint AS n");
  expect(await largest(pool)).toEqual([{ n: 9223372036854775807n }]);
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  await expect.poll(() => lost.length).toBeGreaterThan(0);
  expect(await largest(pool)).toEqual([{ n: 9223372036854775807n }]);
  await pool.end();
});
