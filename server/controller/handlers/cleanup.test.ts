// WaitingForCleanup/…: admission, the frozen list, and the plan.
import { noProgress } from "@/server/domain/hosts/record/reclamation";
import { describe, expect, it } from "vitest";
import { emptyProven } from "@/server/domain/lifecycle/context";
import { plainPolicy } from "@/server/testing/test-policy";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import {
  allDrives,
  inventoryOf,
  nameless,
  nvme1,
  nvme2,
  sku,
  ssd1,
} from "@/server/controller/testing/hardware";
import {
  decideOn,
  effectKindsOf,
  hostView,
  minute,
  now,
  path,
  stepId,
} from "@/server/controller/testing/host-view";
import {
  agent,
  inventory,
  plan,
  planned,
  queued,
  reclamation,
  succeededPlan,
} from "@/server/controller/testing/view-parts";
import { drivesEffect, drivesTold } from "@/server/controller/testing/effect-views";
import { readingOf } from "@/server/controller/inventory/bmc-storage";
import { unnamedStorage, unresolved } from "@/server/domain/cleaning/sanitization/known-devices";
import type { ViewChanges } from "@/server/controller/testing/host-view";

const { network } = queued.context;

/** Two steps that erase solid-state drives, in sequence. */
const expectedErase = 8 * minute;

describe("Queued", () => {
  it("is admitted, and plans at once when the agent is there", () => {
    const decision = decideOn(hostView("WaitingForCleanup/Queued", queued));
    expect(path(decision)).toEqual(["WaitingForCleanup/Init", "WaitingForCleanup/HostCleanup"]);
    expect(decision.reclamation?.row).toMatchObject({
      queuedAtMs: now,
      admittedAtMs: now,
      limitAtMs: now + 60 * minute + expectedErase,
      planMade: true,
      planEpoch: 1,
    });
  });

  it("without a reclamation needs a person", () => {
    expect(path(decideOn(hostView("WaitingForCleanup/Queued")))).toEqual([
      "Failed/ManualInterventionRequired",
    ]);
  });

  it("gives no more time to a plan that is made again", () => {
    const decision = decideOn(
      hostView("WaitingForCleanup/Queued", {
        ...queued,
        reclamation: planned({ queuedAtMs: 1, limitAtMs: 2 }),
      }),
    );
    expect(decision.reclamation?.row).toMatchObject({ limitAtMs: 2, planEpoch: 2 });
  });

  it("keeps the limit of the first time", () => {
    const decision = decideOn(
      hostView("WaitingForCleanup/Queued", {
        ...queued,
        reclamation: reclamation({ queuedAtMs: 1, limitAtMs: 2 }),
      }),
    );
    expect(decision.reclamation?.row).toMatchObject({ queuedAtMs: 1, limitAtMs: 2 + expectedErase });
  });
});

describe("a plan that is made", () => {
  const off = { ...plainPolicy(), automatedClean: false };
  it("counts for the gates, although the cleaning was to be left out before", () => {
    const skipped = {
      ...queued,
      context: { ...queued.context, proven: { ...emptyProven(), cleaningSkipped: true } },
    };
    expect(decideOn(hostView("WaitingForCleanup/Init", skipped)).run.context.proven.cleaningSkipped).toBe(
      false,
    );
  });

  it("is made for a host that somebody may have touched, also where cleaning is off", () => {
    const decision = decideOn(
      hostView("WaitingForCleanup/Init", {
        ...queued,
        reclamation: reclamation({ kind: "recheck", policy: off }),
      }),
    );
    expect(path(decision)).toEqual(["WaitingForCleanup/HostCleanup"]);
  });
});

