// Overrides, runbooks, manual cleaning and interruptions as acts on a real database: rights, ties, faults, audit.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { roles } from "@/server/domain/access/roles";
import type { Role } from "@/server/domain/access/roles";
import type { AuditAction } from "@/server/domain/access/audit-actions";
import { abortCleaning, holdCleaning, resumeCleaning } from "@/server/usecases/cleaning/interrupt";
import { removeOverride } from "@/server/usecases/cleaning/overrides/remove-override";
import { removeRunbook } from "@/server/usecases/cleaning/runbooks/remove-runbook";
import { saveOverride } from "@/server/usecases/cleaning/overrides/save-override";
import { saveRunbook } from "@/server/usecases/cleaning/runbooks/save-runbook";
import { setHostAutomatedClean } from "@/server/usecases/cleaning/policy/set-host-automated-clean";
import { setSiteAdmission } from "@/server/usecases/cleaning/policy/set-site-admission";
import { setSiteAutomatedClean } from "@/server/usecases/cleaning/policy/set-site-automated-clean";
import { setTraits } from "@/server/usecases/cleaning/policy/set-traits";
import { startCleaning } from "@/server/usecases/cleaning/start-cleaning";
import { reportAgent } from "@/server/usecases/testing/hardware";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

const admin = () => world.actor("provider-admin");
const operator = () => world.actor("operator");
const events = (action: AuditAction, targetId?: string) =>
  world.backend.database.auditEvent.findMany({
    where: { action, ...(targetId === undefined ? {} : { targetId }) },
    orderBy: { at: "asc" },
  });
const nvme = (priority: number) => ({
  scope: "site" as const,
  scopeId: world.siteId,
  interface: "deploy",
  step: "erase_nvme",
  priority,
});
const manageable = async () => {
  const hostId = await world.host();
  await world.put(hostId, "Manageable");
  return hostId;
};

describe("an override", () => {
  beforeEach(() => world.backend.database.stepOverride.deleteMany());
  it("is saved, changed and removed, with before and after in the log", async () => {
    const id = `site ${world.siteId} deploy.erase_nvme`;
    expect(await saveOverride(world.backend, admin(), world.request(), nvme(70))).toMatchObject({
      ok: true,
      value: { priority: 70 },
    });
    expect(await saveOverride(world.backend, admin(), world.request(), nvme(70))).toMatchObject({ ok: true });
    expect(await saveOverride(world.backend, admin(), world.request(), nvme(0))).toMatchObject({ ok: true });
    const { priority: _, ...name } = nvme(0);
    expect(await removeOverride(world.backend, admin(), world.request(), name)).toMatchObject({
      ok: true,
      value: { removed: true },
    });
    expect(await removeOverride(world.backend, admin(), world.request(), name)).toMatchObject({
      ok: true,
      value: { removed: false },
    });
    expect(await events("override.save", id)).toMatchObject([
      { before: null, after: { priority: 70, scope: "site" } },
      { before: { priority: 70 }, after: { priority: 0 } },
    ]);
    expect(await events("override.remove", id)).toMatchObject([{ before: { priority: 0 }, after: null }]);
  });
  it("that makes a tie is refused, naming both steps, and nothing is written", async () => {
    expect(await saveOverride(world.backend, admin(), world.request(), nvme(86))).toMatchObject({
      problem: {
        code: "conflict",
        field: "priority",
        detail: expect.stringMatching(
          /deploy\.erase_nvme and deploy\.erase_disks have the same priority 86 \(site a\)/,
        ),
      },
    });
    expect(await world.backend.database.stepOverride.count()).toBe(0);
  });
  it("whose removal makes a tie stays", async () => {
    await saveOverride(world.backend, admin(), world.request(), nvme(70));
    await saveOverride(world.backend, admin(), world.request(), { ...nvme(90), step: "erase_disks" });
    const { priority: _, ...name } = nvme(0);
    expect(await removeOverride(world.backend, admin(), world.request(), name)).toMatchObject({
      problem: { code: "conflict" },
    });
    expect(await world.backend.database.stepOverride.count()).toBe(2);
  });
  it("saved by two at once cannot make a tie", async () => {
    const results = await Promise.all([
      saveOverride(world.backend, admin(), world.request(), nvme(77)),
      saveOverride(world.backend, admin(), world.request(), { ...nvme(77), step: "erase_disks" }),
    ]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await world.backend.database.stepOverride.count()).toBe(1);
  });
  it.each([
    ["a priority", { ...{ priority: 2_000 } }, "invalid"],
    ["a step", { step: "nothing" }, "invalid"],
    ["a scope", { scopeId: randomUUID() }, "notFound"],
  ] as const)("with %s that is not there is refused", async (_, over, code) => {
    expect(
      await saveOverride(world.backend, admin(), world.request(), { ...nvme(5), ...over }),
    ).toMatchObject({ problem: { code } });
  });
});

