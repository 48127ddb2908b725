// Since when agents can reach us, and what happens to deadlines that fall into a gap (docs/adr/0022-durations-travel.md).
import { named } from "@/server/db/hot/pool";
import type { HotDatabase } from "@/server/db/hot/pool";

/** Longest time between two signs that agents could have reached us. Anything longer is a gap. */
const gapSeconds = 10;
/** How far the database's clock may be behind the last sign before it counts as set back. */
const backSeconds = 60;
/** An agent that was heard from this shortly before a gap gets the chance to be heard again before it is judged. */
const freshSeconds = 60;

/**
 * Condition of a claim: no host is judged between the end of a gap and the next sign, which moves the deadlines that the gap would have
 * made late. A database in which nobody has ever listened has no gaps.
 */
export const clockIsHeard = `NOT EXISTS (
      SELECT 1 FROM listening l WHERE l.until NOT BETWEEN now() - interval '${gapSeconds} s' AND now() + interval '${backSeconds} s')`;

/** Paths of the times in a host's context that a gap would make late. */
const contextTimes = [
  "{eraseUntil}",
  "{boot,orderedAt}",
  "{boot,retryAt}",
  "{network,retryAt}",
  "{cleaning,hold,until}",
  "{cleaning,abort,at}",
  "{cleaning,job,lookAt}",
  "{cleaning,job,recovery,since}",
] as const;

const iso = (time: string): string =>
  `to_jsonb(to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

/** The context with each of these times moved by the gap. Missing ones stay missing. */
const movedContext = contextTimes.reduce(
  (context, path) =>
    `jsonb_set_lax(${context}, '${path}', ${iso(`((r.context #>> '${path}')::timestamptz + g.gap)`)}, false, 'return_target')`,
  "r.context",
);

/*
 * Deadlines by the database's clock are moved by the gap, so that it does not count: neither an outage of ours nor a clock that was set makes an
 * agent look silent, uses up a step's time limit, or ends the protection of a drive. The row of `listening` is locked first, and the process
 * that finds the gap moves everything in this one statement.
 */
const statement = named<{ gap_ms: number | null }, []>(
  "listening_sign",
  `
  WITH old AS (
    SELECT l.until FROM listening l FOR UPDATE
  ), g AS (
    SELECT now() - o.until AS gap, o.until FROM old o WHERE now() - o.until NOT BETWEEN interval '-${backSeconds} s' AND interval '${gapSeconds} s'
  ), sign AS (
    INSERT INTO listening AS l (until, since) VALUES (now(), now())
    ON CONFLICT (one) DO UPDATE SET until = CASE WHEN EXISTS (SELECT 1 FROM g) THEN now() ELSE greatest(l.until, now()) END, since = CASE WHEN EXISTS (SELECT 1 FROM g) THEN now() ELSE l.since END
  ), hosts AS (
    UPDATE host_run r SET
      context = ${movedContext},
      state_since = CASE WHEN r.erasing OR r.state = 'Validation/MachineValidating' THEN r.state_since + g.gap ELSE r.state_since END,
      due_at = least(r.due_at, now()),
      lease_owner = CASE WHEN g.gap < interval '0' THEN NULL ELSE r.lease_owner END,
      lease_until = CASE WHEN g.gap < interval '0' THEN NULL ELSE r.lease_until END,
      generation = CASE
        WHEN g.gap < interval '0' AND r.lease_owner IS NOT NULL THEN r.generation + 1 -- safety: gap: a decision from before a clock was set back is not written
        ELSE r.generation END
    FROM g CROSS JOIN LATERAL (SELECT q.host_id FROM host_run q WHERE q.due_at IS NOT NULL OR q.erasing OR q.lease_owner IS NOT NULL ORDER BY q.host_id FOR UPDATE) q
    WHERE r.host_id = q.host_id
  ), steps AS (
    UPDATE step_run t SET
      deadline_at = t.deadline_at + g.gap -- safety: gap: time limits → deadline_at = t.deadline_at
    FROM g CROSS JOIN LATERAL (
      SELECT t2.id FROM reclamation c JOIN step_run t2 ON t2.reclamation_id = c.id AND t2.plan_epoch = c.plan_epoch
      WHERE c.ended_at IS NULL AND t2.deadline_at IS NOT NULL AND t2.status NOT IN ('succeeded', 'excepted')) q WHERE t.id = q.id
    RETURNING t.id, t.attempt, g.gap
  ), attempts AS (
    UPDATE step_attempt a SET progress_at = a.progress_at + s.gap, moved_at = a.moved_at + s.gap,
      erase_ends = coalesce((SELECT jsonb_object_agg(e.key, CASE WHEN jsonb_typeof(e.value) = 'number' THEN
        to_jsonb((e.value)::float8 + extract(epoch FROM s.gap) * 1000) -- safety: gap: ends of erases → e.value
        ELSE e.value END)
        FROM jsonb_each(a.erase_ends) e), '{}')
    FROM steps s WHERE a.step_run_id = s.id AND a.attempt = s.attempt
  ), sessions AS (
    UPDATE agent_session a SET
      last_seen_at = CASE WHEN a.last_seen_at > g.until - interval '${freshSeconds} s'
        THEN CASE WHEN a.last_seen_at > a.registered_at THEN greatest(now(), least(a.registered_at, a.registered_at + g.gap) + interval '1 ms') ELSE now() END -- safety: gap: a session that was used stays used → THEN now()
        ELSE a.last_seen_at + g.gap END, -- safety: gap: who is silent stays so → ELSE now() END,
      registered_at = CASE WHEN a.last_seen_at <= a.registered_at THEN CASE WHEN a.last_seen_at > g.until - interval '${freshSeconds} s' THEN now() ELSE a.registered_at + g.gap END
        ELSE least(a.registered_at, a.registered_at + g.gap) END,
      expires_at = a.expires_at + g.gap -- safety: gap: sessions → expires_at = a.expires_at
    FROM g WHERE a.expires_at > g.until
  ), inventories AS (
    UPDATE host_inventory i SET collected_at = now() FROM g WHERE g.gap < interval '0' AND i.collected_at > now()
  ), boots AS (
    UPDATE boot_window b SET expires_at = b.expires_at + g.gap,
      -- A registration comes after its restart, also by a clock that was set back: both move together.
      reset_done_at = least(b.reset_done_at, b.reset_done_at + g.gap)
    FROM g WHERE b.expires_at > g.until
      OR EXISTS (SELECT 1 FROM agent_session s WHERE s.host_id = b.host_id AND s.boot_epoch = b.boot_epoch AND s.expires_at > g.until)
  ), chassis AS (
    UPDATE chassis_erase x SET erase_until = x.erase_until + g.gap FROM g WHERE x.erase_until > g.until
  )
  SELECT (SELECT extract(epoch FROM gap) * 1000 FROM g)::float8 AS gap_ms`,
);

/**
 * Records that agents can reach us now. A process that has the machine surface open calls it every two seconds. Returns the gap before it, in
 * ms; null: none. Below 0: the database's clock was set back.
 */
export async function signOfListening(database: HotDatabase): Promise<number | null> {
  return (await statement(database))[0]?.gap_ms ?? null;
}
