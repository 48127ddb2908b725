// Assigned/…: a tenant gets the host, uses it, and gives it back.
import { describe, expect, it } from "vitest";
import { allDrives } from "@/server/controller/testing/hardware";
import {
  alerted,
  by,
  decideOn,
  effectKindsOf,
  hostView,
  instanceId,
  minute,
  now,
  path,
  tenantId,
} from "@/server/controller/testing/host-view";
import {
  acksOf,
  agent,
  instance,
  inventory,
  networkContext,
  reclamation,
} from "@/server/controller/testing/view-parts";
import { effect, failedEffect } from "@/server/controller/testing/effect-views";
import type { ViewChanges } from "@/server/controller/testing/host-view";

const tenant = networkContext("tenant");
const admin = networkContext("admin");
const given = instance({ releaseRequestedMs: now - minute });
const released = { kind: "release" as const, payload: { by, instanceId } };

describe("WaitingForNetworkConfig", () => {
  it("waits until every interface has the tenant's network", () => {
    const decision = decideOn(
      hostView("Assigned/WaitingForNetworkConfig", {
        instance: instance(),
        context: { network: tenant },
        acks: acksOf(tenant).slice(1),
      }),
    );
    expect(path(decision)).toEqual([]);
    expect(decision.run.waitReason).toBe("1 of 2 interfaces acknowledged version 2; waiting for dpu0");
  });

  it("restarts into the tenant's image, once", () => {
    const decision = decideOn(
      hostView("Assigned/WaitingForNetworkConfig", {
        instance: instance(),
        context: { network: tenant },
        acks: acksOf(tenant),
        run: { lastError: "the network controller answered 503" },
      }),
    );
    expect(path(decision)).toEqual(["Assigned/WaitingForRebootToReady"]);
    expect(effectKindsOf(decision)).toEqual(["bootDisk"]);
    expect(decision.run.lastError).toBeNull();
  });
});

describe("WaitingForRebootToReady", () => {
  const waiting = (changes: ViewChanges) =>
    decideOn(
      hostView("Assigned/WaitingForRebootToReady", {
        instance: instance(),
        context: { network: tenant },
        ...changes,
      }),
    );

  it("gives the host to its tenant when the BMC confirms", () => {
    const decision = waiting({ effects: [effect("bootDisk", "done", { value: {} })] });
    expect(path(decision)).toEqual(["Assigned/Ready"]);
    expect(decision.instanceReady).toBe(instanceId);
    expect(decision.instanceHistory).toMatchObject([{ status: "Ready" }]);
  });

  it.each([
    ["an unknown outcome", effect("bootDisk", "unknown", { phase: "reset" })],
    ["a request never sent", effect("bootDisk", "written")],
  ])("asks again after %s: no tenant is on the host yet", (_what, found) => {
    expect(effectKindsOf(waiting({ effects: [found] }))).toEqual(["bootDisk"]);
  });

  it("waits after a failure, and then asks again", () => {
    const failed = waiting({ effects: [failedEffect("bootDisk")] });
    expect(failed.effects).toEqual([]);
    expect(failed.run).toMatchObject({ lastError: "503 Service Unavailable", dueAtMs: now + 30_000 });
    const again = waiting({ run: { lastError: "503 Service Unavailable" } });
    expect(effectKindsOf(again)).toEqual(["bootDisk"]);
    expect(again.run.lastError).toBeNull();
  });

  it("says that the BMC refuses, and that the release of the instance ends the wait; it does", () => {
    const exit = "Reclaim retries until it succeeds; to give up the host, release its instance";
    const refusal = effect("bootDisk", "failed", {
      error: { kind: "rejected", message: "ComputerSystem.Reset was answered 412" },
    });
    const refuses = waiting({ effects: [refusal] });
    expect(refuses.run.waitReason).toBe(
      `the BMC refuses the restart: ComputerSystem.Reset was answered 412. ${exit}`,
    );
    const again = waiting({ run: { lastError: refuses.run.lastError } });
    expect(again.run.waitReason).toBe(
      `the host is restarting into the tenant's image; the last attempt failed: ComputerSystem.Reset was answered 412. ${exit}`,
    );
    for (const before of [refuses, again]) {
      const release = waiting({
        instance: given,
        run: { lastError: before.run.lastError },
        context: before.run.context,
        effects: before === refuses ? [refusal] : [effect("bootDisk", "written")],
      });
      expect([path(release), effectKindsOf(release)]).toEqual([
        ["Assigned/BootingWithDiscoveryImage"],
        ["bootAgent"],
      ]);
    }
  });

  it("waits while nothing is known", () => {
    expect(waiting({}).effects).toEqual([]);
    expect(
      waiting({ effects: [{ ...effect("bootDisk", "permitted", { phase: "reset" }), generation: "7" }] })
        .effects,
    ).toEqual([]);
  });

  it("needs a person when the instance is gone", () => {
    expect(path(waiting({ instance: null, effects: [effect("bootDisk", "done", { value: {} })] }))).toEqual([
      "Failed/ManualInterventionRequired",
    ]);
  });
});

