// Marks Ready hosts whose proof is older than their site's policy allows, a few at a time (docs/adr/0121-ready-lasts.md).
import { fakeHardwareType } from "@/server/domain/hosts/fake/fake-type";
import { named } from "@/server/db/hot/pool";
import type { HotDatabase } from "@/server/db/hot/pool";
import { wakeChannel } from "@/server/db/hot/signal";
import { agedShare, defaultMaxAgeDays, maxTakenShare } from "@/server/domain/hosts/ready-watch/age";

/**
 * From nine tenths of its age on a host may be taken: the oldest first, at most a tenth of the allocatable hosts of its SKU and site at once, and never
 * the last one. At its full age it is taken even if it is the last.
 */
const mark = named<{ host_id: string }, []>(
  "aged_proof_mark",
  `
  WITH fleet AS (
    SELECT r.host_id, r.site_id, h.sku_id, r.state, r.allocatable, r.touched_reason, c.kind AS reclamation_kind,
      extract(epoch FROM now() - c.ended_at) / nullif(days.limit * 86400.0, 0) AS share
    FROM host_run r JOIN host h ON h.id = r.host_id JOIN site s ON s.id = r.site_id
      JOIN site_policy p ON p.site_id = s.id AND p.version = s.policy_version
      CROSS JOIN LATERAL (SELECT coalesce((p.body ->> 'proofMaxAgeDays')::int, ${defaultMaxAgeDays}) AS limit) days
      JOIN reclamation c ON c.id = r.reclamation_id
    WHERE h.hardware_type <> '${fakeHardwareType}' AND r.state = 'Ready' AND r.allocatable
      AND NOT EXISTS (SELECT 1 FROM instance n WHERE n.host_id = r.host_id AND n.ended_at IS NULL)
  ), ranked AS (
    SELECT f.host_id, f.share,
      row_number() OVER (PARTITION BY f.site_id, f.sku_id ORDER BY f.share DESC NULLS LAST, f.host_id) AS place,
      count(*) OVER (PARTITION BY f.site_id, f.sku_id) AS allocatable,
      (SELECT count(*) FROM host_run o JOIN host k ON k.id = o.host_id JOIN reclamation e ON e.id = o.reclamation_id
        WHERE o.site_id = f.site_id AND k.sku_id IS NOT DISTINCT FROM f.sku_id AND e.kind = 'recheck' AND e.ended_at IS NULL) AS busy
    FROM fleet f
  ), taken AS (
    SELECT host_id FROM ranked
    WHERE false
      OR share >= 1 -- safety: ready: a proof past its full age
      OR (share >= ${agedShare} AND place < allocatable
        AND place + busy <= greatest(1, allocatable * ${maxTakenShare}) -- safety: ready: aged hosts are not taken at once
      )
    ORDER BY host_id
  )
  UPDATE host_run r SET touched = true, touched_reason = 'its proof has reached the maximum age of the policy', touch_uncovered = true,
    allocatable = false, evidence_seq = r.evidence_seq + 1, due_at = least(coalesce(r.due_at, 'infinity'), now()), wake_seq = r.wake_seq + 1
  FROM taken t WHERE r.host_id = t.host_id AND r.state = 'Ready' AND r.allocatable
  RETURNING r.host_id::text, (SELECT pg_notify('${wakeChannel}', ''))::text`,
);

/** Returns the hosts that are rechecked now. */
export async function recheckAged(database: HotDatabase): Promise<void> {
  await mark(database);
}