describe("a drive that a debt names and that was pulled", () => {
  const said = {
    id: "d-1",
    key: "GONE1",
    model: "",
    slot: null,
    kind: "removed-destroyed" as const,
    reason: "shredded",
    by: "Ada",
    at: "2026-11-01T08:00:00.000Z",
    signature: "signed" as const,
    signedBy: "Bea",
  };
  const init = (changes: ViewChanges = {}) =>
    decideOn(
      hostView("WaitingForCleanup/Init", {
        ...queued,
        debts: { count: 1, driveSerials: ["GONE1"] },
        ...changes,
      }),
    );

  it("stops the host until somebody states what became of it", () => {
    expect(path(init())).toEqual(["Failed/DeviceMissing"]);
    const decision = init({ dispositions: [said] });
    expect(path(decision)).toEqual(["WaitingForCleanup/HostCleanup"]);
    expect(decision.reclamation?.row.devices).toMatchObject({
      missing: [],
      answered: [{ serial: "GONE1", disposition: said }],
    });
  });

  it("whatever is stated is there when it is seen, and is erased", () => {
    const decision = init({
      debts: { count: 1, driveSerials: ["NVME1"] },
      dispositions: [{ ...said, key: "NVME1" }],
    });
    expect(decision.run.command).toMatchObject({
      kind: "execute",
      step: "erase_nvme",
      devices: [{ serial: "NVME1" }, { serial: "NVME2" }],
    });
    expect(decision.reclamation?.row.devices?.answered).toBeUndefined();
  });

  it("no plan is made before the statements were read", () => {
    const decision = init({ dispositions: null });
    expect(path(decision)).toEqual([]);
    expect(decision.reclamation).toBeNull();
  });
});

