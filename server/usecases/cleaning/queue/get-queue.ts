// The queue of each site in numbers, with its limits and the brakes. The waiting hosts are read in pages (`queue-hosts.ts`).
import { sql } from "kysely";
import { hotWithin, queryRows } from "@/server/db/sql";
import type { AdmissionUse } from "@/server/domain/cleaning/queue/admission";
import { isBrakeDimension } from "@/server/domain/cleaning/queue/brake";
import { narrowedTo } from "@/server/domain/cleaning/queue/narrowed";
import type { Policy } from "@/server/domain/cleaning/policy/policy";
import { readAdmission } from "@/server/db/hot/fleet/admission";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import type {
  BrakeLine,
  LimitLine,
  PlaceLimit,
  QueuePage,
  SiteQueue,
} from "@/server/contract/cleaning/queue-answers";
import { scopeOf } from "@/server/usecases/read";
import { readEach } from "@/server/usecases/readable";

const most = (values: Iterable<number>): number => Math.max(0, ...values);

function limitLines({ admission }: Policy, use: AdmissionUse): readonly LimitLine[] {
  return [
    { name: "atWork", words: "hosts in progress", limit: admission.atWork, used: use.atWork },
    {
      name: "bootsPerMinute",
      words: "boots per minute and network segment",
      limit: admission.bootsPerMinute,
      used: most(use.boots.values()),
    },
    {
      name: "perPowerDomain",
      words: "hosts in progress per power domain",
      limit: admission.perPowerDomain,
      used: admission.perPowerDomain === null ? null : most(use.powerDomains.values()),
    },
    {
      name: "tenantReleasesPerHour",
      words: "releases of a tenant per hour, beyond its quota",
      limit: admission.tenantReleasesPerHour,
      used: null,
    },
  ];
}

/** Places with a limit of their own, by name. */
const placeLimits = (
  limits: Readonly<Record<string, number>>,
  use: ReadonlyMap<string | null, number>,
): readonly PlaceLimit[] =>
  Object.entries(limits)
    .map(([place, limit]) => ({ place, limit, used: use.get(place) ?? 0 }))
    .sort((a, b) => a.place.localeCompare(b.place, "en", { numeric: true }));

async function readSite(
  { database }: Backend,
  site: { readonly id: string; readonly name: string; readonly policyVersion: number },
): Promise<SiteQueue> {
  const [facts, waiting] = await Promise.all([
    readAdmission(hotWithin(database), site.id),
    database.hostRun.count({
      where: { siteId: site.id, state: { in: ["WaitingForCleanup/Queued", "ManualCleaning/Queued"] } },
    }),
  ]);
  return {
    siteId: site.id,
    site: site.name,
    atWork: facts.use.atWork,
    policyVersion: site.policyVersion,
    limits: limitLines(facts.policy, facts.use),
    segments: placeLimits(facts.policy.admission.segments, facts.use.boots),
    powerDomains: placeLimits(facts.policy.admission.powerDomains, facts.use.powerDomains),
    waiting,
  };
}

interface BrakeRow extends Pick<BrakeLine, "failed" | "id" | "message" | "site" | "started" | "value"> {
  readonly dimension: string;
  readonly engaged_at: Date;
  readonly lifted_at: Date | null;
  readonly lifted_by: string | null;
  readonly asks: string[];
  readonly narrowed_to: unknown;
  readonly holds: bigint;
}

/** How many hosts a brake `b` holds back. Such a host is found by its reason, which contains the brake's message. */
export const heldByBrake = sql`(SELECT count(*) FROM host_run r WHERE r.site_id = b.site_id AND b.lifted_at IS NULL AND r.state IN ('WaitingForCleanup/Queued', 'ManualCleaning/Queued') AND strpos(coalesce(r.wait_reason, ''), b.message) > 0)`;

async function readBrakes({ database }: Backend): Promise<readonly BrakeLine[]> {
  const rows = await queryRows(
    database,
    sql<BrakeRow>`
    SELECT b.id::text, s.name AS site, b.dimension, b.value, b.failed, b.started, b.message, b.engaged_at, b.lifted_at, b.asks, b.narrowed_to, p.name AS lifted_by,
      ${heldByBrake} AS holds
    FROM brake b JOIN site s ON s.id = b.site_id LEFT JOIN person p ON p.id = b.lifted_by
    WHERE b.lifted_at IS NULL OR b.lifted_at > now() - interval '1 day'
    ORDER BY b.lifted_at IS NOT NULL, b.asks = '{}', b.engaged_at DESC, b.id LIMIT 100`,
  );
  return rows.flatMap((row): BrakeLine[] =>
    isBrakeDimension(row.dimension)
      ? [
          {
            id: row.id,
            site: row.site,
            dimension: row.dimension,
            value: row.value,
            failed: row.failed,
            started: row.started,
            message: row.message,
            engagedAt: row.engaged_at,
            holds: Number(row.holds),
            liftedAt: row.lifted_at,
            liftedBy: row.lifted_by,
            asks: row.asks,
            narrowedTo: narrowedTo.parse(row.narrowed_to),
          },
        ]
      : [],
  );
}

export async function getQueue(backend: Backend, actor: Actor): Promise<Outcome<QueuePage>> {
  const scope = scopeOf(actor, "cleaning.read");
  if (!scope.ok) return scope;
  const sites = await backend.database.site.findMany({
    orderBy: { name: "asc" },
    select: { id: true, name: true, policyVersion: true },
  });
  const [brakes, queues] = await Promise.all([
    readBrakes(backend),
    readEach(sites, (site) => readSite(backend, site)),
  ]);
  return done({
    at: new Date(),
    sites: queues.values,
    unreadable: queues.unread.map(({ name }) => name),
    brakes,
  });
}
