// Reads SPDM messages (DSP0274): little-endian numbers. The bytes come from a component that nobody trusts yet, so each length is bounded.

/** Why measurements of a component do not count, in words for people. */
export class SpdmFault extends Error {
  override readonly name = "SpdmFault";
}

/** Each measurement of a large component with its whole manifest stays far below this. */
export const maxReportBytes = 256 * 1024;

export class SpdmReader {
  readonly #bytes: Buffer;
  #at = 0;

  /** Throws SpdmFault for more than a report can have. */
  constructor(bytes: Uint8Array) {
    if (bytes.length > maxReportBytes)
      throw new SpdmFault(`the report has ${bytes.length} bytes, and at most ${maxReportBytes} are accepted`);
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** The next `count` bytes. @param what what they are, for messages: "the nonce" */
  take(count: number, what: string): Buffer {
    if (count > this.left)
      throw new SpdmFault(`the report is truncated: ${what} has ${count} bytes, and ${this.left} are left`);
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  /** A little-endian number of `count` bytes. */
  number(count: 1 | 2 | 3 | 4, what: string): number {
    return this.take(count, what).readUIntLE(0, count);
  }

  /** Everything that was read from `start` on. */
  since(start: number): Buffer {
    return this.#bytes.subarray(start, this.#at);
  }

  get at(): number {
    return this.#at;
  }

  /** How many bytes were not read yet. */
  get left(): number {
    return this.#bytes.length - this.#at;
  }
}
