// What of a service with several systems says by its links that it is one system's own (ADR 69).
import { z } from "zod";
import { systemPath } from "@/server/domain/hardware/bmc-system";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import type { Call } from "@/server/hardware/redfish/client/sender";
import type { Gather } from "@/server/hardware/redfish/inventory/gather";
import { whyUnfit } from "@/server/hardware/redfish/resources/discover";
import { links, pathOf } from "@/server/hardware/redfish/resources/references";
import { readSystem } from "@/server/hardware/redfish/resources/system";

const chassis = z.object({ Links: z.object({ ComputerSystems: links }).nullish().catch(null) });

/** Speaks with one BMC, and gathers what it has. */
export interface Reader {
  readonly client: RedfishClient;
  readonly call: Call;
  readonly gather: Gather;
}

const normal = (reference: string): string => systemPath(pathOf(reference) ?? reference);

/** The system and the chassis of it alone; null where the service has no other host's system, so that all of it is this one's. */
export async function ownPlaces(
  reader: Reader,
  systems: string | undefined,
  own: string,
): Promise<readonly string[] | null> {
  const members = await reader.gather.members("systems", systems);
  const others = members.length > 1 ? members.filter((path) => normal(path) !== normal(own)) : [];
  if (!(await anyHost(reader, others))) return null;
  const read = await readSystem(reader.client, reader.call, own);
  const places = [normal(own)];
  for (const reference of read.ok ? (read.system.Links?.Chassis ?? []) : []) {
    const path = normal(reference);
    const found = chassis.safeParse(await reader.gather.resource("chassis", path)).data;
    const inside = found?.Links?.ComputerSystems ?? [];
    if (inside.length > 0 && inside.every((one) => normal(one) === normal(own))) places.push(path);
  }
  return places;
}

/** Whether one may be a host, and no board beside one. Of a system that cannot be read nobody knows that it is none. */
async function anyHost({ client, call }: Reader, paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    const read = await readSystem(client, call, path);
    const board =
      read.ok && (whyUnfit(read.system) !== null || read.system.Actions?.["#ComputerSystem.Reset"] == null);
    if (!board) return true;
  }
  return false;
}

/** Whether a link leads to one of the places, or below it. */
export function leadsInto(places: readonly string[], reference: string): boolean {
  const path = normal(reference);
  return places.some((place) => path === place || path.startsWith(`${place}/`));
}
