// The migrations create the database that the Prisma schema describes, all at once or when run again, and report when they cannot.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
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

describe("a migration that was interrupted", () => {
  const one = "20261122010200_database_state";
  const earlier = migrations().filter((name) => name < one);
  const wanted = [...earlier, one];

  /** Runs `work` on a database with all migrations before the given one. */
  async function onEarlier(
    label: string,
    work: (
      url: string,
      ask: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>,
    ) => Promise<void>,
  ): Promise<void> {
    const url = onServer(inject("testServerUrl"), `${inject("testPrefix")}${label}`);
    await migrate(url, earlier);
    const client = new Client({ connectionString: url });
    client.on("error", () => undefined); // the query on it fails by itself
    await client.connect();
    try {
      await work(
        url,
        async (text, values = []) => (await client.query<Record<string, unknown>>(text, values)).rows,
      );
    } finally {
      await client.end();
      await dropDatabase(url);
    }
  }
  const unfinished =
    "INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES (gen_random_uuid(), 'x', $1)";
  const open = "SELECT 1 FROM _prisma_migrations WHERE finished_at IS NULL AND rolled_back_at IS NULL";

  it("before its script ran: is applied", () =>
    onEarlier("before", async (url, ask) => {
      await ask(unfinished, [one]);
      expect(await migrate(url, wanted)).toBe(1);
      expect(await ask(open)).toEqual([]);
    }));

  it("after its script ran: is noted as applied", () =>
    onEarlier("after", async (url, ask) => {
      await ask(unfinished, [one]);
      await ask(readFileSync(join(root, "prisma", "migrations", one, "migration.sql"), "utf8"));
      expect(await migrate(url, wanted)).toBe(0);
      expect(await ask(open)).toEqual([]);
      expect(await migrate(url, wanted)).toBe(0);
    }));

  it("that failed for a reason of its own: nothing of it is applied, and the message gives the one command", () =>
    onEarlier("fails", async (url, ask) => {
      await ask("CREATE VIEW database_state AS SELECT 1 AS id"); // occupies the table's name
      await expect(migrate(url, wanted)).rejects.toThrow(/nothing of it was applied: .*npm run migrate/);
      await ask("DROP VIEW database_state");
      expect(await migrate(url, wanted)).toBe(1);
    }));

  it(
    "by kill -9 at any moment, again and again: the next run completes it",
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

describe("events of before the audit log was a tree", () => {
  const tree = "20261123183447_audit_log";
  const write =
    "INSERT INTO audit_event (id, actor_kind, action, outcome, actor_name) VALUES (gen_random_uuid(), 'system', 'host.retry', 'done', $1)";

  it("are queued after the change of the table, which acts wait for, and each event once", async () => {
    const url = onServer(inject("testServerUrl"), `${inject("testPrefix")}of_before`);
    const names = migrations();
    await migrate(
      url,
      names.filter((name) => name < tree),
    );
    const client = new Client({ connectionString: url });
    client.on("error", () => undefined); // the query on it fails by itself
    await client.connect();
    const queued = async () =>
      (
        await client.query<{ name: string; first: boolean }>(
          "SELECT e.actor_name AS name, p.xid = 0 AS first FROM audit_pending p JOIN audit_event e ON e.id = p.event_id ORDER BY p.xid, p.at",
        )
      ).rows;
    try {
      await client.query(write, ["before"]);
      await migrate(url, [tree]);
      expect(await queued()).toEqual([]);
      await client.query(write, ["between"]);
      await migrate(url);
      expect(await queued()).toEqual([
        { name: "before", first: true },
        { name: "between", first: false },
      ]);
    } finally {
      await client.end();
      await dropDatabase(url);
    }
  });
});
