// Enroll, Verifying, Manageable, Ready, ForceDeletion: every outcome.
import { describe, expect, it } from "vitest";
import { freezeDevices } from "@/server/domain/sanitization/known-devices";
import { allDrives, chassisSerial, ssd1, systemUuid } from "@/server/controller/testing/hardware";
import {
  acksOf,
  agent,
  allProven,
  attempt,
  by,
  contentOf,
  decideOn,
  effect,
  effectKindsOf,
  failedEffect,
  hostView,
  instance,
  instanceId,
  inventory,
  minute,
  networkContext,
  now,
  path,
  plan,
  planned,
  reclamation,
  reclamationId,
  succeededPlan,
  tenantId,
  endsAt,
} from "@/server/controller/testing/host-view";
import type { ViewChanges } from "@/server/controller/testing/host-view";

describe("Enroll", () => {
  it("waits for a person", () => {
    const decision = decideOn(hostView("Enroll"));
    expect(path(decision)).toEqual([]);
    expect(decision.run.dueAtMs).toBeNull();
    expect(decision.run.waitReason).toBe("waiting for manage");
  });

  it("reads the BMC when manage is asked for", () => {
    const decision = decideOn(
      hostView("Enroll", { signals: [{ kind: "manage", payload: { by } }], run: { lastError: "before" } }),
    );
    expect(path(decision)).toEqual(["Verifying"]);
    expect(decision.effects).toMatchObject([{ kind: "verify", request: { retryCredential: true } }]);
    expect(decision.run.lastError).toBeNull();
  });

  it.each(["provide", "retry", "restart"] as const)("refuses %s, and says why", (kind) => {
    const decision = decideOn(hostView("Enroll", { signals: [{ kind, payload: { by } }] }));
    expect(path(decision)).toEqual([]);
    expect(decision.consumed).toEqual(["1"]);
    expect(decision.refused).toEqual([
      { intent: kind, reason: "not possible in Enroll", requestId: "req-1" },
    ]);
  });
});

describe("a host that is to be provided from its enrolment on", () => {
  const provide = { kind: "provide", payload: { by } } as const;
  const left = (decision: ReturnType<typeof decideOn>) => [decision.consumed, decision.refused];

  it("keeps that in mind while its BMC is read", () => {
    const begun = decideOn(hostView("Enroll", { signals: [{ kind: "manage", payload: { by } }, provide] }));
    expect([path(begun), ...left(begun)]).toEqual([["Verifying"], ["1"], []]);
    const waits = decideOn(hostView("Verifying", { signals: [provide] }));
    expect([path(waits), ...left(waits)]).toEqual([[], [], []]);
  });

  it("is provided as soon as it is Manageable", () => {
    const decision = decideOn(hostView("Manageable", { signals: [provide] }));
    expect(path(decision)[0]).toBe("WaitingForCleanup/Queued");
  });

  it("is not when its BMC could not be read", () => {
    const decision = decideOn(
      hostView("Verifying", {
        signals: [provide],
        effects: [effect("verify", "failed", { error: { kind: "refused", message: "401 Unauthorized" } })],
      }),
    );
    expect([path(decision), decision.consumed]).toEqual([["Enroll"], ["1"]]);
    expect(decision.refused).toMatchObject([{ intent: "provide" }]);
  });
});

