// GPUs, network cards, memory modules and boards by Redfish: from the system's processors and memory, and its chassis (docs/parts.md#what-the-bmc-shows).
import { z } from "zod";
import { maxBoards, maxParts } from "@/server/domain/hosts/parts/part";
import type { Board, Part, PartKind, PartsReport } from "@/server/domain/hosts/parts/part";
import { CannotTell } from "@/server/hardware/redfish/inventory/gather";
import type { Gather } from "@/server/hardware/redfish/inventory/gather";
import { readGpus } from "@/server/hardware/redfish/inventory/gpus";
import type { GpuPlaces } from "@/server/hardware/redfish/inventory/gpus";
import {
  bytesOf,
  checked,
  common,
  detail,
  eccOf,
  faultOf,
  filled,
  isAbsent,
  known,
  labelOf,
  location,
  number,
  serialOf,
  slotOf,
  Unreadable,
} from "@/server/hardware/redfish/inventory/part-members";
import type { Details } from "@/server/hardware/redfish/inventory/part-members";
import { systemPath } from "@/server/domain/hardware/bmc-system";
import { hasAll } from "@/server/hardware/redfish/resources/expand";
import { link, links, optionalLink, pathOf, text } from "@/server/hardware/redfish/resources/references";

const memory = z.object({
  ...common,
  DeviceLocator: text,
  PartNumber: text,
  CapacityMiB: number,
  MemoryDeviceType: text,
  Location: location,
  Metrics: optionalLink,
});

const chassisOf = z.object({
  /** Required (DSP0266, 9.6): content without it is no chassis's. */
  Id: z.string().min(1),
  /** One that is no link is not the same as none. */
  NetworkAdapters: link.optional(),
  Assembly: optionalLink,
  Links: z.object({ ComputerSystems: links }).nullish().catch(null),
});

const adapter = z.object({
  ...common,
  Controllers: z
    .array(z.object({ FirmwarePackageVersion: text, Location: location }).nullish().catch(null))
    .nullish()
    .catch(null),
});

const assembly = z.object({
  Assemblies: z.array(
    z.object({ Name: text, Model: text, PartNumber: text, SerialNumber: text }).nullish().catch(null),
  ),
});

/** Where a system's parts may be listed. */
export interface PartPlaces extends GpuPlaces {
  readonly memory: string | undefined;
  /** The service's list of chassis. */
  readonly allChassis: string | undefined;
}

type Chassis = z.infer<typeof chassisOf>;

const isSamePlace = (left: string, right: string): boolean =>
  systemPath(pathOf(left) ?? left) === systemPath(pathOf(right) ?? right);

const hasAdapters = ({ NetworkAdapters }: Chassis): boolean => NetworkAdapters != null;

async function readChassis(gather: Gather, paths: readonly string[]): Promise<readonly Chassis[]> {
  return (await gather.resources(paths, hasAll("Links"))).map(({ path, body }) => {
    const { data } = chassisOf.safeParse(body);
    if (data === undefined) throw new Unreadable(path);
    return data;
  });
}

/** The chassis that the system names; where these list no network adapters, those that name the system, as on NVIDIA's boards. */
async function chassisWithAdapters(gather: Gather, { chassis, allChassis, system }: PartPlaces) {
  const named = await readChassis(gather, chassis);
  const shared = named.findIndex(({ Links }) => (Links?.ComputerSystems ?? []).length > 1);
  if (shared !== -1) throw new Unreadable(`the chassis ${chassis[shared]} has other systems too`);
  if (named.some(hasAdapters)) return named.filter(hasAdapters);
  const all = await readChassis(gather, await gather.members("chassis", allChassis, 1));
  const systemsOf = ({ Links }: Chassis) => Links?.ComputerSystems ?? [];
  if (all.some((each) => hasAdapters(each) && systemsOf(each).length === 0))
    throw new Unreadable("a chassis with network adapters names no system");
  const own = all.filter(
    (each) => systemsOf(each).length > 0 && systemsOf(each).every((one) => isSamePlace(one, system)),
  );
  if (!own.some(hasAdapters)) throw new Unreadable("none of the system's chassis lists network adapters");
  return own.filter(hasAdapters);
}

async function readMemory(
  gather: Gather,
  details: Details,
  { memory: reference }: PartPlaces,
): Promise<readonly Part[]> {
  const modules: Part[] = [];
  for (const { path, body } of await gather.resources(
    await gather.members("memory", reference, 1),
    hasAll("Status"),
  )) {
    const { data } = memory.safeParse(body);
    if (data === undefined) throw new Unreadable(path);
    if (isAbsent(data.Status) || data.CapacityMiB === 0) continue;
    if (data.CapacityMiB == null && filled(data.Status?.State) === undefined)
      throw new Unreadable(`${path} does not say whether there is a module`);
    const metrics = data.Metrics == null ? null : pathOf(data.Metrics["@odata.id"]);
    const ecc = eccOf(await detail(details, metrics), undefined);
    modules.push(
      checked({
        kind: "memory",
        slot: slotOf(labelOf(data.Location), data.DeviceLocator, data.Id, path),
        model: (filled(data.PartNumber) ?? filled(data.Model) ?? "").slice(0, 256),
        ...known({
          memoryBytes: bytesOf(data.CapacityMiB),
          manufacturer: filled(data.Manufacturer),
          serial: serialOf(data.SerialNumber),
          memoryType: filled(data.MemoryDeviceType),
          fault: faultOf(data.Status),
        }),
        ...(ecc === undefined ? {} : { ecc }),
      }),
    );
  }
  return modules;
}

