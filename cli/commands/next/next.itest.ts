// `reclaim next` against a real server: the list in each form, who has a line, snoozes, and who may.
import { beforeAll, expect, it } from "vitest";
import { exitCodes } from "@/cli/exit-codes";
import { commandByRole } from "@/cli/testing/against-server";

const { ok, forbidden, notFound } = exitCodes;
const { as, database, started } = commandByRole();
const world = () => started().server.world;
const operator = (...args: string[]) => as("operator", ...args);

beforeAll(async () => {
  expect(await operator("next")).toMatchObject({
    code: ok.code,
    stdout: "",
    stderr: "Nothing needs a person.\n",
  });
  for (const name of ["fail-1", "fail-2"]) {
    const id = await world().host(name);
    await world().put(id, "Failed/NVMECleanFailed");
    await database().hostRun.update({ where: { hostId: id }, data: { lastError: "S1: refused Sanitize" } });
  }
});

const group = async (): Promise<string> =>
  (await operator("next", "-o", "json").then(({ stdout }) => /"key": *"([0-9a-f]{64})"/.exec(stdout)))?.[1] ??
  "none";

/** What was read is shared for two seconds. */
const untilSeen = async () => {
  await expect.poll(group, { timeout: 30_000 }).toMatch(/^[0-9a-f]{64}$/);
  return group();
};

it("lists what needs a person, as a table, JSON and CSV", async () => {
  const key = await untilSeen();
  expect((await operator("next")).stdout).toMatch(
    new RegExp(`^${key.slice(0, 8)} +2 hosts failed: NVMECleanFailed +\\+2 hosts`, "m"),
  );
  expect(JSON.parse((await as("auditor", "next", "-o", "json")).stdout)).toMatchObject([
    {
      kind: "failure",
      size: 2,
      mayAct: false,
      act: { command: expect.stringMatching(/^hosts list failure:/) },
    },
  ]);
  const csv = (await operator("next", "--csv")).stdout.split("\n");
  expect(csv[0]).toMatch(/^group,what,effect,age,owner,why,kind,next,command/);
  expect(csv[1]).toContain("2 hosts failed: NVMECleanFailed");
  expect((await operator("next", "--site", "nowhere")).code).toBe(notFound.code);
});

it("is taken, handed over, noted and put back", async () => {
  const short = (await untilSeen()).slice(0, 8);
  const title = "2 hosts failed: NVMECleanFailed";
  expect((await operator("next", "take", short)).stderr).toBe(`You have it: ${title}.\n`);
  const [, person] = /"ownerName": *"([^"]+)"/.exec((await operator("next", "-o", "json")).stdout) ?? [];
  expect(person).toMatch(/operator/);
  const admin = world().actor("provider-admin").name;
  expect((await operator("next", "hand-over", short, admin, "--note", "wait for the window")).stderr).toBe(
    `${admin} has it: ${title}.\n`,
  );
  expect((await operator("next", "note", short, "--text", "vendor case 7")).code).toBe(ok.code);
  expect(JSON.parse((await operator("next", "-o", "json")).stdout)).toMatchObject([
    { ownerName: admin, note: "vendor case 7" },
  ]);
  expect((await operator("next", "put-back", short)).stderr).toBe(`Nobody has it: ${title}.\n`);
  expect((await as("auditor", "next", "take", short)).code).toBe(forbidden.code);
  expect((await operator("next", "take", "ffffffff")).code).toBe(notFound.code);
});

it("is snoozed with a reason, and comes back", async () => {
  const short = (await untilSeen()).slice(0, 8);
  const soon = new Date(Date.now() + 86_400_000).toISOString();
  expect((await operator("next", "snooze", short, "--until", soon, "--reason", "the part comes")).code).toBe(
    ok.code,
  );
  expect(await operator("next")).toMatchObject({
    stdout: "",
    stderr: expect.stringContaining("1 more snoozed: `reclaim next --snoozed`."),
  });
  expect(JSON.parse((await operator("next", "--snoozed", "-o", "json")).stdout)).toMatchObject([
    { snoozed: true, snoozeReason: "the part comes" },
  ]);
  expect((await operator("next", "wake", short)).stderr).toMatch(/^Back on the list:/);
  expect((await operator("next")).stdout).toContain(short);
});
