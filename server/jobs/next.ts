// Looks every few seconds for things that need a person or no longer do (docs/next.md#webhooks).
import type { Logger } from "pino";
import type { Database } from "@/server/db/prisma";
import { startRounds } from "@/server/jobs/rounds";
import { watchNext } from "@/server/usecases/next/watch-next";

const everyMs = 10_000;

/** Any number of processes may do it side by side. Returns how it ends, which resolves when what is under way has. */
export function startNext(database: Database, logger: Logger): () => Promise<void> {
  return startRounds(
    everyMs,
    () => watchNext(database),
    (error) => logger.warn({ err: error }, "what needs a person could not be looked at"),
  );
}
