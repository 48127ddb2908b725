// One cleaning in full on a real database: what was requested, what is expected, and what a manual one omits.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { emptyCleaning, emptyContext } from "@/server/domain/lifecycle/context";
import { fleetSummary } from "@/server/usecases/fleet/fleet-summary";
import { getGates } from "@/server/usecases/hosts/one/get-gates";
import { getHistory } from "@/server/usecases/hosts/one/get-history";
import { getHost } from "@/server/usecases/hosts/one/get-host";
import { getReclamation } from "@/server/usecases/reclamations/get-reclamation";
import { nvme, reportHardware } from "@/server/usecases/testing/hardware";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
let hostId = "";
let reclamationId = "";
const startedAt = new Date(Date.now() - 60_000);
beforeAll(async () => {
  world = await createWorld();
  hostId = await world.host("gpu-1");
  await reportHardware(world, hostId, [nvme("S1"), nvme("S2")]);
  await world.put(hostId, "Ready");
  await world.put(hostId, "ManualCleaning/RunningStep");
  const { database } = world.backend;
  await database.reclamation.updateMany({
    where: { hostId },
    data: { startedAt: new Date(Date.now() - 3_600_000) },
  });
  const operator = world.actor("operator");
  const made = await database.reclamation.create({
    data: {
      hostId,
      hostSerial: "x",
      kind: "manualCleaning",
      policyVersion: 1,
      policy: defaultPolicy(),
      planEpoch: 1,
      requestedBy: operator.personId,
      runbookName: "Burn in",
      startedAt,
      queuedAt: startedAt,
      admittedAt: new Date(startedAt.getTime() + 5_000),
      pausedMs: 7_000n,
      devices: { expected: [nvme("S1")], excluded: [], missing: [] },
      plan: {
        managers: [{ name: "generic", version: "1.4" }],
        disabled: [
          {
            interface: "deploy",
            step: "erase_disks",
            source: "site",
            proves: ["storageSanitized"],
            devices: [],
          },
        ],
      },
    },
  });
  reclamationId = made.id;
  const step = (position: number, name: string, over: object) => {
    const [stepInterface = "", stepName = ""] = name.split(".");
    return database.stepRun.create({
      data: {
        reclamationId,
        hostId,
        planEpoch: 1,
        position,
        interface: stepInterface,
        step: stepName,
        where: "agent",
        priority: 0,
        prioritySource: "manual",
        proves: [],
        maxAttempts: 2,
        ...over,
      },
    });
  };
  await step(1, "power.wait", { status: "succeeded", args: { seconds: 5 }, startedAt, endedAt: new Date() });
  const running = await step(2, "deploy.erase_nvme", {
    status: "running",
    args: { devices: ["S1"] },
    startedAt,
    deadlineAt: new Date(startedAt.getTime() + 600_000),
    timeLimitMs: 600_000,
    attempt: 1,
  });
  await database.stepAttempt.create({
    data: {
      stepRunId: running.id,
      attempt: 1,
      bootEpoch: 1,
      startedAt,
      progress: { devices: [{ serial: "S1", percent: 30, status: "x" }] },
      eraseEnds: { S1: startedAt.getTime() + 300_000 },
    },
  });
  await step(3, "deploy.verify_mem_overwrite", { abortable: true });
  await step(4, "power.hold", {});
  await step(5, "power.reboot", {});
  await database.hostRun.update({
    where: { hostId },
    data: {
      reclamationId,
      context: {
        ...emptyContext(),
        cleaning: {
          ...emptyCleaning(),
          hold: {
            by: { personId: null, name: "Ada" },
            reason: "swap bay 3",
            since: null,
            until: null,
            forMs: 1_000,
          },
        },
      },
    },
  });
});
afterAll(() => world.stop());

const read = async () => {
  const found = await getReclamation(world.backend, world.actor("operator"), { hostId });
  if (!found.ok || found.value === null) throw new Error("no reclamation");
  return found.value;
};

