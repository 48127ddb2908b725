// Which hosts were deleted recently, by any process, so that what was kept for them in memory can be dropped.
import { named } from "@/server/db/hot/pool";
import type { HotDatabase } from "@/server/db/hot/pool";

const gone = named<{ host_id: string }, [number]>(
  "gone_hosts",
  `
  SELECT g.host_id::text AS host_id FROM gone_host g WHERE g.gone_at > now() - $1::float8 * interval '1 millisecond'
    -- A node may be made anew with the UUID of a deleted one.
    AND NOT EXISTS (SELECT FROM host h WHERE h.id = g.host_id)`,
);

/** Ids of hosts that were deleted within this many milliseconds and have not been created again. */
export async function goneWithin(database: HotDatabase, ms: number): Promise<ReadonlySet<string>> {
  return new Set((await gone(database, ms)).map(({ host_id: id }) => id));
}
