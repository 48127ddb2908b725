// Makes a baseline from a host's current settings, as far as the BMC's inventory contains them.
import { z } from "zod";
import { biosAttributes } from "@/server/domain/hosts/inventory/bios";
import { bmcSettings } from "@/server/domain/hosts/inventory/bmc-settings";
import { platformBaseline, storedFacts } from "@/server/domain/hosts/inventory/platform";
import type { BiosAttributes } from "@/server/domain/hosts/inventory/bios";
import type { PlatformBaseline } from "@/server/domain/hosts/inventory/platform";

/** The parts of a stored BMC inventory that a baseline can be made from. */
export const baselineSource = z.object({
  firmware: z.array(z.object({ component: z.string(), version: z.string() })).catch([]),
  platform: storedFacts.pick({ lockdown: true }).catch({ lockdown: null }),
  /** Null: not reported, or read before they were stored. */
  bios: biosAttributes.nullable().catch(null),
  /** Null: read before they were stored. */
  bmcSettings: bmcSettings.nullable().catch(null),
});
export type BaselineSource = z.infer<typeof baselineSource>;

/** Without Reclaim's own accounts, which belong to no baseline. Pure. */
export function withoutAccounts(source: BaselineSource, own: readonly string[]): BaselineSource {
  const accounts = source.bmcSettings?.accounts;
  if (source.bmcSettings === null || accounts === undefined) return source;
  return {
    ...source,
    bmcSettings: { ...source.bmcSettings, accounts: accounts.filter((name) => !own.includes(name)) },
  };
}

/** Why no BMC settings are known, and what to do about it. */
export const bmcUnknown =
  "BMC accounts and other `bmc` settings: not known, because the inventory is older than this feature; read it again";

/** Why a host has no BIOS settings to take, and what to do about it. */
export const biosUnknown =
  "BIOS settings: not known, because the BMC offers no writable settings or the inventory is older than this feature; read it again";

/** Maximum number that a clean step may write at once. */
export const maxBiosSettings = 256;

export interface CapturedBaseline {
  readonly baseline: PlatformBaseline;
  /** What could not be taken, each with the reason. */
  readonly left: readonly string[];
}

/** The chosen attributes with the host's values. `unknown`: those that the host is not known to have. Pure. */
export function chosenBios(
  { bios }: Pick<BaselineSource, "bios">,
  names: readonly string[],
): { readonly bios: BiosAttributes; readonly unknown: readonly string[] } {
  const there = new Map(Object.entries(bios ?? {}));
  return {
    bios: Object.fromEntries([...there].filter(([name]) => names.includes(name))),
    unknown: names.filter((name) => !there.has(name)),
  };
}

/**
 * A baseline updated with what was captured. BIOS settings that were not chosen stay. So does a lockdown that is on: Reclaim itself locks hosts by it and
 * unlocks them to clean them, so a host may read as unlocked that is to be locked. Pure.
 */
export const withCaptured = (
  before: PlatformBaseline | undefined,
  { bios, ...captured }: PlatformBaseline,
): PlatformBaseline => ({
  ...before,
  ...captured,
  ...(bios === undefined ? {} : { bios: { ...before?.bios, ...bios } }),
  ...(before?.lockdown === true ? { lockdown: true } : {}),
});

const firmwareShape = platformBaseline.shape.firmware.unwrap();

/**
 * Firmware versions and lockdown of a reference host. BIOS settings and parts of the BMC are added when chosen (`chosenBios`, `withBmcParts`).
 * A component listed with two versions is left out, because no comparison could tell which one counts. Pure.
 */
export function captureBaseline({
  firmware,
  platform,
  bios,
  bmcSettings: bmc,
}: BaselineSource): CapturedBaseline {
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
    else left.push(`${component}: no comparable name or version`);
  }
  const most = 256;
  if (rows.length > most) left.push(`${rows.length - most} more components: a baseline has ${most} at most`);
  return {
    baseline: {
      ...(rows.length === 0 ? {} : { firmware: rows.slice(0, most) }),
      ...(platform.lockdown === null ? {} : { lockdown: platform.lockdown }),
    },
    left: [...left, ...(bios === null ? [biosUnknown] : []), ...(bmc?.left ?? [bmcUnknown])],
  };
}
