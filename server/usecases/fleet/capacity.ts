// Hosts expected back from erases that run now, by the devices' own estimates and nothing else.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import type { FleetSummary } from "@/server/contract/answers/fleet";
import { ofHosts } from "@/server/usecases/fleet/fleet-scope";
import type { FleetScope } from "@/server/usecases/fleet/fleet-scope";
import { perDatabase } from "@/server/usecases/timed-cache";

const bucketMs = 30 * 60_000;
const shown = 10;
const cacheOf = perDatabase("capacity", { ttlMs: 5_000, max: 50 });

export type Capacity = Pick<FleetSummary, "capacity" | "erases">;

interface ErasingRow {
  readonly host_id: string;
  readonly name: string;
  readonly erasing: boolean;
  readonly step: string | null;
  readonly percent: number | null;
  readonly ends: Date | null;
}

/** One row per host in cleaning: the latest end that one of its devices estimates, or null. Bounded by the hosts at work. */
const readErasing = (database: Database, scope: FleetScope): Promise<ErasingRow[]> =>
  queryRows(
    database,
    sql`
  SELECT r.host_id::text, r.name, r.erasing, r.clean_step AS step, r.clean_percent AS percent, (
    SELECT to_timestamp(max((d.value #>> '{}')::float8) / 1000) FROM step_run t
    JOIN step_attempt a ON a.step_run_id = t.id AND a.attempt = t.attempt
    CROSS JOIN LATERAL jsonb_each(a.erase_ends) d
    WHERE t.reclamation_id = r.reclamation_id AND t.status = 'running') AS ends
  FROM host_run r WHERE r.state = 'WaitingForCleanup/HostCleanup' AND ${ofHosts(scope)} ORDER BY ends NULLS LAST, r.name`,
  );

/** How many end in each half hour, by its end. */
function bucketsOf(ends: readonly Date[]): readonly { readonly until: Date; readonly hosts: number }[] {
  const byEnd = new Map<number, number>();
  for (const end of ends) {
    const until = Math.ceil(end.getTime() / bucketMs) * bucketMs;
    byEnd.set(until, (byEnd.get(until) ?? 0) + 1);
  }
  return [...byEnd].map(([until, hosts]) => ({ until: new Date(until), hosts }));
}

export function readCapacity(database: Database, scope: FleetScope): Promise<Capacity> {
  return cacheOf(database).get(scope.key, async () => {
    const rows = await readErasing(database, scope);
    const ends = rows.flatMap((row) => (row.ends === null ? [] : [row.ends]));
    const erasing = rows.filter((row) => row.erasing || row.ends !== null);
    return {
      capacity: { buckets: bucketsOf(ends), unknown: rows.length - ends.length },
      erases: {
        total: erasing.length,
        hosts: erasing.slice(0, shown).map((row) => ({
          hostId: row.host_id,
          name: row.name,
          step: row.step,
          percent: row.percent,
          endsAt: row.ends,
        })),
      },
    };
  });
}
