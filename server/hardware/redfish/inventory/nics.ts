// MAC addresses by Redfish: from the system's Ethernet interfaces, or else from the network adapters linked from system and chassis.
import { z } from "zod";
import { networkInterface } from "@/server/domain/hosts/inventory/inventory";
import { links, optionalLink, pathOf } from "@/server/hardware/redfish/resources/references";
import type { Gather } from "@/server/hardware/redfish/inventory/gather";

/** As the BMC tells them: a value that is no address is said (`Macs.add`). */
const addresses = { MACAddress: z.unknown().optional(), PermanentMACAddress: z.unknown().optional() };

const ethernetInterface = z.object({
  ...addresses,
  Links: z.object({ HostInterface: optionalLink }).nullish().catch(null),
});

/** Links of a NetworkInterface, which stands for an adapter, or of the adapter itself. */
const adapterLinks = z.object({
  NetworkDeviceFunctions: optionalLink,
  Ports: optionalLink,
  Links: z.object({ NetworkAdapter: optionalLink }).nullish().catch(null),
});

const deviceFunction = z.object({
  Ethernet: z.object(addresses).nullish().catch(null),
});

const port = z.object({
  Ethernet: z.object({ AssociatedMACAddresses: z.unknown().optional() }).nullish().catch(null),
});

const chassis = z.object({
  NetworkAdapters: optionalLink,
  Links: z.object({ ComputerSystems: links }).nullish().catch(null),
});

/** Where the host's ports may be listed. */
export interface PortPlaces {
  readonly ethernet: string | undefined;
  readonly interfaces: string | undefined;
  /** The chassis that contain the system. */
  readonly chassis: readonly string[];
  readonly system: string;
  /** The service's list of systems. */
  readonly systems: string | undefined;
}

class Macs {
  readonly #gather: Gather;
  readonly #found = new Set<string>();
  /** The BMC lists a card that is the host's, or may be. */
  hasCards = false;

  constructor(gather: Gather) {
    this.#gather = gather;
  }

  /** Adds the first of these that is an address, and says which before it is none. Callers pass the permanent one before the configured one. */
  add(path: string, ...told: readonly unknown[]): void {
    for (const value of told) {
      if (value == null || value === "") continue;
      const mac = networkInterface.shape.mac.safeParse(
        typeof value === "string" ? value.toLowerCase() : value,
      );
      if (mac.success) {
        if (mac.data !== "00:00:00:00:00:00") this.#found.add(mac.data);
        return;
      }
      this.#gather.leaveOut(
        `network address of ${path}`,
        `${JSON.stringify(value).slice(0, 100)} is not understood as a MAC address`,
      );
    }
  }

  get all(): string[] {
    return [...this.#found];
  }
}

export interface FoundMacs {
  readonly macs: readonly string[];
  /** The BMC lists a network card that is the host's, or may be, with an address or without. */
  readonly hasCards: boolean;
}

/** MAC addresses of the host's own ports in lower case, without duplicates and without the link between host and BMC. */
export async function collectMacs(gather: Gather, places: PortPlaces): Promise<FoundMacs> {
  const macs = new Macs(gather);
  for (const { path, body } of await gather.resources(
    await gather.members("network interfaces", places.ethernet),
  )) {
    const parsed = ethernetInterface.safeParse(body);
    if (!parsed.success || parsed.data.Links?.HostInterface != null) continue;
    macs.hasCards = true;
    macs.add(path, parsed.data.PermanentMACAddress, parsed.data.MACAddress);
  }
  // Some BMCs list only the link to themselves there. The adapters may have the rest.
  if (macs.all.length === 0 && places.interfaces !== undefined)
    await readAdapters(gather, macs, await gather.members("network adapters", places.interfaces));
  if (macs.all.length === 0) await readChassis(gather, macs, places);
  if (macs.all.length === 0)
    gather.leaveOut("network addresses", "the BMC does not report the host's own ports");
  return { macs: macs.all, hasCards: macs.hasCards };
}

/** Adapters that only the system's chassis links to, as on GH200 and BlueField. If several systems share the chassis, nobody knows whose they are. */
async function readChassis(gather: Gather, macs: Macs, places: PortPlaces): Promise<void> {
  for (const path of places.chassis) {
    const found = chassis.safeParse(await gather.resource("chassis", path)).data;
    const adapters = found?.NetworkAdapters?.["@odata.id"];
    if (adapters === undefined) continue;
    const shared = await whyShared(gather, places, found?.Links?.ComputerSystems ?? []);
    // safety: bmc: ports of a chassis that other systems are in (never)
    if (shared !== null) {
      macs.hasCards = true;
      gather.leaveOut(`network adapters of ${path}`, shared);
    } else
      await readAdapters(gather, macs, await gather.members("network adapters of the chassis", adapters));
  }
}

/** Null if the chassis belongs to this system alone. One that names no system does so if the service has only one. */
async function whyShared(
  gather: Gather,
  { system, systems }: PortPlaces,
  named: readonly string[],
): Promise<string | null> {
  const others = named.filter((path) => pathOf(path) !== system);
  if (named.length > 0)
    return others.length === 0
      ? null
      : `the chassis has other systems too (${others.join(", ")}); enter the host's MAC addresses by hand`;
  const all = await gather.members("systems", systems);
  return all.length === 1
    ? null
    : "the chassis does not name its system, and the BMC has several systems; enter the host's MAC addresses by hand";
}

async function readAdapters(gather: Gather, macs: Macs, paths: readonly string[]): Promise<void> {
  for (const { body } of await gather.resources(paths)) {
    macs.hasCards = true;
    const own = adapterLinks.safeParse(body).data;
    const adapter = own?.Links?.NetworkAdapter?.["@odata.id"];
    const before = macs.all.length;
    await readFunctions(gather, macs, own);
    // A NetworkInterface that lists nothing itself links to its adapter.
    if (macs.all.length === before && adapter !== undefined)
      await readFunctions(
        gather,
        macs,
        adapterLinks.safeParse(await gather.resource("network adapter", adapter)).data,
      );
  }
}

async function readFunctions(
  gather: Gather,
  macs: Macs,
  links: z.infer<typeof adapterLinks> | undefined,
): Promise<void> {
  const before = macs.all.length;
  const functions = links?.NetworkDeviceFunctions?.["@odata.id"];
  if (functions !== undefined)
    for (const { path, body } of await gather.resources(
      await gather.members("network functions", functions),
    )) {
      const ethernet = deviceFunction.safeParse(body).data?.Ethernet;
      macs.add(path, ethernet?.PermanentMACAddress, ethernet?.MACAddress);
    }
  const ports = links?.Ports?.["@odata.id"];
  if (macs.all.length > before || ports === undefined) return;
  for (const { path, body } of await gather.resources(await gather.members("network ports", ports))) {
    const told = port.safeParse(body).data?.Ethernet?.AssociatedMACAddresses;
    for (const mac of Array.isArray(told) ? told : [told]) macs.add(path, mac);
  }
}
