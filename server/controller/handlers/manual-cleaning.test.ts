// Manual cleaning: from its beginning to Manageable, and everything that can stop it.
import { describe, expect, it } from "vitest";
import { plainPolicy } from "@/server/testing/test-policy";
import { noLimits } from "@/server/domain/cleaning/queue/admission";
import type { ManualStep } from "@/server/domain/cleaning/plan/manual";
import { emptyContext, emptyProven } from "@/server/domain/lifecycle/context";
import type { RunContext } from "@/server/domain/lifecycle/context";
import type { Signal } from "@/server/domain/lifecycle/signals";
import type { State } from "@/server/domain/lifecycle/states";
import type { ReclamationView } from "@/server/domain/hosts/record/reclamation";
import { by, decideOn, hostView, minute, now, path, stepId } from "@/server/controller/testing/host-view";
import {
  acksOf,
  agent,
  attempt,
  instance,
  inventory,
  networkContext,
  planned,
  endsAt,
} from "@/server/controller/testing/view-parts";
import { drivesEffect, drivesTold } from "@/server/controller/testing/effect-views";
import type { ViewChanges } from "@/server/controller/testing/host-view";
import { allDrives, reportOf, ssd1 } from "@/server/controller/testing/hardware";
import { readingOf } from "@/server/controller/inventory/bmc-storage";
import { manualRun } from "@/server/controller/testing/step-views";

const policy = { ...plainPolicy(), admission: noLimits };
const step = (name: string, args: ManualStep["args"] = {}, of = "power"): ManualStep => ({
  interface: of,
  step: name,
  args,
});
const clean = (...steps: readonly ManualStep[]): Signal => ({
  kind: "clean",
  payload: { by, steps: [...steps], runbook: null, bulkId: null },
});
const managers = [
  {
    name: "reclaim",
    version: "2",
    steps: [{ interface: "vendor", step: "polish", priority: 0, abortable: true }],
  },
];
const network = networkContext("admin");
const manual = (changes: Partial<ReclamationView> = {}): ReclamationView =>
  planned({
    kind: "manualCleaning",
    instanceId: null,
    tenantId: null,
    policy,
    plan: { managers: [{ name: "reclaim", version: "2" }], disabled: [] },
    ...changes,
  });
const there = agent({ hardwareManagers: managers });
const view = (state: State, changes: ViewChanges = {}) =>
  hostView(state, {
    site: { policy },
    brakes: [],
    agent: there,
    lastAgent: there,
    inventory: inventory(),
    acks: acksOf(network),
    ...changes,
    context: { network, ...changes.context },
  });

