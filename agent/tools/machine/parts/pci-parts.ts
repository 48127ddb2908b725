// GPUs, network cards, DPUs and NVLink switches on the PCI buses: one part for each card, whatever its number of functions.
import { lineIn, type Files } from "@/agent/tools/machine/program/files";
import { pciFolder, type PciFunction } from "@/agent/tools/machine/program/pci";
import { programs } from "@/agent/tools/machine/program/paths";
import type { RunTool } from "@/agent/tools/machine/program/run-tool";
import {
  readCardFirmware,
  readDeviceSerial,
  readProductData,
  readSpeed,
  type PciNames,
} from "@/agent/tools/machine/parts/pci-output";
import { isPlaceholderSerial } from "@/server/domain/hosts/inventory/placeholder-serial";
import type { Part } from "@/server/domain/hosts/parts/part";
import { pciKindOf } from "@/server/domain/hosts/parts/pci-kind";

type PciKind = Exclude<Part["kind"], "memory">;

/** By vendor and class; null: no part that is compared. */
export const kindOf = (found: PciFunction): PciKind | null =>
  pciKindOf({ ...found, onFirstBus: /^[0-9a-f]{4}:00:/.test(found.address) });

/** Functions of one card share everything before the dot. */
const cardOf = ({ address }: PciFunction): string => address.split(".")[0] ?? address;

interface Card {
  readonly kind: PciKind;
  readonly first: PciFunction;
}

/** One entry per card, with its first function that makes it one. */
export function cardsIn(functions: readonly PciFunction[]): readonly Card[] {
  const cards = new Map<string, Card>();
  for (const first of functions) {
    const kind = kindOf(first);
    if (kind !== null && !cards.has(cardOf(first))) cards.set(cardOf(first), { kind, first });
  }
  return [...cards.values()];
}

const wholeIn = async (files: Files, path: string): Promise<number | undefined> => {
  const line = (await lineIn(files, path)) ?? "";
  return /^\d{1,2}$/.test(line) && Number(line) > 0 ? Number(line) : undefined;
};

const least = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : b === undefined ? a : Math.min(a, b);

/** What both ends of the link can do: a card for 16 lanes in a slot with 8 is not degraded. */
async function readLink(files: Files, kind: PciKind, address: string): Promise<Part["link"]> {
  const own = `${pciFolder}/${address}`;
  const parent = (await files.real(own))?.split("/").at(-2);
  const bridge =
    parent !== undefined && /^[0-9a-f]{4}:/.test(parent) && parent.includes(".")
      ? `${pciFolder}/${parent}`
      : null;
  const ofBridge = async <Value>(read: (folder: string) => Promise<Value>): Promise<Value | undefined> =>
    bridge === null ? undefined : read(bridge);
  const width = (folder: string) => wholeIn(files, `${folder}/max_link_width`);
  const speed = async (folder: string) => readSpeed(await lineIn(files, `${folder}/max_link_speed`));
  const found = {
    width: await wholeIn(files, `${own}/current_link_width`),
    maxWidth: least(await width(own), await ofBridge(width)),
    // A GPU slows an idle link down. Only its driver says whether it is idle.
    speed: kind === "gpu" ? undefined : readSpeed(await lineIn(files, `${own}/current_link_speed`)),
    maxSpeed: least(await speed(own), await ofBridge(speed)),
  };
  const known = Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
  return Object.keys(known).length === 0 ? undefined : known;
}

const isSerial = (serial: string | null | undefined): serial is string =>
  typeof serial === "string" && serial !== "" && !isPlaceholderSerial(serial);

async function readFirmware(run: RunTool, files: Files, address: string): Promise<string | null> {
  const [name] = (await files.list(`${pciFolder}/${address}/net`)) ?? [];
  if (name === undefined || !/^[\w.-]{1,15}$/.test(name)) return null;
  const { exitCode, stdout } = await run(programs.ethtool, ["-i", name]);
  return exitCode === 0 ? readCardFirmware(stdout) : null;
}

/** One card. Its serial number is that of its vital product data, else that of its configuration space. */
export async function readCard(
  run: RunTool,
  files: Files,
  { kind, first: { address, vendor, device } }: Card,
  names: ReadonlyMap<string, PciNames>,
): Promise<Part> {
  const folder = `${pciFolder}/${address}`;
  const pciId = `${vendor}:${device}`.toLowerCase().replaceAll("0x", "");
  const data = readProductData((await files.read(`${folder}/vpd`)) ?? new Uint8Array());
  const config = await files.read(`${folder}/config`);
  const serial = [data?.serial, config === null ? null : readDeviceSerial(config)].find(isSerial);
  const link = await readLink(files, kind, address);
  const firmware = kind === "nic" || kind === "dpu" ? await readFirmware(run, files, address) : null;
  const { vendor: maker = "", device: called = "" } = names.get(address) ?? {};
  return {
    kind,
    slot: address,
    model: called === "" ? pciId : called.slice(0, 256),
    ...(maker === "" ? {} : { manufacturer: maker.slice(0, 256) }),
    ...(serial === undefined ? {} : { serial: serial.slice(0, 128) }),
    ...(firmware === null ? {} : { firmware: firmware.slice(0, 256) }),
    ...(/^[0-9a-f]{4}:[0-9a-f]{4}$/.test(pciId) ? { pciId } : {}),
    ...(link === undefined ? {} : { link }),
  };
}
