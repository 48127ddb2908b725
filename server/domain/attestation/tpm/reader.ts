// Reads the structures of a TPM (TPM 2.0 Library, Part 2): big-endian numbers and byte strings with a length before them. The bytes come from a host that
// nobody trusts yet, so each length is bounded, and what is left over is a fault.

/** Why bytes are not what they should be, in words for people. */
export class TpmFault extends Error {
  override readonly name = "TpmFault";
}

export class TpmReader {
  readonly #bytes: Buffer;
  readonly #what: string;
  #at = 0;

  /**
   * @param what what the bytes should be, for messages: "the endorsement key"
   * @param maxBytes more is refused before anything is read
   */
  constructor(bytes: Uint8Array, what: string, maxBytes: number) {
    if (bytes.length > maxBytes)
      throw new TpmFault(`${what} has ${bytes.length} bytes, and at most ${maxBytes} are accepted`);
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#what = what;
  }

  /** The next `count` bytes, copied. */
  take(count: number): Buffer {
    if (count > this.left)
      throw new TpmFault(
        `${this.#what} is truncated: ${count} bytes are expected at ${this.#at}, and it has ${this.#bytes.length}`,
      );
    this.#at += count;
    return Buffer.from(this.#bytes.subarray(this.#at - count, this.#at));
  }

  u16(): number {
    return this.take(2).readUInt16BE();
  }

  u32(): number {
    return this.take(4).readUInt32BE();
  }

  /** A TPM2B: its length in two bytes, then its content. */
  sized(maxBytes: number, name: string): Buffer {
    const count = this.u16();
    if (count > maxBytes)
      throw new TpmFault(`${name} in ${this.#what} has ${count} bytes, and at most ${maxBytes} are accepted`);
    return this.take(count);
  }

  /** How many bytes were not read yet. */
  get left(): number {
    return this.#bytes.length - this.#at;
  }

  /** Throws unless everything was read. */
  end(): void {
    if (this.left > 0) throw new TpmFault(`${this.#what} has ${this.left} trailing bytes`);
  }
}

/** A TPM2B with this content. */
export function sized(content: Uint8Array): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(content.length);
  return Buffer.concat([length, content]);
}
