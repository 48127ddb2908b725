// What a different policy would change in recorded drives and reclamations, and the erase policy that is saved.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { roles } from "@/server/domain/access/roles";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { skuComponents } from "@/server/domain/hosts/inventory/testing/sku-components";
import { presets } from "@/server/domain/cleaning/policy/presets";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";
import type { EraseSettings, PolicyQuestion } from "@/server/contract/cleaning/policy";
import { previewPolicy } from "@/server/usecases/cleaning/policy/preview-policy";
import { previewOverride } from "@/server/usecases/cleaning/overrides/preview-override";
import { setSiteErase } from "@/server/usecases/cleaning/policy/set-site-erase";
import { nvme, reportHardware } from "@/server/usecases/testing/hardware";
import { addReclamation } from "@/server/usecases/testing/reclamations";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;

const presetOf = (name: keyof typeof presets): EraseSettings => {
  const { standard, minimum, techniques } = presets[name];
  return {
    standard,
    minimum: { ...minimum },
    techniques: {
      nvme: [...techniques.nvme],
      ssd: [...techniques.ssd],
      hdd: [...techniques.hdd],
      "raid-kit": [...techniques["raid-kit"]],
    },
    fallback: true,
  };
};
const ieee = presetOf("ieee-2883-purge");
const r1 = presetOf("sp-800-88r1-purge");
const day = 86_400_000;

const entry = (technique: Technique, completed: boolean) => ({
  technique,
  command: "c",
  startedAt: "2026-11-01T00:00:00Z",
  endedAt: "2026-11-01T00:00:01Z",
  exitCode: completed ? 0 : 1,
  status: "s",
  completed,
});

/** A host with a drive, and a reclamation that erased it. */
async function erased(
  name: string,
  model: string,
  completed: Technique,
  { message = "", refused = [] as readonly Technique[], ageDays = 1, verdict = "sanitized" } = {},
): Promise<string> {
  const hostId = await world.host(name);
  await reportHardware(world, hostId, [nvme(`${name}-1`, { model })]);
  const startedAt = new Date(Date.now() - ageDays * day);
  const { id } = await addReclamation(world, hostId, {
    kind: "release",
    startedAt,
    endedAt: new Date(startedAt.getTime() + 60_000),
    outcome: "ready",
    planEpoch: 1,
  });
  const { database } = world.backend;
  const step = await database.stepRun.create({
    data: {
      reclamationId: id,
      hostId,
      planEpoch: 1,
      position: 1,
      interface: "deploy",
      step: "erase_nvme",
      where: "agent",
      priority: 40,
      prioritySource: "default",
      proves: ["storageSanitized"],
      status: "succeeded",
      attempt: 1,
      maxAttempts: 2,
    },
  });
  await database.deviceResult.create({
    data: {
      reclamationId: id,
      hostId,
      stepRunId: step.id,
      attempt: 1,
      planEpoch: 1,
      serial: `${name}-1`,
      model,
      media: "nvme",
      technique: completed,
      standard: "sp-800-88r1",
      level: "purge",
      techniqueTable: 1,
      verdict,
      reason: "",
      report: {
        transport: "nvme",
        tries: [...refused.map((one) => entry(one, false)), entry(completed, true)],
        message,
        verification: { result: "passed" },
      },
    },
  });
  return id;
}

const ask = async (question: Omit<PolicyQuestion, "siteId">) => {
  const told = await previewPolicy(world.backend, world.actor("auditor"), {
    siteId: world.siteId,
    ...question,
  });
  if (!told.ok) throw new Error(told.problem.detail);
  return told.value;
};

let formats = "";
beforeAll(async () => {
  world = await createWorld();
  await world.backend.database.site.update({ where: { id: world.siteId }, data: { demo: false } });
  formats = await erased("f1", "FORMATS", "nvme-format-user-data", {
    message:
      "nvme-format-user-data, 5 samples gone; nvme-sanitize-crypto: not in SANICAP 0h; nvme-sanitize-block: not in SANICAP 0h",
    refused: ["nvme-sanitize-overwrite"],
  });
  await erased("s1", "SANITIZES", "nvme-sanitize-crypto");
  await erased("old", "SANITIZES", "nvme-sanitize-crypto", { ageDays: 100 });
  const unknown = await world.host("n1");
  await reportHardware(world, unknown, [nvme("n1-1", { model: "NEW" })]);
});
afterAll(() => world.stop());

