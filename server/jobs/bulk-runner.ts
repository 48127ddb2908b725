// Acts on many hosts go on in the server process, portion by portion, so that no request waits for them and a restart does not lose them.
import type { Logger } from "pino";
import type { Database } from "@/server/db/prisma";
import { errorLog } from "@/server/jobs/error-log";
import { startRounds } from "@/server/jobs/rounds";
import { continueBulkActs } from "@/server/usecases/hosts/bulk/continue-bulk";

const everyMs = 500;

/** Looks for started acts until the returned function is called, which waits for the portion under way. */
export function startBulkRunner(database: Database, logger: Logger): () => Promise<void> {
  return startRounds(
    everyMs,
    (over) => continueBulkActs(database, over),
    errorLog(logger, "an act on many hosts could not go on"),
  );
}
