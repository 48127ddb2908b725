// Processes of an earlier start: identified by more than their id, stopped, and never mistaken for somebody else's.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { writeState } from "@/scripts/state-file.mjs";
import { Child } from "@/scripts/supervise/child.mjs";
import {
  isAlive,
  isRunning,
  knownProcess,
  stopProcess,
  waitUntil,
  type KnownProcess,
} from "@/scripts/supervise/identity.mjs";
import { rotateLogs } from "@/scripts/supervise/logs.mjs";
import { answers, portProblem } from "@/scripts/supervise/ports.mjs";
import { recordRun, takeOver } from "@/scripts/supervise/run-file.mjs";

const folder = mkdtempSync(join(tmpdir(), "reclaim processes "));
const file = join(folder, "run.json");
const started: KnownProcess[] = [];
afterEach(async () => {
  for (const each of started.splice(0))
    await stopProcess(each, { signal: "SIGKILL", waitMs: 5_000, force: "SIGKILL" });
});
afterAll(() => rmSync(folder, { recursive: true }));

function sleeper(script = "setInterval(() => {}, 1000)"): KnownProcess {
  const child = spawn(process.execPath, ["-e", script], { stdio: "ignore" });
  const known = child.pid === undefined ? undefined : knownProcess(child.pid);
  if (known === undefined) throw new Error("no process");
  started.push(known);
  return known;
}

describe("identity", () => {
  it("tells a process from another with the same number", () => {
    const known = sleeper();
    expect(isRunning(known)).toBe(true);
    expect(isRunning({ ...known, identity: "another moment" })).toBe(false);
  });

  it.each([
    ["S", 1, true],
    ["R", 11, true],
    ["Z", 1, false],
    ["X", 1, false],
    ["Z", 2, true], // killed, but still holds its port
  ])("takes a process in state %s with %i threads for alive: %s", (state, threads, alive) => {
    expect(isAlive(state, threads)).toBe(alive);
  });

  it("forces a process that ignores the request", async () => {
    const deaf = join(folder, "deaf");
    const known = sleeper(
      `process.on('SIGTERM', () => {}); require('fs').writeFileSync(${JSON.stringify(deaf)}, ''); setInterval(() => {}, 1000)`,
    );
    expect(await waitUntil(() => existsSync(deaf), 10_000)).toBe(true);
    await stopProcess(known, { signal: "SIGTERM", waitMs: 200, force: "SIGKILL" });
    expect(isRunning(known)).toBe(false);
  });
});

describe("takeOver", () => {
  it("stops what a killed start has left behind", async () => {
    const child = sleeper();
    writeState(file, {
      supervisor: { pid: 999_999_999, identity: "gone" },
      children: [{ name: "server", process: child }],
    });
    expect(await takeOver(file)).toEqual(["server"]);
    expect(isRunning(child)).toBe(false);
  });

  it("leaves alone a process that only has the old number", async () => {
    const other = sleeper();
    writeState(file, {
      supervisor: { pid: 999_999_999, identity: "gone" },
      children: [{ name: "server", process: { ...other, identity: "earlier" } }],
    });
    expect(await takeOver(file)).toEqual([]);
    expect(isRunning(other)).toBe(true);
  });

  it("refuses while another start runs", async () => {
    writeState(file, { supervisor: sleeper(), url: "http://localhost:3000", children: [] });
    await expect(takeOver(file)).rejects.toThrow(/is running at http:\/\/localhost:3000 already/);
  });

  it("writes itself down", () => {
    recordRun(file, { children: [] });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      supervisor: knownProcess(process.pid),
      children: [],
    });
  });
});

/** A process that runs a script; its messages go to `said`. */
const standIn = (script: string, said: string[]) => ({
  name: "stand-in",
  command: process.execPath,
  env: {},
  logFile: join(folder, "stand-in.log"),
  changed: () => undefined,
  args: ["-e", script],
  say: (message: string) => said.push(message),
});

describe("Child", () => {
  it("starts again what dies, says so, and stops when asked", async () => {
    const said: string[] = [];
    const child = new Child({
      ...standIn("console.log('my last words'); setTimeout(() => process.exit(3), 50)", said),
    });
    child.start();
    expect(await waitUntil(() => child.deaths === 2, 10_000)).toBe(true);
    expect(said[0]).toMatch(/The stand-in has ended unexpectedly \(code 3\); starting it again in 0.5 s/);
    expect(said[1]).toMatch(/in 1 s/);
    expect(child.lastWords()).toBe("my last words");
    await child.stop();
    const deaths = child.deaths;
    await new Promise((done) => setTimeout(done, 1_200));
    expect(child.deaths).toBe(deaths);
  });
});

describe("Child that is asked for its readiness", () => {
  const watched = (health: () => "ready" | "waiting" | "stuck", said: string[]) =>
    new Child({
      ...standIn("setInterval(() => {}, 1000)", said),
      health: () => Promise.resolve(health()),
      watch: { askEveryMs: 20, patienceMs: 200 },
    });
  /** Health checks that take longer than three times its patience. */
  const enough = 31;

  it("starts a process again that runs and has been stuck for long", async () => {
    const said: string[] = [];
    let health: "ready" | "stuck" = "ready";
    let asked = 0;
    const child = watched(() => ((asked += 1), health), said);
    child.start();
    const first = child.process?.pid;
    expect(await waitUntil(() => asked > enough, 10_000)).toBe(true);
    expect(child.process?.pid).toBe(first);
    health = "stuck";
    expect(await waitUntil(() => child.process !== undefined && child.process.pid !== first, 10_000)).toBe(
      true,
    );
    expect(said[0]).toMatch(/The stand-in has not been ready for/);
    await child.stop();
  });

  it("leaves one alone that waits for something else, and one that was stuck for a moment", async () => {
    const said: string[] = [];
    const answers: ("ready" | "waiting" | "stuck")[] = ["ready", "stuck", "stuck", "waiting"];
    let asked = 0;
    const child = watched(() => ((asked += 1), answers.shift() ?? "waiting"), said);
    child.start();
    const first = child.process?.pid;
    expect(await waitUntil(() => asked > enough, 10_000)).toBe(true);
    expect(child.process?.pid).toBe(first);
    expect(said).toEqual([]);
    await child.stop();
  });

  it("gives one that never was ready longer, and each time in vain twice as long", async () => {
    const said: string[] = [];
    const child = watched(() => "stuck", said);
    child.start();
    const began = performance.now();
    expect(await waitUntil(() => said.length > 0, 10_000)).toBe(true);
    expect(performance.now() - began).toBeGreaterThan(600);
    expect(child.patienceMs).toBe(400);
    await child.stop();
  });
});

describe("ports", () => {
  it("are found to be taken, and to answer", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((done) => server.once("listening", done));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no address");
    expect(await portProblem(address.port)).toBe("is in use by another program");
    expect(await answers(address.port)).toBe(true);
    await new Promise((done) => server.close(done));
    expect(await portProblem(address.port)).toBeUndefined();
    expect(await answers(address.port)).toBe(false);
  });
});

describe("rotateLogs", () => {
  it("moves a log that is too long, and leaves the others", () => {
    writeFileSync(join(folder, "long.log"), "x".repeat(101));
    writeFileSync(join(folder, "short.log"), "x".repeat(99));
    rotateLogs(folder, 100);
    expect(readFileSync(join(folder, "long.log"), "utf8")).toBe("");
    expect(readFileSync(join(folder, "long.log.1"), "utf8")).toHaveLength(101);
    expect(readFileSync(join(folder, "short.log"), "utf8")).toHaveLength(99);
  });
});
