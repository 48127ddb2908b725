// Which media of a host are excluded from cleaning, because they never hold a tenant's data or because a rule of the site says so.
import { z } from "zod";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";

/** A site's rule about removable and USB media. Rules cannot exclude anything else. */
export const mediaRule = z.strictObject({
  /** Exactly as the device reports it; left out: any. */
  model: z.string().min(1).max(256).exactOptional(),
  /** Why such a medium needs no sanitization. Shown wherever one is excluded. */
  reason: z.string().trim().min(1).max(500),
});
export type MediaRule = z.infer<typeof mediaRule>;

/** Why a medium that the BMC itself provides is excluded. */
export const virtualMedium = "virtual medium of the BMC";

/**
 * Why a device is excluded; null: it is expected. Virtual media belong to the BMC. Removable, USB and SD media are expected like any other drive
 * unless the site says otherwise, because a tenant can write to them (docs/adr/0019). Pure.
 */
export function exclusion(
  device: Pick<StorageDevice, "transport" | "removable" | "model">,
  rules: readonly MediaRule[] = [],
): string | null {
  if (device.transport === "virtual") return virtualMedium;
  // safety: devices: a rule excludes removable and USB media only
  if (!device.removable && device.transport !== "usb") return null;
  const rule = rules.find(({ model }) => model === undefined || model === device.model);
  return rule === undefined ? null : `excluded by the site's policy: ${rule.reason}`;
}