describe("another erase policy", () => {
  it("names the models that cannot meet it and the reclamations that would have stopped", async () => {
    const told = await ask({ erase: ieee });
    expect(told.models).toEqual([
      expect.objectContaining({ model: "FORMATS", drives: 1, cannot: 1, meets: 0, unknown: 0 }),
      expect.objectContaining({ model: "NEW", drives: 1, unknown: 1, reason: "no erase of it is recorded" }),
      expect.objectContaining({ model: "SANITIZES", drives: 2, meets: 2, reason: null }),
    ]);
    expect(told.reclamations).toEqual({ total: 2, stop: 1, pass: 0, unknown: 0, same: 1, withoutErase: 0 });
    expect(told.otherwise).toEqual([
      expect.objectContaining({ id: formats, host: "f1", outcome: "ready", would: "stop" }),
    ]);
    expect(told).toMatchObject({ policyVersion: 1, truncated: false, effects: [], notes: [] });
  });

  it("says of which drives and reclamations the record does not tell", async () => {
    const told = await ask({ erase: r1 });
    expect(told.models.find(({ model }) => model === "SANITIZES")).toMatchObject({ unknown: 2 });
    expect(told.reclamations).toMatchObject({ stop: 0, unknown: 1, same: 1 });
  });

  it("is told by what drives reported of themselves where no record tells", async () => {
    const { backend } = world;
    const hosts = await backend.database.host.findMany({ where: { name: { in: ["f1", "s1", "n1"] } } });
    const idOf = (name: string): string => hosts.find((host) => host.name === name)?.id ?? "";
    const report = (
      name: string,
      model: string,
      offers: readonly Technique[],
      refuses: readonly Technique[],
    ) =>
      reportHardware(world, idOf(name), [nvme(`${name}-1`, { model })], {}, [
        {
          model,
          serials: [`${name}-1`],
          offers: [...offers],
          refuses: [...refuses, "of-a-later-version"],
          said: "x",
        },
      ]);
    await report(
      "n1",
      "NEW",
      ["nvme-format-user-data"],
      ["nvme-sanitize-crypto", "nvme-sanitize-block", "nvme-sanitize-overwrite"],
    );
    await report("s1", "SANITIZES", ["nvme-sanitize-crypto"], ["nvme-format-user-data"]);
    // What this drive reports does not override what it did.
    await report("f1", "FORMATS", ["nvme-sanitize-crypto"], ["nvme-format-user-data"]);
    const underIeee = await ask({ erase: ieee });
    expect(underIeee.models).toEqual([
      expect.objectContaining({
        model: "FORMATS",
        cannot: 1,
        basis: { policy: 0, recorded: 1, reported: 0, model: 0 },
      }),
      expect.objectContaining({
        model: "NEW",
        cannot: 1,
        basis: { policy: 0, recorded: 0, reported: 1, model: 0 },
      }),
      expect.objectContaining({ model: "SANITIZES", meets: 2, cannot: 0 }),
    ]);
    const underR1 = await ask({ erase: r1 });
    expect(underR1.models.find(({ model }) => model === "SANITIZES")).toMatchObject({
      cannot: 1,
      unknown: 1,
    });
    expect(underR1.reclamations).toMatchObject({ stop: 1, unknown: 0, same: 1 });
    for (const [name, model] of [
      ["n1", "NEW"],
      ["s1", "SANITIZES"],
      ["f1", "FORMATS"],
    ] as const)
      await reportHardware(world, idOf(name), [nvme(`${name}-1`, { model })]);
  });

  it("of one step is told of the hosts of a site, a SKU or a host alone", async () => {
    const { database } = world.backend;
    const { hostId } = await database.stepRun.findFirstOrThrow({ where: { step: "erase_nvme" } });
    const { id: sku } = await database.sku.create({
      data: { name: "effect", components: skuComponents },
    });
    await database.host.update({ where: { id: hostId }, data: { skuId: sku } });
    const effectOf = async (scope: "site" | "sku" | "host", scopeId: string) => {
      const step = { interface: "deploy", step: "erase_nvme", priority: 0 };
      const told = await previewOverride(world.backend, world.actor("auditor"), { scope, scopeId, ...step });
      if (!told.ok) throw new Error(told.problem.detail);
      return told.value.effect;
    };
    const [site, ofSku, host] = [
      await effectOf("site", world.siteId),
      await effectOf("sku", sku),
      await effectOf("host", hostId),
    ];
    for (const effect of [site, ofSku, host])
      expect(effect).toMatchObject({
        kind: "otherwise",
        words: expect.stringContaining("storageSanitized would be unproven"),
      });
    expect(host?.reclamations).toBeLessThan(site?.reclamations ?? 0);
  });

  it("is told together with limits, tests and priorities", async () => {
    const told = await ask({ atWork: 1, validationTests: ["gpu"], priorities: { "deploy.erase_nvme": 0 } });
    expect(told.effects).toMatchObject([
      { setting: "Validation tests", kind: "unknown" },
      { setting: "Hosts in progress", kind: "otherwise", reclamations: 1 },
      { setting: "Priority of deploy.erase_nvme", kind: "otherwise", reclamations: 2 },
    ]);
  });

  it("tells of gates that the site begins or ceases to require, on a real site", async () => {
    const { database } = world.backend;
    const id = await erased("h1", "HELD", "nvme-sanitize-crypto");
    await database.reclamation.update({
      where: { id },
      data: { outcome: null, endedAt: null, stoppedAt: new Date(), stoppedCause: "GateUnsatisfied" },
    });
    const gate = (name: string, status: string) =>
      database.gate.create({
        data: {
          reclamationId: id,
          gate: name,
          status,
          reason: "r",
          evidence: {},
          generation: 1,
          evidenceSeq: 1,
        },
      });
    await gate("attestationPassed", "not implemented");
    await gate("storageSanitized", "satisfied");
    await database.hostRun.updateMany({
      where: { name: "h1" },
      data: { state: "Failed/GateUnsatisfied", reclamationId: id },
    });
    const effectsOf = async (question: Omit<PolicyQuestion, "siteId">) => (await ask(question)).effects;
    expect(await effectsOf({ requires: { attestationPassed: false } })).toMatchObject(
      [
        {
          setting: "Gate attestationPassed",
          kind: "otherwise",
          reclamations: 1,
          words: /^1 of 1 .*now: 1, 1 of them/,
        },
      ].map(({ words, ...row }) => ({ ...row, words: expect.stringMatching(words) })),
    );
    await database.hostRun.updateMany({
      where: { name: "h1" },
      data: { state: "ReturnToAllocation/AwaitingRepair" },
    });
    expect(await effectsOf({ requires: { attestationPassed: false } })).toMatchObject([
      { words: expect.stringMatching(/now: 1, 1 of them/) },
    ]);
    await gate("healthy", "unsatisfied");
    expect(await effectsOf({ requires: { attestationPassed: false } })).toMatchObject([{ reclamations: 0 }]);
    await database.site.update({ where: { id: world.siteId }, data: { demo: true } });
    expect(await effectsOf({ requires: { attestationPassed: false } })).toMatchObject([{ kind: "same" }]);
    await database.site.update({ where: { id: world.siteId }, data: { demo: false } });
  });

  it("tells of a whole policy, and of what it leaves out as of what it changes", async () => {
    const base = defaultPolicy();
    const inForce = { ...base, requires: { ...base.requires, healthy: false } };
    await world.backend.database.sitePolicy.update({
      where: { siteId_version: { siteId: world.siteId, version: 1 } },
      data: { body: inForce },
    });
    expect((await ask({ policy: inForce })).effects).toEqual([]);
    const told = await ask({ policy: { ...base, attempts: { agent: 3, controller: 5 } } });
    expect(told.effects).toMatchObject([
      { setting: "Gate healthy", kind: "same" },
      { setting: "Agents and boots: attempts of a step by the agent", kind: "unknown" },
    ]);
    await world.backend.database.sitePolicy.update({
      where: { siteId_version: { siteId: world.siteId, version: 1 } },
      data: { body: base },
    });
  });

  it("tells of what is still in progress, not of what waits, and of hosts that have left", async () => {
    const { database } = world.backend;
    const total = (await ask({})).reclamations.total;
    const left = await erased("left", "LEFT", "nvme-format-user-data", {
      refused: ["nvme-sanitize-crypto", "nvme-sanitize-block", "nvme-sanitize-overwrite"],
    });
    const gone = await database.host.findFirstOrThrow({ where: { name: "left" } });
    await database.host.delete({ where: { id: gone.id } });
    const told = await ask({ erase: ieee });
    expect(told.reclamations.total).toBe(total + 1);
    expect(told.otherwise).toContainEqual(expect.objectContaining({ id: left, host: "left", would: "stop" }));

    const overLimit = async () =>
      (await ask({ atWork: 5 })).effects.find(({ setting }) => setting === "Hosts in progress");
    expect(await overLimit()).toMatchObject({ kind: "same" });
    const startedAt = new Date();
    for (const name of ["p1", "p2", "p3", "p4", "p5", "p6"])
      await addReclamation(world, await world.host(name), {
        kind: "release",
        startedAt,
        ...(name === "p6" ? { queuedAt: startedAt } : { admittedAt: startedAt }),
      });
    expect(await overLimit()).toMatchObject({ kind: "same" });
    await database.reclamation.updateMany({
      where: { queuedAt: startedAt },
      data: { admittedAt: new Date(startedAt.getTime() + 500) },
    });
    expect(await overLimit()).toMatchObject({ kind: "otherwise", reclamations: 1 });
  });

  it("may be asked by the provider's people, about a site that there is", async () => {
    for (const role of roles) {
      const told = await previewPolicy(world.backend, world.actor(role), { siteId: world.siteId });
      expect(told.ok ? "told" : told.problem.code).toBe(role.includes("tenant") ? "forbidden" : "told");
    }
    expect(
      await previewPolicy(world.backend, world.actor("operator"), { siteId: world.tenants.acme }),
    ).toMatchObject({ problem: { code: "notFound" } });
  });
});

