// The catalogue, previews of priorities, and estimates of manual cleanings, read from a real database.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { roles } from "@/server/domain/access/roles";
import { leftOutMeaning } from "@/server/domain/assurance/standing";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { cleanSteps } from "@/server/domain/cleaning/steps/catalogue";
import { withDurations } from "@/server/domain/cleaning/sanitization/models/durations";
import { readCatalogue } from "@/server/usecases/cleaning/catalogue";
import type { CatalogueQuery } from "@/server/usecases/cleaning/catalogue";
import { estimateCleaning } from "@/server/usecases/cleaning/estimate-cleaning";
import { previewOverride } from "@/server/usecases/cleaning/overrides/preview-override";
import { nvme, reportAgent, reportHardware } from "@/server/usecases/testing/hardware";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";
import { addReclamation, addStoppedRelease } from "@/server/usecases/testing/reclamations";

let world: World;
let skuId = "";
let hostId = "";
beforeAll(async () => {
  world = await createWorld();
  skuId = (await world.backend.database.sku.create({ data: { name: "R750", components: {} } })).id;
  hostId = await world.host("gpu-1");
  await world.backend.database.host.update({ where: { id: hostId }, data: { skuId, traits: ["gpu"] } });
  await reportHardware(
    world,
    hostId,
    [nvme("S1"), nvme("S2"), nvme("USB", { transport: "usb", removable: true })],
    { bios: true },
  );
});
afterAll(() => world.stop());
beforeEach(() => world.backend.database.stepOverride.deleteMany());

const operator = () => world.actor("operator");
const catalogue = async (query: CatalogueQuery) => {
  const read = await readCatalogue(world.backend, operator(), query, (type) =>
    type === "redfish" ? new Set(["bios.recommit"]) : null,
  );
  if (!read.ok) throw new Error(read.problem.detail);
  return read.value;
};
const step = async (query: CatalogueQuery, name: string) =>
  (await catalogue(query)).steps.find((row) => row.name === name);
const set = (scope: "site" | "sku" | "host", scopeId: string, name: string, priority: number) => {
  const [stepInterface = "", stepName = ""] = name.split(".");
  return world.backend.database.stepOverride.create({
    data: { scope, scopeId, interface: stepInterface, step: stepName, priority },
  });
};

