// Reads the parts of the log that files and proofs are made from: tile hashes, entries, checkpoints.
import { parseCheckpoint } from "@/server/domain/audit-log/checkpoint";
import type { Checkpoint } from "@/server/domain/audit-log/checkpoint";
import { quorumOf } from "@/server/domain/audit-log/policy";
import type { Policy } from "@/server/domain/audit-log/policy";
import { foldWhole, splitHashes } from "@/server/domain/audit-log/merkle";
import type { Hash } from "@/server/domain/audit-log/merkle";
import { proofHashes, subtreesOf } from "@/server/domain/audit-log/proofs";
import type { LeafRange, Subtree } from "@/server/domain/audit-log/proofs";
import { tileHeight } from "@/server/domain/audit-log/tiles";
import { entriesOfRows, eventColumns } from "@/server/db/audit-log/event-rows";
import type { EventRow } from "@/server/db/audit-log/event-rows";
import type { LogDatabase } from "@/server/db/audit-log/keys";

/** Adjacent hashes on one level of tiles. */
interface HashRun {
  readonly level: number;
  readonly first: number;
  readonly count: number;
}

// Concatenated by the database: one row per hash would cost both sides more than the hash itself.
const readRunsText = `
  SELECT coalesce(CASE WHEN r.level = 0
    THEN (SELECT string_agg(l.hash, ''::bytea ORDER BY l.seq) FROM audit_leaf l WHERE l.seq >= r.first AND l.seq < r.first + r.count)
    ELSE (SELECT string_agg(n.hash, ''::bytea ORDER BY n.position) FROM audit_node n WHERE n.level = r.level AND n.position >= r.first AND n.position < r.first + r.count)
    END, ''::bytea) AS hashes
  FROM unnest($1::smallint[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS r(level, first, count, place) ORDER BY r.place`;

/** The hashes of each run, concatenated; fewer if rows are missing. */
export async function readHashes(
  database: LogDatabase,
  runs: readonly HashRun[],
): Promise<readonly Uint8Array[]> {
  const { rows } = await database.query<{ hashes: Buffer }>({
    name: "audit_hashes",
    text: readRunsText,
    values: [runs.map(({ level }) => level), runs.map(({ first }) => first), runs.map(({ count }) => count)],
  });
  return rows.map(({ hashes }) => hashes);
}

/** Entries from a sequence number on. An entry whose event is gone is empty; a missing number is left out. */
export async function readEntries(
  database: LogDatabase,
  first: number,
  count: number,
): Promise<readonly Uint8Array[]> {
  const { rows } = await database.query<EventRow | { readonly id: null }>({
    name: "audit_entries",
    text: `SELECT ${eventColumns("e")} FROM audit_leaf l LEFT JOIN audit_event e ON e.id = l.event_id WHERE l.seq >= $1::bigint AND l.seq < $2::bigint ORDER BY l.seq`,
    values: [first, first + count],
  });
  return entriesOfRows(database, rows);
}

/** The hashes that fold into one complete subtree. */
const runOf = ({ height, position }: Subtree): HashRun => {
  const count = 2 ** (height % tileHeight);
  return { level: Math.floor(height / tileHeight), first: position * count, count };
};

/** The hashes of a proof, read in one statement. Throws if some are missing. */
export async function readProof(
  database: LogDatabase,
  ranges: readonly LeafRange[],
): Promise<readonly Hash[]> {
  const subtrees = ranges.flatMap(subtreesOf);
  const runs = subtrees.map(runOf);
  const read = runs.length === 0 ? [] : await readHashes(database, runs);
  const roots = new Map(
    subtrees.map(({ height, position }, place) => {
      const { level, first, count } = runs[place] ?? { level: 0, first: 0, count: 0 };
      const hashes = splitHashes(read[place] ?? new Uint8Array());
      if (hashes.length !== count)
        throw new Error(`the audit log lacks hashes: level ${level}, from ${first} on`);
      return [`${height}/${position}`, foldWhole(hashes)];
    }),
  );
  return proofHashes(ranges, ({ height, position }) => {
    const hash = roots.get(`${height}/${position}`);
    if (hash === undefined) throw new Error("a hash of the proof was not read");
    return hash;
  });
}

/** The newest signed note; null: nothing was signed yet. */
export async function readCheckpoint(database: LogDatabase): Promise<string | null> {
  const { rows } = await database.query<{ note: string }>({
    name: "audit_newest_checkpoint",
    text: "SELECT note FROM audit_checkpoint ORDER BY size DESC LIMIT 1",
  });
  return rows[0]?.note ?? null;
}

