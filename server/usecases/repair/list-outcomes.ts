// How repairs of recent days ended: counts per day, their median time, and each repair (docs/repair.md#the-page-repair).
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { RepairOutcomes } from "@/server/contract/repair/answers";
import { repeatRule } from "@/server/domain/repair/repairs";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { beyond, pagesByTime } from "@/server/usecases/cursor";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { endedInRule, repairColumns, repairFrom, toRepairLine } from "@/server/usecases/repair/repair-rows";
import type { RepairRecord } from "@/server/usecases/repair/repair-rows";
import { ownRepairs, repairScope } from "@/server/usecases/repair/repair-scope";
import type { RepairScope } from "@/server/usecases/repair/repair-scope";

const pages = pagesByTime("repairOutcomes");

const withinRule = (scope: RepairScope) => sql`${ownRepairs(scope)} AND ${endedInRule}`;

interface DayRecord {
  readonly day: string;
  readonly completed: number;
  readonly failed: number;
  readonly none: number;
  readonly unrecorded: number;
}

/** Every day, including those without repairs. */
const readDays = (database: Backend["database"], scope: RepairScope): Promise<readonly DayRecord[]> =>
  queryRows(
    database,
    sql<DayRecord>`
    SELECT to_char(g.day, 'YYYY-MM-DD') AS day, (count(*) FILTER (WHERE e.outcome = 'completed'))::int AS completed, (count(*) FILTER (WHERE e.outcome = 'failed'))::int AS failed,
      (count(*) FILTER (WHERE e.outcome = 'none'))::int AS none, (count(*) FILTER (WHERE e.id IS NOT NULL AND e.outcome IS NULL))::int AS unrecorded
    FROM (SELECT ((now() AT TIME ZONE 'UTC')::date - n) AS day FROM generate_series(0, ${repeatRule.days}::int) n) g
    LEFT JOIN (SELECT p.id, p.ended_at AS at, p.outcome FROM ${repairFrom} WHERE ${withinRule(scope)}) e ON (e.at AT TIME ZONE 'UTC')::date = g.day
    GROUP BY g.day ORDER BY g.day`,
  );

async function readMedian(database: Backend["database"], scope: RepairScope): Promise<number | null> {
  const [row] = await queryRows(
    database,
    sql<{ median: number | null }>`
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM p.ended_at - p.claimed_at)::float8 * 1000) AS median
    FROM ${repairFrom} WHERE ${withinRule(scope)}`,
  );
  return row?.median ?? null;
}

export async function listOutcomes(
  { database }: Backend,
  actor: Actor,
  { cursor, limit }: { readonly cursor: string | null; readonly limit: number },
): Promise<Outcome<RepairOutcomes>> {
  const scope = repairScope(actor);
  if (!scope.ok) return scope;
  const start = pages.start(cursor);
  if (!start.ok) return start;
  const [perDay, medianHeldMs, records] = await Promise.all([
    readDays(database, scope.value),
    readMedian(database, scope.value),
    queryRows(
      database,
      sql<RepairRecord & { readonly ended_at: Date }>`
      SELECT ${repairColumns} FROM ${repairFrom}
      WHERE ${withinRule(scope.value)} AND ${beyond(sql`(p.ended_at, p.id)`, "<", start.value)} ORDER BY p.ended_at DESC, p.id DESC LIMIT ${limit + 1}`,
    ),
  ]);
  const { page, nextCursor } = pages.page(records, limit, ({ ended_at, id }) => [ended_at, id]);
  const sum = (count: (day: DayRecord) => number) => perDay.reduce((total, day) => total + count(day), 0);
  return done({
    days: repeatRule.days,
    perDay,
    completed: sum((day) => day.completed),
    failed: sum((day) => day.failed),
    none: sum((day) => day.none),
    unrecorded: sum((day) => day.unrecorded),
    medianHeldMs,
    rows: page.map((record) => toRepairLine(record, scope.value)),
    nextCursor,
  });
}
