// The sign that agents can reach us: begun by a process whose machine surface is open (docs/adr/0022-durations-travel.md, docs/adr/0134-listening-per-address.md).
import type { Pool } from "pg";
import type { Logger } from "pino";
import { signOfListening } from "@/server/db/hot/fleet/listening";
import type { Gap, Server } from "@/server/db/hot/fleet/listening";

const everyMs = 2_000;

const messageOf = ({ ms, whole }: Gap, { address }: Server): string => {
  if (ms < 0) return "the database's clock was set back: what hosts wait for was moved with it";
  return whole
    ? "no agent could have reached a server, or the database's clock was set: what hosts wait for was moved by that time"
    : `no agent could have reached a server at ${address}: what its hosts wait for was moved by that time`;
};

export interface ListeningOptions {
  readonly pool: Pool;
  readonly logger: Logger;
  readonly server: Server;
  /** Whether an agent was heard here since the last call. */
  readonly heard: () => boolean;
  /** What was late is looked at now. */
  readonly gapOver: () => void;
}

/** Any number of processes may give it side by side. Returns how it ends. */
export function startListening({
  pool,
  logger,
  server,
  heard,
  gapOver,
}: ListeningOptions): () => Promise<void> {
  let underWay: Promise<void> | null = null;
  const sign = async (): Promise<void> => {
    try {
      const gap = await signOfListening(pool, server, heard());
      if (gap === null) return;
      logger.warn({ gapMs: Math.round(gap.ms) }, messageOf(gap, server));
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
