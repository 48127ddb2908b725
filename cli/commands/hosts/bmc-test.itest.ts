// `reclaim bmc test` and `bmc show` where there is no report to wait for: the host is deleted, or the report cannot be read. And `bmc reset`, to each end.
import { afterAll, beforeAll, expect, it } from "vitest";
import { exitCodes } from "@/cli/exit-codes";
import { startAgainstServer } from "@/cli/testing/against-server";
import type { TestCommand } from "@/cli/testing/command";
import { until } from "@/server/testing/until";
import type { ConsoleServer } from "@/server/surfaces/web/testing/console-server";

let server: ConsoleServer;
let command: TestCommand;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ server, command, stop } = await startAgainstServer());
});
afterAll(() => stop());

const run = async (...args: string[]) =>
  command.run(["bmc", ...args], { url: server.url, token: await server.token("operator") });
const database = () => server.world.backend.database;
const tests = (hostId: string) => database().bmcTest.count({ where: { hostId, wantedAt: { not: null } } });

it("a test ends when its host is deleted", async () => {
  const hostId = await server.world.host("gone-soon");
  const told = run("test", "gone-soon");
  await until("the test is requested", 30_000, async () => (await tests(hostId)) === 1);
  await database().host.delete({ where: { id: hostId } });
  expect(await told).toMatchObject({
    code: exitCodes.failed.code,
    stderr: expect.stringContaining("gone-soon was deleted before its BMC was tested."),
  });
});

it("a report that cannot be read is said to be so", async () => {
  const hostId = await server.world.host("of-later");
  const told = run("test", "of-later");
  await until("the test is requested", 30_000, async () => (await tests(hostId)) === 1);
  await database().bmcTest.update({
    where: { hostId },
    data: { wantedAt: null, testedAt: new Date(), checks: [{ check: "ofLater" }] },
  });
  expect(await told).toMatchObject({
    code: exitCodes.failed.code,
    stderr: expect.stringContaining("The report cannot be read"),
  });
  const { stdout } = await run("show", "of-later");
  expect(stdout).toContain("The report cannot be read");
  expect(stdout).not.toContain("never");
});

const at = new Date("2026-12-01T00:00:00Z");
const sent = { sentAt: at, before: {}, resetType: "GracefulRestart", endedAt: at };

it.each([
  ["done", { phase: "done", says: "It was away for 42 s." }, 0, ""],
  ["failed", { phase: "failed", says: "It is silent.", todo: "Look at its network." }, 1, "It is silent."],
  ["unknown", { phase: "unknown", says: "It is not known." }, 5, "It is not known."],
] as const)("a reset that is %s tells so, and ends with its code", async (phase, ended, code, stderr) => {
  const name = `reset-${phase}`;
  const hostId = await server.world.host(name);
  await database().hostRun.update({ where: { hostId }, data: { state: "Manageable" } });
  const told = run("reset", name, "--reason", "console hangs", "--yes");
  await until(
    "the reset is requested",
    30_000,
    async () => (await database().bmcReset.count({ where: { hostId } })) === 1,
  );
  await database().bmcReset.update({ where: { hostId }, data: { ...sent, ...ended } });
  expect(await told).toMatchObject({
    code,
    stdout: expect.stringMatching(new RegExp(`reset result +${ended.says}`)),
    stderr: expect.stringContaining(stderr),
  });
  expect((await run("show", name)).stdout).toMatch(/reset requested .*console hangs/);
});

it("a reset needs a reason and a yes, and says why it is refused", async () => {
  const hostId = await server.world.host("reset-refused");
  expect(await run("reset", "reset-refused", "--yes")).toMatchObject({ code: exitCodes.usage.code });
  expect(await run("reset", "reset-refused", "--reason", "stuck")).toMatchObject({
    code: exitCodes.usage.code,
    stderr: expect.stringContaining("--yes"),
  });
  await database().hostRun.update({
    where: { hostId },
    data: { erasing: true, context: { eraseUntil: "2099-01-01T00:00:00Z" } },
  });
  expect(await run("reset", "reset-refused", "--reason", "stuck", "--yes")).toMatchObject({
    stderr: expect.stringContaining("erase"),
  });
  expect(await database().bmcReset.count({ where: { hostId } })).toBe(0);
});
