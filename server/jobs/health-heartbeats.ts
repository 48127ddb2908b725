// Looks for health sources that have fallen silent (docs/repair.md#sources).
import type { Logger } from "pino";
import type { Database } from "@/server/db/prisma";
import { startRounds } from "@/server/jobs/rounds";
import { raiseSilent } from "@/server/usecases/repair/health/silent-sources";

const everyMs = 5_000;

/** Any number of processes may do it side by side. Returns how it ends, which resolves when what is under way has. */
export function startHealthHeartbeats(database: Database, logger: Logger): () => Promise<void> {
  const look = async (over: AbortSignal): Promise<void> => {
    const raised = await raiseSilent(database, process.uptime(), logger, over);
    if (raised > 0) logger.warn({ raised }, "health sources have fallen silent");
  };
  return startRounds(everyMs, look, (error) =>
    logger.warn({ err: error }, "health sources could not be looked at"),
  );
}
