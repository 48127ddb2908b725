// Programs are run by path and without a shell, end in time, and cannot fill the agent's memory.
import { expect, it } from "vitest";
import { commandText, toolRunner } from "@/agent/tools/machine/program/run-tool";

const node = process.execPath;
const never = new AbortController().signal;
const run = toolRunner(never);
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

it("gives back what a program printed, and its exit code", async () => {
  const ran = await run(node, ["-e", "console.log('out'); console.error('err'); process.exitCode = 5"]);
  expect(ran).toMatchObject({ exitCode: 5, stderr: "err\n", cut: false });
  expect(text(ran.stdout)).toBe("out\n");
});

it("takes each argument for one, and expands nothing", async () => {
  const args = ["$HOME", "a b", "; rm -rf /", "*", '"'];
  const ran = await run(node, ["-e", "console.log(JSON.stringify(process.argv.slice(1)))", ...args]);
  expect(JSON.parse(text(ran.stdout))).toEqual(args);
  expect(commandText("/x", ["a b", "c"])).toBe('/x "a b" c');
});

it("gives a program no environment but its own", async () => {
  const ran = await run(node, ["-e", "console.log(process.env.LC_ALL, process.env.HOME, process.cwd())"]);
  expect(text(ran.stdout)).toBe("C undefined /\n");
});

it("says of a program that is not there that it is not", async () => {
  expect(await run("/nonexistent/nvme", [])).toMatchObject({
    ...{ exitCode: 127, stderr: expect.stringContaining("ENOENT") },
  });
});

it("kills a program that takes too long", async () => {
  const ran = await run(node, ["-e", "setInterval(() => {}, 1000)"], { limitMs: 300 });
  expect(ran).toMatchObject({ exitCode: 124, stderr: "not over after 0.3 s, killed" });
});

it("ends one program by its own signal, with what it started", async () => {
  const stop = new AbortController();
  const script = "require('child_process').spawn('sleep', ['600'], { stdio: 'inherit' }); console.log('on')";
  const running = run(node, ["-e", script], { signal: stop.signal });
  setTimeout(() => stop.abort(), 300);
  expect(await running).toMatchObject({ exitCode: 125 });
});

it("does not wait for what goes on after it was killed", async () => {
  // Long enough for a slow machine to start both programs.
  const script =
    "require('child_process').spawn('sleep', ['15'], { stdio: 'inherit', detached: true }).unref(); console.log('on')";
  const ran = await run(node, ["-e", script], { limitMs: 5_000 });
  expect(ran).toMatchObject({ exitCode: 124, stderr: "killed, and not over yet", over: false });
  expect(text(ran.stdout)).toBe("on\n");
});

it("kills every program when the agent ends", async () => {
  const stop = new AbortController();
  const running = toolRunner(stop.signal)(node, ["-e", "setInterval(() => {}, 1000)"]);
  stop.abort();
  expect((await running).exitCode).toBe(125);
});

it("keeps the first MiB, and says that there was more", async () => {
  const ran = await run(node, ["-e", "process.stdout.write('x'.repeat(3 * 1024 * 1024))"]);
  expect(ran).toMatchObject({ exitCode: 0, cut: true });
  expect(ran.stdout.length).toBe(1024 * 1024);
});

it("starts no program with a null byte in an argument, and does not reject", async () => {
  expect(await run(node, ["-e", "a\0b"])).toMatchObject({ exitCode: 127 });
  expect(await run("/bin/\0", [])).toMatchObject({ exitCode: 127 });
});