async function readAdapters(gather: Gather, _details: Details, places: PartPlaces): Promise<readonly Part[]> {
  const cards: Part[] = [];
  for (const { NetworkAdapters } of await chassisWithAdapters(gather, places)) {
    for (const { path, body } of await gather.resources(
      await gather.members("network adapters", NetworkAdapters?.["@odata.id"], 1),
      hasAll("Controllers"),
    )) {
      const { data } = adapter.safeParse(body);
      if (data === undefined) throw new Unreadable(path);
      if (isAbsent(data.Status)) continue;
      const [controller] = data.Controllers ?? [];
      const model = (filled(data.Model) ?? filled(data.Name) ?? "").slice(0, 256);
      cards.push(
        checked({
          kind: /bluefield/i.test(model) ? "dpu" : "nic",
          slot: slotOf(labelOf(controller?.Location), data.Id, path),
          model,
          ...known({
            manufacturer: filled(data.Manufacturer),
            serial: serialOf(data.SerialNumber),
            firmware: filled(controller?.FirmwarePackageVersion),
            fault: faultOf(data.Status),
          }),
        }),
      );
    }
  }
  return cards;
}

/** Boards of the system's own chassis with a serial number of their own. They add to a report, so nothing depends on them. */
async function readBoards(details: Details, { chassis }: PartPlaces): Promise<readonly Board[]> {
  const boards = new Map<string, Board>();
  for (const own of chassis) {
    const { data: found } = chassisOf.safeParse(await detail(details, own));
    if (found?.Assembly == null || (found.Links?.ComputerSystems ?? []).length > 1) continue;
    const read = assembly.safeParse(await detail(details, pathOf(found.Assembly["@odata.id"]))).data;
    for (const each of read?.Assemblies ?? []) {
      const serial = serialOf(each?.SerialNumber)?.slice(0, 128);
      if (each == null || serial === undefined) continue;
      const [name, model, partNumber] = [each.Name, each.Model, each.PartNumber].map((value) =>
        filled(value)?.slice(0, 256),
      );
      boards.set(serial, {
        name: name ?? "",
        ...(model === undefined ? {} : { model }),
        ...(partNumber === undefined ? {} : { partNumber }),
        serial,
      });
    }
  }
  return [...boards.values()].slice(0, maxBoards);
}

const reasonLength = 256;

interface Reading {
  readonly found: readonly Part[];
  readonly told: readonly PartKind[];
  readonly untold: PartsReport["untold"];
}

const isUnread = (error: unknown): error is CannotTell | Unreadable =>
  error instanceof CannotTell || error instanceof Unreadable;

const untoldBy = (kinds: readonly PartKind[], reason: string): PartsReport["untold"] =>
  kinds.map((kind) => ({ kind, reason: reason.slice(0, reasonLength) }));

/** Reads parts of some kinds. If that fails, these kinds are not told, with the reason. */
async function readKinds(
  details: Details,
  kinds: readonly PartKind[],
  read: (gather: Gather) => Promise<Reading>,
): Promise<Reading> {
  const gather = details.newGather();
  try {
    const reading = await read(gather);
    const [missing] = gather.leftOut;
    // What a BMC does not list is not known to be none.
    return missing === undefined ? reading : { found: [], told: [], untold: untoldBy(kinds, missing) };
  } catch (error) {
    if (!isUnread(error)) throw error;
    return { found: [], told: [], untold: untoldBy(kinds, error.message) };
  }
}

const readWhole =
  (
    kinds: readonly PartKind[],
    read: (gather: Gather, details: Details, places: PartPlaces) => Promise<readonly Part[]>,
  ) =>
  (details: Details, places: PartPlaces): Promise<Reading> =>
    readKinds(details, kinds, async (gather) => ({
      found: await read(gather, details, places),
      told: kinds,
      untold: [],
    }));

const noSwitches = "Redfish lists no NVLink switches";

/** Switches are told only where the host's buses had to be read for its GPUs, and showed all of them. */
const readGpuKinds = (details: Details, places: PartPlaces): Promise<Reading> =>
  readKinds(details, ["gpu", "nvswitch"], async (gather) => {
    const { found, untold, switchesTold } = await readGpus(gather, details, places);
    const told: PartKind[] = [
      ...(untold === null ? (["gpu"] as const) : []),
      ...(switchesTold ? (["nvswitch"] as const) : []),
    ];
    const listsSome = untold !== null && found.some(({ kind }) => kind === "nvswitch");
    return {
      found,
      told,
      untold: [
        ...(untold === null ? [] : untoldBy(["gpu"], untold)),
        ...(switchesTold ? [] : untoldBy(["nvswitch"], listsSome ? untold : noSwitches)),
      ],
    };
  });

const readers: ReadonlyArray<(details: Details, places: PartPlaces) => Promise<Reading>> = [
  readGpuKinds,
  readWhole(["memory"], readMemory),
  readWhole(["nic", "dpu"], readAdapters),
];

/**
 * What the BMC lists. Nothing is decided on it, so a part that cannot be read does not stop the inventory: its kind is not told, with the reason.
 * @param details new gathers, because one that stopped reads nothing more; and whether there is time for what only adds to a part
 */
export async function collectParts(details: Details, places: PartPlaces): Promise<PartsReport> {
  const told: PartKind[] = [];
  const untold: PartsReport["untold"] = [];
  const found: Part[] = [];
  for (const read of readers) {
    const reading = await read(details, places);
    if (found.length + reading.found.length > maxParts) {
      untold.push(...untoldBy(reading.told, `more than ${maxParts} parts`), ...reading.untold);
      continue;
    }
    told.push(...reading.told);
    untold.push(...reading.untold);
    found.push(...reading.found);
  }
  const boards = await readBoards(details, places).catch((error: unknown) => {
    if (!isUnread(error)) throw error;
    return [];
  });
  return { told, untold, found, ...(boards.length === 0 ? {} : { boards: [...boards] }) };
}
