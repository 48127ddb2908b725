// What every statement for an agent's request begins with: who asks, and that it was heard from (docs/design/agent.md#protocol).
import { gathered } from "@/server/db/hot/gather";
import { named, rowsByKey } from "@/server/db/hot/pool";
import { signEveryMs } from "@/server/domain/agents/signs-of-life";

/** A session expires if nothing is heard for this long. */
export const sessionMinutes = 15;

/** One request of an agent. */
export interface AgentQuestion {
  /** SHA-256 of the bearer token, in hexadecimal digits. */
  readonly token: string;
  /** Where the request comes from; null: unknown, which no session matches. */
  readonly address: string | null;
  /** What the server that it was sent to tells hosts to call: an outage of that address is none of the agent's silence. */
  readonly server_url: string;
}

/**
 * CTE `s`: each request, with these columns, and the session of its bearer token. No row if there is no session, it has expired, or the request comes
 * from another address than the one that registered (docs/adr/0122-who-may-give-evidence.md).
 */
export const sessionCte = (columns = ""): string => `s AS (
  SELECT q.*, a.host_id, a.boot_epoch, a.registered_at, a.last_seen_at
  FROM ${rowsByKey("q", `n int, token text, address inet, server_url text${columns === "" ? "" : `, ${columns}`}`)} JOIN agent_session a ON a.token_hash = decode(q.token, 'hex')
    AND a.expires_at > now() -- safety: session: not over
    AND a.address = q.address -- safety: session: from the address that registered
  )`;

/**
 * CTE `seen`: written at most once per `signEveryMs`. The first use is always written, with a time just after the registration: it makes
 * the boot token worthless (register.ts).
 */
export const seenCte = `seen AS (
  UPDATE agent_session a SET last_seen_at = greatest(now(), a.registered_at + interval '1 ms'), expires_at = now() + interval '${sessionMinutes} min', server_url = s.server_url
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

export interface MovedSessionRow extends SessionRow {
  readonly reclamation_id: string | null;
  readonly tenant_id: string | null;
  /** The address that registered. */
  readonly address: string;
}

/** The session of a token that is used from another address than the one that registered; asked only when a request found no session. */
export const findMovedSession = named<MovedSessionRow, [token: string, address: string | null]>(
  "agent_session_moved",
  `SELECT a.host_id, a.boot_epoch, r.reclamation_id, r.tenant_id, host(a.address) AS address
     FROM agent_session a JOIN host_run r ON r.host_id = a.host_id
    WHERE a.token_hash = decode($1, 'hex') AND a.expires_at > now() AND a.address IS DISTINCT FROM $2::inet AND a.address IS NOT NULL`,
);
