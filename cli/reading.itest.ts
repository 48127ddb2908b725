// The command against a real server: reading, for each role and output format, and exit codes.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { parse } from "yaml";
import { z } from "zod";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exitCodes } from "@/cli/exit-codes";
import { startAgainstServer } from "@/cli/testing/against-server";
import { buildCommand } from "@/cli/testing/command";
import type { BuiltCommand, Ended, TestCommand } from "@/cli/testing/command";
import { standings } from "@/server/domain/assurance/standing";
import { roles } from "@/server/domain/access/roles";
import type { Role } from "@/server/domain/access/roles";
import type { ConsoleServer } from "@/server/surfaces/web/testing/console-server";
import { nvme, reportHardware } from "@/server/usecases/testing/hardware";
import { claimHost } from "@/server/usecases/instances/claim-host";

let server: ConsoleServer;
let command: TestCommand;
/** For what only a real process has: flushed output, a time zone, signals. */
let built: BuiltCommand;
let stop: () => Promise<void>;
let failedId = "";
let instanceId = "";
const tokens = new Map<Role, string>();
const ids = new Map<string, string>();
const { ok, usage, forbidden, notFound, unreachable, interrupted } = exitCodes;

const as = (role: Role, ...args: string[]): Promise<Ended> =>
  command.run(args, { url: server.url, token: tokens.get(role) ?? "" });
const operator = (...args: string[]) => as("operator", ...args);
const asProcess = (...args: string[]): Promise<Ended> =>
  built.run(args, { url: server.url, token: tokens.get("operator") ?? "" });
const json = (ended: Ended): unknown => JSON.parse(ended.stdout);

beforeAll(async () => {
  [{ server, command, stop }, built] = await Promise.all([startAgainstServer(), buildCommand()]);
  const { world } = server;
  for (const role of roles) tokens.set(role, await server.token(role));
  for (const [name, state] of [
    ["ready-1", "Ready"],
    ["ready-2", "Ready"],
    ["ready-20", "Ready"],
    ["queued-1", "WaitingForCleanup/Queued"],
    ["manageable-1", "Manageable"],
    ["failed-1", "Failed/NVMECleanFailed"],
  ] as const) {
    ids.set(name, await world.host(name));
    await world.put(ids.get(name) ?? "", state);
  }
  failedId = ids.get("failed-1") ?? "";
  await world.backend.database.hostRun.update({
    where: { hostId: failedId },
    data: { lastError: "S1 \u001b[31mrefused\nmore", maintenance: true, maintenanceBy: "failure" },
  });
  const claimed = await claimHost(world.backend, world.actor("tenant-admin"), world.request(), {
    name: "train-1",
    wanted: { siteId: world.siteId },
  });
  if (!claimed.ok) throw new Error(claimed.problem.detail);
  instanceId = claimed.value.id;
});
afterAll(() => {
  built.remove();
  return stop();
});

