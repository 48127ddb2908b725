// Tells the controller that what it knows of hosts is out of date.
import { sql } from "kysely";
import { execute } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";

/** The evidence of these hosts has changed: they are decided about again, and no decision made without it leads to Ready. */
export const wakeHosts = (tx: SqlReader, hostIds: readonly string[]): Promise<number> =>
  execute(
    tx,
    sql`
    UPDATE host_run SET evidence_seq = evidence_seq + 1, wake_seq = wake_seq + 1, due_at = least(coalesce(due_at, 'infinity'), now())
    WHERE host_id = ANY(${[...hostIds]}::uuid[])`,
  );
