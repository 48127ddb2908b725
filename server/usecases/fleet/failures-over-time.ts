// Failures in a day, a week or a month: by cause over time, and by drive firmware. Both queries start at an index: of failures, and of ended reclamations.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { FleetFailures } from "@/server/contract/fleet/fleet-answers";
import type { Database } from "@/server/db/prisma";
import { causeKeys } from "@/server/domain/cleaning/failures/cause";
import { causeLabel } from "@/server/domain/cleaning/failures/text";
import { causeOf, isState } from "@/server/domain/lifecycle/states";
import { bucketsOf, ofTrips } from "@/server/usecases/fleet/fleet-scope";
import type { FleetScope } from "@/server/usecases/fleet/fleet-scope";
import { partRead } from "@/server/usecases/fleet/read-part";
import { perDatabase } from "@/server/usecases/timed-cache";

const cacheOf = perDatabase<FleetFailures>("fleetFailures", { ttlMs: 15_000, max: 50 });

/** How many of the newest reclamations have their drives examined. */
const sampled = 1_500;
const firmwareShown = 20;

interface FailedRow {
  readonly bucket: Date;
  /** A structured cause, or the state of a failure that has none. */
  readonly state: string;
  readonly count: number;
}

/** The first cause is what the host stopped for. A cause that is not in the table of causes, or comes from an earlier release, counts by its state. */
const causeOfRow = sql`coalesce(nullif(s.causes -> 0 ->> 'key', 'other'), s.state)`;

/** Each stop of a host, counted once. An abort is a person's decision and no failure. */
const readFailed = (
  database: Database,
  scope: FleetScope,
  { from, bucketMs }: { from: Date; bucketMs: number },
): Promise<FailedRow[]> =>
  queryRows(
    database,
    sql<FailedRow>`
    SELECT date_bin(${bucketMs} * interval '1 millisecond', s.at, ${from}) AS bucket, ${causeOfRow} AS state, count(*)::int AS count
    FROM state_history s LEFT JOIN reclamation c ON c.id = s.reclamation_id
    WHERE s.state LIKE 'Failed/%' AND s.at >= ${from} AND coalesce(s.reason, '') NOT LIKE 'aborted by %' AND ${ofTrips({ ...scope, tenantId: null }, "s")}
      AND (${scope.tenantId}::uuid IS NULL OR c.tenant_id = ${scope.tenantId}::uuid)
    GROUP BY 1, 2`,
  );

interface FirmwareRow {
  readonly looked_at: number;
  readonly model: string;
  readonly firmware: string;
  readonly reclamations: number;
  readonly failed: number;
  readonly state: string | null;
}

/** For the newest reclamations that ended or stopped in the period: how many had such a drive, per model and firmware, and how many of them failed. */
const readFirmware = (database: Database, scope: FleetScope, from: Date): Promise<FirmwareRow[]> =>
  queryRows(
    database,
    sql<FirmwareRow>`
    WITH trip AS (
      (SELECT c.id, c.devices FROM reclamation c WHERE c.ended_at >= ${from} AND c.devices IS NOT NULL AND ${ofTrips(scope, "c")} ORDER BY c.ended_at DESC LIMIT ${sampled})
      UNION ALL
      (SELECT c.id, c.devices FROM reclamation c WHERE c.ended_at IS NULL AND c.stopped_at >= ${from} AND c.devices IS NOT NULL AND ${ofTrips(scope, "c")} LIMIT ${sampled})
    ), looked AS (
      SELECT t.id, t.devices, (SELECT min(${causeOfRow}) FROM state_history s WHERE s.reclamation_id = t.id AND s.state LIKE 'Failed/%' AND coalesce(s.reason, '') NOT LIKE 'aborted by %') AS failed
      FROM trip t
    ), drives AS (
      SELECT DISTINCT l.id, l.failed, d ->> 'model' AS model, d ->> 'firmware' AS firmware
      FROM looked l CROSS JOIN LATERAL jsonb_array_elements(coalesce(l.devices -> 'expected', '[]')) d WHERE d ->> 'firmware' IS NOT NULL AND d ->> 'model' IS NOT NULL
    )
    SELECT (SELECT count(*)::int FROM looked) AS looked_at, model, firmware, count(*)::int AS reclamations, count(failed)::int AS failed, mode() WITHIN GROUP (ORDER BY failed) AS state
    FROM drives GROUP BY model, firmware ORDER BY failed DESC, reclamations DESC, model, firmware LIMIT ${firmwareShown}`,
  );

const causeKeyOf = (text: string) => causeKeys.find((key) => key === text);

/** A cause in one or two words, or the state of a failure without one. */
function nameOf(text: string): string {
  const key = causeKeyOf(text);
  if (key !== undefined) return causeLabel({ key });
  return isState(text) ? (causeOf(text) ?? text) : text;
}

/** Counts per bucket, in the order of the causes, most failures first. Pure. */
export function overTime(
  rows: readonly FailedRow[],
  marks: readonly number[],
): Pick<FleetFailures, "causes" | "buckets"> {
  const totals = new Map<string, number>();
  const at = new Map<string, number>();
  for (const { bucket, state, count } of rows) {
    totals.set(state, (totals.get(state) ?? 0) + count);
    at.set(`${bucket.getTime()} ${state}`, count);
  }
  const states = [...totals].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
  return {
    causes: states.map(([state, count]) => ({
      cause: nameOf(state),
      count,
    })),
    buckets: marks.map((mark) => ({
      at: new Date(mark),
      counts: states.map(([state]) => at.get(`${mark} ${state}`) ?? 0),
    })),
  };
}

async function readFailures(database: Database, scope: FleetScope): Promise<FleetFailures> {
  const buckets = bucketsOf(scope, new Date());
  const [failed, firmware] = await Promise.all([
    readFailed(database, scope, buckets),
    readFirmware(database, scope, buckets.from),
  ]);
  return {
    ...overTime(failed, buckets.marks),
    firmware: {
      reclamations: firmware[0]?.looked_at ?? 0,
      rows: firmware.map(({ looked_at: _, state, ...row }) => ({
        ...row,
        cause: state === null ? null : nameOf(state),
      })),
    },
  };
}

export const fleetFailures = partRead({ cacheOf, read: readFailures });
