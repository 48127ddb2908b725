// The host of the controller's tests: two NVMe drives, one SATA drive, InfiniBand; its SKU, and honest reports about it.
import { createHash } from "node:crypto";
import type { Fingerprint } from "@/server/domain/cleaning/sanitization/content";
import type { Command, ExecuteCommand, ResultBody } from "@/server/domain/agents/protocol";
import type {
  HardwareInventory,
  StorageDevice,
  UnnamedDevice,
} from "@/server/domain/hosts/inventory/inventory";
import type { SkuComponents } from "@/server/domain/hosts/inventory/sku";
import type { DeviceResult, Verification } from "@/server/domain/cleaning/sanitization/device-result";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";

export const chassisSerial = "CHASSIS1";
export const systemUuid = "4c4c4544-0031-4810-8031-b1c04f443033";
export const interfaces = ["dpu0", "nic1"] as const;

export const nvme1: StorageDevice = {
  serial: "NVME1",
  model: "P5520",
  media: "nvme",
  transport: "nvme",
  capacityBytes: "1920383410176",
  removable: false,
};
export const nvme2: StorageDevice = { ...nvme1, serial: "NVME2" };
export const ssd1: StorageDevice = {
  serial: "SSD1",
  model: "PM893",
  media: "ssd",
  transport: "sata",
  capacityBytes: "480103981056",
  removable: false,
};
export const allDrives: readonly StorageDevice[] = [nvme1, nvme2, ssd1];

/** The agent's inventory of a host with these drives. */
export function inventoryOf(storage: readonly StorageDevice[]): HardwareInventory {
  return {
    system: { manufacturer: "Dell Inc.", product: "PowerEdge R760", serial: chassisSerial, uuid: systemUuid },
    cpus: [{ model: "Xeon 6430", cores: 32 }],
    memoryBytes: "549755813888",
    storage: [...storage],
    nics: [{ name: "eno1", mac: "00:11:22:33:44:55" }],
    infiniband: [{ slot: "3", model: "ConnectX-7", guid: "0x1", ports: 1, dpu: false }],
    parts: { told: ["gpu", "nic", "dpu", "nvswitch"], untold: [], found: [] },
  };
}

export const sku: { readonly name: string; readonly components: SkuComponents } = {
  name: "R760",
  components: {
    manufacturer: "Dell Inc.",
    product: "PowerEdge R760",
    cpus: { count: 1, model: "Xeon 6430" },
    memoryBytes: "549755813888",
    storage: [
      { media: "nvme", count: 2, capacityBytes: nvme1.capacityBytes },
      { media: "ssd", count: 1, capacityBytes: ssd1.capacityBytes },
    ],
    infiniband: 1,
  },
};

const time = "2026-11-01T00:00:00.000Z";

/** Read back, and nothing was found. */
export const verified: Verification = {
  kind: "markers-and-digests",
  samples: 1000,
  bytes: "512000",
  seed: "s",
  markersWritten: 16,
  markersFound: 0,
  mismatches: 0,
  result: "passed",
};

/** A drive that the agent sees but cannot identify. */
export const nameless: UnnamedDevice = {
  place: "pci-0000:00:17.0-ata-3",
  serial: "",
  model: "PM893",
  media: "ssd",
  transport: "sata",
  capacityBytes: ssd1.capacityBytes,
  removable: false,
};

const techniqueFor = (device: StorageDevice): Technique =>
  device.media === "nvme" ? "nvme-sanitize-crypto" : "ata-sanitize-crypto";

/** A drive's content as an agent reports it; different `content` gives a different fingerprint. */
export function fingerprintOf({ serial }: { readonly serial: string }, content = "erased"): Fingerprint {
  const digest = createHash("sha256").update(`${serial} ${content}`).digest("base64url").slice(0, 22);
  return [
    {
      name: "drive",
      blocks: 1000,
      blockBytes: 512,
      places: { bootRecord: digest, partitionTable: digest, sampled: digest },
    },
  ];
}

/** An honest result for a device that was sanitized, with `changes`. */
export function deviceResultOf(device: StorageDevice, changes: Partial<DeviceResult> = {}): DeviceResult {
  const technique = changes.technique ?? techniqueFor(device);
  return {
    serial: device.serial,
    model: device.model,
    media: device.media,
    transport: device.transport,
    capacityBytes: device.capacityBytes,
    tries: [
      {
        technique,
        command: "sanitize",
        startedAt: time,
        endedAt: time,
        exitCode: 0,
        status: "SSTAT 1h",
        completed: true,
      },
    ],
    technique,
    verification: verified,
    fingerprint: fingerprintOf(device),
    tool: { name: "nvme-cli", version: "2.10" },
    result: "OK",
    message: "",
    ...changes,
  };
}

/** An honest report of a step that treated these devices. */
export function reportOf(
  attempt: number,
  devices: readonly DeviceResult[],
  changes: Partial<ResultBody> = {},
): ResultBody {
  return { attempt, result: "OK", message: "done", devices: [...devices], journal: [], ...changes };
}

/** Narrows a command to the execution of a step; throws on any other. */
export function executed(command: Command | null | undefined): ExecuteCommand {
  if (command?.kind !== "execute")
    throw new Error(`not the execution of a step: ${command?.kind ?? "nothing"}`);
  return command;
}
