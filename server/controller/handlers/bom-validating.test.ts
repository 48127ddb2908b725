// BomValidating/…: a new inventory after the last restart, compared with the SKU and the treated devices.
import { describe, expect, it } from "vitest";
import { heardUntilMs } from "@/server/domain/agents/signs-of-life";
import { plainPolicy } from "@/server/testing/test-policy";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import { changesDigest, partChanges } from "@/server/domain/hosts/parts/changes";
import { partKinds } from "@/server/domain/hosts/parts/part";
import { emptyProven } from "@/server/domain/lifecycle/context";
import {
  allDrives,
  inventoryOf,
  nameless,
  nvme1,
  nvme2,
  sku,
  ssd1,
} from "@/server/controller/testing/hardware";
import { readingOf } from "@/server/controller/inventory/bmc-storage";
import {
  freezeDevices,
  unnamedStorage,
  unresolved,
} from "@/server/domain/cleaning/sanitization/known-devices";
import {
  by,
  decideOn,
  effectKindsOf,
  hostView,
  minute,
  now,
  path,
} from "@/server/controller/testing/host-view";
import { agent, inventory, planned, succeededPlan } from "@/server/controller/testing/view-parts";
import { drivesEffect, drivesTold, effect } from "@/server/controller/testing/effect-views";
import type { SkuCandidate } from "@/server/domain/hosts/record/view";
import type { ViewChanges } from "@/server/controller/testing/host-view";

const proven = { ...emptyProven(), lastStepEpoch: 2, memoryStepEpoch: 2 };
const base = {
  reclamation: planned(),
  agent: agent(),
  inventory: inventory(3, now - 30_000),
  context: { proven, minEpoch: 3 },
} satisfies ViewChanges;
const at = (state: Parameters<typeof hostView>[0], changes: ViewChanges = {}) =>
  decideOn(hostView(state, { ...base, ...changes }));
const found = (storage: typeof allDrives) => ({
  bmc: allDrives,
  agent: { bootEpoch: 3, collectedMs: now - 30_000, body: inventoryOf(storage) },
});

describe("UpdatingInventory", () => {
  it("asks the agent, and does not take an inventory from before", () => {
    const decision = at("BomValidating/UpdatingInventory", { inventory: inventory(3, now - minute) });
    expect(path(decision)).toEqual([]);
    expect(decision.run.command).toEqual({ kind: "discover", id: `discover:3:${now - minute}` });
    expect(decision.run.dueAtMs).toBe(heardUntilMs(now - 5_000, minute) + 1);
  });

  it("nor one of another boot", () => {
    expect(at("BomValidating/UpdatingInventory", { inventory: inventory(2, now) }).run.command).toMatchObject(
      { kind: "discover" },
    );
  });

  it("takes what the agent said when it registered a moment ago, in a boot after the last step", () => {
    const registered = (bootEpoch: number) => ({
      inventory: inventory(3, now - minute),
      signals: [{ kind: "agentRegistered" as const, payload: { bootEpoch } }],
    });
    expect(path(at("BomValidating/BootingAgent", registered(3)))).toEqual([
      "BomValidating/UpdatingInventory",
      "BomValidating/VerifyingSku",
      "Validation/MachineValidating",
    ]);
    const asks = { kind: "discover", id: expect.stringMatching(/^discover:3:/) };
    expect(at("BomValidating/BootingAgent", registered(2)).run.command).toEqual(asks);
    expect(
      at("BomValidating/BootingAgent", { ...registered(3), inventory: inventory(2, now) }).run.command,
    ).toEqual(asks);
    expect(
      at("BomValidating/BootingAgent", {
        ...registered(3),
        context: { proven: { ...proven, lastStepEpoch: 3 }, minEpoch: 3 },
      }).run.command,
    ).toEqual(asks);
    const ended = (endedAtMs: number) => ({
      ...registered(3),
      steps: succeededPlan().map((step) => ({ ...step, endedAtMs })),
    });
    expect(path(at("BomValidating/BootingAgent", ended(now - minute - 1)))).toContain(
      "BomValidating/VerifyingSku",
    );
    expect(at("BomValidating/BootingAgent", ended(now - minute)).run.command).toEqual(asks);
  });

  it("goes on with a new one", () => {
    const decision = at("BomValidating/UpdatingInventory", {
      signals: [{ kind: "discovery", payload: { bootEpoch: 3, command: "discover" } }],
    });
    expect(path(decision)).toEqual(["BomValidating/VerifyingSku", "Validation/MachineValidating"]);
    expect(decision.run.context.proven.sku).toEqual({
      epoch: 3,
      name: "R760",
      differences: 0,
      storage: null,
      comparison: 2,
    });
  });

  it("boots the agent when it is gone", () => {
    expect(path(at("BomValidating/UpdatingInventory", { agent: null }))).toEqual([
      "BomValidating/BootingAgent",
    ]);
    expect(path(at("BomValidating/BootingAgent"))[0]).toBe("BomValidating/UpdatingInventory");
  });
});

