// Looks every few seconds for machines that left or came back (docs/repair.md#capacity).
import type { Logger } from "pino";
import type { Database } from "@/server/db/prisma";
import { watchCapacity } from "@/server/usecases/break-fix/watch-capacity";

const everyMs = 10_000;

/** Any number of processes may do it side by side. Returns how it ends, which resolves when what is under way has. */
export function startCapacity(database: Database, logger: Logger): () => Promise<void> {
  let underWay: Promise<unknown> | null = null;
  const timer = setInterval(() => {
    underWay ??= watchCapacity(database)
      .catch((error: unknown) => logger.warn({ err: error }, "capacity could not be looked at"))
      .finally(() => {
        underWay = null;
      });
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}
