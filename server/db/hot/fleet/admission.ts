// What admission reads and writes: which hosts wait, what counts against the site's limits, and which hosts may begin (docs/cleaning.md#admission).
import type { Pool } from "pg";
import { z } from "zod";
import { byKey, named } from "@/server/db/hot/pool";
import type { HotDatabase } from "@/server/db/hot/pool";
import { withTransaction } from "@/server/db/connection";
import { slotStates } from "@/server/domain/cleaning/queue/admission";
import type { AdmissionUse, WaitingHost } from "@/server/domain/cleaning/queue/admission";
import { storedPolicy } from "@/server/domain/cleaning/policy/policy";
import type { Policy } from "@/server/domain/cleaning/policy/policy";

const list = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(", ");
/** The states in which a host waits for admission. */
const queueStates = list(["WaitingForCleanup/Queued", "ManualCleaning/Queued"]);

const waitingSites = named<{ site_id: string }, []>(
  "admission_sites",
  `
  SELECT s.id::text AS site_id FROM site s WHERE EXISTS (SELECT 1 FROM host_run r WHERE r.site_id = s.id AND r.state IN (${queueStates}))`,
);

/** Sites with a waiting host. One index probe per site and state, so it is cheap to call often. */
export async function sitesWithQueue(pool: Pool): Promise<readonly string[]> {
  return (await waitingSites(pool)).map((row) => row.site_id);
}

const lockClass = 7_237_143;
const lock = named<Record<string, never>, [number, string]>(
  "admission_lock",
  "SELECT pg_advisory_xact_lock($1::int, hashtext($2))::text",
);

/** An admitted host that has not read its signal yet is still queued, but already holds its place. */
const told = "EXISTS (SELECT 1 FROM signal g WHERE g.host_id = r.host_id AND g.kind = 'admitted')";

const read = named<
  { waiting: unknown; at_work: number; boots: unknown; domains: unknown; tenants: unknown; policy: unknown },
  [string]
>(
  "admission_read",
  `
  WITH working AS (
    SELECT r.host_id FROM host_run r WHERE r.site_id = $1::uuid AND (r.state IN (${list(slotStates)}) OR (r.state IN (${queueStates}) AND ${told}))
  ), booted AS (
    SELECT w.host_id FROM boot_window w JOIN host h ON h.id = w.host_id WHERE h.site_id = $1::uuid AND w.opened_at > now() - interval '1 minute'
    UNION ALL
    SELECT r.host_id FROM host_run r LEFT JOIN reclamation c ON c.id = r.reclamation_id WHERE r.site_id = $1::uuid
      AND ((r.state IN (${queueStates}) AND ${told}) OR (r.state IN (${list(slotStates)}) AND c.admitted_at > now() - interval '1 minute'))
      AND NOT EXISTS (SELECT 1 FROM boot_window w WHERE w.host_id = r.host_id AND w.opened_at > now() - interval '1 minute')
  ), waiting AS (
    -- A release that was admitted before, and gave its place back, counts already.
    SELECT r.host_id, h.network_segment, h.power_domain, CASE WHEN c.admitted_at IS NULL THEN c.tenant_id END AS tenant_id, t.instance_quota, c.queued_at, c.started_at
    FROM host_run r JOIN host h ON h.id = r.host_id JOIN reclamation c ON c.id = r.reclamation_id LEFT JOIN tenant t ON t.id = c.tenant_id
    WHERE r.site_id = $1::uuid AND r.state IN (${queueStates}) AND r.lease_owner IS NULL AND r.due_at IS NULL
      AND coalesce((r.context #>> '{cleaning,waitsForPlace}')::boolean, false) AND NOT ${told}
    ORDER BY c.started_at, r.host_id LIMIT 2000
  )
  SELECT
    coalesce((SELECT json_agg(json_build_object('hostId', w.host_id, 'segment', w.network_segment, 'powerDomain', w.power_domain, 'tenantId', w.tenant_id, 'quota', w.instance_quota) ORDER BY w.started_at, w.host_id) FROM waiting w), '[]') AS waiting,
    (SELECT count(*)::int FROM working) AS at_work,
    coalesce((SELECT json_agg(json_build_array(b.segment, b.boots)) FROM (SELECT h.network_segment AS segment, count(*)::int AS boots FROM booted JOIN host h ON h.id = booted.host_id GROUP BY 1) b), '[]') AS boots,
    coalesce((SELECT json_agg(json_build_array(d.domain, d.hosts)) FROM (SELECT h.power_domain AS domain, count(*)::int AS hosts FROM working JOIN host h ON h.id = working.host_id WHERE h.power_domain IS NOT NULL GROUP BY 1) d), '[]') AS domains,
    coalesce((SELECT json_agg(json_build_array(n.tenant_id, n.releases)) FROM (SELECT c.tenant_id, count(*)::int AS releases FROM reclamation c JOIN host_run r ON r.host_id = c.host_id AND r.site_id = $1::uuid
      WHERE c.tenant_id IN (SELECT tenant_id FROM waiting WHERE instance_quota IS NOT NULL) AND c.kind IN ('release', 'repairRelease') AND (c.admitted_at > now() - interval '1 hour' OR (c.id = r.reclamation_id AND r.state IN (${queueStates}) AND ${told})) GROUP BY 1) n), '[]') AS tenants,
    (SELECT p.body FROM site s JOIN site_policy p ON p.site_id = s.id AND p.version = s.policy_version WHERE s.id = $1::uuid) AS policy`,
);

