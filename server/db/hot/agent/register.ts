// Registers an agent in one statement: boot token, identity, session, inventory, signal (docs/adr/0020-a-boot-is-proven.md).
import { sessionMinutes, wakeSet } from "@/server/db/hot/agent/session";
import { gathered } from "@/server/db/hot/gather";
import { placeholderSerial } from "@/server/domain/hosts/inventory/placeholder-serial";
import { otherByteOrderSql, placeholderUuid } from "@/server/domain/hosts/inventory/system-uuid";
import { rowsByKey } from "@/server/db/hot/pool";
import type { NameKind } from "@/server/domain/hosts/names/names";

/**
 * - `elsewhere`: from another address than the one that the token was given to. Whoever reads a token gains nothing by it, and cannot disturb the boot either.
 * - `new`: registered. `repeat`: the same run of the agent again, because its answer was lost. It has not used its session yet, and gets a new one.
 * - `conflict`: an identity that is not the host's (UUID in either byte order, serial number, and one of the known MAC addresses, if any is known), whose names are noted for a person to confirm, or a second registration in this boot by anything but the run that registered first.
 *   The boot is contested from then on, and the host is signalled.
 * - `early`: the restart of this boot is not done; the boot is contested from then on, too. `contested`: it already was.
 * - `used`: the same run, but its session was already used. `expired`: the window is over, or another boot was ordered since.
 * - `again`: another registration was in progress at the same moment; retry.
 */
export type RegisterVerdict =
  | "elsewhere"
  | "new"
  | "repeat"
  | "conflict"
  | "early"
  | "contested"
  | "used"
  | "expired"
  | "again";

export interface RegisterRow {
  readonly verdict: RegisterVerdict;
  /** The address that the token belongs to; null: none yet. */
  readonly bound_to: string | null;
  readonly host_id: string;
  readonly boot_epoch: number;
  readonly reclamation_id: string | null;
  readonly tenant_id: string | null;
  readonly command: unknown;
  readonly command_epoch: number | null;
  readonly heartbeat_ms: number;
}

export interface RegisterQuestion {
  /** SHA-256 of the boot token and of the new session token, in hexadecimal digits. */
  readonly token: string;
  readonly session_token: string;
  /** Where the request comes from; null: unknown, which no token matches. */
  readonly address: string | null;
  /** As in every question of an agent (`session.ts`). */
  readonly server_url: string;
  readonly system_uuid: string;
  readonly serial: string;
  readonly identity: object;
  /** SHA-256 of the random number of this run of the agent, in hexadecimal digits; null: it has none. */
  readonly run: string | null;
  readonly agent_version: string;
  readonly hardware_managers: readonly object[];
  readonly inventory: object;
  readonly conflict: string;
  /** For people who wait for the agent: that its request comes from another address. */
  readonly moved: string;
}

const isPlaceholder = (serial: string): string => `${serial} ~* '${placeholderSerial}'`;
const isBlank = (uuid: string): string => `${uuid}::text ~ '${placeholderUuid}'`;

/** A name that a person confirmed, whether the BMC or the agent told it (docs/machine-names.md). */
const isConfirmed = (
  kind: NameKind,
  values: string,
): string => `EXISTS (SELECT FROM host_name k WHERE k.host_id = w.host_id AND k.kind = '${kind}' AND k.value IN (${values})
    AND k.confirmed_at IS NOT NULL -- safety: boot token: a name that nobody confirmed is none → AND true
  )`;
const isSystem = `(w.known_uuid IN (w.system_uuid, ${otherByteOrderSql("w.system_uuid")}) OR ${isConfirmed("uuid", `w.system_uuid::text, (${otherByteOrderSql("w.system_uuid")})::text`)})`;
const isSerial = `(w.known_serial = w.serial OR ${isConfirmed("serial", "w.serial")})`;