describe("clean", () => {
  it("begins the list in its order, with arguments, limits and twice the same step; a list of the controller's steps boots no agent", () => {
    const decision = decideOn(
      view("Manageable", {
        agent: null,
        lastAgent: null,
        signals: [
          clean(step("wait", { seconds: 30 }), step("wait", { seconds: 5 }), step("hold", {}, "raid")),
        ],
      }),
    );
    expect(path(decision)).toEqual(["ManualCleaning/Queued", "ManualCleaning/RunningStep"]);
    expect(decision.reclamation).toMatchObject({
      isNew: true,
      outcome: null,
      row: { kind: "manualCleaning", planEpoch: 1, planMade: true, requestId: "req-1" },
    });
    expect(
      decision.steps.map((row) => [
        row.position,
        row.interface,
        row.step,
        row.args,
        row.abortable,
        row.status,
      ]),
    ).toEqual([
      [1, "power", "wait", { seconds: 30 }, true, "running"],
      [2, "power", "wait", { seconds: 5 }, true, "planned"],
      [3, "raid", "hold", {}, true, "planned"],
    ]);
    expect(decision.run).toMatchObject({ cleanStep: "power.wait", dueAtMs: now + 30_000 });
    expect(decision.effects).toEqual([]);
  });

  it("boots an agent where a step needs one, and freezes the drives that it and the BMC see", () => {
    const begun = decideOn(
      view("Manageable", { agent: null, signals: [clean(step("erase_nvme", {}, "deploy"))] }),
    );
    expect(path(begun)).toEqual([
      "ManualCleaning/Queued",
      "ManualCleaning/RunningStep",
      "ManualCleaning/BootingAgent",
    ]);
    expect(begun.effects.map(({ kind }) => kind)).toEqual(["bootAgent"]);
    const row = manual({ devices: null, plan: null });
    const readings = [
      drivesEffect("before", row, "done", drivesTold([...allDrives, { ...ssd1, serial: "NEW1" }])),
    ];
    const booted = decideOn(
      view("ManualCleaning/BootingAgent", {
        drivesUnread: true,
        reclamation: row,
        steps: [manualRun("erase_nvme")],
        effects: readings,
      }),
    );
    expect(path(booted)).toEqual(["ManualCleaning/RunningStep"]);
    // What the BMC lists now, not what it listed when the host was enrolled.
    expect(booted.reclamation?.row.devices?.expected.map(({ serial }) => serial)).toContain("NEW1");
    expect(booted.run.command).toMatchObject({ kind: "execute", step: "erase_nvme" });
  });

  it("freezes no list of the BMC that was read before the cleaning: it is read with the boot, or by itself, and a reading that fails ends", () => {
    const row = manual({ devices: null, plan: null });
    const [boot] = decideOn(
      view("ManualCleaning/BootingAgent", {
        drivesUnread: true,
        reclamation: row,
        steps: [manualRun("erase_nvme")],
        agent: null,
      }),
    ).effects;
    expect(boot).toMatchObject({ kind: "bootAgent", request: { storage: readingOf(row, "before") } });
    const reads = decideOn(
      view("ManualCleaning/RunningStep", {
        drivesUnread: true,
        reclamation: row,
        steps: [manualRun("erase_nvme")],
      }),
    );
    expect([reads.reclamation?.row.devices ?? null, reads.run.command ?? null, reads.effects]).toMatchObject([
      null,
      null,
      [{ kind: "verify", request: { only: "storage" } }],
    ]);
    const storageRead = {
      of: readingOf(row, "before"),
      readAt: null,
      retryAt: new Date(now).toISOString(),
      failures: policy.times.bmcTries - 1,
    };
    const failed = drivesEffect("before", row, "failed", {
      error: { kind: "failed", message: "GET /Storage was answered 500" },
    });
    const over = decideOn(
      view("ManualCleaning/RunningStep", {
        reclamation: row,
        steps: [manualRun("erase_nvme")],
        effects: [failed],
        context: { proven: { ...emptyProven(), storageRead } },
      }),
    );
    expect(path(over)).toEqual(["Failed/BmcInventoryFailed"]);
  });

  it("asks for the admin network before an agent is booted", () => {
    const decision = decideOn(
      view("ManualCleaning/BootingAgent", {
        reclamation: manual(),
        steps: [manualRun("erase_nvme")],
        agent: null,
        acks: [],
        context: { network: null },
      }),
    );
    expect(decision.effects.map(({ kind }) => kind)).toEqual(["network"]);
  });

  it("of a list with a fault runs no step, and sets no maintenance", () => {
    const decision = decideOn(
      view("Manageable", {
        signals: [clean(step("wait", { seconds: 30 }), step("erase_holograms", {}, "deploy"))],
      }),
    );
    expect(path(decision)).toEqual(["Failed/CleanFailed"]);
    expect(decision).toMatchObject({
      steps: [],
      attempts: [],
      run: {
        maintenance: false,
        lastError: "The plan cannot be made: there is no clean step deploy.erase_holograms.",
      },
    });
    const retried = decideOn(
      view("Failed/CleanFailed", {
        reclamation: manual(),
        steps: [],
        signals: [{ kind: "retry", payload: { by } }],
      }),
    );
    expect(retried.run.state).toBe("Failed/CleanFailed");
  });

  it("from a failed cleaning ends it abandoned, and only maintenance of the failure", () => {
    const failed = {
      reclamation: planned({
        stoppedAtMs: now,
        stoppedCause: "NVMECleanFailed",
        stoppedIn: "WaitingForCleanup/HostCleanup",
      }),
      debts: { count: 1, driveSerials: [] },
      signals: [clean(step("wait", { seconds: 1 }))],
    } as const;
    const decision = decideOn(
      view("Failed/NVMECleanFailed", { ...failed, run: { maintenance: true, maintenanceBy: "failure" } }),
    );
    expect(decision.endedBefore).toMatchObject({ outcome: "abandoned" });
    expect(decision).toMatchObject({
      clearDebts: null,
      run: { maintenance: false },
      reclamation: { row: { kind: "manualCleaning" } },
    });
    expect(
      decideOn(
        view("Failed/NVMECleanFailed", { ...failed, run: { maintenance: true, maintenanceBy: "person" } }),
      ).run.maintenance,
    ).toBe(true);
  });

  it("from its beginning remembers an erase that its earlier run left behind: no restart falls into it", () => {
    const expectedEndMs = now + 20 * minute;
    const steps = [manualRun("erase_nvme", { status: "failed", attempt: 1, deadlineAtMs: now + minute })];
    const decision = decideOn(
      view("Failed/AgentLost", {
        reclamation: planned({ kind: "manualCleaning" }),
        steps,
        attempt: attempt({ stepRunId: steps[0]?.id ?? "", verdict: "lost", progress: endsAt(expectedEndMs) }),
        agent: null,
        run: { erasing: true },
        signals: [{ kind: "restart", payload: { by } }],
      }),
    );
    expect(decision.run.context.eraseUntil).toBe(new Date(expectedEndMs).toISOString());
    expect(decision.effects).toEqual([]);
  });

  it("remembers an erase that the failed cleaning left running", () => {
    const deadlineAtMs = now + 30 * minute;
    const decision = decideOn(
      view("Failed/AgentLost", {
        reclamation: planned(),
        steps: [manualRun("erase_nvme", { status: "failed", attempt: 1, deadlineAtMs })],
        attempt: attempt({ verdict: "lost" }),
        run: { erasing: true },
        signals: [clean(step("power_off"))],
      }),
    );
    expect(decision.run).toMatchObject({
      erasing: true,
      context: { eraseUntil: new Date(deadlineAtMs).toISOString() },
    });
    expect(decision.effects).toEqual([]);
    expect(decision.run.waitReason === null || !decision.effects.some(({ kind }) => kind === "step")).toBe(
      true,
    );
  });

  it("is refused with an instance on the host", () => {
    const decision = decideOn(
      view("Failed/CleanFailed", { instance: instance(), signals: [clean(step("wait", { seconds: 1 }))] }),
    );
    expect(decision.refused.map(({ intent }) => intent)).toEqual(["clean"]);
  });
});

