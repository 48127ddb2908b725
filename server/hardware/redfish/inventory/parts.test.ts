// GPUs, network cards and memory modules by Redfish, in the captured trees: nothing is made up, and what cannot be read is not told.
import { expect, it } from "vitest";
import { partFault } from "@/server/domain/hosts/parts/fault";
import { partsReport } from "@/server/domain/hosts/parts/part";
import type { PartsReport } from "@/server/domain/hosts/parts/part";
import { inventoryBench } from "@/server/hardware/redfish/testing/benches";
import type { TreeBmc, TreeName } from "@/server/hardware/redfish/testing/tree-bmc";

const bench = inventoryBench();

async function partsOf(tree: TreeName, type: string, fault: TreeBmc["fault"] = null): Promise<PartsReport> {
  const collected = await bench.collect(tree, type, fault);
  if (!collected.ok) throw new Error(collected.error.message);
  return partsReport.parse(collected.value.inventory.parts);
}

const some = (report: PartsReport, kind: string) => report.found.filter((each) => each.kind === kind);

it("reads a Dell with an H100, a BlueField-2 and three network cards", async () => {
  const report = await partsOf("dell", "idrac");
  expect(report.told).toEqual(["gpu", "memory", "nic", "dpu"]);
  expect(some(report, "gpu")).toMatchObject([
    { slot: "Video.Slot.2-1", model: "NVIDIA H100 PCIe", serial: "1654422007043" },
  ]);
  expect(some(report, "dpu")).toMatchObject([
    { slot: "NIC.Slot.5", serial: "MT2242XZ00QA", firmware: "24.40.10.00" },
  ]);
  expect(some(report, "nic").map(({ slot, serial }) => [slot, serial ?? null])).toEqual(
    expect.arrayContaining([
      ["NIC.Integrated.1", "VNFCVBA14I00AD"],
      ["InfiniBand.Slot.7", null],
    ]),
  );
  expect(some(report, "memory")).toHaveLength(16);
  expect(some(report, "memory")[0]).toMatchObject({ memoryBytes: "34359738368", memoryType: "DDR4" });
  expect(report.found.map(partFault).filter((fault) => fault !== null)).toEqual([]);
});

it("reads a Lenovo with two A6000, whose names and links only their slots have, and leaves out empty slots", async () => {
  const report = await partsOf("lenovo", "xclarity");
  expect(some(report, "gpu").map(({ model, serial, link }) => ({ model, serial, link }))).toEqual([
    ...["1322221026831", "1322221028609"].map((serial) => ({
      ...{ model: "NVIDIA Quadro RTX A6000", serial },
      link: { width: 16, maxWidth: 16, maxSpeed: 16 },
    })),
  ]);
  expect(some(report, "memory")).toHaveLength(16);
  expect(some(report, "nic")).toHaveLength(2);
});

it("a kind that the BMC fails to list is not told, and does not stop the inventory", async () => {
  const report = await partsOf("lenovo", "xclarity", ({ path }, response) => {
    const fails = /\/Memory(\?|$)/.test(path);
    if (fails) response.writeHead(500).end();
    return fails;
  });
  expect(report.told).toEqual(["gpu", "nic", "dpu"]);
  expect(report.untold).toMatchObject([
    { kind: "nvswitch" },
    { kind: "memory", reason: expect.stringContaining("500") },
  ]);
  expect(some(report, "memory")).toEqual([]);
});
