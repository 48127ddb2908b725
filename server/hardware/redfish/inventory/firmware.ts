// Firmware versions by Redfish's update service.
import { z } from "zod";
import { leadsInto } from "@/server/hardware/redfish/inventory/own-places";
import { links, text } from "@/server/hardware/redfish/resources/references";
import { updateService, type UpdateService } from "@/server/hardware/redfish/resources/resources";
import type { VendorProfile } from "@/server/hardware/redfish/vendor-profile";
import type { Gather } from "@/server/hardware/redfish/inventory/gather";

const softwareInventory = z.object({ Id: text, Name: text, Version: text, RelatedItem: links });

export interface FirmwareVersion {
  readonly component: string;
  readonly version: string;
}

/** A component with the path of its resource, as an update names it. */
export interface FirmwareComponent extends FirmwareVersion {
  readonly path: string;
  /** All that it says to be of is the system's, so that no other host has it too. */
  readonly alone: boolean;
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

export interface FoundFirmware {
  readonly components: readonly FirmwareComponent[];
  /** What does not say that it is the system's, by its name and by the name with its id. */
  readonly others: ReadonlyArray<{ readonly name: string; readonly label: string }>;
}

/**
 * What firmware is in force, by component. Two components of one name are told apart by their ids. `places`: what a component must say to be
 * of, where the service has several hosts' systems; null where it has one.
 */
export async function collectFirmware(
  gather: Gather,
  profile: VendorProfile,
  service: UpdateService | null,
  places: readonly string[] | null,
): Promise<FoundFirmware> {
  if (service === null) return { components: [], others: [] };
  const members = await gather.members("firmware", service.FirmwareInventory?.["@odata.id"]);
  const found = (await gather.resources(members)).flatMap(({ path, body }) => {
    const parsed = softwareInventory.safeParse(body);
    const { Id, Name, Version, RelatedItem = [] } = parsed.data ?? {};
    if (Id == null || Version == null || Version.trim() === "" || !profile.firmwareInForce(Id)) return [];
    const tied = places === null ? [true] : RelatedItem.map((item) => leadsInto(places, item));
    const name = (Name ?? Id).trim();
    return [{ id: Id, name, version: Version.trim(), path, tied }];
  });
  const own = found.filter(({ tied }) =>
    /* safety: bmc: firmware that is not said to be the system's is not compared (true) */
    tied.includes(true),
  );
  return {
    components: own.map(({ id, name, version, path, tied }) => ({
      component: own.filter((other) => other.name === name).length > 1 ? `${name} (${id})` : name,
      version,
      path,
      alone: !tied.includes(false),
    })),
    others: found
      .filter((row) => !own.includes(row))
      .map(({ id, name }) => ({ name, label: `${name} (${id})` })),
  };
}