describe("the list", () => {
  const ended = () =>
    decideOn(
      view("ManualCleaning/RunningStep", {
        reclamation: manual(),
        steps: [
          manualRun("verify_mem_overwrite", {
            status: "running",
            attempt: 1,
            startedAtMs: now,
            deadlineAtMs: now + minute,
          }),
        ],
        attempt: attempt({ report: reportOf(1, []) }),
        debts: { count: 1, driveSerials: [] },
      }),
    );

  it("ends in Manageable and clears no debt, whatever it ran", () => {
    const decision = ended();
    expect(path(decision)).toEqual(["Manageable"]);
    expect(decision).toMatchObject({
      reclamation: { outcome: "cleaned" },
      clearDebts: null,
      gates: [],
      run: { command: null, allocatable: false },
    });
  });

  it("proves nothing to a later onboarding", () => {
    const proven: RunContext["proven"] = { ...emptyProven(), memoryStepEpoch: 3, lastStepEpoch: 3 };
    const decision = decideOn(
      view("Manageable", {
        context: { ...emptyContext(), proven },
        deviceVerdicts: [{ serial: "NVME1", model: "P5520", verdict: "sanitized", reason: "by hand" }],
        signals: [{ kind: "provide", payload: { by } }],
      }),
    );
    expect(decision.run.context.proven).toEqual(emptyProven());
    expect(decision.reclamation?.row).toMatchObject({ kind: "onboarding", devices: null });
  });

  it("stops in the cause of its step, in maintenance; retry repeats the step, restart the list, manage gives it up", () => {
    const steps = [
      manualRun("wait", {
        interface: "power",
        where: "controller",
        id: stepId(2),
        position: 1,
        args: { seconds: 1 },
        status: "succeeded",
        attempt: 1,
      }),
      manualRun("erase_nvme", {
        position: 2,
        status: "running",
        attempt: 2,
        startedAtMs: now,
        deadlineAtMs: now + minute,
      }),
    ];
    const stopped = decideOn(
      view("ManualCleaning/RunningStep", {
        reclamation: manual(),
        steps,
        attempt: attempt({
          attempt: 2,
          report: { ...reportOf(2, []), result: "ERROR", message: "media error" },
        }),
      }),
    );
    expect(stopped.run).toMatchObject({
      state: expect.stringMatching(/^Failed\/(NVMECleanFailed|DeviceMissing)$/),
      maintenance: true,
      maintenanceBy: "failure",
    });
    const failed = (intent: "retry" | "restart" | "manage") =>
      decideOn(
        view("Failed/NVMECleanFailed", {
          reclamation: manual({
            stoppedAtMs: now,
            stoppedCause: "NVMECleanFailed",
            stoppedIn: "ManualCleaning/RunningStep",
          }),
          steps: steps.map((row) => (row.status === "running" ? { ...row, status: "failed" as const } : row)),
          attempt: attempt({ attempt: 2, verdict: "failed" }),
          run: { maintenance: true, maintenanceBy: "failure" },
          signals: [{ kind: intent, payload: { by } }],
        }),
      );
    const retried = failed("retry");
    expect(path(retried)[0]).toBe("ManualCleaning/RunningStep");
    expect(retried.steps).toMatchObject([{ id: stepId(1), maxAttempts: 4 }]);
    const restarted = failed("restart");
    expect(restarted.reclamation?.row).toMatchObject({ planEpoch: 2, devices: null });
    expect(
      restarted.steps.map((row) => [row.step, row.args, row.id === stepId(1) || row.id === stepId(2)]),
    ).toEqual([
      ["wait", { seconds: 1 }, false],
      ["erase_nvme", {}, false],
    ]);
    expect(restarted.run.context.minEpoch).toBe(4);
    const managed = failed("manage");
    expect(managed).toMatchObject({
      reclamation: { outcome: "abandoned" },
      run: { state: "Manageable", maintenance: false },
    });
  });

  it("goes on by itself when the result of a lost attempt comes after all", () => {
    const decision = decideOn(
      view("Failed/AgentLost", {
        reclamation: manual({ stoppedIn: "ManualCleaning/RunningStep" }),
        steps: [manualRun("verify_mem_overwrite", { status: "failed", attempt: 1 })],
        attempt: attempt({ verdict: "lost", report: reportOf(1, []) }),
        run: { maintenance: true, maintenanceBy: "failure" },
      }),
    );
    expect(path(decision)).toEqual(["ManualCleaning/RunningStep", "Manageable"]);
    expect(decision.run.maintenance).toBe(false);
  });

  it("fails a step that names a drive which the host has not", () => {
    const decision = decideOn(
      view("ManualCleaning/RunningStep", {
        reclamation: manual(),
        steps: [manualRun("erase_nvme", { args: { devices: ["NOWHERE"] } })],
      }),
    );
    expect(decision.run).toMatchObject({
      state: "Failed/NVMECleanFailed",
      lastError: "Drive NOWHERE is missing: not found by the agent.",
    });
    expect(decision.attempts).toEqual([]);
  });
});

