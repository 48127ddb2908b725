// A few words for people about what an event measured. Nothing is decided by them: only the digest was measured, and the rest of an event may say anything.
import { eventTypes } from "@/server/domain/attestation/measured/event-types";

const maxTextLength = 200;

/** Without what a screen would not show, or show somewhere else; null: nothing is left. */
function shown(text: string): string | null {
  const clean = text
    .replace(/\0+$/, "")
    .replace(/[\p{C}\p{Zl}\p{Zp}\uFFFD]/gu, "?")
    .trim();
  if (/^\?*$/.test(clean)) return null;
  const letters = [...clean];
  return letters.length > maxTextLength ? `${letters.slice(0, maxTextLength - 1).join("")}…` : clean;
}

/** UTF-16 as firmware writes it, or UTF-8, which ASCII is part of. */
const isWide = (bytes: Buffer): boolean =>
  bytes.length >= 2 && bytes.length % 2 === 0 && bytes.every((byte, place) => place % 2 === 0 || byte === 0);
const decoded = (bytes: Buffer): string | null => shown(bytes.toString(isWide(bytes) ? "utf16le" : "utf8"));

/** The next bytes, or null if there are not as many: an event that says something else than it has. */
function part(data: Buffer, at: number, count: number | bigint): Buffer | null {
  return at <= data.length && BigInt(count) <= BigInt(data.length - at)
    ? data.subarray(at, at + Number(count))
    : null;
}

const guidBytes = 16;
const variableHead = guidBytes + 16;

/** UEFI_VARIABLE_DATA: a GUID, the lengths of name (in characters) and content, the name. */
function variableName(data: Buffer): string | null {
  if (data.length < variableHead) return null;
  const name = part(data, variableHead, 2n * data.readBigUInt64LE(guidBytes));
  return name === null ? null : shown(name.toString("utf16le"));
}

const mediaPath = 4;
const filePath = 4;
const nodeHead = 4;

/** The file in a device path (UEFI 2.10, 10.3.5.4), which may stand in more than one node; null: it has none. */
function fileIn(path: Buffer): string | null {
  const files: string[] = [];
  for (let at = 0; at + nodeHead <= path.length;) {
    const length = path.readUInt16LE(at + 2);
    const node = part(path, at, length);
    if (node === null || length < nodeHead) break;
    if (node[0] === mediaPath && node[1] === filePath)
      files.push(node.subarray(nodeHead).toString("utf16le").replace(/\0+$/, ""));
    at += length;
  }
  return shown(files.join(""));
}

const imageHead = 32;

/** UEFI_IMAGE_LOAD_EVENT: address, length, another address, and the length of the device path that follows. */
function imageText(data: Buffer): string | null {
  if (data.length < imageHead) return null;
  const path = part(data, imageHead, data.readBigUInt64LE(24));
  const file = path === null ? null : fileIn(path);
  return file ?? `${data.readBigUInt64LE(8)} bytes`;
}

const tagHead = 8;

/** TCG_PCClientTaggedEvent: a number, a length, and for Linux' stub a description of what it measured. */
function tagText(data: Buffer): string | null {
  if (data.length < tagHead) return null;
  const content = part(data, tagHead, data.readUInt32LE(4));
  const text = content === null ? null : decoded(content);
  return text ?? `tag 0x${data.readUInt32LE(0).toString(16)}`;
}

const texts: ReadonlyMap<number, (data: Buffer) => string | null> = new Map([
  [eventTypes.action, decoded],
  [eventTypes.efiAction, decoded],
  [eventTypes.ipl, decoded],
  [eventTypes.eventTag, tagText],
  [eventTypes.variableDriverConfig, variableName],
  [eventTypes.variableBoot, variableName],
  [eventTypes.variableBoot2, variableName],
  [eventTypes.variableAuthority, variableName],
  [eventTypes.bootServicesApplication, imageText],
  [eventTypes.bootServicesDriver, imageText],
  [eventTypes.runtimeServicesDriver, imageText],
]);

/** Null: nothing can be said. Never throws. Pure. */
export const eventText = (type: number, data: Buffer): string | null => texts.get(type)?.(data) ?? null;
