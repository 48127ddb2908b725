// What is thrown away after its time: rows of the live feed that no position can ask for any more, and previews that nobody started.
import type { Logger } from "pino";
import { pruneBulkPreviews } from "@/server/db/bulk-previews";
import { pruneFeed } from "@/server/db/live-feed";
import type { Database } from "@/server/db/prisma";

const everyMs = 60_000;

/** Begins at once and repeats each minute until the returned function is called. Any number of processes may do it side by side. */
export function startHousekeeping(database: Database, logger: Logger): () => void {
  const work = (): void => {
    pruneFeed(database).catch((error: unknown) => logger.warn({ err: error }, "the live feed could not be pruned"));
    pruneBulkPreviews(database).catch((error: unknown) => logger.warn({ err: error }, "old previews could not be removed"));
  };
  work();
  const timer = setInterval(work, everyMs);
  return () => clearInterval(timer);
}
