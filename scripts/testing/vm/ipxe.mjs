// An iPXE with which the initrd, and so the agent, is measured (docs/agent.md#booting-it).
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unpackPackages } from "../../image/packages.mjs";

/**
 * The vendor media path under which the kernel's EFI stub asks for the initrd (include/linux/efi.h, LINUX_EFI_INITRD_MEDIA_GUID), as UEFI stores it. A boot
 * program that contains it offers the initrd by LoadFile2, and the stub measures it.
 */
const initrdMedia = Buffer.from("27e46855fc683d4fac74ca555231cc68", "hex");

/** Debian 13's, for machines with an older Debian: 12 has an iPXE of 2019. */
const debian13 = {
  name: "ipxe_1.21.1+git20250501.dad20602+dfsg-1_all.deb",
  url: "https://deb.debian.org/debian/pool/main/i/ipxe/ipxe_1.21.1+git20250501.dad20602+dfsg-1_all.deb",
  sha256: "eeaca79dbde0fb86c102bf1d362c6f6a67ed0ddab38b3dd12e1b332339f5dd99",
};

const offersInitrd = (/** @type {string} */ file) => readFileSync(file).includes(initrdMedia);

/**
 * @param {string} own an iPXE as a program of UEFI
 * @param {string} folder where another one is unpacked, if `own` is too old
 * @returns {Promise<string>} its path
 */
export async function measuredIpxe(own, folder) {
  if (offersInitrd(own)) return own;
  const unpacked = join(folder, "ipxe");
  mkdirSync(unpacked, { recursive: true });
  await unpackPackages([debian13], join(folder, "packages"), unpacked);
  const file = join(unpacked, "usr", "lib", "ipxe", "ipxe-amd64.efi");
  if (!offersInitrd(file)) throw new Error(`${file} does not offer the initrd by LoadFile2`);
  return file;
}