describe("a cleaning in full", () => {
  it("shows its boots, their images and agents when the boots' own records are gone", async () => {
    const at = (seconds: number) => new Date(startedAt.getTime() + seconds * 1_000);
    const data = {
      reclamationId,
      openedAt: at(1),
      resetDoneAt: at(2),
      imageVersion: "1.5.0",
      imageSha256: "abc",
    };
    const { database } = world.backend;
    await database.reclamationBoot.create({
      data: { ...data, bootEpoch: 3, registeredAt: at(3), lastSeenAt: at(9), agentVersion: "2.2" },
    });
    await database.reclamationBoot.create({ data: { ...data, bootEpoch: 4, resetDoneAt: null } });
    const { lanes } = (await read()).timeline;
    expect(lanes.find(({ name }) => name === "Agent")?.bars).toEqual([
      { from: at(3), to: at(9), words: "boot epoch 3, image 1.5.0, agent 2.2", tone: "neutral" },
    ]);
    expect(lanes.find(({ name }) => name === "BMC")?.bars).toMatchObject([
      { from: at(1), to: at(2), words: "restart" },
      { words: "restart, not read back", tone: "failed" },
    ]);
  });

  it("says who asked for it, by which runbook, its plan, and both clocks", async () => {
    expect(await read()).toMatchObject({
      reclamation: {
        kind: "manualCleaning",
        runbookName: "Burn in",
        pausedMs: 7_000,
        pausedAt: null,
        queuedAt: startedAt,
        admittedAt: new Date(startedAt.getTime() + 5_000),
      },
      requestedByName: world.actor("operator").name,
      managers: ["generic 1.4"],
      cleanup: {},
      disabled: [{ step: "deploy.erase_disks", source: "site", proves: ["storageSanitized"], devices: 0 }],
    });
  });
  it("gives each step its arguments, limits and expected end", async () => {
    const [wait, erase, memory, hold] = (await read()).stepRuns;
    expect(wait).toMatchObject({ args: { seconds: 5 }, expectedMs: null, expectedEndAt: null });
    expect(erase).toMatchObject({
      args: { devices: ["S1"] },
      erases: true,
      abortable: false,
      timeLimitMs: 600_000,
      deadlineAt: new Date(startedAt.getTime() + 600_000),
      expectedEndAt: new Date(startedAt.getTime() + 300_000),
      prioritySource: "manual",
    });
    expect(erase?.devices.map(({ serial }) => serial)).toEqual(["S1"]);
    expect(memory).toMatchObject({ abortable: true, expectedMs: 5_000, expectedEndAt: null });
    expect(hold).toMatchObject({ expectedMs: null });
  });
  it("expects nothing while a hold is asked for, and else up to the step that waits for a person", async () => {
    const held = await read();
    expect(held.hold).toEqual({ byName: "Ada", reason: "swap bay 3", since: null, until: null });
    expect(held.timeline.planned).toEqual([]);
    const stepEnds = {
      step: "deploy.erase_nvme",
      erases: true,
      expectedAt: new Date(startedAt.getTime() + 300_000),
      latestAt: new Date(startedAt.getTime() + 600_000),
    };
    const host = () => getHost(world.backend, world.actor("operator"), { host: hostId });
    expect(await host()).toMatchObject({ value: { asked: { hold: held.hold, abort: null }, stepEnds } });
    await world.backend.database.hostRun.update({
      where: { hostId },
      data: {
        context: {
          ...emptyContext(),
          cleaning: {
            ...emptyCleaning(),
            abort: { by: { personId: null, name: "Ada" }, at: startedAt.toISOString() },
          },
        },
      },
    });
    expect(await read()).toMatchObject({
      hold: null,
      abort: { byName: "Ada", at: startedAt },
      timeline: { planned: [] },
    });
    expect(await host()).toMatchObject({
      value: { asked: { hold: null, abort: { byName: "Ada", at: startedAt } }, stepEnds },
    });
    await world.backend.database.hostRun.update({
      where: { hostId },
      data: { context: { ...emptyContext() } },
    });
    expect(await host()).toMatchObject({ value: { asked: { hold: null, abort: null }, stepEnds: null } });
    const end = startedAt.getTime() + 300_000;
    expect((await read()).timeline.planned).toEqual([
      {
        name: "deploy.verify_mem_overwrite",
        bars: [{ from: new Date(end), to: new Date(end + 5_000), words: "expected", tone: null }],
      },
    ]);
  });
  it("by hand is in the history, and counts for no gate, stage or return", async () => {
    const operator = world.actor("operator");
    expect(await getHistory(world.backend, operator, { hostId })).toMatchObject({
      value: { reclamations: [{ id: reclamationId, kind: "manualCleaning" }, { kind: "onboarding" }] },
    });
    expect(await getHost(world.backend, operator, { host: hostId })).toMatchObject({
      value: {
        reclamation: { id: reclamationId },
        stages: [],
        standing: "notProven",
        counts: { gatesHold: 0, gates: 0, gateWords: "", reclamations: 2 },
        cleaningActions: [
          { intent: "clean", allowed: false },
          {
            intent: "hold",
            allowed: true,
            consequence: expect.stringContaining("deploy.erase_nvme ends first"),
          },
          { intent: "resume", allowed: false },
          { intent: "abort", allowed: true, consequence: "The cleaning ends now, as failed." },
        ],
      },
    });
    const gates = await getGates(world.backend, operator, { hostId });
    expect(gates).toEqual({ ok: true, value: [] });
    await world.backend.database.reclamation.update({
      where: { id: reclamationId },
      data: { endedAt: new Date(), outcome: "cleaned" },
    });
    expect(await fleetSummary(world.backend, operator, { hours: 24 })).toMatchObject({
      value: { timeToReady: { returns: 0 }, stepDurations: [] },
    });
  });
});

