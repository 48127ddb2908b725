// Removes evidence files that no record uses (docs/operations.md#retention). Files of a record, and files on legal hold, stay.
import { sql } from "kysely";
import type { BlobStore } from "@/server/db/evidence/blob-store";
import { execute, queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import { inSqlTransaction } from "@/server/db/transaction";

/** A file that was last uploaded this long ago and never recorded. */
const unusedDays = 7;
const batchFiles = 100;

const unused = sql`kept_at IS NULL
  AND held_at IS NULL
  AND uploaded_at < now() - ${unusedDays}::int * interval '1 day'
  AND NOT EXISTS (SELECT 1 FROM evidence_blob b WHERE b.sha256 = evidence_file.sha256
    AND b.touched_at >= now() - ${unusedDays}::int * interval '1 day')`;

/** A content `b` whose last file is gone, or whose upload broke off a day ago. */
const unneeded = sql`b.touched_at < now() - interval '1 day'
  AND NOT EXISTS (SELECT 1 FROM evidence_file f WHERE f.sha256 = b.sha256)`;

/** Removes the bytes while the row is locked, so that nobody uploads the same content meanwhile. */
async function removeOne(database: Database, store: BlobStore, sha256: string): Promise<boolean> {
  // Committed before the first byte is removed: if this is interrupted, the next upload of the file stores it again.
  await execute(
    database,
    sql`UPDATE evidence_blob b SET complete = false WHERE b.sha256 = ${sha256} AND b.place = ${store.place} AND ${unneeded}`,
  );
  const removed = await inSqlTransaction<boolean, never>(database, async (tx) => {
    const [blob] = await queryRows(
      tx,
      sql`SELECT 1 FROM evidence_blob b WHERE b.sha256 = ${sha256} AND b.place = ${store.place} AND NOT b.complete AND ${unneeded} FOR UPDATE SKIP LOCKED`,
    );
    if (blob === undefined) return { ok: true, value: false };
    await store.remove(sha256);
    await execute(tx, sql`DELETE FROM evidence_blob WHERE sha256 = ${sha256}`);
    return { ok: true, value: true };
  });
  return removed.ok && removed.value;
}

/**
 * @param stores by place; undefined: the settings name no such service now, so its contents stay
 * @returns how many files and contents were removed
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
      readonly place: string;
    }>`SELECT sha256, place FROM evidence_blob b WHERE ${unneeded} LIMIT ${batchFiles}`,
  );
  for (const { sha256, place } of blobs) {
    const store = stores(place);
    if (store !== undefined && (await removeOne(database, store, sha256))) gone += 1;
  }
  return gone;
}
