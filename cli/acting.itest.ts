// The command against a real server: what it changes, what it confirms first, what is refused, and its exit codes.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exitCodes } from "@/cli/exit-codes";
import { startAgainstServer } from "@/cli/testing/against-server";
import type { TestCommand, Ended, RunOptions } from "@/cli/testing/command";
import { leftOutMeaning } from "@/server/domain/assurance/standing";
import { roles } from "@/server/domain/access/roles";
import type { Role } from "@/server/domain/access/roles";
import type { ConsoleServer } from "@/server/surfaces/web/testing/console-server";
import { nvme, reportHardware } from "@/server/usecases/testing/hardware";
import { claimHost } from "@/server/usecases/instances/claim-host";

let server: ConsoleServer;
let command: TestCommand;
let stop: () => Promise<void>;
const tokens = new Map<Role, string>();
const { ok, failed, usage, forbidden, notFound, notNow } = exitCodes;

const as = (role: Role, args: readonly string[], options: RunOptions = {}): Promise<Ended> =>
  command.run(args, { url: server.url, token: tokens.get(role) ?? "", ...options });
const operator = (...args: string[]) => as("operator", args);
const database = () => server.world.backend.database;
const signals = async (hostId: string) =>
  (await database().signal.findMany({ where: { hostId }, orderBy: { id: "asc" } })).map(
    ({ kind, payload }) => ({ kind, payload }),
  );
const kinds = async (hostId: string) => (await signals(hostId)).map(({ kind }) => kind);
let count = 0;
async function host(
  state: Parameters<ConsoleServer["world"]["put"]>[1],
): Promise<{ id: string; name: string }> {
  const name = `act-${(count += 1)}-x`;
  const id = await server.world.host(name);
  await server.world.put(id, state);
  return { id, name };
}
async function instance(): Promise<{ id: string; name: string; hostId: string; hostName: string }> {
  const ready = await host("Ready");
  const name = `i-${ready.name}`;
  const claimed = await claimHost(
    server.world.backend,
    server.world.actor("repair-tenant-admin"),
    server.world.request(),
    { name, wanted: { hostId: ready.id } },
  );
  if (!claimed.ok) throw new Error(claimed.problem.detail);
  await database().signal.deleteMany({ where: { hostId: ready.id } });
  await database()
    .$executeRaw`UPDATE host_run SET state = 'Assigned/Ready', state_version = state_version + 1 WHERE host_id = ${ready.id}::uuid`;
  return { id: claimed.value.id, name, hostId: ready.id, hostName: ready.name };
}

beforeAll(async () => {
  ({ server, command, stop } = await startAgainstServer());
  for (const role of roles) tokens.set(role, await server.token(role));
});
afterAll(() => stop());

