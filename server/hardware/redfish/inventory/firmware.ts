// Firmware versions by Redfish's update service.
import { z } from "zod";
import { optionalLink, text } from "@/server/hardware/redfish/references";
import type { VendorProfile } from "@/server/hardware/redfish/vendor-profile";
import type { Gather } from "./gather";

const updateService = z.object({ FirmwareInventory: optionalLink });

const softwareInventory = z.object({ Id: text, Name: text, Version: text });

export interface FirmwareVersion {
  readonly component: string;
  readonly version: string;
}

/** What firmware is in force, by component. Two components of one name are told apart by their ids. */
export async function collectFirmware(gather: Gather, profile: VendorProfile, servicePath: string | undefined): Promise<FirmwareVersion[]> {
  if (servicePath === undefined) {
    gather.leaveOut("firmware", "the service root has no update service");
    return [];
  }
  const service = updateService.safeParse(await gather.resource("firmware", servicePath));
  if (!service.success) return [];
  const members = await gather.members("firmware", service.data.FirmwareInventory?.["@odata.id"]);
  const found = (await gather.resources("firmware component", members)).flatMap(({ body }) => {
    const parsed = softwareInventory.safeParse(body);
    const { Id, Name, Version } = parsed.data ?? {};
    if (Id == null || Version == null || Version.trim() === "" || !profile.firmwareInForce(Id)) return [];
    return [{ id: Id, name: (Name ?? Id).trim(), version: Version.trim() }];
  });
  return found.map(({ id, name, version }) => ({ component: found.filter((other) => other.name === name).length > 1 ? `${name} (${id})` : name, version }));
}
