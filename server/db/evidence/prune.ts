// Removes files of evidence that nothing rests on (docs/operations.md#retention). What a record rests on, and what is on legal hold, stays.
import { sql } from "kysely";
import type { BlobStore } from "@/server/db/evidence/blob-store";
import { execute, queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import { inSqlTransaction } from "@/server/db/transaction";

/** Somebody brought it and recorded nothing with it. */
const unusedDays = 7;
const batchFiles = 100;

const unused = sql`kept_at IS NULL
  AND held_at IS NULL
  AND uploaded_at < now() - ${unusedDays}::int * interval '1 day'`;

/** A content whose last file has gone, or whose upload broke off a day ago. Its bytes go while its row is locked, so that nobody brings it meanwhile. */
async function removeOne(
  database: Database,
  stores: (place: string) => BlobStore | undefined,
  sha256: string,
): Promise<boolean> {
  const removed = await inSqlTransaction<boolean, never>(database, async (tx) => {
    const [blob] = await queryRows(
      tx,
      sql<{
        readonly place: string;
      }>`SELECT place FROM evidence_blob b WHERE sha256 = ${sha256} AND touched_at < now() - interval '1 day'
      AND NOT EXISTS (SELECT 1 FROM evidence_file f WHERE f.sha256 = b.sha256) FOR UPDATE SKIP LOCKED`,
    );
    const store = blob === undefined ? undefined : stores(blob.place);
    if (store === undefined) return { ok: true, value: false };
    await store.remove(sha256);
    await execute(tx, sql`DELETE FROM evidence_blob WHERE sha256 = ${sha256}`);
    return { ok: true, value: true };
  });
  return removed.ok && removed.value;
}

/**
 * @param stores by place; undefined: the settings have no such service now, so its contents stay
 * @returns how many files and contents went
 */
export async function pruneEvidence(
  database: Database,
  stores: (place: string) => BlobStore | undefined,
): Promise<number> {
  let gone = await execute(
    database,
    sql`DELETE FROM evidence_file WHERE id IN (SELECT id FROM evidence_file WHERE ${unused} LIMIT ${batchFiles} FOR UPDATE SKIP LOCKED)`,
  );
  const blobs = await queryRows(
    database,
    sql<{
      readonly sha256: string;
    }>`SELECT sha256 FROM evidence_blob b WHERE touched_at < now() - interval '1 day'
    AND NOT EXISTS (SELECT 1 FROM evidence_file f WHERE f.sha256 = b.sha256) LIMIT ${batchFiles}`,
  );
  for (const { sha256 } of blobs) if (await removeOne(database, stores, sha256)) gone += 1;
  return gone;
}
