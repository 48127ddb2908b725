// How long records are kept that prove nothing: one table of rules, and the deletion in batches.
// Evidence (reclamations, step runs, reports, device results, gates, state history, audit events) is in none of them.
import type { Database } from "@/server/db/prisma";

/** Rows that one statement deletes or empties: few enough that it holds its locks for milliseconds. */
const batchRows = 2_000;

/** Of all boots of one host, in bytes of text; the oldest pieces go first. */
export const hostLogBytes = 64 * 1024 * 1024;

interface RetentionRule {
  readonly name: string;
  /** Deletes or empties at most $2 rows that are older than $1 days. Rows that another process works on are left to it. */
  readonly sql: string;
}

const older = (column: string): string => `${column} < now() - $1::int * interval '1 day'`;

/**
 * A boot window and an agent session stay while they are the host's newest (claims and pages read those), and
 * while a reclamation of the host is open: what it has proven rests on their boots (docs/adr/0025-retention.md).
 * The window of the newest session stays with it.
 */
const pastBoot = (table: string, time: string): string =>
  `DELETE FROM ${table} d USING (
     SELECT b.host_id, b.boot_epoch FROM ${table} b WHERE ${older(`b.${time}`)}
       AND b.boot_epoch < (SELECT max(n.boot_epoch) FROM ${table} n WHERE n.host_id = b.host_id)
       AND b.boot_epoch <> coalesce((SELECT max(a.boot_epoch) FROM agent_session a WHERE a.host_id = b.host_id), -1)
       AND NOT EXISTS (SELECT 1 FROM reclamation c WHERE c.host_id = b.host_id AND c.ended_at IS NULL)
     LIMIT $2::int FOR UPDATE SKIP LOCKED) o
   WHERE d.host_id = o.host_id AND d.boot_epoch = o.boot_epoch`;

const byId = (table: string, condition: string): string =>
  `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE ${condition} LIMIT $2::int FOR UPDATE SKIP LOCKED)`;

export const retentionRules: readonly RetentionRule[] = [
  // An effect that no handler has read yet is still part of a decision, however old it is.
  { name: "effects", sql: byId("effect", `${older("created_at")} AND read_at IS NOT NULL`) },
  { name: "agent logs", sql: byId("agent_log", older("at")) },
  { name: "refused intents", sql: byId("intent_refusal", older("at")) },
  { name: "boot windows", sql: pastBoot("boot_window", "opened_at") },
  { name: "agent sessions", sql: pastBoot("agent_session", "registered_at") },
  {
    // A journal tells the next attempt what this one had begun; the report beside it is the evidence, and stays.
    name: "journals",
    sql: `UPDATE step_attempt a SET journal = '[]' FROM (
            SELECT t.step_run_id, t.attempt FROM step_attempt t JOIN step_run s ON s.id = t.step_run_id
              JOIN reclamation c ON c.id = s.reclamation_id
            WHERE ${older("t.started_at")} AND t.journal <> '[]' AND c.ended_at IS NOT NULL
            LIMIT $2::int FOR UPDATE OF t SKIP LOCKED) o
          WHERE a.step_run_id = o.step_run_id AND a.attempt = o.attempt`,
  },
];

/** Sessions that were signed out are refused until their cookie would have run out, and are of no use after that. */
const expired = `DELETE FROM ended_session WHERE session_id IN (
  SELECT session_id FROM ended_session WHERE expires_at < now() LIMIT $1::int FOR UPDATE SKIP LOCKED)`;

/** The oldest pieces of a host whose logs are over its quota; only hosts that logged within the last day can have come over it. */
const overQuota = `DELETE FROM agent_log WHERE id IN (
  SELECT id FROM (
    SELECT g.id, sum(octet_length(g.text)) OVER (PARTITION BY g.host_id ORDER BY g.id DESC) AS bytes FROM agent_log g
    WHERE g.host_id IN (SELECT host_id FROM agent_log WHERE at > now() - interval '1 day')) p
  WHERE p.bytes > $1::bigint LIMIT $2::int)`;

/** Repeats a statement until it finds less than a whole batch. Returns how many rows it changed. */
async function drain(run: () => Promise<number>): Promise<number> {
  for (let total = 0; ;) {
    const changed = await run();
    total += changed;
    if (changed < batchRows) return total;
  }
}

/**
 * Removes what is past its time, in batches. Any number of processes may do it side by side.
 * @param keepDays of `RECLAIM_KEEP_DAYS`
 * @returns how many rows went, by the name of their rule
 * @throws when the database fails; what was removed before stays removed
 */
export async function pruneRecords(database: Database, keepDays: number): Promise<ReadonlyMap<string, number>> {
  const removed = new Map<string, number>();
  for (const { name, sql } of retentionRules) {
    removed.set(name, await drain(() => database.$executeRawUnsafe(sql, keepDays, batchRows)));
  }
  removed.set("ended sessions", await drain(() => database.$executeRawUnsafe(expired, batchRows)));
  removed.set("logs over a host's quota", await drain(() => database.$executeRawUnsafe(overQuota, hostLogBytes, batchRows)));
  return removed;
}
