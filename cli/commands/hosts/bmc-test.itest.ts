// `reclaim bmc test` and `bmc show` where there is no report to wait for: the host is deleted, or the report cannot be read.
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
