// Looks for health sources that have fallen silent (docs/repair.md#sources).
import type { Logger } from "pino";
import type { Database } from "@/server/db/prisma";
import { raiseSilent } from "@/server/usecases/health/silent-sources";

const everyMs = 5_000;

/** Any number of processes may do it side by side. Returns how it ends, which resolves when what is under way has. */
export function startHealthHeartbeats(database: Database, logger: Logger): () => Promise<void> {
  const ending = new AbortController();
  let underWay: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    try {
      const raised = await raiseSilent(database, process.uptime(), logger, ending.signal);
      if (raised > 0) logger.warn({ raised }, "health sources have fallen silent");
    } catch (error) {
      logger.warn({ err: error }, "health sources could not be looked at");
    }
  };
  const timer = setInterval(() => {
    underWay ??= look().finally(() => {
      underWay = null;
    });
  }, everyMs);
  return async () => {
    clearInterval(timer);
    ending.abort();
    await underWay;
  };
}
