// The automated plan: which steps, in which order, and that the order is never an accident.
import { describe, expect, it } from "vitest";
import { cleanSteps, findCleanStep, stepInterfaces } from "@/server/domain/cleaning/clean-steps";
import type { CleanStep, StepInterface } from "@/server/domain/cleaning/clean-steps";
import { automatedPlan, tiesWithinInterface } from "@/server/domain/cleaning/plan";
import type { StorageDevice } from "@/server/domain/inventory/inventory";
import { failureCauses } from "@/server/domain/lifecycle/states";

const step = (stepInterface: StepInterface, name: string, priority: number, applies = true): CleanStep => ({
  interface: stepInterface, step: name, priority, abortable: false, where: "controller", state: "WaitingForCleanup/PlatformCleanup", proves: [], failureCause: "CleanFailed", erases: false, devices: () => [], applies: () => applies,
});
const nothing = { storage: [], infiniband: [] };
const names = (catalogue: readonly CleanStep[]) => automatedPlan(catalogue, nothing).map((row) => row.step.step);
const drive = (transport: StorageDevice["transport"], removable = false): StorageDevice => ({ serial: transport, model: "M", media: "nvme", transport, capacityBytes: "1", removable });

describe("the order", () => {
  it("is by priority, highest first", () => {
    expect(names([step("raid", "low", 1), step("raid", "high", 99), step("bios", "middle", 50)])).toEqual(["high", "middle", "low"]);
  });

  it("of a tie is vendor, power, management, firmware, deploy, bios, raid", () => {
    const catalogue = [...stepInterfaces].map((name) => step(name, name, 10));
    expect(names(catalogue)).toEqual(["vendor", "power", "management", "firmware", "deploy", "bios", "raid"]);
    expect(names([...catalogue].reverse())).toEqual(["vendor", "power", "management", "firmware", "deploy", "bios", "raid"]);
  });

  it("leaves out priority 0 and what does not apply", () => {
    expect(names([step("raid", "by hand", 0), step("raid", "elsewhere", 5, false), step("raid", "here", 4)])).toEqual(["here"]);
  });

  it("refuses ties within one interface", () => {
    const [a, b] = [step("raid", "a", 7), step("raid", "b", 7)];
    expect(tiesWithinInterface([a, step("bios", "c", 7), b, step("raid", "d", 0), step("raid", "e", 0)])).toEqual([[a, b]]);
  });
});

describe("the catalogue", () => {
  it("has no tie, no name twice, and a cause that exists", () => {
    expect(tiesWithinInterface(cleanSteps)).toEqual([]);
    expect(new Set(cleanSteps.map((row) => `${row.interface}.${row.step}`)).size).toBe(cleanSteps.length);
    for (const row of cleanSteps) expect(failureCauses).toContain(row.failureCause);
  });

  it.each([
    ["erase_nvme", [drive("nvme")], true], ["erase_nvme", [drive("sata")], false], ["erase_nvme", [drive("nvme", true)], false],
    ["erase_disks", [drive("sata")], true], ["erase_disks", [drive("sas")], true], ["erase_disks", [drive("usb"), drive("virtual"), drive("nvme")], false],
    ["verify_mem_overwrite", [], true], ["reset_infiniband", [], false],
  ] as const)("%s with %o: %s", (name, storage, applies) => {
    const row = findCleanStep("deploy", name);
    expect(row?.applies({ storage, infiniband: [] })).toBe(applies);
    if (row?.erases === true) expect(row.devices({ storage, infiniband: [] })).toHaveLength(applies ? 1 : 0);
  });

  it("resets InfiniBand of the host, not of a DPU", () => {
    const row = findCleanStep("deploy", "reset_infiniband");
    const card = (dpu: boolean) => ({ storage: [], infiniband: [{ slot: "1", model: "C", guid: "g", ports: 1, dpu }] });
    expect(row?.applies(card(false))).toBe(true);
    expect(row?.applies(card(true))).toBe(false);
  });

  it("treats every kind of drive that is not removable by exactly one step", () => {
    for (const transport of ["nvme", "sata", "sas"] as const) expect(cleanSteps.filter((row) => row.devices({ storage: [drive(transport)], infiniband: [] }).length > 0)).toHaveLength(1);
  });

  it("knows no step of another name", () => {
    expect(findCleanStep("deploy", "erase_holograms")).toBeNull();
    expect(findCleanStep("raid", "erase_nvme")).toBeNull();
  });
});