describe("gates before their evaluation", () => {
  it("say how far what they rest on is, and nothing once the reclamation is over", async () => {
    const { database } = world.backend;
    const id = await world.host();
    await world.put(id, "WaitingForCleanup/HostCleanup");
    const reclamation = await database.reclamation.create({
      data: { hostId: id, hostSerial: id, kind: "onboarding", policyVersion: 1, policy: defaultPolicy() },
    });
    await database.hostRun.update({
      where: { hostId: id },
      data: {
        reclamationId: reclamation.id,
        context: {
          ...emptyContext(),
          proven: {
            ...emptyContext().proven,
            tests: { epoch: 1, passed: 0, failed: ["memory"], skipped: [] },
          },
        },
      },
    });
    await database.stepRun.create({
      data: {
        reclamationId: reclamation.id,
        hostId: id,
        planEpoch: 0,
        position: 0,
        interface: "deploy",
        step: "erase_nvme",
        where: "agent",
        priority: 90,
        prioritySource: "default",
        maxAttempts: 1,
        proves: ["storageSanitized"],
        status: "succeeded",
      },
    });
    const read = async () => {
      const gates = await getGates(world.backend, world.actor("operator"), { hostId: id });
      if (!gates.ok) throw new Error(gates.problem.detail);
      return new Map(gates.value.map(({ gate, status, soFar }) => [gate, { status, soFar }]));
    };
    const open = await read();
    expect(open.get("storageSanitized")).toEqual({
      status: "open",
      soFar: { done: true, failed: false, words: "deploy.erase_nvme succeeded" },
    });
    expect(open.get("validationPassed")?.soFar).toMatchObject({ done: false });
    expect(open.get("instanceReleased")?.soFar).toBeNull();
    const detail = await getReclamation(world.backend, world.actor("operator"), { hostId: id });
    expect(detail.ok ? detail.value?.tests : null).toContainEqual({ name: "memory", result: "failed" });
    await database.reclamation.update({ where: { id: reclamation.id }, data: { endedAt: new Date() } });
    expect((await read()).get("storageSanitized")).toEqual({ status: "open", soFar: null });
  });
});
