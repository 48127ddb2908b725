// The file with the high-water marks of this process, in RECLAIM_STATE_DIR: outside of the database, and never older after a write.
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "@/server/config";
import { marks, mergeMarks } from "@/server/domain/database/high-water";
import type { Marks } from "@/server/domain/database/high-water";

const codeOf = (error: unknown): unknown => (error instanceof Error ? Reflect.get(error, "code") : undefined);
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export class MarkFile {
  readonly path: string;
  readonly #folder: string;

  /** @param folder value of RECLAIM_STATE_DIR */
  constructor(folder: string) {
    this.#folder = folder;

    this.path = join(folder, "high-water.json");
  }

  /** Throws ConfigError for a file that is there and cannot be understood: what it said is not known. */
  async read(): Promise<Marks> {
    try {
      return marks.parse(JSON.parse(await readFile(this.path, "utf8")));
    } catch (error) {
      if (codeOf(error) === "ENOENT") return {};
      throw new ConfigError([
        {
          variable: "RECLAIM_STATE_DIR",
          message: `${this.path} cannot be read (${reasonOf(error)}). Put it back from a copy; or move it elsewhere, and the server starts with allocation stopped`,
        },
      ]);
    }
  }

  /** Writes the later of what is there and what is given, whole or not at all. Throws when the folder cannot be written to. */
  async write(known: Marks): Promise<void> {
    const later = mergeMarks(await this.read(), known);
    const next = `${this.path}.${process.pid}.new`;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = await open(next, "w", 0o600);
    try {
      await file.writeFile(`${JSON.stringify(later, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(next, this.path).catch(async (error: unknown) => {
      await rm(next, { force: true });
      throw error;
    });
  }
}
