// What failure messages have in common. Serial numbers and counts differ from host to host and must not split a group (docs/cleaning.md#groups-of-failures).
import { createHash } from "node:crypto";

/**
 * Each row replaces something that differs between hosts, in this order. `*` stands for a name, `#` for a number. What identifies the problem is kept:
 * words, short codes of vendors and devices (`RAC0602`, `SC 02h`, `0x4001`), states and steps.
 */
const rules: readonly (readonly [what: RegExp, by: string])[] = [
  // Times and dates as Reclaim writes them.
  [/\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?/g, "#"],
  // UUIDs, MAC addresses, WWNs and longer digests.
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, "*"],
  [/\b[0-9a-f]{2}(?::[0-9a-f]{2}){5,}\b/gi, "*"],
  [/\b(?:0x)?[0-9a-f]{16,}\b/gi, "*"],
  // Addresses: the part of a URL before its path, and bare IPv4.
  [/\bhttps?:\/\/[^\s/]+/gi, "*"],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, "*"],
  // Device nodes, which differ by drive.
  [/\b(nvme|sd|dm-|md)\d+(?:n\d+)?(?:p\d+)?\b/g, "$1#"],
  // Serial and part numbers: words of 8 or more letters and digits, with at least three digits and one letter. Job ids (JID_640122871904) match too.
  [/\b(?=\w*[A-Za-z])(?=(?:\w*\d){3})\w{8,}\b/g, "*"],
  // Numbers on their own or with a unit: counts, times, percentages. `0x4001` and `02h` are codes and stay.
  [/(?<![\w.])\d[\d,.]*(?=\s?(?:%|ms|s|min|[KMGT]i?B|B)?(?![\w]))/g, "#"],
];

/**
 * The pattern of a message. `own` are the host's own names (name, serial), which are replaced first, wherever they occur and whatever they look like.
 * A message has one line per device. Lines with the same pattern are merged, so that hosts with one and with four such drives are in the same group.
 * Two messages with the same pattern belong to one group. Pure.
 */
export function failurePattern(message: string, own: readonly string[] = []): string {
  // The longest first, because a name may be part of a longer one. Very short names would replace parts of words.
  const names = own.filter((name) => name.length >= 3).sort((a, b) => b.length - a.length);
  const anonymous = names.reduce((text, name) => text.replaceAll(name, "*"), message);
  const lines = anonymous.split("\n").map((line) =>
    rules
      .reduce((text, [what, by]) => text.replace(what, by), line)
      .replace(/\s+/g, " ")
      .trim(),
  );
  return [...new Set(lines)].filter((line) => line !== "").join("; ");
}

/** Identifies the group of one pattern: SHA-256, 64 hexadecimal digits. */
export const patternDigest = (pattern: string): string =>
  createHash("sha256").update(pattern, "utf8").digest("hex");
