// What a host's plan can consist of: the catalogue, and the steps that its agent offers.
import { describe, expect, it } from "vitest";
import { makePlan } from "@/server/domain/cleaning/plan/plan";
import { effectiveSteps, tiesWithinInterface } from "@/server/domain/cleaning/plan/priorities";
import { cleanSteps, findCleanStep, hostCatalogue } from "@/server/domain/cleaning/steps/catalogue";
import { stepInterfaces } from "@/server/domain/cleaning/steps/step";
import type { CleanStep, KnownHardware } from "@/server/domain/cleaning/steps/step";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import { failureCauses } from "@/server/domain/lifecycle/states";
import { drive, nothing, step } from "@/server/domain/cleaning/plan/testing/steps";

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
      "deploy.wipe (priority 10) would write to drives already erased by deploy.erase: give it a priority above 50",
  });
  expect(makePlan([erase, { ...write, priority: 60 }], [], nothing).ok).toBe(true);
});
