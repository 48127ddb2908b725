// Acts on hosts selected by a filter: counted, confirmed, dry-run, and each with its own result.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exitCodes } from "@/cli/exit-codes";
import { startAgainstServer } from "@/cli/testing/against-server";
import type { TestCommand, Ended } from "@/cli/testing/command";
import { atTerminal } from "@/cli/testing/terminal";
import type { Role } from "@/server/domain/access/roles";
import type { ConsoleServer } from "@/server/surfaces/web/testing/console-server";
import { claimHost } from "@/server/usecases/instances/claim-host";

let server: ConsoleServer;
let command: TestCommand;
let stop: () => Promise<void>;
const tokens = new Map<Role, string>();
const ids = new Map<string, string>();
const { ok, usage, forbidden, notNow, failed } = exitCodes;

beforeAll(async () => {
  ({ server, command, stop } = await startAgainstServer());
  for (const role of ["operator", "auditor"] as const) tokens.set(role, await server.token(role));
  for (const [name, state] of [
    ["many-1", "Manageable"],
    ["many-2", "Manageable"],
    ["many-3", "Ready"],
    ["other-1", "Manageable"],
  ] as const) {
    ids.set(name, await server.world.host(name));
    await server.world.put(ids.get(name) ?? "", state);
  }
});
afterAll(() => stop());

const as = (role: Role, ...args: string[]): Promise<Ended> =>
  command.run(args, { url: server.url, token: tokens.get(role) ?? "" });
const operator = (...args: string[]) => as("operator", ...args);
const asked = async (): Promise<number> => server.world.backend.database.signal.count();
const inMaintenance = async (): Promise<readonly string[]> =>
  (
    await server.world.backend.database.hostRun.findMany({
      where: { maintenance: true },
      orderBy: { name: "asc" },
    })
  ).map(({ name }) => name);

describe("an act with a filter", () => {
  it("asks although nothing is dangerous, says how many, and does nothing without an answer", async () => {
    const alone = await operator("hosts", "provide", "--filter", "many");
    expect([alone.code, alone.stderr]).toEqual([
      usage.code,
      expect.stringContaining("many finds 3 hosts; 2 can do this."),
    ]);
    const env = { RECLAIM_URL: server.url, RECLAIM_TOKEN: tokens.get("operator") ?? "" };
    const no = await atTerminal(["hosts", "provide", "--filter", "many"], {
      env,
      home: command.home,
      types: "n",
    });
    expect([no.code, no.stderr]).toEqual([
      failed.code,
      expect.stringContaining("Provide: many-1, many-2? [y/N]"),
    ]);
    expect(await asked()).toBe(0);
  });
  it("is tried without effect", async () => {
    const tried = await operator("hosts", "provide", "--filter", "many", "--dry-run");
    expect(tried.code).toBe(notNow.code);
    expect(tried.stdout).toMatch(/^many-1 +possible$/m);
    expect(tried.stdout).toMatch(/^many-3 +not possible +only a Manageable host can be provided/m);
    expect(tried.stderr).toBe("1 of 3 hosts cannot. Dry run: nothing was done.\n");
    const named = await operator("hosts", "provide", "many-1", "--dry-run", "-o", "json");
    expect([named.code, JSON.parse(named.stdout)]).toEqual([
      ok.code,
      [{ host: "many-1", hostId: ids.get("many-1"), possible: true, message: "" }],
    ]);
    expect(await asked()).toBe(0);
    expect((await as("auditor", "hosts", "provide", "--filter", "many", "--dry-run")).code).toBe(
      forbidden.code,
    );
  });
  it("gives each host its own result, and ends with the first refusal's code", async () => {
    const done = await operator("hosts", "provide", "--filter", "many", "--yes");
    expect(done.code).toBe(notNow.code);
    expect(done.stdout).toMatch(/^many-1 +accepted$/m);
    expect(done.stdout).toMatch(/^many-2 +accepted$/m);
    expect(done.stdout).toMatch(/^many-3 +refused +/m);
    expect(done.stderr).toBe("1 of 3 hosts refused.\n");
    expect(await asked()).toBe(2);
  });
  it("takes the filter of the list, and acts on no other host", async () => {
    const done = await operator(
      "hosts",
      "maintenance",
      "set",
      "--filter",
      "state:Ready many",
      "--reason",
      "x",
      "--yes",
    );
    expect(done).toMatchObject({ code: ok.code, stderr: "many-3: accepted\n" });
    expect(await inMaintenance()).toEqual(["many-3"]);
  });
  it.each([
    [["hosts", "provide"], "usage"],
    [["hosts", "provide", "many-1", "--filter", "many"], "usage"],
    [["hosts", "provide", "--filter", ""], "usage"],
    [["hosts", "provide", "--filter", "colour:red"], "usage"],
    [["hosts", "provide", "--filter", "nothing-like-it", "--yes"], "notFound"],
  ] as const)("refuses %j: %s", async (args, exit) =>
    expect({ args, code: (await operator(...args)).code }).toEqual({ args, code: exitCodes[exit].code }),
  );
  it("is refused to who may not", async () => {
    const refused = await as(
      "auditor",
      "hosts",
      "maintenance",
      "set",
      "--filter",
      "many",
      "--reason",
      "x",
      "--yes",
    );
    expect(refused.code).toBe(forbidden.code);
    expect(await inMaintenance()).toEqual(["many-3"]);
  });
});

