// A file of lines that only grows, until it is written anew: whole lines survive a kill at any moment.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";

/** The whole lines of the file and how much of a torn one follows; null when there is no such file. */
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

/** Lines that are written at once: a bound for memory. */
const pieceLines = 512;

export class Journal {
  #descriptor: number;
  /** Bytes added since the file was last written anew. */
  added = 0;
  readonly startBytes: number;

  /** Writes the file anew, readable by its owner only; until that is done the old one stays. Throws what the file system says. */
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

  /** Adds lines; they outlive this process at once. After an error the file ends in a torn line and must be written anew. */
  append(lines: readonly string[]): void {
    if (lines.length > 0) this.added += writeAll(this.#descriptor, `${lines.join("\n")}\n`);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
