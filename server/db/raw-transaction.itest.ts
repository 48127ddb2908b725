// Transactions of plain statements end as Prisma's do: by their result.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Prisma } from "@/server/db/generated/prisma/client";
import { createDatabase, poolOf } from "@/server/db/prisma";
import type { Database } from "@/server/db/prisma";
import { inRawTransaction, rawReader } from "@/server/db/raw-transaction";
import type { RawReader } from "@/server/db/raw-transaction";
import { createTestDatabase } from "@/server/db/testing/test-database";

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

const add = (tx: RawReader, name: string) =>
  tx.$executeRaw`INSERT INTO sku (id, name, components) VALUES (gen_random_uuid(), ${name}, ${JSON.stringify({ a: 1 })}::jsonb)`;
const known = async () => (await database.sku.findMany({ select: { name: true } })).map(({ name }) => name);

describe("a transaction of plain statements", () => {
  it("commits a value, and reads as Prisma does", async () => {
    const which = Prisma.sql`name = ${"kept"}`;
    const result = await inRawTransaction(database, async (tx) => {
      expect(await add(tx, "kept")).toBe(1);
      return {
        ok: true as const,
        value: await tx.$queryRaw<
          unknown[]
        >`SELECT name, components, 9007199254740993::bigint AS big, ARRAY['x', 'y'] AS list FROM sku WHERE ${which}`,
      };
    });
    const rows = [{ name: "kept", components: { a: 1 }, big: 9007199254740993n, list: ["x", "y"] }];
    expect(result).toEqual({ ok: true, value: rows });
    expect(
      await database.$queryRaw`SELECT name, components, 9007199254740993::bigint AS big, ARRAY['x', 'y'] AS list FROM sku WHERE ${which}`,
    ).toEqual(rows);
    expect(await rawReader(database).$queryRawUnsafe("SELECT name FROM sku WHERE name = $1", "kept")).toEqual(
      [{ name: "kept" }],
    );
  });

  it("rolls back for a problem, and for what is thrown", async () => {
    expect(
      await inRawTransaction(database, async (tx) => {
        await add(tx, "refused");
        return { ok: false as const, problem: "no" };
      }),
    ).toEqual({ ok: false, problem: "no" });
    await expect(
      inRawTransaction(database, async (tx) => {
        await add(tx, "thrown");
        await add(tx, "thrown");
        return { ok: true as const, value: null };
      }),
    ).rejects.toThrow(/duplicate key/);
    expect(await known()).toEqual(["kept"]);
  });

  it("gives its connection back, also one that broke", async () => {
    await expect(
      inRawTransaction(database, async (tx) => {
        await tx.$queryRaw`SELECT pg_terminate_backend(pg_backend_pid())`;
        return { ok: true as const, value: null };
      }),
    ).rejects.toThrow();
    for (let round = 0; round < 3; round += 1) expect(await known()).toEqual(["kept"]);
    expect(poolOf(database).totalCount - poolOf(database).idleCount).toBe(0);
  });
});
