// Manageable, Ready, ForceDeletion: every outcome. Enroll and Verifying: `verifying.test.ts`.
import { describe, expect, it } from "vitest";
import type { Signal } from "@/server/domain/lifecycle/signals";
import { freezeDevices } from "@/server/domain/cleaning/sanitization/known-devices";
import { allDrives, ssd1 } from "@/server/controller/testing/hardware";
import {
  alerted,
  allProven,
  by,
  decideOn,
  effectKindsOf,
  hostView,
  instanceId,
  minute,
  now,
  path,
  reclamationId,
  tenantId,
} from "@/server/controller/testing/host-view";
import {
  acksOf,
  agent,
  attempt,
  contentOf,
  instance,
  inventory,
  networkContext,
  plan,
  planned,
  reclamation,
  succeededPlan,
  endsAt,
} from "@/server/controller/testing/view-parts";

describe("Manageable", () => {
  it("begins an onboarding under the site's policy, and asks for the admin network first", () => {
    const decision = decideOn(hostView("Manageable", { signals: [{ kind: "provide", payload: { by } }] }));
    expect(path(decision)).toEqual(["WaitingForCleanup/Queued", "WaitingForCleanup/Init"]);
    expect(decision.reclamation).toMatchObject({
      isNew: true,
      outcome: null,
      row: { kind: "onboarding", instanceId: null, requestId: "req-1" },
    });
    expect(decision.effects).toMatchObject([{ kind: "network", request: { network: "admin", version: 1 } }]);
    expect(decision.run.waitReason).toMatch(/0 of 2 interfaces acknowledged/);
  });

  // A server of an earlier release learns what a BMC reports without comparing it (docs/adr/0024-rolling-upgrade.md).
  it.each([
    ["serial", { expectedSerial: "OTHER" }, /serial OTHER was expected/],
    [
      "system",
      { expectedSystemUuid: "00000000-0000-4000-8000-000000000000" },
      /system UUID 00000000-0000-4000-8000-000000000000 was expected/,
    ],
  ])("goes back to Enroll where the %s that was learned is another than was expected", (_, host, words) => {
    const asked: readonly (readonly Signal[])[] = [
      [{ kind: "provide", payload: { by } }],
      [{ kind: "inspect", payload: { by } }],
      [],
    ];
    for (const signals of asked) {
      const decision = decideOn(hostView("Manageable", { host, signals }));
      expect(path(decision)).toEqual(["Enroll"]);
      expect(decision.run.lastError).toMatch(words);
      expect(decision.effects).toEqual([]);
      expect(decision.reclamation).toBeNull();
    }
  });

  it("goes on where what was learned is what was expected", () =>
    expect(
      path(
        decideOn(
          hostView("Manageable", {
            host: { expectedSerial: "CHASSIS1" },
            signals: [{ kind: "provide", payload: { by } }],
          }),
        ),
      )[0],
    ).toBe("WaitingForCleanup/Queued"));

  // The previous release ends such a list like any other and does not know the inspection; no verb in Ironic leaves `inspecting`.
  it("forgets an inspection by the agent whose list is over", () => {
    const open = { askedAt: new Date(now).toISOString(), readAt: null, message: null, agent: true as const };
    const decision = decideOn(hostView("Manageable", { context: { inspection: open } }));
    expect(decision.run.context.inspection).toBeUndefined();
  });

  it("goes on at once where the admin network is acknowledged", () => {
    const network = networkContext("admin");
    const decision = decideOn(
      hostView("Manageable", {
        context: { network },
        acks: acksOf(network),
        signals: [{ kind: "provide", payload: { by } }],
      }),
    );
    expect(path(decision)).toEqual([
      "WaitingForCleanup/Queued",
      "WaitingForCleanup/Init",
      "WaitingForCleanup/BootingAgent",
    ]);
    expect(decision.effects).toMatchObject([
      {
        kind: "bootAgent",
        request: { bootEpoch: 4, powerCycle: false, storage: expect.stringMatching(/:before$/) },
      },
    ]);
    expect(decision.run.bootEpoch).toBe(4);
  });
});

