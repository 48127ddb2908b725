// A baseline as a host has it now: what the BMC's inventory tells, and what it does not.
import { z } from "zod";
import { platformBaseline, storedFacts } from "@/server/domain/inventory/platform";
import type { PlatformBaseline } from "@/server/domain/inventory/platform";

/** The part of a stored inventory of the BMC that a baseline can be made of. */
export const baselineSource = z.object({
  firmware: z.array(z.object({ component: z.string(), version: z.string() })).catch([]),
  platform: storedFacts.pick({ lockdown: true }).catch({ lockdown: null }),
});
export type BaselineSource = z.infer<typeof baselineSource>;

/** Parts of a baseline that no inventory tells: they are written by hand. */
export const notInInventory = ["BIOS settings", "BMC accounts and what else `bmc` names"] as const;

export interface CapturedBaseline {
  readonly baseline: PlatformBaseline;
  /** What could not be taken, each with the reason. */
  readonly left: readonly string[];
}

const firmwareShape = platformBaseline.shape.firmware.unwrap();

/** Versions and lockdown of a reference host. A component that is listed with two versions is left out: no comparison could tell which. Pure. */
export function captureBaseline({ firmware, platform }: BaselineSource): CapturedBaseline {
  const versions = new Map<string, Set<string>>();
  for (const { component, version } of firmware)
    versions.set(component, (versions.get(component) ?? new Set()).add(version));
  const left: string[] = [];
  const rows: { component: string; version: string }[] = [];
  for (const [component, found] of [...versions].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [version = ""] = found;
    const row = { component, version };
    if (found.size > 1) left.push(`${component}: listed with versions ${[...found].join(", ")}`);
    else if (firmwareShape.safeParse([row]).success) rows.push(row);
    else left.push(`${component}: no name or version that can be compared`);
  }
  const most = 256;
  if (rows.length > most) left.push(`${rows.length - most} more components: a baseline has ${most} at most`);
  return {
    baseline: {
      ...(rows.length === 0 ? {} : { firmware: rows.slice(0, most) }),
      ...(platform.lockdown === null ? {} : { lockdown: platform.lockdown }),
    },
    left: [...left, ...notInInventory.map((part) => `${part}: no inventory has them`)],
  };
}
