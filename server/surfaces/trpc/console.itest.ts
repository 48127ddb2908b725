// The console's procedures on a real database, by role: what each role may see, and what errors contain.
import { TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import pino from "pino";
import superjson from "superjson";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadServerConfig } from "@/server/config";
import { LiveFeed } from "@/server/db/feed/live-feed";
import { roles } from "@/server/domain/access/roles";
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";
import type { Role } from "@/server/domain/access/roles";
import type { Context } from "@/server/surfaces/trpc/context";
import { appRouter } from "@/server/surfaces/trpc/router";
import { createCallerFactory } from "@/server/surfaces/trpc/trpc";
import { StreamLimit } from "@/server/surfaces/live/stream-limit";
import { RateLimit } from "@/server/surfaces/http/rate-limit";
import type { Actor } from "@/server/usecases/actor";
import { claimHost } from "@/server/usecases/instances/claim-host";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

const createCaller = createCallerFactory(appRouter);
let world: World;
let feed: LiveFeed;
let acmeInstance = "";
let failedHost = "";
beforeAll(async () => {
  world = await createWorld();
  feed = new LiveFeed(world.backend.database, world.url, () => undefined);
  for (const [name, state] of [
    ["ready-1", "Ready"],
    ["ready-2", "Ready"],
    ["cleaning-1", "WaitingForCleanup/HostCleanup"],
    ["queued-1", "WaitingForCleanup/Queued"],
    ["manageable-1", "Manageable"],
  ] as const)
    await world.put(await world.host(name), state);
  failedHost = await world.host("failed-1");
  await world.put(failedHost, "Failed/NVMECleanFailed");
  await world.backend.database.hostRun.update({
    where: { hostId: failedHost },
    data: { lastError: "S1 refused\nmore", maintenance: true, maintenanceBy: "failure" },
  });
  const cleaning = await world.backend.database.hostRun.findFirstOrThrow({ where: { name: "cleaning-1" } });
  const late = {
    hostSerial: "s",
    kind: "onboarding",
    policyVersion: 1,
    policy: {},
    limitAt: new Date(Date.now() - 60_000),
  };
  const { id: reclamationId } = await world.backend.database.reclamation.create({
    data: { ...late, hostId: cleaning.hostId },
  });
  await world.backend.database.hostRun.update({
    where: { hostId: cleaning.hostId },
    data: { reclamationId },
  });
  const claimed = await claimHost(world.backend, world.actor("tenant-admin"), world.request(), {
    name: "train-1",
    wanted: { siteId: world.siteId },
  });
  if (!claimed.ok) throw new Error(claimed.problem.detail);
  acmeInstance = claimed.value.id;
});
afterAll(async () => {
  await feed.close();
  await world.stop();
});

const env = {
  DATABASE_URL: "postgresql://x/y",
  NEXTAUTH_SECRET: "x".repeat(32),
  RECLAIM_ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
};
function contextOf(who: Role | Actor | null, deliberate = true): Context {
  const actor = typeof who === "string" ? world.actor(who) : who;
  return {
    backend: {
      ...world.backend,
      config: loadServerConfig(env),
      logger: pino({ level: "silent" }),
      feed,
      streams: new StreamLimit(),
      rate: new RateLimit({ burst: 400, perSecond: 1, most: 10 }),
    },
    actor,
    request: world.request(),
    deliberate,
  };
}
const as = (who: Role | Actor | null, deliberate = true) => createCaller(contextOf(who, deliberate));
async function refusal(asked: Promise<unknown>): Promise<string> {
  const error = await asked.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof TRPCError ? error.code : `answered: ${String(error)}`;
}

