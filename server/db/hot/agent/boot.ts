// Boot windows: whether one is open for the host that asks, and its token (docs/adr/0020-a-boot-is-proven.md).
import { wakeSet } from "@/server/db/hot/agent/session";
import { gathered } from "@/server/db/hot/gather";
import { otherByteOrderSql } from "@/server/domain/hosts/inventory/system-uuid";
import { byKey, named, rowsByKey } from "@/server/db/hot/pool";
import type { ImageKind } from "@/server/domain/cleaning/images/agent-image";

export interface BootWindowRow {
  readonly host_id: string;
  readonly boot_epoch: number;
  /** All hosts that the UUID and MAC name, if they name several: then nobody knows which of them asks. `networks`: of the host's site, for provisioning. */
  readonly several: ReadonlyArray<{
    readonly id: string;
    readonly name: string;
    readonly networks: unknown;
  }> | null;
  /** We expect this boot; false: we do not, and the host is held. */
  readonly open: boolean;
  /** The restart before this boot was confirmed by reading it back from the BMC. */
  readonly reset_done: boolean;
  readonly contested: boolean;
  readonly token_box: Buffer | null;
  /** An agent registered in it. */
  readonly consumed: boolean;
  /** From the accepted release to the end: the host must not continue to its disks. */
  readonly held: boolean;
  readonly provisioning_networks: unknown;
  /** The image that this boot was given last. */
  readonly image_id: string | null;
  /** The kind of that image; null: it is the configured one. */
  readonly image_kind: ImageKind | null;
  /** The site's current image; null: the site has only the configured one. */
  readonly current_image: {
    readonly id: string;
    readonly url: string;
    readonly sha256: string | null;
    readonly signed: boolean;
    readonly kind: ImageKind;
  } | null;
  /** The site's candidate, with the state of its rollout and its result on this host. */
  readonly candidate_image: unknown;
}

export interface BootWindowQuestion {
  readonly system_uuid: string | null;
  readonly mac: string | null;
}

/**
 * The window of the newest boot that we ordered for the host with this UUID, in either byte order, or this MAC. An exact UUID goes before the other
 * names, unless one of them is of another host that is held or waited for. A MAC that the host with the exact UUID has, too, names no other. No row: the window is over and the host is not held, or there is no such host.
 */
export const findBootWindow = gathered<BootWindowRow, BootWindowQuestion>(
  "boot_window_find",
  `WITH q AS (
     SELECT n, system_uuid, mac FROM ${rowsByKey("q", "n int, system_uuid uuid, mac text")}
   ), named AS (
     SELECT q.n, h.id AS host_id, true AS exact, h.macs @> ARRAY[q.mac] AS by_mac FROM q JOIN host h ON h.system_uuid = q.system_uuid
     UNION ALL
     SELECT q.n, h.id, false, false FROM q JOIN host h ON h.system_uuid = ${otherByteOrderSql("q.system_uuid")}
     UNION ALL
     SELECT q.n, k.host_id, k.value = q.system_uuid::text, false FROM q
       JOIN host_name k ON k.kind = 'uuid' AND k.value IN (q.system_uuid::text, (${otherByteOrderSql("q.system_uuid")})::text)
         AND k.confirmed_at IS NOT NULL -- safety: boot: a UUID that nobody confirmed names no host → AND true
     UNION ALL
     SELECT q.n, h.id, false, true FROM q JOIN host h ON h.macs @> ARRAY[q.mac]
   ), known AS (
     SELECT n, host_id, bool_or(exact) AS exact, bool_or(bool_or(exact)) OVER (PARTITION BY n) AS found,
       NOT bool_or(exact) AND bool_and(by_mac) AND coalesce(bool_or(bool_or(exact AND by_mac)) OVER (PARTITION BY n), false) AS shared FROM named GROUP BY n, host_id
   ), judged AS (
     SELECT k.*, b.host_id IS NOT NULL OR r.boot_held AS ours FROM (SELECT * FROM known ${byKey}) k JOIN host_run r ON r.host_id = k.host_id
       LEFT JOIN boot_window b ON b.host_id = k.host_id AND b.boot_epoch = r.boot_epoch AND b.expires_at > now()
   ), asked AS (
     SELECT DISTINCT ON (j.n) j.n, j.host_id, c.several FROM judged j
       CROSS JOIN LATERAL (SELECT CASE WHEN count(*) > 1 THEN json_agg(json_build_object('id', h.id, 'name', h.name, 'networks', p.body->'provisioningNetworks') ORDER BY h.name) END AS several
         FROM judged o JOIN host h ON h.id = o.host_id JOIN site t ON t.id = h.site_id JOIN site_policy p ON p.site_id = t.id AND p.version = t.policy_version
         WHERE o.n = j.n AND (o.exact OR o.ours OR NOT o.found) AND NOT o.shared) c
      WHERE j.ours AND (c.several IS NOT NULL OR j.exact OR NOT j.found) ORDER BY j.n, j.exact DESC, j.host_id
   )
   SELECT asked.n, asked.several, r.host_id, r.boot_epoch, b.host_id IS NOT NULL AS open, b.reset_done_at IS NOT NULL AS reset_done, b.contested_at IS NOT NULL AS contested,
          b.token_box, b.consumed_at IS NOT NULL AS consumed, r.boot_held AS held, p.body->'provisioningNetworks' AS provisioning_networks, b.image_id, i.kind AS image_kind,
          CASE WHEN cur.id IS NOT NULL THEN json_build_object('id', cur.id, 'url', cur.url, 'sha256', cur.sha256, 'signed', cur.signed, 'kind', cur.kind) END AS current_image,
          CASE WHEN new.id IS NOT NULL THEN json_build_object('id', new.id, 'url', new.url, 'sha256', new.sha256, 'signed', new.signed, 'kind', new.kind,
            'rollout', json_strip_nulls(json_build_object('stage', new.stage, 'hosts', new.hosts, 'percent', new.percent)),
            'braked', EXISTS (SELECT 1 FROM brake k WHERE k.site_id = h.site_id AND k.dimension = 'image' AND k.value = new.version AND k.lifted_at IS NULL AND k.asks = '{}'),
            'had', CASE WHEN b.image_id = new.id THEN 'under way' ELSE (SELECT CASE WHEN e.consumed_at IS NOT NULL THEN 'cameUp' WHEN e.expires_at <= now() THEN 'didNot' ELSE 'under way' END
              FROM boot_window e WHERE e.host_id = h.id AND e.image_id = new.id AND e.boot_epoch < r.boot_epoch ORDER BY e.boot_epoch DESC LIMIT 1) END) END AS candidate_image
     FROM asked
     JOIN host h ON h.id = asked.host_id
     JOIN host_run r ON r.host_id = h.id
     LEFT JOIN boot_window b ON b.host_id = h.id AND b.boot_epoch = r.boot_epoch AND b.expires_at > now()
     JOIN site t ON t.id = h.site_id
     LEFT JOIN agent_image i ON i.id = b.image_id
     LEFT JOIN agent_image cur ON cur.site_id = h.site_id AND cur.status = 'current'
     LEFT JOIN agent_image new ON new.site_id = h.site_id AND new.status = 'candidate'
     JOIN site_policy p ON p.site_id = t.id AND p.version = t.policy_version
    WHERE b.host_id IS NOT NULL OR r.boot_held`,
);

