// Looks every few seconds for machines that left or came back (docs/repair.md#capacity).
import type { Logger } from "pino";
import type { Database } from "@/server/db/prisma";
import { startRounds } from "@/server/jobs/rounds";
import { watchCapacity } from "@/server/usecases/break-fix/watch-capacity";

const everyMs = 10_000;

/** Any number of processes may do it side by side. Returns how it ends, which resolves when what is under way has. */
export function startCapacity(database: Database, logger: Logger): () => Promise<void> {
  return startRounds(
    everyMs,
    (over) => lookThrough(database, over),
    (error) => logger.warn({ err: error }, "capacity could not be looked at"),
  );
}

/** Until nothing has changed. */
async function lookThrough(database: Database, signal: AbortSignal): Promise<void> {
  let changed = 1;
  while (!signal.aborted && changed > 0) changed = await watchCapacity(database);
}
