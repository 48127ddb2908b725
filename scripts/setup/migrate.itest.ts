// The migrations create the database that the Prisma schema describes, all at once or when run again, and report when they cannot.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { Client } from "pg";
import { inject, describe, expect, it } from "vitest";
import { pinnedNode, root } from "@/scripts/folders.mjs";
import { dropDatabase } from "@/scripts/testing/drop-database.mjs";
import { onServer } from "@/server/db/testing/template";
import { CommandFailed, run } from "@/scripts/setup/command.mjs";
import { migrate, migrations } from "@/scripts/setup/migrate.mjs";

/** The differences that `prisma migrate diff` finds between the schema and the migrations. */
async function differences(): Promise<string[]> {
  const args = [
    "migrate",
    "diff",
    "--from-migrations",
    "prisma/migrations",
    "--to-schema",
    "prisma/schema",
    "--exit-code",
  ];
  const env = {
    DATABASE_URL: inject("testServerUrl"),
    CHECKPOINT_DISABLE: "1",
    PRISMA_HIDE_UPDATE_MESSAGE: "1",
  };
  const output = await run(pinnedNode, [join(root, "node_modules", "prisma", "build", "index.js"), ...args], {
    env,
  }).catch((error: unknown) => {
    if (error instanceof CommandFailed) return error.output;
    throw error;
  });
  return output
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /^\[[-+*]\]/.test(line) || /error/i.test(line));
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined); // the query on it fails by itself
  await client.connect();
  return client;
}

describe("migrate", () => {
  it("makes what the schema describes, but for indexes that Prisma has no words for", async () => {
    const all = await differences();
    expect(all).toContainEqual(expect.stringMatching(/Removed index/)); // a Prisma whose engine has died prints nothing and exits with 0
    const rest = all.filter(
      (line) => !/^\[\*\] Changed the `\w+` table$|^\[-\] Removed (unique )?index on/.test(line),
    );
    expect(rest).toEqual([]);
  });

  it("makes the database, applies everything, and finds nothing to do the second time", async () => {
    const url = onServer(inject("testServerUrl"), `${inject("testPrefix")}migrate`);
    expect(await migrate(url)).toBe(migrations().length);
    expect(await migrate(url)).toBe(0);
    await dropDatabase(url);
  });

  it("says which database cannot be used, and not with which password", async () => {
    await expect(migrate("postgresql://someone:hunter2@127.0.0.1:1/nothing")).rejects.toThrow(
      /^the database at 127\.0\.0\.1:1\/nothing cannot be used: (?!.*hunter2)/,
    );
  });
});

describe("a migration", () => {
  it("that fails: nothing of it is applied, and the message gives the one command", async () => {
    const url = onServer(inject("testServerUrl"), `${inject("testPrefix")}fails`);
    const all = await migrate(url);
    const client = await connected(url);
    await client.query(
      "DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE VIEW host AS SELECT 1 AS id",
    ); // occupies the table's name
    await expect(migrate(url)).rejects.toThrow(/nothing of it was applied: .*npm run migrate/);
    await client.query("DROP VIEW host");
    expect(await migrate(url)).toBe(all);
    await client.end();
    await dropDatabase(url);
  });

  it(
    "that is interrupted by kill -9 at any moment, again and again: the next run completes it",
    { timeout: 480_000 },
    async () => {
      const url = onServer(inject("testServerUrl"), `${inject("testPrefix")}killed`);
      for (let round = 0; round < 8; round += 1) {
        const child = spawn(pinnedNode, [join(root, "scripts", "migrate.mjs")], {
          env: { ...process.env, DATABASE_URL: url },
          stdio: "ignore",
        });
        const ended = new Promise((done) => child.once("exit", done));
        await new Promise((done) => setTimeout(done, 120 + round * 60));
        child.kill("SIGKILL");
        await ended;
      }
      await migrate(url);
      expect(await migrate(url)).toBe(0);
      await dropDatabase(url);
    },
  );
});

describe("a database of before release 0.2.0", () => {
  /** With the rows that the replaced migrations left, up to one of them; then what `migrate` does to these rows. */
  async function of(label: string, names: readonly string[]) {
    const [first = "", ...later] = migrations();
    const url = onServer(inject("testServerUrl"), `${inject("testPrefix")}${label}`);
    await migrate(url);
    const client = await connected(url);
    await client.query("DELETE FROM _prisma_migrations WHERE migration_name = $1", [first]);
    await client.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) SELECT gen_random_uuid(), 'x', n, '2026-11-24' FROM unnest($1::text[]) n",
      [names],
    );
    const applied = await migrate(url).catch(String);
    const { rows } = await client.query<{ name: string; at: Date }>(
      "SELECT migration_name AS name, finished_at AS at FROM _prisma_migrations ORDER BY 1",
    );
    await client.end();
    await dropDatabase(url);
    return { applied, names: rows.map(({ name }) => name), since: rows[0]?.at, later };
  }
  const digests = "20261123223500_history_digest";
  const last = "20261129050000_left_out_by_two_people";

  it("is taken over if it has all of its migrations, and keeps since when it has its records", async () => {
    const { applied, names, since } = await of("taken_over", ["20261121000000_first", digests, last]);
    expect(applied).toBe(0);
    expect(names).toEqual(migrations());
    expect(since?.toISOString()).toContain("2026-11-24");
  });

  it("is refused if it has only some of them, and the message says which commit goes on", async () => {
    const { applied, names, later } = await of("too_old", ["20261121000000_first", digests]);
    expect(applied).toMatch(
      /it has 20261123223500_history_digest, and needs .* at commit \w+ run {2}npm ci && npm run migrate/,
    );
    expect(names).toEqual(["20261121000000_first", digests, ...later]);
  });
});
