// `npm start` in real life: started, killed in every way, started again. Real processes and a real embedded database.
import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { root, stateFiles } from "@/scripts/folders.mjs";
import { embeddedDatabases, logTables } from "@/scripts/setup/roles.mjs";
import { freePort } from "@/scripts/supervise/ports.mjs";
import { findPostmaster } from "@/scripts/postgres/postmaster.mjs";
import { isRunning, waitUntil, type KnownProcess } from "@/scripts/supervise/identity.mjs";

const parent = mkdtempSync(join(tmpdir(), "reclaim start "));
const files = stateFiles(join(parent, "state of it"));
const withFleet = stateFiles(join(parent, "with a fleet"));
/** Tells a start that hangs from one on a slow machine, and nothing else. */
const limitMs = 400_000;
let port: number;
let running: ChildProcess[] = [];
/** A start that a test leaves running for the next: each start costs four seconds of processor time. */
let kept: Started | null = null;

beforeAll(async () => {
  chmodSync(parent, 0o700); // like a home folder: the account that PostgreSQL uses under root cannot enter it
  port = await freePort();
});
const isLiving = (child: ChildProcess) => child.exitCode === null && child.signalCode === null;

async function stopAllBut(stays: ChildProcess | undefined): Promise<void> {
  for (const child of running)
    if (child !== stays && isLiving(child)) await ended(child, () => child.kill("SIGTERM"));
  running = running.filter((child) => child === stays);
}
afterEach(async ({ task }) => {
  if (task.result?.state === "fail") kept = null;
  await stopAllBut(kept?.child);
});
afterAll(async () => {
  await stopAllBut(undefined);
  for (const made of [files, withFleet])
    if (existsSync(made.postgres)) rmSync(dataDir(made), { recursive: true, force: true });
  rmSync(parent, { recursive: true, force: true });
});

function read<Content>(file: string): Content {
  return JSON.parse(readFileSync(file, "utf8"));
}

interface Started {
  child: ChildProcess;
  output: () => string;
  code: number | null;
}

/** Starts, and waits until it reports that it is running, or ends. */
async function start(...args: string[]): Promise<Started> {
  const own = {
    DATABASE_URL: "",
    TEST_DATABASE_URL: "",
    RECLAIM_SOURCE_MAPS: "0",
    npm_lifecycle_event: undefined,
  };
  const child = spawn(
    process.execPath,
    // If --data is given twice, the last one counts.
    [join(root, "scripts", "start.mjs"), "--data", files.folder, "--port", String(port), ...args],
    { env: { ...process.env, ...own } },
  );
  running.push(child);
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part));
  child.stderr.setEncoding("utf8").on("data", (part: string) => (text += part));
  const up = await waitUntil(() => text.includes("Reclaim is running: ") || child.exitCode !== null, limitMs);
  expect(up, text).toBe(true);
  return { child, output: () => text, code: child.exitCode };
}

/** A start that is running and ready: the one that the previous test `kept`, if any. */
async function runningOne(): Promise<Started> {
  const left = kept !== null && isLiving(kept.child) ? kept : await start();
  kept = null;
  await expect.poll(isReady, { timeout: limitMs }).toBe(true);
  return left;
}

/** The output from now on. */
function later({ output }: Started): () => string {
  const said = output().length;
  return () => output().slice(said);
}

function ended(child: ChildProcess, act: () => void): Promise<number | null> {
  return new Promise((done) => {
    child.once("exit", (code) => done(code));
    act();
  });
}

interface Processes {
  supervisor: KnownProcess;
  children: { name: string; process: KnownProcess }[];
}
const processes = () => read<Processes>(files.run);
const server = () => processes().children.find((child) => child.name === "server")?.process;
const dataDir = ({ folder, postgres } = files) =>
  resolve(folder, read<{ dataDir: string }>(postgres).dataDir);
const database = () => findPostmaster(dataDir())?.process;

async function isReady(): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok === true;
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("not running");
  return value;
}

