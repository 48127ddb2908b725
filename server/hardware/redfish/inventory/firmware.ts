// Firmware versions by Redfish's update service.
import { z } from "zod";
import { text } from "@/server/hardware/redfish/resources/references";
import { updateService, type UpdateService } from "@/server/hardware/redfish/resources/resources";
import type { VendorProfile } from "@/server/hardware/redfish/vendor-profile";
import type { Gather } from "@/server/hardware/redfish/inventory/gather";

const softwareInventory = z.object({ Id: text, Name: text, Version: text });

export interface FirmwareVersion {
  readonly component: string;
  readonly version: string;
}

/** A component with the path of its resource, as an update names it. */
export interface FirmwareComponent extends FirmwareVersion {
  readonly path: string;
}

/** The update service, or null when the BMC has none. */
export async function readUpdateService(
  gather: Gather,
  servicePath: string | undefined,
): Promise<UpdateService | null> {
  if (servicePath === undefined) {
    gather.leaveOut("firmware", "the service root has no update service");
    return null;
  }
  return updateService.safeParse(await gather.resource("firmware", servicePath)).data ?? null;
}

/** What firmware is in force, by component. Two components of one name are told apart by their ids. */
export async function collectFirmware(
  gather: Gather,
  profile: VendorProfile,
  service: UpdateService | null,
): Promise<FirmwareComponent[]> {
  if (service === null) return [];
  const members = await gather.members("firmware", service.FirmwareInventory?.["@odata.id"]);
  const found = (await gather.resources(members)).flatMap(({ path, body }) => {
    const parsed = softwareInventory.safeParse(body);
    const { Id, Name, Version } = parsed.data ?? {};
    if (Id == null || Version == null || Version.trim() === "" || !profile.firmwareInForce(Id)) return [];
    return [{ id: Id, name: (Name ?? Id).trim(), version: Version.trim(), path }];
  });
  return found.map(({ id, name, version, path }) => ({
    component: found.filter((other) => other.name === name).length > 1 ? `${name} (${id})` : name,
    version,
    path,
  }));
}
