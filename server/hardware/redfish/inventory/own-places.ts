// Which parts of a service with several systems belong to one system alone, according to its links (ADR 69).
import { z } from "zod";
import { systemPath } from "@/server/domain/hardware/bmc-system";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import type { Call } from "@/server/hardware/redfish/client/sender";
import { CannotTell, type Gather } from "@/server/hardware/redfish/inventory/gather";
import { otherSystem } from "@/server/hardware/redfish/resources/other-systems";
import { links, pathOf } from "@/server/hardware/redfish/resources/references";
import { readSystem } from "@/server/hardware/redfish/resources/system";

const chassis = z.object({ Links: z.object({ ComputerSystems: links }).nullish().catch(null) });

/** Talks to one BMC and gathers what it has. */
export interface Reader {
  readonly client: RedfishClient;
  readonly call: Call;
  readonly gather: Gather;
}

const normal = (reference: string): string => systemPath(pathOf(reference) ?? reference);

/** The system, and the chassis that belong to it alone; null if the service has no other host's system, so that everything is this one's. */
export async function ownPlaces(
  { client, call, gather }: Reader,
  own: string,
): Promise<readonly string[] | null> {
  const other = await otherSystem(client, call, own);
  if (!other.ok) throw new CannotTell(other.error);
  if (other.path === null) return null;
  const read = await readSystem(client, call, own);
  if (!read.ok) throw new CannotTell(read.error);
  const places = [normal(own)];
  for (const reference of read.system.Links?.Chassis ?? []) {
    const path = normal(reference);
    const found = chassis.safeParse(await gather.resource("chassis", path)).data;
    const inside = found?.Links?.ComputerSystems ?? [];
    if (inside.length > 0 && inside.every((one) => normal(one) === normal(own))) places.push(path);
  }
  return places;
}

/** Whether a link leads to one of the places, or below it. */
export function leadsInto(places: readonly string[], reference: string): boolean {
  const path = normal(reference);
  return places.some((place) => path === place || path.startsWith(`${place}/`));
}
