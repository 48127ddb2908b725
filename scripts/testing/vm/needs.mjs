// What the test in a virtual machine needs of the machine that runs it, by Debian's packages.
import { existsSync } from "node:fs";

/** Of Debian 12 and of Debian 13, in this order: it loads what the DHCP server names. */
const ipxePlaces = ["/boot/ipxe.efi", "/usr/lib/ipxe/ipxe-amd64.efi", "/usr/lib/ipxe/ipxe.efi"];
/** Files of packages that are installed for it. @type {Readonly<Record<string, readonly string[]>>} */
const files = {
  "qemu-system-x86": ["/usr/bin/qemu-system-x86_64"],
  ovmf: ["/usr/share/OVMF/OVMF_CODE_4M.secboot.fd", "/usr/share/OVMF/OVMF_VARS_4M.fd"],
  swtpm: ["/usr/bin/swtpm"],
};

/**
 * @param {string | undefined} ipxe iPXE as a program of UEFI, where somebody gives one
 * @returns {{ ipxe: string, missing: readonly string[] }} `missing`: packages
 */
export function findNeeds(ipxe) {
  const found = (ipxe === undefined ? ipxePlaces : [ipxe]).find((path) => existsSync(path));
  const missing = Object.entries(files)
    .filter(([, paths]) => !paths.every((path) => existsSync(path)))
    .map(([name]) => name);
  return { ipxe: found ?? "", missing: found === undefined ? [...missing, "ipxe"] : missing };
}
