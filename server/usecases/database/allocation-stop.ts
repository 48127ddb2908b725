// Why no host is allocated, whatever their states: the database may be an older one.
import type { RawReader } from "@/server/db/raw-transaction";

interface StateRow {
  readonly message: string | null;
  readonly current: boolean;
}

/** What the provider's people read; null while hosts are allocated. */
export async function allocationStop(reader: Pick<RawReader, "$queryRaw">): Promise<string | null> {
  const rows = await reader.$queryRaw<StateRow[]>`SELECT stopped_message AS message, database_is_current() AS current FROM database_state WHERE id = 1`;
  const row = rows[0];
  if (row === undefined) return "The table database_state has no row: restore it from a backup. Until then no host is allocated.";
  if (row.message !== null) return row.message;
  return row.current ? null : "No server has compared this database with its high-water mark for 15 seconds, so no host is allocated. Start a server that can write to its RECLAIM_STATE_DIR.";
}

/** What a tenant reads. */
export const tenantStop = "No host can be allocated now: the provider is checking the database. Try again later.";
