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

/** Looks once before anything is served. Throws ConfigError when the folder cannot be used, and what the database says when it cannot be asked. */
export async function startHighWater({
  pool,
  stateDir,
  logger,
}: {
  readonly pool: Pool;
  readonly stateDir: string;
  readonly logger: Logger;
}): Promise<HighWater> {
  const file = new MarkFile(stateDir);
  let known: Marks = await file.read();
  let message: string | null = null;

  /** The database was moved on, and the file does not say so yet. */
  let unwritten = false;
  const write = async (): Promise<void> => {
    await file.write(known);
    unwritten = false;
  };
  const hold = async ({ lineage, epoch, sequence }: Moved): Promise<void> => {
    known = mergeMarks(known, { [lineage]: { epoch, sequence } });
    unwritten = true;
    await write();
  };
  /** Of the database that was current at the last look: one statement then tells that it still is. */
  let last: Moved | null = null;
  const look = async (): Promise<void> => {
    // Without a mark a restore would go unnoticed: while it cannot be written nothing is confirmed, and allocation
    // stops when the last confirmation runs out (docs/adr/0026-a-restored-database.md).
    // safety: restore: nothing is confirmed while the mark cannot be written
    if (unwritten) await write();
    const went = last === null ? null : await moveOn(pool, last);
    if (went !== null) {
      last = went;
      return hold(went);
    }
    last = null;
    known = mergeMarks(known, await file.read());
    const { standing, at } = await judge(pool, known);
    if (standing.kind === "stopped") {
      if (message !== standing.message) logger.error({ cause: standing.cause }, standing.message);
      message = standing.message;
      return;
    }
    const moved = await moveOn(pool, { ...at, ...(known[at.lineage] ?? {}) });
    if (moved === null) return; // it moved or was stopped between the two: the next look sees it
    if (message !== null) logger.info("the database is the current one; allocation goes on");
    message = null;
    last = moved;
    await hold(moved);
  };

  await look().catch((error: unknown) => {
    const code = error instanceof Error ? Reflect.get(error, "code") : undefined;
    const ofFile = error instanceof Error && typeof Reflect.get(error, "path") === "string";
    if (!ofFile) throw error;
    throw new ConfigError([
      {
        variable: "RECLAIM_STATE_DIR",
        message: `${stateDir} cannot be written to (${String(code)}): give this user the folder, or name another`,
      },
    ]);
  });
  let running: Promise<void> = Promise.resolve();
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    running = look()
      .catch((error: unknown) => logger.warn({ err: error }, "the high-water mark could not be moved on"))
      .finally(() => {
        busy = false;
      });
  }, everyMs);
  return {
    stopped: () => message,
    look,
    stop: async () => {
      clearInterval(timer);
      await running;
      await look().catch((error: unknown) =>
        logger.warn({ err: error }, "the high-water mark could not be written at stop"),
      );
    },
  };
}
