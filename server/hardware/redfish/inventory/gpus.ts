// GPUs by Redfish: the processors of the host's system and of systems that are part of it; else, on the host's PCI buses, which also show its NVLink switches.
import { formatCounted } from "@/server/domain/numbers";
import { z } from "zod";
import type { Part } from "@/server/domain/hosts/parts/part";
import { pciKindOf } from "@/server/domain/hosts/parts/pci-kind";
import { companionsOf } from "@/server/hardware/redfish/inventory/companions";
import type { Companion, CompanionPlaces } from "@/server/hardware/redfish/inventory/companions";
import { CannotTell } from "@/server/hardware/redfish/inventory/gather";
import type { Gather } from "@/server/hardware/redfish/inventory/gather";
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
  linkOf,
  location,
  number,
  pcieInterface,
  serialOf,
  slotOf,
  status,
  Unreadable,
} from "@/server/hardware/redfish/inventory/part-members";
import type { Details } from "@/server/hardware/redfish/inventory/part-members";
import { hasAll } from "@/server/hardware/redfish/resources/expand";
import { links, optionalLink, pathOf, text } from "@/server/hardware/redfish/resources/references";

const processor = z.object({
  ...common,
  ProcessorType: text,
  FirmwareVersion: text,
  Location: location,
  SystemInterface: z.object({ PCIe: pcieInterface }).nullish().catch(null),
  MemorySummary: z.object({ Metrics: optionalLink }).nullish().catch(null),
  Links: z.object({ PCIeDevice: optionalLink, PCIeFunctions: links, Memory: links }).nullish().catch(null),
});
type Processor = z.infer<typeof processor>;

const pcieDevice = z.object({
  Id: text,
  Name: text,
  Model: text,
  Manufacturer: text,
  SerialNumber: text,
  PCIeInterface: pcieInterface,
});

const pcieFunction = z.object({
  VendorId: text,
  DeviceId: text,
  ClassCode: text,
  FunctionType: text,
  Status: status,
  Links: z.object({ PCIeDevice: optionalLink }).nullish().catch(null),
});
type PcieFunction = z.infer<typeof pcieFunction>;
/** Says nothing, so that it may be a GPU. */
const notRead: PcieFunction = {};

const ownMemory = z.object({ CapacityMiB: number, Metrics: optionalLink });

/** Where the GPUs of a host may be listed. */
export interface GpuPlaces extends CompanionPlaces {
  readonly processors: string | undefined;
  /** Every function on the host's PCI buses, if its system lists them. */
  readonly pcieFunctions: readonly string[];
}

export interface FoundGpus {
  readonly found: readonly Part[];
  /** Why `found` need not be all of the host's GPUs; null: it is. */
  readonly untold: string | null;
  /** Whether the host's PCI buses were read, which show every NVLink switch. */
  readonly switchesTold: boolean;
}

/** ProcessorType of Redfish's Processor schema. */
const processorTypes: ReadonlySet<string> = new Set([
  ...["CPU", "GPU", "FPGA", "DSP", "Accelerator", "Core", "Thread", "Partition", "OEM"],
]);

const isWholeProcessor = hasAll("ProcessorType", "SerialNumber");

async function gpusAmong(
  gather: Gather,
  reference: string | undefined,
): Promise<readonly { readonly path: string; readonly data: Processor }[]> {
  const read = await gather.resources(await gather.members("processors", reference, 1), isWholeProcessor);
  return read.flatMap(({ path, body }) => {
    const { data } = processor.safeParse(body);
    if (data === undefined || !processorTypes.has(data.ProcessorType ?? ""))
      throw new Unreadable(`${path} does not say which type of processor it is`);
    return data.ProcessorType !== "GPU" || isAbsent(data.Status) ? [] : [{ path, data }];
  });
}

const place = (reference: string | undefined): string | null =>
  reference === undefined ? null : pathOf(reference);

