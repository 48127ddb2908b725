// What the test in a virtual machine needs on the machine that runs it, as Debian packages.
import { existsSync } from "node:fs";

/** In Debian 12 and in Debian 13, in order of preference: it must load what the DHCP server names. */
const ipxePlaces = ["/boot/ipxe.efi", "/usr/lib/ipxe/ipxe-amd64.efi", "/usr/lib/ipxe/ipxe.efi"];
/** Files of the packages that must be installed. @type {Readonly<Record<string, readonly string[]>>} */
const files = {
  "qemu-system-x86": ["/usr/bin/qemu-system-x86_64"],
  ovmf: ["/usr/share/OVMF/OVMF_CODE_4M.secboot.fd", "/usr/share/OVMF/OVMF_VARS_4M.fd"],
  swtpm: ["/usr/bin/swtpm"],
};

/**
 * @param {string | undefined} ipxe iPXE as a UEFI program, if given
 * @returns {{ ipxe: string, missing: readonly string[] }} `missing`: packages
 */
export function findNeeds(ipxe) {
  const found = (ipxe === undefined ? ipxePlaces : [ipxe]).find((path) => existsSync(path));
  const missing = Object.entries(files)
    .filter(([, paths]) => !paths.every((path) => existsSync(path)))
    .map(([name]) => name);
  return { ipxe: found ?? "", missing: found === undefined ? [...missing, "ipxe"] : missing };
}
