// The driver-related fields of a node: the names of its interfaces, and `driver_info` with its secrets masked.
import { z } from "zod";
import { interfaceNames } from "@/server/domain/hosts/nodes/node-values";
import { driverOf } from "@/server/surfaces/machine/ironic/drivers/driver-table";
import type { NodeRow } from "@/server/usecases/hosts/nodes/reading/node-columns";

const stored = z.record(z.string(), z.string().nullable());

type InterfaceTexts = Readonly<Record<string, string>>;

/** By driver and settings: a thousand nodes have only a few combinations. */
const known = new Map<string, InterfaceTexts>();
const maxKnown = 1_000;

/** By interface, the JSON text of the implementation's name: the one that was set, or else the driver's default. */
export function interfaceTexts({ driver = "", interfaces_json }: NodeRow): InterfaceTexts {
  const key = `${driver} ${interfaces_json ?? "{}"}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const set = stored.parse(JSON.parse(interfaces_json ?? "{}"));
  const own = driverOf(driver)?.interfaces;
  const texts = Object.fromEntries(
    interfaceNames.map((name) => [name, JSON.stringify(set[name] ?? own?.[name][0] ?? null)]),
  );
  if (known.size >= maxKnown) known.clear();
  known.set(key, texts);
  return texts;
}

/** JSON text of `driver_info`: what a client stored, plus the BMC, which has columns of its own. */
export function driverInfo({ bmc_address, bmc_username, has_password, driver_info_json }: NodeRow): string {
  const own = [
    ...(bmc_address == null ? [] : [`"redfish_address":${JSON.stringify(bmc_address)}`]),
    ...(bmc_username == null ? [] : [`"redfish_username":${JSON.stringify(bmc_username)}`]),
    ...(has_password === true ? ['"redfish_password":"******"'] : []),
  ].join(",");
  const rest = (driver_info_json ?? "{}").slice(1, -1);
  return `{${own}${own === "" || rest === "" ? "" : ","}${rest}}`;
}