describe("the BMC's drives after cleaning", () => {
  const hidden = { ...planned(), devices: freezeDevices(allDrives, [nvme1, nvme2], [], ["SSD1"]) };
  const seen = {
    bmc: allDrives,
    agent: { bootEpoch: 3, collectedMs: now - 30_000, body: inventoryOf([nvme1, nvme2]) },
  };
  const host = { reclamation: hidden, inventory: seen, drivesUnread: true } satisfies ViewChanges;
  const platform = { ...noPlatformFacts, bossController: "BOSS-1", bossDrives: ["SSD1", "NEW1"] };
  const told = (storage: typeof allDrives, changes = {}, serial?: string) =>
    drivesEffect("after", hidden, "done", drivesTold(storage, { platform, ...changes }, serial));

  it("are read again, and nothing goes on before", () => {
    const decision = at("BomValidating/UpdatingInventory", host);
    expect([path(decision), effectKindsOf(decision)]).toEqual([[], ["verify"]]);
    expect(decision.effects[0]?.request).toEqual({ only: "storage", of: readingOf(hidden, "after") });
    expect(
      path(
        at("BomValidating/UpdatingInventory", {
          ...host,
          effects: [{ ...drivesEffect("after", hidden, "permitted"), generation: "7" }],
        }),
      ),
    ).toEqual([]);
  });

  it("are read where the agent shows them all, too", () => {
    expect([
      path(at("BomValidating/UpdatingInventory", { drivesUnread: true })),
      effectKindsOf(at("BomValidating/UpdatingInventory", { drivesUnread: true })),
    ]).toEqual([[], ["verify"]]);
    expect(path(at("BomValidating/VerifyingSku", { drivesUnread: true }))).toEqual([
      "BomValidating/UpdatingInventory",
    ]);
  });

  it("count with what the agent found, and are kept", () => {
    const decision = at("BomValidating/UpdatingInventory", { ...host, effects: [told(allDrives)] });
    expect(path(decision)).toEqual(["BomValidating/VerifyingSku", "Validation/MachineValidating"]);
    expect(decision.run.context.proven).toMatchObject({
      sku: { differences: 0, storage: null },
      outOfBand: { epoch: 3, drives: [{ serial: "SSD1" }] },
    });
    expect(decision.storage).toEqual({ storage: allDrives, earlier: [], unresolved: [], platform });
  });

  it("of which another one is there than was erased are found out", () => {
    const decision = at("BomValidating/UpdatingInventory", {
      ...host,
      effects: [told([nvme1, nvme2, { ...ssd1, serial: "NEW1" }])],
    });
    expect(decision.run.context.proven.sku?.storage).toBe(
      "processed but no longer found: SSD1; found but never processed: NEW1",
    );
  });

  it("of which one more is there that the agent does not show are found out", () => {
    const decision = at("BomValidating/UpdatingInventory", {
      drivesUnread: true,
      effects: [
        drivesEffect("after", planned(), "done", drivesTold([...allDrives, { ...ssd1, serial: "NEW1" }])),
      ],
    });
    expect(decision.run.context.proven.sku?.storage).toBe("found but never processed: NEW1");
  });

  it("that are gone differ from the SKU", () => {
    expect(
      path(at("BomValidating/UpdatingInventory", { ...host, effects: [told([nvme1, nvme2])] })).at(-1),
    ).toBe("BomValidating/SkuVerificationFailed");
  });

  it("that cannot be named are written into the list, once, beside those from before", () => {
    const open = (slot: string) =>
      unresolved({ source: "bmc", place: slot, slot, serial: null, model: null, reason: "no serial" });
    const row = { ...hidden, devices: { ...hidden.devices, unresolved: [open("1"), open("2")] } };
    const decision = at("BomValidating/UpdatingInventory", {
      ...host,
      reclamation: row,
      effects: [told(allDrives, { unresolved: [open("2"), open("3")] })],
    });
    expect(decision.reclamation?.row.devices?.unresolved).toEqual([open("1"), open("2"), open("3")]);
  });

  it("of which the agent cannot name one are written into the list, and count for the SKU", () => {
    const report = (storage: typeof allDrives) => ({
      bmc: [],
      agent: {
        bootEpoch: 3,
        collectedMs: now - 30_000,
        body: { ...inventoryOf(storage), unnamed: [nameless] },
      },
    });
    const decision = at("BomValidating/VerifyingSku", { inventory: report([nvme1, nvme2]) });
    expect(decision.reclamation?.row.devices?.unresolved).toEqual(unnamedStorage([nameless]).unresolved);
    expect(decision.run.context.proven.sku).toMatchObject({ differences: 0 });
    expect(
      at("BomValidating/VerifyingSku", { inventory: report(allDrives) }).run.context.proven.sku,
    ).toMatchObject({ differences: 1 });
  });

  it("of a reading of another boot do not count", () => {
    const old = {
      ...proven,
      storageRead: {
        of: readingOf(hidden, "after"),
        readAt: new Date(now).toISOString(),
        retryAt: null,
        failures: 0,
      },
      outOfBand: { epoch: 2, readAt: new Date(now).toISOString(), drives: [ssd1] },
    };
    expect(
      path(at("BomValidating/VerifyingSku", { ...host, context: { proven: old, minEpoch: 3 } })),
    ).toEqual(["BomValidating/UpdatingInventory"]);
    expect(
      effectKindsOf(
        at("BomValidating/UpdatingInventory", { ...host, context: { proven: old, minEpoch: 3 } }),
      ),
    ).toEqual(["verify"]);
    const before = { ...seen, agent: { ...seen.agent, collectedMs: now - 2 * minute } };
    const failed = (epoch: number) =>
      at("BomValidating/SkuVerificationFailed", {
        ...host,
        inventory: before,
        context: { proven: { ...old, outOfBand: { ...old.outOfBand, epoch } }, minEpoch: 3 },
      });
    expect(path(failed(3))[0]).toBe("BomValidating/VerifyingSku");
    expect(path(failed(2))).toEqual([]);
  });

  it.each([
    ["of the list that was frozen", drivesEffect("before", hidden, "done", drivesTold(allDrives))],
    ["of an earlier plan", drivesEffect("after", { ...hidden, planEpoch: 0 }, "done", drivesTold(allDrives))],
    ["of a host that was verified", effect("verify", "done", {})],
  ])("are not taken from a reading %s", (_what, sent) => {
    const decision = at("BomValidating/UpdatingInventory", { ...host, effects: [sent] });
    expect([path(decision), effectKindsOf(decision), decision.storage]).toEqual([[], ["verify"], null]);
  });

  const failedReading = (kind: string, message: string) =>
    drivesEffect("after", hidden, "failed", { error: { kind, message } });

  it.each([
    ["fails", failedReading("failed", "503 Service Unavailable"), /503/],
    ["is of another machine", told(allDrives, {}, "OTHER"), /reports serial OTHER/],
  ])("are waited for when the reading %s", (_what, sent, message) => {
    const decision = at("BomValidating/UpdatingInventory", { ...host, effects: [sent] });
    expect([path(decision), decision.host, decision.storage]).toEqual([[], null, null]);
    expect(decision.run.lastError).toMatch(message);
    expect(decision.run.dueAtMs).toBe(now + plainPolicy().times.bmcRetryMs);
    expect(decision.run.context.proven.storageRead).toMatchObject({ readAt: null, failures: 1 });
  });

  it.each([
    ["failed", "Failed/BmcInventoryFailed"],
    ["unsupported", "Failed/BmcInventoryFailed"],
    ["refused", "Failed/BmcInventoryFailed"],
    ["unreachable", "Failed/BmcUnreachable"],
  ])("that cannot be read again and again (%s) are %s", (kind, state) => {
    const storageRead = {
      of: readingOf(hidden, "after"),
      readAt: null,
      retryAt: new Date(now).toISOString(),
      failures: plainPolicy().times.bmcTries - 1,
    };
    const decision = at("BomValidating/UpdatingInventory", {
      ...host,
      context: { proven: { ...proven, storageRead }, minEpoch: 3 },
      effects: [failedReading(kind, "GET /Storage was answered 500")],
    });
    expect(path(decision)).toEqual([state]);
    expect(decision.run.lastError).toMatch(
      kind === "unreachable"
        ? /^The BMC does not respond; 10 tries in a row failed\.$/
        : /^The BMC did not list the host's drives in 10 tries, .*: GET .Storage was answered 500\.$/,
    );
    expect(decision.run.context.proven.storageRead).toBeUndefined();
  });

  it("are asked for once more when the time has come, and not before", () => {
    const after = (ms: number) => ({
      ...proven,
      storageRead: {
        of: readingOf(hidden, "after"),
        readAt: null,
        retryAt: new Date(now + ms).toISOString(),
        failures: 1,
      },
    });
    expect(
      effectKindsOf(
        at("BomValidating/UpdatingInventory", { ...host, context: { proven: after(1), minEpoch: 3 } }),
      ),
    ).toEqual([]);
    expect(
      effectKindsOf(
        at("BomValidating/UpdatingInventory", { ...host, context: { proven: after(0), minEpoch: 3 } }),
      ),
    ).toEqual(["verify"]);
  });
});

