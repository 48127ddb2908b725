// What a node's driver tells of itself: the names of its interfaces, and its own settings with their secrets masked.
import { z } from "zod";
import { interfaceNames } from "@/server/domain/nodes/node-values";
import { driverOf } from "@/server/surfaces/machine/ironic/drivers/driver-table";
import type { NodeRow } from "@/server/usecases/nodes/reading/node-columns";

const stored = z.record(z.string(), z.string().nullable());

type InterfaceTexts = Readonly<Record<string, string>>;

/** By driver and what was set: a thousand nodes have few of them. */
const known = new Map<string, InterfaceTexts>();
const mostKnown = 1_000;

/** By interface, the JSON text of its implementation's name: the one that was set, else the driver's. */
export function interfaceTexts({ driver = "", interfaces_json }: NodeRow): InterfaceTexts {
  const key = `${driver} ${interfaces_json ?? "{}"}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const set = stored.parse(JSON.parse(interfaces_json ?? "{}"));
  const own = driverOf(driver)?.interfaces;
  const texts = Object.fromEntries(
    interfaceNames.map((name) => [name, JSON.stringify(set[name] ?? own?.[name][0] ?? null)]),
  );
  if (known.size >= mostKnown) known.clear();
  known.set(key, texts);
  return texts;
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