describe("an act on a host", () => {
  it("that cannot be taken back needs --yes where nobody can be asked", async () => {
    const { id, name } = await host("Ready");
    const { code, stderr } = await operator("hosts", "manage", name);
    expect(code).toBe(usage.code);
    expect(stderr).toContain("leaves allocation");
    expect(stderr).toContain("--yes");
    expect(await kinds(id)).toEqual([]);
    expect(await operator("hosts", "manage", name, "--yes")).toEqual({
      code: ok.code,
      stdout: "",
      stderr: `${name}: accepted\n`,
    });
    expect(await kinds(id)).toEqual(["manage"]);
  });
  it("without danger is done at once", async () => {
    const { id, name } = await host("Manageable");
    expect((await operator("hosts", "provide", name)).code).toBe(ok.code);
    expect(await kinds(id)).toEqual(["provide"]);
  });
  it("that its state forbids is refused in the server's words, with where to look", async () => {
    const { id, name } = await host("Enroll");
    const { code, stderr } = await operator("hosts", "provide", name);
    expect(code).toBe(notNow.code);
    expect(stderr).toMatch(new RegExp(`^${name}: .*Enroll.*\n.reclaim hosts show ${name}. shows`));
    expect(await kinds(id)).toEqual([]);
  });
  it.each(["auditor", "tenant-admin", "repair-tenant-admin"] as const)(
    "is refused to %s, every one of them, and nothing changes",
    async (role) => {
      const { id, name } = await host("Manageable");
      for (const args of [
        ["hosts", "manage", name],
        ["hosts", "provide", name],
        ["hosts", "restart", name],
        ["hosts", "delete", name],
        ["hosts", "maintenance", "set", name, "--reason", "x"],
        ["hosts", "maintenance", "clear", name],
        ["clean", name, "--clean-steps", '[{"interface":"power","step":"reboot"}]'],
        ["abort", name],
        ["hold", name, "--reason", "x"],
        ["resume", name],
        ["retry", name],
      ])
        expect({ args, code: (await as(role, [...args, "--yes"])).code }).toEqual({
          args,
          code: forbidden.code,
        });
      expect(await kinds(id)).toEqual([]);
    },
  );
  it("to delete is the provider admin's", async () => {
    const { id, name } = await host("Manageable");
    expect((await as("operator", ["hosts", "delete", name, "--yes"])).code).toBe(forbidden.code);
    expect((await as("provider-admin", ["hosts", "delete", name, "--yes"])).code).toBe(ok.code);
    expect(await kinds(id)).toEqual(["forceDelete"]);
  });
  it("on several goes on after one that refuses, and says how each went", async () => {
    const [good, bad, another] = [await host("Manageable"), await host("Enroll"), await host("Manageable")];
    const { code, stdout } = await operator(
      "hosts",
      "provide",
      good.name,
      bad.name,
      another.name,
      good.id,
      "-o",
      "json",
    );
    expect(code).toBe(notNow.code);
    expect(JSON.parse(stdout)).toMatchObject([
      { host: good.name, accepted: true },
      { host: bad.name, accepted: false, message: expect.stringContaining("Enroll") },
      { host: another.name, accepted: true },
    ]);
    expect([await kinds(good.id), await kinds(bad.id), await kinds(another.id)]).toEqual([
      ["provide"],
      [],
      ["provide"],
    ]);
  });
  it("does nothing to any when one of them is not there", async () => {
    const { id, name } = await host("Manageable");
    expect((await operator("hosts", "provide", name, "nobody")).code).toBe(notFound.code);
    expect(await kinds(id)).toEqual([]);
  });
  it("sets maintenance and ends it", async () => {
    const { id, name } = await host("Ready");
    expect((await operator("hosts", "maintenance", "set", name)).code).toBe(usage.code);
    expect((await operator("hosts", "maintenance", "set", name, "--reason", "DIMM A7")).code).toBe(ok.code);
    expect(await database().hostRun.findUniqueOrThrow({ where: { hostId: id } })).toMatchObject({
      maintenance: true,
      maintenanceReason: "DIMM A7",
      allocatable: false,
    });
    for (let time = 0; time < 2; time += 1)
      expect((await operator("hosts", "maintenance", "clear", name)).code).toBe(ok.code);
    expect(await database().hostRun.findUniqueOrThrow({ where: { hostId: id } })).toMatchObject({
      maintenance: false,
      allocatable: false,
      touched: true,
    });
    // A person's confirmation covers one maintenance, not an earlier one.
    expect((await operator("hosts", "maintenance", "set", name, "--reason", "wrong host")).code).toBe(
      ok.code,
    );
    const refused = await operator(
      "hosts",
      "maintenance",
      "clear",
      name,
      "--untouched",
      "it was another host",
      "--yes",
    );
    expect(refused).toMatchObject({
      code: notNow.code,
      stderr: expect.stringMatching(/covers only this maintenance/),
    });
    expect(await database().untouchedStatement.findMany({ where: { hostId: id } })).toEqual([]);
  });
  it("ends maintenance on another person's word in place of the check that follows", async () => {
    const { id, name } = await host("Ready");
    expect((await operator("hosts", "maintenance", "set", name, "--reason", "wrong host")).code).toBe(
      ok.code,
    );
    expect(
      await operator("hosts", "maintenance", "clear", name, "--untouched", "it was another host", "--yes"),
    ).toMatchObject({ code: notNow.code, stderr: expect.stringMatching(/Another person than who set/) });
    expect(
      (
        await as("provider-admin", [
          "hosts",
          "maintenance",
          "clear",
          name,
          "--untouched",
          "it was another host",
          "--yes",
        ])
      ).code,
    ).toBe(ok.code);
    expect(await database().hostRun.findUniqueOrThrow({ where: { hostId: id } })).toMatchObject({
      maintenance: false,
      allocatable: true,
      touched: false,
    });
    expect(await database().untouchedStatement.findMany({ where: { hostId: id } })).toMatchObject([
      { reason: "it was another host" },
    ]);
  });
  it("takes a person's word for hosts that are named, not for whatever a filter finds", async () => {
    const { id, name } = await host("Ready");
    await operator("hosts", "maintenance", "set", name, "--reason", "wrong host");
    const word = ["--untouched", "it was another host", "--yes"];
    expect(
      await operator("hosts", "maintenance", "clear", "--filter", "maintenance:person", ...word),
    ).toMatchObject({
      code: usage.code,
      stderr: expect.stringMatching(/--untouched cannot be used with --filter/),
    });
    expect(await database().untouchedStatement.findMany({ where: { hostId: id } })).toEqual([]);
  });
  it("is audited as what it is: a token's act", async () => {
    const { id, name } = await host("Manageable");
    await operator("hosts", "provide", name);
    expect(await database().auditEvent.findFirstOrThrow({ where: { targetId: id } })).toMatchObject({
      action: "host.provide",
      outcome: "done",
      actorKind: "token",
      actorId: server.world.actor("operator").personId,
    });
  });
});