describe("hosts list", () => {
  it("is a table without colour where there is no terminal, and nothing in it steers one", async () => {
    const { code, stdout, stderr } = await operator("hosts", "list");
    expect([code, stderr]).toEqual([ok.code, ""]);
    expect(stdout).not.toContain("\u001b");
    const [head, ...rows] = stdout.trimEnd().split("\n");
    expect(head).toMatch(/^NAME +STATE +STANDING +SINCE/);
    expect(rows.map((row) => row.split(" ", 1)[0])).toEqual([
      "failed-1",
      "manageable-1",
      "queued-1",
      "ready-1",
      "ready-2",
      "ready-20",
    ]);
    expect(rows[0]).toContain("Failed/NVMECleanFailed");
  });
  it("takes the console's filter, as one word or several", async () => {
    for (const words of [["state:Failed", "maintenance:true"], ["state:Failed maintenance:true"]])
      expect(json(await operator("hosts", "list", ...words, "-o", "json"))).toMatchObject([
        { name: "failed-1", state: "Failed/NVMECleanFailed", hostId: failedId },
      ]);
    expect(
      json(await operator("hosts", "list", "-o", "json", "--", "-is:ready", "-is:failed")),
    ).toMatchObject([{ name: "manageable-1" }, { name: "queued-1" }]);
  });
  it("shows where a filter is wrong", async () => {
    const { code, stdout, stderr } = await operator("hosts", "list", "x colour:red");
    expect([code, stdout]).toEqual([usage.code, ""]);
    expect(stderr).toContain("  x colour:red\n    ^\n");
    const mistyped = await operator("hosts", "list", "state:Redy rack:R1");
    expect(mistyped.stderr).toContain("Did you mean state:Ready rack:R1?");
  });
  it("is JSON and YAML of the same", async () => {
    const fromJson = json(await operator("hosts", "list", "--output", "json"));
    expect(parse((await operator("hosts", "list", "--output", "yaml")).stdout)).toEqual(fromJson);
    expect(fromJson).toHaveLength(6);
  });
  it("is JSON where nothing matches", async () =>
    expect(json(await operator("hosts", "list", "rack:none", "-o", "json"))).toEqual([]));
  it("has the columns that were chosen, in their order", async () => {
    expect(
      json(
        await operator(
          "hosts",
          "list",
          "ready-2",
          "--columns",
          "state,name",
          "--columns",
          "id",
          "-o",
          "json",
        ),
      ),
    ).toEqual([
      { state: "Ready", name: "ready-2", id: ids.get("ready-2") },
      { state: "Ready", name: "ready-20", id: ids.get("ready-20") },
    ]);
    expect((await operator("hosts", "list", "failed", "--columns", "name")).stdout).toBe("NAME\nfailed-1\n");
    const wrong = await operator("hosts", "list", "--columns", "colour");
    expect(wrong.code).toBe(usage.code);
    expect(wrong.stderr).toContain("stateVersion");
  });
  it("says how many it left out", async () => {
    const { stdout, stderr } = await operator("hosts", "list", "--limit", "2");
    expect(stdout.trimEnd().split("\n")).toHaveLength(3);
    expect(stderr).toBe("2 of 6 hosts.\n");
  });
  it("reads every page", async () => {
    await server.world.backend.database.$executeRaw`
      INSERT INTO host (id, name, site_id, hardware_type, serial, system_uuid, bmc_address, bmc_username, bmc_password, network_interfaces)
      SELECT gen_random_uuid(), 'many-' || n, ${server.world.siteId}::uuid, 'redfish', 'MANY' || n, gen_random_uuid(), 'http://bmc-many-' || n || '.localhost', 'root', '\\x00', ARRAY['dpu0'] FROM generate_series(1, 450) n`;
    await server.world.backend.database
      .$executeRaw`INSERT INTO host_run (host_id, site_id, name, state) SELECT id, site_id, name, 'Enroll' FROM host WHERE name LIKE 'many-%'`;
    const rows = json(await asProcess("hosts", "list", "many-", "-o", "json", "--columns", "name")) as {
      name: string;
    }[];
    expect(new Set(rows.map(({ name }) => name)).size).toBe(450);
    await server.world.backend.database.host.deleteMany({ where: { name: { startsWith: "many-" } } });
  });
});

describe("hosts show", () => {
  it("tells how the drives can be erased", async () => {
    const { model } = nvme("C1");
    await reportHardware(server.world, failedId, [nvme("C1"), nvme("C2")], {}, [
      { model, serials: ["C1"], offers: ["nvme-sanitize-block"], refuses: [], said: "SANICAP 2h" },
    ]);
    expect((await operator("hosts", "show", "failed-1")).stdout).toMatch(
      /Drives can be erased by\n.*MODEL.*OFFERS.*\n.*1 +nvme-sanitize-block .*SANICAP 2h\n.*not reported/,
    );
    expect(json(await operator("hosts", "show", "failed-1", "-o", "json"))).toMatchObject({
      capabilities: [{ serials: ["C1"] }, { serials: ["C2"], offers: [], said: null }],
    });
    await server.world.backend.database.hostInventory.deleteMany({ where: { hostId: failedId } });
  });
});

