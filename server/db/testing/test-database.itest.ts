// The test databases themselves: migrated, isolated from each other, and removed afterwards.
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrations } from "@/scripts/setup/migrate.mjs";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing/test-database";

let first: TestDatabase;
let second: TestDatabase;
beforeAll(async () => {
  [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
});
afterAll(async () => {
  await second.drop();
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined); // a pending query fails by itself
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

it("has every migration", async () => {
  const rows = await query(
    first.url,
    "SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY 1",
  );
  expect(rows).toEqual(migrations().map((name) => ({ migration_name: name })));
});

it("keeps databases apart", async () => {
  await query(first.url, "CREATE TABLE only_here ()");
  expect(await query(second.url, "SELECT to_regclass('only_here') AS found")).toEqual([{ found: null }]);
});

it("drops a database that is still in use", async () => {
  const client = new Client({ connectionString: first.url });
  client.on("error", () => undefined); // being disconnected is the point
  client.on("error", () => undefined); // a pending query fails by itself
  await client.connect();
  await first.drop();
  await expect(query(first.url, "SELECT 1")).rejects.toMatchObject({ code: "3D000" });
});