describe("clean", () => {
  const steps = [
    { interface: "power", step: "wait", args: { seconds: 5 } },
    { interface: "power", step: "reboot" },
  ];
  const asked = [
    { interface: "power", step: "wait", args: { seconds: 5 } },
    { interface: "power", step: "reboot", args: {} },
  ];
  it.each([
    ["as text", () => ({ value: JSON.stringify(steps) })],
    ["from stdin", () => ({ value: "-", stdin: JSON.stringify(steps) })],
    [
      "from stdin as YAML",
      () => ({
        value: "-",
        stdin: "- {interface: power, step: wait, args: {seconds: 5}}\n- {interface: power, step: reboot}\n",
      }),
    ],
    [
      "from a file",
      () => (
        writeFileSync(join(command.folder, "steps.json"), JSON.stringify(steps)),
        { value: join(command.folder, "steps.json") }
      ),
    ],
    [
      "from a file of YAML",
      () => (
        writeFileSync(
          join(command.folder, "steps.yaml"),
          "- interface: power\n  step: wait\n  args:\n    seconds: 5\n- interface: power\n  step: reboot\n",
        ),
        { value: join(command.folder, "steps.yaml") }
      ),
    ],
  ])("takes its steps %s", async (_words, given) => {
    const { id, name } = await host("Manageable");
    const { value, ...options }: { value: string; stdin?: string } = given();
    expect(await as("operator", ["clean", name, "--clean-steps", value, "--yes"], options)).toMatchObject({
      code: ok.code,
    });
    expect(await signals(id)).toMatchObject([{ kind: "clean", payload: { steps: asked, runbook: null } }]);
  });
  it.each([
    ["no steps at all", [], usage.code],
    ["both ways", ["--clean-steps", "[]", "--runbook", "r"], usage.code],
    ["no JSON", ["--clean-steps", "[{]"], usage.code],
    ["no list", ["--clean-steps", "{}"], usage.code],
    ["an empty list", ["--clean-steps", "[]"], usage.code],
    ["a step without a name", ["--clean-steps", '[{"interface":"power"}]'], usage.code],
    [
      "more than a step has",
      ["--clean-steps", '[{"interface":"power","step":"reboot","priority":5}]'],
      usage.code,
    ],
    ["a file that is not there", ["--clean-steps", "nowhere.json"], usage.code],
    ["empty stdin", ["--clean-steps", "-"], usage.code],
    ["a step that there is not", ["--clean-steps", '[{"interface":"power","step":"dance"}]'], usage.code],
    ["a missing argument", ["--clean-steps", '[{"interface":"power","step":"wait"}]'], usage.code],
    ["a runbook that there is not", ["--runbook", "nothing"], notFound.code],
  ])("refuses %s, and nothing changes", async (_words, args, code) => {
    const { id, name } = await host("Manageable");
    expect((await operator("clean", name, "--yes", ...args)).code).toBe(code);
    expect(await kinds(id)).toEqual([]);
  });
  it("names every fault of a list", async () => {
    const { name } = await host("Manageable");
    const { stderr } = await operator(
      "clean",
      name,
      "--yes",
      "--clean-steps",
      '[{"interface":"power","step":"wait"},{"interface":"deploy","step":"nothing"}]',
    );
    expect(stderr).toMatch(/step 1: .*seconds[^]*step 2: .*deploy\.nothing/);
  });
  it("says what it will do where it asks", async () => {
    const { id, name } = await host("Manageable");
    const { code, stderr } = await operator("clean", name, "--clean-steps", JSON.stringify(steps));
    expect(code).toBe(usage.code);
    expect(stderr).toContain("power.wait, power.reboot; about");
    expect(await kinds(id)).toEqual([]);
  });
  it("runs a runbook by its name", async () => {
    const { id, name } = await host("Manageable");
    await database().host.update({ where: { id }, data: { traits: ["CUSTOM_A"] } });
    await database().runbook.create({
      data: {
        id: "00000000-0000-4000-8000-000000000001",
        name: "wake-up",
        description: "",
        traits: ["CUSTOM_A"],
        steps: asked,
      },
    });
    expect((await operator("clean", name, "--runbook", "wake", "--yes")).code).toBe(ok.code);
    expect(await signals(id)).toMatchObject([{ payload: { runbook: { name: "wake-up" } } }]);
    const other = await host("Manageable");
    expect((await operator("clean", other.name, "--runbook", "wake-up", "--yes")).code).toBe(notNow.code);
  });
  it("is refused while another is asked for", async () => {
    const { id, name } = await host("Manageable");
    await operator("clean", name, "--yes", "--clean-steps", JSON.stringify(steps));
    expect(
      (await operator("clean", name, "--yes", "--clean-steps", '[{"interface":"power","step":"power_off"}]'))
        .code,
    ).toBe(notNow.code);
    expect(await kinds(id)).toEqual(["clean"]);
  });
});