const store = named<{ host_id: string }, [string]>(
  "admission_store",
  `
  WITH stored AS (
    INSERT INTO signal (host_id, kind, payload) SELECT h::uuid, 'admitted', '{}' FROM jsonb_array_elements_text($1::jsonb) h
  )
  UPDATE host_run r SET due_at = least(coalesce(r.due_at, 'infinity'), now()), wake_seq = r.wake_seq + 1
  FROM (SELECT h::uuid AS host_id FROM jsonb_array_elements_text($1::jsonb) h ORDER BY 1 ${byKey}) h WHERE r.host_id = h.host_id RETURNING r.host_id`,
);

const row = z.object({
  waiting: z.array(
    z.object({
      hostId: z.string(),
      segment: z.string().nullable(),
      powerDomain: z.string().nullable(),
      tenantId: z.string().nullable(),
      quota: z.number().nullable(),
    }),
  ),
  at_work: z.number(),
  boots: z.array(z.tuple([z.string().nullable(), z.number()])),
  domains: z.array(z.tuple([z.string(), z.number()])),
  tenants: z.array(z.tuple([z.string(), z.number()])),
  policy: storedPolicy,
});

export interface AdmissionFacts {
  /** Oldest release first. */
  readonly waiting: readonly WaitingHost[];
  readonly use: AdmissionUse;
  readonly policy: Policy;
}

const facts = (found: z.output<typeof row>): AdmissionFacts => ({
  waiting: found.waiting,
  use: {
    atWork: found.at_work,
    boots: new Map(found.boots),
    powerDomains: new Map(found.domains),
    tenants: new Map(found.tenants),
  },
  policy: found.policy,
});

/**
 * Lets `choose` admit hosts of a site, under the site's lock, so that no two processes count at the same time. Returns how many were admitted.
 * Throws if the site is gone or this version cannot read its policy; then nobody is admitted.
 */
export async function admitHosts(
  pool: Pool,
  siteId: string,
  choose: (facts: AdmissionFacts) => readonly string[],
): Promise<number> {
  return withTransaction(pool, async (client) => {
    await lock(client, lockClass, siteId);
    const chosen = choose(facts(row.parse((await read(client, siteId))[0])));
    if (chosen.length > 0) await store(client, JSON.stringify(chosen));
    return chosen.length;
  });
}

/** The same facts for a page, without the lock and without changes. */
export async function readAdmission(database: HotDatabase, siteId: string): Promise<AdmissionFacts> {
  return facts(row.parse((await read(database, siteId))[0]));
}