describe("an agent that comes back with other hardware managers", () => {
  const other = agent({ hardwareManagers: [{ name: "reclaim", version: "4", steps: [] }] });

  it("repeats the step of a list, after the list was checked again", () => {
    const decision = decideOn(
      view("ManualCleaning/RunningStep", {
        agent: other,
        lastAgent: other,
        reclamation: manual(),
        steps: [manualRun("verify_mem_overwrite", { attempt: 1 })],
        attempt: attempt({ verdict: "lost" }),
      }),
    );
    expect(decision.run.command).toMatchObject({ kind: "execute", step: "verify_mem_overwrite", attempt: 2 });
    expect(decision.reclamation?.row.plan).toEqual({
      managers: [{ name: "reclaim", version: "4" }],
      disabled: [],
    });
  });

  it("stops a list whose step it does not offer any more, before anything runs", () => {
    const steps = [
      manualRun("verify_mem_overwrite"),
      manualRun("polish", { interface: "vendor", id: stepId(2), position: 2 }),
    ];
    const decision = decideOn(
      view("ManualCleaning/RunningStep", { agent: other, lastAgent: other, reclamation: manual(), steps }),
    );
    expect(decision.run).toMatchObject({
      state: "Failed/CleanFailed",
      maintenance: false,
      lastError: "The plan cannot be made: there is no clean step vendor.polish.",
    });
    expect(decision.attempts).toEqual([]);
  });

  it("begins an automated plan again once; twice stops it", () => {
    const made = planned({ policy, plan: { managers: [{ name: "reclaim", version: "2" }], disabled: [] } });
    const at = (versionRestarts: number) =>
      decideOn(
        view("WaitingForCleanup/HostCleanup", {
          agent: other,
          lastAgent: other,
          overrides: [],
          reclamation: made,
          steps: [manualRun("erase_nvme", { attempt: 1, proves: ["storageSanitized"] })],
          attempt: attempt({ verdict: "lost" }),
          context: { cleaning: { ...emptyContext().cleaning, versionRestarts } },
        }),
      );
    const once = at(0);
    expect(path(once).slice(0, 1)).toEqual(["WaitingForCleanup/Init"]);
    expect(once.reclamation?.row).toMatchObject({
      planEpoch: 2,
      plan: { managers: [{ name: "reclaim", version: "4" }] },
    });
    expect(once.run.context.cleaning.versionRestarts).toBe(1);
    const twice = at(1);
    expect(twice.run).toMatchObject({
      state: "Failed/AgentVersionMismatch",
      lastError: expect.stringContaining("reclaim 4"),
    });
    const restarted = decideOn(
      view("Failed/AgentVersionMismatch", {
        reclamation: made,
        context: { cleaning: { ...emptyContext().cleaning, versionRestarts: 1 } },
        signals: [{ kind: "restart", payload: { by } }],
      }),
    );
    expect(restarted.run.context.cleaning.versionRestarts).toBe(0);
  });
});
