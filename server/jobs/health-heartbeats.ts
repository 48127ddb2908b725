// Looks for health sources that have fallen silent (docs/repair.md#sources), and for checks that hosts failed or passed (docs/repair.md#failed-checks).
import type { Logger } from "pino";
import type { Database } from "@/server/db/prisma";
import { startRounds } from "@/server/jobs/rounds";
import { reportChecks } from "@/server/usecases/repair/health/check-reports";
import { raiseSilent } from "@/server/usecases/repair/health/silent-sources";

const everyMs = 5_000;

/** Any number of processes may do it side by side. Returns how it ends, which resolves when what is under way has. */
export function startHealthHeartbeats(database: Database, logger: Logger): () => Promise<void> {
  const look = async (over: AbortSignal): Promise<void> => {
    const raised = await raiseSilent(database, process.uptime(), logger, over);
    if (raised > 0) logger.warn({ raised }, "health sources have fallen silent");
    await reportChecks(database, logger, over);
  };
  return startRounds(everyMs, look, (error) =>
    logger.warn({ err: error }, "health sources could not be looked at"),
  );
}