describe("Ready", () => {
  const tpm = { name: "TPM", wanted: "cleared", found: "cleared by deploy.clear_tpm", named: false };
  const lastReady = {
    ...{ devices: planned().devices, content: contentOf() },
    platform: {
      ...{ epoch: 2, readAt: "2026-10-31T12:00:00.000Z", sku: "R760", tpm: "none" as const },
      items: [{ ...tpm, verdict: "same" as const }],
    },
  };
  const behindRaid = { ...ssd1, serial: "RAID1" };

  it.each([
    ["is over", { touched: false }, -1],
    ["stands, when it was touched", { touched: true, allocatable: false }, 60_000],
  ])("is cleaned anew where an exception %s", (_what, run, forMs) => {
    const exceptedUntil = new Date(now + forMs).toISOString();
    const decision = decideOn(hostView("Ready", { run, lastReady, context: { exceptedUntil } }));
    expect(path(decision)[0]).toBe("WaitingForCleanup/Queued");
    expect(decision.run.allocatable).toBe(false);
    // What the exception covered must be cleaned even where automated cleaning is off.
    expect(decision.run.context.exceptedUntil).toBe(exceptedUntil);
  });
  it("waits for the end of its exception", () => {
    const exceptedUntil = new Date(now + 60_000).toISOString();
    const decision = decideOn(hostView("Ready", { context: { exceptedUntil } }));
    expect(path(decision)).toEqual([]);
    expect(decision.run.dueAtMs).toBe(now + 60_000);
  });

  it("is checked again when maintenance ended and somebody may have touched it", () => {
    const decision = decideOn(hostView("Ready", { run: { touched: true, allocatable: false }, lastReady }));
    expect(path(decision)).toEqual(["WaitingForCleanup/Queued", "BomValidating/BootingAgent"]);
    expect(decision.reclamation).toMatchObject({
      isNew: true,
      row: {
        kind: "recheck",
        devices: lastReady.devices,
        platform: lastReady.platform,
        planMade: false,
        content: { since: "ready", read: null, drives: lastReady.content.drives, secret: "secret" },
      },
    });
    expect(effectKindsOf(decision)).toEqual(["bootAgent"]);
    // The boot is ordered, so whatever is read from here on is newer than what was done to the host.
    expect(decision.run).toMatchObject({ allocatable: false, touched: false, context: { minEpoch: 4 } });
  });

  it.each([
    ["nothing", null],
    ["no content", { ...lastReady, content: null }],
    ["no drive's content", { ...lastReady, content: contentOf({ drives: [] }) }],
    [
      "no drive",
      { ...lastReady, devices: freezeDevices([], [], [], []), content: contentOf({ drives: [] }) },
    ],
  ])("is cleaned where %s is known that it could be held against", (_what, known) => {
    const decision = decideOn(
      hostView("Ready", { run: { touched: true, allocatable: false }, lastReady: known }),
    );
    expect(path(decision).slice(0, 2)).toEqual(["WaitingForCleanup/Queued", "WaitingForCleanup/Init"]);
    expect(decision.reclamation?.row).toMatchObject({ kind: "recheck", content: null });
  });

  it.each([
    [
      "a drive that only its BMC reaches",
      {
        ...lastReady,
        devices: freezeDevices([...allDrives, behindRaid], allDrives, [], [behindRaid.serial]),
      },
      "drive RAID1",
    ],
    [
      "a drive of which no content was recorded",
      { ...lastReady, content: contentOf({ drives: contentOf().drives.slice(1) }) },
      "drive NVME1",
    ],
  ])("is cleaned where %s cannot be compared", (_what, known, named) => {
    const decision = decideOn(
      hostView("Ready", { run: { touched: true, allocatable: false }, lastReady: known }),
    );
    expect(path(decision).slice(0, 2)).toEqual(["WaitingForCleanup/Queued", "WaitingForCleanup/Init"]);
    expect(decision.reclamation?.row).toMatchObject({ kind: "recheck", content: null, devices: null });
    expect(decision.entered[0]?.reason).toContain(named);
  });

  it("is cleaned where it owes a sanitization, and says what happened to it", () => {
    const decision = decideOn(
      hostView("Ready", {
        run: {
          touched: true,
          touchedReason: "the disposition of drive GONE was withdrawn",
          allocatable: false,
        },
        debts: { count: 1, driveSerials: ["GONE"] },
        lastReady,
      }),
    );
    expect(path(decision).slice(0, 2)).toEqual(["WaitingForCleanup/Queued", "WaitingForCleanup/Init"]);
    expect(decision.entered[0]?.reason).toBe(
      "the disposition of drive GONE was withdrawn; the host has a sanitization debt, so its drives are erased",
    );
  });

  it("says why it is checked", () => {
    const reasonOf = (touchedReason: string | null): string | undefined =>
      decideOn(hostView("Ready", { run: { touched: true, touchedReason, allocatable: false }, lastReady }))
        .entered[0]?.reason;
    expect([reasonOf(null), reasonOf("the disposition of drive GONE was withdrawn")]).toEqual([
      "maintenance ended; the host is checked again",
      "the disposition of drive GONE was withdrawn; the host is checked again",
    ]);
  });

  it("waits for the end of maintenance", () => {
    const decision = decideOn(
      hostView("Ready", {
        run: {
          touched: true,
          allocatable: false,
          maintenance: true,
          maintenanceBy: "person",
          maintenanceReason: "fan",
        },
        lastReady,
      }),
    );
    expect([path(decision), decision.run.allocatable, decision.run.touched]).toEqual([[], false, true]);
  });

  it.each([
    ["Maintenance", 0],
    ["HostUpdateInProgress", 0],
    ["FanFailed", 1],
  ])("waits for the end of the last alert under which somebody works on it: %s, %i more", (id, more) => {
    const health = alerted("PreventAllocations", id, more);
    const touched = (changes: object) =>
      decideOn(hostView("Ready", { run: { touched: true, allocatable: false, ...changes }, lastReady }));
    const decision = touched({ health });
    expect([path(decision), effectKindsOf(decision), decision.run.touched]).toEqual([[], [], true]);
    expect(decision.run.waitReason).toContain(`somebody is working on the host: ${id} by monitor`);
    expect(path(touched({ health: alerted("PreventAllocations") }))[0]).toBe("WaitingForCleanup/Queued");
  });

  it("is never allocatable while it is touched, whatever else is written of it", () => {
    expect(
      decideOn(hostView("Ready", { host: { hardwareType: "fake" }, run: { touched: true } }), {
        fakeHardware: true,
      }).run.allocatable,
    ).toBe(false);
  });

  it("may be allocated", () => {
    const decision = decideOn(hostView("Ready"));
    expect(decision.run).toMatchObject({
      allocatable: true,
      waitReason: "available for allocation",
      dueAtMs: null,
    });
  });

  it("in maintenance may not", () => {
    expect(
      decideOn(hostView("Ready", { run: { maintenance: true, maintenanceBy: "person" } })).run.allocatable,
    ).toBe(false);
  });

  it("reads the machine for whoever claimed it, whether or not the signal came", () => {
    for (const signals of [[], [{ kind: "assign" as const, payload: { by, instanceId } }]]) {
      const decision = decideOn(hostView("Ready", { instance: instance(), resourcesHeld: 2, signals }));
      expect(path(decision)).toEqual([]);
      expect(decision.effects).toMatchObject([
        { kind: "verify", request: { only: "watch", of: instanceId } },
      ]);
      expect(decision.run).toMatchObject({ allocatable: false, instanceId, tenantId });
    }
  });

  it("does not leave for a claim that has no instance", () => {
    const decision = decideOn(
      hostView("Ready", { signals: [{ kind: "assign", payload: { by, instanceId } }] }),
    );
    expect(path(decision)).toEqual([]);
    expect(decision.refused).toMatchObject([{ intent: "assign" }]);
  });

  it("goes to Manageable on manage, but not from under an instance", () => {
    expect(path(decideOn(hostView("Ready", { signals: [{ kind: "manage", payload: { by } }] })))).toEqual([
      "Manageable",
    ]);
    expect(
      path(
        decideOn(hostView("Ready", { instance: instance(), signals: [{ kind: "manage", payload: { by } }] })),
      ),
    ).toEqual([]);
  });
});

