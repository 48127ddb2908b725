// Which shared libraries a program loads, read from its ELF file: `ldd` would run the program, with the libraries of the build machine.
import { Buffer } from "node:buffer";

const magic = Buffer.from([0x7f, 0x45, 0x4c, 0x46]);
/** Types of segments and of entries in the dynamic section (System V ABI, chapter 5). */
const segment = { load: 1, dynamic: 2, interpreter: 3 };
const tag = { end: 0n, needed: 1n, strings: 5n, rpath: 15n, runpath: 29n };

/** @typedef {{ readonly interpreter: string | null, readonly needed: readonly string[], readonly folders: readonly string[] }} Linking `folders`: searched first */

/** @param {Buffer} bytes @param {number} at */
const text = (bytes, at) => bytes.toString("latin1", at, bytes.indexOf(0, at));

/** @param {Buffer} bytes */
function segmentsOf(bytes) {
  const [at, size, count] = [
    Number(bytes.readBigUInt64LE(32)),
    bytes.readUInt16LE(54),
    bytes.readUInt16LE(56),
  ];
  return Array.from({ length: count }, (_, index) => {
    const head = at + index * size;
    return {
      type: bytes.readUInt32LE(head),
      offset: Number(bytes.readBigUInt64LE(head + 8)),
      address: Number(bytes.readBigUInt64LE(head + 16)),
      length: Number(bytes.readBigUInt64LE(head + 32)),
    };
  });
}

/**
 * @param {Buffer} bytes of a file
 * @returns {Linking | null} null: not a 64-bit program or library
 */
export function linkingOf(bytes) {
  if (bytes.length < 64 || !bytes.subarray(0, 4).equals(magic) || bytes[4] !== 2) return null;
  const segments = segmentsOf(bytes);
  const dynamic = segments.find(({ type }) => type === segment.dynamic);
  const named = segments.find(({ type }) => type === segment.interpreter);
  if (dynamic === undefined) return { interpreter: null, needed: [], folders: [] };
  const values = Array.from({ length: Math.floor(dynamic.length / 16) }, (_, index) => {
    const at = dynamic.offset + index * 16;
    return { tag: bytes.readBigUInt64LE(at), value: Number(bytes.readBigUInt64LE(at + 8)) };
  });
  const strings = values.find((entry) => entry.tag === tag.strings)?.value ?? 0;
  const holder = segments.find(
    ({ type, address, length }) => type === segment.load && strings >= address && strings < address + length,
  );
  const base = strings - (holder?.address ?? 0) + (holder?.offset ?? 0);
  const stringsOf = (/** @type {bigint} */ wanted) =>
    values.filter((entry) => entry.tag === wanted).map(({ value }) => text(bytes, base + value));
  return {
    interpreter: named === undefined ? null : text(bytes, named.offset),
    needed: stringsOf(tag.needed),
    folders: [...stringsOf(tag.runpath), ...stringsOf(tag.rpath)].flatMap((paths) => paths.split(":")),
  };
}
