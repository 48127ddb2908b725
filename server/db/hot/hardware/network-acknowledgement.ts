// Interfaces acknowledge the wanted network: who says so, whether the version is the wanted one, the record and the wake-up, all in one statement.
import { wakeSet } from "@/server/db/hot/agent/session";
import { gathered } from "@/server/db/hot/gather";
import { rowsByKey } from "@/server/db/hot/pool";

/**
 * `foreign`: no such host at this token's site. `stale`: another version, configuration or interface is wanted.
 * `unhashed`: the digest of the wanted configuration is not stored yet; compute it from `wanted` and retry with it.
 */
export type AcknowledgementVerdict = "stored" | "foreign" | "stale" | "unhashed";

export interface AcknowledgementRow {
  readonly verdict: AcknowledgementVerdict;
  readonly adapter: string;
  readonly site_id: string;
  readonly host_id: string | null;
  readonly wanted: unknown;
}

export interface AcknowledgementQuestion {
  /** SHA-256 of the adapter's token, in hexadecimal digits. */
  readonly token: string;
  readonly host_id: string | null;
  readonly interface: string;
  readonly version: number;
  readonly sha256: string;
  readonly extension_services: string;
  /** The digest of the wanted configuration, if the caller had to compute it. */
  readonly computed: string | null;
}

/** No row: the token is unknown. */
export const storeAcknowledgement = gathered<AcknowledgementRow, AcknowledgementQuestion>(
  "network_acknowledge",
  `WITH a AS (
     SELECT q.*, t.adapter, t.site_id
       FROM ${rowsByKey("q", "n int, token text, host_id uuid, interface text, version int, sha256 text, extension_services text, computed text")}
       JOIN adapter_token t ON t.hash = decode(q.token, 'hex')),
   r AS (
     SELECT a.n, a.interface, a.version, a.sha256, a.extension_services, r.host_id, r.context->'network'->'wanted' AS wanted, coalesce(r.context->'network'->>'sha256', a.computed) AS wanted_sha256
       FROM a JOIN host_run r ON r.host_id = a.host_id
         AND r.site_id = a.site_id -- safety: acknowledgement: of a host of the site
      ORDER BY r.host_id FOR UPDATE OF r),
   v AS (
     SELECT r.*, CASE
              WHEN (r.wanted->>'version')::int IS DISTINCT FROM r.version -- safety: acknowledgement: of the wanted version → WHEN r.version IS NULL
                OR NOT coalesce(r.wanted->'interfaces' ? r.interface, false) THEN 'stale'
              WHEN r.wanted_sha256 IS NULL THEN 'unhashed'
              WHEN r.wanted_sha256 <> r.sha256 THEN 'stale' -- safety: acknowledgement: of the wanted configuration
              ELSE 'stored' END AS verdict
       FROM r),
   put AS (
     INSERT INTO network_ack (host_id, interface, version, sha256, extension_services, at)
     SELECT DISTINCT ON (host_id, interface) host_id, interface, version, sha256, extension_services, now() FROM v WHERE verdict = 'stored' ORDER BY host_id, interface, n DESC
     ON CONFLICT (host_id, interface) DO UPDATE SET version = EXCLUDED.version, sha256 = EXCLUDED.sha256, extension_services = EXCLUDED.extension_services, at = EXCLUDED.at
     RETURNING host_id, interface, version),
   told AS (
     INSERT INTO signal (host_id, kind, payload)
     SELECT host_id, 'networkAck', jsonb_build_object('interface', interface, 'version', version) FROM put RETURNING host_id),
   woken AS (UPDATE host_run r SET ${wakeSet}, evidence_seq = r.evidence_seq + 1 FROM told WHERE r.host_id = told.host_id)
   SELECT a.n, coalesce(v.verdict, 'foreign') AS verdict, a.adapter, a.site_id, v.host_id, v.wanted FROM a LEFT JOIN v ON v.n = a.n`,
);