describe("automated cleaning", () => {
  it("of a site makes a new policy version, and leaves the old one as it is", async () => {
    expect(
      await setSiteAutomatedClean(world.backend, admin(), world.request(), {
        siteId: world.siteId,
        automatedClean: false,
        policyVersion: 1,
      }),
    ).toMatchObject({ ok: true, value: { policyVersion: 2 } });
    expect(
      await setSiteAutomatedClean(world.backend, admin(), world.request(), {
        siteId: world.siteId,
        automatedClean: true,
        policyVersion: 1,
      }),
    ).toMatchObject({ problem: { code: "conflict", field: "policyVersion" } });
    const versions = await world.backend.database.sitePolicy.findMany({
      where: { siteId: world.siteId },
      orderBy: { version: "asc" },
    });
    expect(versions.map(({ version, body }) => [version, body])).toMatchObject([
      [1, { automatedClean: true }],
      [2, { automatedClean: false, attempts: { agent: 2 } }],
    ]);
    expect(await world.backend.database.site.findUnique({ where: { id: world.siteId } })).toMatchObject({
      policyVersion: 2,
    });
    expect(await events("site.setAutomatedClean", world.siteId)).toMatchObject([
      {
        outcome: "done",
        before: { automatedClean: true, policyVersion: 1 },
        after: { automatedClean: false, policyVersion: 2 },
      },
      { outcome: "refused" },
    ]);
  });
  it("goes on beside the limits of admission, which are changed in the same way", async () => {
    const { policyVersion } = await world.backend.database.site.findUniqueOrThrow({
      where: { id: world.siteId },
    });
    const change = (over: object) =>
      setSiteAdmission(world.backend, admin(), world.request(), {
        siteId: world.siteId,
        limits: { atWork: 40, bootsPerMinute: null, perPowerDomain: 8, tenantReleasesPerHour: 0 },
        policyVersion,
        ...over,
      });
    for (const wrong of [
      { limits: { atWork: 0, bootsPerMinute: null, perPowerDomain: null, tenantReleasesPerHour: null } },
      { limits: { atWork: 5 } },
      { siteId: "a" },
    ])
      expect(await change(wrong)).toMatchObject({ problem: { code: "invalid" } });
    expect(await change({ siteId: randomUUID() })).toMatchObject({ problem: { code: "notFound" } });
    expect(await change({})).toMatchObject({ ok: true, value: { policyVersion: policyVersion + 1 } });
    expect(await change({})).toMatchObject({ problem: { code: "conflict", field: "policyVersion" } });
    expect(await change({ policyVersion: policyVersion + 1 })).toMatchObject({
      ok: true,
      value: { policyVersion: policyVersion + 1 },
    });
    expect(
      await world.backend.database.sitePolicy.findUnique({
        where: { siteId_version: { siteId: world.siteId, version: policyVersion + 1 } },
      }),
    ).toMatchObject({
      body: {
        automatedClean: false,
        admission: { atWork: 40, bootsPerMinute: null, perPowerDomain: 8, tenantReleasesPerHour: 0 },
      },
      createdBy: admin().personId,
    });
    const logged = (await events("site.setAdmission", world.siteId)).filter(
      ({ outcome }) => outcome === "done",
    );
    expect(logged).toMatchObject([
      {
        before: { atWork: null, bootsPerMinute: 20, policyVersion },
        after: { atWork: 40, perPowerDomain: 8, policyVersion: policyVersion + 1 },
      },
    ]);
  });
  it("of a host is on, off, or as the site says", async () => {
    const hostId = await world.host();
    for (const automatedClean of [false, true, null]) {
      expect(
        await setHostAutomatedClean(world.backend, admin(), world.request(), { hostId, automatedClean }),
      ).toMatchObject({ ok: true });
      expect(await world.backend.database.host.findUnique({ where: { id: hostId } })).toMatchObject({
        automatedClean,
      });
    }
    expect(await events("host.setAutomatedClean", hostId)).toHaveLength(3);
  });
});

