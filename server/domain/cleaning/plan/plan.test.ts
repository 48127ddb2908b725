// The automated plan: which steps, in which order, and that the order is never an accident.
import { describe, expect, it } from "vitest";
import { automatedPlan, disabledSteps, makePlan } from "@/server/domain/cleaning/plan/plan";
import {
  effectiveSteps,
  overrideScopes,
  tieMessage,
  tiesWithinInterface,
} from "@/server/domain/cleaning/plan/priorities";
import type { StepOverride } from "@/server/domain/cleaning/plan/priorities";
import { cleanSteps, findCleanStep, hostCatalogue } from "@/server/domain/cleaning/steps/catalogue";
import { cleanStep, stepInterfaces } from "@/server/domain/cleaning/steps/step";
import type { CleanStep, KnownHardware, StepInterface } from "@/server/domain/cleaning/steps/step";
import { noPlatformFacts } from "@/server/domain/inventory/platform";
import type { StorageDevice } from "@/server/domain/inventory/inventory";
import { failureCauses } from "@/server/domain/lifecycle/states";

const step = (stepInterface: StepInterface, name: string, priority: number, applies = true): CleanStep =>
  cleanStep({
    interface: stepInterface,
    step: name,
    summary: "",
    priority,
    where: "controller",
    state: "WaitingForCleanup/PlatformCleanup",
    failureCause: "CleanFailed",
    applies: () => applies,
  });
const nothing: KnownHardware = {
  hardwareType: "redfish",
  storage: [],
  infiniband: [],
  platform: noPlatformFacts,
  baseline: null,
};
const names = (catalogue: readonly CleanStep[], overrides: readonly StepOverride[] = []) =>
  automatedPlan(catalogue, overrides, nothing).map((row) => row.step.step);
const drive = (transport: StorageDevice["transport"], removable = false): StorageDevice => ({
  serial: transport,
  model: "M",
  media: "nvme",
  transport,
  capacityBytes: "1",
  removable,
});

describe("the order", () => {
  it("is by priority, highest first", () => {
    expect(names([step("raid", "low", 1), step("raid", "high", 99), step("bios", "middle", 50)])).toEqual([
      "high",
      "middle",
      "low",
    ]);
  });

  it("of a tie is vendor, power, management, firmware, deploy, bios, raid", () => {
    const catalogue = [...stepInterfaces].map((name) => step(name, name, 10));
    expect(names(catalogue)).toEqual(["vendor", "power", "management", "firmware", "deploy", "bios", "raid"]);
    expect(names([...catalogue].reverse())).toEqual([
      "vendor",
      "power",
      "management",
      "firmware",
      "deploy",
      "bios",
      "raid",
    ]);
  });

  it("leaves out priority 0 and what does not apply", () => {
    expect(
      names([step("raid", "by hand", 0), step("raid", "elsewhere", 5, false), step("raid", "here", 4)]),
    ).toEqual(["here"]);
  });

  it("refuses ties within one interface", () => {
    const [a, b] = [step("raid", "a", 7), step("raid", "b", 7)];
    const ties = tiesWithinInterface(
      effectiveSteps([a, step("bios", "c", 7), b, step("raid", "d", 0), step("raid", "e", 0)], []),
    );
    expect(ties.map(([one, other]) => [one.step, other.step])).toEqual([[a, b]]);
    expect(ties.map(tieMessage)).toEqual(["raid.a and raid.b have the same priority 7"]);
  });
});

describe("an override", () => {
  const catalogue = [step("raid", "a", 7), step("raid", "b", 5)];
  const override = (scope: StepOverride["scope"], name: string, priority: number): StepOverride => ({
    scope,
    interface: "raid",
    step: name,
    priority,
  });

  it("of the most specific scope wins, in whatever order they come", () => {
    const overrides = overrideScopes.map((scope, index) => override(scope, "a", index + 1));
    for (const list of [overrides, [...overrides].reverse()])
      expect(effectiveSteps(catalogue, list)[0]).toMatchObject({ priority: 3, source: "host" });
    expect(effectiveSteps(catalogue, overrides.slice(0, 2))[0]).toMatchObject({ priority: 2, source: "sku" });
    expect(effectiveSteps(catalogue, overrides.slice(0, 1))[0]).toMatchObject({
      priority: 1,
      source: "site",
    });
    expect(effectiveSteps(catalogue, [])[0]).toMatchObject({ priority: 7, source: "default" });
  });

  it("changes the order, adds a step by hand, and disables one", () => {
    expect(names(catalogue, [override("site", "b", 9)])).toEqual(["b", "a"]);
    expect(names(catalogue, [override("host", "a", 0)])).toEqual(["b"]);
    expect(
      disabledSteps(catalogue, [override("host", "a", 0)], nothing).map((row) => [row.step, row.source]),
    ).toEqual([["a", "host"]]);
    expect(names([step("raid", "by hand", 0)], [override("sku", "by hand", 3)])).toEqual(["by hand"]);
  });

  it("may make a tie, which is found", () => {
    expect(tiesWithinInterface(effectiveSteps(catalogue, [override("sku", "b", 7)]))).toHaveLength(1);
  });
});

