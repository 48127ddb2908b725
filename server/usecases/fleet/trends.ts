// How many hosts were ready, came back and needed attention over time, from samples taken every ten minutes (server/db/fleet-samples.ts).
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { FleetSummary } from "@/server/contract/fleet/fleet-answers";
import type { Database } from "@/server/db/prisma";
import type { FleetScope } from "@/server/usecases/fleet/fleet-scope";
import { perDatabase } from "@/server/usecases/timed-cache";

export type Trends = Pick<FleetSummary, "trends" | "weekAgo">;

const cacheOf = perDatabase<Trends>("trends", { ttlMs: 30_000, max: 50 });

/** One point per hour of a day, six hours of a week, or day of a month: the newest sample of each. */
const stepOf = (hours: number): string => (hours <= 24 ? "1 hour" : hours <= 168 ? "6 hours" : "1 day");

const week = "7 days";

interface SampleRow {
  readonly at: Date;
  readonly ready: number;
  readonly coming_back: number;
  readonly need_person: number;
  readonly before: boolean;
}

export function readTrends(database: Database, scope: FleetScope, now: Date): Promise<Trends> {
  return cacheOf(database).get(scope.key, async () => {
    const { siteId, skuId, tenantId, hours } = scope;
    const rows = await queryRows(
      database,
      sql<SampleRow>`
      WITH marks AS (
        SELECT max(at) AS at, false AS before FROM (SELECT DISTINCT at FROM fleet_sample WHERE at >= ${now}::timestamptz - ${hours} * interval '1 hour') a
          GROUP BY date_bin(${stepOf(hours)}::interval, at, 'epoch')
        UNION ALL
        (SELECT at, true FROM fleet_sample WHERE at BETWEEN ${now}::timestamptz - ${week}::interval - interval '1 hour' AND ${now}::timestamptz - ${week}::interval ORDER BY at DESC LIMIT 1)
      )
      SELECT m.at, m.before, coalesce(sum(s.ready), 0)::int AS ready, coalesce(sum(s.coming_back), 0)::int AS coming_back, coalesce(sum(s.need_person), 0)::int AS need_person
      FROM marks m LEFT JOIN fleet_sample s ON s.at = m.at
        AND (${siteId}::uuid IS NULL OR s.site_id = ${siteId}::uuid) AND (${skuId}::uuid IS NULL OR s.sku_id = ${skuId}::uuid) AND (${tenantId}::uuid IS NULL OR s.tenant_id = ${tenantId}::uuid)
      GROUP BY m.at, m.before ORDER BY m.at`,
    );
    const counts = ({ ready, coming_back, need_person }: SampleRow) => ({
      ready,
      comingBack: coming_back,
      needPerson: need_person,
    });
    const weekAgo = rows.find(({ before }) => before);
    return {
      trends: rows.filter(({ before }) => !before).map((row) => ({ at: row.at, ...counts(row) })),
      weekAgo: weekAgo === undefined ? null : counts(weekAgo),
    };
  });
}
