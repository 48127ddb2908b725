// What the server's check of its own log reads: the log's files up to a checkpoint, and events without a number.
import type { PoolClient } from "pg";
import type { LogDatabase } from "@/server/db/audit-log/keys";
import { readEntries, readHashes, readRotation } from "@/server/db/audit-log/log-rows";
import { auditLogTarget, selfAuditAction } from "@/server/domain/audit-log/self-audit/self-audit";
import { encodeBundle, parseTilePath, tileWidth } from "@/server/domain/audit-log/tiles";
import type { TileAt } from "@/server/domain/audit-log/tiles";
import { parseRotationPath } from "@/server/domain/audit-log/trusted-keys";
import type { ReadLogFile } from "@/server/domain/audit-log/verify-log";

/** Advisory lock, held by the connection that checks. */
const selfAuditLock = 72_707_404;

/** One process checks at a time. Not in a transaction: a check takes minutes, and PostgreSQL removes no dead row that an open transaction may see. */
export async function whileChecking(client: PoolClient, work: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ free: boolean }>(
    `SELECT pg_try_advisory_lock(${selfAuditLock}) AS free`,
  );
  if (rows[0]?.free !== true) return;
  try {
    await work();
  } finally {
    await client.query(`SELECT pg_advisory_unlock(${selfAuditLock})`);
  }
}

/**
 * The newest checkpoint that was consistent with the one kept before: the log must still begin with it. A permanent fault in the log does not hold
 * it up. The previous release did not record this; of its checks, use one that found nothing wrong with the log.
 */
export async function readKeptCheckpoint(database: LogDatabase): Promise<string | null> {
  const { rows } = await database.query<{ note: string | null }>(
    "SELECT after->>'checkpoint' AS note FROM audit_event WHERE target_id = $1 AND action = $2 AND coalesce(after->>'goesOn' = 'true', after->>'ok' = 'true' OR after->>'logFaults' = '0') ORDER BY at DESC, id DESC LIMIT 1",
    [auditLogTarget, selfAuditAction],
  );
  return rows[0]?.note ?? null;
}

/** The contents of a file of the log, made from rows. @param tile below a size that was signed */
export async function readTileBytes(database: LogDatabase, tile: TileAt): Promise<Uint8Array> {
  const first = tile.number * tileWidth;
  if (tile.kind === "entries") return encodeBundle(await readEntries(database, first, tile.width));
  const [hashes] = await readHashes(database, [{ level: tile.level, first, count: tile.width }]);
  return hashes ?? new Uint8Array();
}

/** Files of the log up to a checkpoint. */
export const filesAt =
  (database: LogDatabase, checkpoint: string): ReadLogFile =>
  async (path) => {
    if (path === "checkpoint") return Buffer.from(checkpoint, "utf8");
    const rotation = parseRotationPath(path);
    const note = rotation === null ? null : await readRotation(database, rotation);
    if (note !== null) return Buffer.from(note, "utf8");
    const tile = parseTilePath(path);
    return tile === null ? null : readTileBytes(database, tile);
  };

/** Anything that waits longer than this was forgotten. */
const patience = "interval '10 minutes'";

export interface Unsigned {
  readonly lost: number;
  /** The newest of them. */
  readonly lastLost: string | null;
  readonly waiting: number;
  /** When the first of them was written. */
  readonly waitingSince: Date | null;
  /** The size of the newest checkpoint, if the event after it has waited too long; null: it has not. */
  readonly unsignedFrom: string | null;
}

/** Events that should be signed by now but are not. A check takes longer than they may wait. */
export async function readUnsigned(database: LogDatabase): Promise<Unsigned> {
  const lost = `FROM audit_event e WHERE NOT EXISTS (SELECT 1 FROM audit_leaf l WHERE l.event_id = e.id)
        AND NOT EXISTS (SELECT 1 FROM audit_pending p WHERE p.event_id = e.id)`;
  const { rows } = await database.query<Unsigned>(
    `SELECT
      (SELECT count(*)::int ${lost}) AS lost, (SELECT e.id::text ${lost} ORDER BY e.at DESC, e.id DESC LIMIT 1) AS "lastLost",
      p.count AS waiting, p.since AS "waitingSince",
      (SELECT l.seq::text FROM audit_leaf l JOIN audit_event e ON e.id = l.event_id
       WHERE l.seq = (SELECT max(size) FROM audit_checkpoint) AND e.at < now() - ${patience}) AS "unsignedFrom"
     FROM (SELECT count(*)::int AS count, min(at) AS since FROM audit_pending WHERE at < now() - ${patience}) p`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error("the database did not answer what is unsigned");
  return row;
}
