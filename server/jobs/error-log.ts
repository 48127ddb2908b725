// What periodic work says when it fails: an outage of the database, which each of its many looks meets, once a minute.
import type { Logger } from "pino";
import { outageOf } from "@/server/db/outage";

const sayAgainMs = 60_000;

/** Logs what was not done and why; `now` in ms. One log for one kind of work. */
export function errorLog(
  logger: Pick<Logger, "error" | "warn">,
  what: string,
  now: () => number = () => performance.now(),
): (error: unknown) => void {
  let said: { readonly outage: string; readonly at: number } | null = null;
  return (error) => {
    const outage = outageOf(error);
    if (outage === null) return logger.error({ err: error }, what);
    if (said !== null && said.outage === outage && now() - said.at < sayAgainMs) return;
    said = { outage, at: now() };
    logger.warn({ outage }, `${what}; it is tried again`);
  };
}
