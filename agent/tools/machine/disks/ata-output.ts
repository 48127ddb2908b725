// Parses hdparm's output. The identification is read from its words (`--Istdout`), numbered as in ACS-4 (INCITS 529), because hdparm exits with 0 for a
// disk that knows no ATA command.
import type { AtaIdentity, SanitizeState } from "@/agent/tools/tools";
import { text } from "@/agent/tools/machine/program/answers";

const wordCount = 256;

/** 256 words in hexadecimal, after the line with the path. */
function readWords(output: string): Uint16Array | null {
  const words = output.split(/\s+/).filter((part) => /^[0-9a-f]{4}$/i.test(part));
  return words.length === wordCount ? Uint16Array.from(words, (word) => parseInt(word, 16)) : null;
}

/** Two characters per word, the first in the upper half. */
const textIn = (words: Uint16Array, from: number, to: number): string =>
  [...words.subarray(from, to)]
    .map((word) => String.fromCharCode(word >> 8, word & 0xff))
    .join("")
    .replaceAll(/[^ -~]/g, "")
    .trim();

/** Word 255: if its low byte is A5h, all 512 bytes add up to 0. */
function isIntact(words: Uint16Array): boolean {
  if (((words[255] ?? 0) & 0xff) !== 0xa5) return true;
  return (words.reduce((sum, word) => sum + (word >> 8) + (word & 0xff), 0) & 0xff) === 0;
}

const bit = (words: Uint16Array, word: number, place: number): boolean =>
  (((words[word] ?? 0) >> place) & 1) === 1;

/** IDENTIFY DEVICE: word 59 (Sanitize), word 128 (Security). Null if no ATA device has answered. */
export const readIdentity = text((output): AtaIdentity | null => {
  const words = readWords(output);
  if (words === null || !isIntact(words)) return null;
  const isAta = !bit(words, 0, 15) && textIn(words, 27, 47) !== "" && textIn(words, 10, 20) !== "";
  if (!isAta) return null;
  const sanitizes = bit(words, 59, 12);
  return {
    sanitize: { crypto: sanitizes && bit(words, 59, 13), block: sanitizes && bit(words, 59, 15) },
    security: {
      supported: bit(words, 128, 0),
      enabled: bit(words, 128, 1),
      locked: bit(words, 128, 2),
      frozen: bit(words, 128, 3),
      enhancedErase: bit(words, 128, 5),
    },
  };
});

/** What is needed to know whether sectors are hidden: the drive's features, and how many sectors it reports. */
export interface Extent {
  /** Sectors that can be addressed now: words 100 to 103, or 60 and 61 without 48-bit addresses. */
  readonly sectors: bigint;
  /** HPA (word 82) or AMAX (word 119): the native maximum must be read. */
  readonly hasNativeMax: boolean;
  /** DEVICE CONFIGURATION OVERLAY (word 83). */
  readonly hasOverlay: boolean;
}

/** The bits of a word are valid if bit 15 is 0 and bit 14 is 1 (ACS-3, 7.12.7). */
const isValid = (words: Uint16Array, word: number): boolean => !bit(words, word, 15) && bit(words, word, 14);

/** Null if the number of sectors or the features are not reported. */
export const readExtent = text((output): Extent | null => {
  const words = readWords(output);
  if (words === null || !isIntact(words) || !isValid(words, 83)) return null;
  const number = (from: number, count: number): bigint =>
    Array.from(
      { length: count },
      (_, index) => BigInt(words[from + index] ?? 0) << BigInt(16 * index),
    ).reduce((sum, part) => sum + part, 0n);
  const sectors = bit(words, 83, 10) ? number(100, 4) : number(60, 2);
  const hasNativeMax = bit(words, 82, 10) || (isValid(words, 119) && bit(words, 119, 8));
  return sectors === 0n ? null : { sectors, hasNativeMax, hasOverlay: bit(words, 83, 11) };
});

/** `-N`: "max sectors   = 500118192/500118192, HPA is disabled". Also null if the numbers contradict the words after them. */
export const readNativeMax = text((output): bigint | null => {
  const [, now, native, said] =
    /max sectors\s*=\s*(\d{1,20})\/(\d{1,20}), (?:HPA is|ACCESSIBLE MAX ADDRESS) (enabled|disabled)/.exec(
      output,
    ) ?? [];
  if (now === undefined || native === undefined) return null;
  return (now === native) === (said === "disabled") ? BigInt(native) : null;
});

/** `--dco-identify`: "Real max sectors: 500118192". */
export const readRealMax = text((output): bigint | null => {
  const sectors = /Real max sectors:\s*(\d{1,20})\b/.exec(output)?.[1];
  return sectors === undefined || /DCO Checksum FAILED/i.test(output) ? null : BigInt(sectors);
});

/** `--sanitize-status`: the state of ACS-4's state machine. hdparm does not show which operation it was. */
export const readSanitizeStatus = text((output): SanitizeState | null => {
  const state = /\bSD([0-4])\b/.exec(output)?.[1];
  const operation = "unknown";
  switch (state) {
    case "0":
      return /Last Sanitize Operation Completed Without Error/i.test(output)
        ? { state: "completed", operation, percent: 100 }
        : { state: "idle", operation, percent: 0 };
    case "1":
      return { state: "idle", operation, percent: 0 };
    case "2": {
      const percent = Number(/Progress:\s*0x[0-9a-f]+\s*\((\d{1,3})%\)/i.exec(output)?.[1] ?? 0);
      return percent > 100 ? null : { state: "running", operation, percent };
    }
    case "3":
      return { state: "failed", operation, percent: 0 };
    case "4":
      return { state: "completed", operation, percent: 100 };
    default:
      return null;
  }
});

/** The lines about the state, without the path and the command that was issued. */
export const sanitizeLines = (output: Uint8Array): string =>
  Buffer.from(output)
    .toString("utf8")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /^(State|Progress|Last Sanitize)/i.test(line))
    .join(", ");