describe("Init", () => {
  const init = (changes: ViewChanges = {}) =>
    decideOn(hostView("WaitingForCleanup/Init", { ...queued, ...changes }));

  it("freezes the list, makes the plan in order and gives the agent its first step", () => {
    const decision = init();
    expect(
      decision.steps.map((step) => `${step.priority} ${step.interface}.${step.step} ${step.status}`),
    ).toEqual([
      "90 deploy.erase_nvme running",
      "86 deploy.erase_disks planned",
      "60 deploy.verify_mem_overwrite planned",
      "50 deploy.reset_infiniband planned",
    ]);
    expect(decision.reclamation?.row.devices?.expected.map((device) => device.serial)).toEqual(
      allDrives.map((drive) => drive.serial),
    );
    expect(decision.run.command).toMatchObject({
      kind: "execute",
      step: "erase_nvme",
      attempt: 1,
      devices: [{ serial: "NVME1" }, { serial: "NVME2" }],
    });
    expect(decision.run).toMatchObject({ erasing: true, cleanStep: "deploy.erase_nvme", commandEpoch: 3 });
  });

  it("keeps with each step what it runs with, and with the plan what it was made with", () => {
    const managers = [{ name: "generic", version: "1.2", steps: [] }];
    const decision = init({
      agent: agent({ hardwareManagers: managers }),
      overrides: [
        { scope: "sku", interface: "deploy", step: "erase_disks", priority: 95 },
        { scope: "host", interface: "deploy", step: "reset_infiniband", priority: 0, setBy: "olga" },
      ],
    });
    expect(
      decision.steps.map((step) => [
        step.step,
        step.priority,
        step.prioritySource,
        step.timeLimitMs,
        step.abortable,
      ]),
    ).toEqual([
      ["erase_disks", 95, "sku", 30 * minute + Math.ceil(480_103_981.056 / 150), false],
      ["erase_nvme", 90, "default", 30 * minute + Math.ceil(1_920_383_410.176 / 200), false],
      ["verify_mem_overwrite", 60, "default", 10 * minute, true],
    ]);
    expect(decision.reclamation?.row.plan).toEqual({
      managers: [{ name: "generic", version: "1.2" }],
      sku: "R760",
      disabled: [
        {
          interface: "deploy",
          step: "reset_infiniband",
          source: "host",
          setBy: "olga",
          proves: ["infinibandClean"],
          devices: [],
        },
      ],
    });
  });

  it("plans what BMC, SKU and the agent's own steps add", () => {
    const decision = init({
      agent: agent({
        hardwareManagers: [
          {
            name: "acme",
            version: "3",
            steps: [{ interface: "vendor", step: "reset_bluefield", priority: 99, abortable: true }],
          },
        ],
      }),
      host: { sku: { name: "R760", components: { ...sku.components, baseline: { lockdown: true } } } },
      platform: { ...noPlatformFacts, lockdown: false, tpmClear: true },
    });
    expect(decision.steps.map((step) => `${step.interface}.${step.step}`)).toEqual([
      "vendor.reset_bluefield",
      "deploy.erase_nvme",
      "deploy.erase_disks",
      "deploy.verify_mem_overwrite",
      "deploy.reset_infiniband",
      "management.clear_tpm",
      "management.lock_bmc",
    ]);
    expect(decision.run.command).toMatchObject({
      kind: "execute",
      interface: "vendor",
      step: "reset_bluefield",
    });
  });

  it("expects the drives of a BOSS card of its own step, and asks no agent for them", () => {
    const platform = { ...noPlatformFacts, bossController: "BOSS-1", bossDrives: ["SSD1"] };
    const bmcOnly = {
      bmc: allDrives,
      agent: { bootEpoch: 3, collectedMs: now, body: inventoryOf([nvme1, nvme2]) },
    };
    const decision = init({ platform, inventory: bmcOnly });
    expect(decision.steps.map((step) => step.step)).toEqual([
      "secure_erase_boss",
      "erase_nvme",
      "verify_mem_overwrite",
      "reset_infiniband",
      "create_boss_volume",
    ]);
    expect(decision.reclamation?.row.devices).toMatchObject({
      expected: [{ serial: "NVME1" }, { serial: "NVME2" }, { serial: "SSD1", outOfBand: true }],
      missing: [],
    });
    expect(path(init({ platform: noPlatformFacts, inventory: bmcOnly }))).toEqual(["Failed/DeviceMissing"]);
    expect(
      path(
        init({
          platform,
          inventory: { ...bmcOnly, agent: { ...bmcOnly.agent, body: inventoryOf([nvme1]) } },
        }),
      ),
    ).toEqual(["Failed/DeviceMissing"]);
  });

  it("makes no plan whose order would be an accident, and names both steps", () => {
    const decision = init({
      agent: agent({
        hardwareManagers: [
          {
            name: "acme",
            version: "3",
            steps: [{ interface: "deploy", step: "scrub_nic", priority: 90, abortable: true }],
          },
        ],
      }),
    });
    expect(path(decision)).toEqual(["Failed/CleanFailed"]);
    expect(decision.run.lastError).toMatch(
      /deploy.erase_nvme and deploy.scrub_nic have the same priority 90/,
    );
    expect(decision.steps).toEqual([]);
    expect(decision.run.command).toBeNull();
  });

  it("reads again when its claim brought no priorities", () => {
    const decision = init({ overrides: null });
    expect(path(decision)).toEqual([]);
    expect(decision.run.dueAtMs).toBeLessThan(now + 1_000);
  });

  it("leaves out what the hardware has nothing for", () => {
    const body = { ...inventoryOf([ssd1]), infiniband: [] };
    const decision = init({ inventory: { bmc: [ssd1], agent: { bootEpoch: 3, collectedMs: now, body } } });
    expect(decision.steps.map((step) => step.step)).toEqual(["erase_disks", "verify_mem_overwrite"]);
  });

  it("makes a new plan, with nothing of the one before, when it comes again", () => {
    const decision = init({
      reclamation: planned(),
      steps: succeededPlan(),
      deviceVerdicts: [{ serial: "NVME1", model: "P5520", verdict: "sanitized", reason: "" }],
    });
    expect(decision.reclamation?.row.planEpoch).toBe(2);
    expect(decision.steps.every((step) => step.id.startsWith("new-") && step.status !== "succeeded")).toBe(
      true,
    );
  });

  it.each([
    ["the agent's report is of an earlier boot", { inventory: inventory(2) }],
    ["the agent is silent", { agent: agent({ lastSeenMs: now - 2 * minute }) }],
    ["the agent is of a boot before the least that counts", { context: { network, minEpoch: 4 } }],
    ["no agent is there", { agent: null }],
  ])("boots the agent when %s", (_what, changes) => {
    const decision = init(changes);
    expect(path(decision)[0]).toBe("WaitingForCleanup/BootingAgent");
    expect(decision.steps).toEqual([]);
  });

  it("reads again when its claim brought no inventory", () => {
    const decision = init({ inventory: { bmc: null, agent: null } });
    expect(path(decision)).toEqual([]);
    expect(decision.run.dueAtMs).toBeLessThan(now + 1_000);
  });

  describe("reads the BMC's drives before the list is frozen", () => {
    const told = (storage: typeof allDrives, changes = {}) =>
      ({
        drivesUnread: true,
        effects: [drivesEffect("before", reclamation(), "done", drivesTold(storage, changes))],
      }) satisfies ViewChanges;
    const unnamed = unresolved({
      source: "bmc",
      place: "bay 7",
      slot: "7",
      serial: null,
      model: null,
      reason: "Drive in bay 7 has no serial number.",
    });

    it("and makes no plan until it has them", () => {
      const decision = init({ drivesUnread: true });
      expect([path(decision), decision.steps, effectKindsOf(decision)]).toEqual([[], [], ["verify"]]);
      expect(decision.effects[0]?.request).toEqual({
        only: "storage",
        of: readingOf(reclamation(), "before"),
      });
      const failed = init({
        drivesUnread: true,
        effects: [
          drivesEffect("before", reclamation(), "failed", {
            error: { kind: "failed", message: "GET /Storage was answered 500" },
          }),
        ],
      });
      expect([path(failed), failed.steps, failed.storage, failed.run.dueAtMs]).toEqual([
        [],
        [],
        null,
        now + 30_000,
      ]);
    });

    it("asks the boot for them where one is needed, once", () => {
      const asked = (changes: ViewChanges = {}) =>
        init({ drivesUnread: true, agent: null, ...changes }).effects.map(({ kind, request }) => [
          kind,
          request["storage"],
        ]);
      expect(asked()).toEqual([["bootAgent", readingOf(reclamation(), "before")]]);
      expect(
        asked({ effects: [{ ...drivesEffect("before", reclamation(), "permitted"), generation: "7" }] }),
      ).toEqual([["bootAgent", undefined]]);
    });

    it("freezes what was read, and keeps it", () => {
      const decision = init({
        ...told([...allDrives, { ...ssd1, serial: "NEW1" }]),
        inventory: { ...inventory(), bmc: [] },
      });
      expect(path(decision)).toEqual(["Failed/DeviceMissing"]);
      expect(decision.run.lastError).toMatch(
        /^Drive NEW1 \(PM893\) is missing: known by BMC, and not found by the agent/,
      );
      expect(decision.storage?.storage.map(({ serial }) => serial)).toEqual([
        "NVME1",
        "NVME2",
        "SSD1",
        "NEW1",
      ]);
    });

    it("does not lose a drive that was listed before and is not now", () => {
      const shorter = init({
        ...told([nvme1, nvme2]),
        inventory: {
          bmc: allDrives,
          agent: { bootEpoch: 3, collectedMs: now, body: inventoryOf([nvme1, nvme2]) },
        },
      });
      expect(path(shorter)).toEqual(["Failed/DeviceMissing"]);
      expect(shorter.run.lastError).toMatch(
        /^Drive SSD1 \(PM893\) is missing: known by an earlier reading of the BMC/,
      );
      expect(shorter.storage).toMatchObject({
        storage: [{ serial: "NVME1" }, { serial: "NVME2" }],
        earlier: [{ serial: "SSD1" }],
      });
      const again = init({
        ...told([nvme1]),
        inventory: {
          bmc: [nvme1, nvme2],
          bmcEarlier: [ssd1],
          agent: { bootEpoch: 3, collectedMs: now, body: inventoryOf([nvme1, nvme2]) },
        },
      });
      expect(again.storage?.earlier.map(({ serial }) => serial).toSorted()).toEqual(["NVME2", "SSD1"]);
      expect(again.run.lastError).toMatch(/SSD1/);
    });

    it("writes what cannot be named into the list, and goes on: the gate says it", () => {
      const decision = init(told(allDrives, { unresolved: [unnamed] }));
      expect(path(decision)).toEqual(["WaitingForCleanup/HostCleanup"]);
      expect(decision.reclamation?.row.devices?.unresolved).toEqual([unnamed]);
      expect(decision.storage?.unresolved).toEqual([unnamed]);
    });

    it("writes what the agent cannot name into the list, and plans without it", () => {
      const report = { ...inventory(), bmc: allDrives };
      const decision = init({
        inventory: {
          ...report,
          agent: {
            bootEpoch: 3,
            collectedMs: now,
            body: { ...inventoryOf(allDrives), unnamed: [nameless] },
          },
        },
      });
      expect(path(decision)).toEqual(["WaitingForCleanup/HostCleanup"]);
      expect(decision.reclamation?.row.devices).toMatchObject({
        expected: allDrives.map(({ serial }) => ({ serial })),
        unresolved: unnamedStorage([nameless]).unresolved,
      });
    });

    it("plans by what the storage tree offers now", () => {
      const decision = init({
        ...told(allDrives, { platform: { ...noPlatformFacts, erasableDrives: ["SSD1"] } }),
        inventory: {
          bmc: allDrives,
          agent: { bootEpoch: 3, collectedMs: now, body: inventoryOf([nvme1, nvme2]) },
        },
      });
      expect(decision.steps.map(({ step }) => step)).toContain("secure_erase_drives");
    });
  });

  it.each([
    [
      "the BMC knows",
      {
        inventory: {
          bmc: allDrives,
          agent: { bootEpoch: 3, collectedMs: now, body: inventoryOf([nvme1, ssd1]) },
        },
      },
      /^Drive NVME2 \(P5520\) is missing: known by BMC/,
    ],
    [
      "a debt names",
      { debts: { count: 1, driveSerials: ["NVME1", "SOLD"] } },
      /^Drive SOLD is missing: known by sanitization debt/,
    ],
  ])("fails for a drive that %s and the agent does not see", (_what, changes, message) => {
    const decision = init(changes);
    expect(path(decision)).toEqual(["Failed/DeviceMissing"]);
    expect(decision.run.lastError).toMatch(message);
    // The plan is made all the same.
    expect(decision.reclamation?.row).toMatchObject({
      stoppedCause: "DeviceMissing",
      stoppedIn: "WaitingForCleanup/Init",
      planMade: true,
    });
  });

  it("waits for the admin network", () => {
    const decision = init({ acks: [] });
    expect(path(decision)).toEqual([]);
    expect(decision.run.waitReason).toMatch(/0 of 2 interfaces/);
  });
});