describe("who may open what", () => {
  it("is said by session.me", async () => {
    const pages = await Promise.all(
      roles.map(async (role) => [role, (await as(role).session.me()).pages.join(" ")]),
    );
    expect(Object.fromEntries(pages)).toEqual({
      operator:
        "next fleet hosts instances repair tickets cleaning reclamations assurance security proof skus settings",
      "provider-admin":
        "next fleet hosts instances repair tickets cleaning reclamations assurance security proof audit skus settings",
      "tenant-admin": "next instances tickets reclamations proof",
      "repair-tenant-admin": "next instances repair tickets reclamations proof",
      auditor:
        "next fleet hosts instances repair tickets cleaning reclamations assurance security proof audit skus settings",
    });
    expect(await as("operator").session.me()).toMatchObject({
      siteLabel: "Simulated fleet, ×60",
      demo: true,
      tenant: null,
      feedPosition: expect.stringMatching(/^\d+\.0\.\d+$/),
    });
    expect(await as("auditor").session.me()).toMatchObject({
      mayWriteHosts: false,
      mayReleaseInstances: false,
    });
  });
  it.each(["tenant-admin", "repair-tenant-admin"] as const)(
    "is refused to %s on the server, too",
    async (role) => {
      const caller = as(role);
      for (const asked of [
        () => caller.fleet.summary(),
        () => caller.hosts.list({}),
        () => caller.hosts.views(),
        () => caller.hosts.rows({ hostIds: [failedHost] }),
        () => caller.host.get({ host: failedHost }),
        () => caller.host.gates({ hostId: failedHost }),
        () => caller.host.history({ hostId: failedHost }),
        () => caller.host.inventory({ hostId: failedHost }),
        () => caller.host.reclamation({ hostId: failedHost }),
        () => caller.host.act({ hostId: failedHost, intent: "retry" }),
        () => caller.hosts.preview({ target: { filter: "" }, intent: "manage" }),
      ])
        expect(await refusal(asked())).toBe("FORBIDDEN");
      expect(
        await world.backend.database.auditEvent.count({
          where: { actorId: world.actor(role).personId, outcome: "refused", action: "host.retry" },
        }),
      ).toBe(1);
    },
  );
  it("is nothing for nobody", async () => {
    const caller = as(null);
    for (const asked of [
      () => caller.session.me(),
      () => caller.hosts.list({}),
      () => caller.instances.list({}),
      () => caller.instances.release({ ids: [acmeInstance] }),
      () => caller.search.all({ text: "r" }),
    ])
      expect(await refusal(asked())).toBe("UNAUTHORIZED");
  });
  it("is nothing that changes for a request from elsewhere", async () =>
    expect(await refusal(as("operator", false).host.act({ hostId: failedHost, intent: "manage" }))).toBe(
      "FORBIDDEN",
    ));
});

describe("instances", () => {
  it("are a tenant's own", async () => {
    expect((await as("tenant-admin").instances.list({})).rows).toMatchObject([
      {
        id: acmeInstance,
        status: "Provisioning",
        hostWords: "being prepared",
        host: null,
        release: { allowed: true },
      },
    ]);
    expect((await as(world.actor("tenant-admin", "vela")).instances.list({})).rows).toEqual([]);
    expect((await as("operator").instances.list({})).rows).toMatchObject([
      { id: acmeInstance, tenantName: "Acme", host: { name: "ready-1" } },
    ]);
    expect((await as("auditor").instances.list({})).rows).toMatchObject([{ release: { allowed: false } }]);
  });
  it("of others are not there", async () => {
    const stranger = as(world.actor("tenant-admin", "vela"));
    expect(await refusal(stranger.instances.get({ id: acmeInstance }))).toBe("NOT_FOUND");
    expect(await refusal(stranger.instances.history({ id: acmeInstance }))).toBe("NOT_FOUND");
    expect(await stranger.instances.release({ ids: [acmeInstance] })).toEqual([
      { id: acmeInstance, ok: false, message: `There is no instance ${acmeInstance}.` },
    ]);
    expect(await stranger.search.all({ text: "train" })).toMatchObject({
      hosts: [],
      instances: [],
      tenants: [],
    });
  });
  it("are nothing that an auditor may release: refused as a whole, and logged", async () => {
    const auditor = world.actor("auditor");
    expect(await refusal(as("auditor").instances.release({ ids: [acmeInstance, acmeInstance] }))).toBe(
      "FORBIDDEN",
    );
    expect(
      await world.backend.database.auditEvent.count({
        where: { actorId: auditor.personId, action: "instance.release", outcome: "refused" },
      }),
    ).toBe(1);
    expect(
      await world.backend.database.instance.findUniqueOrThrow({ where: { id: acmeInstance } }),
    ).toMatchObject({ releaseRequestedAt: null });
  });
  it("have a history", async () =>
    expect(await as("tenant-admin").instances.history({ id: acmeInstance })).toMatchObject([
      { status: "Provisioning" },
    ]));
});

