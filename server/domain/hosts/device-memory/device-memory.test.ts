// Which devices hold memory, and when that is not known: unknown is never none.
import { expect, it } from "vitest";
import { bringsMemory, memoryDevicesOf } from "@/server/domain/hosts/device-memory/device-memory";
import { partKinds } from "@/server/domain/hosts/parts/part";
import type { Part, PartsReport } from "@/server/domain/hosts/parts/part";

const gpu: Part = { kind: "gpu", slot: "0000:17:00.0", model: "NVIDIA H100", pciId: "10de:2331" };
const nic: Part = { kind: "nic", slot: "0000:31:00.0", model: "ConnectX-7" };
const report = (found: Part[], change: Partial<PartsReport> = {}): PartsReport => ({
  told: [...partKinds],
  untold: [],
  found,
  ...change,
});

it("lists GPUs and switches, and no other parts", () => {
  const nvswitch: Part = { kind: "nvswitch", slot: "0000:05:00.0", model: "NVSwitch", serial: "7" };
  expect(memoryDevicesOf(report([gpu, nic, nvswitch]), null)).toEqual({
    known: true,
    devices: [gpu, nvswitch],
  });
  expect(memoryDevicesOf(report([nic]), report([]))).toEqual({ known: true, devices: [] });
});

it.each<[string, PartsReport | undefined, PartsReport | null, string]>([
  ["an agent that lists no parts", undefined, null, "does not list its PCI devices"],
  [
    "an agent that could not list them",
    report([nic], { told: ["nic"], untold: [{ kind: "gpu", reason: "lspci broke" }] }),
    null,
    "could not list its PCI devices: lspci broke",
  ],
  ["an agent that does not say why", report([], { told: ["gpu"] }), null, "it gives no reason"],
  ["a GPU that only the BMC lists", report([]), report([gpu]), "lists 1 GPU, and the agent finds none"],
  [
    "a GPU of two that only the BMC lists",
    report([gpu]),
    report([gpu, { ...gpu, slot: "PCIe 2" }]),
    "lists 2 GPUs, and the agent finds 1",
  ],
])("does not know them with %s", (_, byAgent, byBmc, why) => {
  expect(memoryDevicesOf(byAgent, byBmc)).toEqual({ known: false, why: expect.stringContaining(why) });
});

it("is brought in by a swap and an addition, and not by a loss", () => {
  const side = { slot: gpu.slot, model: gpu.model };
  expect(bringsMemory({ kind: "gpu", what: "swapped", before: side, now: side })).toBe(true);
  expect(bringsMemory({ kind: "nvswitch", what: "added", before: null, now: side })).toBe(true);
  expect(bringsMemory({ kind: "gpu", what: "gone", before: side, now: null })).toBe(false);
  expect(bringsMemory({ kind: "nic", what: "added", before: null, now: side })).toBe(false);
});
