// Whether the machine that a BMC reports is its host's.
import { isPlaceholderSerial } from "@/server/domain/hosts/inventory/placeholder-serial";
import { isOwnUuid, sameUuid } from "@/server/domain/hosts/inventory/system-uuid";
import type { BmcTarget } from "@/server/hardware/interfaces";

/**
 * If the BMC reported no serial when the host was verified, the host's was given by hand (docs/adr/0064-the-next-way.md, 8), and none must be reported
 * now. Names of its BMC that a person confirmed count as its own (docs/machine-names.md). A host of 0.2.0 may be known by a placeholder, which is read as none: then the other name alone decides. False without a known identity.
 */
export function isMachineOf(
  { identity, links }: Pick<BmcTarget, "links"> & { readonly identity?: BmcTarget["identity"] | undefined },
  found: { readonly serial: string; readonly uuid: string },
): boolean {
  if (identity == null) return false;
  const { confirmed } = identity;
  const untold = links?.noSerial === true || isPlaceholderSerial(identity.serial);
  const isSerial = found.serial === identity.serial || confirmed?.serials.includes(found.serial) === true;
  const isSystem =
    sameUuid(identity.systemUuid, found.uuid) ||
    confirmed?.systemUuids.some((uuid) => sameUuid(uuid, found.uuid)) === true;
  if (isSystem) return isSerial || (untold && found.serial === "");
  return !isOwnUuid(identity.systemUuid) && found.uuid === "" && !untold && isSerial;
}
