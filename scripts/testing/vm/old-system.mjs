// A system that a tenant left on a disk: if that disk is booted between two erase steps, it writes to a drive that was already erased.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { archive, readArchive } from "../../image/archive.mjs";

const driver = "kernel/drivers/nvme/host/nvme.ko";

/** Drivers in the order for `insmod`: dependencies first. @param {ReadonlyMap<string, Buffer>} files */
function nvmeDrivers(files) {
  const list = [...files.keys()].find((path) => path.endsWith("/modules.dep"));
  if (list === undefined) throw new Error("the image has no drivers");
  const line = files
    .get(list)
    ?.toString()
    .split("\n")
    .find((entry) => entry.startsWith(`${driver}:`));
  if (line === undefined) throw new Error(`the image has no ${driver}`);
  const paths = [driver, ...line.slice(driver.length + 1).split(" ")].filter((path) => path !== "");
  return paths.toReversed().map((path) => list.replace("modules.dep", path));
}

/** @param {readonly string[]} drivers */
const program = (drivers) => `#!/busybox sh
/busybox mount -t devtmpfs dev /dev
/busybox mount -t proc proc /proc
/busybox mount -t sysfs sys /sys
for driver in ${drivers.map((path) => `/${path}`).join(" ")}; do /busybox insmod "$driver"; done
until [ -b /dev/nvme0n1 ]; do /busybox sleep 0.2; done
/busybox yes "TENANT-DATA of the system on the old disk" | /busybox head -c 1048576 | /busybox dd of=/dev/nvme0n1 bs=4096 seek=2048 conv=fsync
while :; do /busybox sleep 3600; done
`;

/**
 * Made from the image's kernel and BusyBox. QEMU starts it in place of the disk's own boot loader.
 * @param {string} image a folder that `npm run image` made
 * @param {string} folder where its files go
 * @returns {{ kernel: string, initrd: string }}
 */
export function makeOldSystem(image, folder) {
  const files = readArchive(zstdDecompressSync(readFileSync(join(image, "initrd.img"))));
  const drivers = nvmeDrivers(files);
  /** @type {Map<string, import("../../image/archive.mjs").Entry>} */
  const entries = new Map();
  const put = (/** @type {string} */ path, /** @type {Buffer | undefined} */ bytes) => {
    if (bytes === undefined) throw new Error(`the image has no ${path}`);
    entries.set(path, { kind: "file", bytes, executable: true });
  };
  for (const path of ["dev", "proc", "sys"]) entries.set(path, { kind: "folder" });
  for (const path of drivers) put(path, files.get(path));
  put("busybox", files.get("usr/bin/busybox"));
  put("init", Buffer.from(program(drivers)));
  const initrd = join(folder, "old-system.img");
  writeFileSync(initrd, archive(entries));
  return { kernel: join(image, "vmlinuz"), initrd };
}