describe("release", () => {
  it("asks first, and gives the tenant's instance up", async () => {
    const { id, name, hostId } = await instance();
    expect((await as("repair-tenant-admin", ["release", name])).code).toBe(usage.code);
    expect(await kinds(hostId)).toEqual([]);
    expect(await as("repair-tenant-admin", ["release", name, "--yes"])).toMatchObject({
      code: ok.code,
      stderr: `${name}: release accepted\n`,
    });
    expect(await kinds(hostId)).toEqual(["release"]);
    expect(await as("repair-tenant-admin", ["release", id])).toMatchObject({
      code: ok.code,
      stderr: expect.stringContaining("already"),
    });
    expect(await kinds(hostId)).toEqual(["release"]);
  });
  it("takes a host from the provider's people", async () => {
    const { hostId, hostName, id } = await instance();
    const { code, stdout } = await operator("release", "--host", hostName, "--yes", "-o", "json");
    expect(code).toBe(ok.code);
    expect(JSON.parse(stdout)).toMatchObject({ id, accepted: true });
    expect(await kinds(hostId)).toEqual(["release"]);
  });
  it("of another's instance, a host without one, or nothing named is refused", async () => {
    const { name, hostId } = await instance();
    expect((await as("tenant-admin", ["release", name, "--yes"])).code).toBe(notFound.code);
    expect((await as("auditor", ["release", name, "--yes"])).code).toBe(forbidden.code);
    expect((await operator("release", "--host", (await host("Ready")).name, "--yes")).code).toBe(notNow.code);
    expect((await operator("release", "--yes")).code).toBe(usage.code);
    expect((await operator("release", name, "--host", "x", "--yes")).code).toBe(usage.code);
    expect(await kinds(hostId)).toEqual([]);
  });
  it("with an issue keeps the machine out of allocation, and a wrong one releases nothing", async () => {
    const { name, hostId } = await instance();
    const wrong = await as("repair-tenant-admin", [
      "release",
      name,
      "--issue",
      "Weather",
      "--summary",
      "rain",
      "--yes",
    ]);
    expect([wrong.code, wrong.stderr]).toEqual([
      usage.code,
      expect.stringContaining("Hardware, Network, Performance, Storage, Software, Other"),
    ]);
    for (const args of [
      ["--issue", "Hardware"],
      ["--summary", "x"],
      ["--replacement", "on"],
      ["--issue", "Weather", "--summary", "rain", "--replacement", "on"],
      ["--issue", "Other", "--summary", "x", "--replacement", "on", "--repair-tenant"],
    ])
      expect((await as("repair-tenant-admin", ["release", name, "--yes", ...args])).code).toBe(usage.code);
    expect(await kinds(hostId)).toEqual([]);
    const said = ["--issue", "Hardware", "--summary", "fan 3 is loud", "--yes"];
    expect((await as("repair-tenant-admin", ["release", name, ...said])).code).toBe(ok.code);
    expect(await kinds(hostId)).toEqual(["release"]);
    const { alertIds } = await database().hostHealth.findUniqueOrThrow({ where: { hostId } });
    expect(alertIds).toEqual(["TenantReportedIssue"]);
    const wanted = async () =>
      (await database().ticket.findFirstOrThrow({ where: { hostId } })).replacementWanted;
    expect(await wanted()).toBe(false);
    expect((await as("repair-tenant-admin", ["release", name, ...said, "--replacement", "on"])).code).toBe(
      ok.code,
    );
    expect(await wanted()).toBe(true);
  });
});

