// Keeps this process's high-water mark, and holds the database against it every two seconds: a restored backup is noticed at start and while running.
import type { Pool } from "pg";
import type { Logger } from "pino";
import { ConfigError } from "@/server/config";
import { judge, moveOn } from "@/server/db/high-water";
import type { Moved } from "@/server/db/high-water";
import { mergeMarks } from "@/server/domain/database/high-water";
import type { Marks } from "@/server/domain/database/high-water";
import { MarkFile } from "@/server/jobs/mark-file";

const everyMs = 2_000;

export interface HighWater {
  /** Null while the database is the one that was known, else why nothing is allocated. */
  readonly stopped: () => string | null;
  /** Compares now; for tests, and for the last time at stop. */
  readonly look: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** The folder of a setting that has no default: it must not be where the database's own files are, and nobody but the operator knows. */
export function requireStateDir(folder: string | undefined): string {
  if (folder !== undefined) return folder;
  throw new ConfigError([
    {
      variable: "RECLAIM_STATE_DIR",
      message:
        "is required: a folder on this machine that is kept over restarts and not restored with the database. By what is in it the server notices a restored backup",
    },
  ]);
}

interface HighWaterDeps {
  readonly pool: Pool;
  readonly stateDir: string;
  readonly logger: Logger;
}

/** Looks once before anything is served. Throws ConfigError when the folder cannot be used, and what the database says when it cannot be asked. */
export async function startHighWater({ pool, stateDir, logger }: HighWaterDeps): Promise<HighWater> {
  const file = new MarkFile(stateDir);
  const watch = new RestoreWatch(pool, logger, file, await file.read());
  await watch.look().catch((error: unknown) => {
    throw folderError(stateDir, error);
  });
  let running: Promise<void> = Promise.resolve();
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    running = watch
      .look()
      .catch((error: unknown) => logger.warn({ err: error }, "the high-water mark could not be moved on"))
      .finally(() => {
        busy = false;
      });
  }, everyMs);
  return {
    stopped: () => watch.message,
    look: () => watch.look(),
    stop: async () => {
      clearInterval(timer);
      await running;
      await watch
        .look()
        .catch((error: unknown) =>
          logger.warn({ err: error }, "the high-water mark could not be written at stop"),
        );
    },
  };
}

/** What to say of an error of the first look: one of the file is the setting's. */
function folderError(stateDir: string, error: unknown): unknown {
  if (!(error instanceof Error) || typeof Reflect.get(error, "path") !== "string") return error;
  return new ConfigError([
    {
      variable: "RECLAIM_STATE_DIR",
      message: `${stateDir} cannot be written to (${String(Reflect.get(error, "code"))}): give this user the folder, or name another`,
    },
  ]);
}

/** What the file knows of databases, held against the one that is connected. */
class RestoreWatch {
  readonly #pool: Pool;
  readonly #logger: Logger;
  readonly #file: MarkFile;
  #known: Marks;
  /** The database was moved on, and the file does not say so yet. */
  #unwritten = false;
  /** Of the database that was current at the last look: one statement then tells that it still is. */
  #last: Moved | null = null;
  #message: string | null = null;

  constructor(pool: Pool, logger: Logger, file: MarkFile, known: Marks) {
    this.#pool = pool;
    this.#logger = logger;
    this.#file = file;
    this.#known = known;
  }

  /** Null while the database is the one that was known, else why nothing is allocated. */
  get message(): string | null {
    return this.#message;
  }

  async look(): Promise<void> {
    // Without a mark a restore would go unnoticed: while it cannot be written nothing is confirmed, and allocation
    // stops when the last confirmation runs out (docs/adr/0026-a-restored-database.md).
    // safety: restore: nothing is confirmed while the mark cannot be written
    if (this.#unwritten) await this.#write();
    const went = this.#last === null ? null : await moveOn(this.#pool, this.#last);
    if (went !== null) return this.#hold(went);
    this.#last = null;
    this.#known = mergeMarks(this.#known, await this.#file.read());
    const { standing, at } = await judge(this.#pool, this.#known);
    if (standing.kind === "stopped") {
      if (this.#message !== standing.message) this.#logger.error({ cause: standing.cause }, standing.message);
      this.#message = standing.message;
      return;
    }
    const moved = await moveOn(this.#pool, { ...at, ...(this.#known[at.lineage] ?? {}) });
    if (moved === null) return; // it moved or was stopped between the two: the next look sees it
    if (this.#message !== null) this.#logger.info("the database is the current one; allocation goes on");
    this.#message = null;
    await this.#hold(moved);
  }

  /** The database is the current one, and stands there. */
  async #hold(moved: Moved): Promise<void> {
    const { lineage, epoch, sequence } = moved;
    this.#last = moved;
    this.#known = mergeMarks(this.#known, { [lineage]: { epoch, sequence } });
    this.#unwritten = true;
    await this.#write();
  }

  async #write(): Promise<void> {
    await this.#file.write(this.#known);
    this.#unwritten = false;
  }
}