const pcieId = (found: PcieFunction | undefined): string | undefined => {
  const [vendor, device] = [found?.VendorId, found?.DeviceId].map(hexadecimal);
  return vendor === undefined || device === undefined ? undefined : `${vendor}:${device}`;
};

/** `0x10DE` or `10de`, without prefix and in lower case. */
function hexadecimal(value: string | null | undefined): string | undefined {
  return /^(?:0x)?([0-9a-f]{4})$/.exec((value ?? "").trim().toLowerCase())?.[1];
}

/** One GPU with what its slot, its memory and its counters add. */
async function gpuOf(details: Details, path: string, data: Processor): Promise<Part> {
  const own = linkOf(data.SystemInterface?.PCIe);
  const device =
    own !== undefined && serialOf(data.SerialNumber) !== undefined && filled(data.Model) !== undefined
      ? undefined
      : pcieDevice.safeParse(await detail(details, place(data.Links?.PCIeDevice?.["@odata.id"]))).data;
  const onBus = pcieFunction.safeParse(await detail(details, place(data.Links?.PCIeFunctions[0]))).data;
  const counted = await detail(details, place(data.MemorySummary?.Metrics?.["@odata.id"]));
  const body = await detail(details, place(data.Links?.Memory[0]));
  const held = ownMemory.safeParse(body).data;
  const counters = await detail(details, place(held?.Metrics?.["@odata.id"]));
  const link = own ?? linkOf(device?.PCIeInterface);
  const ecc = eccOf(counted ?? counters, body, counters);
  return checked({
    kind: "gpu",
    slot: slotOf(labelOf(data.Location), data.Id, path),
    model: (
      filled(data.Model) ??
      filled(device?.Model) ??
      filled(device?.Name) ??
      filled(data.Name) ??
      ""
    ).slice(0, 256),
    ...known({
      manufacturer: filled(data.Manufacturer),
      serial: serialOf(data.SerialNumber) ?? serialOf(device?.SerialNumber),
      firmware: filled(data.FirmwareVersion),
      pciId: pcieId(onBus),
      memoryBytes: bytesOf(held?.CapacityMiB),
      fault: faultOf(data.Status),
    }),
    ...(link === undefined ? {} : { link }),
    ...(ecc === undefined ? {} : { ecc }),
  });
}

const maxFunctions = 512;
/** How many are read before the time is looked at again. */
const functionsAtATime = 16;

/** Null: one of them cannot be read, or there is no time for them. */
async function readFunctions(
  { newGather, spare }: Details,
  paths: readonly string[],
): Promise<readonly PcieFunction[] | null> {
  const found: PcieFunction[] = [];
  for (let at = 0; at < paths.length; at += functionsAtATime) {
    if (!spare()) return null;
    const read = await newGather()
      .resources(paths.slice(at, at + functionsAtATime))
      .catch((error: unknown) => {
        if (error instanceof CannotTell && error.error.kind !== "unreachable") return null;
        throw error;
      });
    for (const { body } of read ?? []) found.push(pcieFunction.catch(notRead).parse(body));
    if (read === null) return null;
  }
  return found;
}

type Card = Pick<Part, "pciId"> & { readonly path: string; readonly kind: "gpu" | "nvswitch" };

/** Null: not such a card. Undefined: it may be one. */
function cardOf(found: PcieFunction): Card | null | undefined {
  if (isAbsent(found.Status) || found.FunctionType === "Virtual") return null;
  const [vendor, device] = [found.VendorId, found.DeviceId].map(hexadecimal);
  const classCode = /^(?:0x)?([0-9a-f]{6})$/.exec((found.ClassCode ?? "").trim().toLowerCase())?.[1];
  const path = place(found.Links?.PCIeDevice?.["@odata.id"]);
  if (vendor === undefined || device === undefined || classCode === undefined || path === null)
    return undefined;
  // The bus is in the device's name where the firmware of AMI lists it, such as `00_1B_00`.
  const onFirstBus = /\/[0-9a-f]+_00_[0-9a-f]+$/i.test(path);
  const kind = pciKindOf({
    vendor: `0x${vendor}`,
    device: `0x${device}`,
    classCode: `0x${classCode}`,
    onFirstBus,
  });
  return kind === "gpu" || kind === "nvswitch" ? { path, kind, pciId: `${vendor}:${device}` } : null;
}