describe("a list", () => {
  it("takes its filter as an argument, as acts take it, and both", async () => {
    const names = async (...args: string[]) => {
      const { code, stdout } = await operator("hosts", "list", ...args, "-o", "json");
      expect({ args, code }).toEqual({ args, code: ok.code });
      return JSON.parse(stdout).map(({ name }: { name: string }) => name);
    };
    expect(await names("many", "state:Ready")).toEqual(["many-3"]);
    expect(await names("--filter", "many state:Ready")).toEqual(["many-3"]);
    expect(await names("many", "--filter", "state:Ready")).toEqual(["many-3"]);
    const unknown = await operator("hosts", "list", "--filter", "colour:red");
    expect([unknown.code, unknown.stderr]).toEqual([usage.code, expect.stringContaining("colour")]);
  });
  it("has a filter that other commands take as --filter, and say so", async () => {
    const act = await operator("hosts", "provide", "state:Ready", "--yes");
    expect([act.code, act.stderr]).toEqual([usage.code, expect.stringContaining("--filter 'state:Ready'")]);
    for (const args of [
      ["hosts", "show", "state:Ready"],
      ["release", "state:Ready"],
    ]) {
      const { code, stderr } = await operator(...args);
      expect({ args, code, stderr }).toEqual({
        args,
        code: exitCodes.notFound.code,
        stderr: expect.stringContaining("as --filter"),
      });
    }
  });
});

