// Ironic's agent in place of ours: whose heartbeat it is, which process talks to it, and what was sent to it (docs/adr/0087-the-ironic-agent-as-a-guest.md).
import { wakeSet } from "@/server/db/hot/agent/session";
import { named } from "@/server/db/hot/pool";

export interface GuestWindowRow {
  readonly boot_epoch: number;
  readonly tenant_id: string | null;
  readonly reset_done: boolean;
  readonly contested: boolean;
  /** Whether the heartbeat comes from the address that the token was given to, and that address. */
  readonly at_address: boolean;
  readonly bound_to: string | null;
  readonly provisioning_networks: unknown;
  /** From its first heartbeat; null: this is the first. */
  readonly callback_url: string | null;
  readonly verify_ca: string | null;
}

/** The newest boot of the host, if this is the token that its agent was given. No row: it is not, the boot's image is not Ironic's, or the boot is over. */
export const findGuestWindow = named<GuestWindowRow, [hostId: string, token: string, address: string | null]>(
  "agent_guest_window",
  `SELECT b.boot_epoch, r.tenant_id, b.reset_done_at IS NOT NULL AS reset_done, b.contested_at IS NOT NULL AS contested,
          coalesce(coalesce(b.token_address, $3::inet) = $3::inet, false) AS at_address, host(b.token_address) AS bound_to,
          p.body->'provisioningNetworks' AS provisioning_networks, g.callback_url, g.verify_ca
     FROM boot_window b
     JOIN host_run r ON r.host_id = b.host_id
       AND r.boot_epoch = b.boot_epoch -- safety: guest: of the newest boot
     JOIN host h ON h.id = b.host_id
     JOIN agent_image i ON i.id = b.image_id
       AND i.kind = 'ironic' -- safety: guest: only where its image was given
     JOIN site t ON t.id = h.site_id
     JOIN site_policy p ON p.site_id = t.id AND p.version = t.policy_version
     LEFT JOIN agent_guest g ON g.host_id = b.host_id AND g.boot_epoch = b.boot_epoch
    WHERE b.host_id = $1::uuid
      AND b.token_hash = decode($2, 'hex') -- safety: guest: by the token of its boot
      AND (b.expires_at > now() OR g.host_id IS NOT NULL)`,
);

/** Stores the first heartbeat of a boot. What an earlier one stored stays. */
export const noteGuest = named<
  { readonly callback_url: string; readonly verify_ca: string },
  [hostId: string, bootEpoch: number, callbackUrl: string, verifyCa: string, agentVersion: string]
>(
  "agent_guest_note",
  `INSERT INTO agent_guest (host_id, boot_epoch, callback_url, verify_ca, agent_version) VALUES ($1::uuid, $2::int, $3, $4, $5)
   ON CONFLICT (host_id, boot_epoch) DO UPDATE SET callback_url = agent_guest.callback_url RETURNING callback_url, verify_ca`,
);

/** Two agents have the token of one boot: nothing of it counts, and the host stops (like a second registration, `register.ts`). */
export const contestGuest = named<
  { readonly host_id: string },
  [hostId: string, bootEpoch: number, message: string]
>(
  "agent_guest_contest",
  `WITH w AS (UPDATE boot_window b SET contested_at = coalesce(b.contested_at, now()) WHERE b.host_id = $1::uuid AND b.boot_epoch = $2::int RETURNING b.host_id, b.boot_epoch),
   told AS (
     INSERT INTO signal (host_id, kind, payload)
     SELECT host_id, 'agentIdentityConflict', jsonb_build_object('bootEpoch', boot_epoch, 'message', $3::text) FROM w
      WHERE NOT EXISTS (SELECT 1 FROM signal k WHERE k.host_id = w.host_id AND k.kind = 'agentIdentityConflict')
     RETURNING host_id)
   UPDATE host_run r SET ${wakeSet}, evidence_seq = r.evidence_seq + 1 FROM told WHERE r.host_id = told.host_id RETURNING r.host_id`,
);

/** Stores why the guest was not registered, for whoever waits for it. No row: already stored, or an agent of this boot is registered. */
export const noteGuestRefusal = named<
  { readonly host_id: string },
  [hostId: string, bootEpoch: number, refusal: string]
