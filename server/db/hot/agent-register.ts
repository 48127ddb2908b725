// One registration in one statement: boot token, identity, session, inventory, signal (design: agent.md, How a host boots it).
import { sessionMinutes, wakeSet } from "@/server/db/hot/agent-session";
import { named } from "@/server/db/hot/pool";

/**
 * - `new`: registered. `repeat`: the same agent again, whose answer was lost: it used no session yet and gets a new one.
 * - `conflict`: an identity that is not the host's, or not the one that registered in this boot; the host is told.
 * - `used`: the same agent, but its session was used already. `expired`: the window is over, or another boot was ordered since.
 * - `again`: another registration was under way in the same moment; ask once more.
 */
export type RegisterVerdict = "new" | "repeat" | "conflict" | "used" | "expired" | "again";

export interface RegisterRow {
  readonly verdict: RegisterVerdict;
  readonly host_id: string;
  readonly boot_epoch: number;
  readonly reclamation_id: string | null;
  readonly tenant_id: string | null;
  readonly command: unknown;
  readonly command_epoch: number | null;
  readonly heartbeat_ms: number;
}

/** JSON parameters are given as text. No row: the token belongs to no window. */
export type RegisterParameters = [
  bootTokenHash: Buffer,
  sessionTokenHash: Buffer,
  systemUuid: string,
  serial: string,
  identity: string,
  agentVersion: string,
  hardwareManagers: string,
  inventory: string,
  conflictMessage: string,
];

export const registerAgent = named<RegisterRow, RegisterParameters>(
  "agent_register",
  `WITH w AS (
     SELECT b.host_id, b.boot_epoch, b.consumed_at, b.expires_at > now() AND b.boot_epoch = r.boot_epoch AS open,
            h.system_uuid, h.serial, h.site_id, r.reclamation_id, r.tenant_id, r.command, r.command_epoch
       FROM boot_window b JOIN host h ON h.id = b.host_id JOIN host_run r ON r.host_id = b.host_id
      WHERE b.token_hash = $1 FOR UPDATE OF r, b),
   v AS (
     SELECT w.*, CASE
              WHEN NOT w.open THEN 'expired'
              WHEN w.system_uuid IS DISTINCT FROM $3::uuid OR w.serial IS DISTINCT FROM $4::text THEN 'conflict'
              WHEN w.consumed_at IS NULL THEN 'new'
              WHEN s.host_id IS NULL THEN 'again'
              WHEN s.identity <> $5::jsonb THEN 'conflict'
              WHEN s.last_seen_at > s.registered_at THEN 'used'
              ELSE 'repeat' END AS verdict
       FROM w LEFT JOIN agent_session s ON s.host_id = w.host_id AND s.boot_epoch = w.boot_epoch),
   consumed AS (UPDATE boot_window b SET consumed_at = now() FROM v WHERE v.verdict = 'new' AND b.host_id = v.host_id AND b.boot_epoch = v.boot_epoch),
   added AS (
     INSERT INTO agent_session (host_id, boot_epoch, token_hash, identity, agent_version, hardware_managers, expires_at)
     SELECT host_id, boot_epoch, $2::bytea, $5::jsonb, $6::text, $7::jsonb, now() + interval '${sessionMinutes} min' FROM v WHERE verdict = 'new'),
   renewed AS (
     UPDATE agent_session s SET token_hash = $2::bytea, expires_at = now() + interval '${sessionMinutes} min'
       FROM v WHERE v.verdict = 'repeat' AND s.host_id = v.host_id AND s.boot_epoch = v.boot_epoch),
   found AS (
     INSERT INTO host_inventory (host_id, source, boot_epoch, collected_at, body)
     SELECT host_id, 'agent', boot_epoch, now(), $8::jsonb FROM v WHERE verdict = 'new'
     ON CONFLICT (host_id, source) DO UPDATE SET boot_epoch = EXCLUDED.boot_epoch, collected_at = EXCLUDED.collected_at, body = EXCLUDED.body, left_out = '{}'),
   told AS (
     INSERT INTO signal (host_id, kind, payload)
     SELECT host_id, 'agentRegistered', jsonb_build_object('bootEpoch', boot_epoch) FROM v WHERE verdict = 'new'
     UNION ALL
     SELECT host_id, 'agentIdentityConflict', jsonb_build_object('bootEpoch', boot_epoch, 'message', $9::text) FROM v
      WHERE verdict = 'conflict' AND NOT EXISTS (SELECT 1 FROM signal k WHERE k.host_id = v.host_id AND k.kind = 'agentIdentityConflict')
     RETURNING host_id),
   woken AS (
     UPDATE host_run r SET ${wakeSet}, evidence_seq = r.evidence_seq + 1 FROM told WHERE r.host_id = told.host_id)
   SELECT v.verdict, v.host_id, v.boot_epoch, v.reclamation_id, v.tenant_id, v.command, v.command_epoch,
          (SELECT (p.body->'times'->>'heartbeatMs')::int FROM site t JOIN site_policy p ON p.site_id = t.id AND p.version = t.policy_version WHERE t.id = v.site_id) AS heartbeat_ms
     FROM v`,
);