describe("the catalogue", () => {
  it("of a site has every step with its default", async () => {
    const read = await catalogue({ kind: "site", siteId: world.siteId });
    expect(read.steps).toHaveLength(cleanSteps.length);
    expect(
      read.steps.every(
        ({ source, applies, manager }) => source === "default" && applies === null && manager === null,
      ),
    ).toBe(true);
    expect(read.order.slice(0, 3)).toEqual([
      "raid.secure_erase_boss",
      "raid.secure_erase_drives",
      "deploy.erase_nvme",
    ]);
    expect(read.ties).toEqual([]);
  });
  it("gives arguments as JSON Schema", async () => {
    const update = await step({ kind: "site", siteId: world.siteId }, "firmware.update");
    expect(update?.args).toMatchObject([
      {
        name: "settings",
        required: true,
        schema: { type: "array", items: { type: "object", required: ["component", "url", "checksum"] } },
      },
    ]);
    expect(
      (await step({ kind: "site", siteId: world.siteId }, "management.set_boot_mode"))?.args[0]?.schema,
    ).toMatchObject({ type: "string", enum: ["uefi", "bios"] });
  });
  it("of a host says what applies, and lets the most specific scope win", async () => {
    await set("site", world.siteId, "deploy.erase_nvme", 70);
    await set("sku", skuId, "deploy.erase_nvme", 71);
    expect(await step({ kind: "host", host: "gpu-1" }, "deploy.erase_nvme")).toMatchObject({
      priority: 71,
      source: "sku",
      defaultPriority: 90,
      overrides: { site: 70, sku: 71, host: null },
      applies: true,
    });
    await set("host", hostId, "deploy.erase_nvme", 0);
    expect(await step({ kind: "host", host: hostId }, "deploy.erase_nvme")).toMatchObject({
      priority: 0,
      source: "host",
      overrides: { host: 0 },
    });
    expect(await step({ kind: "sku", skuId }, "deploy.erase_nvme")).toMatchObject({
      priority: 71,
      source: "sku",
      overrides: { site: null },
    });
    expect(await step({ kind: "sku", skuId, siteId: world.siteId }, "deploy.erase_nvme")).toMatchObject({
      overrides: { site: 70, sku: 71 },
    });
    const ofHost = await catalogue({ kind: "host", host: hostId });
    expect(ofHost.order).toEqual(["deploy.verify_mem_overwrite"]);
    expect(ofHost.steps.find(({ name }) => name === "deploy.erase_disks")).toMatchObject({ applies: false });
    expect(ofHost.host).toMatchObject({ state: "Enroll", traits: ["gpu"] });
  });
  it("of a host without an inventory leaves open what applies", async () => {
    const bare = await world.host("bare");
    expect(
      (await catalogue({ kind: "host", host: bare })).steps.every(({ applies }) => applies === null),
    ).toBe(true);
  });
  it("of a host of which a newer version stored more counts its drives and its agent's steps", async () => {
    const newer = await world.host("newer");
    await reportHardware(world, newer, [Object.assign(nvme("N1"), { zoned: true })]);
    const polish = { interface: "deploy", step: "polish", priority: 90, abortable: true };
    const manager = { name: "acme", version: "4", steps: [{ ...polish, needs: "power" }] };
    await reportAgent(world, newer, [manager]);
    expect(await step({ kind: "host", host: newer }, "deploy.erase_nvme")).toMatchObject({ applies: true });
    expect(await step({ kind: "host", host: newer }, "deploy.polish")).toMatchObject({
      manager: { name: "acme", version: "4" },
    });
  });
  it("of a host has what only its newest agent offers, with the manager, and its ties", async () => {
    const own = await world.host("with-agent");
    await reportAgent(
      world,
      own,
      [
        {
          name: "acme",
          version: "2",
          steps: [{ interface: "deploy", step: "old", priority: 5, abortable: true }],
        },
      ],
      1,
    );
    await reportAgent(
      world,
      own,
      [
        {
          name: "acme",
          version: "3",
          steps: [
            { interface: "deploy", step: "polish", priority: 90, abortable: true },
            { interface: "deploy", step: "erase_nvme", priority: 1, abortable: true },
          ],
        },
      ],
      2,
    );
    const read = await catalogue({ kind: "host", host: own });
    expect(read.agent).toMatchObject({ version: "1.4.0", managers: [{ name: "acme", version: "3" }] });
    expect(read.steps.find(({ name }) => name === "deploy.polish")).toMatchObject({
      manager: { name: "acme", version: "3" },
      priority: 90,
      abortable: true,
    });
    expect(read.steps.find(({ name }) => name === "deploy.erase_nvme")).toMatchObject({
      manager: null,
      priority: 90,
    });
    expect(read.steps.some(({ name }) => name === "deploy.old")).toBe(false);
    expect(read.ties).toEqual([expect.stringContaining("deploy.polish")]);
    await world.backend.database.host.delete({ where: { id: own } });
  });
  it("of a hardware type says what it has code for", async () => {
    expect(await step({ kind: "hardwareType", hardwareType: "redfish" }, "bios.recommit")).toMatchObject({
      applies: true,
    });
    expect(await step({ kind: "hardwareType", hardwareType: "redfish" }, "bios.factory_reset")).toMatchObject(
      { applies: false },
    );
    expect(await step({ kind: "hardwareType", hardwareType: "redfish" }, "deploy.erase_nvme")).toMatchObject({
      applies: true,
    });
    expect(await step({ kind: "hardwareType", hardwareType: "ipmi" }, "bios.recommit")).toMatchObject({
      applies: null,
    });
  });
  it.each(roles)("is the provider's: %s", async (role) => {
    const read = await readCatalogue(
      world.backend,
      world.actor(role),
      { kind: "site", siteId: world.siteId },
      () => null,
    );
    expect(read.ok).toBe(role === "operator" || role === "provider-admin" || role === "auditor");
  });
  it("of nothing is not found", async () =>
    expect(
      await readCatalogue(world.backend, operator(), { kind: "site", siteId: randomUUID() }, () => null),
    ).toMatchObject({ problem: { code: "notFound" } }));
});