>(
  "agent_guest_refusal",
  `WITH w AS (
     UPDATE boot_window b SET refusal = $3 WHERE b.host_id = $1::uuid AND b.boot_epoch = $2::int AND b.refusal IS DISTINCT FROM $3
        AND NOT EXISTS (SELECT 1 FROM agent_session s WHERE s.host_id = b.host_id AND s.boot_epoch = b.boot_epoch)
     RETURNING b.host_id, b.boot_epoch)
   UPDATE host_run r SET ${wakeSet} FROM w WHERE r.host_id = w.host_id AND r.boot_epoch = w.boot_epoch RETURNING r.host_id`,
);

export interface HeldGuestRow {
  readonly callback_url: string;
  readonly verify_ca: string;
  readonly agent_version: string;
  readonly token_box: Buffer;
  readonly session_box: Buffer | null;
  readonly work: unknown;
  readonly finished: readonly string[];
  /** From its session; null: not registered yet. */
  readonly hardware_managers: unknown;
  readonly name: string;
  readonly system_uuid: string;
  readonly serial: string;
  readonly macs: readonly string[];
  readonly model: string | null;
  readonly drives: readonly { readonly serial: string; readonly model: string; readonly wwn: string }[];
}

/** How long a process may talk to an agent without renewing: longer than the longest call to one (60 s) plus the next poll. */
export const guestLeaseSeconds = 120;

/** Takes or renews the lease on talking to the agent of a boot. No row: another process has it, or the boot is over or contested. */
export const holdGuest = named<HeldGuestRow, [hostId: string, bootEpoch: number, holder: string]>(
  "agent_guest_hold",
  `UPDATE agent_guest g SET holder = $3::uuid, held_until = now() + interval '${guestLeaseSeconds} s'
     FROM boot_window b JOIN host_run r ON r.host_id = b.host_id AND r.boot_epoch = b.boot_epoch JOIN host h ON h.id = b.host_id
     LEFT JOIN agent_session s ON s.host_id = b.host_id AND s.boot_epoch = b.boot_epoch
    WHERE g.host_id = $1::uuid AND g.boot_epoch = $2::int AND b.host_id = g.host_id AND b.boot_epoch = g.boot_epoch
      AND b.contested_at IS NULL -- safety: guest: none of a contested boot is spoken to
      AND b.token_box IS NOT NULL
      AND (g.holder = $3::uuid OR g.holder IS NULL OR g.held_until < now()) -- safety: guest: one process speaks to it
   RETURNING g.callback_url, g.verify_ca, g.agent_version, b.token_box, g.session_box, g.work, g.finished, s.hardware_managers, h.name, h.system_uuid::text, h.serial, h.macs, h.model,
     (SELECT coalesce(jsonb_agg(jsonb_build_object('serial', d.serial, 'model', d.model, 'wwn', d.wwn)), '[]') FROM drive_stay y JOIN drive d ON d.id = y.drive_id
       WHERE y.host_id = g.host_id AND y.until_at IS NULL AND d.wwn IS NOT NULL) AS drives`,
);

/** A row if the lease is still ours, and the session was stored. `session` in hexadecimal digits; null: the guest must register again. */
export const keepGuestSession = named<
  { readonly host_id: string },
  [hostId: string, bootEpoch: number, holder: string, session: string | null]
>(
  "agent_guest_session",
  `UPDATE agent_guest g SET session_box = decode($4, 'hex') WHERE g.host_id = $1::uuid AND g.boot_epoch = $2::int AND g.holder = $3::uuid AND g.held_until > now() RETURNING g.host_id`,
);

/** Stores what is being sent to the guest, and what has finished. No row: the lease is no longer ours, and nothing may be sent. */
export const keepGuestWork = named<
  { readonly host_id: string },
  [hostId: string, bootEpoch: number, holder: string, work: string | null, finished: readonly string[]]
>(
  "agent_guest_work",
  `UPDATE agent_guest g SET work = $4::jsonb, finished = $5::text[] WHERE g.host_id = $1::uuid AND g.boot_epoch = $2::int
      AND g.holder = $3::uuid AND g.held_until > now() -- safety: guest: nothing is sent without the lease
   RETURNING g.host_id`,
);

/** Gives up the lease, so that the next heartbeat does not wait for a process that is gone. */
export const releaseGuest = named<
  { readonly host_id: string },
  [hostId: string, bootEpoch: number, holder: string]
>(
  "agent_guest_release",
  `UPDATE agent_guest g SET holder = NULL, held_until = NULL WHERE g.host_id = $1::uuid AND g.boot_epoch = $2::int AND g.holder = $3::uuid RETURNING g.host_id`,
);
