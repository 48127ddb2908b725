// Processes of the bench: one that dies is reported, and none outlives a bench that is killed.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { pinnedNode, root } from "@/scripts/folders.mjs";
import { isRunning, knownProcess, waitUntil } from "@/scripts/supervise/identity.mjs";
import { Program, until } from "@/bench/program";

const folder = mkdtempSync(join(tmpdir(), "reclaim-program-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const program = (name: string, code: string) =>
  new Program({ name, args: ["-e", code], env: {}, logFile: join(folder, `${name}.log`) });
const signal = new AbortController().signal;

it("ends what waits on a program that dies, with its last words", async () => {
  const dying = program("dying", "console.error('the reason'); process.exit(3)");
  await expect(
    until("nothing", 10_000, 10, [dying], signal, () => Promise.resolve("not yet")),
  ).rejects.toThrow(/dying has ended \(code 3\)[^]*the reason/);
});

it("stops a program, and says how far things were when time is over", async () => {
  const running = program("running", "setInterval(() => {}, 1000)");
  await expect(
    until("the moon", 50, 10, [running], signal, () => Promise.resolve("half of it")),
  ).rejects.toThrow("the moon: not within 0 s; half of it");
  await running.stop();
  running.check();
});

it("leaves nothing behind when it is killed", async () => {
  const pidFile = join(folder, "pid");
  const script = join(folder, "bench.mjs");
  writeFileSync(
    script,
    `import { Program } from ${JSON.stringify(join(root, "bench", "program.ts"))}; import { writeFileSync } from "node:fs";
    const child = new Program({ name: "child", args: ["-e", "setInterval(() => {}, 1000)"], env: {}, logFile: ${JSON.stringify(join(folder, "child.log"))} }); writeFileSync(${JSON.stringify(pidFile)}, String(child.pid)); setInterval(() => {}, 1000);`,
  );
  const bench = spawn(pinnedNode, ["--import", "tsx", script], { cwd: root, stdio: "ignore" });
  const childPid = () => {
    try {
      return Number(readFileSync(pidFile, "utf8"));
    } catch {
      return 0; // not written yet
    }
  };
  expect(await waitUntil(() => childPid() > 0, 60_000)).toBe(true);
  const child = knownProcess(childPid());
  expect(child).toBeDefined();
  await new Promise((resolve) => setTimeout(resolve, 200)); // the guard has been told
  bench.kill("SIGKILL");
  expect(child !== undefined && (await waitUntil(() => !isRunning(child), 10_000))).toBe(true);
}, 100_000);