/** The witnesses' cosignatures of a checkpoint, as lines of its note. */
async function readCosignatures(database: LogDatabase, size: number): Promise<readonly string[]> {
  const { rows } = await database.query<{ line: string }>(
    "SELECT line FROM audit_cosignature WHERE size = $1::bigint ORDER BY key_id",
    [size],
  );
  return rows.map(({ line }) => line);
}

/** A checkpoint as served to others. */
export interface ServedCheckpoint {
  /** Including the witnesses' signatures. */
  readonly note: string;
  readonly checkpoint: Checkpoint;
  /** Whether as many witnesses have cosigned it as the policy requires. */
  readonly quorum: boolean;
}

async function withCosignatures(
  database: LogDatabase,
  text: string,
  policy: Policy | undefined,
): Promise<ServedCheckpoint | null> {
  const size = parseCheckpoint(text)?.size;
  const note = size === undefined ? text : `${text}${(await readCosignatures(database, size)).join("")}`;
  const checkpoint = parseCheckpoint(note);
  if (checkpoint === null) return null;
  return {
    note,
    checkpoint,
    quorum: policy === undefined || (await quorumOf(checkpoint, policy)).met,
  };
}

/** How many checkpoints to search for one with a quorum. */
const lookedAt = 64;

/**
 * The newest checkpoint that covers more than `seq` events, with the witnesses' signatures. If the policy requires a quorum, it is the newest
 * checkpoint that has one, provided that it is at most `maxAgeMs` older than the newest.
 * @param maxAgeMs omitted: any age
 */
export async function readCosigned(
  database: LogDatabase,
  policy: Policy | undefined,
  { seq = -1, maxAgeMs = null }: { readonly seq?: number; readonly maxAgeMs?: number | null } = {},
): Promise<ServedCheckpoint | null> {
  const newest = await readCheckpoint(database);
  const served = newest === null ? null : await withCosignatures(database, newest, policy);
  if (served === null || served.checkpoint.size <= seq) return null;
  if (served.quorum || policy === undefined) return served;
  const { rows } = await database.query<{ note: string }>(
    `SELECT c.note FROM audit_checkpoint c
     WHERE c.size > $1::bigint AND EXISTS (SELECT 1 FROM audit_cosignature s WHERE s.size = c.size)
       AND ($2::float8 IS NULL OR c.at > (SELECT max(at) FROM audit_checkpoint n WHERE n.size = $3::bigint) - $2::float8 * interval '1 millisecond')
     ORDER BY c.size DESC LIMIT ${lookedAt}`,
    [seq, maxAgeMs, served.checkpoint.size],
  );
  for (const { note } of rows) {
    const cosigned = await withCosignatures(database, note, policy);
    if (cosigned?.quorum === true) return cosigned;
  }
  return served;
}

/** When a checkpoint was signed; null: there is none of that size. */
export async function readSignedAt(database: LogDatabase, size: number): Promise<Date | null> {
  const { rows } = await database.query<{ at: Date }>(
    "SELECT at FROM audit_checkpoint WHERE size = $1::bigint",
    [size],
  );
  return rows[0]?.at ?? null;
}

/** The newest checkpoint that each key has cosigned, by key id. */
export async function readNewestCosignatures(
  database: LogDatabase,
): Promise<ReadonlyMap<string, { readonly size: number; readonly at: Date }>> {
  const { rows } = await database.query<{ key_id: string; size: string; at: Date }>(
    "SELECT DISTINCT ON (key_id) key_id, size::text, at FROM audit_cosignature ORDER BY key_id, size DESC",
  );
  return new Map(rows.map(({ key_id: id, size, at }) => [id, { size: Number(size), at }]));
}

/** Stores a witness's cosignature. */
export async function storeCosignature(
  database: LogDatabase,
  size: number,
  { keyId, line }: { readonly keyId: string; readonly line: string },
): Promise<void> {
  await database.query(
    "INSERT INTO audit_cosignature (size, key_id, line) VALUES ($1::bigint, $2, $3) ON CONFLICT DO NOTHING",
    [size, keyId, line],
  );
}

/** The checkpoint that an old key and its successor have both signed. @param seq number of the event of the key change */
export async function readRotation(database: LogDatabase, seq: number): Promise<string | null> {
  const { rows } = await database.query<{ note: string }>(
    "SELECT note FROM audit_rotation WHERE seq = $1::bigint",
    [seq],
  );
  return rows[0]?.note ?? null;
}

/** The sequence number of an event; null: it has none yet, or is unknown. */
export async function readSeq(database: LogDatabase, eventId: string): Promise<number | null> {
  const { rows } = await database.query<{ seq: string }>(
    "SELECT seq::text FROM audit_leaf WHERE event_id = $1::uuid",
    [eventId],
  );
  return rows[0] === undefined ? null : Number(rows[0].seq);
}
