// Parts of a host for tests: two GPUs, a network card and two memory modules.
import type { Part, PartsReport } from "@/server/domain/hosts/parts/part";

export const gpu = (slot: string, serial: string, more: Partial<Part> = {}): Part => ({
  ...{ kind: "gpu", slot, serial, model: "NVIDIA H100 80GB HBM3", memoryBytes: "85520809984" },
  link: { width: 16, maxWidth: 16, speed: 32, maxSpeed: 32 },
  ...more,
});

export const nic: Part = { kind: "nic", slot: "0000:3b:00.0", model: "ConnectX-7", serial: "MT1" };

export const dimm = (slot: string, serial: string, more: Partial<Part> = {}): Part => ({
  ...{ kind: "memory", slot, serial, model: "M393", memoryType: "DDR5", memoryBytes: "34359738368" },
  ...more,
});

export const twoGpus: readonly Part[] = [gpu("0000:17:00.0", "G1"), gpu("0000:b1:00.0", "G2")];

/** Every kind is told. */
export const report = (found: readonly Part[], more: Partial<PartsReport> = {}): PartsReport => ({
  told: ["gpu", "nic", "dpu", "memory", "nvswitch"],
  untold: [],
  found: [...found],
  ...more,
});

export const allParts: readonly Part[] = [...twoGpus, nic, dimm("A1", "D1"), dimm("A2", "D2")];