const runbook = (over: Record<string, unknown> = {}) => ({
  id: null,
  name: "Burn in",
  description: "",
  traits: ["gpu"],
  steps: [{ interface: "deploy", step: "burnin_cpu", args: { time: 60 } }],
  ...over,
});

describe("a runbook", () => {
  it("is made, changed by who saw its newest version only, and removed", async () => {
    const made = await saveRunbook(world.backend, operator(), world.request(), runbook());
    if (!made.ok) throw new Error(made.problem.detail);
    const { id } = made.value;
    expect(await saveRunbook(world.backend, operator(), world.request(), runbook())).toMatchObject({
      problem: { code: "conflict", field: "name" },
    });
    expect(
      await saveRunbook(
        world.backend,
        operator(),
        world.request(),
        runbook({ id, version: 1, description: "a day" }),
      ),
    ).toMatchObject({ ok: true, value: { version: 2 } });
    expect(
      await saveRunbook(world.backend, operator(), world.request(), runbook({ id, version: 1 })),
    ).toMatchObject({ problem: { code: "conflict", field: "version" } });
    expect(await removeRunbook(world.backend, operator(), world.request(), { id, version: 1 })).toMatchObject(
      { problem: { code: "conflict" } },
    );
    expect(await removeRunbook(world.backend, operator(), world.request(), { id, version: 2 })).toMatchObject(
      { ok: true },
    );
    expect((await events("runbook.save", id)).filter(({ outcome }) => outcome === "done")).toMatchObject([
      { before: null, after: { version: 1, steps: ['deploy.burnin_cpu {"time":60}'] } },
      { before: { version: 1 }, after: { version: 2 } },
    ]);
  });
  it("is refused with every fault at once", async () => {
    const steps = [
      { interface: "deploy", step: "nothing" },
      { interface: "power", step: "wait", args: { colour: "red" } },
    ];
    expect(await saveRunbook(world.backend, operator(), world.request(), runbook({ steps }))).toMatchObject({
      problem: {
        code: "invalid",
        field: "steps",
        faults: [
          { index: 0, argument: null },
          { index: 1, argument: "colour" },
          { index: 1, argument: "seconds" },
        ],
      },
    });
  });
  it("may name a step that some agent offers", async () => {
    await reportAgent(world, await world.host(), [
      {
        name: "acme",
        version: "1",
        steps: [{ interface: "vendor", step: "polish", priority: 0, abortable: true }],
      },
    ]);
    expect(
      await saveRunbook(
        world.backend,
        operator(),
        world.request(),
        runbook({ name: "Polish", steps: [{ interface: "vendor", step: "polish" }] }),
      ),
    ).toMatchObject({ ok: true });
  });
  it("without a trait would run nowhere", async () =>
    expect(
      await saveRunbook(world.backend, operator(), world.request(), runbook({ name: "None", traits: [] })),
    ).toMatchObject({ problem: { code: "invalid", field: "traits" } }));
});

