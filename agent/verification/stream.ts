// Numbers and bytes that follow from a seed alone, so that a successor agent finds the same places again.
import { createHash } from "node:crypto";

/** A repeatable stream of whole numbers below `limit` (at most 2^53). Only the seed is secret. */
export function numbersFrom(seed: string, purpose: string): (limit: number) => number {
  const start = createHash("sha256").update(`${purpose}\u0000${seed}`).digest();
  let a = start.readInt32LE(0);
  let b = start.readInt32LE(4);
  let c = start.readInt32LE(8);
  let d = start.readInt32LE(12) | 1;
  // sfc32, public domain, by Chris Doty-Humphrey: 32 bits per step.
  const next = () => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + t;
    c |= 0;
    return t >>> 0;
  };
  return (limit) => Math.floor(((next() * 2_097_152 + (next() >>> 11)) / 9_007_199_254_740_992) * limit);
}

/** `length` random-looking bytes that follow from seed and purpose. */
export function bytesFrom(seed: string, purpose: string, length: number): Buffer {
  return createHash("shake256", { outputLength: length }).update(`${purpose}\u0000${seed}`).digest();
}
