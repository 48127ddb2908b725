// The files of the audit log that auditors fetch (https://c2sp.org/tlog-tiles): built from rows on request, and only up to a signed checkpoint.
import type { Pool } from "pg";
import { parseCheckpoint } from "@/server/domain/audit-log/checkpoint";
import { hasTile, parseTilePath } from "@/server/domain/audit-log/tiles";
import { parseRotationPath } from "@/server/domain/audit-log/trusted-keys";
import { readCheckpoint, readCosigned, readRotation } from "@/server/db/audit-log/log-rows";
import { readTileBytes } from "@/server/db/audit-log/self-audit";
import { readEventProof } from "@/server/db/audit-log/event-proof";
import type { EventProof } from "@/server/db/audit-log/event-proof";
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
  return { bytes: await readTileBytes(pool, tile), type: "application/octet-stream", immutable: true };
}

/** Witnesses lag behind: a checkpoint that they cosigned is served instead of a newer one, unless they have stopped. */
export const maxWitnessLagMs = 60_000;

/** For readers of the whole audit log only: even the number of events reveals something about others. @param path below the log's prefix */
export async function readLogFile(
  { database, auditPolicy }: Backend,
  actor: Actor,
  path: string,
): Promise<Outcome<LogFile>> {
  const scope = scopeOf(actor, "audit.read");
  // safety: audit log: its files are for who may read the log
  if (!scope.ok) return scope;
  const pool = poolOf(database);
  if (path === "checkpoint") {
    const served = await readCosigned(pool, auditPolicy, { maxAgeMs: maxWitnessLagMs });
    return served === null ? notFound("file", path) : done(text(served.note, false));
  }
  const rotation = parseRotationPath(path);
  if (rotation !== null) {
    const note = await readRotation(pool, rotation);
    return note === null ? notFound("file", path) : done(text(note, true));
  }
  const tile = await readTile(pool, path);
  return tile === null ? notFound("file", path) : done(tile);
}

/** Proof of one event against the newest checkpoint with a quorum of witnesses, if there is one. */
export async function proveEvent(
  { database, auditPolicy }: Backend,
  actor: Actor,
  { id }: { readonly id: string },
): Promise<Outcome<EventProof>> {
  const scope = scopeOf(actor, "audit.read");
  if (!scope.ok) return scope;
  const pool = poolOf(database);
  const proof = await readEventProof(pool, id, auditPolicy);
  if (proof !== null) return done(proof);
  const known = await database.auditEvent.findFirst({ where: { id }, select: { id: true } });
  return known === null
    ? notFound("event", id)
    : refused("notAllowedNow", "The event is not signed yet. Retry in a second.");
}