export interface BootTokenQuestion {
  readonly host_id: string;
  readonly boot_epoch: number;
  /** The sealed token, and the token's SHA-256, both in hexadecimal digits. */
  readonly token_box: string;
  readonly token: string;
  /** Where the request comes from; null: unknown, which gets no token. */
  readonly address: string | null;
}

/**
 * - `given`: the token of the window, the same each time, and to the same address. `used`: an agent has already registered.
 * - `early`: the restart of this boot is not done, so the caller was running before it. Nothing of this boot is trusted any more.
 * - `elsewhere`: the token was given to another address. Two systems say that they are this host, so nothing of this boot is trusted either.
 * - `contested`: something asked too early in this boot or from a second address, or a second agent registered.
 */
export type BootTokenVerdict = "given" | "used" | "early" | "elsewhere" | "contested";

/**
 * Gives a window its token, unless another request just did. The check is part of the same statement: a request before the restart is done,
 * or from a second address, marks the boot as contested and wakes the host.
 */
export const giveBootToken = gathered<
  {
    readonly verdict: BootTokenVerdict;
    readonly token_box: Buffer | null;
    /** The address that the token was given to. */
    readonly bound_to: string | null;
    readonly tenant_id: string | null;
  },
  BootTokenQuestion
>(
  "boot_window_token",
  `WITH q AS (
     SELECT * FROM ${rowsByKey("q", "n int, host_id uuid, boot_epoch int, token_box text, token text, address inet")}
   ), w AS (
     SELECT b.host_id, b.boot_epoch, b.token_address, CASE
         WHEN b.contested_at IS NOT NULL THEN 'contested' -- safety: boot: no token in a contested boot
         WHEN b.reset_done_at IS NULL THEN 'early' -- safety: boot: no token before the restart is done
         WHEN b.consumed_at IS NOT NULL THEN 'used' ELSE 'given' END AS verdict
       FROM boot_window b WHERE (b.host_id, b.boot_epoch) IN (SELECT host_id, boot_epoch FROM q) ORDER BY b.host_id FOR UPDATE
   ), first AS (SELECT DISTINCT ON (host_id, boot_epoch) * FROM q ORDER BY host_id, boot_epoch, n
   ), asked AS (
     SELECT q.n, q.host_id, q.boot_epoch, q.address, CASE
         WHEN w.verdict = 'given' AND (q.address IS NULL OR coalesce(w.token_address, first.address) <> q.address) THEN 'elsewhere' -- safety: boot: no token for a second address
         ELSE w.verdict END AS verdict
       FROM q JOIN w ON w.host_id = q.host_id AND w.boot_epoch = q.boot_epoch JOIN first ON first.host_id = q.host_id AND first.boot_epoch = q.boot_epoch
   ), given AS (
     UPDATE boot_window b SET
       token_box = CASE WHEN w.verdict = 'given' THEN coalesce(b.token_box, decode(q.token_box, 'hex')) ELSE b.token_box END,
       token_hash = CASE WHEN w.verdict = 'given' THEN coalesce(b.token_hash, decode(q.token, 'hex')) ELSE b.token_hash END,
       token_address = CASE WHEN w.verdict = 'given' THEN coalesce(b.token_address, q.address) ELSE b.token_address END,
       contested_at = CASE
         WHEN w.verdict = 'early' THEN now() -- safety: boot: one that asked too early marks the boot
         WHEN e.addresses IS NOT NULL THEN now() -- safety: boot: a second address marks the boot
         ELSE b.contested_at END
       FROM first q JOIN w ON w.host_id = q.host_id AND w.boot_epoch = q.boot_epoch
       CROSS JOIN LATERAL (SELECT string_agg(DISTINCT coalesce(host(k.address), 'an unknown address'), ', ') AS addresses FROM asked k
         WHERE k.host_id = q.host_id AND k.boot_epoch = q.boot_epoch AND k.verdict = 'elsewhere') e
      WHERE b.host_id = q.host_id AND b.boot_epoch = q.boot_epoch
     RETURNING b.host_id, b.boot_epoch, b.token_box, host(b.token_address) AS bound_to, w.verdict, e.addresses
   ), told AS (
     INSERT INTO signal (host_id, kind, payload)
     SELECT host_id, 'bootContested', jsonb_build_object('bootEpoch', boot_epoch, 'message', CASE WHEN verdict = 'early' THEN 'a boot token was asked for before the restart was done'
         ELSE 'a boot token was asked for from ' || addresses || ', but it had been given to ' || coalesce(bound_to, 'none') END)
       FROM given WHERE verdict = 'early' OR addresses IS NOT NULL
     RETURNING host_id
   ), woken AS (
     UPDATE host_run r SET ${wakeSet}, evidence_seq = r.evidence_seq + 1 FROM told WHERE r.host_id = told.host_id
   )
   SELECT asked.n, asked.verdict, CASE WHEN asked.verdict = 'given' THEN given.token_box END AS token_box, given.bound_to, r.tenant_id
     FROM asked JOIN given ON given.host_id = asked.host_id AND given.boot_epoch = asked.boot_epoch JOIN host_run r ON r.host_id = asked.host_id`,
);

