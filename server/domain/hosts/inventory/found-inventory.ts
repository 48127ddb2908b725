// What was found in a host: the agent's report, and what the BMC lists in addition. The controller and the Inventory tab share this rule.
import { deviceKey } from "@/server/domain/hosts/inventory/inventory";
import type { HardwareInventory, StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import { exclusion } from "@/server/domain/cleaning/sanitization/media-rules";
import type { MediaRule } from "@/server/domain/cleaning/sanitization/media-rules";

/** The BMC's drives that the agent is not expected to see. Pure. */
export function listedByBmcOnly(
  listed: readonly StorageDevice[],
  expected: readonly {
    readonly serial: string;
    readonly model: string;
    readonly sources: readonly string[];
  }[],
): StorageDevice[] {
  const agents = new Set(expected.filter(({ sources }) => sources.includes("agent")).map(deviceKey));
  return listed.filter((device) => !agents.has(deviceKey(device)));
}

/** The agent's report with the BMC's drives added, and without media excluded from cleaning. Pure. */
export function foundInventory(
  byAgent: HardwareInventory,
  byBmcOnly: readonly StorageDevice[],
  rules: readonly MediaRule[] | undefined,
): HardwareInventory {
  const seen = new Set(byAgent.storage.map(deviceKey));
  const counts = (device: Parameters<typeof exclusion>[0]): boolean => exclusion(device, rules) === null;
  return {
    ...byAgent,
    storage: [...byAgent.storage, ...byBmcOnly.filter((device) => !seen.has(deviceKey(device)))].filter(
      counts,
    ),
    ...(byAgent.unnamed === undefined ? {} : { unnamed: byAgent.unnamed.filter(counts) }),
  };
}
