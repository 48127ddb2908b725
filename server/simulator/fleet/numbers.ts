// Numbers derived from a seed, so that a restarted fleet has the same machines.

/** 32 well-mixed bits from any number of integers (murmur3's finaliser). */
export function mix(...values: readonly number[]): number {
  let hash = 0x9e3779b9;
  for (const value of values) {
    hash ^= value | 0;
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

/** `length` characters out of `alphabet`, from a seed. */
export function letters(alphabet: string, length: number, ...seed: readonly number[]): string {
  return Array.from({ length }, (_, index) => alphabet[mix(...seed, index) % alphabet.length]).join("");
}

export function hex(length: number, ...seed: readonly number[]): string {
  return letters("0123456789abcdef", length, ...seed);
}
