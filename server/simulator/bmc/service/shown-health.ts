// What a BMC shows of fans, power supplies, leaks and drives that are broken. Everything else is good, as in the trees.
import { parseJson } from "@/server/domain/json";
import { json } from "@/server/simulator/bmc/answer";
import type { HostFaults } from "@/server/simulator/faults";
import { z } from "zod";

const thermal = z.looseObject({ Fans: z.array(z.looseObject({})) });
const power = z.looseObject({ PowerSupplies: z.array(z.looseObject({})) });
const anything = z.looseObject({});
const serial = z.looseObject({ SerialNumber: z.string().nullish() });

type Reported = NonNullable<HostFaults["health"]>;

const broken = { State: "Enabled", Health: "Critical" };

/** The list with one of its items changed. */
const changed = (items: readonly object[], at: number, change: object): readonly object[] =>
  items.map((item, place) => (place === at ? { ...item, ...change } : item));

/** The content of a resource as a BMC shows it that reports these faults. */
export function shownHealth(
  path: string,
  text: string,
  { fan, supply, leak, drives = [] }: Reported,
): string {
  if (fan !== undefined && path.endsWith("/Thermal")) {
    const found = parseJson(thermal, text);
    return found === null
      ? text
      : json({ ...found, Fans: changed(found.Fans, fan, { Reading: 0, Status: broken }) });
  }
  if (supply !== undefined && path.endsWith("/Power")) {
    const found = parseJson(power, text);
    const lost = { Status: { State: "UnavailableOffline", Health: "Critical" }, LineInputVoltage: 0 };
    return found === null
      ? text
      : json({ ...found, PowerSupplies: changed(found.PowerSupplies, supply, lost) });
  }
  if (leak !== undefined && path.endsWith("/LeakDetectors/1"))
    return json({ ...parseJson(anything, text), DetectorState: leak });
  if (drives.length > 0 && path.includes("/Drives/")) {
    const found = parseJson(serial, text);
    return drives.includes(found?.SerialNumber ?? "")
      ? json({ ...found, FailurePredicted: true, Status: broken })
      : text;
  }
  return text;
}
