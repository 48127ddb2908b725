// How a host boots, in words, for the boot dialog and the host's facts.
import { mayOutlastBoots } from "@/server/domain/hosts/boot-settings";
import type { BootDevice, BootMode } from "@/server/domain/hosts/boot-settings";
import type { HostDetail } from "@/server/surfaces/trpc/types";

export const deviceText = {
  pxe: "Network (PXE)",
  uefihttp: "Network (UEFI HTTP)",
  disk: "Disk",
  cdrom: "CD or DVD",
  usb: "USB",
  bios: "BIOS setup",
} as const satisfies Record<BootDevice, string>;

export const modeLabels = { uefi: "UEFI", bios: "BIOS (legacy)" } as const satisfies Record<BootMode, string>;

/** The boot device, plus boot mode and secure boot in states where they may be changed. Null if there is nothing to say. Pure. */
export function formatBoot({ boot, state }: Pick<HostDetail, "boot" | "state">): string | null {
  if (boot === null) return null;
  const { device, persistent, mode, secureBoot } = boot;
  const parts = [
    device === null ? null : `${deviceText[device]} at ${persistent ? "every boot" : "the next boot"}`,
    ...(mayOutlastBoots(state)
      ? [
          mode === null ? null : modeLabels[mode],
          secureBoot === null ? null : `secure boot ${secureBoot ? "on" : "off"}`,
        ]
      : []),
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(", ");
}
