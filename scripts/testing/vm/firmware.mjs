// UEFI variables given to the test machine's firmware before its first start (docs/agent.md#the-virtual-machine).
import { readFileSync, writeFileSync } from "node:fs";

/** GUID of an authenticated variable store (edk2, MdeModulePkg/Include/Guid/VariableFormat.h). */
const store = "aaf32c78-947b-439a-a180-2e144ec37792";
const headBytes = 60;
const started = 0x55aa;
const added = 0x3f;

/** A GUID as UEFI stores it: its first three parts byte-swapped. @param {string} guid */
function guidBytes(guid) {
  const bytes = Buffer.from(guid.replaceAll("-", ""), "hex");
  const parts = [
    [0, 4],
    [4, 6],
    [6, 8],
  ];
  for (const [from, to] of parts) bytes.subarray(from, to).reverse();
  return bytes;
}

/**
 * Appends a variable. OVMF supports some variables only if they exist already: `MemoryOverwriteRequestControl` is one.
 * @param {string} file the variable store of a machine that is off
 * @param {{ name: string, guid: string, attributes: number, data: Buffer }} variable
 */
export function addVariable(file, { name, guid, attributes, data }) {
  const bytes = readFileSync(file);
  const at = bytes.readUInt16LE(48);
  if (!bytes.subarray(at, at + 16).equals(guidBytes(store))) throw new Error(`${file} is no variable store`);
  const end = at + bytes.readUInt32LE(at + 16);
  const aligned = (/** @type {number} */ place) => (place + 3) & ~3;
  let place = at + 28;
  while (place + headBytes < end && bytes.readUInt16LE(place) === started)
    place = aligned(place + headBytes + bytes.readUInt32LE(place + 36) + bytes.readUInt32LE(place + 40));
  const text = Buffer.from(`${name}\0`, "utf16le");
  const head = Buffer.alloc(headBytes);
  head.writeUInt16LE(started, 0);
  head.writeUInt8(added, 2);
  head.writeUInt32LE(attributes, 4);
  head.writeUInt32LE(text.length, 36);
  head.writeUInt32LE(data.length, 40);
  guidBytes(guid).copy(head, 44);
  const record = Buffer.concat([head, text, data]);
  if (place + record.length > end) throw new Error(`${file} is full`);
  record.copy(bytes, place);
  writeFileSync(file, bytes);
}

/** TCG PC Client Platform Reset Attack Mitigation Specification, chapter 4. */
export const memoryOverwriteRequest = {
  name: "MemoryOverwriteRequestControl",
  guid: "e20939be-32d4-41be-a150-897f85d49829",
  // Non-volatile, and accessible to firmware and system.
  attributes: 7,
  data: Buffer.from([0]),
};
