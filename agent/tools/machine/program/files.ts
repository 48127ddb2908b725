// Files that the kernel provides, below /sys, /proc and /dev.
import { readFile, readdir, realpath, writeFile } from "node:fs/promises";

/** Reads below the machine's own root; tests use recorded files. */
export interface Files {
  /** Null if it does not exist or cannot be read. */
  read(path: string): Promise<Uint8Array | null>;
  /** Names in a folder, sorted; null if it cannot be read. */
  list(path: string): Promise<readonly string[] | null>;
  /** Where a path leads; null if it leads nowhere. */
  real(path: string): Promise<string | null>;
  /** Returns the error message, or null. */
  write(path: string, content: Uint8Array): Promise<string | null>;
}

const orNull = <Value>(work: Promise<Value>): Promise<Value | null> => work.catch(() => null);

export const machineFiles: Files = {
  read: (path) => orNull(readFile(path)),
  list: (path) => orNull(readdir(path).then((names) => names.sort())),
  real: (path) => orNull(realpath(path)),
  write: (path, content) =>
    writeFile(path, content).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    ),
};

/** The content of a one-line file, trimmed; null if there is none. */
export async function lineIn(files: Files, path: string): Promise<string | null> {
  const content = await files.read(path);
  return content === null ? null : Buffer.from(content).toString("utf8").replaceAll("\0", "").trim();
}
