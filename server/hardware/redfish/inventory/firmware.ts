// Firmware versions from Redfish's update service.
import { z } from "zod";
import { placeOfId } from "@/server/domain/hosts/inventory/firmware-name";
import { nameWithoutAddress } from "@/server/domain/hosts/inventory/name-without-address";
import { leadsInto } from "@/server/hardware/redfish/inventory/own-places";
import { hasAll } from "@/server/hardware/redfish/resources/expand";
import { links, text } from "@/server/hardware/redfish/resources/references";
import { updateService, type UpdateService } from "@/server/hardware/redfish/resources/resources";
import type { VendorProfile } from "@/server/hardware/redfish/vendor-profile";
import type { Gather } from "@/server/hardware/redfish/inventory/gather";

const softwareInventory = z.object({ Id: text, Name: text, Version: text, RelatedItem: links });

/** What an expanded answer must contain of a component; otherwise it is read by itself. */
const isWholeComponent = hasAll("Id", "Name", "Version");

export interface FirmwareVersion {
  readonly component: string;
  readonly version: string;
}

/** A component with the path of its resource, by which an update names it. */
export interface FirmwareComponent extends FirmwareVersion {
  readonly path: string;
  /** Everything that it links to (RelatedItem) belongs to this system, so no other host shares it. */
  readonly alone: boolean;
}

/** The update service; null if the BMC has none. */
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
  /** Components that are not linked to this system, by name and by name with id. */
  readonly others: ReadonlyArray<{ readonly name: string; readonly label: string }>;
}

/**
 * The firmware in use, by component. Components with the same name are told apart by the places in their ids. `places`: where a component must link to if
 * the service has systems of several hosts; null if it has only this one. `levels`: as for `Gather.members`.
 */
export async function collectFirmware(
  gather: Gather,
  profile: VendorProfile,
  service: UpdateService | null,
  places: readonly string[] | null,
  levels = 0,
): Promise<FoundFirmware> {
  if (service === null) return { components: [], others: [] };
  const members = await gather.members("firmware", service.FirmwareInventory?.["@odata.id"], levels);
  const found = (await gather.resources(members, isWholeComponent)).flatMap(({ path, body }) => {
    const parsed = softwareInventory.safeParse(body);
    const { Id, Name, Version, RelatedItem = [] } = parsed.data ?? {};
    if (Id == null || Version == null || Version.trim() === "" || !profile.firmwareInForce(Id)) return [];
    const tied = places === null ? [true] : RelatedItem.map((item) => leadsInto(places, item));
    return [{ id: Id, name: nameWithoutAddress((Name ?? Id).trim()), version: Version.trim(), path, tied }];
  });
  const own = found.filter(({ tied }) => tied.includes(true));
  const labelOf = ({ id, name }: { readonly id: string; readonly name: string }) => {
    const alike = own.filter((other) => other.name === name && placeOfId(other.id) === placeOfId(id));
    return `${name} (${alike.length > 1 ? id : placeOfId(id)})`;
  };
  return {
    components: own.map((row) => ({
      component: own.filter(({ name }) => name === row.name).length > 1 ? labelOf(row) : row.name,
      version: row.version,
      path: row.path,
      alone: !row.tied.includes(false),
    })),
    others: found.filter((row) => !own.includes(row)).map((row) => ({ name: row.name, label: labelOf(row) })),
  };
}
