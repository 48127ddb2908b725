// What a node's driver tells of itself: the names of its interfaces, and its own settings with their secrets masked.
import { z } from "zod";
import type { InterfaceName } from "@/server/domain/nodes/node-values";
import type { NodeRow } from "@/server/surfaces/machine/ironic/nodes/node-columns";

const stored = z.record(z.string(), z.string().nullable());
const known = new Map<string, Readonly<Record<string, string | null>>>();
const mostKnown = 1_000;

/** The one that was set, or null. */
export function interfaceName(name: InterfaceName, interfacesJson: string | null): string | null {
  if (interfacesJson === null || interfacesJson === "{}") return null;
  let names = known.get(interfacesJson);
  if (names === undefined) {
    names = stored.parse(JSON.parse(interfacesJson));
    if (known.size >= mostKnown) known.clear();
    known.set(interfacesJson, names);
  }
  return names[name] ?? null;
}

/** JSON text of `driver_info`: what a client stored, with the BMC that is a column of the host. */
export function driverInfo({ bmc_address, bmc_username, has_password, driver_info_json }: NodeRow): string {
  const own = [
    ...(bmc_address == null ? [] : [`"redfish_address":${JSON.stringify(bmc_address)}`]),
    ...(bmc_username == null ? [] : [`"redfish_username":${JSON.stringify(bmc_username)}`]),
    ...(has_password === true ? ['"redfish_password":"******"'] : []),
  ].join(",");
  const rest = (driver_info_json ?? "{}").slice(1, -1);
  return `{${own}${own === "" || rest === "" ? "" : ","}${rest}}`;
}