describe("cleaning by hand", () => {
  const steps = [
    { interface: "deploy", step: "erase_nvme", args: { devices: ["S1"] } },
    { interface: "power", step: "reboot" },
  ];
  const cleanSignals = (hostId: string) =>
    world.backend.database.signal.findMany({ where: { hostId, kind: "clean" } });
  it("leaves one signal with its steps, and one event, however often it is asked", async () => {
    const hostId = await manageable();
    for (let time = 0; time < 2; time += 1)
      expect(
        await startCleaning(world.backend, operator(), world.request(), { hostId, steps }),
      ).toMatchObject({ ok: true });
    expect(await cleanSignals(hostId)).toMatchObject([
      {
        payload: {
          by: { name: operator().name },
          runbook: null,
          bulkId: null,
          steps: [
            { step: "erase_nvme", args: { devices: ["S1"] } },
            { step: "reboot", args: {} },
          ],
        },
      },
    ]);
    expect(await events("host.clean", hostId)).toMatchObject([
      {
        outcome: "done",
        after: { steps: ['deploy.erase_nvme {"devices":["S1"]}', "power.reboot"], runbook: null },
      },
    ]);
    expect(
      await startCleaning(world.backend, operator(), world.request(), { hostId, steps: steps.slice(1) }),
    ).toMatchObject({ problem: { code: "conflict" } });
  });
  it("is refused with every fault at once, before anything is written", async () => {
    const hostId = await manageable();
    const wrong = [
      { interface: "deploy", step: "nothing" },
      {
        interface: "firmware",
        step: "update",
        args: { settings: [{ component: "BIOS", url: "no", checksum: "x" }], force: true },
      },
    ];
    expect(
      await startCleaning(world.backend, operator(), world.request(), { hostId, steps: wrong }),
    ).toMatchObject({
      problem: {
        code: "invalid",
        faults: [
          { index: 0, step: "deploy.nothing", argument: null },
          { index: 1, argument: "force" },
          { index: 1, argument: "settings.0.url" },
          { index: 1, argument: "settings.0.checksum" },
        ],
      },
    });
    expect(await cleanSignals(hostId)).toEqual([]);
    expect(await events("host.clean", hostId)).toMatchObject([{ outcome: "refused" }]);
  });
  it("takes what the newest agent of this host offers, and no other's", async () => {
    const [with_, without] = [await manageable(), await manageable()];
    await reportAgent(world, with_, [
      {
        name: "acme",
        version: "1",
        steps: [{ interface: "vendor", step: "shine", priority: 0, abortable: true }],
      },
    ]);
    const shine = [{ interface: "vendor", step: "shine" }];
    expect(
      await startCleaning(world.backend, operator(), world.request(), { hostId: with_, steps: shine }),
    ).toMatchObject({ ok: true });
    expect(
      await startCleaning(world.backend, operator(), world.request(), { hostId: without, steps: shine }),
    ).toMatchObject({ problem: { code: "invalid" } });
  });
  it("by a runbook runs only on hosts that share a trait", async () => {
    const made = await saveRunbook(world.backend, operator(), world.request(), runbook({ name: "Gpu only" }));
    if (!made.ok) throw new Error(made.problem.detail);
    const hostId = await manageable();
    const runbookId = made.value.id;
    expect(
      await startCleaning(world.backend, operator(), world.request(), { hostId, runbookId }),
    ).toMatchObject({
      problem: { code: "notAllowedNow", field: "runbookId", detail: expect.stringContaining("gpu") },
    });
    expect(
      await setTraits(world.backend, operator(), world.request(), {
        hostId,
        change: { kind: "all", traits: ["gpu", "gpu", "dense"] },
      }),
    ).toMatchObject({ ok: true, value: { traits: ["dense", "gpu"] } });
    expect(
      await startCleaning(world.backend, operator(), world.request(), { hostId, runbookId }),
    ).toMatchObject({ ok: true });
    expect(await cleanSignals(hostId)).toMatchObject([
      { payload: { runbook: { id: runbookId, name: "Gpu only" } } },
    ]);
    expect(await events("host.setTraits", hostId)).toMatchObject([
      { before: { traits: [] }, after: { traits: ["dense", "gpu"] } },
    ]);
  });
  it("of both, or of neither, is refused", async () => {
    const hostId = await manageable();
    expect(await startCleaning(world.backend, operator(), world.request(), { hostId })).toMatchObject({
      problem: { code: "invalid" },
    });
    expect(
      await startCleaning(world.backend, operator(), world.request(), {
        hostId,
        steps,
        runbookId: randomUUID(),
      }),
    ).toMatchObject({ problem: { code: "invalid" } });
    expect(
      await startCleaning(world.backend, operator(), world.request(), { hostId, runbookId: randomUUID() }),
    ).toMatchObject({ problem: { code: "notFound" } });
  });
  it("is for a Manageable host, or one whose cleaning failed, that is as the person saw it", async () => {
    const hostId = await world.host();
    expect(await startCleaning(world.backend, operator(), world.request(), { hostId, steps })).toMatchObject({
      problem: { code: "notAllowedNow", detail: expect.stringContaining("Enroll") },
    });
    await world.put(hostId, "Failed/NVMECleanFailed");
    expect(
      await startCleaning(world.backend, operator(), world.request(), { hostId, steps, stateVersion: "1" }),
    ).toMatchObject({ problem: { code: "conflict", field: "stateVersion" } });
    expect(
      await startCleaning(world.backend, operator(), world.request(), { hostId, steps, stateVersion: "2" }),
    ).toMatchObject({ ok: true });
  });
});

