// Erases by the real agent on simulated hosts: which devices, and what it reported about them.
import type { DeviceResult } from "@/agent/steps/results";
import type { ResultBody } from "@/server/domain/agents/protocol";
import type { HardwareInventory, StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type { Drive } from "@/server/simulator/drives/drive";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import type { TestFleet } from "@/server/simulator/testing/fleet";
import { until } from "@/server/simulator/testing/protocol-server";

export const nvmeOf = ({ storage }: HardwareInventory): StorageDevice[] =>
  storage.filter(({ media }) => media === "nvme");

export const disksOf = ({ storage }: HardwareInventory): StorageDevice[] =>
  storage.filter(({ media }) => media !== "nvme");

export const eraseNvme = { step: "erase_nvme", devices: nvmeOf } as const;

export const eraseDisks = { step: "erase_disks", devices: disksOf } as const;

export function driveOf({ drives }: SimulatedHost, place = 0): Drive {
  const drive = drives[place];
  if (!drive) throw new Error(`no drive in place ${place}`);
  return drive;
}

/** The result that arrived as number `count`. */
export const resultOf = ({ server }: TestFleet, count = 1): Promise<ResultBody> =>
  until(`result ${count}`, () => server.results[count - 1]?.body);

export function deviceIn(devices: readonly DeviceResult[], serial: string): DeviceResult {
  const found = devices.find((device) => device.serial === serial);
  if (!found) throw new Error(`no result for ${serial}`);
  return found;
}
