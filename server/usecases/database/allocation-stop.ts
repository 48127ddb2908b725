// Why no host is allocated, whatever its state: the database may be an older one.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { StopCause } from "@/server/domain/database/high-water";

interface StateRow {
  readonly message: string | null;
  readonly cause: StopCause | null;
  readonly current: boolean;
}

export interface AllocationStop {
  /** Shown to the provider's people. */
  readonly message: string;
  /** Null if the stop ends by itself once a server confirms the database. */
  readonly cause: StopCause | null;
}

/** Null while hosts are allocated. */
export async function allocationStop(reader: SqlReader): Promise<AllocationStop | null> {
  const rows = await queryRows(
    reader,
    sql<StateRow>`
    SELECT stopped_message AS message, stopped_cause AS cause, database_is_current() AS current FROM database_state WHERE id = 1`,
  );
  const row = rows[0];
  if (row === undefined)
    return {
      message:
        "The table database_state has no row: restore it from a backup. Until then no host is allocated.",
      cause: null,
    };
  if (row.message !== null) return { message: row.message, cause: row.cause };
  if (row.current) return null;
  const message =
    "No server has compared this database with its high-water mark for 15 seconds, so no host is allocated. Start a server that can write to its RECLAIM_STATE_DIR.";
  return { message, cause: null };
}

/** The acts that end a stop: `isCurrent` only if no mark proves that the database is an older one. Pure. */
export function stopActs(stop: AllocationStop | null): readonly StopAct[] {
  if (stop === null || stop.cause === null) return [];
  return stop.cause === "noMark" ? ["afterRestore", "isCurrent"] : ["afterRestore"];
}
export type StopAct = "afterRestore" | "isCurrent";

/** Shown to tenants. */
export const tenantStop =
  "No host can be allocated now: the provider is checking the database. Try again later.";