describe("policy", () => {
  it("sets priorities and takes them back, for the provider admin only", async () => {
    const set = ["policy", "priorities", "set", "deploy.erase_nvme", "89", "--site", "a"];
    for (const role of ["operator", "auditor"] as const)
      expect((await as(role, set)).code).toBe(forbidden.code);
    expect((await as("provider-admin", set)).code).toBe(ok.code);
    expect(JSON.parse((await operator("policy", "priorities", "list", "-o", "json")).stdout)).toMatchObject([
      { scope: "site", scopeName: "a", step: "erase_nvme", priority: 89, defaultPriority: 90 },
    ]);
    expect(
      (await as("provider-admin", ["policy", "priorities", "unset", "deploy.erase_nvme", "--site", "a"]))
        .code,
    ).toBe(ok.code);
    expect((await operator("policy", "priorities", "list")).stderr).toBe("Every step has its default.\n");
  });
  it("asks before a gate loses its step, and refuses a tie, naming both", async () => {
    expect(
      await as("provider-admin", ["policy", "priorities", "set", "deploy.erase_nvme", "0", "--site", "a"]),
    ).toMatchObject({
      code: usage.code,
      stderr: expect.stringMatching(new RegExp(`storageSanitized[^]*${leftOutMeaning}`)),
    });
    const tie = await as("provider-admin", [
      "policy",
      "priorities",
      "set",
      "deploy.erase_nvme",
      "86",
      "--site",
      "a",
    ]);
    expect([tie.code, tie.stderr]).toEqual([
      notNow.code,
      expect.stringMatching(/erase_nvme.*erase_disks|erase_disks.*erase_nvme/),
    ]);
    expect(await database().stepOverride.count()).toBe(0);
  });
  it.each([
    [["erase_nvme", "5", "--site", "a"]],
    [["deploy.erase_nvme", "-5", "--site", "a"]],
    [["deploy.erase_nvme", "5"]],
    [["deploy.erase_nvme", "5", "--site", "a", "--host", "b"]],
    [["deploy.nothing", "5", "--site", "a"]],
  ])("refuses %j", async (args) =>
    expect([usage.code, notFound.code]).toContain(
      (await as("provider-admin", ["policy", "priorities", "set", ...args])).code,
    ),
  );
  it("sets limits one by one, and leaves the others", async () => {
    const policyOf = async () =>
      (
        JSON.parse((await operator("policy", "show", "-o", "json")).stdout) as {
          policy: { admission: unknown };
        }
      ).policy.admission;
    const before = await policyOf();
    expect(
      (await as("provider-admin", ["policy", "limits", "--at-work", "40", "--boots-per-minute", "none"]))
        .code,
    ).toBe(ok.code);
    expect(await policyOf()).toEqual({ ...(before as object), atWork: 40, bootsPerMinute: null });
    for (const args of [
      [],
      ["--at-work", "0"],
      ["--at-work", "many"],
      ["--at-work", "5", "--site", "nowhere"],
    ])
      expect([usage.code, notFound.code]).toContain(
        (await as("provider-admin", ["policy", "limits", ...args])).code,
      );
    expect((await as("operator", ["policy", "limits", "--at-work", "5"])).code).toBe(forbidden.code);
    expect(
      (await as("provider-admin", ["policy", "limits", "--at-work", "none", "--boots-per-minute", "20"]))
        .code,
    ).toBe(ok.code);
    expect(await policyOf()).toEqual(before);
  });
  it("gives single segments and power domains a limit, and takes it back", async () => {
    const admissionOf = async () => {
      const shown = JSON.parse((await operator("policy", "show", "-o", "json")).stdout) as {
        policy: { admission: { segments: object; powerDomains: object } };
      };
      const { segments, powerDomains } = shown.policy.admission;
      return { segments, powerDomains };
    };
    const set = async (...args: string[]) => (await as("provider-admin", ["policy", "limits", ...args])).code;
    expect(await set("--segment", "row-1=10", "--segment", "row 2=5", "--power-domain", "feed-a=4")).toBe(
      ok.code,
    );
    expect(await admissionOf()).toEqual({
      segments: { "row-1": 10, "row 2": 5 },
      powerDomains: { "feed-a": 4 },
    });
    expect(await set("--at-work", "30")).toBe(ok.code);
    expect(await set("--segment", "row-1=none")).toBe(ok.code);
    expect(await admissionOf()).toEqual({ segments: { "row 2": 5 }, powerDomains: { "feed-a": 4 } });
    for (const junk of ["row-1", "row-1=0", "=3", "row-1=x"])
      expect(await set("--segment", junk)).toBe(usage.code);
    expect(await set("--segment", "row 2=none", "--power-domain", "feed-a=none", "--at-work", "none")).toBe(
      ok.code,
    );
  });
  it("says where a host stands", async () => {
    const { name } = await host("Manageable");
    const place = async (role: Role, ...args: string[]) =>
      (await as(role, ["hosts", "place", name, ...args])).code;
    expect(await place("operator", "--rack", "B7", "--segment", "row-1", "--power-domain", "feed-a")).toBe(
      ok.code,
    );
    const shown = (await operator("hosts", "show", name)).stdout;
    expect(shown).toMatch(/B7/);
    expect(shown).toMatch(/row-1/);
    expect(shown).toMatch(/feed-a/);
    expect((await operator("hosts", "list", "segment:row-*", "domain:feed-a")).stdout).toContain(name);
    expect(await place("operator", "--segment", "none")).toBe(ok.code);
    expect((await operator("hosts", "list", "segment:row-*")).stdout).not.toContain(name);
    expect(await place("operator")).toBe(usage.code);
    expect(await place("auditor", "--rack", "B8")).toBe(forbidden.code);
  });
  it("switches automated cleaning, and says what follows before and after", async () => {
    const { id, name } = await host("Manageable");
    const said = expect.stringContaining(leftOutMeaning);
    expect(await as("provider-admin", ["policy", "automated-clean", "off", "--host", name])).toMatchObject({
      code: usage.code,
      stderr: said,
    });
    expect(
      await as("provider-admin", ["policy", "automated-clean", "off", "--host", name, "--yes"]),
    ).toMatchObject({ code: ok.code, stderr: said });
    expect((await operator("fleet")).stdout).toContain(`automated cleaning is off for host ${name}`);
    expect(await database().host.findUniqueOrThrow({ where: { id } })).toMatchObject({
      automatedClean: false,
    });
    expect((await as("provider-admin", ["policy", "automated-clean", "default", "--host", name])).code).toBe(
      ok.code,
    );
    expect(await database().host.findUniqueOrThrow({ where: { id } })).toMatchObject({
      automatedClean: null,
    });
    expect(
      (await as("provider-admin", ["policy", "automated-clean", "off", "--site", "a", "--yes"])).code,
    ).toBe(ok.code);
    expect(JSON.parse((await operator("policy", "show", "-o", "json")).stdout)).toMatchObject({
      policy: { automatedClean: false },
    });
    // A host that follows such a site is left out, too.
    expect(
      await as("provider-admin", ["policy", "automated-clean", "default", "--host", name]),
    ).toMatchObject({ code: usage.code, stderr: said });
    expect(
      await as("provider-admin", [
        ...["policy", "priorities", "set", "deploy.erase_nvme", "0", "--site", "a", "--yes"],
      ]),
    ).toMatchObject({ code: ok.code, stderr: said });
    const { stdout } = await operator("fleet");
    for (const words of [
      "automated cleaning is off for site a",
      "deploy.erase_nvme is off for site a",
      leftOutMeaning,
    ])
      expect(stdout).toContain(words);
    const ofTenant = await as("tenant-admin", ["whoami", "-o", "json"]);
    expect(JSON.parse(ofTenant.stdout)).toMatchObject({ leftOut: { places: [], total: 0 } });
    await database().stepOverride.deleteMany();
    expect((await as("operator", ["policy", "automated-clean", "on", "--site", "a"])).code).toBe(
      forbidden.code,
    );
    expect((await as("provider-admin", ["policy", "automated-clean", "maybe", "--site", "a"])).code).toBe(
      usage.code,
    );
  });
});

