// An append-only file of lines that is rewritten now and then: complete lines survive a kill at any moment.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";

/** The complete lines of the file, and the size of a torn one after them; null if there is no such file. */
export function readJournal(file: string): { readonly lines: string[]; readonly tornBytes: number } | null {
  try {
    const lines = readFileSync(file, "utf8").split("\n");
    const torn = lines.pop() ?? "";
    return { lines, tornBytes: Buffer.byteLength(torn) };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

function writeAll(descriptor: number, text: string): number {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
  return bytes.length;
}

/** Lines written at once, to limit memory. */
const pieceLines = 512;

export class Journal {
  #descriptor: number;
  /** Bytes appended since the file was last rewritten. */
  added = 0;
  readonly startBytes: number;

  /** Rewrites the file, readable only by its owner. The old one stays until that is done. Throws what the file system throws. */
  constructor(file: string, lines: Iterable<string>) {
    const temporary = `${file}.new`;
    rmSync(temporary, { force: true });
    this.#descriptor = openSync(temporary, "ax", 0o600);
    try {
      let bytes = 0;
      let piece: string[] = [];
      for (const line of lines) {
        piece.push(line, "\n");
        if (piece.length < 2 * pieceLines) continue;
        bytes += writeAll(this.#descriptor, piece.join(""));
        piece = [];
      }
      this.startBytes = bytes + writeAll(this.#descriptor, piece.join(""));
      fsyncSync(this.#descriptor);
      renameSync(temporary, file);
    } catch (error) {
      closeSync(this.#descriptor);
      throw error;
    }
  }

  /** Appends lines, which survive this process at once. After an error the file ends in a torn line and must be rewritten. */
  append(lines: readonly string[]): void {
    if (lines.length > 0) this.added += writeAll(this.#descriptor, `${lines.join("\n")}\n`);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
