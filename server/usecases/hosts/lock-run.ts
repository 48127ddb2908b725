// The first lock of an act on a host.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";

/** Locks a host's run. Acts that write the host's own row take this lock first, as the controller's commit does: the opposite order would deadlock. */
export async function lockRun(tx: SqlReader, hostId: string): Promise<void> {
  await queryRows(tx, sql`SELECT 1 FROM host_run WHERE host_id = ${hostId}::uuid FOR UPDATE`);
}