describe("MatchingSku", () => {
  const none = { sku: null, skuAssigned: false };
  const candidate = (changes: Partial<SkuCandidate> = {}): SkuCandidate => ({
    id: "00000000-0000-4000-8000-0000000000aa",
    version: "7",
    hasPriorities: false,
    ...sku,
    ...changes,
  });
  const matching = (skus: readonly SkuCandidate[] | null, changes: ViewChanges = {}) =>
    at("BomValidating/MatchingSku", { host: none, skus, ...changes });

  it("is where a host without a SKU goes with its new inventory", () => {
    const decision = at("BomValidating/UpdatingInventory", {
      host: none,
      signals: [{ kind: "discovery", payload: { bootEpoch: 3, command: "discover" } }],
    });
    expect(path(decision)).toEqual(["BomValidating/MatchingSku"]);
    expect(decision.run.dueAtMs).toBe(now + 50);
    expect(path(at("BomValidating/VerifyingSku", { host: none }))).toEqual(["BomValidating/MatchingSku"]);
  });

  it("assigns the only SKU that the host matches, and looks again with it", () => {
    const other = candidate({ id: "other", components: { ...sku.components, infiniband: 2 } });
    const decision = matching([other, candidate()]);
    expect([path(decision), decision.matchedSku, decision.run.dueAtMs]).toEqual([
      [],
      { id: candidate().id, version: "7" },
      now + 50,
    ]);
    expect(path(at("BomValidating/MatchingSku"))).toEqual([
      "BomValidating/VerifyingSku",
      "Validation/MachineValidating",
    ]);
  });

  it.each<[string, readonly SkuCandidate[], RegExp]>([
    ["none is of its product", [], /^no SKU is of Dell Inc\. PowerEdge R760$/],
    ["none matches", [candidate({ components: { ...sku.components, infiniband: 2 } })], /InfiniBand devices/],
    ["several match", [candidate(), candidate({ name: "other" })], /^several SKUs match: R760, other$/],
  ])("leaves it to a person when %s", (_what, skus, reason) => {
    const decision = matching(skus);
    expect([path(decision), decision.matchedSku]).toEqual([["BomValidating/WaitingForSkuAssignment"], null]);
    expect(decision.run.lastError).toMatch(reason);
    expect(decision.entered[0]?.reason).toMatch(reason);
  });

  it("makes a new plan when the SKU asks for more than the host was cleaned with", () => {
    const baseline = candidate({ components: { ...sku.components, baseline: { lockdown: true } } });
    for (const asks of [baseline, candidate({ hasPriorities: true })]) {
      const decision = matching([asks]);
      expect(decision.matchedSku).toEqual({ id: asks.id, version: "7" });
      expect(path(decision)[0]).toBe("WaitingForCleanup/Queued");
      expect(decision.run.context.minEpoch).toBe(4);
    }
    // Nothing was cleaned, so there is no plan without the baseline.
    expect(path(matching([baseline], { reclamation: planned({ planMade: false }) }))).toEqual([]);
  });

  it("needs the agent's and the BMC's reading of this boot", () => {
    expect(path(matching([candidate()], { inventory: inventory(2, now - 30_000) }))[0]).toBe(
      "BomValidating/UpdatingInventory",
    );
    expect(path(matching([candidate()], { drivesUnread: true }))[0]).toBe("BomValidating/UpdatingInventory");
  });

  it("follows at once when a SKU is made that a waiting host matches", () => {
    const waiting = (skus: readonly SkuCandidate[]) =>
      at("BomValidating/WaitingForSkuAssignment", { host: none, skus, inventory: inventory() });
    expect([path(waiting([candidate()])), waiting([candidate()]).matchedSku?.id]).toEqual([
      ["BomValidating/MatchingSku"],
      candidate().id,
    ]);
    const waits = waiting([candidate(), candidate({ name: "other" })]);
    expect([path(waits), waits.run.lastError]).toEqual([[], "several SKUs match: R760, other"]);
  });
});

