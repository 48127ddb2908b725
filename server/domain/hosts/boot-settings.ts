// How a host starts, as far as a person can set it through the BMC: boot device, boot mode, secure boot (docs/adr/0071-boot-settings-by-a-person.md).
import { z } from "zod";
import type { StoredState } from "@/server/domain/lifecycle/states";

/** Ironic's names. */
export const bootDevices = ["pxe", "uefihttp", "disk", "cdrom", "usb", "bios"] as const;
export type BootDevice = (typeof bootDevices)[number];

export const bootModes = ["uefi", "bios"] as const;
export type BootMode = (typeof bootModes)[number];

/** Members that are left out stay as they are. */
export const bootChange = z.strictObject({
  device: z.enum(bootDevices).exactOptional(),
  /** With `device`: for every boot instead of only the next one. */
  persistent: z.boolean().exactOptional(),
  mode: z.enum(bootModes).exactOptional(),
  secureBoot: z.boolean().exactOptional(),
});
export type BootChange = Readonly<z.infer<typeof bootChange>>;

export const bootSettings = z.object({
  /** Those that the BMC accepts; null: it does not say. */
  devices: z.array(z.enum(bootDevices)).nullable(),
  /** Null: none is set, or one without a name here. */
  device: z.enum(bootDevices).nullable(),
  persistent: z.boolean(),
  /** Null: the BMC has no such setting. */
  mode: z.enum(bootModes).nullable(),
  /** As set for the next restart; null: the BMC has no such setting. */
  secureBoot: z.boolean().nullable(),
});
export type BootSettings = z.infer<typeof bootSettings>;

/** As stored. Another release may know more values than this one; they are kept (docs/adr/0024-rolling-upgrade.md). */
export const storedBootSettings = z.object({
  ...bootSettings.shape,
  devices: z.array(z.string()).nullable(),
  device: z.string().nullable(),
  mode: z.string().nullable(),
});
type StoredBootSettings = z.infer<typeof storedBootSettings>;

/** The stored settings as far as this release knows the values; null: none, or a current setting has an unknown value. Pure. */
export function knownBootSettings(stored: unknown): BootSettings | null {
  const { data } = storedBootSettings.safeParse(stored);
  if (data === undefined) return null;
  const devices = data.devices && bootDevices.filter((device) => data.devices?.includes(device));
  return bootSettings.safeParse({ ...data, devices }).data ?? null;
}

/** Which part of a change the BMC does not offer, as text; null: it offers everything, or it has not been read yet. Pure. */
export function notOffered(change: BootChange, known: BootSettings | null): string | null {
  if (known === null) return null;
  if (change.device !== undefined && known.devices !== null && !known.devices.includes(change.device))
    return `the BMC offers no boot device ${change.device}, only ${known.devices.join(", ") || "none"}`;
  if (change.mode !== undefined && known.mode === null) return "the BMC offers no boot mode";
  return change.secureBoot !== undefined && known.secureBoot === null
    ? "the BMC offers no secure boot"
    : null;
}

/** Boot mode and secure boot persist, so they are not set in a state that leads to the next tenant (docs/adr/0071-boot-settings-by-a-person.md). */
export const mayOutlastBoots = (state: StoredState): boolean => state === "Manageable";

/** Why a change is refused in a state that otherwise allows changes; null: it is allowed. Pure. */
export function notChangedIn(change: BootChange, state: StoredState): string | null {
  if (!mayOutlastBoots(state) && (change.mode !== undefined || change.secureBoot !== undefined))
    return "boot mode and secure boot would stay set for the next tenant; they can be set only in Manageable";
  return null;
}

const partNames = { device: "boot device", mode: "boot mode", secureBoot: "secure boot" } as const;

/** Labels of the parts of a change that read back as wanted. Pure. */
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

/** Which part of a change differs from what was read, as text; null: none. Pure. */
export function notAsSet(change: BootChange, read: StoredBootSettings): string | null {
  if (change.device !== undefined && read.device !== change.device)
    return `the boot device is ${read.device ?? "not set"}, not ${change.device}`;
  // The opposite case is not checked: some BMCs read back `Continuous` after `Once`.
  if (change.device !== undefined && change.persistent === true && !read.persistent)
    return "the boot device is set for the next boot only";
  if (change.mode !== undefined && read.mode !== change.mode)
    return `the boot mode is ${read.mode ?? "not set"}, not ${change.mode}`;
  if (change.secureBoot !== undefined && read.secureBoot !== change.secureBoot)
    return `secure boot is ${read.secureBoot === null ? "nothing" : read.secureBoot ? "on" : "off"}`;
  return null;
}
