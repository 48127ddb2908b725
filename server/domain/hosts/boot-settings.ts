// How a host starts, as far as a person may say it through the BMC: boot device, boot mode, secure boot (docs/adr/0071-boot-settings-by-a-person.md).
import { z } from "zod";
import type { StoredState } from "@/server/domain/lifecycle/states";

/** In Ironic's words. */
export const bootDevices = ["pxe", "uefihttp", "disk", "cdrom", "usb", "bios"] as const;
export type BootDevice = (typeof bootDevices)[number];

export const bootModes = ["uefi", "bios"] as const;
export type BootMode = (typeof bootModes)[number];

/** What is left out stays as it is. */
export const bootChange = z.strictObject({
  device: z.enum(bootDevices).exactOptional(),
  /** With `device`: for every boot, not only the next one. */
  persistent: z.boolean().exactOptional(),
  mode: z.enum(bootModes).exactOptional(),
  secureBoot: z.boolean().exactOptional(),
});
export type BootChange = Readonly<z.infer<typeof bootChange>>;

export const bootSettings = z.object({
  /** Those that the BMC takes; null: it does not say. */
  devices: z.array(z.enum(bootDevices)).nullable(),
  /** Null: none is set, or one that has no word here. */
  device: z.enum(bootDevices).nullable(),
  persistent: z.boolean(),
  /** Null: the BMC offers none. */
  mode: z.enum(bootModes).nullable(),
  /** As set for the next restart; null: the BMC offers none. */
  secureBoot: z.boolean().nullable(),
});
export type BootSettings = z.infer<typeof bootSettings>;

/** As it is stored: another release may know more words than this one, and keeps them (docs/adr/0024-rolling-upgrade.md). */
export const storedBootSettings = z.object({
  ...bootSettings.shape,
  devices: z.array(z.string()).nullable(),
  device: z.string().nullable(),
  mode: z.string().nullable(),
});
type StoredBootSettings = z.infer<typeof storedBootSettings>;

/** What was stored, as far as this release has words for it; null: nothing, or set to what it has none for. Pure. */
export function knownBootSettings(stored: unknown): BootSettings | null {
  const { data } = storedBootSettings.safeParse(stored);
  if (data === undefined) return null;
  const devices = data.devices && bootDevices.filter((device) => data.devices?.includes(device));
  return bootSettings.safeParse({ ...data, devices }).data ?? null;
}

/** A part of a change that the BMC does not offer, in words; null: it offers all. Before it was read nothing is known to be missing. Pure. */
export function notOffered(change: BootChange, known: BootSettings | null): string | null {
  if (known === null) return null;
  if (change.device !== undefined && known.devices !== null && !known.devices.includes(change.device))
    return `the BMC offers no boot device ${change.device}, only ${known.devices.join(", ") || "none"}`;
  if (change.mode !== undefined && known.mode === null) return "the BMC offers no boot mode";
  return change.secureBoot !== undefined && known.secureBoot === null
    ? "the BMC offers no secure boot"
    : null;
}

/** Boot mode and secure boot stay set whatever boots: not where a host goes to its next tenant with them (docs/adr/0071-boot-settings-by-a-person.md). */
export const mayOutlastBoots = (state: StoredState): boolean => state === "Manageable";

/** Why a change is not made in a state that else takes one; null: it is. Pure. */
export function notChangedIn(change: BootChange, state: StoredState): string | null {
  if (!mayOutlastBoots(state) && (change.mode !== undefined || change.secureBoot !== undefined))
    return "boot mode and secure boot would stay set for the next tenant; they can be set only in Manageable";
  return null;
}

const partNames = { device: "boot device", mode: "boot mode", secureBoot: "secure boot" } as const;

/** The parts of a change that read as wanted, in words. Pure. */
export function partsAsSet(change: BootChange, read: StoredBootSettings): readonly string[] {
  const { device, persistent, mode, secureBoot } = change;
  const parts: readonly (readonly [keyof typeof partNames, BootChange])[] = [
    ...(device === undefined
      ? []
      : [["device", { device, ...(persistent === undefined ? {} : { persistent }) }] as const]),
    ...(mode === undefined ? [] : [["mode", { mode }] as const]),
    ...(secureBoot === undefined ? [] : [["secureBoot", { secureBoot }] as const]),
  ];
  return parts.filter(([, part]) => notAsSet(part, read) === null).map(([name]) => partNames[name]);
}

/** A part of a change that is not what was read, in words; null: all is as wanted. Pure. */
export function notAsSet(change: BootChange, read: StoredBootSettings): string | null {
  if (change.device !== undefined && read.device !== change.device)
    return `the boot device is ${read.device ?? "not set"}, not ${change.device}`;
  // The other way about is not told apart: BMCs were seen to read `Continuous` after `Once`.
  if (change.device !== undefined && change.persistent === true && !read.persistent)
    return "the boot device is set for the next boot only";
  if (change.mode !== undefined && read.mode !== change.mode)
    return `the boot mode is ${read.mode ?? "not set"}, not ${change.mode}`;
  if (change.secureBoot !== undefined && read.secureBoot !== change.secureBoot)
    return `secure boot is ${read.secureBoot === null ? "nothing" : read.secureBoot ? "on" : "off"}`;
  return null;
}
