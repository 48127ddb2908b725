// Boot windows: whether one is open for the host that asks, and the token that belongs to it (design: agent.md, How a host boots it).
import { gathered } from "@/server/db/hot/gather";

export interface BootWindowRow {
  readonly host_id: string;
  readonly boot_epoch: number;
  readonly token_box: Buffer | null;
  /** An agent registered in it. */
  readonly consumed: boolean;
  readonly provisioning_networks: unknown;
  /** That this boot was given last. */
  readonly image_id: string | null;
  /** Of the site; null: it has none but the configured one. */
  readonly current_image: { readonly id: string; readonly url: string } | null;
  /** Of the site, with how far it is rolled out and what became of it on this host. */
  readonly candidate_image: unknown;
}

export interface BootWindowQuestion {
  readonly system_uuid: string | null;
  readonly mac: string | null;
}

/** The open window of the host with that UUID or, if none is given, that MAC: of the newest boot that we ordered, and not over. */
export const findBootWindow = gathered<BootWindowRow, BootWindowQuestion>(
  "boot_window_find",
  `WITH q AS (
     SELECT n, system_uuid, mac FROM jsonb_to_recordset($1::jsonb) AS q(n int, system_uuid uuid, mac text)
   ), asked AS (
     SELECT q.n, h.id AS host_id FROM q JOIN host h ON h.system_uuid = q.system_uuid
     UNION ALL
     SELECT q.n, h.id FROM q JOIN host h ON h.macs @> ARRAY[q.mac] WHERE q.system_uuid IS NULL
   )
   SELECT asked.n, b.host_id, b.boot_epoch, b.token_box, b.consumed_at IS NOT NULL AS consumed, p.body->'provisioningNetworks' AS provisioning_networks, b.image_id,
          CASE WHEN cur.id IS NOT NULL THEN json_build_object('id', cur.id, 'url', cur.url) END AS current_image,
          CASE WHEN new.id IS NOT NULL THEN json_build_object('id', new.id, 'url', new.url,
            'rollout', json_strip_nulls(json_build_object('stage', new.stage, 'hosts', new.hosts, 'percent', new.percent)),
            'braked', EXISTS (SELECT 1 FROM brake k WHERE k.site_id = h.site_id AND k.dimension = 'image' AND k.value = new.version AND k.lifted_at IS NULL),
            'had', CASE WHEN b.image_id = new.id THEN 'under way' ELSE (SELECT CASE WHEN e.consumed_at IS NOT NULL THEN 'cameUp' WHEN e.expires_at <= now() THEN 'didNot' ELSE 'under way' END
              FROM boot_window e WHERE e.host_id = h.id AND e.image_id = new.id AND e.boot_epoch < b.boot_epoch ORDER BY e.boot_epoch DESC LIMIT 1) END) END AS candidate_image
     FROM asked
     JOIN host h ON h.id = asked.host_id
     JOIN host_run r ON r.host_id = h.id
     JOIN boot_window b ON b.host_id = h.id AND b.boot_epoch = r.boot_epoch
     JOIN site t ON t.id = h.site_id
     LEFT JOIN agent_image cur ON cur.site_id = h.site_id AND cur.status = 'current'
     LEFT JOIN agent_image new ON new.site_id = h.site_id AND new.status = 'candidate'
     JOIN site_policy p ON p.site_id = t.id AND p.version = t.policy_version
    WHERE b.expires_at > now()`,
);

export interface BootTokenQuestion {
  readonly host_id: string;
  readonly boot_epoch: number;
  /** Sealed, and the SHA-256 of it, both in hexadecimal digits. */
  readonly token_box: string;
  readonly token: string;
}

/** Gives a window its token, unless another request just did; returns the one that it has. */
export const giveBootToken = gathered<{ readonly token_box: Buffer }, BootTokenQuestion>(
  "boot_window_token",
  `WITH q AS (
     SELECT * FROM jsonb_to_recordset($1::jsonb) AS q(n int, host_id uuid, boot_epoch int, token_box text, token text)
   ), given AS (
     UPDATE boot_window b SET token_box = coalesce(b.token_box, decode(q.token_box, 'hex')), token_hash = coalesce(b.token_hash, decode(q.token, 'hex'))
       FROM (SELECT DISTINCT ON (host_id, boot_epoch) * FROM q ORDER BY host_id, boot_epoch) q WHERE b.host_id = q.host_id AND b.boot_epoch = q.boot_epoch
     RETURNING b.host_id, b.boot_epoch, b.token_box
   )
   SELECT q.n, given.token_box FROM q JOIN given ON given.host_id = q.host_id AND given.boot_epoch = q.boot_epoch`,
);
