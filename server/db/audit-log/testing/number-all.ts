// For tests: numbers all pending events, also where another sequencer is at work.
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { numberEvents } from "@/server/db/audit-log/sequencer";

/** Returns once every event has a number. */
export async function numberAll(pool: Pool): Promise<void> {
  for (;;) {
    await numberEvents(pool);
    const { rowCount } = await pool.query("SELECT 1 FROM audit_pending LIMIT 1");
    if (rowCount === 0) return;
    await sleep(10);
  }
}
