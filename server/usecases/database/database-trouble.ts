// Whether the database answers this process, for /readyz (docs/operations.md#monitoring).
import { ping } from "@/server/db/hot/fleet/metrics-read";
import type { HotPool } from "@/server/usecases/backend";

const pingTimeoutMs = 2_000;

/** What keeps a process from its work, and whether starting it again may help. */
export interface ProcessTrouble {
  readonly message: string;
  readonly restart: boolean;
}

/** Null: it answers. A database that says no is not helped by another process of ours; one that says nothing may be: our own connections may be the reason. */
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
