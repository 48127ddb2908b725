// For tests: numbers what was written. A transaction of any database of the server holds up numbers, and tests share a server.
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { numberEvents } from "@/server/db/audit-log/sequencer";

/** Until no event is without a number. */
export async function numberAll(pool: Pool): Promise<void> {
  for (;;) {
    await numberEvents(pool);
    const { rowCount } = await pool.query("SELECT 1 FROM audit_pending LIMIT 1");
    if (rowCount === 0) return;
    await sleep(10);
  }
}
