// The order in which a host's firmware tries the entries of its boot menu, in names that mean the same on every host of the model.
import { nameWithoutAddress } from "@/server/domain/hosts/inventory/name-without-address";

export interface BootEntry {
  /** Such as `Boot0004`. The same number is another entry on another host. */
  readonly reference: string;
  readonly name: string;
  /** Its UEFI device path; null: not told. */
  readonly path: string | null;
  /** The firmware made it for its own hardware. */
  readonly own: boolean;
}

/** Where a port is, without its MAC address: `PciRoot(0x0)/Pci(0x1,0x0)/Pci(0x0,0x1)`. */
const slot = /^PciRoot\(\w+\)(?:\/Pci\(\w+,\w+\))+/;

/** A drive, whose name may have its serial number. */
const drive = /(?:^|\/)(?:NVMe|Sata|SAS|SCSI|USB)\(/;
/** A word that may be a serial number. A model may look like one, too. */
const serialLike = /\b(?=\w*\d)(?=\w*[a-z])\w{8,}\b/i;

/**
 * The names of entries in their order. Ports of one kind are told apart by their slots, as components of firmware are; a name without the address alone would be
 * the same for all of them. Pure.
 */
export function bootNames(entries: readonly BootEntry[]): readonly string[] {
  const common = entries.map(({ name }) => nameWithoutAddress(name));
  return entries.map(({ path }, index) => {
    const name = common[index] ?? "";
    const place = slot.exec(path ?? "")?.[0];
    const isAlone = common.filter((other) => other === name).length === 1;
    return isAlone || place === undefined ? name : `${name} (${place})`;
  });
}

/** Whether the name may be that of one drive, such as "UEFI Samsung SSD 980 S64ANS0T1234": on another host it is another one. Pure. */
export const isOfOneDrive = ({ name, path }: Pick<BootEntry, "name" | "path">): boolean =>
  drive.test(path ?? "") && serialLike.test(name);

/** Whether an entry of the menu is among those that are allowed, whatever its MAC address. Pure. */
export const isAllowedEntry = (allowed: readonly string[], name: string): boolean =>
  allowed.some((each) => nameWithoutAddress(each) === nameWithoutAddress(name));

/**
 * The names with which the order begins that mean the same on every host of the model: up to the first entry that an installed system made, or that may be named
 * after one drive. Pure.
 */
export function commonBootNames(entries: readonly BootEntry[]): readonly string[] {
  const end = entries.findIndex((entry) => !entry.own || isOfOneDrive(entry));
  return bootNames(entries).slice(0, end === -1 ? entries.length : end);
}

/** Whether the order begins with what is wanted; more may follow. A baseline written by hand, or by an earlier release, may have MAC addresses. Pure. */
export const beginsWith = (wanted: readonly string[], order: readonly string[]): boolean =>
  wanted.every((name, index) => {
    const found = order[index];
    return found !== undefined && nameWithoutAddress(found) === nameWithoutAddress(name);
  });

/**
 * The entries in the wanted order: those that are wanted first, and then all others as they were. `missing`: wanted names that no entry has. Pure.
 * @param entries in their present order
 */
export function wantedOrder(
  wanted: readonly string[],
  entries: readonly BootEntry[],
): { readonly order: readonly BootEntry[]; readonly missing: readonly string[] } {
  const names = bootNames(entries);
  const left = entries.map((entry, index) => ({ entry, name: nameWithoutAddress(names[index] ?? "") }));
  const first: BootEntry[] = [];
  const missing: string[] = [];
  for (const name of wanted) {
    const at = left.findIndex((each) => each.name === nameWithoutAddress(name));
    const [taken] = at === -1 ? [] : left.splice(at, 1);
    if (taken === undefined) missing.push(name);
    else first.push(taken.entry);
  }
  return { order: [...first, ...left.map(({ entry }) => entry)], missing };
}
