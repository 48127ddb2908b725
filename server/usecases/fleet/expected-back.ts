// When returning hosts will be back: reads the reclamations in progress and measured durations for `forecast`.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { FleetSummary } from "@/server/contract/fleet/fleet-answers";
import type { Database } from "@/server/db/prisma";
import { forecast } from "@/server/domain/hosts/forecast";
import type { MeasuredTrip } from "@/server/domain/hosts/forecast";
import { hostSets, statesOfGroup } from "@/server/domain/hosts/host-groups";
import type { UnknownState } from "@/server/domain/lifecycle/states";
import { ofHosts } from "@/server/usecases/fleet/fleet-scope";
import type { FleetScope } from "@/server/usecases/fleet/fleet-scope";
import { perDatabase } from "@/server/usecases/timed-cache";

const cacheOf = perDatabase<FleetSummary["forecast"]>("forecast", { ttlMs: 15_000, max: 50 });
/** The same for every part of the fleet; a minute more hardly changes a month of data. */
const measuredOf = perDatabase<readonly MeasuredTrip[]>("measuredTrips", { ttlMs: 60_000, max: 1 });
/** Newest reclamations that are read, which bounds the query however old the fleet is. */
const sampled = 1_000;
const measuredDays = 30;

/** How long the newest reclamations took. */
async function readMeasured(database: Database, now: Date): Promise<readonly MeasuredTrip[]> {
  const rows = await queryRows(
    database,
    sql<{ took: number; sku_id: string | null }>`
    SELECT extract(epoch FROM c.ended_at - c.started_at)::float8 * 1000 AS took, h.sku_id::text
    FROM (SELECT host_id, started_at, ended_at FROM reclamation
      WHERE ended_at >= ${now}::timestamptz - ${measuredDays} * interval '1 day' AND outcome = 'ready' AND kind IN ('release', 'repairRelease')
      ORDER BY ended_at DESC LIMIT ${sampled}) c JOIN host h ON h.id = c.host_id`,
  );
  return rows.map(({ took, sku_id }) => ({ tookMs: took, skuId: sku_id }));
}

/** Read at most once a minute. */
export const measuredTrips = (database: Database, now: Date): Promise<readonly MeasuredTrip[]> =>
  measuredOf(database).get("", () => readMeasured(database, now));

export function readForecast(
  database: Database,
  scope: FleetScope,
  now: Date,
  others: readonly UnknownState[],
): Promise<FleetSummary["forecast"]> {
  return cacheOf(database).get(scope.key, async () => {
    const comingBack = hostSets.comingBack.groups.flatMap((group) => statesOfGroup(group, others));
    const [open, measured] = await Promise.all([
      queryRows(
        database,
        sql<{ since: Date; sku_id: string | null; stands: boolean }>`
        SELECT c.started_at AS since, h.sku_id::text, c.paused_at IS NOT NULL AS stands
        FROM host_run r JOIN reclamation c ON c.id = r.reclamation_id AND c.ended_at IS NULL JOIN host h ON h.id = r.host_id
        WHERE r.state = ANY(${comingBack}) AND c.kind IN ('release', 'repairRelease') AND ${ofHosts(scope)}`,
      ),
      measuredTrips(database, now),
    ]);
    const { halfAtMs, ninetiethAtMs, ...said } = forecast(
      now.getTime(),
      open.map(({ since, sku_id, stands }) => ({ sinceMs: since.getTime(), skuId: sku_id, stands })),
      measured,
    );
    const at = (ms: number | null) => (ms === null ? null : new Date(ms));
    return { ...said, halfAt: at(halfAtMs), mostAt: at(ninetiethAtMs) };
  });
}
