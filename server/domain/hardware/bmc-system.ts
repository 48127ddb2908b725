// Which system of a BMC's Redfish service a host is. One service may have the systems of several hosts (docs/adr/0069-several-hosts-at-one-bmc.md).
import { z } from "zod";

/** No system was named: use the only one that the service has. */
export const onlySystem = "";

/** Removes surrounding whitespace and trailing slashes. */
export const systemPath = (text: string): string => text.trim().replace(/\/+$/, "");

/** As entered by people: the path of a ComputerSystem. */
export const bmcSystem = z
  .string()
  .max(512, "must be at most 512 characters")
  .transform(systemPath)
  .pipe(z.string().regex(/^\/[^\s?#]+$/, "must be a path, such as /redfish/v1/Systems/1"));

/** A warning when the credentials or address of a BMC change that serves several hosts; empty if it serves only one. Pure. */
export const keptText = (others: readonly string[]): readonly string[] =>
  others.length === 0
    ? []
    : [
        `The same BMC serves ${others.join(", ")}: each keeps its own user, password and certificate. If those changed at the BMC, change them on these hosts too`,
      ];

/** From a node's `driver_info`. Pure. */
export function systemOfDriverInfo(driverInfo: Readonly<Record<string, unknown>>): string {
  const named = driverInfo.redfish_system_id;
  return typeof named === "string" ? systemPath(named) : onlySystem;
}

/** As in `driver_info`; empty if there is only one. Pure. */
export const systemInDriverInfo = (system: string): Readonly<Record<string, string>> =>
  system === onlySystem ? {} : { redfish_system_id: system };
