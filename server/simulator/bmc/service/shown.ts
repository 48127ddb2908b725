// What firmware shows differently from its tree, depending on the machine's quirks.
import { z } from "zod";
import { parseJson } from "@/server/domain/json";
import { json } from "@/server/simulator/bmc/answer";
import type { BmcQuirk } from "@/server/simulator/faults";

const anyObject = z.looseObject({});

interface Shown {
  readonly system: string;
  /** The chassis of the system. */
  readonly chassis: readonly string[];
  readonly has: (quirk: BmcQuirk) => boolean;
  /** Where its components that measure themselves are listed; null: it has none. */
  readonly components: string | null;
}

/** The content of a resource, changed by the quirks. */
export function shownWith(
  path: string,
  text: string | null,
  { system, chassis, has, components }: Shown,
): string | null {
  if (text === null) return null;
  const changed = (change: object): string => json({ ...parseJson(anyObject, text), ...change });
  if (path === system && (has("noSerial") || has("chassisPorts") || has("noBoot")))
    return changed({
      ...(has("noSerial") ? { SerialNumber: "" } : {}),
      ...(has("chassisPorts") ? { EthernetInterfaces: undefined, NetworkInterfaces: undefined } : {}),
      ...(has("noBoot") ? { Boot: undefined } : {}),
    });
  if (path === "/redfish/v1" && components !== null)
    return changed({ ComponentIntegrity: { "@odata.id": components } });
  if (has("chassisPorts") && chassis.includes(path))
    return changed({ NetworkAdapters: { "@odata.id": `${path}/NetworkAdapters` } });
  return text;
}

const biosContent = z.looseObject({ Attributes: anyObject });

/** The BIOS of a machine that boots from the address in one of its attributes, as it was delivered: without one. */
export function withUrlBoot(text: string): string {
  const bios = parseJson(biosContent, text);
  return bios === null
    ? text
    : json({ ...bios, Attributes: { ...bios.Attributes, UrlBootFile: "", PreBootNetwork: "Auto" } });
}
