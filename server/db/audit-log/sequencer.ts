// Assigns sequence numbers to the events of the audit log and grows the tree over them (docs/adr/0101-audit-log.md). Any process may try; one at a time does it.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { withTransaction } from "@/server/db/connection";
import { entriesOfRows, eventColumns } from "@/server/db/audit-log/event-rows";
import type { EventRow } from "@/server/db/audit-log/event-rows";
import { GrowingTree, hashBytes, leafHash } from "@/server/domain/audit-log/merkle";
import type { Hash } from "@/server/domain/audit-log/merkle";
import { tileHeight } from "@/server/domain/audit-log/tiles";

/** Advisory lock of transactions that number events or sign; used for nothing else. */
const sequencerLock = 72_707_401;
/** Maximum events per transaction. */
export const batchEvents = 2_000;
/**
 * Events hashed at a time, about 0.2 ms of processor time. In between, the process serves its hosts, which share the thread: each of their
 * many short waits may last that much longer.
 */
const pieceEvents = 4;

/** Runs `work` in a transaction if no other process is doing this; otherwise returns null. */
export async function asSequencer<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
): Promise<T | null> {
  return withTransaction(pool, async (client) => {
    const { rows } = await client.query<{ free: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${sequencerLock}) AS free`,
    );
    return rows[0]?.free === true ? work(client) : null;
  });
}

/** The tree over all events that have a number. */
export async function readTree(client: Pool | PoolClient): Promise<GrowingTree> {
  const { rows } = await client.query<{ size: string; edge: Buffer }>(
    "SELECT size::text, edge FROM audit_tree",
  );
  const [row] = rows;
  if (row === undefined) throw new Error("the table audit_tree has no row: restore it from a backup");
  const edge: Hash[] = [];
  for (let at = 0; at < row.edge.length; at += hashBytes) edge.push(row.edge.subarray(at, at + hashBytes));
  return GrowingTree.from(Number(row.size), edge);
}

interface PendingEvent {
  readonly event_id: string;
  /** Where its row of the queue is stored. Only a sequencer removes such rows, and none changes one, so it is there until the transaction ends. */
  readonly place: string;
}
/** Null: somebody removed the event, or changed its time. It still gets a number, so that its absence stays visible. */
type PendingRow = PendingEvent & (EventRow | { readonly id: null });

// Whatever is committed, and nothing else, so no open transaction holds up the log (docs/adr/0101-audit-log.md). What commits
// later is still in the queue, and the next round finds it. In the order of transaction ids: an event that another one may rest on has the lower
// number, because its transaction had ended before the other one got its id.
const readPending = `
  WITH batch AS MATERIALIZED (
    SELECT p.ctid AS place, p.xid, p.at, p.event_id FROM audit_pending p
    ORDER BY p.xid, p.at, p.event_id LIMIT ${batchEvents}
  )
  SELECT p.event_id, p.place::text AS place, ${eventColumns("e")}
  FROM batch p LEFT JOIN audit_event e ON e.id = p.event_id AND e.at = p.at
  ORDER BY p.xid, p.at, p.event_id`;

interface NewNode {
  readonly level: number;
  readonly position: number;
  readonly hash: Hash;
}

async function store(
  client: PoolClient,
  events: readonly PendingRow[],
  {
    first,
    leaves,
    nodes,
    tree,
  }: { first: number; leaves: readonly Hash[]; nodes: readonly NewNode[]; tree: GrowingTree },
): Promise<void> {
  // All hashes as one value: an element of an array would be written and read as hexadecimal text.
  await client.query(
    `INSERT INTO audit_leaf (seq, event_id, hash)
     SELECT $1::bigint + n - 1, id, substring($3::bytea FROM (n::int - 1) * ${hashBytes} + 1 FOR ${hashBytes}) FROM unnest($2::uuid[]) WITH ORDINALITY AS l(id, n)`,
    [first, events.map(({ event_id: id }) => id), Buffer.concat(leaves)],
  );
  if (nodes.length > 0)
    await client.query(
      "INSERT INTO audit_node (level, position, hash) SELECT * FROM unnest($1::smallint[], $2::bigint[], $3::bytea[])",
      [nodes.map(({ level }) => level), nodes.map(({ position }) => position), nodes.map(({ hash }) => hash)],
    );
  const { rowCount } = await client.query("DELETE FROM audit_pending WHERE ctid = ANY($1::tid[])", [
    events.map(({ place }) => place),
  ]);
  // safety: audit log: a queue that was changed is not numbered
  if (rowCount !== events.length)
    throw new Error("the queue of the audit log was changed while it was read; nothing of it was numbered");
  await client.query("UPDATE audit_tree SET size = $1::bigint, edge = $2", [
    tree.size,
    Buffer.concat(tree.edge),
  ]);
}

/** Numbers one batch: all of it or, after a crash, nothing. Returns how many events got a number; 0 if another process is doing it. */
export async function numberEvents(pool: Pool): Promise<number> {
  const numbered = await asSequencer(pool, async (client) => {
    const { rows: events } = await client.query<PendingRow>(readPending);
    if (events.length === 0) return 0;
    const tree = await readTree(client);
    const first = tree.size;
    const nodes: NewNode[] = [];
    const leaves: Hash[] = [];
    for (let from = 0; from < events.length; from += pieceEvents) {
      for (const entry of await entriesOfRows(client, events.slice(from, from + pieceEvents))) {
        const leaf = leafHash(entry);
        leaves.push(leaf);
        tree.append(leaf, (height, position, hash) => {
          if (height > 0 && height % tileHeight === 0)
            nodes.push({ level: height / tileHeight, position, hash });
        });
      }
      await nextTurn();
    }
    await store(client, events, { first, leaves, nodes, tree });
    return events.length;
  });
  return numbered ?? 0;
}