describe("a host is named", () => {
  it.each([
    ["by its name", () => "failed-1"],
    ["by its id", () => failedId],
    ["by its id in capitals", () => failedId.toUpperCase()],
    ["by the beginning of its name", () => "fail"],
    ["by the beginning of its id", () => failedId.slice(0, 13)],
  ])("%s", async (_words, text) =>
    expect(json(await operator("hosts", "show", text(), "-o", "json"))).toMatchObject({
      id: failedId,
      name: "failed-1",
    }),
  );
  it("by its whole name although others begin with it", async () =>
    expect(json(await operator("hosts", "show", "ready-2", "-o", "json"))).toMatchObject({
      name: "ready-2",
    }));
  it("so that it may be one of several, which is an error that names them", async () => {
    const { code, stderr } = await operator("hosts", "show", "ready");
    expect(code).toBe(usage.code);
    expect(stderr).toContain("ready-1, ready-2, ready-20");
  });
  it.each([
    ["nobody", () => "nobody"],
    ["%", () => "%"],
    ["_", () => "_"],
    ["ready%", () => "ready%"],
    ["by too little of its id", () => failedId.slice(0, 7)],
  ])("%s, and there is none", async (_words, of) => {
    const text = of();
    const { code, stderr } = await operator("hosts", "show", text);
    expect([code, stderr]).toEqual([notFound.code, `There is no host ${text}.\n`]);
  });
});