describe("hosts", () => {
  const names = async (filter: string) =>
    (await as("operator").hosts.list({ filter, sort: "name", descending: false })).rows.map(
      ({ name }) => name,
    );
  it.each([
    ["", ["cleaning-1", "failed-1", "manageable-1", "queued-1", "ready-1", "ready-2"]],
    ["state:Failed", ["failed-1"]],
    ["cause:nvme", ["failed-1"]],
    ["is:needPerson", ["failed-1"]],
    ["is:comingBack", ["cleaning-1", "queued-1"]],
    ["-is:comingBack -is:ready", ["failed-1", "manageable-1"]],
    ["is:ready,failed", ["failed-1", "ready-1", "ready-2"]],
    ["allocatable:true", ["ready-2"]],
    ["maintenance:true", ["failed-1"]],
    ["maintenance:false state:Failed", []],
    ["site:a ready", ["ready-1", "ready-2"]],
    ["site:b", []],
    ["rack:A*", ["cleaning-1", "failed-1", "manageable-1", "queued-1", "ready-1", "ready-2"]],
    ["rack:a*", ["cleaning-1", "failed-1", "manageable-1", "queued-1", "ready-1", "ready-2"]],
    ["rack:%", []],
    ["SN-queued", ["queued-1"]],
    ["-SN-queued -ready -1", []],
    ["sla:over", []],
    ["overdue:true", ["cleaning-1"]],
    ["-overdue:true SN-queued", ["queued-1"]],
    ["tenant:acme", []],
    ["sku:none", []],
  ])("that %j finds", async (filter, expected) => expect(await names(filter)).toEqual(expected));
  it("that no filter finds are none, with the place of the mistake", async () =>
    expect(await as("operator").hosts.list({ filter: "x colour:red" })).toMatchObject({
      rows: [],
      problem: { position: 2, message: expect.stringContaining("colour") },
    }));
  it.each(
    (["since", "name", "lastReady"] as const).flatMap((sort) => [
      [sort, true] as const,
      [sort, false] as const,
    ]),
  )("come in pages, by %s, descending %s: each once", async (sort, descending) => {
    const all = (await as("operator").hosts.list({ sort, descending })).rows.map(({ name }) => name);
    const paged: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<ReturnType<typeof as>["hosts"]["list"]>> = await as(
        "operator",
      ).hosts.list({ sort, descending, limit: 2, cursor });
      expect(page.total).toBe(cursor === null ? 6 : null);
      paged.push(...page.rows.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(paged).toEqual(all);
    expect(new Set(all).size).toBe(6);
    if (sort === "name")
      expect(all).toEqual([...all].sort((a, b) => a.localeCompare(b) * (descending ? -1 : 1)));
  });
  it("refuse a cursor of another list", async () => {
    const { nextCursor } = await as("operator").hosts.list({ sort: "name", limit: 1 });
    expect(await refusal(as("operator").hosts.list({ sort: "since", cursor: nextCursor }))).toBe(
      "BAD_REQUEST",
    );
    expect(await refusal(as("operator").hosts.list({ cursor: "nonsense" }))).toBe("BAD_REQUEST");
  });
  it("have views whose counts are what their filters find", async () => {
    for (const view of await as("operator").hosts.views())
      expect({ [view.name]: (await as("operator").hosts.list({ filter: view.filter })).total }).toEqual({
        [view.name]: view.count,
      });
  });
  it("say what went wrong in one line", async () =>
    expect((await as("operator").hosts.rows({ hostIds: [failedHost] }))[0]).toMatchObject({
      detail: "S1 refused",
      tone: "failed",
      health: { words: "maintenance" },
      overLimit: false,
    }));
});

describe("a host", () => {
  it("takes no NMI that its BMC is known not to offer, and no boot mode beside a tenant", async () => {
    const { database } = world.backend;
    const { hostRun, host, signal } = database;
    const { hostId } = await hostRun.findFirstOrThrow({ where: { name: "manageable-1" } });
    await host.update({ where: { id: hostId }, data: { bmcLinks: { resetTypes: ["On", "ForceOff"] } } });
    const nmi = () => as("operator").host.act({ hostId, intent: "injectNmi" });
    await expect(nmi()).rejects.toThrow("The BMC offers no NMI.");
    await database.$executeRaw`UPDATE host SET bmc_links = NULL WHERE id = ${hostId}::uuid`;
    expect(await nmi()).toEqual({ accepted: true });
    const setBoot = (change: object) => as("operator").host.setBoot({ hostId, ...change });
    expect(await setBoot({ mode: "bios" })).toEqual({ accepted: true });
    await hostRun.update({ where: { hostId }, data: { state: "Assigned/Ready" } });
    await expect(setBoot({ device: "pxe", secureBoot: false })).rejects.toThrow("only in Manageable");
    expect(await setBoot({ device: "pxe" })).toEqual({ accepted: true });
    await hostRun.update({ where: { hostId }, data: { state: "Manageable" } });
    await signal.deleteMany({ where: { hostId } });
  });
  it("is found by id and by name, and says what may be asked of it", async () => {
    const byName = await as("operator").host.get({ host: "failed-1" });
    expect(byName).toMatchObject({
      id: failedHost,
      tone: "failed",
      says: "S1 refused\nmore",
      checkNext: expect.stringContaining("drive"),
      next: expect.arrayContaining([
        { words: "Retry step", href: null, command: "reclaim retry failed-1" },
        { words: "Inventory", href: "/hosts/failed-1?tab=inventory", command: null },
      ]),
    });
    expect(Object.fromEntries(byName.actions.map(({ intent, allowed }) => [intent, allowed]))).toEqual({
      retry: false,
      restart: false,
      inspect: true,
      disposeDrive: false,
      assignSku: true,
      setPlace: true,
      setLabels: true,
      setBmc: true,
      confirmCertificate: false,
      confirmUntouched: false,
      recheck: false,
      manage: true,
      provide: false,
      setMaintenance: true,
      clearMaintenance: false,
      powerOn: true,
      powerOff: true,
      reboot: true,
      softPowerOff: true,
      softReboot: true,
      injectNmi: true,
      setBoot: false,
      inspectByAgent: true,
      decommission: true,
      acceptLeftovers: false,
    });
    expect(
      (await as("provider-admin").host.get({ host: failedHost })).actions.some(
        ({ intent, danger }) => intent === "forceDelete" && danger,
      ),
    ).toBe(true);
    expect((await as("auditor").host.get({ host: failedHost })).actions).toEqual([]);
    expect(JSON.stringify(byName)).not.toMatch(/calvin|password/i);
  });
  it("is found by its standing, which its row and its page say, too", async () => {
    const found = async (filter: string) =>
      (await as("operator").hosts.list({ filter, sort: "name", descending: false, cursor: null, limit: 100 }))
        .rows;
    const { standing } = await as("operator").host.get({ host: "ready-2" });
    const like = await found(`standing:${standing}`);
    expect(like.map(({ name }) => name)).toContain("ready-2");
    expect(like.every((row) => row.standing === standing)).toBe(true);
    expect((await found(`-standing:${standing}`)).some(({ name }) => name === "ready-2")).toBe(false);
    const [failed] = await found("failed-1");
    expect((await as("operator").host.get({ host: "failed-1" })).standing).toBe(failed?.standing);
  });
  it("that is not there is not found", async () =>
    expect(await refusal(as("operator").host.get({ host: "nobody" }))).toBe("NOT_FOUND"));
  it("has every gate, with what they rest on", async () => {
    const ready = await as("operator").host.get({ host: "ready-2" });
    const gates = await as("auditor").host.gates({ hostId: ready.id });
    expect(gates).toHaveLength(gateNames.length);
    expect(gates[0]).toMatchObject({ gate: "instanceReleased", status: "satisfied", generation: "1" });
    expect(ready.counts).toEqual({
      gatesHold: gateNames.length,
      gates: gateNames.length,
      gateWords: `${gateNames.length} of ${gateNames.length} gates`,
      reclamations: 1,
    });
    expect(await as("operator").host.gates({ hostId: failedHost })).toMatchObject(
      Array.from(gateNames, () => ({ status: "open" })),
    );
  });
  it("has other tabs", async () => {
    const hostId = (await as("operator").host.get({ host: "ready-2" })).id;
    expect(await as("operator").host.reclamation({ hostId })).toMatchObject({
      reclamation: { kind: "onboarding", outcome: "ready" },
      stepRuns: [],
      log: { lines: [] },
    });
    expect(await as("operator").host.reclamation({ hostId: failedHost })).toBeNull();
    expect(await as("operator").host.history({ hostId })).toMatchObject({
      reclamations: [{ kind: "onboarding" }],
      nextBefore: null,
    });
    expect(await as("operator").host.inventory({ hostId })).toEqual({
      known: [],
      missing: [],
      excluded: [],
      answered: [],
      capabilities: [],
      bios: null,
      baseline: [],
      found: [],
      components: [],
    });
  });
  it("shows its states in pages without a gap", async () => {
    const hostId = await world.host("long");
    await world.backend.database.stateHistory.createMany({
      data: Array.from({ length: 250 }, (_, index) => ({
        hostId,
        version: index + 1,
        state: index % 2 === 0 ? "Manageable" : "Verifying",
        generation: 1,
        at: new Date(1_700_000_000_000 + index * 1000),
      })),
    });
    const seen: string[] = [];
    const took: (number | null)[] = [];
    let before: string | undefined;
    do {
      const page = await as("operator").host.history({ hostId, ...(before === undefined ? {} : { before }) });
      seen.push(...page.states.map(({ version }) => version));
      took.push(...page.states.map(({ tookMs }) => tookMs));
      before = page.nextBefore ?? undefined;
    } while (before !== undefined);
    expect(seen).toEqual(Array.from({ length: 250 }, (_, index) => String(250 - index)));
    expect(took).toEqual([null, ...Array.from({ length: 249 }, () => 1000)]);
    await world.backend.database.host.delete({ where: { id: hostId } });
  });
});

describe("acts", () => {
  it("are previewed and done host by host", async () => {
    const target = { filter: "is:ready,failed" };
    expect(await as("operator").hosts.preview({ target, intent: "provide" })).toMatchObject({
      total: 3,
      can: 0,
      cannot: [{ name: "failed-1" }, { name: "ready-1" }, { name: "ready-2" }],
    });
    const manageable = (await as("operator").host.get({ host: "manageable-1" })).id;
    const made = await as("operator").bulk.preview({
      target: { hostIds: [manageable, failedHost] },
      intent: "provide",
    });
    await as("operator").bulk.start({ id: made.id });
    expect((await as("operator").bulk.progress({ id: made.id })).hosts).toMatchObject([
      { name: "failed-1", status: "cannot", message: expect.stringContaining("Manageable") },
      { name: "manageable-1", status: "asked", message: null },
    ]);
  });
  it("carry a problem that programs understand", async () => {
    const error = await as("operator")
      .host.act({ hostId: failedHost, intent: "provide" })
      .then(
        () => null,
        (reason: unknown) => reason,
      );
    expect(error).toBeInstanceOf(TRPCError);
    expect(error).toMatchObject({ code: "CONFLICT", cause: { problem: { code: "notAllowedNow" } } });
  });
});

describe("cleaning", () => {
  it("is refused to tenants, by every procedure", async () => {
    const caller = as("tenant-admin");
    const scope = { scope: "site" as const, scopeId: world.siteId, interface: "deploy", step: "erase_nvme" };
    for (const asked of [
      () => caller.cleaning.scopes(),
      () => caller.cleaning.catalogue({ kind: "site", siteId: world.siteId }),
      () => caller.cleaning.overrides({}),
      () => caller.cleaning.previewOverride({ ...scope, priority: 1 }),
      () => caller.cleaning.saveOverride({ ...scope, priority: 1 }),
      () => caller.cleaning.removeOverride(scope),
      () => caller.cleaning.runbooks(),
      () => caller.cleaning.start({ hostId: failedHost, steps: [{ interface: "power", step: "reboot" }] }),
      () => caller.cleaning.abort({ hostId: failedHost }),
      () => caller.cleaning.hold({ hostId: failedHost, reason: "x" }),
      () => caller.cleaning.resume({ hostId: failedHost }),
      () => caller.cleaning.setHostAutomatedClean({ hostId: failedHost, automatedClean: false }),
      () => caller.bulk.preview({ target: { filter: "" }, intent: "manage" }),
      () => caller.bulk.list(),
      () => caller.failures.groups(),
    ])
      expect(await refusal(asked())).toBe("FORBIDDEN");
  });
  it("says what there is to choose from, and what hardware has code for", async () => {
    expect(await as("auditor").cleaning.scopes()).toMatchObject({
      sites: [{ name: "a", automatedClean: true }],
      skus: [],
      hardwareTypes: [{ name: "redfish" }],
      mayOverride: false,
      mayClean: false,
    });
    const { steps } = await as("operator").cleaning.catalogue({
      kind: "hardwareType",
      hardwareType: "redfish",
    });
    expect(steps.find(({ name }) => name === "bios.recommit")).toMatchObject({ applies: true });
    expect(steps.find(({ name }) => name === "raid.secure_erase_boss")).toMatchObject({ applies: false });
  });
  it("by hand carries every fault in its problem", async () => {
    const steps = [
      { interface: "power", step: "wait" },
      { interface: "deploy", step: "nothing" },
    ];
    const error = await as("operator")
      .cleaning.start({ hostId: failedHost, steps })
      .then(
        () => null,
        (reason: unknown) => reason,
      );
    expect(error).toMatchObject({
      code: "BAD_REQUEST",
      cause: {
        problem: {
          code: "invalid",
          faults: [
            { index: 0, argument: "seconds" },
            { index: 1, argument: null },
          ],
        },
      },
    });
  });
  it("of many is previewed, started and followed", async () => {
    const made = await as("operator").bulk.preview({
      target: { filter: "failed-1" },
      intent: "clean",
      steps: [{ interface: "power", step: "reboot" }],
    });
    expect(made).toMatchObject({ total: 1, can: 1 });
    await as("operator").bulk.start({ id: made.id });
    expect(await as("auditor").bulk.progress({ id: made.id })).toMatchObject({
      counts: { asked: 1 },
      hosts: [{ name: "failed-1" }],
    });
    expect((await as("auditor").bulk.list()).runs[0]).toMatchObject({
      id: made.id,
      words: "Clean manually",
      steps: ["power.reboot"],
    });
  });
});

describe("the fleet", () => {
  it("adds up", async () => {
    const summary = await as("auditor").fleet.summary();
    expect(summary).toMatchObject({
      hosts: 6,
      counts: { ready: 2, provider: 1, working: 1, waiting: 1, failed: 1, overLimit: 0, inUse: 0 },
      ready: { allocatable: 1 },
      needPerson: { count: 1 },
      timeToReady: { p50Ms: null, returns: 0, weekAgo: null },
      capacity: { buckets: [], unknown: 1 },
    });
    expect(summary.sites).toMatchObject([{ name: "a", hosts: 6 }]);
    expect(summary.causes).toMatchObject([{ label: "NVMECleanFailed", cumulativePercent: 100 }]);
    expect(summary.waitingLongest.map(({ name }) => name).sort()).toEqual(["failed-1", "queued-1"]);
    expect(summary.returnsPerHour).toHaveLength(24);
    expect(summary.returnsPerHour.at(-1)).toMatchObject({ returned: 0, released: 0 }); // an onboarding does not count as a return
  });
});

describe("what fits no schema", () => {
  /** As sent over HTTP: a caller within the process gets the error object itself. */
  const asked = async (procedure: string, input: unknown) => {
    const url = `http://reclaim.test/api/trpc/${procedure}?input=${encodeURIComponent(superjson.stringify(input))}`;
    const response = await fetchRequestHandler({
      endpoint: "/api/trpc",
      req: new Request(url),
      router: appRouter,
      createContext: () => contextOf("operator"),
    });
    return { status: response.status, text: await response.text() };
  };

  it("is the caller's where it was sent, and the server's where it is stored", async () => {
    const sent = await asked("hosts.list", { sort: "colour" });
    expect([sent.status, sent.text]).toEqual([400, expect.stringContaining('"code":"invalid"')]);
    const { database } = world.backend;
    const [before] = await database.sitePolicy.findMany({ where: { siteId: world.siteId } });
    const store = (body: object) =>
      database.sitePolicy.updateMany({ where: { siteId: world.siteId }, data: { body } });
    await store({ automatedClean: "perhaps" });
    const stored = await asked("cleaning.scopes", undefined);
    await store(Object(before?.body));
    expect([stored.status, stored.text]).toEqual([
      500,
      expect.stringMatching(
        /"detail":"This version of Reclaim cannot read a stored record.*"code":"internal"/,
      ),
    ]);
    expect(stored.text).not.toContain("automatedClean");
  });
});

describe("a loop", () => {
  it("is stopped, and nobody else is", async () => {
    const caller = as("auditor");
    const results = await Promise.all(
      Array.from({ length: 600 }, () =>
        caller.search.all({ text: "" }).then(
          () => "ok",
          () => "refused",
        ),
      ),
    );
    expect(results.filter((result) => result === "refused").length).toBeGreaterThan(50);
    expect(await as("operator").search.all({ text: "" })).toMatchObject({
      hosts: [],
      instances: [],
      tenants: [],
    });
  });
});

describe("search", () => {
  it("finds hosts and instances", async () => {
    expect(await as("operator").search.all({ text: "1" })).toMatchObject({
      hosts: expect.arrayContaining([expect.objectContaining({ name: "failed-1", tone: "failed" })]),
      instances: [{ name: "train-1", hostName: "ready-1" }],
    });
    expect(await as("tenant-admin").search.all({ text: "1" })).toMatchObject({
      hosts: [],
      instances: [{ name: "train-1", hostName: null }],
    });
  });
});