describe("the plan of a host", () => {
  const catalogue = [step("raid", "a", 7), step("raid", "b", 5), step("raid", "elsewhere", 5, false)];

  it("is none where overrides of several scopes make a tie, and says which steps", () => {
    const made = makePlan(
      catalogue,
      [
        { scope: "site", interface: "raid", step: "a", priority: 6 },
        { scope: "host", interface: "raid", step: "b", priority: 6 },
      ],
      nothing,
    );
    expect(made).toEqual({
      ok: false,
      message: "raid.a and raid.b have the same priority 6: give one of them another priority",
    });
  });

  it("is not kept up by a step that this hardware has nothing for", () => {
    const made = makePlan(catalogue, [], nothing);
    expect(made.ok && made.steps.map((row) => row.step.step)).toEqual(["a", "b"]);
  });

  it("names what an override disabled: the gates that it would have proven, and the drives that it would have treated", () => {
    const made = makePlan(
      cleanSteps,
      [
        { scope: "sku", interface: "deploy", step: "erase_nvme", priority: 0 },
        { scope: "site", interface: "deploy", step: "erase_disks", priority: 0 },
        { scope: "site", interface: "deploy", step: "burnin_cpu", priority: 0 },
      ],
      { ...nothing, storage: [drive("nvme")] },
    );
    expect(made.ok && made.disabled).toEqual([
      {
        interface: "deploy",
        step: "erase_nvme",
        source: "sku",
        proves: ["storageSanitized"],
        devices: [{ serial: "nvme", model: "M" }],
      },
    ]);
  });

  it("counts an erase that names no drive among what storage rests on", () => {
    const boss = { ...nothing, platform: { ...noPlatformFacts, bossController: "BOSS-1" } };
    const made = makePlan(
      cleanSteps,
      [{ scope: "host", interface: "raid", step: "secure_erase_boss", priority: 0 }],
      boss,
    );
    expect(made.ok && made.disabled).toMatchObject([
      { step: "secure_erase_boss", proves: ["storageSanitized"], devices: [] },
    ]);
  });

  it("of an erase that declares no gate holds the storage gate up all the same", () => {
    const erase = cleanStep({
      interface: "vendor",
      step: "scrub",
      summary: "",
      priority: 9,
      where: "agent",
      state: "WaitingForCleanup/HostCleanup",
      failureCause: "CleanFailed",
      erases: true,
    });
    const made = makePlan(
      [erase],
      [{ scope: "host", interface: "vendor", step: "scrub", priority: 0 }],
      nothing,
    );
    expect(made.ok && made.disabled).toMatchObject([
      { step: "scrub", source: "host", proves: ["storageSanitized"] },
    ]);
  });
});

describe("the steps that an agent offers", () => {
  const offered = { interface: "deploy", step: "scrub_nic", priority: 33, abortable: false };

  it("join the catalogue of their host; what is ours stays ours", () => {
    const catalogue = hostCatalogue([
      offered,
      { interface: "deploy", step: "erase_nvme", priority: 1, abortable: true },
      { interface: "astral", step: "x", priority: 1, abortable: true },
    ]);
    expect(catalogue).toHaveLength(cleanSteps.length + 1);
    expect(findCleanStep("deploy", "scrub_nic")).toBeNull();
    expect(findCleanStep("deploy", "scrub_nic", [offered])).toMatchObject({
      priority: 33,
      where: "agent",
      erases: true,
      failureCause: "CleanFailed",
    });
    expect(findCleanStep("deploy", "erase_nvme", [offered])?.priority).toBe(90);
  });

  it("are one step where several hardware managers offer it", () => {
    expect(
      hostCatalogue([offered, { ...offered, priority: 5 }]).filter((row) => row.step === "scrub_nic"),
    ).toMatchObject([{ priority: 33 }]);
  });

  it("may bring a tie, which is no order", () => {
    const made = makePlan(hostCatalogue([{ ...offered, priority: 60 }]), [], nothing);
    expect(made).toMatchObject({
      ok: false,
      message: expect.stringMatching(
        /deploy.verify_mem_overwrite and deploy.scrub_nic have the same priority 60/,
      ),
    });
  });

  it("count as an erase unless they can be stopped", () => {
    expect(findCleanStep("deploy", "scrub_nic", [{ ...offered, abortable: true }])?.erases).toBe(false);
  });
});

