// Whether what a BMC says of itself is what its host is known by.
import type { BmcTarget } from "@/server/hardware/interfaces";

/** Of a BMC that never told a serial the host has one that was given by hand (docs/adr/0064-the-next-way.md, 10). False: nothing is known to compare with. */
export const isSerialOf = (
  { identity, links }: Pick<BmcTarget, "identity" | "links">,
  found: string,
): boolean =>
  identity != null &&
  (found === identity.serial ||
    /* safety: bmc: no serial of a BMC that told one */ (links?.noSerial === true && found === ""));
