// The sign that agents can reach us: begun by a process whose machine surface is open (docs/adr/0022-durations-travel.md).
import type { Pool } from "pg";
import type { Logger } from "pino";
import { signOfListening } from "@/server/db/hot/fleet/listening";

const everyMs = 2_000;

/** Any number of processes may give it side by side. `gapOver`: what was late is looked at now. Returns how it ends. */
export function startListening(pool: Pool, logger: Logger, gapOver: () => void): () => Promise<void> {
  let underWay: Promise<void> | null = null;
  const sign = async (): Promise<void> => {
    try {
      const gapMs = await signOfListening(pool);
      if (gapMs === null) return;
      logger.warn(
        { gapMs: Math.round(gapMs) },
        gapMs < 0
          ? "the database's clock was set back: what hosts wait for was moved with it"
          : "no agent could have reached a server, or the database's clock was set: what hosts wait for was moved by that time",
      );
      gapOver();
    } catch (error) {
      logger.warn(
        { err: error },
        "the database does not take the sign that agents can reach us; hosts are not judged meanwhile",
      );
    }
  };
  const begin = (): void => {
    underWay ??= sign().finally(() => {
      underWay = null;
    });
  };
  begin();
  const timer = setInterval(begin, everyMs);
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}