describe("how a host starts", () => {
  /** Runs in this process, which is cheaper than starting another. */
  const boot = (role: Role, args: string) =>
    atTerminal(["hosts", "boot", ...args.split(" "), "--yes"], {
      env: { RECLAIM_URL: server.url, RECLAIM_TOKEN: tokens.get(role) ?? "" },
      home: command.home,
    });
  const of = async (name: string) =>
    (
      await server.world.backend.database.signal.findMany({
        where: { hostId: ids.get(name) ?? "", kind: "setBoot" },
        orderBy: { id: "asc" },
      })
    ).map(({ payload }) => Object(payload).change);
  const store = (settings: object) =>
    server.world.backend.database.$executeRaw`
      UPDATE host_run SET context = context || jsonb_build_object('bootSettings', ${settings}::jsonb) WHERE host_id = ${ids.get("boot-1") ?? ""}::uuid`;

  beforeAll(async () => {
    for (const [name, state] of [
      ["boot-1", "Manageable"],
      ["boot-2", "Ready"],
    ] as const) {
      ids.set(name, await server.world.host(name));
      await server.world.put(ids.get(name) ?? "", state);
    }
  });

  it.each([
    ["--device pxe", { device: "pxe", persistent: false }],
    ["--device disk --persistent", { device: "disk", persistent: true }],
    ["--mode uefi", { mode: "uefi" }],
    ["--secure-boot on", { secureBoot: true }],
    ["--secure-boot off", { secureBoot: false }],
    [
      "--device cdrom --mode bios --secure-boot off",
      { device: "cdrom", persistent: false, mode: "bios", secureBoot: false },
    ],
  ])("%s", async (args, change) => {
    await server.world.backend.database.signal.deleteMany({ where: { hostId: ids.get("boot-1") ?? "" } });
    const done = await boot("operator", `boot-1 ${args}`);
    expect(done).toMatchObject({ code: ok.code, stderr: "boot-1: accepted\n" });
    expect(await of("boot-1")).toEqual([change]);
  });

  it.each([
    ["boot-1", "usage", /Name what to set/],
    ["boot-1 --mode uefi --persistent", "usage", /--persistent is for --device/],
    ["boot-1 --device floppy", "usage", /Allowed choices are pxe/],
    ["boot-1 --mode legacy", "usage", /Allowed choices are uefi, bios/],
    ["boot-1 --secure-boot maybe", "usage", /on or off/],
    ["boot-2 --device pxe", "notNow", /boot-2: .*Manageable/],
    ["no-such-host --device pxe", "notFound", /no host no-such-host/],
  ] as const)("%s: %s", async (args, exit, words) => {
    const before = await of("boot-1");
    const { code, stderr } = await boot("operator", args);
    expect({ code, stderr }).toEqual({ code: exitCodes[exit].code, stderr: expect.stringMatching(words) });
    expect([await of("boot-1"), await of("boot-2")]).toEqual([before, []]);
  });

  it("is refused where the BMC is known not to offer it, and to who may not", async () => {
    const before = await of("boot-1");
    await store({ devices: ["disk"], device: null, persistent: false, mode: null, secureBoot: null });
    for (const [args, words] of [
      ["--device pxe", /offers no boot device pxe, only disk/],
      ["--mode uefi", /offers no boot mode/],
      ["--secure-boot on", /offers no secure boot/],
    ] as const) {
      const { code, stderr } = await boot("operator", `boot-1 ${args}`);
      expect({ code, stderr }).toEqual({ code: usage.code, stderr: expect.stringMatching(words) });
    }
    for (const state of ["WaitingForCleanup/HostCleanup", "Assigned/Ready"] as const) {
      await server.world.put(ids.get("boot-1") ?? "", state);
      const { code } = await boot("operator", "boot-1 --secure-boot on");
      expect({ state, refused: code !== ok.code }).toEqual({ state, refused: true });
    }
    await server.world.put(ids.get("boot-1") ?? "", "Manageable");
    expect((await boot("auditor", "boot-1 --device disk")).code).toBe(forbidden.code);
    expect(await of("boot-1")).toEqual(before);
  });
});