describe("node, over the Ironic API", () => {
  it("lists the steps that a host has, in order, once its hardware is known", async () => {
    const { id, name } = await host("Manageable");
    const unknown = await operator("node", "get-clean-steps", name);
    expect(unknown).toMatchObject({ code: notNow.code, stdout: "" });
    expect(unknown.stderr).toMatch(/are not known before its BMC was read[^]*The server does not know when/);
    await reportHardware(server.world, id, [nvme("S1")]);
    const steps = JSON.parse((await operator("node", "get-clean-steps", name, "-o", "json")).stdout) as {
      interface: string;
      step: string;
      priority: number;
    }[];
    expect(steps).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ interface: "deploy", step: "erase_nvme", priority: 90, abortable: false }),
      ]),
    );
    expect(steps.map(({ priority }) => priority)).toEqual(
      steps.map(({ priority }) => priority).sort((a, b) => b - a),
    );
    const some = JSON.parse(
      (await operator("node", "get-clean-steps", id, "--min-priority", "60", "-o", "json")).stdout,
    ) as { priority: number }[];
    expect(some).toEqual(steps.filter(({ priority }) => priority >= 60));
    expect(some.length).toBeLessThan(steps.length);
  });
  it("asks for a state, with its steps or without", async () => {
    const enroll = await host("Enroll");
    expect(await operator("node", "set-provision-state", enroll.name, "manage")).toEqual({
      code: ok.code,
      stdout: "",
      stderr: `${enroll.name}: manage accepted\n`,
    });
    expect(await kinds(enroll.id)).toEqual(["manage"]);
    const { id, name } = await host("Manageable");
    await reportHardware(server.world, id, [nvme("S2")]);
    expect(
      await as("operator", ["node", "set-provision-state", name, "clean", "--clean-steps", "-"], {
        stdin: '[{"interface":"power","step":"reboot"}]',
      }),
    ).toMatchObject({ code: ok.code });
    expect(await signals(id)).toMatchObject([
      { kind: "clean", payload: { steps: [{ interface: "power", step: "reboot" }] } },
    ]);
  });
  it("gives Ironic's refusals in its words, and nothing changes", async () => {
    const { id, name } = await host("Ready");
    const wrong = await operator("node", "set-provision-state", name, "provide");
    expect([wrong.code, wrong.stderr]).toEqual([failed.code, expect.stringMatching(/provide/)]);
    expect((await operator("node", "set-provision-state", name, "dance")).code).toBe(failed.code);
    expect((await operator("node", "set-provision-state", "nobody", "manage")).code).toBe(notFound.code);
    for (const role of ["auditor", "tenant-admin"] as const)
      expect([forbidden.code, notFound.code]).toContain(
        (await as(role, ["node", "set-provision-state", name, "manage"])).code,
      );
    expect(
      (
        await as("operator", ["node", "get-clean-steps", name], {
          token: "rcl_wrong_wrong_wrong_wrong_wrong",
        })
      ).code,
    ).toBe(forbidden.code);
    expect(await kinds(id)).toEqual([]);
  });
});

describe("hold", () => {
  it("goes with its reason and its length to a cleaning that runs, and nowhere else", async () => {
    const { name } = await host("Manageable");
    expect((await operator("hold", name, "--reason", "look at it")).code).toBe(notNow.code);
    expect((await operator("hold", name)).code).toBe(usage.code);
    expect((await operator("hold", name, "--reason", "x", "--for", "soon")).code).toBe(usage.code);
    const cleaning = await host("WaitingForCleanup/HostCleanup");
    expect(await operator("hold", cleaning.name, "--reason", "look at it", "--for", "2h")).toMatchObject({
      code: ok.code,
    });
    expect(await signals(cleaning.id)).toMatchObject([
      { kind: "hold", payload: { reason: "look at it", forMs: 7_200_000 } },
    ]);
  });
});
