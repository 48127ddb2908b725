// Whether the machine that a BMC reports is its host's.
import { isPlaceholderSerial } from "@/server/domain/hosts/inventory/placeholder-serial";
import { isOwnUuid, sameUuid } from "@/server/domain/hosts/inventory/system-uuid";
import type { BmcTarget } from "@/server/hardware/interfaces";

/**
 * If the BMC reported no serial when the host was verified, the host's was given by hand (docs/adr/0064-the-next-way.md, 8), and none must be reported
 * now. A host of 0.2.0 may be known by a placeholder, which is read as none: then the other name alone decides. False without a known identity.
 */
export function isMachineOf(
  { identity, links }: Pick<BmcTarget, "links"> & { readonly identity?: BmcTarget["identity"] | undefined },
  found: { readonly serial: string; readonly uuid: string },
): boolean {
  if (identity == null) return false;
  const untold = links?.noSerial === true || isPlaceholderSerial(identity.serial);
  if (sameUuid(identity.systemUuid, found.uuid))
    return found.serial === identity.serial || (untold && found.serial === "");
  return !isOwnUuid(identity.systemUuid) && found.uuid === "" && !untold && found.serial === identity.serial;
}