/** GPUs and NVLink switches on the host's PCI buses. Null: the service does not list every function, or one of them may be a GPU. */
async function partsOnBus(details: Details, functions: readonly string[]): Promise<readonly Part[] | null> {
  if (functions.length === 0 || functions.length > maxFunctions) return null;
  const cards = (await readFunctions(details, functions))?.map(cardOf);
  if (cards === undefined) return null;
  const found = new Map<string, Card>();
  for (const card of cards) {
    if (card === undefined) return null;
    if (card !== null && !found.has(card.path)) found.set(card.path, card);
  }
  const parts: Part[] = [];
  for (const { path, kind, pciId } of found.values()) {
    const device = pcieDevice.safeParse(await detail(details, path)).data;
    const link = linkOf(device?.PCIeInterface);
    parts.push(
      checked({
        kind,
        slot: slotOf(device?.Id, path.split("/").at(-1)),
        model: (filled(device?.Model) ?? pciId ?? "").slice(0, 256),
        ...known({
          manufacturer: filled(device?.Manufacturer),
          serial: serialOf(device?.SerialNumber),
          pciId,
        }),
        ...(link === undefined ? {} : { link }),
      }),
    );
  }
  return parts;
}

/** The processors of companions that are part of the host, and the GPUs of those of which the service does not say whose they are. */
async function behindOthers(gather: Gather, companions: readonly Companion[]) {
  const own: { readonly path: string; readonly data: Processor }[] = [];
  const others: { readonly name: string; readonly gpus: number }[] = [];
  for (const { processors, linked, name } of companions) {
    if (processors === null) continue;
    const before = gather.leftOut.length;
    const gpus = await gpusAmong(gather, processors);
    if (gather.leftOut.length > before) throw new Unreadable(gather.leftOut.at(-1));
    if (linked) own.push(...gpus);
    else if (gpus.length > 0) others.push({ name, gpus: gpus.length });
  }
  return { own, others };
}

/**
 * All GPUs of the host, or those that can be told with the reason why there may be more. GPUs of a system of which the service does not say that it is part
 * of the host are never the host's, and never nobody's: the host's PCI buses then show how many it has.
 */
export async function readGpus(gather: Gather, details: Details, places: GpuPlaces): Promise<FoundGpus> {
  const listed = await gpusAmong(gather, places.processors);
  const { own, others } = await behindOthers(gather, await companionsOf(gather, places));
  const found: Part[] = [];
  const serials = new Set<string>();
  for (const { path, data } of [...listed, ...own]) {
    const gpu = await gpuOf(details, path, data);
    // A board's GPUs may be listed by both systems.
    if (gpu.serial !== undefined && serials.has(gpu.serial)) continue;
    if (gpu.serial !== undefined) serials.add(gpu.serial);
    found.push(gpu);
  }
  if (others.length === 0) return { found, untold: null, switchesTold: false };
  const elsewhere = others.reduce((total, { gpus }) => total + gpus, 0);
  const why = `${others.map(({ name, gpus }) => `${name} lists ${formatCounted(gpus, "GPU")}`).join(", ")}, and nothing links it with this host's system`;
  const bus = await partsOnBus(details, places.pcieFunctions);
  if (bus === null) return { found, untold: why, switchesTold: false };
  const onBus = bus.filter(({ kind }) => kind === "gpu").length;
  // Those that the host's system lists itself are on its buses, too.
  const missing = onBus < elsewhere + found.length;
  return {
    found: [
      ...(onBus > found.length ? bus.filter(({ kind }) => kind === "gpu") : found),
      ...bus.filter(({ kind }) => kind === "nvswitch"),
    ],
    untold: missing ? `${why}; its PCI buses show ${formatCounted(onBus, "GPU")}` : null,
    switchesTold: !missing,
  };
}
