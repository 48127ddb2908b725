// Whether the database answers this process, and whether the audit log keeps up, for /readyz (docs/operations.md#monitoring).
import type { HotDatabase } from "@/server/db/hot/pool";
import { readLogLag } from "@/server/db/audit-log/log-lag";
import { ping } from "@/server/db/hot/fleet/metrics-read";
import type { HotPool } from "@/server/usecases/backend";

const pingTimeoutMs = 2_000;

/** What keeps this process from working, and whether a restart may help. */
export interface ProcessTrouble {
  readonly message: string;
  readonly restart: boolean;
}

/** The value of `work`, or `late` after the time that a probe may take. */
async function inTime<Value>(work: Promise<Value>, late: Value): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Value>((resolve) => {
    timer = setTimeout(() => resolve(late), pingTimeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

const tries = 4;
const nextTryMs = pingTimeoutMs / tries;
const unreachable: ProcessTrouble = { message: "cannot be reached", restart: false };
const silent: ProcessTrouble = { message: "no answer", restart: true };

/**
 * Null if the database answers. If it refuses, restarting our process does not help; if it does not answer at all, it may, because our own connections
 * may be the cause. After a cut the pool may still hold connections that lead nowhere, so a try that fails, or is silent for a while, is followed by
 * one on another connection: what counts is whether the database answers now.
 */
export function databaseTrouble(pool: HotDatabase): Promise<ProcessTrouble | null> {
  return new Promise((resolve) => {
    let [begun, failed] = [0, 0];
    const end = (trouble: ProcessTrouble | null): void => {
      clearInterval(timer);
      clearTimeout(deadline);
      begun = tries;
      resolve(trouble);
    };
    const attempt = (): void => {
      if (begun === tries) return;
      begun += 1;
      ping(pool).then(
        () => end(null),
        () => {
          failed += 1;
          if (failed === tries) end(unreachable);
          else attempt();
        },
      );
    };
    const timer = setInterval(attempt, nextTryMs);
    const deadline = setTimeout(() => end(failed > 0 ? unreachable : silent), pingTimeoutMs);
    attempt();
  });
}

/** Numbering takes half a second, and a checkpoint follows within one more. */
const logLagBoundSeconds = 60;

/** What is wrong with the audit log: events that nobody numbers or signs; null: nothing. */
export const auditLogTrouble = (pool: HotPool): Promise<string | null> =>
  inTime(
    readLogLag(pool).then(
      ({ numbering, signing }) => {
        const waits = (seconds: number, what: string): string =>
          `the oldest event has waited ${Math.round(seconds)} s for ${what}: see the log of the processes with the role controller`;
        if (numbering > logLagBoundSeconds) return waits(numbering, "its number");
        return signing > logLagBoundSeconds ? waits(signing, "a signed checkpoint") : null;
      },
      () => "unknown",
    ),
    "unknown",
  );
