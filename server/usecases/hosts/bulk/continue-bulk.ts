// Continues started bulk acts: after their first batch, and after a restart of any process.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { outageOf } from "@/server/db/outage";
import type { Database } from "@/server/db/prisma";
import { askPortion, closeWhenAsked, toStarted } from "@/server/usecases/hosts/bulk/ask-portion";

/** One batch of one act, unless another process is working on it. Returns how many hosts were settled. */
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

/**
 * Asks hosts in batches until none is left that can be asked now, or until `over` is aborted between two batches. Any number of processes may do this
 * concurrently. An act that fails, such as one that only a newer version can read (docs/adr/0024-rolling-upgrade.md), does not block others; its error
 * is thrown at the end.
 */
export async function continueBulkActs(database: Database, over?: AbortSignal): Promise<void> {
  const rows = await database.bulkAct.findMany({
    where: { startedAt: { not: null }, askedAllAt: null },
    orderBy: [{ startedAt: "asc" }, { id: "asc" }],
    select: { id: true },
    take: 100,
  });
  const failures: Error[] = [];
  for (const { id } of rows) {
    try {
      let settled = 1;
      while (settled > 0 && over?.aborted !== true) settled = await continueOne(database, id);
    } catch (cause) {
      if (outageOf(cause) !== null) throw cause;
      failures.push(new Error(`act ${id} could not go on`, { cause }));
    }
  }
  const [first] = failures;
  if (first !== undefined)
    throw failures.length === 1
      ? first
      : new AggregateError(failures, `${failures.length} acts could not go on`);
}