describe("VerifyingSku", () => {
  it("skips the tests of a site that has none", () => {
    const policy = { ...plainPolicy(), validationTests: [] };
    expect(
      path(at("BomValidating/VerifyingSku", { reclamation: planned({ policy, content: null }) }))[0],
    ).toBe("HostInit/Discovered");
    // The content of its drives is still checked.
    expect(path(at("BomValidating/VerifyingSku", { reclamation: planned({ policy }) }))[0]).toMatch(
      /^Validation\//,
    );
  });

  it("restarts before the tests unless the host is freshly restarted", () => {
    expect(path(at("BomValidating/VerifyingSku"))).toEqual(["Validation/MachineValidating"]);
    expect(
      path(
        at("BomValidating/VerifyingSku", {
          context: { proven: { ...proven, lastStepEpoch: 3 }, minEpoch: 3 },
        }),
      )[0],
    ).toBe("Validation/RebootHost");
  });

  it("writes down that other drives are there than were treated", () => {
    const spare = { ...nvme1, serial: "NEW1" };
    const decision = at("BomValidating/VerifyingSku", { inventory: found([spare, ...allDrives.slice(1)]) });
    expect(decision.run.context.proven.sku).toEqual({
      epoch: 3,
      name: "R760",
      differences: 0,
      storage: "processed but no longer found: NVME1; found but never processed: NEW1",
      comparison: 2,
    });
  });

  it.each([
    [
      "differs from its SKU",
      { inventory: found(allDrives.slice(1)) },
      "BomValidating/SkuVerificationFailed",
      /nvme of 1920383410176 bytes: 2 wanted, 1 found/,
    ],
    ["has a SKU that is gone", { host: { sku: null, skuAssigned: true } }, "BomValidating/SkuMissing", null],
    ["has no inventory of this boot", { inventory: inventory(2) }, "BomValidating/UpdatingInventory", null],
  ] as const)("waits for a person when the host %s", (_what, changes, state, message) => {
    const decision = at("BomValidating/VerifyingSku", changes);
    expect(path(decision)).toEqual([state]);
    if (message !== null) expect(decision.run.lastError).toMatch(message);
    expect(decision.run.maintenance).toBe(false);
  });
});

