// How long to keep records that prove nothing: one table of rules, and deletion in batches.
// No rule deletes evidence (reclamations, step runs, reports, device results, gates, state history, audit events).
import { executeText } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";

/** Rows that one statement deletes or empties: few enough to hold its locks only for milliseconds. */
const batchRows = 2_000;

/** Quota for the logs of all boots of one host, in bytes of text. The oldest pieces are deleted first. */
export const hostLogBytes = 64 * 1024 * 1024;

interface RetentionRule {
  readonly name: string;
  /** Deletes or empties at most $2 rows that are older than $1 days. Rows that another process has locked are skipped. */
  readonly sql: string;
}

const older = (column: string): string => `${column} < now() - $1::int * interval '1 day'`;

/**
 * A boot (its window and its agent's session) stays while it is the host's newest, which claims and pages read, and while a reclamation of the
 * host is open, because what it proved depends on its boots (docs/adr/0034-boots-are-evidence.md). What it says about a completed reclamation is
 * evidence: that moves to `reclamation_boot` in the same statement, without the tokens (docs/adr/0034-boots-are-evidence.md).
 */
const pastBoots = `
  WITH past AS (
    SELECT b.host_id, b.boot_epoch FROM boot_window b WHERE ${older("b.opened_at")}
      AND b.boot_epoch < (SELECT max(n.boot_epoch) FROM boot_window n WHERE n.host_id = b.host_id)
      AND b.boot_epoch <> coalesce((SELECT max(a.boot_epoch) FROM agent_session a WHERE a.host_id = b.host_id), -1)
      AND NOT EXISTS (SELECT 1 FROM reclamation c WHERE c.host_id = b.host_id AND c.ended_at IS NULL) -- safety: retention: boots of an open reclamation are kept
    LIMIT $2::int FOR UPDATE SKIP LOCKED
  ), kept AS (
    INSERT INTO reclamation_boot (reclamation_id, boot_epoch, opened_at, reset_done_at, contested_at, registered_at, last_seen_at, identity,
      agent_version, hardware_managers, image_version, image_sha256)
    SELECT c.id, w.boot_epoch, w.opened_at, w.reset_done_at, w.contested_at, g.registered_at, g.last_seen_at, g.identity,
      g.agent_version, g.hardware_managers, i.version, i.sha256
    FROM past JOIN boot_window w USING (host_id, boot_epoch)
      JOIN reclamation c ON c.host_id = w.host_id AND w.opened_at >= c.started_at
        AND w.opened_at <= c.ended_at -- safety: retention: boots of a reclamation are kept as evidence → AND false
      LEFT JOIN agent_session g ON g.host_id = w.host_id AND g.boot_epoch = w.boot_epoch
      LEFT JOIN agent_image i ON i.id = w.image_id
    ON CONFLICT DO NOTHING
  ), sessions AS (
    DELETE FROM agent_session g USING past WHERE g.host_id = past.host_id AND g.boot_epoch = past.boot_epoch
  )
  DELETE FROM boot_window w USING past WHERE w.host_id = past.host_id AND w.boot_epoch = past.boot_epoch`;

const byId = (table: string, condition: string): string =>
  `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE ${condition} LIMIT $2::int FOR UPDATE SKIP LOCKED)`;

/** Each reader's newest event stays: a client that polls continues after the last one it knows, however long nothing happened. */
const pastEvents = byId(
  "capacity_event",
  `${older("at")} AND seq NOT IN (SELECT max(n.seq) FROM capacity_event n WHERE ${older("n.at")} GROUP BY n.tenant_id)`,
);