describe("a release", () => {
  it.each([
    "Assigned/WaitingForNetworkConfig",
    "Assigned/WaitingForRebootToReady",
    "Assigned/Ready",
  ] as const)("is accepted in %s, with or without the signal", (state) => {
    for (const signals of [[released], []]) {
      const decision = decideOn(
        hostView(state, { instance: given, context: { network: tenant }, agent: agent(), signals }),
      );
      expect(path(decision)).toEqual(["Assigned/BootingWithDiscoveryImage"]);
      expect(decision.reclamation).toMatchObject({
        isNew: true,
        row: { kind: "release", instanceId, tenantId },
      });
      // An agent from before the release does not prove a boot after it.
      expect(effectKindsOf(decision)).toEqual(["bootAgent"]);
      expect(decision.effects[0]?.request).toMatchObject({
        storage: `${decision.reclamation?.row.id}:0:before`,
      });
      expect(decision.run.bootEpoch).toBe(4);
      expect(decision.bootWindowMs).toBe(now + 30 * minute);
    }
  });

  it("of another instance gives nothing up", () => {
    const other = "00000000-0000-4000-8000-0000000000ff";
    const decision = decideOn(
      hostView("Assigned/Ready", {
        instance: instance(),
        context: { network: tenant },
        signals: [{ kind: "release", payload: { by, instanceId: other } }],
      }),
    );
    expect(path(decision)).toEqual([]);
    expect(decision.reclamation).toBeNull();
    expect(decision.refused).toMatchObject([{ intent: "release" }]);
  });

  it("that comes twice is one", () => {
    const decision = decideOn(
      hostView("Assigned/BootingWithDiscoveryImage", {
        instance: given,
        reclamation: reclamation(),
        context: {
          network: tenant,
          boot: {
            epoch: 3,
            attempt: 1,
            orderedAt: new Date(now - minute).toISOString(),
            bmcFailures: 0,
            retryAt: null,
          },
        },
        signals: [released, released],
      }),
    );
    expect(path(decision)).toEqual([]);
    expect(decision.reclamation).toBeNull();
  });
});

