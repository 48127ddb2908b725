// Where the files of an audit log come from: a server, or a folder written by `reclaim audit export`. The verifier does not know which.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { ReadLogFile } from "@/server/domain/audit-log/verify-log";
import { CommandError } from "@/cli/exit-codes";
import { exitOfStatus } from "@/cli/http";
import type { Ask } from "@/cli/http";

/** URL path prefix on the server. */
const prefix = "/audit-log";

/** Reads from the configured server. Throws CommandError on anything but a file that exists or does not exist. */
export const fromServer =
  (ask: Ask): ReadLogFile =>
  async (path) => {
    const response = await ask(`${prefix}/${path}`);
    if (response.status === 200) return new Uint8Array(await response.arrayBuffer());
    const text = await response.text();
    if (response.status === 404) return null;
    const detail = /"detail":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
    throw new CommandError(
      exitOfStatus(response.status),
      detail ?? `The server responded to ${path} with status ${response.status}.`,
    );
  };

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");

/** Reads from a folder. */
export const fromFolder =
  (folder: string): ReadLogFile =>
  async (path) => {
    try {
      return await readFile(join(folder, path));
    } catch (error) {
      if (isMissing(error)) return null;
      throw new CommandError(
        "usage",
        `${join(folder, path)} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  };

/** Writes a log file into a folder. */
export async function writeLogFile(
  folder: string,
  path: string,
  content: Uint8Array | string,
): Promise<void> {
  const file = resolve(folder, path);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  } catch (error) {
    throw new CommandError(
      "usage",
      `${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