/** Stores the UUID that firmware told when it asked how to boot (docs/machine-names.md). It is shown, and proves nothing. */
export const noteFirmwareUuid = named<never, [hostId: string, systemUuid: string]>(
  "boot_firmware_uuid",
  `INSERT INTO host_name AS n (host_id, source, kind, value) SELECT h.id, 'firmware', 'uuid', $2::uuid::text FROM host h WHERE h.id = $1::uuid
   ON CONFLICT (host_id, source, kind, value) DO UPDATE SET last_seen_at = EXCLUDED.last_seen_at`,
);

/**
 * Forgets what agents told that nobody confirmed, if a boot is contested and this is another address than its token was given to: one of the two is not
 * this host, and nobody knows which (docs/machine-names.md). Like a confirmation, it waits for the host's row.
 */
export const dropToldNames = named<never, [hostId: string, bootEpoch: number, address: string | null]>(
  "boot_names_drop",
  `WITH w AS (
     SELECT r.host_id FROM host_run r JOIN boot_window b ON b.host_id = r.host_id
      WHERE r.host_id = $1::uuid AND b.boot_epoch = $2::int AND b.contested_at IS NOT NULL
        AND b.token_address IS DISTINCT FROM $3::inet -- safety: names: nothing of a boot that two addresses asked for → AND false
      FOR UPDATE OF r)
   DELETE FROM host_name n USING w WHERE n.host_id = w.host_id AND n.source = 'agent' AND n.confirmed_at IS NULL`,
);

/**
 * Something asked how a held host should boot although no boot was expected: the host restarted, or something in its network says so. Noted once, until
 * the controller has checked it. No row: no erase has begun that could be voided, it is no longer held, another boot was ordered meanwhile, or this is
 * already known.
 */
export const noteUnorderedBoot = named<
  { readonly host_id: string },
  [hostId: string, bootEpoch: number, message: string]
>(
  "boot_unordered",
  `WITH told AS (
     INSERT INTO signal (host_id, kind, payload)
     SELECT r.host_id, 'bootUnordered', jsonb_build_object('bootEpoch', r.boot_epoch, 'message', $3::text) FROM host_run r
      WHERE r.host_id = $1::uuid AND r.boot_epoch = $2::int AND r.boot_held AND r.context #> '{cleaning,voided}' IS NULL
        AND EXISTS (SELECT 1 FROM step_run x WHERE x.reclamation_id = r.reclamation_id AND x.attempt > 0 AND 'storageSanitized' = ANY(x.proves))
        AND NOT EXISTS (SELECT 1 FROM signal k WHERE k.host_id = r.host_id AND k.kind = 'bootUnordered')
     RETURNING host_id)
   UPDATE host_run r SET ${wakeSet}, evidence_seq = r.evidence_seq + 1 FROM told WHERE r.host_id = told.host_id RETURNING r.host_id`,
);