export const retentionRules: readonly RetentionRule[] = [
  // An effect that no handler has read yet is still part of a decision, however old it is.
  { name: "effects", sql: byId("effect", `${older("created_at")} AND read_at IS NOT NULL`) },
  { name: "agent logs", sql: byId("agent_log", older("at")) },
  { name: "refused intents", sql: byId("intent_refusal", older("at")) },
  { name: "health changes", sql: byId("health_change", older("at")) },
  { name: "capacity events", sql: pastEvents },
  { name: "webhook deliveries", sql: byId("webhook_delivery", older("created_at")) },
  // The audit log keeps that each of them happened. What nobody has acknowledged stays four times as long.
  {
    name: "security events",
    sql: byId(
      "security_event",
      `last_at < now() - $1::int * CASE WHEN acknowledged_at IS NULL THEN 4 ELSE 1 END * interval '1 day'`,
    ),
  },
  { name: "boots", sql: pastBoots },
  {
    // A journal tells the next attempt what this one had begun. The report beside it is the evidence, and stays.
    name: "journals",
    sql: `UPDATE step_attempt a SET journal = '[]' FROM (
            SELECT t.step_run_id, t.attempt FROM step_attempt t JOIN step_run s ON s.id = t.step_run_id
              JOIN reclamation c ON c.id = s.reclamation_id
            WHERE ${older("t.started_at")} AND t.journal <> '[]' AND c.ended_at IS NOT NULL
            LIMIT $2::int FOR UPDATE OF t SKIP LOCKED) o
          WHERE a.step_run_id = o.step_run_id AND a.attempt = o.attempt`,
  },
];

/** Sessions that were signed out are refused until their cookie would have expired. After that they are not needed. */
const expired = `DELETE FROM ended_session WHERE session_id IN (
  SELECT session_id FROM ended_session WHERE expires_at < now() LIMIT $1::int FOR UPDATE SKIP LOCKED)`;

/** The oldest pieces of a host whose logs exceed its quota. Only hosts that logged within the last day can have exceeded it. */
const overQuota = `DELETE FROM agent_log WHERE id IN (
  SELECT id FROM (
    SELECT g.id, sum(octet_length(g.text)) OVER (PARTITION BY g.host_id ORDER BY g.id DESC) AS bytes FROM agent_log g
    WHERE g.host_id IN (SELECT host_id FROM agent_log WHERE at > now() - interval '1 day')) p
  WHERE p.bytes > $1::bigint LIMIT $2::int)`;

/** Names of alerts that no host has any more. The lock keeps out transactions that are writing a name for a host and are not visible yet. */
const staleNames = [
  "LOCK TABLE alert_name IN SHARE ROW EXCLUSIVE MODE",
  `DELETE FROM alert_name a WHERE NOT EXISTS (SELECT 1 FROM host_health e WHERE (e.alert_ids || e.classifications) @> ARRAY[a.name])`,
] as const;

/** Repeats a statement until it changes less than a full batch. Returns how many rows it changed. */
async function drain(run: () => Promise<number>): Promise<number> {
  for (let total = 0; ;) {
    const changed = await run();
    total += changed;
    if (changed < batchRows) return total;
  }
}

/**
 * Removes expired records in batches. Any number of processes may run it concurrently.
 * @param keepDays of `RECLAIM_KEEP_DAYS`
 * @returns how many rows were removed or emptied, by the name of their rule
 * @throws if the database fails; what was removed before stays removed
 */
export async function pruneRecords(
  database: Database,
  keepDays: number,
): Promise<ReadonlyMap<string, number>> {
  const removed = new Map<string, number>();
  for (const { name, sql } of retentionRules) {
    removed.set(name, await drain(() => executeText(database, sql, [keepDays, batchRows])));
  }
  removed.set("ended sessions", await drain(() => executeText(database, expired, [batchRows])));
  removed.set(
    "logs over a host's quota",
    await drain(() => executeText(database, overQuota, [hostLogBytes, batchRows])),
  );
  removed.set(
    "names of alerts",
    await database.$transaction(async (tx) => {
      const [lock, remove] = staleNames;
      await executeText(tx, lock, []);
      return executeText(tx, remove, []);
    }),
  );
  return removed;
}
