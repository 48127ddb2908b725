// The parts that every statement of an agent's request begins with: who asks, and that it was heard of (design: datapath.md, the agent's authentication).
import { named } from "@/server/db/hot/pool";

/** A session that nothing was heard of for this long is over. */
export const sessionMinutes = 15;

/** CTE `s`: the session of the bearer token whose SHA-256 is `$1`. Empty when there is none or it is over. */
export const sessionCte = `s AS (SELECT host_id, boot_epoch, registered_at, last_seen_at FROM agent_session WHERE token_hash = $1 AND expires_at > now())`;

/**
 * CTE `seen`: at most every 10 s, because a write per request would cost more than it tells. The first use is always written, a moment after
 * the registration: it is what makes the boot token worthless (agent-register.ts).
 */
export const seenCte = `seen AS (
  UPDATE agent_session a SET last_seen_at = greatest(now(), a.registered_at + interval '1 ms'), expires_at = now() + interval '${sessionMinutes} min'
  FROM s WHERE a.host_id = s.host_id AND a.boot_epoch = s.boot_epoch AND (s.last_seen_at <= s.registered_at OR s.last_seen_at < now() - interval '10 s'))`;

/** Wakes a host: `due_at` is never put off. To be followed by more assignments or FROM. */
export const wakeSet = `due_at = least(r.due_at, now()), wake_seq = r.wake_seq + 1`;

export interface SessionRow {
  readonly host_id: string;
  readonly boot_epoch: number;
}

/** Whose token it is, without touching anything: for a request whose body is refused before it is carried out. */
export const findSession = named<SessionRow, [tokenHash: Buffer]>("agent_session", `SELECT host_id, boot_epoch FROM agent_session WHERE token_hash = $1 AND expires_at > now()`);
