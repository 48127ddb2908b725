// Selects the files of the unpacked packages that go into the image: programs, the libraries they load, and kernel drivers for storage, network, TPM and BMC.
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { dirname, join, normalize, relative, resolve } from "node:path";
import { linkingOf } from "./elf.mjs";

/** @typedef {import("./archive.mjs").Entry} Entry */

/** Library search path, after the program's own. */
const libraryFolders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib"];

/** Drivers, as folders and files below `kernel/`; their dependencies are added. Left out: sound, video, wireless and others that cleaning does not use. */
const driverPlaces = [
  "drivers/ata",
  "drivers/block/virtio_blk.ko",
  "drivers/char/hw_random",
  "drivers/char/ipmi",
  "drivers/char/tpm",
  "drivers/infiniband/core",
  "drivers/infiniband/hw",
  "drivers/infiniband/ulp/ipoib",
  "drivers/message/fusion",
  "drivers/mmc",
  "drivers/net/ethernet",
  "drivers/net/virtio_net.ko",
  "drivers/nvdimm",
  "drivers/nvme",
  "drivers/pci/controller",
  "drivers/scsi",
  "drivers/usb/host",
  "drivers/usb/storage",
  "drivers/virtio",
  "fs/efivarfs",
  "arch/x86/kernel/msr.ko",
];

/** In Debian 12 `/bin` is a link to `/usr/bin`, but some packages still ship files at the old path. @param {string} path */
export const merged = (path) => path.replace(/^\/(bin|sbin|lib|lib64)\//, "/usr/$1/");

/** The files of an image, collected from the root of the unpacked packages. */
export class Tree {
  /** @type {Map<string, Entry>} */
  #entries = new Map();
  #root;

  /** @param {string} root */
  constructor(root) {
    this.#root = root;
    for (const name of ["bin", "sbin", "lib", "lib64"]) this.link(`/${name}`, `usr/${name}`);
    for (const path of ["/proc", "/sys", "/dev", "/run", "/tmp", "/etc"])
      this.#entries.set(path.slice(1), { kind: "folder" });
  }

  /** @returns {ReadonlyMap<string, Entry>} */
  get entries() {
    return this.#entries;
  }

  /** @param {string} path @param {string} to */
  link(path, to) {
    this.#entries.set(path.slice(1), { kind: "link", to });
  }

  /** @param {string} path @param {Uint8Array} bytes @param {boolean} [executable] */
  put(path, bytes, executable = false) {
    this.#entries.set(path.slice(1), { kind: "file", bytes, executable });
  }

  /**
   * Adds a program or library with everything it loads. Links on the way are kept. Throws if it does not exist.
   * @param {string} path as in the image @returns {void}
   */
  program(path) {
    if (this.#entries.has(path.slice(1))) return;
    const place = [path, path.replace(/^\/usr/, "")].find((at) => this.#exists(at));
    if (place === undefined) throw new Error(`no package has ${path}`);
    const at = join(this.#root, place);
    if (lstatSync(at).isSymbolicLink()) {
      const to = readlinkSync(at);
      this.link(path, to);
      return this.program(merged(normalize(to.startsWith("/") ? to : join(dirname(path), to))));
    }
    this.#loaded(path, readFileSync(at));
  }

  /** Adds a program from elsewhere. @param {string} path as in the image @param {Buffer} bytes */
  foreignProgram(path, bytes) {
    this.#loaded(path, bytes);
  }

  /** Adds all files of a folder that one of the packages contains. @param {string} folder @param {(path: string) => boolean} [wanted] */
  folder(folder, wanted = () => true) {
    for (const path of this.#filesBelow(folder)) if (wanted(path)) this.#file(path);
  }

  /** Adds a site's own files: all files and links below a folder, at their paths in the image. @param {string} folder */
  add(folder) {
    const base = resolve(folder);
    for (const entry of readdirSync(base, { withFileTypes: true, recursive: true })) {
      const path = join(entry.parentPath, entry.name);
      const place = merged(`/${relative(base, path)}`);
      // Replacing one of our files would make it a different image from the one that was tested.
      if (!entry.isDirectory() && this.#entries.has(place.slice(1)))
        throw new Error(`${path} would take the place of the image's own ${place}`);
      if (entry.isSymbolicLink()) this.link(place, readlinkSync(path));
      else if (entry.isFile()) this.put(place, readFileSync(path), true);
      else if (!entry.isDirectory()) throw new Error(`${path} is neither a file nor a link`);
    }
  }

  /** Adds the kernel drivers for the machines to be cleaned, and what `modprobe` reads. Returns the kernel's version. */
  drivers() {
    const [version] = readdirSync(join(this.#root, "lib/modules"));
    if (version === undefined) throw new Error("no package has a kernel");
    const base = `/lib/modules/${version}`;
    const needs = neededDrivers(readFileSync(join(this.#root, base, "modules.dep"), "utf8"));
    const wanted = [...needs.keys()].filter((path) =>
      driverPlaces.some((place) => path === `kernel/${place}` || path.startsWith(`kernel/${place}/`)),
    );
    for (const path of new Set(wanted.flatMap((driver) => [driver, ...(needs.get(driver) ?? [])])))
      this.#file(`${base}/${path}`);
    for (const name of readdirSync(join(this.#root, base)))
      if (name.startsWith("modules.")) this.#file(`${base}/${name}`);
    return version;
  }

  /** @param {string} path */
  #exists(path) {
    return (
      existsSync(join(this.#root, path)) ||
      lstatSync(join(this.#root, path), { throwIfNoEntry: false }) !== undefined
    );
  }

  /** @param {string} path */
  #file(path) {
    const at = join(this.#root, path);
    const status = lstatSync(at);
    if (status.isSymbolicLink()) this.link(merged(path), readlinkSync(at));
    else this.put(merged(path), readFileSync(at), (status.mode & 0o100) !== 0);
  }

  /** @param {string} path as in the image @param {Buffer} bytes */
  #loaded(path, bytes) {
    this.put(path, bytes, true);
    const linking = linkingOf(bytes);
    if (linking === null) return;
    if (linking.interpreter !== null) this.program(merged(linking.interpreter));
    const own = linking.folders.map((folder) => normalize(folder.replace("$ORIGIN", dirname(path))));
    for (const name of linking.needed) {
      const found = [...own.map(merged), ...libraryFolders]
        .map((folder) => `${folder}/${name}`)
        .find((at) => this.#exists(at) || this.#exists(at.replace(/^\/usr/, "")));
      if (found !== undefined) this.program(found);
      else if (!name.startsWith("ld-linux")) throw new Error(`${path} loads ${name}, which no package has`);
    }
  }

  /** @param {string} folder @returns {string[]} */
  #filesBelow(folder) {
    return readdirSync(join(this.#root, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.#root.length));
  }
}

/**
 * @param {string} dependencies text of `modules.dep`
 * @returns {Map<string, readonly string[]>} the dependencies of each driver
 */
function neededDrivers(dependencies) {
  return new Map(
    dependencies
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const [driver = "", needs = ""] = line.split(":");
        return /** @type {const} */ ([driver, needs.split(" ").filter((need) => need !== "")]);
      }),
  );
}