describe("the preview of a priority", () => {
  const preview = async (
    scope: "site" | "sku" | "host",
    scopeId: string,
    name: string,
    priority: number | null,
  ) => {
    const [stepInterface = "", stepName = ""] = name.split(".");
    return previewOverride(world.backend, operator(), {
      scope,
      scopeId,
      interface: stepInterface,
      step: stepName,
      priority,
    });
  };
  it("shows the order before and after", async () => {
    const read = await preview("site", world.siteId, "deploy.erase_disks", 99);
    if (!read.ok) throw new Error(read.problem.detail);
    expect(read.value.before[0]?.name).toBe("raid.secure_erase_boss");
    expect(read.value.after[0]).toEqual({ name: "deploy.erase_disks", priority: 99, source: "site" });
    expect(read.value).toMatchObject({ ties: [], unproven: [] });
    expect(read.value.hosts).toBeGreaterThan(0);
  });
  it("says which gates would rest on nothing", async () =>
    expect(await preview("sku", skuId, "deploy.erase_nvme", 0)).toMatchObject({
      value: {
        unproven: ["storageSanitized"],
        effect: {
          kind: "same",
          words: `no recorded reclamation ran the step. ${leftOutMeaning}`,
        },
      },
    }));
  it("says what recorded reclamations of the scope would have done, and nothing where it is so already", async () => {
    const effectOf = async (...asked: Parameters<typeof preview>) => {
      const read = await preview(...asked);
      if (!read.ok) throw new Error(read.problem.detail);
      return read.value.effect;
    };
    expect(await effectOf("sku", skuId, "deploy.erase_nvme", 91)).toMatchObject({ kind: "unknown" });
    for (const scope of ["site", "sku", "host"] as const) {
      const scopeId = { site: world.siteId, sku: skuId, host: await world.host(`effect-${scope}`) }[scope];
      expect(await effectOf(scope, scopeId, "deploy.erase_nvme", null)).toBeNull();
      expect(await effectOf(scope, scopeId, "deploy.erase_disks", 0)).toMatchObject({
        setting: "Priority of deploy.erase_disks",
        kind: "same",
      });
    }
  });
  it("finds a tie with a default, with a SKU's and with a host's override", async () => {
    expect(await preview("site", world.siteId, "deploy.erase_disks", 90)).toMatchObject({
      value: {
        ties: expect.arrayContaining([
          expect.objectContaining({
            where: "site a",
            message: "deploy.erase_nvme and deploy.erase_disks have the same priority 90",
          }),
        ]),
      },
    });
    await set("sku", skuId, "deploy.erase_raid_kit", 70);
    await set("host", hostId, "deploy.erase_disks", 71);
    expect(await preview("site", world.siteId, "deploy.erase_nvme", 70)).toMatchObject({
      value: {
        ties: [
          { where: "SKU R750 at site a", hosts: 0 },
          { where: expect.stringContaining("host gpu-1"), hosts: 1 },
        ],
      },
    });
    expect(await preview("site", world.siteId, "deploy.erase_nvme", 71)).toMatchObject({
      value: {
        ties: [
          {
            where: expect.stringContaining("host gpu-1"),
            steps: ["deploy.erase_nvme", "deploy.erase_disks"],
          },
        ],
      },
    });
    expect(await preview("sku", skuId, "deploy.erase_nvme", 71)).toMatchObject({
      value: { ties: [{ where: expect.stringContaining("host gpu-1") }] },
    });
    expect(await preview("host", hostId, "deploy.erase_nvme", 70)).toMatchObject({
      value: { ties: [{ steps: ["deploy.erase_nvme", "deploy.erase_raid_kit"] }] },
    });
  });
  it("finds a tie with what agents offer, once for all hosts alike", async () => {
    const alike = [await world.host("alike-1"), await world.host("alike-2")];
    for (const id of alike)
      await reportAgent(world, id, [
        {
          name: "acme",
          version: "3",
          steps: [{ interface: "deploy", step: "polish", priority: 7, abortable: true }],
        },
      ]);
    expect(await preview("site", world.siteId, "deploy.erase_nvme", 7)).toMatchObject({
      value: {
        ties: [
          {
            hosts: 2,
            where: "2 hosts, alike-1 among them, site a",
            steps: ["deploy.erase_nvme", "deploy.polish"],
          },
        ],
      },
    });
    await world.backend.database.host.deleteMany({ where: { id: { in: alike } } });
  });
  it("finds a tie that taking one away would make", async () => {
    await set("site", world.siteId, "deploy.erase_nvme", 70);
    await set("site", world.siteId, "deploy.erase_disks", 90);
    expect(await preview("site", world.siteId, "deploy.erase_nvme", null)).toMatchObject({
      value: { ties: expect.arrayContaining([expect.objectContaining({ where: "site a" })]) },
    });
  });
  it.each([
    ["an unknown step", "deploy.nothing", 5, "step", "no clean step deploy.nothing"],
    ["a reserved step", "power.wait", 5, "step", "reserved"],
    ["a priority over the most", "deploy.erase_nvme", 1_001, "priority", "0 to 1000"],
    ["a priority below 0", "deploy.erase_nvme", -1, "priority", "0 to 1000"],
    ["a part of a priority", "deploy.erase_nvme", 1.5, "priority", "whole number"],
  ])("names %s", async (_, name, priority, field, words) =>
    expect(await preview("site", world.siteId, name, priority)).toMatchObject({
      problem: { code: "invalid", field, detail: expect.stringContaining(words) },
    }),
  );
  it.each(["site", "sku", "host"] as const)("names a %s that is not there", async (scope) =>
    expect(await preview(scope, randomUUID(), "deploy.erase_nvme", 1)).toMatchObject({
      problem: { code: "notFound" },
    }),
  );
});