describe("the erase policy of a site", () => {
  const set = (
    erase: EraseSettings,
    policyVersion: number,
    role: (typeof roles)[number] = "provider-admin",
  ) =>
    setSiteErase(world.backend, world.actor(role), world.request(), {
      siteId: world.siteId,
      erase,
      policyVersion,
      reason: "ticket 7",
    });

  it("is saved as a new version with each change in the audit log; what it does not name stays", async () => {
    expect(await set(r1, 1)).toEqual({ ok: true, value: { policyVersion: 2 } });
    const { body } = await world.backend.database.sitePolicy.findUniqueOrThrow({
      where: { siteId_version: { siteId: world.siteId, version: 2 } },
    });
    const { sanitization } = defaultPolicy();
    expect(body).toMatchObject({
      sanitization: {
        standard: "sp-800-88r1",
        minimum: { "raid-kit": "purge" },
        erase: { techniques: r1.techniques, samplesPerDevice: sanitization.erase.samplesPerDevice },
      },
    });
    expect(
      await world.backend.database.auditEvent.findMany({
        where: { action: "site.setErase", outcome: "done" },
      }),
    ).toMatchObject([
      {
        targetId: world.siteId,
        before: { policyVersion: 1 },
        after: {
          policyVersion: 2,
          reason: "ticket 7",
          changes: expect.arrayContaining(['standard: "ieee-2883" → "sp-800-88r1"']),
        },
      },
    ]);
    expect(await set(r1, 2)).toEqual({ ok: true, value: { policyVersion: 2 } });
    expect(await set(ieee, 1)).toMatchObject({ problem: { code: "conflict", field: "policyVersion" } });
  });

  it.each(roles.filter((role) => role !== "provider-admin"))("is not %s's to change", async (role) => {
    expect(await set(ieee, 2, role)).toMatchObject({ problem: { code: "forbidden" } });
  });
});
