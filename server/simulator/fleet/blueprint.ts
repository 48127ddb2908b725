// What one machine of the fleet is: the same for every start with the same seed and number.
import type { InfinibandDevice } from "@/server/domain/hosts/inventory/inventory";
import type { DriveIdentity } from "@/server/simulator/drives/drive";
import { hex, letters, mix } from "@/server/simulator/fleet/numbers";
import { models, type HostModelName, type Vendor } from "@/server/simulator/fleet/models";

export interface Blueprint {
  readonly index: number;
  readonly name: string;
  readonly vendor: Vendor;
  readonly model: HostModelName;
  /** As the BMC's ComputerSystem reports it. */
  readonly serial: string;
  /** Printed on the machine; the same as the serial, except at Dell. */
  readonly serviceTag: string;
  /** Of the mainboard, as its firmware tells the operating system. */
  readonly boardSerial: string;
  readonly uuid: string;
  readonly rack: string;
  readonly slot: number;
  readonly key: number;
  readonly nics: readonly { readonly name: string; readonly mac: string }[];
  readonly infiniband: readonly InfinibandDevice[];
  readonly drives: readonly DriveIdentity[];
  /** What the site's network controller configures and acknowledges for this host: DPUs or switch ports. */
  readonly networkInterfaces: readonly string[];
}

const serialLetters = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789";
const hostsPerRack = 20;
const racksPerRow = 10;

/** The vendor of the host with this number: of five hosts two are Dell, two Lenovo, one generic. */
function vendorOf(index: number): Vendor {
  return (["dell", "lenovo", "dell", "lenovo", "generic"] as const)[index % 5] ?? "generic";
}

const modelsRepeatAfter = 20;

/** With boot cards, one of eight Dell hosts has a BOSS card and one of eight Lenovo hosts an M.2 kit. */
function modelOf(index: number, bootCards: boolean): HostModelName {
  const place = index % modelsRepeatAfter;
  return bootCards && place === 10 ? "dellBoss" : bootCards && place === 13 ? "lenovoKit" : vendorOf(index);
}

/** Unique in the fleet: the vendor's first three bytes, then 24 bits derived from host and place, in an order that does not look sequential. */
export function macOf(captured: string, index: number, place: number, seed: number): string {
  const value = (Math.imul(index * 64 + place, 0x5bd1e5) + mix(seed)) & 0xffffff;
  return `${captured.slice(0, 8).toLowerCase()}:${value
    .toString(16)
    .padStart(6, "0")
    .replace(/(..)(..)(..)/, "$1:$2:$3")}`;
}

function serialOf(vendor: Vendor, index: number, seed: number): { serial: string; serviceTag: string } {
  const number = index.toString(36).toUpperCase().padStart(4, "0");
  if (vendor === "dell")
    return {
      serial: `CNIVC00${letters("0123456789", 3, seed, index, 1)}${number}`,
      serviceTag: `${letters(serialLetters, 3, seed, index, 2)}${number}`,
    };
  const serial =
    vendor === "lenovo"
      ? `J10${letters(serialLetters, 1, seed, index, 3)}${number}`
      : `GS${letters(serialLetters, 4, seed, index, 4)}${number}`;
  return { serial, serviceTag: serial };
}

/** A serial number for the drive in this place; `replacement` counts the drives that were there before. */
export function driveSerial(
  captured: string,
  index: number,
  place: number,
  seed: number,
  replacement = 0,
): string {
  const tail = `${letters(serialLetters, 3, seed, index, place, replacement)}${(index * 16 + place).toString(36).toUpperCase().padStart(5, "0")}`;
  return `${captured.slice(0, Math.max(4, captured.length - tail.length))}${tail}`;
}

export function blueprint(index: number, seed: number, bootCards = false): Blueprint {
  const name = modelOf(index, bootCards);
  const model = models[name];
  const { vendor } = model;
  const { serial, serviceTag } = serialOf(vendor, index, seed);
  const rack = Math.floor(index / hostsPerRack);
  const row = String.fromCharCode(97 + (Math.floor(rack / racksPerRow) % 26));
  const digits = (purpose: number, length: number) => hex(length, seed, index, purpose);
  return {
    index,
    name: `gpu-${row}-${String(index + 1).padStart(4, "0")}`,
    vendor,
    model: name,
    serial,
    serviceTag,
    boardSerial: `MB${letters(serialLetters, 6, seed, index, 15)}${index.toString(36).toUpperCase().padStart(4, "0")}`,
    uuid: `${vendor === "dell" ? "4c4c4544" : digits(5, 8)}-${digits(6, 4)}-4${digits(7, 3)}-8${digits(8, 3)}-${digits(9, 12)}`,
    rack: `${row.toUpperCase()}${String((rack % racksPerRow) + 1).padStart(2, "0")}`,
    slot: (index % hostsPerRack) * 2 + 1,
    key: mix(seed, index, 10),
    nics: model.nics.map(({ name, captured }, place) => ({ name, mac: macOf(captured, index, place, seed) })),
    infiniband: model.infiniband.map((device, place) => ({ ...device, guid: digits(11 + place, 16) })),
    drives: model.drives.map(({ capturedSerial, identity, card }, place) => ({
      ...identity,
      ...(card === undefined ? {} : { card }),
      serial: driveSerial(capturedSerial, index, place, seed),
      wwn: `eui.${digits(20 + place, 16)}`,
    })),
    networkInterfaces: Array.from(
      { length: model.networkInterfaces },
      (_, place) => `${serial.toLowerCase()}-dpu${place}`,
    ),
  };
}