describe("an interruption", () => {
  const signals = async (hostId: string) =>
    (await world.backend.database.signal.findMany({ where: { hostId }, orderBy: { id: "asc" } })).map(
      ({ kind, payload }) => ({ kind, payload }),
    );
  it("is nothing for a host that is not being cleaned", async () => {
    const hostId = await manageable();
    for (const asked of [
      abortCleaning(world.backend, operator(), world.request(), { hostId }),
      holdCleaning(world.backend, operator(), world.request(), { hostId, reason: "look" }),
      resumeCleaning(world.backend, operator(), world.request(), { hostId }),
    ])
      expect(await asked).toMatchObject({ problem: { code: "notAllowedNow" } });
    expect(await signals(hostId)).toEqual([]);
  });
  it("of a hold says how long and why", async () => {
    const hostId = await world.host();
    await world.put(hostId, "WaitingForCleanup/Init");
    expect(
      await holdCleaning(world.backend, operator(), world.request(), {
        hostId,
        reason: "swap bay 3",
        forMs: 60_000,
      }),
    ).toMatchObject({ ok: true });
    expect(
      await holdCleaning(world.backend, operator(), world.request(), {
        hostId,
        reason: "swap bay 4",
        until: new Date(Date.now() + 3_600_000),
      }),
    ).toMatchObject({ ok: true });
    expect(await signals(hostId)).toMatchObject([
      { kind: "hold", payload: { reason: "swap bay 3", forMs: 60_000 } },
      { kind: "hold", payload: { reason: "swap bay 4", forMs: expect.any(Number) } },
    ]);
    expect(await events("host.hold", hostId)).toMatchObject([
      { after: { reason: "swap bay 3", forMs: 60_000 } },
      { after: { reason: "swap bay 4" } },
    ]);
    for (const wrong of [
      { reason: "" },
      { reason: "x", forMs: 31 * 86_400_000 },
      { reason: "x", until: new Date(0) },
      { reason: "x", forMs: 1, until: new Date(Date.now() + 1_000) },
    ])
      expect(
        await holdCleaning(world.backend, operator(), world.request(), { hostId, ...wrong }),
      ).toMatchObject({ problem: { code: "invalid" } });
  });
  it("of an abort is asked once", async () => {
    const hostId = await world.host();
    await world.put(hostId, "WaitingForCleanup/Init");
    for (let time = 0; time < 2; time += 1)
      expect(await abortCleaning(world.backend, operator(), world.request(), { hostId })).toMatchObject({
        ok: true,
      });
    expect((await signals(hostId)).map(({ kind }) => kind)).toEqual(["abort"]);
    expect(await events("host.abort", hostId)).toHaveLength(1);
  });
});

describe("who may", () => {
  const may: Record<
    string,
    { readonly roles: readonly Role[]; readonly ask: (role: Role) => Promise<{ readonly ok: boolean }> }
  > = {
    "set priorities": {
      roles: ["provider-admin"],
      ask: (role) => saveOverride(world.backend, world.actor(role), world.request(), nvme(71)),
    },
    "take priorities away": {
      roles: ["provider-admin"],
      ask: (role) =>
        removeOverride(world.backend, world.actor(role), world.request(), {
          scope: "site",
          scopeId: world.siteId,
          interface: "deploy",
          step: "reset_infiniband",
        }),
    },
    "change the limits": {
      roles: ["provider-admin"],
      ask: (role) =>
        setSiteAdmission(world.backend, world.actor(role), world.request(), {
          siteId: world.siteId,
          limits: { atWork: 7, bootsPerMinute: 20, perPowerDomain: null, tenantReleasesPerHour: 10 },
        }),
    },
    "switch cleaning off": {
      roles: ["provider-admin"],
      ask: (role) =>
        setSiteAutomatedClean(world.backend, world.actor(role), world.request(), {
          siteId: world.siteId,
          automatedClean: false,
        }),
    },
    "write runbooks": {
      roles: ["operator", "provider-admin"],
      ask: (role) =>
        saveRunbook(world.backend, world.actor(role), world.request(), runbook({ name: `of ${role}` })),
    },
    "clean by hand": {
      roles: ["operator", "provider-admin"],
      ask: async (role) =>
        startCleaning(world.backend, world.actor(role), world.request(), {
          hostId: await manageable(),
          steps: [{ interface: "power", step: "reboot" }],
        }),
    },
    "set traits": {
      roles: ["operator", "provider-admin"],
      ask: async (role) =>
        setTraits(world.backend, world.actor(role), world.request(), {
          hostId: await manageable(),
          change: { kind: "all", traits: [role] },
        }),
    },
  };
  it.each(Object.keys(may).flatMap((what) => roles.map((role) => [what, role] as const)))(
    "%s: %s",
    async (what, role) => {
      const row = may[what];
      expect((await row?.ask(role))?.ok).toBe(row?.roles.includes(role));
    },
  );
});
