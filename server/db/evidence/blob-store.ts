// Where the bytes of evidence are: in the database, in pieces, unless a setting names an S3 service (server/db/evidence/s3-store.ts).
import { sql } from "kysely";
import type { Pool } from "pg";
import { execute, queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";

/** Bytes by their SHA-256. What was stored under one never changes. */
export interface BlobStore {
  readonly place: "database" | "s3";
  /** Stores all of it before it resolves. The same again is fine. */
  put(sha256: string, bytes: Uint8Array): Promise<void>;
  /** In order. Throws when there is none. */
  read(sha256: string): AsyncIterable<Uint8Array>;
  remove(sha256: string): Promise<void>;
}

/** The service that keeps contents does not answer now. The same again may go well later. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** Of one piece, and so of one row and one statement. */
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

/** Notes that a content is about to be stored, so that nothing removes it meanwhile. Returns where its bytes are, or are to go, and whether they are there. */
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