/**
 * As `isMachineOf` (server/hardware/same-machine.ts), of what the firmware tells the agent. Firmware that tells no serial is believed only if the
 * BMC told none either, and a serial or UUID that many boards have is none: then one of the host's known MAC addresses is needed. Unlike a BMC, an agent may
 * tell the mainboard's serial in place of a placeholder. Ironic's agent tells no UUID, so a placeholder of its host is refused before (`guest-turns.ts`).
 */
const isMachine = `${isSystem} AND ${isSerial}
  OR cardinality(w.known_macs) > 0 AND ${isSystem}
     AND (${isPlaceholder("w.known_serial")} OR w.no_serial AND ${isPlaceholder("w.serial")})
  OR cardinality(w.known_macs) > 0 AND ${isBlank("w.known_uuid")} AND ${isBlank("w.system_uuid")} AND ${isSerial} AND NOT ${isPlaceholder("w.serial")}`;

/** No row: the token belongs to no window. */
export const registerAgent = gathered<RegisterRow, RegisterQuestion>(
  "agent_register",
  `WITH w AS (
     SELECT q.*, b.host_id, b.boot_epoch, b.consumed_at, b.reset_done_at, b.contested_at, b.token_address, b.expires_at > now() AND b.boot_epoch = r.boot_epoch AS open,
            h.system_uuid AS known_uuid, h.serial AS known_serial, h.macs AS known_macs, h.bmc_links ->> 'noSerial' = 'true' AS no_serial, h.site_id, r.reclamation_id, r.tenant_id, r.command, r.command_epoch
       FROM ${rowsByKey("q", "n int, token text, session_token text, address inet, server_url text, moved text, system_uuid uuid, serial text, identity jsonb, run text, agent_version text, hardware_managers jsonb, inventory jsonb, conflict text")}
       JOIN boot_window b ON b.token_hash = decode(q.token, 'hex') JOIN host h ON h.id = b.host_id JOIN host_run r ON r.host_id = b.host_id
      ORDER BY r.host_id FOR UPDATE OF r, b),
   v AS (
     SELECT w.*, host(coalesce(w.token_address, s.address)) AS bound_to, count(*) OVER (PARTITION BY w.host_id) AS asking, CASE
              WHEN NOT w.open THEN 'expired' -- safety: boot token: of the newest boot, and in time
              WHEN w.address IS NULL OR coalesce(w.token_address, s.address, w.address) <> w.address THEN 'elsewhere' -- safety: boot token: from the address that it was given to
              WHEN (${isMachine}) IS NOT TRUE THEN 'conflict' -- safety: boot token: of the host's own identity
              WHEN cardinality(w.known_macs) > 0 AND NOT EXISTS (SELECT 1 FROM jsonb_array_elements_text(w.identity->'macs') m WHERE m = ANY(w.known_macs)) THEN 'conflict' -- safety: boot token: with one of the host's own MAC addresses
              WHEN w.contested_at IS NOT NULL THEN 'contested' -- safety: register: not in a contested boot
              WHEN w.reset_done_at IS NULL THEN 'early' -- safety: register: not before the restart is done
              WHEN row_number() OVER (PARTITION BY w.host_id, w.boot_epoch ORDER BY w.n) > 1 THEN 'again'
              WHEN w.consumed_at IS NULL THEN 'new'
              WHEN s.host_id IS NULL THEN 'again'
              WHEN s.identity <> w.identity -- safety: boot token: one identity in one window → WHEN false
                OR s.run_hash IS NULL OR s.run_hash IS DISTINCT FROM decode(w.run, 'hex') -- safety: register: a second run of one identity
                THEN 'conflict'
              WHEN s.last_seen_at > s.registered_at THEN 'used' -- safety: boot token: used once
              ELSE 'repeat' END AS verdict
       FROM w LEFT JOIN agent_session s ON s.host_id = w.host_id AND s.boot_epoch = w.boot_epoch),
   consumed AS (
     UPDATE boot_window b SET consumed_at = CASE WHEN c.fresh THEN now() ELSE b.consumed_at END, contested_at = CASE WHEN c.contested THEN coalesce(b.contested_at, now()) ELSE b.contested_at END,
         refusal = CASE WHEN c.moved IS NOT NULL AND b.consumed_at IS NULL THEN c.moved ELSE b.refusal END
       FROM (SELECT host_id, boot_epoch, bool_or(verdict = 'new') AS fresh, max(moved) FILTER (WHERE verdict = 'elsewhere') AS moved,
               bool_or(verdict IN ('conflict', 'early')) AS contested -- safety: register: a second one marks the boot → false AS contested
             FROM v GROUP BY 1, 2) c
      WHERE (c.fresh OR c.contested OR c.moved IS NOT NULL) AND b.host_id = c.host_id AND b.boot_epoch = c.boot_epoch),
   added AS (
     INSERT INTO agent_session (host_id, boot_epoch, token_hash, identity, run_hash, address, server_url, agent_version, hardware_managers, expires_at)
     SELECT host_id, boot_epoch, decode(session_token, 'hex'), identity, decode(run, 'hex'), address, server_url, agent_version, hardware_managers, now() + interval '${sessionMinutes} min' FROM v WHERE verdict = 'new'),
   renewed AS (
     UPDATE agent_session s SET token_hash = decode(v.session_token, 'hex'), expires_at = now() + interval '${sessionMinutes} min'
       FROM v WHERE v.verdict = 'repeat' AND s.host_id = v.host_id AND s.boot_epoch = v.boot_epoch),
   found AS (
     INSERT INTO host_inventory (host_id, source, boot_epoch, collected_at, body)
     SELECT host_id, 'agent', boot_epoch, now(), inventory FROM v WHERE verdict = 'new'
     ON CONFLICT (host_id, source) DO UPDATE SET boot_epoch = EXCLUDED.boot_epoch, collected_at = EXCLUDED.collected_at, body = EXCLUDED.body, left_out = '{}'),
   named AS (
     INSERT INTO host_name AS n (host_id, source, kind, value)
     SELECT v.host_id, 'agent', t.kind, t.value FROM v CROSS JOIN LATERAL (
         SELECT 'serial' AS kind, v.serial AS value UNION SELECT 'uuid', v.system_uuid::text UNION SELECT 'mac', m FROM jsonb_array_elements_text(v.identity->'macs') m) t
      WHERE v.verdict = 'conflict' AND trim(t.value) <> ''
        AND v.consumed_at IS NULL AND v.contested_at IS NULL AND v.reset_done_at IS NOT NULL AND v.asking = 1 -- safety: names: told by the one agent of a boot that was restarted → AND true
      ORDER BY t.kind, t.value
     ON CONFLICT (host_id, source, kind, value) DO UPDATE SET last_seen_at = EXCLUDED.last_seen_at),
   told AS (
     INSERT INTO signal (host_id, kind, payload)
     SELECT host_id, 'agentRegistered', jsonb_build_object('bootEpoch', boot_epoch) FROM v WHERE verdict = 'new'
     UNION ALL
     SELECT host_id, 'agentIdentityConflict', jsonb_build_object('bootEpoch', boot_epoch, 'message', conflict) FROM v
      WHERE verdict IN ('conflict', 'early') AND NOT EXISTS (SELECT 1 FROM signal k WHERE k.host_id = v.host_id AND k.kind = 'agentIdentityConflict')
     RETURNING host_id),
   woken AS (
     UPDATE host_run r SET ${wakeSet}, evidence_seq = r.evidence_seq + 1 FROM told WHERE r.host_id = told.host_id)
   SELECT v.n, v.verdict, v.bound_to, v.host_id, v.boot_epoch, v.reclamation_id, v.tenant_id, v.command, v.command_epoch,
          (SELECT (p.body->'times'->>'heartbeatMs')::int FROM site t JOIN site_policy p ON p.site_id = t.id AND p.version = t.policy_version WHERE t.id = v.site_id) AS heartbeat_ms
     FROM v`,
);