describe("the way back", () => {
  const back = {
    instance: given,
    resourcesHeld: 2,
    reclamation: reclamation(),
    inventory: inventory(),
    agent: agent(),
  } satisfies ViewChanges;

  it("asks for the admin network when the agent is there", () => {
    const decision = decideOn(
      hostView("Assigned/BootingWithDiscoveryImage", { ...back, context: { network: tenant, minEpoch: 3 } }),
    );
    expect(path(decision)).toEqual(["Assigned/SwitchToAdminNetwork", "Assigned/WaitingForNetworkReconfig"]);
    expect(decision.effects).toMatchObject([
      { kind: "network", request: { network: "admin", version: 3, tenant: null, extensionServices: false } },
    ]);
    expect(decision.endInstance).toBeNull();
  });

  it("waits before the network is switched while an alert prevents changes of the host", () => {
    const run = { health: alerted("PreventHostStateChanges") };
    const decision = decideOn(
      hostView("Assigned/SwitchToAdminNetwork", { ...back, run, context: { network: tenant } }),
    );
    expect(path(decision)).toEqual([]);
    expect(decision.effects).toEqual([]);
    expect(decision.run.waitReason).toContain("FanFailed by monitor: fan 1 stands");
    expect(decision.run.dueAtMs).toBe(now + 29 * minute);
  });

  it.each(["PreventHostStateChanges", "PreventAllocations"])(
    "ends the instance under %s only where the host may change",
    (name) => {
      const decision = decideOn(
        hostView("Assigned/WaitingForNetworkReconfig", {
          ...back,
          run: { health: alerted(name) },
          context: { network: admin },
          acks: acksOf(admin),
        }),
      );
      expect(decision.endInstance).toBe(name === "PreventHostStateChanges" ? null : instanceId);
    },
  );

  it("says that an alert held the release up when its ports are quarantined", () => {
    const decision = decideOn(
      hostView("Assigned/SwitchToAdminNetwork", {
        ...back,
        run: { health: alerted("PreventHostStateChanges") },
        context: { network: tenant },
        instance: instance({ releaseRequestedMs: now - 31 * minute }),
      }),
    );
    expect(decision.effects).toMatchObject([{ kind: "network", request: { network: "quarantine" } }]);
    expect(decision.run.context.trouble).toMatchObject([{ key: "alertHoldsRelease" }]);
  });

  it("does not take an agent of an earlier boot for one", () => {
    const decision = decideOn(
      hostView("Assigned/BootingWithDiscoveryImage", { ...back, context: { network: tenant, minEpoch: 4 } }),
    );
    expect(path(decision)).toEqual([]);
    expect(effectKindsOf(decision)).toEqual(["bootAgent"]);
  });

  it.each([
    ["an interface is missing", acksOf(admin).slice(0, 1)],
    ["a version is old", acksOf(admin).map((ack) => ({ ...ack, version: 1 }))],
    ["the configuration is another", acksOf(admin).map((ack) => ({ ...ack, sha256: "0".repeat(64) }))],
    [
      "extension services run",
      acksOf(admin).map((ack) => ({ ...ack, extensionServices: "running" as const })),
    ],
  ])("keeps the instance while %s", (_what, acks) => {
    const decision = decideOn(
      hostView("Assigned/WaitingForNetworkReconfig", { ...back, context: { network: admin }, acks }),
    );
    expect(path(decision)).toEqual([]);
    expect(decision.endInstance).toBeNull();
    expect(decision.newDebt).toBeNull();
    expect(decision.run.instanceId).toBe(instanceId);
  });

  it("ends the instance, frees its resources and writes the debt in one decision", () => {
    const decision = decideOn(
      hostView("Assigned/WaitingForNetworkReconfig", {
        ...back,
        context: { network: admin, drives: ["GONE1"] },
        acks: acksOf(admin),
      }),
    );
    expect(path(decision).slice(0, 2)).toEqual(["WaitingForCleanup/Queued", "WaitingForCleanup/Init"]);
    expect(decision.endInstance).toBe(instanceId);
    expect(decision.newDebt).toEqual({
      driveSerials: [...allDrives.map((drive) => drive.serial), "GONE1"],
      instanceId,
      tenantId,
    });
    expect(decision.run).toMatchObject({ instanceId: null, tenantId: null });
  });

  it("is woken when the release becomes overdue", () => {
    const decision = decideOn(
      hostView("Assigned/WaitingForNetworkReconfig", { ...back, context: { network: admin } }),
    );
    expect(decision.run.dueAtMs).toBe(now - minute + 30 * minute);
  });
});

describe("an overdue release", () => {
  const overdue = {
    instance: instance({ releaseRequestedMs: now - 31 * minute }),
    resourcesHeld: 2,
    reclamation: reclamation(),
    inventory: inventory(),
  } satisfies ViewChanges;
  const quarantine = networkContext("quarantine");

  it.each([
    "Assigned/BootingWithDiscoveryImage",
    "Assigned/WaitingForNetworkReconfig",
    "Failed/BmcUnreachable",
    "Failed/ManualInterventionRequired",
  ] as const)("asks for quarantine in %s, and keeps the instance until it is acknowledged", (state) => {
    const decision = decideOn(hostView(state, { ...overdue, context: { network: tenant } }));
    expect(path(decision)).toEqual([]);
    expect(decision.effects).toMatchObject([{ kind: "network", request: { network: "quarantine" } }]);
    expect(decision.endInstance).toBeNull();
    expect(decision.run.waitReason).toMatch(/^the release is overdue; quarantine/);
  });

  it("ends for the tenant, and leaves the host failed with its debt", () => {
    const decision = decideOn(
      hostView("Assigned/WaitingForNetworkReconfig", {
        ...overdue,
        context: { network: quarantine },
        acks: acksOf(quarantine),
      }),
    );
    expect(path(decision)).toEqual(["Failed/NetworkReconfigTimeout"]);
    expect(decision.endInstance).toBe(instanceId);
    expect(decision.newDebt).not.toBeNull();
    expect(decision.run).toMatchObject({ allocatable: false, instanceId: null });
    expect(decision.reclamation).toMatchObject({
      outcome: null,
      row: { stoppedCause: "NetworkReconfigTimeout", stoppedIn: "Assigned/WaitingForNetworkReconfig" },
    });
  });

  it("does not touch a host whose release nobody asked for", () => {
    expect(
      path(decideOn(hostView("Assigned/Ready", { instance: instance(), context: { network: tenant } }))),
    ).toEqual([]);
  });
});
