// The files of the audit log as auditors fetch them (https://c2sp.org/tlog-tiles): made from rows when asked for, and only as far as a checkpoint was signed.
import type { Pool } from "pg";
import { parseCheckpoint } from "@/server/domain/audit-log/checkpoint";
import { inclusionRanges } from "@/server/domain/audit-log/proofs";
import { encodeBundle, hasTile, parseTilePath, tileWidth } from "@/server/domain/audit-log/tiles";
import { formatProof } from "@/server/domain/audit-log/tlog-proof";
import { parseRotationPath } from "@/server/domain/audit-log/trusted-keys";
import {
  readCheckpoint,
  readCosigned,
  readEntries,
  readHashes,
  readProof,
  readRotation,
  readSeq,
} from "@/server/db/audit-log/log-rows";
import { poolOf } from "@/server/db/prisma";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { done, notFound, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

export interface LogFile {
  readonly bytes: Uint8Array;
  readonly type: "text/plain; charset=utf-8" | "application/octet-stream";
  /** It never changes. */
  readonly immutable: boolean;
}

const text = (content: string, immutable: boolean): LogFile => ({
  bytes: Buffer.from(content, "utf8"),
  type: "text/plain; charset=utf-8",
  immutable,
});

async function readTile(pool: Pool, path: string): Promise<LogFile | null> {
  const tile = parseTilePath(path);
  const checkpoint = tile === null ? null : await readCheckpoint(pool);
  const size = checkpoint === null ? 0 : (parseCheckpoint(checkpoint)?.size ?? 0);
  if (tile === null || !hasTile(tile, size)) return null;
  const first = tile.number * tileWidth;
  const bytes =
    tile.kind === "entries"
      ? encodeBundle(await readEntries(pool, first, tile.width))
      : Buffer.concat(await readHashes(pool, tile.level, first, tile.width));
  return { bytes, type: "application/octet-stream", immutable: true };
}

/** @param path below the log's prefix. For who may read all of the audit log: even the number of events tells of others. */
export async function readLogFile(
  { database }: Backend,
  actor: Actor,
  path: string,
): Promise<Outcome<LogFile>> {
  const scope = scopeOf(actor, "audit.read");
  // safety: audit log: its files are for who may read the log
  if (!scope.ok) return scope;
  const pool = poolOf(database);
  if (path === "checkpoint") {
    const note = await readCosigned(pool);
    return note === null ? notFound("file", path) : done(text(note, false));
  }
  const rotation = parseRotationPath(path);
  if (rotation !== null) {
    const note = await readRotation(pool, rotation);
    return note === null ? notFound("file", path) : done(text(note, true));
  }
  const tile = await readTile(pool, path);
  return tile === null ? notFound("file", path) : done(tile);
}

/** What proves that an event is in the log. */
export interface EventProof {
  /** Number of the event. */
  readonly seq: number;
  /** The entry, as it is hashed. */
  readonly entry: string;
  /** C2SP tlog-proof. */
  readonly proof: string;
}

/** The proof of one event, against the newest checkpoint. */
export async function proveEvent(
  { database }: Backend,
  actor: Actor,
  { id }: { readonly id: string },
): Promise<Outcome<EventProof>> {
  const scope = scopeOf(actor, "audit.read");
  if (!scope.ok) return scope;
  const pool = poolOf(database);
  const seq = await readSeq(pool, id);
  const note = await readCosigned(pool);
  const checkpoint = note === null ? null : parseCheckpoint(note);
  if (seq === null) return notFound("event", id);
  if (note === null || checkpoint === null || checkpoint.size <= seq)
    return refused("notAllowedNow", "The event is not signed yet. Ask again in a second.");
  const hashes = await readProof(pool, inclusionRanges(seq, checkpoint.size));
  const [entry] = await readEntries(pool, seq, 1);
  return done({
    seq,
    entry: Buffer.from(entry ?? []).toString("utf8"),
    proof: formatProof(seq, hashes, note),
  });
}
