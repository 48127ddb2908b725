// Whether the serial number that a BMC reports is its host's.
import type { BmcTarget } from "@/server/hardware/interfaces";

/**
 * If the BMC reported none when the host was verified, the host's serial was given by hand (docs/adr/0064-the-next-way.md, 10), and none must be
 * reported now. False also if the host has no known identity.
 */
export const isSerialOf = (
  { identity, links }: Pick<BmcTarget, "identity" | "links">,
  found: string,
): boolean => identity != null && (found === identity.serial || (links?.noSerial === true && found === ""));
