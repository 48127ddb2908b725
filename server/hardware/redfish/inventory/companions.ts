// Systems beside the host's that cannot be restarted, such as the GPU board `HGX_Baseboard_0` of NVIDIA's machines: whose they are, by the service's own links (docs/parts.md#what-the-bmc-shows).
import { z } from "zod";
import { systemPath } from "@/server/domain/hardware/bmc-system";
import type { Gather } from "@/server/hardware/redfish/inventory/gather";
import { Unreadable } from "@/server/hardware/redfish/inventory/part-members";
import { link, links, pathOf, text } from "@/server/hardware/redfish/resources/references";

const maxSystems = 64;
const maxChassis = 64;

const system = z.object({
  /** Required (DSP0266, 9.6): content without it is no system's. */
  Id: z.string().min(1),
  Actions: z
    .object({ "#ComputerSystem.Reset": z.object({ target: text }).nullish() })
    .nullish()
    .catch(null),
  /** One that is no link is not the same as none. */
  Processors: link.optional(),
  Links: z.object({ Chassis: links, ConsumingComputerSystems: links }).nullish().catch(null),
});

const chassis = z.object({
  Links: z.object({ ComputerSystems: links, Contains: links }).nullish().catch(null),
});

/** A system that is not a host by itself. */
export interface Companion {
  readonly path: string;
  readonly name: string;
  /** Its list of processors; null: it has none. */
  readonly processors: string | null;
  /** Whether the service says that it is part of the host. */
  readonly linked: boolean;
}

/** Where to look, and what the host's own system links to. */
export interface CompanionPlaces {
  readonly system: string;
  /** All systems of the service. */
  readonly systems: readonly string[];
  /** The chassis that contain the host's system. */
  readonly chassis: readonly string[];
  /** Systems that contribute to the host's (`Links.SupplyingComputerSystems`). */
  readonly suppliers: readonly string[];
}

const normal = (reference: string): string => systemPath(pathOf(reference) ?? reference);

/** The host's chassis and what they contain, without those that also hold another host. */
async function containedIn(
  gather: Gather,
  { chassis: own }: CompanionPlaces,
  hosts: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const inside = new Set<string>();
  const left = own.map(normal);
  const looked = new Set<string>();
  for (let path = left.shift(); path !== undefined; path = left.shift()) {
    if (looked.has(path)) continue;
    looked.add(path);
    if (looked.size > maxChassis) throw new Unreadable(`more than ${maxChassis} chassis`);
    const found = chassis.safeParse(await gather.resource("chassis", path)).data?.Links;
    if (found == null || found.ComputerSystems.some((one) => hosts.has(normal(one)))) continue;
    inside.add(path);
    left.push(...found.Contains.map(normal));
  }
  return inside;
}

/** @throws Unreadable or CannotTell: then it is not known whose GPUs the service has */
export async function companionsOf(gather: Gather, places: CompanionPlaces): Promise<readonly Companion[]> {
  const own = normal(places.system);
  const others = places.systems.filter((path) => normal(path) !== own);
  if (others.length === 0 || places.systems.length === 1) return [];
  if (others.length > maxSystems) throw new Unreadable(`more than ${maxSystems} systems`);
  const read = (await gather.resources(others)).map(({ path, body }) => {
    const { data } = system.safeParse(body);
    if (data === undefined) throw new Unreadable(path);
    return { path, data };
  });
  const isHost = ({ data }: (typeof read)[number]): boolean =>
    data.Actions?.["#ComputerSystem.Reset"] != null;
  const hosts = new Set(read.filter(isHost).map(({ path }) => normal(path)));
  const beside = read.filter((each) => !isHost(each));
  if (beside.length === 0) return [];
  const suppliers = new Set(places.suppliers.map(normal));
  const inside = await containedIn(gather, places, hosts);
  return beside.map(({ path, data }) => {
    const within = data.Links?.Chassis ?? [];
    const consumers = data.Links?.ConsumingComputerSystems ?? [];
    return {
      path,
      name: data.Id,
      processors: data.Processors === undefined ? null : pathOf(data.Processors["@odata.id"]),
      linked:
        suppliers.has(normal(path)) ||
        (consumers.length > 0 && consumers.every((one) => normal(one) === own)) ||
        (within.length > 0 && within.every((one) => inside.has(normal(one)))),
    };
  });
}
