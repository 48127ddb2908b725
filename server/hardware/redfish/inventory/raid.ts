// Which storage units are RAID controllers, behind which the agent sees volumes instead of drives.
import { z } from "zod";
import { hasAll } from "@/server/hardware/redfish/resources/expand";
import type { VendorProfile } from "@/server/hardware/redfish/vendor-profile";
import type { FoundUnit } from "@/server/hardware/redfish/inventory/drives";
import type { Gather } from "@/server/hardware/redfish/inventory/gather";

const controller = z.object({ SupportedRAIDTypes: z.array(z.string()).nullish().catch(null) });

export const isBootCard = (profile: VendorProfile, { unit }: FoundUnit): boolean => profile.isBootCard(unit);

/** The RAID levels that a unit's controllers support; none for a plain adapter. */
export async function raidTypes(gather: Gather, { path, unit }: FoundUnit): Promise<readonly string[]> {
  if (unit.StorageControllers != null)
    return unit.StorageControllers.flatMap((row) => row?.SupportedRAIDTypes ?? []);
  // Newer BMCs list the controllers in a collection of their own. A unit without drives is not worth reading further.
  if (unit.Controllers == null || unit.Drives.length === 0) return [];
  const bodies = await gather.resources(
    await gather.members(`controllers of ${path}`, unit.Controllers["@odata.id"], 1),
    hasAll("SupportedRAIDTypes"),
  );
  return bodies.flatMap(({ body }) => controller.safeParse(body).data?.SupportedRAIDTypes ?? []);
}

export const isRaid = async (gather: Gather, found: FoundUnit): Promise<boolean> =>
  (await raidTypes(gather, found)).length > 0;