describe("the catalogue", () => {
  it("has no tie, no name twice, and a cause that exists", () => {
    expect(tiesWithinInterface(effectiveSteps(cleanSteps, []))).toEqual([]);
    expect(new Set(cleanSteps.map((row) => `${row.interface}.${row.step}`)).size).toBe(cleanSteps.length);
    for (const row of cleanSteps) expect(failureCauses).toContain(row.failureCause);
  });

  it.each([
    ["erase_nvme", [drive("nvme")], true],
    ["erase_nvme", [drive("sata")], false],
    ["erase_nvme", [drive("nvme", true)], true],
    ["erase_disks", [drive("usb", true)], false],
    ["erase_disks", [drive("sata")], true],
    ["erase_disks", [drive("sas")], true],
    ["erase_disks", [drive("usb"), drive("virtual"), drive("nvme")], false],
    ["verify_mem_overwrite", [], true],
    ["reset_infiniband", [], false],
  ] as const)("%s with %o: %s", (name, storage, applies) => {
    const row = findCleanStep("deploy", name);
    expect(row?.applies({ ...nothing, storage })).toBe(applies);
    if (row?.erases === true) expect(row.devices({ ...nothing, storage }, {})).toHaveLength(applies ? 1 : 0);
  });

  it("resets InfiniBand of the host, not of a DPU", () => {
    const row = findCleanStep("deploy", "reset_infiniband");
    const card = (dpu: boolean) => ({
      ...nothing,
      infiniband: [{ slot: "1", model: "C", guid: "g", ports: 1, dpu }],
    });
    expect(row?.applies(card(false))).toBe(true);
    expect(row?.applies(card(true))).toBe(false);
  });

  it("treats every kind of drive that is not removable by exactly one step", () => {
    for (const transport of ["nvme", "sata", "sas"] as const)
      expect(
        cleanSteps.filter(
          (row) =>
            row.priority > 0 && row.devices({ ...nothing, storage: [drive(transport)] }, {}).length > 0,
        ),
      ).toHaveLength(1);
  });

  it("asks no agent for a drive that only the BMC reaches, and the BMC for all behind its controllers", () => {
    const hidden = { ...drive("sata"), outOfBand: true } as const;
    const card = {
      ...nothing,
      storage: [hidden],
      platform: { ...noPlatformFacts, bossController: "BOSS-1", bossDrives: ["sata"] },
    };
    const treats = (known: KnownHardware) =>
      cleanSteps.filter((row) => row.devices(known, {}).length > 0).map((row) => row.step);
    expect(treats(card)).toEqual(["secure_erase_boss"]);
    expect(treats({ ...card, platform: { ...noPlatformFacts, erasableDrives: ["sata"] } })).toEqual([
      "secure_erase_drives",
    ]);
    expect(treats({ ...card, platform: noPlatformFacts })).toEqual([]);
  });

  it("knows no step of another name", () => {
    expect(findCleanStep("deploy", "erase_holograms")).toBeNull();
    expect(findCleanStep("raid", "erase_nvme")).toBeNull();
    expect(findCleanStep("astral", "hold")).toBeNull();
  });

  it("knows the reserved steps under any interface", () => {
    for (const name of stepInterfaces)
      expect(findCleanStep(name, "hold")).toMatchObject({ interface: name, reserved: true });
  });
});

it("refuses a step that would write to drives after they were erased", () => {
  const write: CleanStep = { ...step("deploy", "wipe", 10), writes: true };
  const erase: CleanStep = { ...step("deploy", "erase", 50), where: "agent", proves: ["storageSanitized"] };
  expect(makePlan([erase, write], [], nothing)).toEqual({
    ok: false,
    message:
      "deploy.wipe (priority 10) would write to drives that deploy.erase has erased: give it a priority over 50",
  });
  expect(makePlan([erase, { ...write, priority: 60 }], [], nothing).ok).toBe(true);
});