describe("what it will take", () => {
  const estimate = async (
    steps: readonly { interface: string; step: string; args?: Record<string, string | number | string[]> }[],
  ) => {
    const read = await estimateCleaning(world.backend, operator(), {
      hostId,
      steps: steps.map((asked) => ({ args: {}, ...asked })),
    });
    if (!read.ok) throw new Error(read.problem.detail);
    return read.value;
  };
  const run = async (id: string, name: string, tookMs: number) => {
    const { id: reclamationId } = await addReclamation(world, id, {
      kind: "onboarding",
      endedAt: new Date(),
      outcome: "abandoned",
    });
    await world.backend.database.stepRun.create({
      data: {
        reclamationId,
        hostId: id,
        planEpoch: 1,
        position: 1,
        interface: "deploy",
        step: name,
        where: "agent",
        priority: 1,
        prioritySource: "default",
        proves: [],
        status: "succeeded",
        maxAttempts: 1,
        startedAt: new Date(1_000_000),
        endedAt: new Date(1_000_000 + tookMs),
      },
    });
  };
  it("adds up time, restarts and drives until a person is needed", async () => {
    await world.put(hostId, "Manageable");
    expect(
      await estimate([
        { interface: "power", step: "reboot" },
        { interface: "deploy", step: "erase_nvme", args: { devices: ["S2"] } },
        { interface: "power", step: "hold" },
        { interface: "power", step: "wait", args: { seconds: 30 } },
      ]),
    ).toMatchObject({
      faults: [],
      refusal: null,
      expectedMs: (6 + 4) * 60_000,
      personAt: 2,
      restarts: 1,
      erases: [{ serial: "S2", capacityBytes: "3840755982336" }],
      cannotStop: [1],
      endState: "Manageable",
      abandons: null,
      steps: [
        { basis: "catalogue" },
        { devices: [{ serial: "S2" }], erases: true },
        { basis: "person", expectedMs: null },
        { expectedMs: 30_000 },
      ],
    });
  });
  it("never names a removable drive", async () =>
    expect(
      (await estimate([{ interface: "deploy", step: "erase_nvme" }])).erases
        .map(({ serial }) => serial)
        .sort(),
    ).toEqual(["S1", "S2"]));
  it("goes by the host's own runs, else by its SKU's", async () => {
    const other = await world.host("gpu-2");
    await world.backend.database.host.update({ where: { id: other }, data: { skuId } });
    for (const took of [1_000, 2_000, 60_000]) await run(hostId, "verify_mem_overwrite", took);
    await run(other, "verify_mem_overwrite", 9_000);
    const { steps } = await estimate([
      { interface: "deploy", step: "verify_mem_overwrite" },
      { interface: "deploy", step: "reset_infiniband" },
    ]);
    expect(steps).toMatchObject([
      { basis: "host", expectedMs: 2_000, runs: 3 },
      { basis: "catalogue", runs: 0 },
    ]);
    await run(other, "reset_infiniband", 7_000);
    expect((await estimate([{ interface: "deploy", step: "reset_infiniband" }])).steps).toMatchObject([
      { basis: "sku", expectedMs: 7_000, runs: 1 },
    ]);
  });
  it("goes by what drives of the same models took, where enough is known of each", async () => {
    const erase = { interface: "deploy", step: "erase_nvme", args: { devices: ["S2"] } };
    const [before] = (await estimate([erase])).steps;
    expect(before?.basis).not.toBe("model");
    const { database } = world.backend;
    const model = before?.devices[0]?.model ?? "";
    const [technique] = defaultPolicy().sanitization.erase.techniques.nvme;
    const key = { model, firmware: "", technique: technique ?? "" };
    const took = (runs: number) => withDurations([], Array<number>(runs).fill(90_000));
    await database.driveModelErase.create({ data: { ...key, durations: took(4), longestMs: 90_000 } });
    expect((await estimate([erase])).steps).toMatchObject([{ basis: before?.basis }]);
    await database.driveModelErase.updateMany({ where: { model }, data: { durations: took(5) } });
    expect((await estimate([erase, { interface: "power", step: "hold" }])).steps).toMatchObject([
      { basis: "model", expectedMs: 90_000, runs: 5 },
      { basis: "person" },
    ]);
    await database.driveModelErase.deleteMany({ where: { model } });
  });
  it("names every fault, and goes on with what is right", async () => {
    const read = await estimate([
      { interface: "deploy", step: "nothing" },
      { interface: "power", step: "wait" },
      { interface: "deploy", step: "burnin_cpu", args: { time: "long", colour: "red" } },
      { interface: "power", step: "reboot" },
    ]);
    expect(read.faults.map(({ index, argument }) => [index, argument])).toEqual([
      [0, null],
      [1, "seconds"],
      [2, "colour"],
      [2, "time"],
    ]);
    expect(read.steps.map(({ index }) => index)).toEqual([3]);
  });
  it("says what a failed host's cleaning ends, with its debt", async () => {
    await world.put(hostId, "Failed/NVMECleanFailed");
    const { number } = await addStoppedRelease(world, hostId);
    await world.backend.database.debt.create({
      data: { chassisSerial: "SN-gpu-1", driveSerials: ["S1", "S2"] },
    });
    expect(await estimate([{ interface: "power", step: "reboot" }])).toMatchObject({
      refusal: null,
      abandons: { number: `R-${number}`, kind: "release", debtDrives: 2 },
      debtDrives: 2,
    });
    await world.put(hostId, "Verifying");
    expect((await estimate([{ interface: "power", step: "reboot" }])).refusal).toContain("Verifying");
  });
});
