// How far the numbering and the signing of the audit log are behind its events (docs/operations.md#monitoring).
import { named } from "@/server/db/hot/pool";
import { batchEvents } from "@/server/db/audit-log/sequencer";

/** In seconds; 0: nothing waits. */
export interface LogLag {
  /** Since when the oldest committed event has waited for its number. */
  readonly numbering: number;
  /** Since when the oldest event has waited for a checkpoint that covers it; never less than `numbering`. */
  readonly signing: number;
}

/** Reads at most the next batch of the queue, however long it has grown. */
const readLag = named<LogLag, []>(
  "audit_log_lag",
  `SELECT n.age AS numbering, greatest(n.age, s.age) AS signing FROM
     (SELECT greatest(0, coalesce(extract(epoch FROM now() - min(at)), 0))::float8 AS age
      FROM (SELECT at FROM audit_pending ORDER BY xid, at, event_id LIMIT ${batchEvents}) p) n,
     (SELECT greatest(0, coalesce(extract(epoch FROM now() - min(e.at)), 0))::float8 AS age
      FROM audit_leaf l JOIN audit_event e ON e.id = l.event_id
      WHERE l.seq = (SELECT coalesce(max(size), 0) FROM audit_checkpoint)) s`,
);

export async function readLogLag(database: Parameters<typeof readLag>[0]): Promise<LogLag> {
  const [lag] = await readLag(database);
  if (lag === undefined) throw new Error("the database did not answer how far the audit log is behind");
  return lag;
}