describe("automated cleaning off", () => {
  const off = { ...plainPolicy(), automatedClean: false };
  const init = (kind: "release" | "onboarding", debts: number, own: boolean | null = null, policy = off) =>
    decideOn(
      hostView("WaitingForCleanup/Init", {
        ...queued,
        reclamation: reclamation({ kind, policy }),
        host: { automatedClean: own },
        debts: { count: debts, driveSerials: [] },
      }),
    );

  it("ends a release in Manageable, not cleaned", () => {
    const decision = init("release", 1);
    expect(path(decision)).toEqual(["Manageable"]);
    expect(decision.reclamation).toMatchObject({
      outcome: "abandoned",
      row: {
        message:
          "not conforming: automated cleaning is off on this site; the host was released and not cleaned",
      },
    });
    expect(decision.clearDebts).toBeNull();
    // What was not done is on record.
    expect(
      decision.gates
        .filter((gate) => ["cleanupCompleted", "storageSanitized", "memoryOverwritten"].includes(gate.gate))
        .map((gate) => gate.status),
    ).toEqual(["unsatisfied", "unsatisfied", "unsatisfied"]);
  });

  it("or on is the host's own to say, before its site", () => {
    const site = plainPolicy();
    expect(path(init("release", 1, false, site))).toEqual(["Manageable"]);
    expect(path(init("onboarding", 0, false, site))).toEqual(["BomValidating/UpdatingInventory"]);
    expect(path(init("onboarding", 1, false, site))).toEqual(["WaitingForCleanup/HostCleanup"]);
    expect(path(init("release", 1, true))).toEqual(["WaitingForCleanup/HostCleanup"]);
    expect(path(init("onboarding", 0, true))).toEqual(["WaitingForCleanup/HostCleanup"]);
  });

  it("skips the plan of a host that owes nothing", () => {
    const decision = init("onboarding", 0);
    expect(path(decision)).toEqual(["BomValidating/UpdatingInventory"]);
    expect(decision.run.context.proven.cleaningSkipped).toBe(true);
  });

  it("cleans a host that an exception let through before, all the same", () => {
    const decision = decideOn(
      hostView("WaitingForCleanup/Init", {
        ...queued,
        context: { ...queued.context, exceptedUntil: new Date(now).toISOString() },
        reclamation: reclamation({ kind: "onboarding", policy: off }),
      }),
    );
    expect(path(decision)).toEqual(["WaitingForCleanup/HostCleanup"]);
  });

  it("cleans a host that owes a sanitization all the same", () => {
    const decision = init("onboarding", 1);
    expect(path(decision)).toEqual(["WaitingForCleanup/HostCleanup"]);
    expect(decision.run.context.proven.cleaningSkipped).toBe(false);
  });
});

