// Where the bytes of evidence are stored: in the database, in chunks, unless a setting names an S3 service (server/db/evidence/s3-store.ts).
import { sql } from "kysely";
import type { Pool } from "pg";
import { execute, queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";

/** Bytes by their SHA-256. What was stored under a digest never changes. */
export interface BlobStore {
  readonly place: "database" | "s3";
  /** Resolves once everything is stored. Idempotent. */
  put(sha256: string, bytes: Uint8Array): Promise<void>;
  /** In order. Throws if there is none. */
  read(sha256: string): AsyncIterable<Uint8Array>;
  remove(sha256: string): Promise<void>;
}

/** The storage service is unavailable. The same request may succeed later. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** Of one chunk, which is one row and one statement. */
const chunkBytes = 256 * 1024;

export function databaseStore(pool: Pool): BlobStore {
  return {
    place: "database",
    async put(sha256, bytes) {
      for (let n = 0; n * chunkBytes < bytes.length; n += 1)
        await pool.query(
          "INSERT INTO evidence_chunk (sha256, n, bytes) VALUES ($1, $2, $3) ON CONFLICT (sha256, n) DO NOTHING",
          [sha256, n, Buffer.from(bytes.subarray(n * chunkBytes, (n + 1) * chunkBytes))],
        );
    },
    async *read(sha256) {
      for (let n = 0; ; n += 1) {
        const { rows } = await pool.query<{ bytes: Buffer }>(
          "SELECT bytes FROM evidence_chunk WHERE sha256 = $1 AND n = $2",
          [sha256, n],
        );
        const [row] = rows;
        if (row === undefined && n === 0) throw new Error(`the bytes of ${sha256} are not in the database`);
        if (row === undefined) return;
        yield row.bytes;
      }
    },
    async remove(sha256) {
      await pool.query("DELETE FROM evidence_chunk WHERE sha256 = $1", [sha256]);
    },
  };
}

/** Records that a content is about to be stored, so that nothing removes it meanwhile. Returns where its bytes are or will be, and whether they are complete. */
export async function announceBlob(
  database: Database,
  { sha256, bytes, place }: { readonly sha256: string; readonly bytes: number; readonly place: string },
): Promise<{ readonly place: string; readonly complete: boolean }> {
  const [row] = await queryRows(
    database,
    sql<{ readonly place: string; readonly complete: boolean }>`
    INSERT INTO evidence_blob AS b (sha256, bytes, place) VALUES (${sha256}, ${bytes}, ${place})
    ON CONFLICT (sha256) DO UPDATE SET touched_at = now(), place = CASE WHEN b.complete THEN b.place ELSE excluded.place END
    RETURNING place, complete`,
  );
  if (row === undefined) throw new Error("a content was not announced");
  return row;
}

export async function completeBlob(database: Database, sha256: string): Promise<void> {
  await execute(
    database,
    sql`UPDATE evidence_blob SET complete = true, touched_at = now() WHERE sha256 = ${sha256}`,
  );
}
