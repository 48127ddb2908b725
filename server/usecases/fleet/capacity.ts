// Hosts expected back from erases that run now, by the devices' own estimates and nothing else.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import type { FleetSummary } from "@/server/contract/answers/fleet";
import { ofHosts } from "@/server/usecases/fleet/fleet-scope";
import type { FleetScope } from "@/server/usecases/fleet/fleet-scope";
import { latestEnd } from "@/server/usecases/hosts/list/expectations";
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
  /** By device, in ms; null: it gives no estimate. */
  readonly erase_ends: unknown;
}

/** One row per host in cleaning, with what the devices of its running step estimate. Bounded by the hosts at work. */
const readErasing = (database: Database, scope: FleetScope): Promise<ErasingRow[]> =>
  queryRows(
    database,
    sql`
  SELECT r.host_id::text, r.name, r.erasing, r.clean_step AS step, r.clean_percent AS percent, a.erase_ends
  FROM host_run r LEFT JOIN step_run t ON t.reclamation_id = r.reclamation_id AND t.status = 'running'
    LEFT JOIN step_attempt a ON a.step_run_id = t.id AND a.attempt = t.attempt
  WHERE r.state = 'WaitingForCleanup/HostCleanup' AND ${ofHosts(scope)}`,
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

/** Those with an end first, by it; each host once. Pure. */
function byEnd(rows: readonly ErasingRow[]) {
  const hosts = new Map<string, ErasingRow & { readonly ends: Date | null }>();
  for (const row of rows) {
    const ends = latestEnd(row.erase_ends);
    const known = hosts.get(row.host_id)?.ends ?? null;
    hosts.set(row.host_id, {
      ...row,
      ends: known === null || (ends !== null && ends > known) ? ends : known,
    });
  }
  return [...hosts.values()].sort(
    (a, b) => (a.ends?.getTime() ?? Infinity) - (b.ends?.getTime() ?? Infinity) || (a.name < b.name ? -1 : 1),
  );
}

export function readCapacity(database: Database, scope: FleetScope): Promise<Capacity> {
  return cacheOf(database).get(scope.key, async () => {
    const rows = byEnd(await readErasing(database, scope));
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