describe("Verifying", () => {
  const system = {
    power: "on",
    bootOverride: { source: "none", enabled: false },
    serial: chassisSerial,
    uuid: systemUuid.toUpperCase(),
    manufacturer: "Dell Inc.",
    model: "R760",
  };
  const value = {
    links: { system: "/s" },
    system,
    storage: allDrives,
    macs: ["00:11:22:33:44:55"],
    firmware: [],
    leftOut: [],
  };
  const read = (changes: object) => effect("verify", "done", { value: { ...value, ...changes } });

  it("keeps what it read, and the host is Manageable", () => {
    const decision = decideOn(hostView("Verifying", { effects: [read({})] }));
    expect(path(decision)).toEqual(["Manageable"]);
    expect(decision.host).toMatchObject({ manufacturer: "Dell Inc.", powerState: "on", storage: allDrives });
    expect(decision.readEffects).toEqual(["effect-verify"]);
  });

  it.each([
    [
      "another serial",
      read({ system: { ...system, serial: "OTHER" } }),
      /reports serial OTHER, but the host was enrolled as CHASSIS1/,
    ],
    ["another system", read({ system: { ...system, uuid: "other" } }), /reports system UUID other/],
    [
      "a BMC that refuses",
      effect("verify", "failed", { error: { kind: "refused", message: "401 Unauthorized" } }),
      /401 Unauthorized/,
    ],
  ])("goes back to Enroll for %s", (_what, found, message) => {
    const decision = decideOn(hostView("Verifying", { effects: [found] }));
    expect(path(decision)).toEqual(["Enroll"]);
    expect(decision.run.lastError).toMatch(message);
    expect(decision.host).toBeNull();
  });

  it("reads again, for as long as Verifying may take, what a BMC answered with an error", () => {
    const failed = failedEffect("verify", "GET /redfish/v1/Systems/1/Storage was answered 500");
    const waits = decideOn(hostView("Verifying", { effects: [failed] }));
    expect([path(waits), waits.host, waits.run.dueAtMs]).toEqual([[], null, now + 30_000]);
    expect(waits.run.lastError).toMatch(/Storage was answered 500/);
    expect(
      effectKindsOf(decideOn(hostView("Verifying", { run: { lastError: waits.run.lastError } }))),
    ).toEqual(["verify"]);
    expect(effectKindsOf(decideOn(hostView("Verifying")))).toEqual([]);
    const late = decideOn(
      hostView("Verifying", { effects: [failed], run: { stateSinceMs: now - 10 * minute } }),
    );
    expect([path(late), late.host]).toEqual([["Enroll"], null]);
    expect(late.run.lastError).toMatch(/Storage was answered 500/);
  });

  it.each([
    ["never sent", effect("verify", "written")],
    ["of unknown outcome", effect("verify", "unknown", {})],
  ])("reads again what was %s: reading harms nothing", (_what, found) => {
    const decision = decideOn(hostView("Verifying", { effects: [found] }));
    expect(path(decision)).toEqual([]);
    expect(effectKindsOf(decision)).toEqual(["verify"]);
  });

  describe("of a host that was enrolled without serial and system UUID", () => {
    const unknown = { serial: null, systemUuid: null, networkInterfaces: [] };
    const nobody = {
      serialOf: null,
      systemUuidOf: null,
      eraseUntilMs: null,
      ports: [],
      systemPath: null,
      hardwareTypeOpen: false,
    };
    const verify = (told: Partial<typeof nobody> | object, changes: object = {}, more: ViewChanges = {}) =>
      decideOn(
        hostView("Verifying", {
          host: unknown,
          told: { ...nobody, ...told },
          effects: [read(changes)],
          ...more,
        }),
      );

    it("learns both; every NIC of a host without ports must acknowledge a network", () => {
      const decision = verify({});
      expect(path(decision)).toEqual(["Manageable"]);
      expect(decision.host?.learned).toEqual({
        serial: chassisSerial,
        systemUuid,
        networkInterfaces: ["00:11:22:33:44:55"],
        hardwareType: null,
      });
      expect(decision.run).toMatchObject({ erasing: false, lastError: null });
    });

    it.each([
      ["Dell Inc.", "idrac"],
      ["Lenovo", "xclarity"],
      ["Supermicro", "redfish"],
    ])("of %s learns its hardware type, where nobody gave one", (manufacturer, type) =>
      expect(
        verify({ hardwareTypeOpen: true }, { system: { ...system, manufacturer } }).host?.learned
          ?.hardwareType,
      ).toBe(type),
    );

    it.each([
      [
        "serial",
        { expectedSerial: "OTHER" },
        "the BMC reports serial CHASSIS1, but serial OTHER was expected",
      ],
      [
        "system",
        { expectedSystemUuid: "00000000-0000-4000-8000-000000000000" },
        `the BMC reports system UUID ${systemUuid}, but system UUID 00000000-0000-4000-8000-000000000000 was expected`,
      ],
    ])("goes back to Enroll when the %s is another than somebody said", (_what, expected, message) => {
      const refused = [["Enroll"], null, message];
      const decision = verify({}, {}, { host: { ...unknown, ...expected } });
      expect([path(decision), decision.host, decision.run.lastError]).toEqual(refused);
      // Also when a server of an earlier release, which compares nothing, learned it meanwhile.
      const known = verify({}, {}, { host: expected });
      expect([path(known), known.host, known.run.lastError]).toEqual(refused);
    });

    it("is the one that somebody said", () =>
      expect(
        path(
          verify(
            {},
            {},
            {
              host: {
                ...unknown,
                expectedSerial: chassisSerial,
                expectedSystemUuid: systemUuid.toUpperCase(),
              },
            },
          ),
        ),
      ).toEqual(["Manageable"]));

    it("takes the ports that people gave it as its interfaces", () => {
      expect(verify({ ports: ["00:00:00:00:00:01"] }).host?.learned?.networkInterfaces).toEqual([
        "00:00:00:00:00:01",
      ]);
    });

    it("is kept from a restart by an erase that may still run in that chassis", () => {
      const decision = verify({ eraseUntilMs: now + minute });
      expect(path(decision)).toEqual(["Manageable"]);
      expect(decision.run).toMatchObject({
        erasing: true,
        context: { eraseUntil: new Date(now + minute).toISOString() },
      });
    });

    it("does nothing more before its debt was seen: what was asked of it is left to the next decision", () => {
      const decision = verify({}, {}, { signals: [{ kind: "provide", payload: { by } }] });
      expect(path(decision)).toEqual(["Manageable"]);
      expect(decision).toMatchObject({
        consumed: [],
        refused: [],
        reclamation: null,
        run: { dueAtMs: now + 50 },
      });
    });

    it.each([
      [
        "the serial of another host",
        { serialOf: "r1-u4" },
        {},
        /serial CHASSIS1, which belongs to host r1-u4/,
      ],
      ["the system UUID of another host", { systemUuidOf: "r1-u5" }, {}, /which belongs to host r1-u5/],
      ["no serial", {}, { system: { ...system, serial: " " } }, /reports no serial/],
      [
        "no UUID",
        {},
        { system: { ...system, uuid: "To be filled by O.E.M." } },
        /reports no system UUID \(it says "To be filled/,
      ],
      [
        "a blank UUID",
        {},
        { system: { ...system, uuid: "00000000-0000-0000-0000-000000000000" } },
        /reports no system UUID/,
      ],
      [
        "another system than the one that was named",
        { systemPath: "/redfish/v1/Systems/2" },
        {},
        /the BMC's system is \/s, but redfish_system_id is \/redfish\/v1\/Systems\/2/,
      ],
      ["no NIC, where no port is known either", {}, { macs: [] }, /no network interface is known/],
    ])("goes back to Enroll for %s", (_what, told, changes, message) => {
      const decision = verify(told, changes);
      expect(path(decision)).toEqual(["Enroll"]);
      expect(decision.run.lastError).toMatch(message);
      expect(decision).toMatchObject({ host: null, run: { erasing: false } });
    });

    it("does not take an old reading, whose identity nobody looked up", () => {
      const decision = decideOn(
        hostView("Enroll", {
          host: unknown,
          effects: [read({})],
          signals: [{ kind: "manage", payload: { by } }],
        }),
      );
      expect(path(decision)).toEqual(["Verifying"]);
      expect(decision).toMatchObject({ host: null, readEffects: [] });
    });
  });

  it("waits while the read is under way", () => {
    expect(decideOn(hostView("Verifying")).effects).toEqual([]);
    expect(
      decideOn(hostView("Verifying", { effects: [{ ...effect("verify", "permitted"), generation: "7" }] }))
        .effects,
    ).toEqual([]);
  });
});

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
  const lastReady = { devices: planned().devices, content: contentOf() };
  const behindRaid = { ...ssd1, serial: "RAID1" };

  it("is checked again when maintenance ended and somebody may have touched it", () => {
    const decision = decideOn(hostView("Ready", { run: { touched: true, allocatable: false }, lastReady }));
    expect(path(decision)).toEqual(["WaitingForCleanup/Queued", "BomValidating/BootingAgent"]);
    expect(decision.reclamation).toMatchObject({
      isNew: true,
      row: {
        kind: "recheck",
        devices: lastReady.devices,
        planMade: false,
        content: { since: "ready", read: null, drives: lastReady.content.drives, secret: "secret" },
      },
    });
    expect(effectKindsOf(decision)).toEqual(["bootAgent"]);
    // The boot is ordered: what is read from here on is read after whatever was done to it.
    expect(decision.run).toMatchObject({ allocatable: false, touched: false, context: { minEpoch: 4 } });
  });

  it.each([
    ["nothing", null],
    ["no content", { ...lastReady, content: null }],
    ["no drive's content", { ...lastReady, content: contentOf({ drives: [] }) }],
    ["no drive", { devices: freezeDevices([], [], [], []), content: contentOf({ drives: [] }) }],
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
      "the disposition of drive GONE was withdrawn; the host owes a sanitization, so its drives are erased",
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

  it("goes to the tenant that claimed it, whether or not the signal came", () => {
    for (const signals of [[], [{ kind: "assign" as const, payload: { by, instanceId } }]]) {
      const decision = decideOn(
        hostView("Ready", {
          instance: instance(),
          resourcesHeld: 2,
          signals,
          context: { drives: ["NVME1"], network: networkContext("admin") },
        }),
      );
      expect(path(decision)).toEqual(["Assigned/WaitingForNetworkConfig"]);
      expect(decision.effects).toMatchObject([
        { kind: "network", request: { network: "tenant", version: 3, tenant: tenantId } },
      ]);
      expect(decision.run).toMatchObject({
        allocatable: false,
        instanceId,
        tenantId,
        context: { drives: ["NVME1"], proven: { sku: null } },
      });
      expect(decision.instanceHistory).toMatchObject([{ status: "Provisioning" }]);
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
    ).toEqual(["Assigned/WaitingForNetworkConfig"]);
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
