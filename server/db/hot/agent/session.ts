// The parts that every statement of agents' requests begins with: who asks, and that it was heard of (docs/design/agent.md#protocol).
import { gathered } from "@/server/db/hot/gather";
import { signEveryMs } from "@/server/domain/agents/signs-of-life";

/** A session that nothing was heard of for this long is over. */
export const sessionMinutes = 15;

/** One request of an agent. */
export interface AgentQuestion {
  /** SHA-256 of the bearer token, in hexadecimal digits. */
  readonly token: string;
}

/** CTE `s`: each request, with these columns, and the session of its bearer token. Without a row when there is none or it is over. */
export const sessionCte = (columns = ""): string => `s AS (
  SELECT q.*, a.host_id, a.boot_epoch, a.registered_at, a.last_seen_at
  FROM jsonb_to_recordset($1::jsonb) AS q(n int, token text${columns === "" ? "" : `, ${columns}`}) JOIN agent_session a ON a.token_hash = decode(q.token, 'hex')
    AND a.expires_at > now() -- safety: session: not over
  )`;

/**
 * CTE `seen`: at most every `signEveryMs`. The first use is always written, a moment after
 * the registration: it is what makes the boot token worthless (agent-register.ts).
 */
export const seenCte = `seen AS (
  UPDATE agent_session a SET last_seen_at = greatest(now(), a.registered_at + interval '1 ms'), expires_at = now() + interval '${sessionMinutes} min'
  FROM s WHERE a.host_id = s.host_id AND a.boot_epoch = s.boot_epoch AND (s.last_seen_at <= s.registered_at OR s.last_seen_at < now() - interval '${signEveryMs} ms'))`;

/** Wakes a host: `due_at` is never put off. To be followed by more assignments or FROM. */
export const wakeSet = `due_at = least(r.due_at, now()), wake_seq = r.wake_seq + 1`;

export interface SessionRow {
  readonly host_id: string;
  readonly boot_epoch: number;
}

/** Whose token it is, without touching anything: for a request whose body is refused before it is carried out. */
export const findSession = gathered<SessionRow, AgentQuestion>(
  "agent_session",
  `WITH ${sessionCte()} SELECT n, host_id, boot_epoch FROM s`,
);
