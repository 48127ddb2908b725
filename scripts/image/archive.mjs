// The initramfs as a "newc" cpio archive (https://www.kernel.org/doc/html/latest/driver-api/early-userspace/buffer-format.html), reproducible byte for byte.
import { Buffer } from "node:buffer";

/**
 * @typedef {{ readonly kind: "folder" } | { readonly kind: "link", readonly to: string } | { readonly kind: "file", readonly bytes: Uint8Array, readonly executable: boolean }} Entry
 */

const types = { folder: 0o040755, link: 0o120777, file: 0o100644, program: 0o100755 };

/** @param {number} number */
const hex = (number) => number.toString(16).padStart(8, "0").toUpperCase();

/** @param {number} length */
const padding = (length) => Buffer.alloc((4 - (length % 4)) % 4);

/**
 * One entry, without owner and time, so that builds are reproducible.
 * @param {string} name
 * @param {number} inode
 * @param {number} mode
 * @param {Uint8Array} bytes
 */
function record(name, inode, mode, bytes) {
  const path = Buffer.from(`${name}\0`);
  const fields = [inode, mode, 0, 0, 1, 0, bytes.length, 0, 0, 0, 0, path.length, 0].map(hex);
  const head = Buffer.concat([Buffer.from(`070701${fields.join("")}`), path]);
  return [head, padding(head.length), bytes, padding(bytes.length)];
}

/** @param {Entry} entry @returns {readonly [mode: number, bytes: Uint8Array]} */
function content(entry) {
  switch (entry.kind) {
    case "folder":
      return [types.folder, Buffer.alloc(0)];
    case "link":
      return [types.link, Buffer.from(entry.to)];
    case "file":
      return [entry.executable ? types.program : types.file, entry.bytes];
  }
}

/** The parent folders of a path, outermost first. @param {string} path */
const above = (path) =>
  path
    .split("/")
    .slice(0, -1)
    .map((_part, index, parts) => parts.slice(0, index + 1).join("/"));

/**
 * @param {ReadonlyMap<string, Entry>} entries by path without a leading slash; parent folders need not be listed
 * @returns {Buffer}
 */
export function archive(entries) {
  const all = new Map(entries);
  for (const path of entries.keys())
    for (const folder of above(path)) if (!all.has(folder)) all.set(folder, { kind: "folder" });
  const sorted = [...all].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const records = sorted.flatMap(([path, entry], index) => record(path, index + 1, ...content(entry)));
  return Buffer.concat([...records, ...record("TRAILER!!!", 0, 0, Buffer.alloc(0))]);
}

/**
 * Reads an archive written by `archive`: its entries by path, folders and links included.
 * @param {Buffer} bytes
 * @returns {ReadonlyMap<string, Buffer>}
 */
export function readArchive(bytes) {
  /** @type {Map<string, Buffer>} */
  const files = new Map();
  for (let at = 0; ;) {
    const field = (/** @type {number} */ index) =>
      Number.parseInt(bytes.toString("latin1", at + 6 + index * 8, at + 14 + index * 8), 16);
    const [length, nameLength] = [field(6), field(11)];
    const name = bytes.toString("utf8", at + 110, at + 110 + nameLength - 1);
    if (name === "TRAILER!!!") return files;
    const start = (at + 110 + nameLength + 3) & ~3;
    files.set(name, bytes.subarray(start, start + length));
    at = (start + length + 3) & ~3;
  }
}
