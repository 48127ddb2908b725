// Which system of a BMC's Redfish service a host is: one service may have those of several hosts (docs/adr/0069-several-hosts-at-one-bmc.md).
import { z } from "zod";

/** Of a host that nobody named a system for: the one that there is. */
export const onlySystem = "";

/** Blanks around it and slashes at its end are no part of a path. */
export const systemPath = (text: string): string => text.trim().replace(/\/+$/, "");

/** As people write it: the path of a ComputerSystem. */
export const bmcSystem = z
  .string()
  .max(512, "must be at most 512 characters")
  .transform(systemPath)
  .pipe(z.string().regex(/^\/[^\s?#]+$/, "must be a path, such as /redfish/v1/Systems/1"));

/** What a person is told who changes how the BMC of one of several hosts is signed in to; nothing where there is no other. Pure. */
export const keptWords = (others: readonly string[]): readonly string[] =>
  others.length === 0
    ? []
    : [
        `The same BMC serves ${others.join(", ")}: each keeps its own user, password and certificate. If those changed at the BMC, change them on these hosts too`,
      ];

/** Of a node's `driver_info`. Pure. */
export function systemOfDriverInfo(driverInfo: Readonly<Record<string, unknown>>): string {
  const named = driverInfo.redfish_system_id;
  return typeof named === "string" ? systemPath(named) : onlySystem;
}

/** As `driver_info` has it; empty where there is only one. Pure. */
export const systemInDriverInfo = (system: string): Readonly<Record<string, string>> =>
  system === onlySystem ? {} : { redfish_system_id: system };
