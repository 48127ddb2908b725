// The remnant probe: canaries written over a whole drive before its erase, and what later readings find of them (docs/adr/0088-remnant-probe.md).
import { z } from "zod";
import type { techniques } from "@/server/domain/cleaning/sanitization/techniques";

export const maxCanaries = 1024;

/** One bit per canary, in the order of their places. */
export const canaryMask = z.string().regex(/^[A-Za-z0-9_-]{0,172}$/, "a bit for each canary, base64url");

const reading = {
  /** How the drive was divided. The places of the canaries follow from it. */
  areas: z.string().min(1).max(2000),
  /** Canaries whose place could be read. */
  read: canaryMask,
  /** Canaries that were still there. */
  found: canaryMask,
};

/** The canaries of an erase, and what was read right after it, before namespaces were recreated. */
export const eraseProbe = z.strictObject({
  ...reading,
  /** Canaries that were there before the erase. */
  written: canaryMask,
  /** The drive's namespaces are deleted and recreated, which hides what an erase left. */
  renewed: z.boolean(),
});
export type EraseProbe = z.infer<typeof eraseProbe>;

/** What an agent read in another boot. */
export const probeReading = z.strictObject(reading);
export type ProbeReading = z.infer<typeof probeReading>;

/** As a reclamation stores it until the final boot. */
export interface KeptProbe extends EraseProbe {
  readonly firmware: string | null;
  readonly technique: (typeof techniques)[number];
}

/** For a policy that requires a probe without giving a number. */
const requiredCanaries = 256;

/** How many canaries each erase is probed with; 0: none. Pure. */
export const canariesWanted = (policy: {
  readonly canariesPerDevice: number;
  readonly requireProbe: boolean;
}): number =>
  policy.canariesPerDevice === 0 && policy.requireProbe ? requiredCanaries : policy.canariesPerDevice;

/** One bit each. Pure. */
export function maskOf(bits: readonly boolean[]): string {
  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  for (const [index, bit] of bits.entries())
    if (bit) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (1 << (index & 7));
  return Buffer.from(bytes).toString("base64url");
}

const bitsSet = (byte: number): number => {
  let count = 0;
  for (let left = byte; left > 0; left >>= 1) count += left & 1;
  return count;
};

const countBytes = (bytes: Iterable<number>): number => {
  let count = 0;
  for (const byte of bytes) count += bitsSet(byte);
  return count;
};

/** Number of canaries in a mask. Pure. */
export const countOf = (mask: string): number => countBytes(Buffer.from(mask, "base64url"));

function countTogether(a: string, b: string, join: (a: number, b: number) => number): number {
  const [left, right] = [Buffer.from(a, "base64url"), Buffer.from(b, "base64url")];
  const length = Math.max(left.length, right.length);
  return countBytes(Array.from({ length }, (_, index) => join(left[index] ?? 0, right[index] ?? 0)));
}

export interface ProbeOutcome {
  /** Canary places that could be read after the erase, including those with remnants. */
  readonly places: number;
  readonly remnants: number;
}

/**
 * Combines both readings. Only an exact match counts as found, so whatever either reading found is a remnant, even if the drive is divided differently now.
 * `later` null: the final boot read nothing. Pure.
 */
export function probeOutcome(probe: EraseProbe, later: ProbeReading | null): ProbeOutcome {
  const counts = later === null || probe.renewed || later.areas !== probe.areas ? probe : later;
  const remnants = countTogether(probe.found, later?.found ?? "", (a, b) => a | b);
  const places = countTogether(probe.written, counts.read, (a, b) => a & b);
  return { places: Math.max(places, remnants), remnants };
}
