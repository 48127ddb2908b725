// The remnant probe: canaries that are written over a whole drive before its erase, and what later readings find of them (docs/adr/0088-remnant-probe.md).
import { z } from "zod";
import type { techniques } from "@/server/domain/sanitization/techniques";

export const mostCanaries = 1024;

/** One bit for each canary, in the order of their places. */
export const canaryMask = z.string().regex(/^[A-Za-z0-9_-]{0,172}$/, "a bit for each canary, base64url");

const reading = {
  /** How the drive was divided: places follow from it. */
  areas: z.string().min(1).max(2000),
  /** Could be read. */
  read: canaryMask,
  /** Still held the canary. */
  found: canaryMask,
};

/** What an erase was probed with, and what was read right after it, before namespaces were renewed. */
export const eraseProbe = z.strictObject({
  ...reading,
  /** Was there before the erase. */
  written: canaryMask,
  /** The drive's namespaces are deleted and created anew, which hides what an erase left. */
  renewed: z.boolean(),
});
export type EraseProbe = z.infer<typeof eraseProbe>;

/** What the agent of another boot read. */
export const probeReading = z.strictObject(reading);
export type ProbeReading = z.infer<typeof probeReading>;

/** As a reclamation keeps it until the final boot. */
export interface KeptProbe extends EraseProbe {
  readonly firmware: string | null;
  readonly technique: (typeof techniques)[number];
}

/** Of a policy that requires a probe and names no number. */
const requiredCanaries = 256;

/** How many canaries each erase is probed with; 0: none is. Pure. */
export const canariesWanted = (policy: {
  readonly canariesPerDevice: number;
  readonly requireProbe: boolean;
}): number =>
  policy.canariesPerDevice === 0 && policy.requireProbe ? requiredCanaries : policy.canariesPerDevice;

/** One bit for each. Pure. */
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

/** How many canaries a mask names. Pure. */
export const countOf = (mask: string): number => countBytes(Buffer.from(mask, "base64url"));

function countTogether(a: string, b: string, join: (a: number, b: number) => number): number {
  const [left, right] = [Buffer.from(a, "base64url"), Buffer.from(b, "base64url")];
  const length = Math.max(left.length, right.length);
  return countBytes(Array.from({ length }, (_, index) => join(left[index] ?? 0, right[index] ?? 0)));
}

export interface ProbeOutcome {
  /** Places of a canary that could be read after the erase: of which the remnants are a part. */
  readonly places: number;
  readonly remnants: number;
}

/**
 * What both readings say together. Only an exact canary is ever found, so what either found is a remnant, however the drive is divided now.
 * Null: the final boot read nothing. Pure.
 */
export function probeOutcome(probe: EraseProbe, later: ProbeReading | null): ProbeOutcome {
  const counts = later === null || probe.renewed || later.areas !== probe.areas ? probe : later;
  const remnants = countTogether(
    probe.found,
    /* safety: probe: what the final boot found is a remnant → "" */ later?.found ?? "",
    (a, b) => a | b,
  );
  const places = countTogether(probe.written, counts.read, (a, b) => a & b);
  return { places: Math.max(places, remnants), remnants };
}
