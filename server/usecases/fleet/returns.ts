// The reclamations of the last day, week or month: how many were released and came back, how long they took, and how long their steps took.
// Every query starts at the index of ended or of open reclamations, so its cost does not grow with older history.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import type { FleetSummary, HourOfReturns, StepDuration } from "@/server/contract/fleet/fleet-answers";
import { bucketsOf, ofTrips } from "@/server/usecases/fleet/fleet-scope";
import type { FleetScope } from "@/server/usecases/fleet/fleet-scope";
import { perDatabase } from "@/server/usecases/timed-cache";

export interface Returns {
  readonly returnsPerHour: readonly HourOfReturns[];
  readonly timeToReady: FleetSummary["timeToReady"];
  readonly stepDurations: readonly StepDuration[];
}

const hourMs = 3_600_000;
const weekHours = 168;
/** How many of the newest reclamations the durations of steps are taken from. */
const sampledReturns = 500;
const cacheOf = perDatabase<Returns>("returns", { ttlMs: 5_000, max: 50 });
/** For what hardly changes within a minute: the durations of steps, and the period of comparison. */
const slowCacheOf = perDatabase<SlowReturns>("slowReturns", { ttlMs: 60_000, max: 50 });

interface HourRow {
  readonly hour: Date;
  readonly released: number;
  readonly returned: number;
  readonly p50: number | null;
}

/** A reclamation that began since then has either ended since then or is open, so both counts come from the same rows, one per hour. */
const readHours = (
  database: Database,
  scope: FleetScope,
  { from, bucketMs }: { from: Date; bucketMs: number },
): Promise<HourRow[]> =>
  queryRows(
    database,
    sql`
  WITH trips AS MATERIALIZED (
    SELECT started_at, ended_at, outcome FROM reclamation c WHERE ended_at >= ${from} AND kind IN ('release', 'repairRelease') AND ${ofTrips(scope, "c")}
    UNION ALL
    SELECT started_at, ended_at, outcome FROM reclamation c WHERE ended_at IS NULL AND started_at >= ${from} AND kind IN ('release', 'repairRelease') AND ${ofTrips(scope, "c")}
  )
  SELECT date_bin(${bucketMs} * interval '1 millisecond', started_at, ${from}) AS hour, count(*)::int AS released, 0 AS returned, NULL::float8 AS p50 FROM trips WHERE started_at >= ${from} GROUP BY 1
  UNION ALL
  SELECT date_bin(${bucketMs} * interval '1 millisecond', ended_at, ${from}), 0, count(*)::int, percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM ended_at - started_at)::float8 * 1000) FROM trips WHERE outcome = 'ready' GROUP BY 1`,
  );

interface TookRow {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly returns: number;
}

/** Only releases that ended in Ready: an onboarding has no tenant to wait for. */
async function readTook(database: Database, scope: FleetScope, from: Date, to: Date): Promise<TookRow> {
  const [row] = await queryRows(
    database,
    sql<TookRow>`
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY took) AS p50, percentile_cont(0.95) WITHIN GROUP (ORDER BY took) AS p95, count(*)::int AS returns FROM (
      SELECT extract(epoch FROM ended_at - started_at)::float8 * 1000 AS took FROM reclamation c
      WHERE ${ofTrips(scope, "c")} AND ended_at >= ${from} AND ended_at < ${to} AND outcome = 'ready' AND kind IN ('release', 'repairRelease') ORDER BY ended_at DESC LIMIT 20000) newest`,
  );
  return row ?? { p50: null, p95: null, returns: 0 };
}

const readSteps = (
  database: Database,
  scope: FleetScope,
  from: Date,
): Promise<{ step: string; runs: number; spread: readonly number[] }[]> =>
  queryRows(
    database,
    sql`
  SELECT t.interface || '.' || t.step AS step, count(*)::int AS runs, percentile_cont(ARRAY[0.05, 0.25, 0.5, 0.75, 0.95]) WITHIN GROUP (ORDER BY extract(epoch FROM t.ended_at - t.started_at)::float8 * 1000) AS spread
  FROM (SELECT id, plan_epoch FROM reclamation c WHERE ${ofTrips(scope, "c")} AND ended_at >= ${from} AND kind <> 'manualCleaning' ORDER BY ended_at DESC LIMIT ${sampledReturns}) c
  JOIN step_run t ON t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch
  WHERE t.status = 'succeeded' AND t.started_at IS NOT NULL AND t.ended_at IS NOT NULL
  GROUP BY t.interface, t.step ORDER BY max(t.priority) DESC, step`,
  );

export interface SlowReturns {
  readonly before: TookRow;
  readonly stepDurations: readonly StepDuration[];
}

/** @param earlierMs how long ago the period of comparison was */
async function readSlow(
  database: Database,
  scope: FleetScope,
  since: Date,
  earlierMs: number,
): Promise<SlowReturns> {
  const earlier = new Date(since.getTime() - earlierMs);
  const [before, steps] = await Promise.all([
    readTook(database, scope, earlier, new Date(earlier.getTime() + scope.hours * hourMs)),
    readSteps(database, scope, since),
  ]);
  return {
    before,
    stepDurations: steps.map(
      ({ step, runs, spread: [p5Ms = 0, p25Ms = 0, p50Ms = 0, p75Ms = 0, p95Ms = 0] }) => ({
        step,
        runs,
        p5Ms,
        p25Ms,
        p50Ms,
        p75Ms,
        p95Ms,
      }),
    ),
  };
}

export function readReturns(database: Database, scope: FleetScope, now: Date): Promise<Returns> {
  return cacheOf(database).get(scope.key, async () => {
    const buckets = bucketsOf(scope, now);
    const { marks } = buckets;
    const since = new Date(now.getTime() - scope.hours * hourMs);
    // A day is compared with the same day a week ago; a longer period with the one before it.
    const earlier = Math.max(weekHours, scope.hours) * hourMs;
    const [hours, took, { before, stepDurations }] = await Promise.all([
      readHours(database, scope, buckets),
      readTook(database, scope, since, now),
      slowCacheOf(database).get(scope.key, () => readSlow(database, scope, since, earlier)),
    ]);
    const released = new Map(
      hours.filter((row) => row.released > 0).map((row) => [row.hour.getTime(), row.released]),
    );
    const returned = new Map(hours.filter((row) => row.returned > 0).map((row) => [row.hour.getTime(), row]));
    return {
      returnsPerHour: marks.map((mark) => ({
        hour: new Date(mark),
        released: released.get(mark) ?? 0,
        returned: returned.get(mark)?.returned ?? 0,
      })),
      timeToReady: {
        p50Ms: took.p50,
        p95Ms: took.p95,
        returns: took.returns,
        weekAgo:
          before.p50 === null || before.p95 === null
            ? null
            : { p50Ms: before.p50, p95Ms: before.p95, returns: before.returns },
        p50ByHourMs: marks.map((mark) => returned.get(mark)?.p50 ?? null),
      },
      stepDurations,
    };
  });
}
