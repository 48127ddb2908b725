// The contents of a range of blocks, without storing them: a generator for the bytes of any block, and the few blocks written since.
import { mix } from "@/server/simulator/fleet/numbers";
import type { ContentMemory } from "@/server/simulator/state/memory";

/** `tenant`: a tenant's data on most blocks. `noise`: what a changed encryption key leaves. */
export type Base =
  | { readonly kind: "zeros" }
  | { readonly kind: "noise"; readonly key: number }
  | { readonly kind: "tenant"; readonly key: number };

/** Share of blocks that a tenant's system has written, in 256ths. */
const tenantShare = 200;

const zeros = new Map<number, Buffer>();

function zeroBlock(bytes: number): Buffer {
  const known = zeros.get(bytes) ?? Buffer.alloc(bytes);
  zeros.set(bytes, known);
  return known;
}

/** The repeating part of a block of noise, filled again for each block. */
const pattern = new Int32Array(16);
const patternBytes = Buffer.from(pattern.buffer);

/** Bytes derived from key and block number: a short piece of noise (xorshift32), repeated, because whole fleets are sampled with it. */
function noiseBlock(key: number, block: number, bytes: number): Buffer {
  let x = mix(key, block, Math.floor(block / 4_294_967_296)) | 1;
  for (let at = 0; at < pattern.length; at += 1) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    pattern[at] = x;
  }
  return Buffer.allocUnsafe(bytes).fill(patternBytes);
}

export class Content {
  #base: Base;
  readonly #written = new Map<number, Buffer>();

  constructor(
    readonly blockBytes: number,
    base: Base,
  ) {
    this.#base = base;
  }

  /** A view that must not be changed. */
  read(block: number): Buffer {
    const written = this.#written.get(block);
    if (written) return written;
    const base = this.#base;
    if (base.kind === "zeros") return zeroBlock(this.blockBytes);
    if (base.kind === "tenant" && mix(base.key, 1, block) % 256 >= tenantShare)
      return zeroBlock(this.blockBytes);
    return noiseBlock(base.key, block, this.blockBytes);
  }

  write(block: number, content: Uint8Array): void {
    this.#written.set(block, Buffer.from(content));
  }

  /** Replaces everything that was there. */
  replace(base: Base): void {
    this.#base = base;
    this.#written.clear();
  }

  memory(): ContentMemory {
    return {
      base: this.#base,
      written: Array.from(this.#written, ([block, bytes]): [number, string] => [
        block,
        bytes.toString("base64"),
      ]),
    };
  }

  recall({ base, written }: ContentMemory): void {
    this.replace(base);
    for (const [block, bytes] of written) this.#written.set(block, Buffer.from(bytes, "base64"));
  }

  get holdsTenantData(): boolean {
    return this.#base.kind === "tenant";
  }
}
