// PCI functions of a machine, from sysfs: everything that is plugged in, with or without a driver.
import { lineIn, type Files } from "@/agent/tools/machine/program/files";

export const pciFolder = "/sys/bus/pci/devices";

export interface PciFunction {
  /** `0000:41:00.0` */
  readonly address: string;
  /** `0x15b3` */
  readonly vendor: string;
  readonly device: string;
  /** Base class, subclass and interface: `0x010802`. */
  readonly classCode: string;
  readonly hasDriver: boolean;
}

/** Every physical function; null if one cannot be read, because nobody would miss what is not listed. */
export async function pciFunctions(files: Files): Promise<readonly PciFunction[] | null> {
  const addresses = await files.list(pciFolder);
  if (addresses === null) return null;
  const found: PciFunction[] = [];
  for (const address of addresses) {
    const folder = `${pciFolder}/${address}`;
    if ((await files.real(`${folder}/physfn`)) !== null) continue; // a virtual function is part of its physical one
    const vendor = await lineIn(files, `${folder}/vendor`);
    const classCode = await lineIn(files, `${folder}/class`);
    if (vendor === null || classCode === null) return null;
    const device = (await lineIn(files, `${folder}/device`)) ?? "";
    const hasDriver = (await files.real(`${folder}/driver`)) !== null;
    found.push({ address, vendor, device, classCode, hasDriver });
  }
  return found;
}
