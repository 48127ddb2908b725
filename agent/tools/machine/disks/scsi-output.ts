// Parses the output of sg3_utils: supported operation codes as text, sense data as bytes. Sense keys and codes are those of SPC-5 and SBC-4.
import type { SanitizeState } from "@/agent/tools/tools";
import { text } from "@/agent/tools/machine/program/answers";

/** `sg_opcodes --compact`: one line per operation code, with the service action after a comma, both in hexadecimal. */
export const readOpcodes = text(
  (
    output,
  ): {
    readonly sanitizeCrypto: boolean;
    readonly sanitizeBlock: boolean;
  } | null => {
    const codes = new Set(
      [...output.matchAll(/^\s*([0-9a-f]{1,2}(?:,[0-9a-f]{1,4})?)\s{2,}\S/gim)].map(([, code = ""]) =>
        code.toLowerCase().replace(/^0+(?=[0-9a-f])/, ""),
      ),
    );
    // TEST UNIT READY (0h) and INQUIRY (12h) are mandatory: a list without them is invalid.
    if (!codes.has("0") || !codes.has("12")) return null;
    return {
      sanitizeCrypto: codes.has("48,3"),
      sanitizeBlock: codes.has("48,2"),
    };
  },
);

export interface Sense {
  readonly key: number;
  /** ASC and ASCQ as one number. */
  readonly code: number;
  /** Out of 65,536. */
  readonly progress: number | null;
}

const fixedFormats = [0x70, 0x71];
const descriptorFormats = [0x72, 0x73];

/** From the sense-key specific field, which is valid if bit 7 of its first byte is set. */
const progressIn = (bytes: Buffer, at: number): number | null =>
  at + 3 <= bytes.length && (bytes.readUInt8(at) & 0x80) !== 0 ? bytes.readUInt16BE(at + 1) : null;

function descriptorProgress(bytes: Buffer): number | null {
  const end = Math.min(bytes.length, 8 + bytes.readUInt8(7));
  for (let at = 8; at + 2 <= end; at += 2 + bytes.readUInt8(at + 1)) {
    const kind = bytes.readUInt8(at);
    if (kind === 0x02) return progressIn(bytes, at + 4);
    if (kind === 0x0a && at + 8 <= end) return bytes.readUInt16BE(at + 6);
  }
  return null;
}

/** `sg_requests --raw`. Null if it is not sense data. */
export function readSense(output: Uint8Array): Sense | null {
  const bytes = Buffer.from(output);
  if (bytes.length < 8) return null;
  const format = bytes.readUInt8(0) & 0x7f;
  if (fixedFormats.includes(format))
    return bytes.length < 14
      ? null
      : {
          key: bytes.readUInt8(2) & 0xf,
          code: bytes.readUInt16BE(12),
          progress: progressIn(bytes, 15),
        };
  if (!descriptorFormats.includes(format)) return null;
  return {
    key: bytes.readUInt8(1) & 0xf,
    code: bytes.readUInt16BE(2),
    progress: descriptorProgress(bytes),
  };
}

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");

export const formatSense = ({ key, code, progress }: Sense): string =>
  `sense key ${hex(key, 1)}h, ASC/ASCQ ${hex(code >> 8, 2)}h/${hex(code & 0xff, 2)}h${progress === null ? "" : `, progress ${Math.floor((progress * 100) / 65_536)} %`}`;

/**
 * NOT READY, LOGICAL UNIT NOT READY, SANITIZE IN PROGRESS (04h/1Bh); MEDIUM ERROR, SANITIZE COMMAND FAILED (31h/03h). A drive whose sanitize is over
 * reports nothing, like one that never had one (SBC-4, 4.11). That it ran before, or what was written before, tells them apart.
 */
export function sanitizeOf({ key, code, progress }: Sense): SanitizeState | null {
  const operation = "unknown";
  if (code === 0x041b)
    return { state: "running", operation, percent: Math.floor(((progress ?? 0) * 100) / 65_536) };
  if (code === 0x3103) return { state: "failed", operation, percent: 0 };
  return key === 0 && code === 0 ? { state: "idle", operation, percent: 0 } : null;
}
