// How a host starts, in words: in the dialog that sets it, and in the host's facts.
import { mayOutlastBoots } from "@/server/domain/hosts/boot-settings";
import type { BootDevice, BootMode } from "@/server/domain/hosts/boot-settings";
import type { HostDetail } from "@/server/surfaces/trpc/types";

export const deviceWords = {
  pxe: "Network (PXE)",
  uefihttp: "Network (UEFI HTTP)",
  disk: "Disk",
  cdrom: "CD or DVD",
  usb: "USB",
  bios: "BIOS setup",
} as const satisfies Record<BootDevice, string>;

export const modeWords = { uefi: "UEFI", bios: "BIOS (legacy)" } as const satisfies Record<BootMode, string>;

/** What a person has set and where it counts: the boot device, and what stays set where that may be changed. Null: nothing to say. Pure. */
export function bootWords({ boot, state }: Pick<HostDetail, "boot" | "state">): string | null {
  if (boot === null) return null;
  const { device, persistent, mode, secureBoot } = boot;
  const parts = [
    device === null ? null : `${deviceWords[device]} at ${persistent ? "every boot" : "the next boot"}`,
    ...(mayOutlastBoots(state)
      ? [
          mode === null ? null : modeWords[mode],
          secureBoot === null ? null : `secure boot ${secureBoot ? "on" : "off"}`,
        ]
      : []),
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(", ");
}
