// One interface of a host acknowledges the network that we asked for: who says it, whether it is the wanted one, the record and the wake-up in one statement.
import { wakeSet } from "@/server/db/hot/agent-session";
import { named } from "@/server/db/hot/pool";

/**
 * `foreign`: no such host at the site of this token. `stale`: another version, configuration or interface is wanted.
 * `unhashed`: the digest of what is wanted is not stored yet; compute it from `wanted` and ask again with it.
 */
export type AcknowledgementVerdict = "stored" | "foreign" | "stale" | "unhashed";

export interface AcknowledgementRow {
  readonly verdict: AcknowledgementVerdict;
  readonly adapter: string;
  readonly site_id: string;
  readonly host_id: string | null;
  readonly wanted: unknown;
}

/** No row: the token is nobody's. `computed` is the digest of the wanted configuration if the caller had to compute it. */
export const storeAcknowledgement = named<
  AcknowledgementRow,
  [tokenHash: Buffer, hostId: string | null, interfaceName: string, version: number, sha256: string, extensionServices: string, computed: string | null]
>(
  "network_acknowledge",
  `WITH a AS (SELECT adapter, site_id FROM adapter_token WHERE hash = $1),
   r AS (
     SELECT r.host_id, r.context->'network'->'wanted' AS wanted, coalesce(r.context->'network'->>'sha256', $7::text) AS sha256
       FROM a JOIN host_run r ON r.host_id = $2::uuid AND r.site_id = a.site_id FOR UPDATE OF r),
   v AS (
     SELECT r.*, CASE
              WHEN (r.wanted->>'version')::int IS DISTINCT FROM $4::int OR NOT coalesce(r.wanted->'interfaces' ? $3::text, false) THEN 'stale'
              WHEN r.sha256 IS NULL THEN 'unhashed'
              WHEN r.sha256 <> $5::text THEN 'stale'
              ELSE 'stored' END AS verdict
       FROM r),
   put AS (
     INSERT INTO network_ack (host_id, interface, version, sha256, extension_services, at)
     SELECT host_id, $3::text, $4::int, $5::text, $6::text, now() FROM v WHERE verdict = 'stored'
     ON CONFLICT (host_id, interface) DO UPDATE SET version = EXCLUDED.version, sha256 = EXCLUDED.sha256, extension_services = EXCLUDED.extension_services, at = EXCLUDED.at
     RETURNING host_id),
   told AS (
     INSERT INTO signal (host_id, kind, payload)
     SELECT host_id, 'networkAck', jsonb_build_object('interface', $3::text, 'version', $4::int) FROM put RETURNING host_id),
   woken AS (UPDATE host_run r SET ${wakeSet}, evidence_seq = r.evidence_seq + 1 FROM told WHERE r.host_id = told.host_id)
   SELECT coalesce(v.verdict, 'foreign') AS verdict, a.adapter, a.site_id, v.host_id, v.wanted FROM a LEFT JOIN v ON true`,
);
