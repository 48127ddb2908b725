// What was found in a host, from its stored inventories: the agent's, plus what only the BMC lists.
import { z } from "zod";
import { foundInventory, listedByBmcOnly } from "@/server/domain/hosts/inventory/found-inventory";
import { storageDevice, storedDevice, storedInventory } from "@/server/domain/hosts/inventory/inventory";
import type { HardwareInventory } from "@/server/domain/hosts/inventory/inventory";
import { disposition } from "@/server/domain/cleaning/sanitization/dispositions";
import type { MediaRule } from "@/server/domain/cleaning/sanitization/media-rules";

/** As frozen by `known-devices.ts`. */
export const deviceList = z.object({
  expected: z.array(z.looseObject({ ...storageDevice.shape, sources: z.array(z.string()) })),
  excluded: z.array(z.object({ serial: z.string(), model: z.string(), reason: z.string() })),
  answered: z.array(z.looseObject({ serial: z.string(), model: z.string(), disposition })).default([]),
  missing: z.array(z.object({ serial: z.string(), model: z.string(), knownBy: z.string() })),
});

const bmcBody = z.looseObject({ storage: z.array(storedDevice) });

export interface StoredReadings {
  /** Inventories, as received. */
  readonly agent: unknown;
  readonly bmc: unknown;
  /** Of the current or last reclamation. */
  readonly devices: unknown;
  readonly rules: readonly MediaRule[] | undefined;
}

/** Null until an agent reported. Pure. */
export function foundOf({ agent, bmc, devices, rules }: StoredReadings): HardwareInventory | null {
  const byAgent = storedInventory.safeParse(agent);
  if (!byAgent.success) return null;
  const listed = bmcBody.safeParse(bmc).data?.storage ?? [];
  const expected = deviceList.safeParse(devices).data?.expected ?? [];
  return foundInventory(byAgent.data, listedByBmcOnly(listed, expected), rules);
}
