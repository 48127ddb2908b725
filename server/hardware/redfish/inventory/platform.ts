// What the BMC offers besides drives. Read once at Verifying, so that a plan contains only what this machine can do.
import { keptBios } from "@/server/domain/hosts/inventory/bios";
import type { BiosAttributes } from "@/server/domain/hosts/inventory/bios";
import type { PlatformFacts, StorageFacts } from "@/server/domain/hosts/inventory/platform";
import {
  biosResource,
  pathOfLink,
  secureBootResource,
  type Settings,
  type UpdateService,
} from "@/server/hardware/redfish/resources/resources";
import type { ComputerSystem } from "@/server/hardware/redfish/resources/system";
import type { BmcInventory } from "@/server/hardware/interfaces";
import { bootSettingsOf } from "@/server/hardware/redfish/resources/boot-settings";
import type { VendorProfile } from "@/server/hardware/redfish/vendor-profile";
import type { FoundStorage } from "@/server/hardware/redfish/inventory/drives";
import type { Gather } from "@/server/hardware/redfish/inventory/gather";
import { isBootCard, isRaid } from "@/server/hardware/redfish/inventory/raid";

interface Known {
  readonly system: ComputerSystem;
  readonly manager: string;
  readonly storage: FoundStorage;
  readonly update: UpdateService | null;
}

/** The platform facts in the storage tree: which controllers hide their drives from the host, and what the BMC can do with those. */
export async function storageFacts(
  gather: Gather,
  profile: VendorProfile,
  storage: FoundStorage,
): Promise<StorageFacts> {
  const raidUnits: string[] = [];
  for (const found of storage.units)
    if (!isBootCard(profile, found) && (await isRaid(gather, found))) raidUnits.push(found.path);
  const raid = storage.units.find(({ path, unit }) => raidUnits.includes(path) && unit.Volumes != null);
  const card = storage.units.find((found) => isBootCard(profile, found));
  return {
    bossController: card?.unit.Id ?? null,
    bossDrives: storage.drives.flatMap(({ unitPath, device }) =>
      unitPath === card?.path ? [device.serial] : [],
    ),
    raidController: raid?.unit.Id ?? null,
    // The agent erases drives that it can see. Behind a RAID controller it sees only volumes.
    erasableDrives: storage.drives.flatMap(({ unitPath, secureErase, device }) =>
      secureErase !== null && raidUnits.includes(unitPath) ? [device.serial] : [],
    ),
  };
}

/** Facts from what was already read, and at most four more resources: BIOS, secure boot, manager, and the vendor's lockdown setting. */
export async function collectPlatform(
  gather: Gather,
  profile: VendorProfile,
  { system, manager, storage, update }: Known,
): Promise<Pick<BmcInventory, "bios" | "boot" | "platform">> {
  const bios = await offered(
    gather,
    "BIOS settings",
    pathOfLink(system.Bios),
    (body) => biosResource.safeParse(body).data,
  );
  const settings = bios?.["@Redfish.Settings"]?.SettingsObject == null ? {} : (bios?.Attributes ?? {});
  const secureBoot = await offered(
    gather,
    "secure boot",
    pathOfLink(system.SecureBoot),
    (body) => secureBootResource.safeParse(body).data,
  );
  const vendor = await ofVendor(gather, profile, manager);
  const platform = {
    ...(await storageFacts(gather, profile, storage)),
    bios: Object.keys(settings).length > 0,
    tpmClear: hasTpm(system) && profile.tpmClear !== null && profile.tpmClear.attribute in settings,
    secureBoot: secureBoot?.Actions?.["#SecureBoot.ResetKeys"] != null,
    ...vendor,
    firmwareUpdate: update?.Actions?.["#UpdateService.SimpleUpdate"] != null,
  };
  return {
    platform,
    bios: platform.bios ? keptSettings(gather, settings) : null,
    boot: bootSettingsOf(system, secureBoot),
  };
}

/** For a baseline taken from this host (docs/adr/0062-bios-attributes.md). */
function keptSettings(gather: Gather, settings: Settings): BiosAttributes {
  const { attributes, over } = keptBios(settings);
  if (over > 0) gather.leaveOut("BIOS settings", `${over} more than are kept`);
  return attributes;
}

/** A module that is absent or disabled cannot be cleared. */
export function hasTpm(system: ComputerSystem): boolean {
  return (system.TrustedModules ?? []).some((module) => module?.Status?.State === "Enabled");
}

async function offered<T>(
  gather: Gather,
  part: string,
  path: string | null,
  parse: (body: unknown) => T | undefined,
): Promise<T | null> {
  return path === null ? null : (parse(await gather.resource(part, path)) ?? null);
}

/** Lockdown and job queue are vendor-specific, so they are only read if the profile knows them. */
async function ofVendor(
  gather: Gather,
  profile: VendorProfile,
  managerPath: string,
): Promise<Pick<PlatformFacts, "lockdown" | "jobQueue">> {
  const { lockdown } = profile;
  if (!profile.ownManagerLinks) return { lockdown: null, jobQueue: false };
  const manager = await gather.resource("manager", managerPath);
  const path = lockdown?.resource(manager) ?? null;
  const value =
    lockdown === null || path === null
      ? undefined
      : settingOf(await gather.resource("lockdown", path), lockdown.attribute);
  return {
    lockdown: lockdown !== null && value != null ? value === lockdown.on : null,
    jobQueue: profile.jobQueue(manager) !== null,
  };
}

/** One setting of a resource with many; undefined if it has no such setting. */
export function settingOf(body: unknown, attribute: string): string | number | boolean | null | undefined {
  return biosResource.safeParse(body).data?.Attributes[attribute];
}
