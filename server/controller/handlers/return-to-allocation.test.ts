// ReturnToAllocation/…: Ready only if every gate is proven and no debt remains. Tables of missing gates and of debts.
import { foldHealth } from "@/server/domain/repair/health/fold";
import { healthTemplates } from "@/server/domain/repair/health/templates";
import { describe, expect, it } from "vitest";
import { decide } from "@/server/controller/decide/decide";
import { allRequired, defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { evidenceDigest } from "@/server/domain/assurance/approvals/evidence-digest";
import { exceptionEvidence } from "@/server/domain/reclamations/gates/exceptions";
import type { GateException } from "@/server/domain/reclamations/gates/exceptions";
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";
import type { GateName } from "@/server/domain/reclamations/gates/gate-names";
import { freezeDevices } from "@/server/domain/cleaning/sanitization/known-devices";
import type { PlatformBaseline } from "@/server/domain/hosts/inventory/platform";
import { readAgainFact } from "@/server/domain/reclamations/gates/platform";
import { judgePlatform } from "@/server/domain/hosts/platform/judge";
import type { PlatformRecord } from "@/server/domain/hosts/platform/judge";
import { clean as cleanPlatform } from "@/server/domain/reclamations/gates/testing/evidence";
import { stepRun } from "@/server/controller/testing/step-views";
import { allDrives, sku, ssd1 } from "@/server/controller/testing/hardware";
import { read, reading, watch } from "@/server/controller/testing/hand-over-look";
import {
  alerted,
  allProven,
  by,
  decideOn,
  effectKindsOf,
  hostView,
  instanceId,
  now,
  path,
  reclamationId,
} from "@/server/controller/testing/host-view";
import {
  acksOf,
  agent,
  allSanitized,
  instance,
  inventory,
  networkContext,
  planned,
  succeededPlan,
} from "@/server/controller/testing/view-parts";
import type { ViewChanges } from "@/server/controller/testing/host-view";

const network = networkContext("admin");
const good = {
  reclamation: planned(),
  steps: succeededPlan(),
  deviceVerdicts: allSanitized,
  agent: agent(),
  inventory: inventory(),
  acks: acksOf(network),
  context: { network, proven: allProven },
  debts: { count: 1, driveSerials: ["NVME1"] },
} satisfies ViewChanges;
const evaluate = (changes: ViewChanges = {}) =>
  decideOn(hostView("ReturnToAllocation/EvaluatingGates", { ...good, ...changes }));
/** An exception that another person approved for what this decision found. */
function letThrough({ gates }: ReturnType<typeof evaluate>, gate: GateName): GateException {
  const found = gates.find((each) => each.gate === gate);
  if (found === undefined) throw new Error(`${gate} was not evaluated`);
  const { planEpoch } = planned();
  return {
    ...{ id: reclamationId, gate, device: null, validUntilMs: now + 60_000, reason: "it is needed" },
    evidence: evidenceDigest(exceptionEvidence({ reclamationId, planEpoch }, found)),
    ...{ by: "Ada", askedAtMs: 1, approvedBy: "Bea", approvedAtMs: 2 },
  };
}
const status = (decision: ReturnType<typeof evaluate>, gate: string) =>
  decision.gates.find((row) => row.gate === gate)?.status;

describe("a host of a site that does without what Reclaim cannot check", () => {
  const nothing = {
    platformAtBaseline: false,
    deviceMemoryCleared: false,
    attestationPassed: false,
    healthy: false,
    assuranceSigned: false,
  };
  const policy = { ...defaultPolicy(), requires: nothing };
  const real = { site: { demo: false }, reclamation: { ...planned(), policy } } satisfies ViewChanges;

  it("is Ready on what is left, which is on record", () => {
    const decision = evaluate(real);
    expect(path(decision)).toEqual(["Ready"]);
    expect(status(decision, "attestationPassed")).toBe("waived");
    expect(status(decision, "storageSanitized")).toBe("satisfied");
    expect(decision.clearDebts).toBe(
      "the site's policy does not require platformAtBaseline, the others were satisfied",
    );
  });

  it("owes what its drives and its memory hold all the same", () => {
    const decision = evaluate({
      ...real,
      context: { network, proven: { ...allProven, memoryStepEpoch: null } },
    });
    expect(path(decision)).toEqual(["Failed/GateUnsatisfied"]);
    expect(decision.clearDebts).toBeNull();
  });
});

describe("a host with everything proven", () => {
  const decision = evaluate();

  it("is Ready, allocatable, and owes nothing any more", () => {
    expect(path(decision)).toEqual(["Ready"]);
    expect(decision.run).toMatchObject({
      state: "Ready",
      allocatable: true,
      lastError: null,
      waitReason: "available for allocation",
    });
    expect(decision.clearDebts).toBe(
      "the site's policy does not require platformAtBaseline, the others were satisfied",
    );
    const ok = { result: "OK", message: "OK" };
    expect(decision.reclamation).toMatchObject({
      outcome: "ready",
      row: { id: reclamationId, plan: { cleanup: { nvme: ok, hdd: ok } } },
    });
  });

  it("has all gates on record, and rests on the evidence of the claim", () => {
    expect(decision.gates.map((row) => row.gate)).toEqual(gateNames);
    expect(decision.expectEvidenceSeq).toBe("5");
  });

  it("is restarted by its agent, which is done with it", () => {
    expect(decision.run).toMatchObject({
      command: { kind: "restart", id: "restart:3" },
      context: { minEpoch: 4, drives: allDrives.map((drive) => drive.serial) },
    });
  });

  it("clears no debt where none stands", () => {
    expect(evaluate({ debts: { count: 0, driveSerials: [] } }).clearDebts).toBeNull();
  });
});

it("is read again in a new boot where somebody may have touched the host since it was", () => {
  const decision = evaluate({ run: { touched: true } });
  expect(path(decision)).toEqual(["BomValidating/BootingAgent"]);
  expect(decision.run).toMatchObject({
    touched: false,
    context: { minEpoch: 4, proven: { sku: null, tests: null, memoryStepEpoch: 2 } },
  });
  expect(effectKindsOf(decision)).toEqual(["bootAgent"]);
  const inMaintenance = evaluate({ run: { touched: true, maintenance: true, maintenanceBy: "person" } });
  expect([path(inMaintenance), inMaintenance.run.touched]).toEqual([
    ["ReturnToAllocation/AwaitingHealth"],
    true,
  ]);
});

it("is read again, once, where its GPUs were not looked up in the boot of the gates", () => {
  const looked = (memoryDevices?: typeof allProven.memoryDevices) => {
    const { memoryDevices: _earlier, ...proven } = allProven;
    return evaluate({
      context: { network, proven: memoryDevices === undefined ? proven : { ...proven, memoryDevices } },
    });
  };
  for (const decision of [looked(), looked({ ...allProven.memoryDevices, epoch: 2 })]) {
    expect(path(decision)).toEqual(["BomValidating/BootingAgent"]);
    expect(decision.run.context.minEpoch).toBe(4);
    expect(effectKindsOf(decision)).toEqual(["bootAgent"]);
  }
  expect(path(looked(allProven.memoryDevices))).toEqual(["Ready"]);
});

it.each([
  ["stays", {}],
  ["is retired", { host: { retired: true } }],
  ["leaves", { reclamation: { ...planned(), kind: "decommission" as const } }],
])("is not restarted while somebody still works on it: one that %s", (_what, one) => {
  const changes = { ...one, run: { touched: true, health: alerted("PreventAllocations", "Maintenance") } };
  const decision = evaluate(changes);
  expect(path(decision)).toEqual(["ReturnToAllocation/AwaitingHealth"]);
  expect(decision.run.waitReason).toContain("somebody is working on the host: Maintenance by monitor");
  expect([decision.run.touched, effectKindsOf(decision), decision.clearDebts]).toEqual([true, [], null]);
  const waiting = decideOn(hostView("ReturnToAllocation/AwaitingHealth", { ...good, ...changes }));
  expect([path(waiting), effectKindsOf(waiting)]).toEqual([[], []]);
});

it("is cleaned again where somebody may have touched a drive that no agent can compare", () => {
  const hidden = freezeDevices([...allDrives, { ...ssd1, serial: "RAID1" }], allDrives, [], ["RAID1"]);
  const decision = evaluate({ run: { touched: true }, reclamation: planned({ devices: hidden }) });
  expect(path(decision).slice(0, 2)).toEqual(["WaitingForCleanup/Queued", "WaitingForCleanup/Init"]);
  expect(decision.entered[0]?.reason).toBe(
    "maintenance ended; the content of drive RAID1 cannot be compared with its recorded content, so the drives are erased again",
  );
});

it.each([
  ["ReturnToAllocation/AwaitingHealth", {}],
  ["ReturnToAllocation/AwaitingRepair", {}],
  ["ReturnToAllocation/AwaitingHealth", { kind: "decommission" as const }],
] as const)(
  "that was restarted, too, is cleaned again where such a drive cannot be compared: in %s %j",
  (state, kind) => {
    const hidden = freezeDevices([...allDrives, { ...ssd1, serial: "RAID1" }], allDrives, [], ["RAID1"]);
    const restarted = { network, proven: { ...allProven, sku: null, tests: null } };
    const waits = (devices: typeof hidden) =>
      decideOn(
        hostView(state, {
          ...good,
          run: { touched: true, touchedReason: "a repair system had the host" },
          context: restarted,
          reclamation: { ...planned({ devices }), ...kind },
        }),
      );
    expect(path(waits(hidden)).slice(0, 3)).toEqual([
      "ReturnToAllocation/EvaluatingGates",
      "WaitingForCleanup/Queued",
      "WaitingForCleanup/Init",
    ]);
    expect(path(waits(freezeDevices(allDrives, allDrives, [], []))).slice(0, 2)).toEqual([
      "ReturnToAllocation/EvaluatingGates",
      "BomValidating/BootingAgent",
    ]);
  },
);

describe("one thing short of it", () => {
  it.each<[string, ViewChanges]>([
    ["adminNetworkSynced", { acks: [] }],
    ["tenantNetworkReleased", { resourcesHeld: 1 }],
    [
      "cleanupCompleted",
      {
        steps: succeededPlan().map((step, index) =>
          index === 0 ? { ...step, status: "failed" as const } : step,
        ),
      },
    ],
    ["storageSanitized", { deviceVerdicts: allSanitized.slice(1) }],
    [
      "storageSanitized",
      { deviceVerdicts: allSanitized.map((row) => ({ ...row, verdict: "failed" as const })) },
    ],
    [
      "storageSanitized",
      {
        context: {
          network,
          proven: { ...allProven, sku: { ...allProven.sku, storage: "found but never processed: NEW1" } },
        },
      },
    ],
    ["memoryOverwritten", { context: { network, proven: { ...allProven, memoryStepEpoch: 3 } } }],
    ["infinibandClean", { steps: succeededPlan().slice(0, 3) }],
    [
      "inventoryMatches",
      { context: { network, proven: { ...allProven, sku: { ...allProven.sku, differences: 1 } } } },
    ],
    ["validationPassed", { context: { network, proven: { ...allProven, tests: null } } }],
  ])("%s is unsatisfied, and the host fails with its debt", (gate, changes) => {
    const decision = evaluate(changes);
    expect(path(decision)).toEqual(["Failed/GateUnsatisfied"]);
    expect(status(decision, gate)).toBe("unsatisfied");
    expect(decision.run.lastError).toContain(gate);
    expect(decision.clearDebts).toBeNull();
    expect(decision.expectEvidenceSeq).toBeNull();
    expect(decision.reclamation).toMatchObject({ outcome: null, row: { stoppedCause: "GateUnsatisfied" } });
    expect(decision.run.maintenance).toBe(false);
  });

  it("an open instance", () => {
    expect(status(evaluate({ instance: instance() }), "instanceReleased")).toBe("unsatisfied");
  });

  it("a site that is no demo, while some gates are not implemented", () => {
    const decision = evaluate({ site: { demo: false } });
    expect(path(decision)).toEqual(["Failed/GateUnsatisfied"]);
    expect(decision.run.lastError).toMatch(/attestationPassed/);
  });

  it("a site that is no demo and does without one of them", () => {
    const policy = { ...defaultPolicy(), requires: { ...allRequired, attestationPassed: false } };
    const decision = evaluate({ site: { demo: false }, reclamation: { ...planned(), policy } });
    expect(path(decision)).toEqual(["Failed/GateUnsatisfied"]);
    expect(status(decision, "attestationPassed")).toBe("waived");
    expect(decision.run.lastError).toMatch(/platformAtBaseline: the SKU R760 has no platform baseline/);
  });

  it("a platform that is not at its baseline, also on a demo site", () => {
    const baseline: PlatformBaseline = { lockdown: true };
    const host = { sku: { ...sku, components: { ...sku.components, baseline } } };
    const readAt = new Date(now).toISOString();
    const read = (lockdown: boolean): PlatformRecord => ({
      ...{ epoch: 3, readAt, sku: sku.name, tpm: "there" as const },
      items: [...judgePlatform(baseline, { ...cleanPlatform, lockdown: { value: lockdown } })],
    });
    const policy = { ...defaultPolicy(), requires: { ...allRequired, attestationPassed: false } };
    const steps = [
      ...succeededPlan(),
      stepRun(
        9,
        { interface: "deploy", step: "clear_tpm", where: "agent" },
        { proves: ["platformAtBaseline"], status: "succeeded" },
      ),
    ];
    const proven = { ...allProven, outOfBand: { epoch: 3, readAt, drives: [] } };
    const at = (platform: PlatformRecord | null) =>
      evaluate({
        host,
        steps,
        context: { network, proven },
        reclamation: { ...planned(), policy, platform },
      });
    expect(path(at(read(true)))).toEqual(["Ready"]);
    expect(at(read(false)).run.lastError).toMatch(/platformAtBaseline: lockdown: on wanted, off/);
    expect(at(null).run.lastError).toMatch(/the platform was not read/);
  });

  it("a test that the SKU requires since the tests ran: a retry reads and tests the host again, and erases nothing", () => {
    const host = { sku: { ...sku, components: { ...sku.components, tests: ["gpu-bandwidth"] } } };
    const tests = { ...allProven.tests, names: ["memory-pattern", "storage-read", "network-loopback"] };
    const stopped = (proven: typeof allProven) => {
      const decision = evaluate({ host, context: { network, proven } });
      expect(path(decision)).toEqual(["Failed/GateUnsatisfied"]);
      expect(decision.run.lastError).toContain("validationPassed");
      return decision.run.context;
    };
    const again = { trouble: [{ facts: readAgainFact }] };
    expect(stopped({ ...allProven, tests })).toMatchObject(again);
    expect(stopped({ ...allProven, tests, memoryStepEpoch: 3 })).not.toMatchObject(again);
  });

  it("no reclamation", () => {
    expect(path(evaluate({ reclamation: null }))).toEqual(["Failed/ManualInterventionRequired"]);
  });
});

describe("a debt", () => {
  const skipped = {
    network,
    proven: { ...allProven, cleaningSkipped: true, sku: { ...allProven.sku, storage: null } },
  };

  it("is not cleared by a trip that skipped cleaning", () => {
    const decision = evaluate({
      reclamation: planned({ kind: "onboarding", planMade: false, devices: null }),
      steps: [],
      deviceVerdicts: [],
      context: skipped,
    });
    expect(path(decision)).toEqual(["Failed/GateUnsatisfied"]);
    expect(decision.clearDebts).toBeNull();
  });

  it("that does not stand lets the skipped gates be waived, and the tenant's debt will name the drives all the same", () => {
    const decision = evaluate({
      reclamation: planned({ kind: "onboarding", planMade: false, devices: null }),
      steps: [],
      deviceVerdicts: [],
      context: skipped,
      debts: { count: 0, driveSerials: [] },
    });
    expect(path(decision)).toEqual(["Ready"]);
    expect(status(decision, "storageSanitized")).toBe("waived");
    expect(decision.run.context.drives).toEqual(allDrives.map((drive) => drive.serial));
  });

  it("is cleared on a host without drives only by inventories that found none", () => {
    const noStorage = {
      sku: {
        name: "diskless",
        components: {
          manufacturer: "",
          product: "",
          cpus: { count: 1, model: "" },
          memoryBytes: "0",
          storage: [],
          infiniband: 0,
        },
      },
      skuAssigned: true,
    };
    const decision = evaluate({
      host: noStorage,
      reclamation: planned({ devices: { expected: [], excluded: [], missing: [] } }),
      deviceVerdicts: [],
      steps: succeededPlan().slice(2),
    });
    expect(status(decision, "storageSanitized")).toBe("satisfied");
    expect(path(decision)).toEqual(["Ready"]);
    const found = {
      ...allProven,
      sku: { epoch: 3, name: "diskless", differences: 0, storage: "found but never processed: NVME1" },
    };
    const refuted = evaluate({
      host: noStorage,
      reclamation: planned({ devices: { expected: [], excluded: [], missing: [] } }),
      deviceVerdicts: [],
      steps: succeededPlan().slice(2),
      context: { network, proven: found },
    });
    expect(path(refuted)).toEqual(["Failed/GateUnsatisfied"]);
  });
});

describe("maintenance", () => {
  const kept = { maintenance: true, maintenanceBy: "person", maintenanceReason: "fan" } as const;

  it("keeps a clean host waiting", () => {
    const decision = evaluate({ run: kept });
    expect(path(decision)).toEqual(["ReturnToAllocation/AwaitingHealth"]);
    expect(decision.run).toMatchObject({ waitReason: "in maintenance: fan", dueAtMs: null });
  });

  it("is no excuse for another open gate", () => {
    expect(path(evaluate({ run: kept, deviceVerdicts: [] }))).toEqual(["Failed/GateUnsatisfied"]);
  });

  it("ended: every gate is evaluated again", () => {
    expect(path(decideOn(hostView("ReturnToAllocation/AwaitingHealth", good)))).toEqual([
      "ReturnToAllocation/EvaluatingGates",
      "Ready",
    ]);
    expect(path(decideOn(hostView("ReturnToAllocation/AwaitingHealth", { ...good, acks: [] })))).toEqual([
      "ReturnToAllocation/EvaluatingGates",
      "Failed/GateUnsatisfied",
    ]);
  });

  it("refuses what would leave it", () => {
    expect(
      decideOn(
        hostView("ReturnToAllocation/AwaitingHealth", {
          ...good,
          run: kept,
          signals: [{ kind: "manage", payload: { by } }],
        }),
      ).refused,
    ).toHaveLength(1);
  });
});

describe("an alert that prevents allocation", () => {
  const run = { health: alerted("PreventAllocations") };
  const words = "an alert prevents allocation: FanFailed by monitor: fan 1 stands";

  it("keeps a clean host waiting, with the alert as evidence", () => {
    const decision = evaluate({ run });
    expect(path(decision)).toEqual(["ReturnToAllocation/AwaitingHealth"]);
    expect(decision.run).toMatchObject({ waitReason: words, dueAtMs: null, allocatable: false });
    expect(decision.gates.find(({ gate }) => gate === "healthy")).toMatchObject({
      status: "unsatisfied",
      evidence: { alerts: [{ id: "FanFailed" }] },
    });
  });

  it("is no excuse for another open gate", () => {
    expect(path(evaluate({ run, deviceVerdicts: [] }))).toEqual(["Failed/GateUnsatisfied"]);
  });

  it.each([
    ["PreventAllocations", []],
    ["PreventInstanceDeletion", ["ReturnToAllocation/EvaluatingGates", "Ready"]],
  ])("%s: where a waiting host goes", (name, states) => {
    const view = hostView("ReturnToAllocation/AwaitingHealth", { ...good, run: { health: alerted(name) } });
    expect(path(decideOn(view))).toEqual(states);
  });

  it("takes a Ready host out of allocation, whatever the row says", () => {
    const view = (health: typeof run.health) =>
      decideOn(hostView("Ready", { reclamation: null, run: { allocatable: true, health } })).run.allocatable;
    expect([view(null), view(run.health)]).toEqual([true, false]);
  });

  it("is waited for besides maintenance", () => {
    const kept = { maintenance: true, maintenanceBy: "person", maintenanceReason: "fan" } as const;
    const both = hostView("ReturnToAllocation/AwaitingHealth", { ...good, run: { ...run, ...kept } });
    expect(decideOn(both).run.waitReason).toBe("in maintenance: fan");
  });
});

it("has no limit of its state while an alert takes it out of them", () => {
  const waiting = (run: ViewChanges["run"]) =>
    decideOn(hostView("Assigned/WaitingForNetworkReconfig", { ...good, ...(run && { run }) })).run.limitAtMs;
  expect(waiting({ health: alerted("ExcludeFromStateMachineSla") })).toBeNull();
  expect(waiting({ health: alerted("PreventAllocations") })).not.toBeNull();
});

describe("a retired host", () => {
  const retired = { host: { retired: true } } as const;

  it("with everything proven ends in Manageable, clean and with its record, and owes nothing any more", () => {
    const decision = evaluate(retired);
    expect(path(decision)).toEqual(["Manageable"]);
    expect(decision.reclamation).toMatchObject({
      outcome: "cleaned",
      row: { id: reclamationId, message: expect.stringContaining("retired") },
    });
    expect(decision.gates.map((row) => row.gate)).toEqual(gateNames);
    expect(decision.clearDebts).not.toBeNull();
    expect(decision.expectEvidenceSeq).toBe("5");
    expect(decision.run).toMatchObject({ allocatable: false, command: null });
  });

  it("does not wait for maintenance to end", () => {
    const kept = { maintenance: true, maintenanceBy: "person", maintenanceReason: "fan" } as const;
    for (const state of [
      "ReturnToAllocation/EvaluatingGates",
      "ReturnToAllocation/AwaitingHealth",
    ] as const) {
      const decision = decideOn(hostView(state, { ...good, ...retired, run: kept }));
      expect(path(decision).at(-1)).toBe("Manageable");
      expect(decision.run.maintenance).toBe(true);
    }
  });

  it("with an open gate fails like any other, and keeps its debt", () => {
    const decision = evaluate({ ...retired, deviceVerdicts: [] });
    expect(path(decision)).toEqual(["Failed/GateUnsatisfied"]);
    expect(decision.clearDebts).toBeNull();
  });

  it("knows what an exception let through, should it be taken back", () => {
    const open = { ...retired, context: { network, proven: { ...allProven, memoryStepEpoch: null } } };
    const decision = evaluate({ ...open, exceptions: [letThrough(evaluate(open), "memoryOverwritten")] });
    expect(path(decision)).toEqual(["Manageable"]);
    expect(status(decision, "memoryOverwritten")).toBe("excepted");
    expect(decision.run.context.exceptedUntil).toBe(new Date(now + 60_000).toISOString());
  });

  it.each([
    ["owes what was let through, whatever a priority leaves out", true, "Failed/GateUnsatisfied"],
    ["does without it where nothing was let through", false, "Ready"],
  ])("that was taken back %s", (_what, rested, state) => {
    const disabled = {
      ...{ interface: "deploy", step: "verify_mem_overwrite", source: "site" as const },
      ...{ proves: ["memoryOverwritten" as const], devices: [] },
    };
    const decision = evaluate({
      reclamation: { ...planned(), plan: { managers: [], sku: null, disabled: [disabled] } },
      steps: succeededPlan().filter(({ proves }) => !proves.includes("memoryOverwritten")),
      debts: { count: 0, driveSerials: [] },
      context: {
        ...(rested ? { exceptedUntil: new Date(now - 1).toISOString() } : {}),
        ...{ network, proven: { ...allProven, memoryStepEpoch: null } },
      },
    });
    expect(path(decision)).toEqual([state]);
  });

  it("is not provided", () => {
    const decision = decideOn(
      hostView("Manageable", { ...retired, signals: [{ kind: "provide", payload: { by } }] }),
    );
    expect(path(decision)).toEqual([]);
    expect(decision.refused).toMatchObject([
      { intent: "provide", reason: expect.stringContaining("retired") },
    ]);
  });
});

describe("a repair alert", () => {
  const alerts = (...ids: readonly string[]) =>
    foldHealth(
      [
        ...Object.values(healthTemplates).flatMap(({ source, alert }) =>
          alert !== null && ids.includes(alert.id) ? [{ source, alert }] : [],
        ),
        ...(ids.includes("FanFailed") ? [{ source: "fans", alert: { id: "FanFailed", target: null } }] : []),
      ].map(({ source, alert: { id, target } }) => ({
        source,
        mode: "merge",
        successes: [],
        alerts: [
          {
            id,
            target,
            inAlertSince: new Date(0).toISOString(),
            message: "",
            tenantMessage: null,
            classifications: ["PreventAllocations"],
          },
        ],
        observedAtMs: 0,
        silentSinceMs: null,
      })),
    ).acting;
  const waiting = (changes: ViewChanges = {}) =>
    decideOn(
      hostView("ReturnToAllocation/AwaitingRepair", {
        ...good,
        ...changes,
        run: { health: alerts("RequestRepair"), ...changes.run },
      }),
    );

  it.each(["RequestRepair", "TenantReportedIssue"])(
    "%s: a clean host waits for a repair tenant, and owes nothing",
    (id) => {
      const decision = evaluate({ run: { health: alerts("FanFailed", id) } });
      expect(path(decision)).toEqual(["ReturnToAllocation/AwaitingRepair"]);
      expect(decision.run.allocatable).toBe(false);
      expect(decision.clearDebts).toBeTruthy();
      expect(decision.expectEvidenceSeq).not.toBeNull();
    },
  );

  it("offers no host that is not proven, nor one that the provider works on", () => {
    const run = { health: alerts("RequestRepair") };
    expect(path(evaluate({ run, deviceVerdicts: [] }))).toEqual(["Failed/GateUnsatisfied"]);
    for (const health of [alerts("RequestRepair", "Maintenance"), alerts("FanFailed")])
      expect(path(evaluate({ run: { health } }))).toEqual(["ReturnToAllocation/AwaitingHealth"]);
    const kept = { maintenance: true, maintenanceBy: "person", maintenanceReason: "fan" } as const;
    expect(path(evaluate({ run: { ...run, ...kept } }))).toEqual(["ReturnToAllocation/AwaitingHealth"]);
  });

  it("waits, and gives a claimed host to who claimed it", () => {
    expect(path(waiting())).toEqual([]);
    const looked = { instance: instance(), watch, effects: [read(reading)] };
    const claimed = waiting(looked);
    expect(path(claimed)[0]).toBe("Assigned/WaitingForNetworkConfig");
    expect(claimed.reclamation).toMatchObject({ outcome: "handedToRepair" });
    // The alert ended at the same moment; the host is the claimant's all the same.
    expect(path(waiting({ ...looked, run: { health: null } }))[0]).toBe("Assigned/WaitingForNetworkConfig");
  });

  it("is compared with what was proven of it after the claim, and gets no network before", () => {
    const decision = waiting({ instance: instance(), watch });
    expect(path(decision)).toEqual([]);
    expect(decision.effects).toMatchObject([{ kind: "verify", request: { only: "watch", of: instanceId } }]);
    const given = instance({ releaseRequestedMs: now });
    expect(path(waiting({ instance: given, watch }))[0]).toBe("Assigned/WaitingForNetworkConfig");
  });

  const swapped = { ...reading, drives: [{ serial: "X", model: "Y" }] };
  it.each<[string, ViewChanges, RegExp, boolean]>([
    ["changed", { effects: [read(swapped)] }, /lists drive X/, true],
    [
      "has a drive that belongs elsewhere",
      {
        effects: [read(reading)],
        watch: { ...watch, elsewhere: [{ serial: "NVME1", why: "owed", host: "S" }] },
      },
      /is owed/,
      true,
    ],
    ["has nothing to compare with", { effects: [read(reading)], watch: null }, /nothing is recorded/, false],
    [
      "was restarted",
      { effects: [read(reading)], context: { network, proven: { ...allProven, sku: null } } },
      /restarted since/,
      false,
    ],
  ])("that is claimed and %s is taken back without a debt, and read again", (_, changes, why, isEvent) => {
    const decision = waiting({ instance: instance(), watch, ...changes });
    expect(path(decision)[0]).toBe("BomValidating/BootingAgent");
    expect(decision.entered[0]?.reason).toMatch(why);
    expect(decision).toMatchObject({
      endInstance: instanceId,
      newDebt: null,
      instanceHistory: [{ status: "Error" }, { status: "Terminated" }],
      // The one that offered it goes on.
      reclamation: null,
    });
    expect(decision.readyChanged === null).toBe(!isEvent);
    expect(decision.effects.some(({ kind }) => kind === "network")).toBe(false);
  });

  it("is waited for until the end of an exception, and no longer", () => {
    const over = (forMs: number) =>
      waiting({ context: { ...good.context, exceptedUntil: new Date(now + forMs).toISOString() } });
    expect(path(over(60_000))).toEqual([]);
    expect(over(60_000).run.dueAtMs).toBe(now + 60_000);
    expect(path(over(0))[0]).toBe("ReturnToAllocation/EvaluatingGates");
  });

  it("that has ended lets the host become Ready, unless somebody claims it at that moment", () => {
    const decision = waiting({ run: { health: null } });
    expect(path(decision)).toEqual(["ReturnToAllocation/EvaluatingGates", "Ready"]);
    expect(decision.expectEvidenceSeq).not.toBeNull();
    expect(path(waiting({ run: { health: alerts("FanFailed") } }))).toEqual([
      "ReturnToAllocation/EvaluatingGates",
      "ReturnToAllocation/AwaitingHealth",
    ]);
  });

  it("that comes later offers the host, and a restart has it verified again", () => {
    const health = alerts("RequestRepair");
    expect(
      path(decideOn(hostView("ReturnToAllocation/AwaitingHealth", { ...good, run: { health } }))),
    ).toEqual(["ReturnToAllocation/EvaluatingGates", "ReturnToAllocation/AwaitingRepair"]);
    const restarted = { network, proven: { ...allProven, sku: null } };
    const again = waiting({ context: restarted });
    expect(path(again)[0]).toBe("BomValidating/BootingAgent");
    expect(again.expectEvidenceSeq).not.toBeNull();
    // It was restarted while it waited for something else: it is verified before it is offered, and does not fail for that.
    const offered = hostView("ReturnToAllocation/AwaitingHealth", {
      ...good,
      run: { health },
      context: restarted,
    });
    expect(path(decideOn(offered))[0]).toBe("BomValidating/BootingAgent");
  });

  it.each<readonly [string, ViewChanges["run"]]>([
    ["an alert of work", { health: alerts("RequestRepair", "Maintenance") }],
    [
      "maintenance",
      {
        health: alerts("RequestRepair"),
        maintenance: true,
        maintenanceBy: "person",
        maintenanceReason: "fan",
      },
    ],
  ])("and %s: a host that was restarted by who works on it is not restarted again", (_what, run) => {
    const restarted = { network, proven: { ...allProven, sku: null } };
    const decision = waiting({ run: { ...run }, context: restarted });
    expect(path(decision)).toEqual(["ReturnToAllocation/AwaitingHealth"]);
  });
});

describe("a host whose certificate cannot be written", () => {
  it("does not become Ready, keeps its debt, and says why", () => {
    const view = hostView("ReturnToAllocation/EvaluatingGates", good);
    const decision = decide(view, {
      newId: () => reclamationId,
      certificateFault: "drive NVME1 has no result",
    });
    expect(path(decision)).toEqual(["Failed/ManualInterventionRequired"]);
    expect(decision.clearDebts).toBeNull();
    expect(decision.entered.at(-1)?.reason).toContain(
      "the certificate cannot be written: drive NVME1 has no result",
    );
  });
});

describe("a drive that belongs to another host", () => {
  it("keeps the host out of allocation, with where it belongs and what to do", () => {
    const decision = evaluate({ elsewhere: [{ serial: "NVME1", why: "held", host: "node-7" }] });
    expect(path(decision)).toEqual(["Failed/GateUnsatisfied"]);
    expect(decision.clearDebts).toBeNull();
    expect(decision.gates.find(({ gate }) => gate === "inventoryMatches")?.reason).toBe(
      "drive NVME1 belongs to host node-7, which a tenant has: put it back into that host or remove it, or let that tenant's instance end; then restart the plan, which erases the drives of this host again",
    );
    const owed = evaluate({ elsewhere: [{ serial: "NVME1", why: "owed", host: "S7" }] });
    expect(owed.gates.find(({ gate }) => gate === "inventoryMatches")?.reason).toBe(
      "drive NVME1 is owed a sanitization by the host with serial S7: restart the plan, which erases the drives of this host again, or put it back into that host or remove it",
    );
  });

  it("is looked up before the gates, by the next claim if this one did not look", () => {
    const decision = evaluate({ elsewhere: null });
    expect(path(decision)).toEqual([]);
    expect(decision.gates).toEqual([]);
    expect(decision.run.dueAtMs).toBeLessThan(now + 60_000);
  });
});
