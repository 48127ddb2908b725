// Which media of a host hold no tenant's data by nature or by a rule of the site, and are left out of cleaning.
import { z } from "zod";
import type { StorageDevice } from "@/server/domain/inventory/inventory";

/** A site's rule about removable and USB media; nothing else can be excluded by a rule. */
export const mediaRule = z.strictObject({
  /** As the device says it, exactly; left out: any. */
  model: z.string().min(1).max(256).exactOptional(),
  /** Why such a medium needs no sanitization: shown wherever one is left out. */
  reason: z.string().trim().min(1).max(500),
});
export type MediaRule = z.infer<typeof mediaRule>;

/** Why a medium that a BMC shows by itself is left out. */
export const virtualMedium = "virtual medium of the BMC";

/**
 * Why a device is left out; null where it is expected. A virtual medium is the BMC's own. Removable, USB and SD media are expected drives
 * like any other unless the site says otherwise: a tenant can write to them (docs/adr/0019). Pure.
 */
export function exclusion(
  device: Pick<StorageDevice, "transport" | "removable" | "model">,
  rules: readonly MediaRule[] = [],
): string | null {
  if (device.transport === "virtual") return virtualMedium;
  // safety: devices: a rule excludes removable and USB media only
  if (!device.removable && device.transport !== "usb") return null;
  const rule = rules.find(({ model }) => model === undefined || model === device.model);
  return rule === undefined
    ? /* safety: devices: removable and USB media are expected unless a rule says otherwise → "removable" */ null
    : `excluded by the site's policy: ${rule.reason}`;
}
