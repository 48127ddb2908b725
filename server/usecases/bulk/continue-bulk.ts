// Goes on with acts that were started and are not through: after their first portion, and after a restart of any process.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import { askPortion, closeWhenAsked, toStarted } from "@/server/usecases/bulk/ask-portion";

/** One portion of one act, unless another process is at it. Returns how many hosts were settled. */
function continueOne(database: Database, id: string): Promise<number> {
  return database.$transaction(async (tx) => {
    const [free] = await queryRows(
      tx,
      sql<{
        id: string;
      }>`SELECT id::text FROM bulk_act WHERE id = ${id}::uuid AND started_at IS NOT NULL AND asked_all_at IS NULL FOR UPDATE SKIP LOCKED`,
    );
    const row = free === undefined ? null : await tx.bulkAct.findUnique({ where: { id } });
    if (row === null) return 0;
    const settled = await askPortion(tx, toStarted(row));
    await closeWhenAsked(tx, id);
    return settled;
  });
}

/** Asks hosts in portions until none is left that can be asked now, or `over` fires between two of them. Any number of processes may do it side by side. */
export async function continueBulkActs(database: Database, over?: AbortSignal): Promise<void> {
  const rows = await database.bulkAct.findMany({
    where: { startedAt: { not: null }, askedAllAt: null },
    orderBy: { startedAt: "asc" },
    select: { id: true },
    take: 100,
  });
  for (const { id } of rows) {
    let settled = 1;
    while (settled > 0 && over?.aborted !== true) settled = await continueOne(database, id);
  }
}
