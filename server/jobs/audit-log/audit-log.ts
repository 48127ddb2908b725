// Numbers the events of the audit log and signs it (docs/adr/0101-audit-log.md). Any number of processes may do it side by side.
import type { Logger } from "pino";
import type { Pool } from "pg";
import { addFirstKey, makeWantedKey } from "@/server/db/audit-log/keys";
import { batchEvents, numberEvents } from "@/server/db/audit-log/sequencer";
import { signNews } from "@/server/db/audit-log/sign";
import type { SecretBox } from "@/server/db/secrets/secret-box";
import { errorLog } from "@/server/jobs/error-log";

const numberEveryMs = 250;
const signEveryMs = 1_000;
/** Keys that are told of as not used. */
const maxTold = 100;

/** What the log's checkpoints and keys are named by: where its files are. */
export const originOf = (baseUrl: string): string => `${new URL(baseUrl).host}/audit-log`;

/** Begins at once and repeats until the returned function is called, which resolves when what is under way has ended. */
export function startAuditLog(
  pool: Pool,
  secrets: SecretBox,
  logger: Logger,
  baseUrl: string,
): () => Promise<void> {
  const over = new AbortController();
  const notNumbered = errorLog(logger, "events of the audit log could not be numbered");
  const notSigned = errorLog(logger, "the audit log could not be signed");
  const told = new Set<string>();
  const leftOut = (key: string, why: unknown): void => {
    if (told.size < maxTold && !told.has(key))
      logger.error({ key, err: why }, "a key of the audit log is not used: nobody has vouched for it");
    if (told.size < maxTold) told.add(key);
  };
  let signedAt = Number.NEGATIVE_INFINITY;
  const round = async (): Promise<void> => {
    while (!over.signal.aborted && (await numberEvents(pool)) === batchEvents);
    if (performance.now() - signedAt < signEveryMs) return;
    signedAt = performance.now();
    await makeWantedKey(pool, secrets).catch(notSigned);
    await signNews(pool, secrets, leftOut).catch(notSigned);
  };
  const run = async (): Promise<void> => {
    for (let hasKey = false; !over.signal.aborted;) {
      try {
        if (!hasKey) await addFirstKey(pool, secrets, originOf(baseUrl));
        hasKey = true;
        await round();
      } catch (error) {
        notNumbered(error);
      }
      await pause(numberEveryMs, over.signal);
    }
  };
  const running = run();
  return () => {
    over.abort();
    return running;
  };
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    if (signal.aborted) return done();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      done();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
  });