describe("npm start", () => {
  it("starts, keeps strangers out of its secrets, and stops everything when told to", async () => {
    const { child, output } = await start("--empty");
    expect(output()).toContain(`http://localhost:${port}`);
    expect(await isReady()).toBe(true);
    expect([files.secrets, files.demoLogins].map((file) => statSync(file).mode & 0o777)).toEqual([
      0o600, 0o600,
    ]);
    const all = [required(server()), required(database())];
    expect(await ended(child, () => child.kill("SIGINT"))).toBe(0);
    expect(all.map(isRunning)).toEqual([false, false]);
  });

  it("gives its server a role that changes nothing of the audit log", { tags: "all" }, async () => {
    const system = await runningOne();
    const { databasePassword } = read<{ databasePassword: string }>(files.secrets);
    const owner = `postgresql://127.0.0.1:${required(findPostmaster(dataDir())).port}/reclaim`;
    const server = new Client(embeddedDatabases(owner, { databasePassword }).server);
    server.on("error", () => undefined);
    await server.connect();
    for (const act of [
      ...logTables.flatMap((table) => [
        `DELETE FROM ${table}`,
        `TRUNCATE ${table}`,
        `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
      ]),
      "UPDATE audit_event SET outcome = outcome",
      "SET session_replication_role = 'replica'",
    ])
      // SQLSTATE insufficient_privilege.
      await expect(server.query(act), act).rejects.toMatchObject({ code: "42501" });
    await server.end();
    kept = system;
  });

  it("starts a server that has died again", { tags: "all" }, async () => {
    const system = await runningOne();
    const first = required(server());
    const says = later(system);
    process.kill(first.pid, "SIGKILL");
    expect(await waitUntil(() => says().includes("starting it again"), limitMs)).toBe(true);
    expect(await waitUntil(() => server() !== undefined && !isRunning(first), limitMs)).toBe(true);
    await expect.poll(isReady, { timeout: limitMs }).toBe(true);
    kept = system;
  });

  it("starts a database that has died again", { tags: "all" }, async () => {
    const system = await runningOne();
    const says = later(system);
    process.kill(required(database()).pid, "SIGKILL");
    expect(await waitUntil(() => says().includes("The database is back"), limitMs)).toBe(true);
    await expect.poll(isReady, { timeout: limitMs }).toBe(true);
    kept = system;
  });

  it(
    "after a kill -9 of the supervisor alone, takes over the database and stops the old server",
    { tags: "all" },
    async () => {
      const { child } = await runningOne();
      const left = { server: required(server()), database: required(database()) };
      await ended(child, () => child.kill("SIGKILL"));
      expect([left.server, left.database].map(isRunning)).toEqual([true, true]);
      const again = await start();
      expect(again.output()).toContain("Stopped what an earlier start had left running: server");
      expect(isRunning(left.server)).toBe(false);
      expect(database()).toEqual(left.database);
      await expect.poll(isReady, { timeout: limitMs }).toBe(true);
      kept = again;
    },
  );

  it("after a kill -9 of everything, starts with the same data", { tags: "all" }, async () => {
    const { child } = await runningOne();
    const secrets = readFileSync(files.secrets, "utf8");
    const before = readFileSync(files.postgres, "utf8");
    process.kill(required(database()).pid, "SIGKILL");
    process.kill(required(server()).pid, "SIGKILL");
    await ended(child, () => child.kill("SIGKILL"));
    const again = await start();
    expect(again.code, again.output()).toBeNull();
    await expect.poll(isReady, { timeout: limitMs }).toBe(true);
    expect(readFileSync(files.secrets, "utf8")).toBe(secrets);
    expect(readFileSync(files.postgres, "utf8")).toBe(before);
    kept = again;
  });

  it("refuses a second one on the same folder", { tags: "all" }, async () => {
    await runningOne();
    const second = await start();
    expect(second.code).toBe(1);
    expect(second.output()).toContain(`is running at http://localhost:${port} already`);
    await expect.poll(isReady, { timeout: limitMs }).toBe(true);
  });

  it(
    "serves its address while the fleet is still onboarded, however long that takes",
    { tags: "all" },
    async () => {
      const { child, output } = await start("--data", withFleet.folder, "--hosts", "3");
      expect(await isReady()).toBe(true);
      expect((await fetch(`http://127.0.0.1:${port}/`, { redirect: "manual" })).status).toBeLessThan(400);
      expect(output()).not.toContain("Start-up is complete.");
      expect(await ended(child, () => child.kill("SIGINT"))).toBe(0);
    },
  );

  it("says which port is taken by somebody else", async () => {
    const stranger = createServer().listen(port, "127.0.0.1");
    await new Promise((done) => stranger.once("listening", done));
    const { code, output } = await start();
    expect(code).toBe(2);
    expect(output()).toContain(`port ${port} is in use by another program`);
    await new Promise((done) => stranger.close(done));
  });

  it("refuses an option that it does not know", async () => {
    const { code, output } = await start("--host", "5");
    expect(code).toBe(2);
    expect(output()).toContain("--host");
  });
});