describe("a host whose parts changed since it was last verified", () => {
  const slot = "0000:17:00.0";
  const gpu = (serial: string) => ({ kind: "gpu", slot, model: "NVIDIA H100", serial }) as const;
  const known = { told: ["gpu" as const], parts: [gpu("1653")] };
  const reported = (serial: string) => ({ told: [...partKinds], untold: [], found: [gpu(serial)] });
  const has = (serial: string) => {
    const { bmc, agent: seen } = found(allDrives);
    return { bmc, agent: { ...seen, body: { ...seen.body, parts: reported(serial) } } };
  };
  const verified = (serial: string, accepted: { id: string; evidence: string }[] = []) =>
    at("BomValidating/VerifyingSku", { inventory: has(serial), parts: { known, accepted } });

  it("waits for people, and names both serial numbers", () => {
    const decision = verified("1999");
    expect(path(decision)).toEqual(["BomValidating/SkuVerificationFailed"]);
    expect(decision.run.lastError).toMatch(/1653.*1999/);
  });

  it("goes on once they have accepted exactly this change, and a recheck does not do for the new GPU's memory", () => {
    const { hostId } = hostView("BomValidating/VerifyingSku").run;
    const evidence = changesDigest(hostId, partChanges(known, reported("1999")));
    const decision = verified("1999", [{ id: "d-1", evidence }]);
    expect(path(decision).at(-1)).not.toBe("BomValidating/SkuVerificationFailed");
    expect(decision.run.context.proven.memoryDevices).toMatchObject({ changed: true });
    expect(path(verified("2000", [{ id: "d-1", evidence }]))).toEqual([
      "BomValidating/SkuVerificationFailed",
    ]);
  });

  it("is not one if they are the same", () => {
    expect(verified("1653").run.context.proven.memoryDevices).not.toHaveProperty("changed");
  });
});

