// The content of the raw disk images: a tenant's pattern in every sector, and what is left of it, read from outside the machine.
import { closeSync, openSync, readSync, statSync, writeSync } from "node:fs";

const sector = 512;
const piece = 1 << 20;

/** A sector of tenant data contains its drive and position, so that a leftover tells where it came from. @param {string} name @param {number} at */
function sectorOf(name, at) {
  const bytes = Buffer.alloc(sector, 0xa5);
  bytes.write(`TENANT-DATA ${name} ${at} `, "latin1");
  return bytes;
}

/** @param {string} file @param {string} name @param {number} bytes */
export function writePattern(file, name, bytes) {
  const image = openSync(file, "w");
  for (let at = 0; at < bytes; at += piece) {
    const sectors = Array.from({ length: piece / sector }, (_, index) => sectorOf(name, at / sector + index));
    writeSync(image, Buffer.concat(sectors));
  }
  closeSync(image);
}

/**
 * @param {string} file
 * @returns {{ sectors: number, pattern: number, zero: number }} the number of sectors, of those that still have the pattern, and of those that are zero
 */
export function examine(file) {
  const image = openSync(file, "r");
  const found = { sectors: 0, pattern: 0, zero: 0 };
  const buffer = Buffer.alloc(piece);
  const zeros = Buffer.alloc(sector);
  for (let at = 0; at < statSync(file).size; at += piece) {
    const length = readSync(image, buffer, 0, piece, at);
    for (let offset = 0; offset < length; offset += sector) {
      const part = buffer.subarray(offset, offset + sector);
      found.sectors += 1;
      if (part.includes("TENANT-DATA")) found.pattern += 1;
      else if (part.equals(zeros)) found.zero += 1;
    }
  }
  closeSync(image);
  return found;
}
