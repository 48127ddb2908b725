// The queue of each site, with the limits that make it one, and the brakes.
import { admit } from "@/server/domain/cleaning/admission";
import type { AdmissionUse } from "@/server/domain/cleaning/admission";
import { brakeDimensions } from "@/server/domain/cleaning/brake";
import type { BrakeDimension } from "@/server/domain/cleaning/brake";
import type { Policy } from "@/server/domain/cleaning/policy";
import { readAdmission } from "@/server/db/hot/admission";
import { hotWithin } from "@/server/db/host-changes";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import type { BrakeLine, LimitLine, QueueLine, QueuePage, SiteQueue } from "@/server/usecases/queue/queue-shapes";
import { scopeOf } from "@/server/usecases/read";

/** More are counted and not listed: Hosts lists them all. */
const mostListed = 200;

const most = (values: Iterable<number>): number => Math.max(0, ...values);

function limitLines({ admission }: Policy, use: AdmissionUse): readonly LimitLine[] {
  return [
    { name: "atWork", words: "hosts at work", limit: admission.atWork, used: use.atWork },
    { name: "bootsPerMinute", words: "boots per minute and network segment", limit: admission.bootsPerMinute, used: most(use.boots.values()) },
    { name: "perPowerDomain", words: "hosts at work per power domain", limit: admission.perPowerDomain, used: admission.perPowerDomain === null ? null : most(use.powerDomains.values()) },
    { name: "tenantReleasesPerHour", words: "releases of a tenant per hour, beyond its quota", limit: admission.tenantReleasesPerHour, used: null },
  ];
}

interface Row {
  readonly host_id: string;
  readonly name: string;
  readonly model: string | null;
  readonly state_since: Date;
  readonly tenant: string | null;
  readonly wait_reason: string | null;
  readonly total: bigint;
}

async function readSite(backend: Backend, site: { readonly id: string; readonly name: string }): Promise<SiteQueue> {
  const { database } = backend;
  const { waiting, use, policy } = await readAdmission(hotWithin(database), site.id);
  const rows = await database.$queryRaw<Row[]>`
    SELECT r.host_id::text, r.name, h.model, r.state_since, t.name AS tenant, r.wait_reason, count(*) OVER () AS total
    FROM host_run r JOIN host h ON h.id = r.host_id LEFT JOIN reclamation c ON c.id = r.reclamation_id LEFT JOIN tenant t ON t.id = c.tenant_id
    WHERE r.site_id = ${site.id}::uuid AND r.state IN ('WaitingForCleanup/Queued', 'ManualCleaning/Queued') ORDER BY c.started_at, r.host_id LIMIT ${mostListed}`;
  const places = new Map(waiting.map(({ hostId }, index) => [hostId, index + 1]));
  const reasons = admit(waiting, use, policy.admission).waiting;
  return {
    siteId: site.id,
    site: site.name,
    atWork: use.atWork,
    limits: limitLines(policy, use),
    waiting: Number(rows[0]?.total ?? 0),
    hosts: rows.map((row): QueueLine => ({
      hostId: row.host_id, name: row.name, model: row.model, place: places.get(row.host_id) ?? null, since: row.state_since, tenant: row.tenant,
      reason: reasons.get(row.host_id) ?? (places.has(row.host_id) ? "is told to begin" : (row.wait_reason ?? "")),
    })),
  };
}

const isDimension = (value: string): value is BrakeDimension => brakeDimensions.some((name) => name === value);

interface BrakeRow {
  readonly id: string;
  readonly site: string;
  readonly dimension: string;
  readonly value: string;
  readonly failed: number;
  readonly started: number;
  readonly message: string;
  readonly engaged_at: Date;
  readonly lifted_at: Date | null;
  readonly lifted_by: string | null;
  readonly holds: bigint;
}

/** A host that a brake holds back names it: its reason is the brake's message. */
async function readBrakes({ database }: Backend): Promise<readonly BrakeLine[]> {
  const rows = await database.$queryRaw<BrakeRow[]>`
    SELECT b.id::text, s.name AS site, b.dimension, b.value, b.failed, b.started, b.message, b.engaged_at, b.lifted_at, p.name AS lifted_by,
      (SELECT count(*) FROM host_run r WHERE r.site_id = b.site_id AND b.lifted_at IS NULL AND r.state IN ('WaitingForCleanup/Queued', 'ManualCleaning/Queued') AND strpos(coalesce(r.wait_reason, ''), b.message) > 0) AS holds
    FROM brake b JOIN site s ON s.id = b.site_id LEFT JOIN person p ON p.id = b.lifted_by
    WHERE b.lifted_at IS NULL OR b.lifted_at > now() - interval '1 day' ORDER BY b.lifted_at IS NOT NULL, b.engaged_at DESC LIMIT 100`;
  return rows.flatMap((row): BrakeLine[] => (isDimension(row.dimension)
    ? [{ id: row.id, site: row.site, dimension: row.dimension, value: row.value, failed: row.failed, started: row.started, message: row.message, engagedAt: row.engaged_at, holds: Number(row.holds), liftedAt: row.lifted_at, liftedBy: row.lifted_by }]
    : []));
}

export async function getQueue(backend: Backend, actor: Actor): Promise<Outcome<QueuePage>> {
  const scope = scopeOf(actor, "cleaning.read");
  if (!scope.ok) return scope;
  const sites = await backend.database.site.findMany({ orderBy: { name: "asc" }, select: { id: true, name: true } });
  const [brakes, queues] = await Promise.all([readBrakes(backend), Promise.all(sites.map((site) => readSite(backend, site)))]);
  return done({ at: new Date(), sites: queues, brakes });
}
