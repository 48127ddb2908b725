// Reads and writes a block device past the page cache, because a cached block shows what was there before the erase
// (docs/design/sanitization.md#verification).
import { constants, open, type FileHandle } from "node:fs/promises";

const align = 16;
/** No device requires more alignment than a page. */
const pageBytes = 4096;

/**
 * Memory for one block, aligned as the device requires. Node does not expose a buffer's address, but a buffer never moves. So the first request tries
 * one offset after the other until the kernel no longer answers EINVAL (open(2), O_DIRECT).
 */
class AlignedBlock {
  readonly #memory: Uint8Array;
  #at: number | null = null;

  constructor(readonly blockBytes: number) {
    this.#memory = new Uint8Array(new ArrayBuffer(blockBytes + pageBytes));
  }

  #view(at: number): Uint8Array {
    return this.#memory.subarray(at, at + this.blockBytes);
  }

  /** Calls `request` with the memory, after copying `content` into it. Throws what `request` throws. */
  async use(
    request: (memory: Uint8Array) => Promise<number>,
    content: Uint8Array | null,
  ): Promise<{ readonly bytes: number; readonly memory: Uint8Array }> {
    for (let at = this.#at ?? 0; at <= pageBytes; at += align) {
      const memory = this.#view(at);
      if (content !== null) memory.set(content);
      try {
        const bytes = await request(memory);
        this.#at = at;
        return { bytes, memory };
      } catch (error) {
        if (this.#at !== null || codeOf(error) !== "EINVAL") throw error;
      }
    }
    throw new Error(`no memory for direct access to blocks of ${this.blockBytes} bytes`);
  }
}

export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

/** Errors of a drive that cannot read one of its blocks: they are about the block, not the device. */
const mediumErrors = new Set(["EIO", "EILSEQ", "ENODATA", "EREMOTEIO"]);

export class DirectFile {
  readonly #file: FileHandle;
  readonly #block: AlignedBlock;

  private constructor(file: FileHandle, blockBytes: number) {
    this.#file = file;
    this.#block = new AlignedBlock(blockBytes);
  }

  /** Throws if the path cannot be opened in this way. */
  static async open(path: string, blockBytes: number, access: "read" | "write"): Promise<DirectFile> {
    const flags =
      access === "read"
        ? constants.O_RDONLY | constants.O_DIRECT
        : constants.O_WRONLY | constants.O_DIRECT | constants.O_DSYNC;
    return new DirectFile(await open(path, flags), blockBytes);
  }

  /** A copy of the block; null for a read error of the medium. Throws for every other error, including the end of the device. */
  async read(block: number): Promise<Uint8Array | null> {
    const { blockBytes } = this.#block;
    try {
      const { bytes, memory } = await this.#block.use(
        async (into) => (await this.#file.read(into, 0, blockBytes, block * blockBytes)).bytesRead,
        null,
      );
      if (bytes !== blockBytes) throw new Error(`block ${block}: ${bytes} of ${blockBytes} bytes`);
      return Uint8Array.from(memory);
    } catch (error) {
      if (mediumErrors.has(codeOf(error))) return null;
      throw error;
    }
  }

  async write(block: number, content: Uint8Array): Promise<void> {
    const { blockBytes } = this.#block;
    if (content.length !== blockBytes)
      throw new Error(`${content.length} bytes for a block of ${blockBytes}`);
    const { bytes } = await this.#block.use(
      async (from) => (await this.#file.write(from, 0, blockBytes, block * blockBytes)).bytesWritten,
      content,
    );
    if (bytes !== blockBytes) throw new Error(`block ${block}: ${bytes} of ${blockBytes} bytes`);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