describe("show", () => {
  it("tells of a host what to check next, and what may be done", async () => {
    const { code, stdout } = await operator("hosts", "show", "failed-1");
    expect(code).toBe(ok.code);
    expect(stdout).toMatch(/^state +Failed\/NVMECleanFailed/m);
    expect(stdout).toMatch(/^says +S1 \?\[31mrefused; more$/m);
    expect(stdout).toMatch(/^check next +\S/m);
    expect(stdout).toMatch(/^hosts manage +The host leaves allocation/m);
    expect(stdout).toMatch(/^hosts provide +only a Manageable host/m);
    expect(stdout).not.toMatch(/calvin/);
  });
  it("tells what the machines answered, and on how many other hosts", async () => {
    const { world } = server;
    const ofFailed = {
      key: "eraseRefused",
      device: { kind: "drive", serial: "C1", model: "PM1733", slot: "3", firmware: "1.2" },
      technique: "nvme-sanitize-crypto",
      status: { bus: "nvme", sct: 0, sc: 1 },
      raw: "Sanitize: 0x02",
    };
    const { stateVersion: version } = await world.backend.database.hostRun.findUniqueOrThrow({
      where: { hostId: failedId },
    });
    const data = { hostId: failedId, version, state: "Failed/NVMECleanFailed", generation: 1n };
    await world.backend.database.stateHistory.upsert({
      where: { hostId_version: { hostId: failedId, version } },
      create: { ...data, causes: [ofFailed] },
      update: { causes: [ofFailed] },
    });
    const { stdout } = await operator("hosts", "show", "failed-1");
    expect(stdout).toMatch(/^What the machines answered\n.*Sanitize: 0x02$/m);
    expect(stdout).not.toContain("the same on");
    expect(json(await operator("hosts", "show", "failed-1", "-o", "json"))).toMatchObject({
      failure: { answers: [{ text: "Sanitize: 0x02" }], alike: { hosts: 0 } },
    });
  });
  it("has times in this zone, or in UTC", async () => {
    const { stateSince } = await server.world.backend.database.hostRun.findUniqueOrThrow({
      where: { hostId: failedId },
    });
    expect((await operator("hosts", "show", "failed-1", "--utc")).stdout).toContain(
      `${stateSince.toISOString().slice(0, 19).replace("T", " ")}Z`,
    );
    const berlin = new Intl.DateTimeFormat("sv-SE", {
      dateStyle: "short",
      timeStyle: "medium",
      timeZone: "Europe/Berlin",
    }).format(stateSince);
    expect((await asProcess("hosts", "show", "failed-1")).stdout).toMatch(
      new RegExp(`${berlin}\\+0[12]:00 \\(`),
    );
  });
  it("refuses columns, which are for lists", async () =>
    expect((await operator("hosts", "show", "failed-1", "--columns", "name")).code).toBe(usage.code));
});

describe("reclamations", () => {
  it("are listed, of one host or of all, in pages", async () => {
    expect(json(await operator("reclamations", "list", "ready-2", "-o", "json"))).toMatchObject([
      { hostName: "ready-2", kind: "onboarding", outcome: "ready", number: expect.stringMatching(/^R-\d+$/) },
    ]);
    const { stdout, stderr } = await operator("reclamations", "list", "--limit", "2", "--columns", "host");
    expect(stdout).toBe("HOST\nready-20\nready-2\n");
    expect(stderr).toContain("--limit shows more");
    expect((await operator("reclamations", "list", "--status", "open")).stderr).toBe("No reclamations.\n");
    expect(json(await operator("reclamations", "list", "failed-1", "-o", "json"))).toEqual([]);
  });
  it("are found by standing, site, SKU and time", async () => {
    const named = ["ready-2", "--site", "a", "--since", "2020-01-01", "-o", "json"];
    const [{ standing }] = json(await operator("reclamations", "list", ...named)) as [{ standing: string }];
    for (const each of standings)
      expect([each, json(await operator("reclamations", "list", ...named, "--standing", each))]).toEqual([
        each,
        each === standing ? [expect.objectContaining({ standing })] : [],
      ]);
    for (const other of [
      ["--site", "b"],
      ["--sku", "none"],
      ["--until", "2020-01-01"],
    ])
      expect(json(await operator("reclamations", "list", ...named, ...other))).toEqual([]);
    expect((await operator("reclamations", "list", "--tenant", "nobody")).code).toBe(notFound.code);
  });
  it("are shown by number or host, with their gates", async () => {
    const [{ number }] = json(await operator("reclamations", "list", "ready-2", "-o", "json")) as [
      { number: string },
    ];
    for (const which of [[number], [number.slice(2)], [number.toLowerCase()], ["--host", "ready-2"]]) {
      const shown = json(await operator("reclamations", "show", ...which, "-o", "json"));
      expect(shown).toMatchObject({
        reclamation: { number },
        host: { name: "ready-2" },
        stepRuns: [],
        gates: expect.arrayContaining([
          expect.objectContaining({ gate: "instanceReleased", status: "satisfied" }),
        ]),
      });
    }
    const { stdout } = await operator("reclamations", "show", number);
    expect(stdout).toMatch(/^Gates\nGATE +STATUS +REASON\ninstanceReleased +satisfied/m);
  });
  it.each([["R-999999"], ["nonsense"], ["99999999999999999"], ["--host", "failed-1"]])(
    "%s: there is none",
    async (...which) => expect((await operator("reclamations", "show", ...which)).code).toBe(notFound.code),
  );
});

describe("drives", () => {
  it("are found by a part of their serial number, and printed as a table, as data and as CSV", async () => {
    await reportHardware(server.world, failedId, [nvme("D77A", { firmware: "F9" }), nvme("=D77B")]);
    expect(json(await operator("drives", "list", "d77a", "f9", "-o", "json"))).toMatchObject([
      { serial: "D77A", firmware: "F9", stay: { host: { name: "failed-1" } }, erase: null },
    ]);
    const { stdout } = await operator("drives", "list", "d77", "--csv");
    expect(stdout).toMatch(/^serial,model,firmware,host,slot,result,/);
    expect(stdout).toMatch(/^'=D77B,SSDPF2KX038TZ,,failed-1,bay 0,/m);
    expect((await operator("drives", "list", "d77", "--limit", "1")).stderr).toContain(
      "the first 1 of 2 are shown",
    );
  });
  it("have models, of which erases are added up", async () => {
    await server.world.backend.database.driveModelErase.create({
      data: {
        ...{ model: "D77", firmware: "F9", technique: "nvme-sanitize-block", runs: 3, completed: 3 },
        ...{ probed: 3, canaries: 768, durations: [0, 3], longestMs: 1 },
      },
    });
    expect((await operator("drives", "models", "d77", "block")).stdout).toMatch(
      /^D77 +F9 +nvme-sanitize-block +0 +3 +0 of 768, at most 0\.39\s%/m,
    );
    expect(json(await operator("drives", "models", "d77", "-o", "json"))).toMatchObject([
      { model: "D77", probed: 3, remnants: 0, halfMs: 1 },
    ]);
    const { stdout } = await operator("drives", "models", "d77", "--csv");
    expect(stdout).toMatch(/^model,firmware,technique,hosts,runs,remnants,/);
    expect((await as("tenant-admin", "drives", "models")).code).toBe(forbidden.code);
  });
  it("have firmware, as have all components: versions, and the hosts that have them", async () => {
    expect(json(await operator("platform", "firmware", "-o", "json"))).toEqual(expect.any(Array));
    expect((await operator("platform", "firmware", "no-such-thing")).stderr).toContain(
      "No BMC has listed firmware",
    );
    expect((await as("tenant-admin", "platform", "firmware")).code).toBe(forbidden.code);
  });
  it("are shown by serial number; of two with the same one the model tells which", async () => {
    const shown = await operator("drives", "show", "d77a");
    expect(shown.stdout).toMatch(/^serial +D77A$/m);
    expect(shown.stdout).toMatch(/^Hosts\nHOST +SLOT +FROM +UNTIL\nfailed-1 +bay 0 .* now, as read /m);
    await reportHardware(server.world, failedId, [nvme("D77A"), nvme("D77A", { model: "P5510" })]);
    const twice = await operator("drives", "show", "D77A");
    expect([twice.code, twice.stderr]).toEqual([
      usage.code,
      expect.stringContaining("of 2 drives: P5510, SSDPF2KX038TZ"),
    ]);
    expect((await operator("drives", "show", "D77A", "--model", "P5510")).code).toBe(ok.code);
    expect((await operator("drives", "show", "D77C")).code).toBe(notFound.code);
    expect((await as("tenant-admin", "drives", "show", "D77A")).code).toBe(forbidden.code);
  });
});

describe("steps, policy and queue", () => {
  it("list steps by priority, with where it comes from", async () => {
    const steps = json(await operator("steps", "ready-1", "--min-priority", "1", "-o", "json")) as {
      name: string;
      priority: number;
      source: string;
    }[];
    expect(steps.map(({ priority }) => priority)).toEqual(
      [...steps.map(({ priority }) => priority)].sort((a, b) => b - a),
    );
    expect(steps.every(({ priority }) => priority >= 1)).toBe(true);
    expect(steps.find(({ name }) => name === "deploy.erase_nvme")).toMatchObject({
      priority: 90,
      source: "default",
    });
    expect((await operator("steps", "ready-1")).stdout).toMatch(/power\.wait +0 +default/);
    expect((await operator("steps", "--site", "a")).code).toBe(ok.code);
    expect((await operator("steps")).code).toBe(usage.code);
  });
  it("show the whole policy of the only site", async () => {
    expect(json(await operator("policy", "show", "-o", "json"))).toMatchObject({
      site: "a",
      version: 1,
      policy: { automatedClean: true },
      overrides: [],
    });
    expect((await operator("policy", "show")).stdout).toMatch(/^times\.bmcRetryMs +\d+ s/m);
    expect((await operator("policy", "show", "--site", "nowhere")).code).toBe(notFound.code);
  });
  it("show the queue", async () => {
    const [hostId, id] = [ids.get("queued-1") ?? "", randomUUID()];
    await server.world.backend.database.reclamation.create({
      data: { id, hostId, hostSerial: "s", kind: "onboarding", policyVersion: 1, policy: {} },
    });
    await server.world.backend.database.hostRun.update({ where: { hostId }, data: { reclamationId: id } });
    expect(json(await operator("queue", "-o", "json"))).toMatchObject({
      sites: [{ site: "a", waiting: 1, hosts: [{ name: "queued-1" }] }],
    });
    expect((await operator("queue")).stdout).toMatch(/^Site a: 0 in progress, 1 waiting\n[^]*^ +queued-1 /m);
  });
});

describe("instances", () => {
  it("are a tenant's own, without its hosts", async () => {
    expect(json(await as("tenant-admin", "instances", "list", "-o", "json"))).toMatchObject([
      { id: instanceId, name: "train-1", host: null },
    ]);
    expect(json(await as("repair-tenant-admin", "instances", "list", "-o", "json"))).toEqual([]);
    expect(json(await operator("instances", "list", "-o", "json"))).toMatchObject([
      { tenantName: "Acme", host: { name: "ready-1" } },
    ]);
  });
  it("are found by id, name and beginnings, and have a history", async () => {
    for (const text of [instanceId, "train-1", "tra", instanceId.slice(0, 8)])
      expect(json(await as("tenant-admin", "instances", "show", text, "-o", "json"))).toMatchObject({
        id: instanceId,
      });
    expect(
      json(await as("tenant-admin", "instances", "status-history", "train-1", "-o", "json")),
    ).toMatchObject([{ status: "Provisioning" }]);
  });
  it("of others are not there", async () => {
    for (const text of [instanceId, "train-1", "t"])
      expect((await as("repair-tenant-admin", "instances", "show", text)).code).toBe(notFound.code);
  });
});

describe("search", () => {
  it("prints what it found, with a command that shows it", async () => {
    const { code, stdout, stderr } = await operator("search", "ready-2");
    expect([code, stdout.split("\n", 1)[0]]).toEqual([
      ok.code,
      expect.stringMatching(/^KIND +NAME +COMMAND/),
    ]);
    expect(stdout).toMatch(/^host +ready-2 +reclaim hosts show ready-2 /m);
    expect(stderr).toContain("first matches");
    const [found] = z
      .array(z.object({ command: z.string() }))
      .parse(json(await operator("search", instanceId, "-o", "json")));
    const shown = await operator(...(found?.command ?? "").split(" ").slice(1), "-o", "json");
    expect(json(shown)).toMatchObject({ id: instanceId, name: "train-1" });
    expect(json(await operator("search", "acme", "-o", "json"))).toMatchObject([
      { kind: "instance", name: "train-1", host: "ready-1" },
      { kind: "tenant", command: "reclaim hosts list tenant:acme" },
    ]);
  });
  it("says that it found nothing; as data that is an empty list", async () => {
    expect(await operator("search", "no-such-thing")).toMatchObject({
      code: ok.code,
      stdout: "",
      stderr: "Nothing found for no-such-thing.\n",
    });
    expect(json(await operator("search", "no-such-thing", "-o", "json"))).toEqual([]);
  });
});

describe("who asks", () => {
  it.each(roles)("is known to whoami: %s", async (role) =>
    expect(json(await as(role, "whoami", "-o", "json"))).toMatchObject({
      role,
      email: server.world.actor(role).email,
    }),
  );
  const reads = [
    ["hosts", "list"],
    ["hosts", "show", "ready-1"],
    ["reclamations", "list"],
    ["steps", "ready-1"],
    ["policy", "show"],
    ["policy", "priorities", "list"],
    ["queue"],
    ["watch", "ready-1"],
  ];
  it.each(["tenant-admin", "repair-tenant-admin"] as const)("as %s sees no hosts", async (role) => {
    for (const args of reads) {
      const { code, stdout } = await as(role, ...args);
      expect({ args, code, stdout }).toEqual({ args, code: forbidden.code, stdout: "" });
    }
  });
  it("with a wrong token, an old one, one of nonsense, or none is told to sign in", async () => {
    for (const token of [
      "rcl_wrong_wrong_wrong_wrong_wrong",
      await server.token("operator", new Date(Date.now() - 1000)),
    ]) {
      const { code, stderr } = await command.run(["hosts", "list"], { url: server.url, token });
      expect(code).toBe(forbidden.code);
      expect(stderr).toContain("reclaim login");
    }
    expect((await command.run(["hosts", "list"], { url: server.url })).code).toBe(forbidden.code);
    expect((await command.run(["hosts", "list"], { url: server.url, token: "has spaces" })).code).toBe(
      usage.code,
    );
  });
});

describe("Ctrl-C", () => {
  it("ends a request that nobody answers with 130, and says nothing", async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const asked = once(silent, "request");
    const { port } = silent.address() as AddressInfo;
    const running = built.start(["hosts", "list"], {
      url: `http://127.0.0.1:${port}`,
      token: "rcl_xxxxxxxxxxxxxxxxxxxxxxxx",
    });
    await asked;
    running.child.kill("SIGINT");
    expect(await running.ended).toEqual({ code: interrupted.code, stdout: "", stderr: "" });
    silent.closeAllConnections();
    silent.close();
  });
});

describe("a server that", () => {
  async function stranger(answer: (server: Server) => void): Promise<{ url: string; close: () => void }> {
    const other = createServer();
    answer(other);
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    return { url: `http://127.0.0.1:${(other.address() as AddressInfo).port}`, close: () => other.close() };
  }
  const ask = (url: string) => command.run(["hosts", "list"], { url, token: "rcl_xxxxxxxxxxxxxxxxxxxxxxxx" });
  it("is not there is unreachable, with what to do", async () => {
    const { url, close } = await stranger(() => undefined);
    close();
    const { code, stderr } = await ask(url);
    expect(code).toBe(unreachable.code);
    expect(stderr).toContain(`${url} does not respond: connection refused.`);
    expect(stderr).toContain("RECLAIM_URL");
  });
  it("has a name that nobody knows is unreachable", async () =>
    expect((await ask("http://nowhere.invalid")).code).toBe(unreachable.code));
  it("is another program is no Reclaim server", async () => {
    const { url, close } = await stranger((other) =>
      other.on("request", (_request, response) => response.end("<html>hello</html>")),
    );
    expect(await ask(url)).toMatchObject({
      code: unreachable.code,
      stderr: expect.stringContaining("not from a Reclaim server"),
    });
    close();
  });
  it("answers JSON of another kind is not understood", async () => {
    const { url, close } = await stranger((other) =>
      other.on("request", (_request, response) =>
        response.writeHead(200, { "content-type": "application/json" }).end('{"a":1}'),
      ),
    );
    expect((await ask(url)).code).toBe(unreachable.code);
    close();
  });
  it("sends elsewhere is not followed, and the token stays here", async () => {
    const seen: (string | undefined)[] = [];
    const thief = await stranger((other) =>
      other.on("request", (request, response) => (seen.push(request.headers.authorization), response.end())),
    );
    const { url, close } = await stranger((other) =>
      other.on("request", (_request, response) =>
        response.writeHead(307, { location: `${thief.url}/api` }).end(),
      ),
    );
    expect(await ask(url)).toMatchObject({
      code: unreachable.code,
      stderr: expect.stringContaining(thief.url),
    });
    expect(seen).toEqual([]);
    close();
    thief.close();
  });
  it("is of another version is said to be", async () => {
    const answer: unknown = await (
      await fetch(`${server.url}/api/trpc/hosts.dance`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${tokens.get("operator") ?? ""}`,
          "content-type": "application/json",
        },
        body: "{}",
      })
    ).json();
    const { url, close } = await stranger((other) =>
      other.on("request", (_request, response) =>
        response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify(answer)),
      ),
    );
    expect(await ask(url)).toMatchObject({
      code: unreachable.code,
      stderr: expect.stringContaining("their versions differ"),
    });
    close();
  });
  it("breaks off is unreachable", async () => {
    const { url, close } = await stranger((other) =>
      other.on("request", (request) => request.socket.destroy()),
    );
    expect((await ask(url)).code).toBe(unreachable.code);
    close();
  });
});
