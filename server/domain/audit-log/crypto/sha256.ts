// SHA-256 for Node and browsers. In browsers a plain implementation, because theirs is asynchronous, which is too slow for a million leaves.
import type NodeCrypto from "node:crypto";

// FIPS 180-4, section 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
const constants = Uint32Array.from(
  (
    "428a2f98 71374491 b5c0fbcf e9b5dba5 3956c25b 59f111f1 923f82a4 ab1c5ed5 d807aa98 12835b01 243185be 550c7dc3 72be5d74 80deb1fe 9bdc06a7 c19bf174 " +
    "e49b69c1 efbe4786 0fc19dc6 240ca1cc 2de92c6f 4a7484aa 5cb0a9dc 76f988da 983e5152 a831c66d b00327c8 bf597fc7 c6e00bf3 d5a79147 06ca6351 14292967 " +
    "27b70a85 2e1b2138 4d2c6dfc 53380d13 650a7354 766a0abb 81c2c92e 92722c85 a2bfe8a1 a81a664b c24b8b70 c76c51a3 d192e819 d6990624 f40e3585 106aa070 " +
    "19a4c116 1e376c08 2748774c 34b0bcb5 391c0cb3 4ed8aa4a 5b9cca4f 682e6ff3 748f82ee 78a5636f 84c87814 8cc70208 90befffa a4506ceb bef9a3f7 c67178f2"
  )
    .split(" ")
    .map((word) => Number.parseInt(word, 16)),
);
const initial = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
] as const;
const blockBytes = 64;

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));
const at = (words: Uint32Array, place: number): number => words[place] ?? 0;

function schedule(words: Uint32Array, block: DataView, from: number): void {
  for (let t = 0; t < 16; t += 1) words[t] = block.getUint32(from + t * 4);
  for (let t = 16; t < 64; t += 1) {
    const before = at(words, t - 15);
    const near = at(words, t - 2);
    const small = rotate(before, 7) ^ rotate(before, 18) ^ (before >>> 3);
    const large = rotate(near, 17) ^ rotate(near, 19) ^ (near >>> 10);
    words[t] = at(words, t - 16) + small + at(words, t - 7) + large;
  }
}

function compress(state: Uint32Array, words: Uint32Array): void {
  let [a, b, c, d] = [at(state, 0), at(state, 1), at(state, 2), at(state, 3)];
  let [e, f, g, h] = [at(state, 4), at(state, 5), at(state, 6), at(state, 7)];
  for (let t = 0; t < 64; t += 1) {
    const large = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const one = (h + large + ((e & f) ^ (~e & g)) + at(constants, t) + at(words, t)) | 0;
    const two = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  for (const [place, word] of [a, b, c, d, e, f, g, h].entries()) state[place] = at(state, place) + word;
}

/** FIPS 180-4. */
export function plainSha256(...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const padded = new Uint8Array(Math.ceil((length + 9) / blockBytes) * blockBytes);
  let filled = 0;
  for (const part of parts) {
    padded.set(part, filled);
    filled += part.length;
  }
  padded[length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(length) * 8n);
  const state = Uint32Array.from(initial);
  const words = new Uint32Array(64);
  for (let from = 0; from < padded.length; from += blockBytes) {
    schedule(words, view, from);
    compress(state, words);
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (const [place, word] of state.entries()) digest.setUint32(place * 4, word);
  return new Uint8Array(digest.buffer);
}

/** Node before 20.12, which may run the command, lacks `hash`. */
type Native = Pick<typeof NodeCrypto, "createHash"> & Partial<Pick<typeof NodeCrypto, "hash">>;

/** Not imported: code that browsers load too must not have Node's modules in its bundle. */
const native: Native | undefined = globalThis.process?.getBuiltinModule?.("node:crypto");

/** The hash of all parts, concatenated. */
export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  if (native === undefined) return plainSha256(...parts);
  // In one call where available: creating an object per hash costs more than the hash.
  if (native.hash !== undefined) return native.hash("sha256", Buffer.concat(parts), "buffer");
  const hash = native.createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}