describe("ForceDeletion", () => {
  const running = (forMs: number) =>
    plan({ erase_nvme: { status: "running", attempt: 1, deadlineAtMs: now + forMs } });
  const asked = [{ kind: "forceDelete" as const, payload: { by } }];

  it("takes the host from any state", () => {
    for (const state of [
      "Enroll",
      "Ready",
      "WaitingForCleanup/HostCleanup",
      "Failed/AgentLost",
      "BomValidating/SkuVerificationFailed",
    ] as const) {
      const decision = decideOn(hostView(state, { signals: asked }));
      expect(path(decision)).toEqual(["ForceDeletion"]);
      expect(decision.deleteHost).toBe(true);
    }
  });

  it("does not wait for the host's own system to end, which may take half an hour", () => {
    const time = new Date(now + 30 * 60_000).toISOString();
    const context = {
      power: {
        intent: "softPowerOff" as const,
        by: { personId: null, name: "operator" },
        look: true,
        soft: { until: time, lookAt: time },
      },
    };
    expect(decideOn(hostView("ForceDeletion", { context })).deleteHost).toBe(true);
  });

  it("ends the reclamation uncleaned", () => {
    const decision = decideOn(
      hostView("WaitingForCleanup/BootingAgent", { signals: asked, reclamation: reclamation() }),
    );
    expect(decision.reclamation).toMatchObject({
      outcome: "forceDeleted",
      row: { id: reclamationId, message: "removed by an administrator; not cleaned" },
    });
    expect(decision.clearDebts).toBeNull();
  });

  it.each([
    [
      "the step's time limit, because the agent is not told",
      { steps: running(60 * minute), attempt: attempt({ progress: endsAt(now + 20 * minute) }) },
      now + 60 * minute,
    ],
    [
      "the devices' own estimate, where it is later",
      { steps: running(60 * minute), attempt: attempt({ progress: endsAt(now + 90 * minute) }) },
      now + 90 * minute,
    ],
    [
      "what an ended reclamation left",
      { context: { eraseUntil: new Date(now + 5 * minute).toISOString() } },
      now + 5 * minute,
    ],
    [
      "nothing, when its time is over",
      { steps: running(-minute), attempt: attempt({ progress: endsAt(now) }) },
      null,
    ],
  ])("leaves an erase that may go on: %s", (_what, changes, untilMs) => {
    const decision = decideOn(
      hostView("WaitingForCleanup/HostCleanup", {
        signals: asked,
        reclamation: planned(),
        run: { erasing: true },
        ...changes,
      }),
    );
    expect(decision).toMatchObject({ deleteHost: true, eraseLeftUntilMs: untilMs });
  });

  it("leaves no erase of a host on which none may run", () => {
    expect(
      decideOn(
        hostView("WaitingForCleanup/HostCleanup", {
          signals: asked,
          reclamation: planned(),
          steps: running(60 * minute),
          attempt: attempt(),
        }),
      ).eraseLeftUntilMs,
    ).toBeNull();
  });

  it("ends the tenant's instance and leaves its debt, with the drives of its time", () => {
    const decision = decideOn(
      hostView("Assigned/Ready", {
        signals: asked,
        instance: instance(),
        resourcesHeld: 2,
        context: { drives: ["NVME1", "SSD1"] },
      }),
    );
    expect(decision.endInstance).toBe(instanceId);
    expect(decision.newDebt).toEqual({ driveSerials: ["NVME1", "SSD1"], instanceId, tenantId });
  });
});

describe("one decision is about one reclamation", () => {
  const network = networkContext("admin");

  it("leaves manage and provide, asked for at once with Ready, to the next decision", () => {
    const view = hostView("ReturnToAllocation/EvaluatingGates", {
      reclamation: planned(),
      steps: succeededPlan(),
      agent: agent(),
      inventory: inventory(),
      acks: acksOf(network),
      context: { network, proven: allProven },
      deviceVerdicts: allDrives.map(({ serial, model }) => ({
        serial,
        model,
        verdict: "sanitized" as const,
        reason: "",
      })),
      signals: [
        { kind: "networkAck", payload: { interface: "dpu0", version: 2 } },
        { kind: "manage", payload: { by } },
        { kind: "provide", payload: { by } },
      ],
    });
    const decision = decideOn(view);
    expect(path(decision)).toEqual(["Ready"]);
    expect(decision.reclamation).toMatchObject({ outcome: "ready", row: { id: reclamationId } });
    expect(decision.endedBefore).toBeNull();
    expect(decision.consumed).toEqual([]);
    expect(decision.run.dueAtMs).toBeLessThan(now + minute);
  });
});