describe("a host that waits for its SKU", () => {
  it.each([
    ["BomValidating/WaitingForSkuAssignment", { sku: null, skuAssigned: false }],
    ["BomValidating/SkuMissing", { sku: null, skuAssigned: true }],
    [
      "BomValidating/SkuVerificationFailed",
      { sku: { ...sku, components: { ...sku.components, infiniband: 2 } }, skuAssigned: true },
    ],
  ] as const)("goes on from %s when the SKU is set right, and looks again by itself", (state, host) => {
    const waits = at(state, { host, inventory: inventory() });
    expect(path(waits)).toEqual([]);
    expect(waits.run.dueAtMs).toBe(now + 10 * minute);
    expect(path(at(state, { inventory: inventory() }))[0]).toBe("BomValidating/VerifyingSku");
  });

  it("compares a new inventory at once", () => {
    const wrong = { sku: { ...sku, components: { ...sku.components, infiniband: 2 } }, skuAssigned: true };
    expect(path(at("BomValidating/SkuVerificationFailed", { host: wrong }))).toEqual([
      "BomValidating/VerifyingSku",
      "BomValidating/SkuVerificationFailed",
    ]);
  });

  it("begins again, with a new boot, when a person asks for it", () => {
    const decision = at("BomValidating/SkuVerificationFailed", {
      host: { sku: null, skuAssigned: true },
      inventory: inventory(),
      signals: [{ kind: "restart", payload: { by } }],
    });
    expect(path(decision).slice(0, 2)).toEqual(["WaitingForCleanup/Queued", "WaitingForCleanup/Init"]);
    expect(decision.run.context.minEpoch).toBe(4);
  });
});

describe("a SKU that a person assigned while the host waited for one", () => {
  const baseline = { ...sku, components: { ...sku.components, baseline: { lockdown: true } } };
  const after = (plannedFor: string | null, assigned: typeof sku) =>
    path(
      at("BomValidating/VerifyingSku", {
        reclamation: planned({ plan: { managers: [], disabled: [], sku: plannedFor } }),
        host: { sku: assigned },
      }),
    );

  it("has the host cleaned as its baseline asks, once", () => {
    expect(after(null, baseline)[0]).toBe("WaitingForCleanup/Queued");
    expect(after("another", baseline)[0]).toBe("WaitingForCleanup/Queued");
    expect(after(baseline.name, baseline)).toEqual(["Validation/MachineValidating"]);
  });

  it("needs no other plan without a baseline", () => {
    expect(after(null, sku)).toEqual(["Validation/MachineValidating"]);
  });
});

describe("a SKU that cannot be read", () => {
  // As left by an earlier release or by SQL.
  const broken: typeof sku.components = Object.assign({}, sku.components, { cpus: undefined });
  const host = { sku: { ...sku, components: broken }, skuAssigned: true };

  it("holds its host, which says why", () => {
    const decision = at("BomValidating/VerifyingSku", { host });
    expect(path(decision)).toEqual(["BomValidating/SkuVerificationFailed"]);
    expect(decision.run.lastError).toMatch(/^The SKU .* cannot be read \(cpus: .*repair or delete it/);
  });

  it("lets its host go on when it is repaired, or tells what differs then", () => {
    const waits = at("BomValidating/SkuVerificationFailed", { host, inventory: inventory() });
    expect(path(waits)).toEqual([]);
    expect(waits.run.lastError).toMatch(/cannot be read/);
    expect(waits.run.dueAtMs).toBe(now + 10 * minute);
    const other = { ...host, sku: { ...sku, components: { ...sku.components, infiniband: 2 } } };
    expect(
      at("BomValidating/SkuVerificationFailed", { host: other, inventory: inventory() }).run.lastError,
    ).toMatch(/^differs from/);
    expect(path(at("BomValidating/SkuVerificationFailed", { inventory: inventory() }))[0]).toBe(
      "BomValidating/VerifyingSku",
    );
  });

  it("is no candidate, and makes another no only match", () => {
    const candidate = (name: string, components: typeof broken) => ({
      id: name,
      name,
      version: "1",
      hasPriorities: false,
      components,
    });
    const skus = [candidate("GOOD", sku.components), candidate("OLD", broken)];
    const decision = at("BomValidating/MatchingSku", { host: { sku: null, skuAssigned: false }, skus });
    expect(path(decision)).toEqual(["BomValidating/WaitingForSkuAssignment"]);
    expect(decision.run.lastError).toMatch(/SKU OLD cannot be read/);
  });
});
