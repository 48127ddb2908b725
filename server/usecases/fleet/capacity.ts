// Hosts expected back from erases in progress, based only on the devices' own estimates.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import type { FleetSummary } from "@/server/contract/fleet/fleet-answers";
import { ofHosts } from "@/server/usecases/fleet/fleet-scope";
import type { FleetScope } from "@/server/usecases/fleet/fleet-scope";
import { perDatabase } from "@/server/usecases/timed-cache";

const bucketMs = 30 * 60_000;
const shown = 10;
const cacheOf = perDatabase<Capacity>("capacity", { ttlMs: 5_000, max: 50 });

export type Capacity = Pick<FleetSummary, "capacity" | "erases">;

interface CleaningRow {
  readonly hosts: number;
  readonly erasing: number;
  readonly buckets: readonly { readonly until: number; readonly hosts: number }[];
  readonly first: readonly {
    readonly host_id: string;
    readonly name: string;
    readonly step: string | null;
    readonly percent: number | null;
    readonly ends: number | null;
  }[];
}

/**
 * Hosts in cleaning, each with the latest end that its devices estimate: counted per half hour, with the first few listed. Bounded by the hosts in
 * progress, of which only those that are shown leave the database.
 */
async function readCleaning(database: Database, scope: FleetScope): Promise<CleaningRow> {
  const [row] = await queryRows(
    database,
    sql<CleaningRow>`
  WITH cleaning AS MATERIALIZED (
    SELECT r.host_id::text, r.name, r.erasing, r.clean_step AS step, r.clean_percent AS percent, (
      SELECT max(CASE WHEN jsonb_typeof(d.value) = 'number' THEN d.value::float8 END) FROM step_run t JOIN step_attempt a ON a.step_run_id = t.id AND a.attempt = t.attempt
      CROSS JOIN LATERAL jsonb_each(a.erase_ends) d
      WHERE t.reclamation_id = r.reclamation_id AND t.status = 'running') AS ends
    FROM host_run r WHERE r.state = 'WaitingForCleanup/HostCleanup' AND ${ofHosts(scope)}
  )
  SELECT (SELECT count(*)::int FROM cleaning) AS hosts,
    (SELECT count(*)::int FROM cleaning WHERE erasing OR ends IS NOT NULL) AS erasing,
    (SELECT coalesce(jsonb_agg(b ORDER BY b.until), '[]') FROM (
      SELECT ceil(ends / ${bucketMs}::float8) * ${bucketMs}::float8 AS until, count(*)::int AS hosts FROM cleaning WHERE ends IS NOT NULL GROUP BY 1) b) AS buckets,
    (SELECT coalesce(jsonb_agg(f), '[]') FROM (
      SELECT * FROM cleaning WHERE erasing OR ends IS NOT NULL ORDER BY ends NULLS LAST, name LIMIT ${shown}) f) AS first`,
  );
  return row ?? { hosts: 0, erasing: 0, buckets: [], first: [] };
}

export function readCapacity(database: Database, scope: FleetScope): Promise<Capacity> {
  return cacheOf(database).get(scope.key, async () => {
    const { hosts, erasing, buckets, first } = await readCleaning(database, scope);
    const known = buckets.reduce((sum, bucket) => sum + bucket.hosts, 0);
    return {
      capacity: {
        buckets: buckets.map((bucket) => ({ until: new Date(bucket.until), hosts: bucket.hosts })),
        unknown: hosts - known,
      },
      erases: {
        total: erasing,
        hosts: first.map(({ host_id, name, step, percent, ends }) => ({
          hostId: host_id,
          name,
          step,
          percent,
          endsAt: ends === null ? null : new Date(ends),
        })),
      },
    };
  });
}
