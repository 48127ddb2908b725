// Into which databases the seed goes, and what it never touches: a site's own data, passwords, tokens, and a database that another key is used with.
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { loadSeedConfig } from "@/server/config";
import { claimKey, WrongKeyError } from "@/server/db/database-state";
import type { Ask } from "@/server/db/database-state";
import { createDatabase } from "@/server/db/prisma";
import type { Database } from "@/server/db/prisma";
import { createSecretBox, secretPlaces } from "@/server/db/secrets/secret-box";
import { createTestDatabase } from "@/server/db/testing/test-database";
import type { TestDatabase } from "@/server/db/testing/test-database";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { begin, NotSeededError } from "@/prisma/seed/begin";
import { check } from "@/prisma/seed/check";

let test: TestDatabase;
let database: Database;
let folder: string;
beforeEach(async () => {
  test = await createTestDatabase();
  database = createDatabase(test.url, { max: 4, applicationName: "test" });
  folder = mkdtempSync(join(tmpdir(), "reclaim-seed-"));
});
afterEach(async () => {
  await database.$disconnect();
  await test.drop();
  rmSync(folder, { recursive: true });
});

const key = randomBytes(32);
const token = randomUUID();
interface Start {
  readonly fleet?: boolean;
  readonly logins?: string;
  readonly renew?: boolean;
  readonly key?: Buffer;
  readonly networkToken?: string;
  readonly url?: string;
}

const config = (start: Start = {}) =>
  loadSeedConfig({
    DATABASE_URL: start.url ?? test.url,
    RECLAIM_BASE_URL: "http://localhost:3000",
    RECLAIM_DEMO_LOGINS: join(folder, start.logins ?? "logins.json"),
    RECLAIM_ENCRYPTION_KEY: (start.key ?? key).toString("base64"),
    RECLAIM_SEED_NEW_LOGINS: start.renew === true ? "1" : "0",
    ...(start.fleet === false
      ? {}
      : {
          RECLAIM_SIM_PORT: "4000",
          RECLAIM_SIM_BMC_PASSWORD: "p".repeat(8),
          RECLAIM_SIM_NETWORK_TOKEN: start.networkToken ?? token,
        }),
  });
const run = (start: Start = {}) => begin(database, createSecretBox(start.key ?? key), config(start));
const logins = (name = "logins.json") =>
  z
    .array(z.object({ email: z.string(), password: z.string(), token: z.string() }))
    .parse(JSON.parse(readFileSync(join(folder, name), "utf8")));
const marker = async () => (await database.databaseState.findUniqueOrThrow({ where: { id: 1 } })).demo;
const accounts = async () => ({
  people: await database.person.findMany({
    select: { email: true, passwordHash: true },
    orderBy: { email: "asc" },
  }),
  tokens: await database.apiToken.findMany({ select: { id: true, hash: true }, orderBy: { id: "asc" } }),
});
const realSite = (name: string) =>
  database.site.create({ data: { name, policies: { create: { version: 1, body: defaultPolicy() } } } });
const ask: Ask = (text, ...values) => database.$queryRawUnsafe<unknown[]>(text, ...values);

describe("the seed", () => {
  it("marks what it makes in an empty database, and changes nothing the second time", async () => {
    expect(await run()).toMatchObject({ lost: [] });
    expect(await marker()).toBe("fleet");
    const before = await accounts();
    expect(before.people).toHaveLength(6);
    expect(await run()).toMatchObject({ lost: [] });
    expect(await accounts()).toEqual(before);
  });

  it("refuses a site that it did not make, and leaves it as it is; without a fleet it adds nobody", async () => {
    const site = await realSite("a");
    expect(await check(config())).toMatchObject({ kind: "refuse" });
    await expect(run()).rejects.toThrow(NotSeededError);
    expect(await run({ fleet: false })).toBeNull();
    expect(await database.site.findMany()).toEqual([site]);
    expect((await accounts()).people).toEqual([]);
    expect(await marker()).toBeNull();
  });

  it("puts no fleet beside hosts that people enrolled after --empty", async () => {
    const begun = await run({ fleet: false });
    expect(await marker()).toBe("people");
    await database.host.create({
      data: {
        siteId: begun?.siteId ?? "",
        name: "real",
        hardwareType: "redfish",
        networkInterfaces: ["dpu0"],
      },
    });
    await expect(run()).rejects.toThrow(/already has 1 hosts/);
    expect(await database.site.findFirst({ select: { demo: true, label: true } })).toEqual({
      demo: false,
      label: null,
    });
  });

  it("never gives anybody another password or takes a token when the file of logins is lost, unless it is told to", async () => {
    await run();
    const before = await accounts();
    expect((await run({ logins: "other.json" }))?.lost).toHaveLength(6);
    expect(await accounts()).toEqual(before);
    expect((await run({ logins: "new.json", renew: true }))?.lost).toEqual([]);
    const after = await accounts();
    expect(after.people.map(({ passwordHash }) => passwordHash)).not.toContain(
      before.people[0]?.passwordHash,
    );
    expect(after.tokens.map(({ id }) => id)).toEqual(
      expect.arrayContaining(before.tokens.map(({ id }) => id)),
    );
    expect(logins("new.json")).toHaveLength(6);
  });

  it("does not take over the fleet of another folder", { tags: "all" }, async () => {
    await run();
    await expect(run({ networkToken: randomUUID() })).rejects.toThrow(/another folder/);
  });

  it("makes one demo when two starts meet", { tags: "all" }, async () => {
    const [one, two] = await Promise.all([run(), run()]);
    expect(one?.siteId).toBe(two?.siteId);
    expect((await accounts()).people).toHaveLength(6);
  });
});

describe("the encryption key", () => {
  const other = randomBytes(32);

  it("of the first start is the one: another is refused before anything changes", async () => {
    await run();
    const before = await accounts();
    await expect(check(config({ key: other, logins: "b.json" }))).rejects.toThrow(WrongKeyError);
    await expect(run({ key: other, logins: "b.json" })).rejects.toThrow(
      /RECLAIM_ENCRYPTION_KEY|is not the key/,
    );
    expect(await accounts()).toEqual(before);
    expect(await check(config())).toMatchObject({ kind: "seed" });
  });

  it("is known by the sealed secrets of a database without a fingerprint", async () => {
    const { id } = await realSite("a");
    await database.site.update({
      where: { id },
      data: { networkToken: createSecretBox(key).seal("secret", secretPlaces.networkToken(id)) },
    });
    await expect(claimKey(ask, other)).rejects.toThrow(WrongKeyError);
    await claimKey(ask, key);
    await expect(claimKey(ask, other)).rejects.toThrow(WrongKeyError);
  });

  it("of two that start at once, one wins", { tags: "all" }, async () => {
    const results = await Promise.allSettled([claimKey(ask, key), claimKey(ask, other)]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it(
    "of two that start at once, the one that looked first and wrote last loses",
    { tags: "all" },
    async () => {
      const late: Ask = async (text, ...values) => {
        if (text.startsWith("UPDATE database_state SET key_fingerprint")) await claimKey(ask, other);
        return ask(text, ...values);
      };
      await expect(claimKey(late, key)).rejects.toThrow(WrongKeyError);
      await claimKey(ask, other);
    },
  );
});
