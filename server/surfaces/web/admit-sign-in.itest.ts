// A sign-in waits for its place and for the database no longer than its caller or the timeout allows.
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createDatabase } from "@/server/db/prisma";
import type { Database } from "@/server/db/prisma";
import { createTestDatabase } from "@/server/db/testing/test-database";
import type { TestDatabase } from "@/server/db/testing/test-database";
import { signInAdmission } from "@/server/surfaces/web/admit-sign-in";

let test: TestDatabase;
let database: Database;
beforeAll(async () => {
  test = await createTestDatabase();
  database = createDatabase(test.url, { max: 2, applicationName: "test" });
});
afterAll(async () => {
  await database.$disconnect();
  await test.drop();
});

it("is told when the database does not answer in time, and takes no place", async () => {
  const admit = signInAdmission(database);
  const other = new Client({ connectionString: test.url });
  other.on("error", () => undefined);
  await other.connect();
  await other.query("BEGIN; LOCK TABLE sign_in_address IN ACCESS EXCLUSIVE MODE");
  const leaving = new AbortController();
  const waiting = admit("10.1.1.1", leaving.signal);
  leaving.abort();
  await expect(waiting).rejects.toThrow(/did not answer in time/);
  await expect(admit("10.1.1.1", AbortSignal.abort())).rejects.toThrow(/did not answer in time/);
  await other.query("COMMIT");
  await other.end();
  const ready = new AbortController();
  expect(await Promise.all([admit("10.1.1.2", ready.signal), admit("10.1.1.3", ready.signal)])).toEqual([
    expect.any(Function),
    expect.any(Function),
  ]);
});
