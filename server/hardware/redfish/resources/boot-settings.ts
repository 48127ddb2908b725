// The boot settings of a system, mapped from its resource and its secure-boot resource.
import {
  bootDevices,
  type BootDevice,
  type BootMode,
  type BootSettings,
} from "@/server/domain/hosts/boot-settings";
import type { SecureBootResource } from "@/server/hardware/redfish/resources/resources";
import type { ComputerSystem } from "@/server/hardware/redfish/resources/system";

/** `BootSource` of the ComputerSystem schema. */
export const targetOf = {
  pxe: "Pxe",
  uefihttp: "UefiHttp",
  disk: "Hdd",
  cdrom: "Cd",
  usb: "Usb",
  bios: "BiosSetup",
} as const satisfies Record<BootDevice, string>;

/** `BootSourceOverrideMode` of the ComputerSystem schema. */
export const overrideModeOf = { uefi: "UEFI", bios: "Legacy" } as const satisfies Record<BootMode, string>;

const deviceOf = (target: string | null | undefined): BootDevice | null =>
  bootDevices.find((device) => targetOf[device] === target) ?? null;

export function bootSettingsOf(
  { Boot: boot }: Pick<ComputerSystem, "Boot">,
  secureBoot: Pick<SecureBootResource, "SecureBootEnable"> | null,
): BootSettings {
  const offered = boot?.["BootSourceOverrideTarget@Redfish.AllowableValues"] ?? null;
  const enabled = boot?.BootSourceOverrideEnabled;
  const device =
    enabled === "Once" || enabled === "Continuous" ? deviceOf(boot?.BootSourceOverrideTarget) : null;
  const mode = boot?.BootSourceOverrideMode;
  return {
    devices: offered === null ? null : bootDevices.filter((name) => offered.includes(targetOf[name])),
    device,
    persistent: device !== null && enabled === "Continuous",
    mode: mode === "UEFI" ? "uefi" : mode === "Legacy" ? "bios" : null,
    secureBoot: secureBoot?.SecureBootEnable ?? null,
  };
}
