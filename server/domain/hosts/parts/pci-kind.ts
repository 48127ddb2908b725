// What kind of part a PCI function is, by its vendor, device and class: the same for the agent, which reads sysfs, and for a BMC that lists PCIe functions.
import type { PartKind } from "@/server/domain/hosts/parts/part";

/** A function as a source reports it: hexadecimal numbers in lower case, with `0x`. */
export interface PciIds {
  /** `0x15b3` */
  readonly vendor: string;
  readonly device: string;
  /** Base class, subclass and interface: `0x010802`. */
  readonly classCode: string;
  /** On the first PCI bus, where a processor's own functions are. */
  readonly onFirstBus: boolean;
}

const nvidia = "0x10de";
const mellanox = "0x15b3";
const intel = "0x8086";

/** PCI device ids of BlueField network functions (pci.ids, vendor 15b3), which configure themselves. */
export const dpuDevices: ReadonlySet<string> = new Set(["0xa2d2", "0xa2d6", "0xa2dc", "0xa2df"]);

/** Makers of the screens of BMCs and virtual machines: ASPEED, Matrox, Silicon Motion, XGI, HiSilicon; Bochs, Cirrus, QXL, virtio, VMware. Any other is a GPU. */
const screenVendors: ReadonlySet<string> = new Set([
  ...["0x1a03", "0x102b", "0x126f", "0x18ca", "0x19e5"],
  ...["0x1234", "0x1013", "0x1b36", "0x1af4", "0x15ad"],
]);

/** A processor's own graphics are on the first bus, and use the host's memory. */
const isBuiltIn = ({ vendor, onFirstBus }: PciIds): boolean => vendor === intel && onFirstBus;

/** Null: no part that is compared. Pure. */
export function pciKindOf(found: PciIds): Exclude<PartKind, "memory"> | null {
  const { vendor, device, classCode } = found;
  const code = classCode.slice(2, 6);
  // 3D controller, processing accelerators
  if (code === "0302" || code.startsWith("12")) return "gpu";
  // VGA; other display controllers, which are screens without VGA, too
  if ((code === "0300" || code === "0380") && !screenVendors.has(vendor) && !isBuiltIn(found)) return "gpu";
  if (code === "0680" && vendor === nvidia) return "nvswitch";
  if (code === "0200" || code === "0207" || (code === "0280" && vendor === mellanox))
    return vendor === mellanox && dpuDevices.has(device) ? "dpu" : "nic";
  return null;
}