describe("BootingAgent", () => {
  it.each([
    ["WaitingForCleanup/HostCleanup", "WaitingForCleanup/HostCleanup"],
    ["WaitingForCleanup/Init", "WaitingForCleanup/Init"],
    [null, "WaitingForCleanup/Init"],
  ] as const)("goes on to %s", (returnTo, state) => {
    const decision = decideOn(
      hostView("WaitingForCleanup/BootingAgent", {
        ...queued,
        reclamation: planned(),
        steps: plan(),
        context: { network, returnTo },
      }),
    );
    expect(path(decision)[0]).toBe(state);
  });
});

describe("after the last step", () => {
  it("a restart is owed before the inventory, whatever agent is there", () => {
    const steps = succeededPlan().map((step) =>
      step.position === 4 ? { ...step, status: "planned" as const, attempt: 0 } : step,
    );
    const last = hostView("WaitingForCleanup/HostCleanup", {
      reclamation: planned(),
      steps: steps.map((step) =>
        step.position === 4
          ? { ...step, status: "running", attempt: 1, startedAtMs: now, deadlineAtMs: now + minute }
          : step,
      ),
      agent: agent(),
      attempt: {
        stepRunId: stepId(4),
        attempt: 1,
        bootEpoch: 3,
        report: { attempt: 1, result: "OK", message: "reset", devices: [], journal: [] },
        verdict: null,
        progress: noProgress,
        journal: [],
      },
      context: { network, minEpoch: 3 },
    });
    const decision = decideOn(last);
    expect(path(decision)).toEqual(["BomValidating/BootingAgent"]);
    // The drives are read before the restart, not while the machine starts.
    expect(effectKindsOf(decision)).toEqual(["bootAgent"]);
    expect(decision.effects[0]?.request).toMatchObject({ storage: readingOf(planned(), "after") });
    expect(decision.run.context).toMatchObject({ minEpoch: 4, proven: { lastStepEpoch: 3 } });
    expect(decision.run.command).toBeNull();
  });

  it("a planned step that this version does not know stops the host", () => {
    const decision = decideOn(
      hostView("WaitingForCleanup/HostCleanup", {
        reclamation: planned(),
        steps: plan({ erase_nvme: { step: "erase_holograms" } }),
        agent: agent(),
        context: { network },
      }),
    );
    expect(path(decision)).toEqual(["Failed/CleanFailed"]);
    expect(decision.steps).toMatchObject([{ position: 1, status: "failed" }]);
  });
});

