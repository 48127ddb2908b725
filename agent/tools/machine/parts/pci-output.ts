// What identifies a PCI device: its names by lspci, its vital product data, its serial number in configuration space.
import { text } from "@/agent/tools/machine/program/answers";

export interface PciNames {
  readonly vendor: string;
  readonly device: string;
}

/** What lspci prints of an id that its list of names does not have. */
const unlisted = /^(?:Vendor|Device) [0-9a-f]{4}$/;

/** `lspci -D -vmm`: blocks of "Name:\tvalue", by PCI address. An empty name: not known. */
export const readPciNames = text((output): ReadonlyMap<string, PciNames> | null => {
  const found = new Map<string, PciNames>();
  for (const block of output.split("\n\n").slice(0, 4096)) {
    const valueOf = (name: string) => new RegExp(`^${name}:\\t(.{1,256})$`, "m").exec(block)?.[1] ?? "";
    const nameOf = (name: string) => valueOf(name).replace(unlisted, "");
    const address = valueOf("Slot");
    if (!/^[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$/.test(address)) continue;
    found.set(address, { vendor: nameOf("Vendor"), device: nameOf("Device") });
  }
  return found.size === 0 ? null : found;
});

export interface ProductData {
  readonly name: string;
  readonly serial: string | null;
  readonly partNumber: string | null;
}

const printable = /^[ -~]*$/;
const textAt = (bytes: Uint8Array, from: number, length: number): string | null => {
  const value = Buffer.from(bytes.subarray(from, from + length))
    .toString("latin1")
    .replace(/[\0 ]+$/, "")
    .trim();
  return printable.test(value) ? value : null;
};

/** The keywords of the read-only part; null if its checksum is wrong or missing (PCI Local Bus 3.0, appendix I). */
function keywords(bytes: Uint8Array, from: number, length: number): ReadonlyMap<string, string> | null {
  const found = new Map<string, string>();
  const end = from + length;
  for (let at = from; at + 3 <= end;) {
    const key = textAt(bytes, at, 2) ?? "";
    const size = bytes[at + 2] ?? 0;
    if (at + 3 + size > end) return null;
    if (key === "RV") {
      const sum = bytes.subarray(0, at + 4).reduce((total, byte) => (total + byte) & 0xff, 0);
      return size >= 1 && sum === 0 ? found : null;
    }
    const value = textAt(bytes, at + 3, size);
    if (value !== null && value !== "") found.set(key, value);
    at += 3 + size;
  }
  return null;
}

const identifier = 0x82;
const readOnly = 0x90;

/** Vital product data as the kernel shows it (`vpd` in sysfs); null if it is not understood as a whole. */
export function readProductData(bytes: Uint8Array): ProductData | null {
  const lengthAt = (at: number) => (bytes[at + 1] ?? 0) + (bytes[at + 2] ?? 0) * 256;
  if (bytes[0] !== identifier) return null;
  const nameLength = lengthAt(0);
  const second = 3 + nameLength;
  if (bytes[second] !== readOnly || second + 3 + lengthAt(second) > bytes.length) return null;
  const found = keywords(bytes, second + 3, lengthAt(second));
  const name = textAt(bytes, 3, nameLength);
  if (found === null || name === null) return null;
  return { name, serial: found.get("SN") ?? null, partNumber: found.get("PN") ?? null };
}

const firstCapability = 0x100;
const serialCapability = 0x0003;
const mostCapabilities = 64;

/** The device serial number in extended configuration space, as 16 hexadecimal digits; null if there is none (PCI Express Base, 7.9.3). */
export function readDeviceSerial(config: Uint8Array): string | null {
  const view = new DataView(config.buffer, config.byteOffset, config.byteLength);
  let at = firstCapability;
  for (let count = 0; count < mostCapabilities; count += 1) {
    if (at < firstCapability || at + 12 > view.byteLength) return null;
    const header = view.getUint32(at, true);
    if (header === 0 || header === 0xffff_ffff) return null;
    if ((header & 0xffff) === serialCapability) {
      const [low, high] = [4, 8].map((offset) =>
        view
          .getUint32(at + offset, true)
          .toString(16)
          .padStart(8, "0"),
      );
      const serial = `${high}${low}`;
      return /^(0+|f+)$/.test(serial) ? null : serial;
    }
    at = (header >>> 20) & 0xffc;
  }
  return null;
}

/** `ethtool -i`: the firmware of a card, as its driver reports it. Null: not understood, or the driver reports none. */
export const readCardFirmware = text((output): string | null => {
  const version = /^firmware-version:[ \t]+(\S.{0,255})$/m.exec(output)?.[1]?.trim();
  return /^driver:/m.test(output) && version !== undefined && !/^n\/a$/i.test(version) ? version : null;
});

/** "16.0 GT/s PCIe" */
export function readSpeed(line: string | null): number | undefined {
  const said = /^(\d{1,3}(?:\.\d)?) GT\/s\b/.exec(line ?? "")?.[1];
  return said === undefined ? undefined : Number(said);
}
