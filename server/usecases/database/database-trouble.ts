// Whether the database answers this process, for /readyz (docs/operations.md#monitoring).
import { ping } from "@/server/db/hot/fleet/metrics-read";
import type { HotPool } from "@/server/usecases/backend";

const pingTimeoutMs = 2_000;

/** What keeps this process from working, and whether a restart may help. */
export interface ProcessTrouble {
  readonly message: string;
  readonly restart: boolean;
}

/**
 * Null if the database answers. If it refuses, restarting our process does not help; if it does not answer at all, it may, because our own connections
 * may be the cause.
 */
export async function databaseTrouble(pool: HotPool): Promise<ProcessTrouble | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ProcessTrouble>((resolve) => {
    timer = setTimeout(() => resolve({ message: "no answer", restart: true }), pingTimeoutMs);
  });
  const answer = ping(pool).then(
    () => null,
    () => ({ message: "cannot be reached", restart: false }),
  );
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