describe("a firmware rollout of the host's SKU", () => {
  const id = "00000000-0000-4000-8000-0000000000aa";
  const decide = (decided: boolean) =>
    decideOn(hostView("WaitingForCleanup/Queued", { ...queued, rollout: { id, decided } }));
  it("decides before the plan is made, and is told so", () => {
    const waits = decide(false);
    expect(path(waits)).toEqual(["WaitingForCleanup/Init"]);
    expect(waits.reclamation?.row.planMade).not.toBe(true);
    expect(waits.run.context.cleaning.waitsForRollout).toBe(id);
    expect(waits.run.waitReason).toContain("firmware rollout");
  });
  it("that has decided holds up nothing", () => {
    const plans = decide(true);
    expect(path(plans)).toEqual(["WaitingForCleanup/Init", "WaitingForCleanup/HostCleanup"]);
    expect(plans.run.context.cleaning.waitsForRollout).toBeUndefined();
  });
  it("brings its files into the plan, if the BMC takes updates", () => {
    const image = {
      component: "BIOS",
      version: "1.9",
      url: "http://images.test/1.9",
      checksum: "a".repeat(64),
    };
    const withFiles = (firmwareUpdate: boolean) =>
      decideOn(
        hostView("WaitingForCleanup/Queued", {
          ...queued,
          rollout: { id, decided: true },
          host: { sku: { ...sku, images: [image] } },
          platform: { ...noPlatformFacts, firmwareUpdate },
        }),
      ).steps.map(({ step }) => step);
    expect(withFiles(true)).toContain("apply_baseline");
    expect(withFiles(false)).not.toContain("apply_baseline");
  });
});
