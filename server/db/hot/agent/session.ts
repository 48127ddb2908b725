// What every statement for an agent's request begins with: who asks, and that it was heard from (docs/design/agent.md#protocol).
import { gathered } from "@/server/db/hot/gather";
import { named } from "@/server/db/hot/pool";
import { signEveryMs } from "@/server/domain/agents/signs-of-life";

/** A session expires if nothing is heard for this long. */
export const sessionMinutes = 15;

/** One request of an agent. */
export interface AgentQuestion {
  /** SHA-256 of the bearer token, in hexadecimal digits. */
  readonly token: string;
}

/** CTE `s`: each request, with these columns, and the session of its bearer token. No row if there is no session or it has expired. */
export const sessionCte = (columns = ""): string => `s AS (
  SELECT q.*, a.host_id, a.boot_epoch, a.registered_at, a.last_seen_at
  FROM jsonb_to_recordset($1::jsonb) AS q(n int, token text${columns === "" ? "" : `, ${columns}`}) JOIN agent_session a ON a.token_hash = decode(q.token, 'hex')
    AND a.expires_at > now() -- safety: session: not over
  )`;

/**
 * CTE `seen`: written at most once per `signEveryMs`. The first use is always written, with a time just after the registration: it makes
 * the boot token worthless (register.ts).
 */
export const seenCte = `seen AS (
  UPDATE agent_session a SET last_seen_at = greatest(now(), a.registered_at + interval '1 ms'), expires_at = now() + interval '${sessionMinutes} min'
  FROM s WHERE a.host_id = s.host_id AND a.boot_epoch = s.boot_epoch AND (s.last_seen_at <= s.registered_at OR s.last_seen_at < now() - interval '${signEveryMs} ms'))`;

/** Wakes a host; never postpones `due_at`. Must be followed by more assignments or FROM. */
export const wakeSet = `due_at = least(r.due_at, now()), wake_seq = r.wake_seq + 1`;

export interface SessionRow {
  readonly host_id: string;
  readonly boot_epoch: number;
}

/** Whether a token is a session's or a boot's, however old: what it is good for is judged with the body. */
export const isKnownToken = named<{ readonly known: boolean }, [token: string]>(
  "agent_token_known",
  `SELECT EXISTS (SELECT 1 FROM agent_session WHERE token_hash = decode($1, 'hex'))
     OR EXISTS (SELECT 1 FROM boot_window WHERE token_hash = decode($1, 'hex')) AS known`,
);

/** Whose token it is, without changing anything: for a request whose body is refused before it is processed. */
export const findSession = gathered<SessionRow, AgentQuestion>(
  "agent_session",
  `WITH ${sessionCte()} SELECT n, host_id, boot_epoch FROM s`,
);
