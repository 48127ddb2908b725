// Since when agents can reach us, at each address that they use, and what happens to deadlines that fall into a gap (docs/adr/0022-durations-travel.md,
// docs/adr/0134-listening-per-address.md).
import { sessionMinutes } from "@/server/db/hot/agent/session";
import { named } from "@/server/db/hot/pool";
import type { HotDatabase } from "@/server/db/hot/pool";

/** Longest time between two signs that agents could have reached us. Anything longer is a gap. */
const gapSeconds = 10;
/** How far the database's clock may be behind the last sign before it counts as set back. */
const backSeconds = 60;
/** An agent that was heard from this shortly before a gap gets the chance to be heard again before it is judged. */
const freshSeconds = 60;
/** An address that is away for longer, while servers run, is given up: its hosts are judged as if nothing were wrong with it. Their sessions are over, too. */
const givenUpMinutes = sessionMinutes;
/** No agent is waited for in these, so what happens in them does not wait for an address. */
const restingStates = "('Ready', 'Assigned/Ready', 'Manageable')";

/**
 * The addresses that agents cannot reach now, and since when. The row without an address is for hosts of which it is not known: they may use any,
 * so they wait only while all are away.
 */
const away = `(
      SELECT a.address, a.until FROM listening_address a WHERE a.until < now() - interval '${gapSeconds} s'
      UNION ALL SELECT NULL, max(a.until) FROM listening_address a HAVING max(a.until) < now() - interval '${gapSeconds} s')`;

/** Whether a host had an agent, or a boot that was to bring one, at this address when it went away. The newest agent says which address. */
const waitsAt = (
  host: string,
  { address, until }: { readonly address: string; readonly until: string },
): string => `(
      ${host}.state NOT IN ${restingStates}
      AND (SELECT s.server_url FROM agent_session s WHERE s.host_id = ${host}.host_id ORDER BY s.boot_epoch DESC LIMIT 1) IS NOT DISTINCT FROM ${address}
      AND (EXISTS (SELECT 1 FROM agent_session s WHERE s.host_id = ${host}.host_id AND s.registered_at < ${until} AND s.expires_at > ${until})
        OR EXISTS (SELECT 1 FROM boot_window b WHERE b.host_id = ${host}.host_id AND b.opened_at < ${until} AND b.expires_at > ${until})))`;

/**
 * Condition of a claim: no host is judged between the end of a gap and the next sign, which moves the deadlines that the gap would have
 * made late. A database in which nobody has ever listened has no gaps.
 */
export const clockIsHeard = `NOT EXISTS (
      SELECT 1 FROM listening l WHERE l.until NOT BETWEEN now() - interval '${gapSeconds} s' AND now() + interval '${backSeconds} s')`;

