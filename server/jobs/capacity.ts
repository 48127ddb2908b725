// Looks every few seconds for machines that left or came back (docs/repair.md#capacity).
import type { Logger } from "pino";
import type { Database } from "@/server/db/prisma";
import { watchCapacity } from "@/server/usecases/break-fix/watch-capacity";

const everyMs = 10_000;

/** Any number of processes may do it side by side. Returns how it ends, which resolves when what is under way has. */
export function startCapacity(database: Database, logger: Logger): () => Promise<void> {
  const ending = new AbortController();
  let underWay: Promise<unknown> | null = null;
  const timer = setInterval(() => {
    underWay ??= lookThrough(database, ending.signal)
      .catch((error: unknown) => logger.warn({ err: error }, "capacity could not be looked at"))
      .finally(() => {
        underWay = null;
      });
  }, everyMs);
  return async () => {
    clearInterval(timer);
    ending.abort();
    await underWay;
  };
}

/** Until nothing has changed. */
async function lookThrough(database: Database, signal: AbortSignal): Promise<void> {
  let changed = 1;
  while (!signal.aborted && changed > 0) changed = await watchCapacity(database);
}