describe("release of what a filter finds", () => {
  const names = async () =>
    (await server.world.backend.database.instance.findMany({ orderBy: { name: "asc" } })).flatMap(
      ({ name, releaseRequestedAt }) => (releaseRequestedAt === null ? [] : [name]),
    );
  /** Releases that the server refused: what was not confirmed must not be sent. */
  const refusedReleases = () =>
    server.world.backend.database.auditEvent.count({
      where: { action: "instance.release", outcome: "refused" },
    });
  beforeAll(async () => {
    const { world } = server;
    for (const name of ["held-1", "held-2", "held-3", "held-empty"]) {
      const hostId = await world.host(name);
      await world.put(hostId, "Ready");
      if (name === "held-empty") continue;
      const claimed = await claimHost(world.backend, world.actor("repair-tenant-admin"), world.request(), {
        name: `train-${name}`,
        wanted: { hostId },
      });
      if (!claimed.ok) throw new Error(claimed.problem.detail);
      await world.backend.database.signal.deleteMany({ where: { hostId } });
      if (name !== "held-3")
        await world.backend.database.$executeRaw`
          UPDATE host_run SET state = 'Assigned/Ready', state_version = state_version + 1 WHERE host_id = ${hostId}::uuid`;
      else
        await world.backend.database.$executeRaw`
          UPDATE host_run SET state = 'Manageable', state_version = state_version + 1 WHERE host_id = ${hostId}::uuid`;
    }
  });
  it("says how many hosts and instances, what will happen, and does nothing without an answer", async () => {
    const alone = await operator("release", "--filter", "held");
    expect([alone.code, alone.stderr]).toEqual([
      usage.code,
      expect.stringMatching(
        /held finds 4 hosts and 3 instances on them; 2 can be released. 2 instances are taken from .*: their hosts are shut off .* erased. This cannot be undone./,
      ),
    ]);
    const tried = await operator("release", "--filter", "held", "--dry-run");
    expect([tried.code, tried.stderr]).toEqual([
      notNow.code,
      "1 of 3 instances cannot. Dry run: nothing was done.\n",
    ]);
    expect(tried.stdout).toMatch(/^train-held-1 +possible$/m);
    expect((await as("auditor", "release", "--filter", "held", "--dry-run")).code).toBe(forbidden.code);
    expect((await as("auditor", "release", "--filter", "held", "--yes")).code).toBe(forbidden.code);
    expect((await operator("release", "--filter", "held-empty", "--yes")).code).toBe(notNow.code);
    expect((await operator("release", "--filter", "", "--yes")).code).toBe(usage.code);
    expect((await operator("release", "train-held-1", "--filter", "held", "--yes")).code).toBe(usage.code);
    expect(await names()).toEqual([]);
  });
  it("gives each its own result", async () => {
    const done = await operator("release", "--filter", "held", "--yes", "-o", "json");
    expect([done.code, done.stderr]).toEqual([notNow.code, "1 of 3 instances refused.\n"]);
    expect(JSON.parse(done.stdout)).toMatchObject([
      { instance: "train-held-1", accepted: true },
      { instance: "train-held-2", accepted: true },
      { instance: "train-held-3", accepted: false },
    ]);
    expect(await names()).toEqual(["train-held-1", "train-held-2"]);
    expect(await refusedReleases()).toBe(0);
    const again = await operator("release", "train-held-1", "train-held-2", "--yes");
    expect(again.stdout).toMatch(/^train-held-2 +accepted +was already being released/m);
  });
});

describe("BMC and SKU of what a filter finds", () => {
  it("set the user of all, and nothing that is of one BMC alone", async () => {
    const wrong = await operator(
      "hosts",
      "set-bmc",
      "--filter",
      "many",
      "--address",
      "http://10.0.0.1",
      "--yes",
    );
    expect([wrong.code, wrong.stderr]).toEqual([
      usage.code,
      expect.stringContaining("apply to a single BMC"),
    ]);
    const alone = await operator("hosts", "set-bmc", "--filter", "other", "--username", "admin");
    expect([alone.code, alone.stderr]).toEqual([
      usage.code,
      expect.stringContaining("other finds 1 host; all can do this."),
    ]);
    const done = await operator("hosts", "set-bmc", "--filter", "other", "--username", "admin", "--yes");
    expect(done).toMatchObject({ code: ok.code, stderr: "other-1: accepted\n" });
    const { database } = server.world.backend;
    expect(
      (await database.host.findMany({ where: { bmcUsername: "admin" } })).map(({ name }) => name),
    ).toEqual(["other-1"]);
  });
  it("assign a SKU, or take it away", async () => {
    const tried = await operator("hosts", "assign-sku", "--filter", "many", "--none", "--dry-run");
    expect(tried.stdout).toMatch(/^many-3 +not possible +the SKU cannot be changed in Ready/m);
    const none = await operator("hosts", "assign-sku", "--filter", "many", "no-such-sku", "--yes");
    expect(none.code).toBe(exitCodes.notFound.code);
    expect((await operator("hosts", "assign-sku", "many-1", "x", "--filter", "many")).code).toBe(usage.code);
    expect((await operator("hosts", "assign-sku", "--none")).code).toBe(usage.code);
  });
});
