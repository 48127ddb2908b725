// Lets hosts into firmware rollouts (docs/adr/0148-firmware-rollouts.md).
import type { Logger } from "pino";
import type { Database } from "@/server/db/prisma";
import { errorLog } from "@/server/jobs/error-log";
import { startRounds } from "@/server/jobs/rounds";
import { decideRollouts } from "@/server/usecases/hosts/rollouts/decide-rollouts";

/** A host waits this long for the decision; a fleet without an open rollout costs one query of an empty table. */
const everyMs = 1_000;

/** Any number of processes may do it side by side. Returns how it ends, which resolves when what is under way has. */
export function startFirmwareRollouts(database: Database, logger: Logger): () => Promise<void> {
  const failed = errorLog(logger, "a firmware rollout could not be decided");
  return startRounds(everyMs, () => decideRollouts(database, failed), failed);
}
