// A statement reads the same on a pool, in its own transactions and in Prisma's. Its transactions end by their result.
import { Kysely, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, poolOf } from "@/server/db/prisma";
import type { Database } from "@/server/db/prisma";
import { execute, hotWithin, queryRows, sqlOf } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { createTestDatabase } from "@/server/db/testing/test-database";
import { inSqlTransaction, inTransaction } from "@/server/db/transaction";

let database: Database;
let drop: () => Promise<void>;

beforeAll(async () => {
  const test = await createTestDatabase();
  database = createDatabase(test.url, { max: 2, applicationName: "test" });
  drop = test.drop;
});
afterAll(async () => {
  await database.$disconnect();
  await drop();
});

const add = (on: SqlReader, name: string) =>
  execute(
    on,
    sql`INSERT INTO sku (id, name, components) VALUES (gen_random_uuid(), ${name}, ${JSON.stringify({ a: 1 })}::jsonb)`,
  );
const known = async () =>
  (await queryRows(database, sql<{ name: string }>`SELECT name FROM sku ORDER BY name`)).map(
    ({ name }) => name,
  );

/** What every source of connections must support, after `add(on, name)`. */
async function read(on: SqlReader, name: string) {
  const renamed = await execute(on, sql`UPDATE sku SET name = ${`${name}-2`} WHERE name = ${name}`);
  return {
    json: await queryRows(on, sql`SELECT name, components FROM sku WHERE name = ${`${name}-2`}`),
    text: await queryRows(
      on,
      sql`SELECT name, 9007199254740993::bigint AS big, ARRAY['x', 'y'] AS list, (SELECT count(*) FROM sku WHERE name = ANY(${[`${name}-2`]})) AS found FROM sku WHERE ${sql`name = ${`${name}-2`}`}`,
    ),
    hot: (await hotWithin(on).query({ name: "n", text: "SELECT $1::text AS a", values: ["b"] })).rows,
    renamed,
    none: await execute(on, sql`DELETE FROM sku WHERE name = 'nobody'`),
  };
}
const wanted = (name: string) => ({
  json: [{ name: `${name}-2`, components: { a: 1 } }],
  text: [{ name: `${name}-2`, big: 9007199254740993n, list: ["x", "y"], found: 1n }],
  hot: [{ a: "b" }],
  renamed: 1,
  none: 0,
});

describe("a statement", () => {
  it("gives the same on a pool, in its own transaction and in one of Prisma's", async () => {
    expect(await add(database, "pool")).toBe(1);
    expect(await read(database, "pool")).toEqual(wanted("pool"));
    const own = await inSqlTransaction(database, async (tx) => {
      expect(await add(tx, "own")).toBe(1);
      return { ok: true as const, value: await read(tx, "own") };
    });
    expect(own).toEqual({ ok: true, value: wanted("own") });
    const prisma = await inTransaction(database, async (tx) => {
      expect(await add(tx, "prisma")).toBe(1);
      return { ok: true as const, value: await read(tx, "prisma") };
    });
    expect(prisma).toEqual({ ok: true, value: wanted("prisma") });
    expect(await known()).toEqual(["own-2", "pool-2", "prisma-2"]);
  });

  it("keeps its statements prepared under a name of their text", async () => {
    const prepared = await queryRows(
      database,
      sql<{ name: string }>`SELECT name FROM pg_prepared_statements WHERE name LIKE 'sql\\_%'`,
    );
    expect(prepared.length).toBeGreaterThan(0);
  });
});

describe("a transaction of our own", () => {
  it("rolls back for a problem, and for what is thrown", async () => {
    const before = await known();
    expect(
      await inSqlTransaction(database, async (tx) => {
        await add(tx, "refused");
        return { ok: false as const, problem: "no" };
      }),
    ).toEqual({ ok: false, problem: "no" });
    await expect(
      inSqlTransaction(database, async (tx) => {
        await add(tx, "thrown");
        await add(tx, "thrown");
        return { ok: true as const, value: null };
      }),
    ).rejects.toThrow(/duplicate key/);
    expect(await known()).toEqual(before);
  });

  it("gives its connection back, also one that broke", async () => {
    const before = await known();
    await expect(
      inSqlTransaction(database, async (tx) => {
        await queryRows(tx, sql`SELECT pg_terminate_backend(pg_backend_pid())`);
        return { ok: true as const, value: null };
      }),
    ).rejects.toThrow();
    for (let round = 0; round < 3; round += 1) expect(await known()).toEqual(before);
    expect(poolOf(database).totalCount - poolOf(database).idleCount).toBe(0);
  });
});

/** What `sqlOf` returns, as seen by a bundle with its own copy of the class (docs/adr/0017-one-per-process.md). */
const ofAnotherBundle = (on: SqlReader): SqlReader =>
  new Proxy(sqlOf(on), {
    getPrototypeOf: () => Object.prototype,
    get: (builder, name) => {
      const member: unknown = Reflect.get(builder, name, builder);
      return typeof member === "function" ? member.bind(builder) : member;
    },
  });

it("takes a builder that another bundle made", async () => {
  const foreign = ofAnotherBundle(database);
  expect(foreign instanceof Kysely).toBe(false);
  expect(await add(foreign, "foreign")).toBe(1);
  expect(await read(foreign, "foreign")).toEqual(wanted("foreign"));
});