/** The same for the address that a host's agent uses. The first condition does not depend on the host, so it is all that is asked while nothing is away. */
export const addressIsHeard = (host: string): string => `(
      NOT EXISTS (SELECT 1 FROM listening_address a WHERE a.until < now() - interval '${gapSeconds} s')
      OR NOT EXISTS (SELECT 1 FROM ${away} o WHERE ${waitsAt(host, { address: "o.address", until: "o.until" })}))`;

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
    `jsonb_set_lax(${context}, '${path}', ${iso(`((r.context #>> '${path}')::timestamptz + q.gap)`)}, false, 'return_target')`,
  "r.context",
);

/*
 * Deadlines by the database's clock are moved by the gap, so that it does not count: neither an outage of ours nor a clock that was set makes an
 * agent look silent, uses up a step's time limit, or ends the protection of a drive. The row of `listening` is locked first, then those of the
 * addresses, and the process that finds the gap moves everything in this one statement. `g`: a gap of all servers (`whole`), which moves every
 * host, and the other addresses with them; or of this address, and of hosts whose address is not known, if no other was there.
 */
const statement = named<
  { gap_ms: number; whole: boolean },
  [address: string, server: string, heard: boolean]
>(
  "listening_sign",
  `
  WITH old AS (
    SELECT l.until FROM listening l FOR UPDATE
  ), known AS (
    SELECT a.address, a.until FROM listening_address a WHERE (SELECT count(*) FROM old) >= 0 ORDER BY a.address FOR UPDATE
  ), all_gap AS (
    SELECT now() - o.until AS gap, o.until FROM old o WHERE now() - o.until NOT BETWEEN interval '-${backSeconds} s' AND interval '${gapSeconds} s'
  ), reached AS (
    SELECT WHERE NOT EXISTS (SELECT 1 FROM all_gap)
      AND ( -- safety: gap: a server that agents do not reach does not speak for those that they do
        $3::boolean OR NOT EXISTS (
          SELECT 1 FROM listening_server v WHERE v.address = $1::text AND v.heard_at > now() - interval '${givenUpMinutes} min' HAVING NOT bool_or(v.server = $2::text))
      )
  ), g AS (
    SELECT true AS whole, NULL AS address, gap, until FROM all_gap
    UNION ALL
    SELECT false, k.address, now() - k.until, k.until FROM known k, reached
    WHERE k.address = $1::text AND k.until BETWEEN now() - interval '${givenUpMinutes} min' AND now() - interval '${gapSeconds} s'
    UNION ALL
    SELECT false, NULL, now() - max(k.until), max(k.until) FROM known k, reached
    HAVING max(k.until) BETWEEN now() - interval '${givenUpMinutes} min' AND now() - interval '${gapSeconds} s'
  ), sign AS (
    INSERT INTO listening AS l (until, since) VALUES (now(), now())
    ON CONFLICT (one) DO UPDATE SET until = CASE WHEN EXISTS (SELECT 1 FROM all_gap) THEN now() ELSE greatest(l.until, now()) END, since = CASE WHEN EXISTS (SELECT 1 FROM all_gap) THEN now() ELSE l.since END
  ), here AS (
    INSERT INTO listening_address AS a (address, until) SELECT $1::text, now() FROM reached
    ON CONFLICT (address) DO UPDATE SET until = greatest(a.until, now())
  ), later AS (
    UPDATE listening_address a SET until = a.until + x.gap FROM all_gap x
  ), given_up AS (
    DELETE FROM listening_address a USING reached WHERE a.address <> $1::text AND a.until < now() - interval '${givenUpMinutes} min'
  ), served AS (
    INSERT INTO listening_server AS v (address, server, heard_at) SELECT $1::text, $2::text, now() WHERE $3::boolean AND NOT EXISTS (SELECT 1 FROM all_gap)
    ON CONFLICT (address, server) DO UPDATE SET heard_at = now()
  ), serve_later AS (
    UPDATE listening_server v SET heard_at = v.heard_at + x.gap FROM all_gap x
  ), not_serving AS (
    DELETE FROM listening_server v WHERE NOT EXISTS (SELECT 1 FROM all_gap) AND v.heard_at < now() - interval '${givenUpMinutes} min' AND (v.address, v.server) <> ($1::text, $2::text)
  ), moved AS (
    SELECT q.host_id, g.gap, g.until FROM g CROSS JOIN LATERAL (SELECT r.host_id FROM host_run r WHERE g.whole OR ${waitsAt("r", { address: "g.address", until: "g.until" })}) q
  ), hosts AS (
    UPDATE host_run r SET
      context = ${movedContext},
      state_since = CASE WHEN r.erasing OR r.state = 'Validation/MachineValidating' THEN r.state_since + q.gap ELSE r.state_since END,
      due_at = least(r.due_at, now()),
      lease_owner = CASE WHEN q.gap < interval '0' THEN NULL ELSE r.lease_owner END,
      lease_until = CASE WHEN q.gap < interval '0' THEN NULL ELSE r.lease_until END,
      generation = CASE
        WHEN q.gap < interval '0' AND r.lease_owner IS NOT NULL THEN r.generation + 1 -- safety: gap: a decision from before a clock was set back is not written
        ELSE r.generation END
    FROM (SELECT q.host_id, m.gap FROM moved m JOIN host_run q ON q.host_id = m.host_id
      WHERE q.due_at IS NOT NULL OR q.erasing OR q.lease_owner IS NOT NULL ORDER BY q.host_id FOR UPDATE OF q) q
    WHERE r.host_id = q.host_id
  ), steps AS (
    UPDATE step_run t SET
      deadline_at = t.deadline_at + q.gap -- safety: gap: time limits → deadline_at = t.deadline_at
    FROM (SELECT t2.id, m.gap FROM moved m JOIN reclamation c ON c.host_id = m.host_id JOIN step_run t2 ON t2.reclamation_id = c.id AND t2.plan_epoch = c.plan_epoch
      WHERE c.ended_at IS NULL AND t2.deadline_at IS NOT NULL AND t2.status NOT IN ('succeeded', 'excepted')) q WHERE t.id = q.id
    RETURNING t.id, t.attempt, q.gap
  ), attempts AS (
    UPDATE step_attempt a SET progress_at = a.progress_at + s.gap, moved_at = a.moved_at + s.gap,
      erase_ends = coalesce((SELECT jsonb_object_agg(e.key, CASE WHEN jsonb_typeof(e.value) = 'number' THEN
        to_jsonb((e.value)::float8 + extract(epoch FROM s.gap) * 1000) -- safety: gap: ends of erases → e.value
        ELSE e.value END)
        FROM jsonb_each(a.erase_ends) e), '{}')
    FROM steps s WHERE a.step_run_id = s.id AND a.attempt = s.attempt
  ), sessions AS (
    UPDATE agent_session a SET
      last_seen_at = CASE WHEN a.last_seen_at > m.until - interval '${freshSeconds} s'
        THEN CASE WHEN a.last_seen_at > a.registered_at THEN greatest(now(), least(a.registered_at, a.registered_at + m.gap) + interval '1 ms') ELSE now() END -- safety: gap: a session that was used stays used → THEN now()
        ELSE a.last_seen_at + m.gap END, -- safety: gap: who is silent stays so → ELSE now() END,
      registered_at = CASE WHEN a.last_seen_at <= a.registered_at THEN CASE WHEN a.last_seen_at > m.until - interval '${freshSeconds} s' THEN now() ELSE a.registered_at + m.gap END
        ELSE least(a.registered_at, a.registered_at + m.gap) END,
      expires_at = a.expires_at + m.gap -- safety: gap: sessions → expires_at = a.expires_at
    FROM moved m WHERE a.host_id = m.host_id AND a.expires_at > m.until
  ), inventories AS (
    UPDATE host_inventory i SET collected_at = now() FROM all_gap x WHERE x.gap < interval '0' AND i.collected_at > now()
  ), boots AS (
    UPDATE boot_window b SET expires_at = b.expires_at + m.gap,
      -- A registration comes after its restart, also by a clock that was set back: both move together.
      reset_done_at = least(b.reset_done_at, b.reset_done_at + m.gap)
    FROM moved m WHERE b.host_id = m.host_id AND (b.expires_at > m.until
      OR EXISTS (SELECT 1 FROM agent_session s WHERE s.host_id = b.host_id AND s.boot_epoch = b.boot_epoch AND s.expires_at > m.until))
  ), chassis AS (
    UPDATE chassis_erase x SET erase_until = x.erase_until + g.gap FROM g WHERE x.erase_until > g.until
      AND (g.whole OR EXISTS (SELECT 1 FROM host h JOIN moved m ON m.host_id = h.id WHERE h.serial = x.chassis_serial AND m.gap = g.gap))
  )
  SELECT (extract(epoch FROM gap) * 1000)::float8 AS gap_ms, whole FROM g ORDER BY whole DESC, address NULLS LAST LIMIT 1`,
);

/** The server that gives a sign. */
export interface Server {
  /** What it tells hosts to call. */
  readonly address: string;
  /** Names it, also after a restart. */
  readonly server: string;
}

export interface Gap {
  /** Below 0: the database's clock was set back. */
  readonly ms: number;
  /** Of all servers; otherwise of this server's address alone. */
  readonly whole: boolean;
}

/**
 * Records that agents can reach us now. A process that has the machine surface open calls it every two seconds. `heard`: an agent was heard at it
 * since the last call. Returns the gap before it; null: none.
 */
export async function signOfListening(
  database: HotDatabase,
  { address, server }: Server,
  heard: boolean,
): Promise<Gap | null> {
  const [row] = await statement(database, address, server, heard);
  return row === undefined ? null : { ms: row.gap_ms, whole: row.whole };
}
