// Counts of hosts over time, by site, SKU and tenant: one sample every ten minutes, thinned to one an hour after two days, kept for 40 days.
// The cost depends on the number of hosts, once in ten minutes, and not on who views the fleet page.
import { sql } from "kysely";
import { execute, queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import { readOtherStates } from "@/server/db/other-states";
import { hostSets, statesOfGroup } from "@/server/domain/hosts/host-groups";
import type { HostGroup } from "@/server/domain/hosts/host-groups";

const sampleEvery = "10 minutes";
const fineFor = "2 days";
const keptFor = "40 days";

/** Takes the sample of the current ten minutes, unless it exists. Any number of processes may run it concurrently. Returns whether this one took it. */
export async function sampleFleet(database: Database): Promise<boolean> {
  const [known] = await queryRows(
    database,
    sql<{ known: boolean }>`
    SELECT EXISTS (SELECT 1 FROM fleet_sample WHERE at = date_bin(${sampleEvery}::interval, now(), 'epoch')) AS known`,
  );
  if (known?.known === true) return false;
  const others = await readOtherStates(database);
  const statesOf = (groups: readonly Exclude<HostGroup, "overLimit">[]) =>
    groups.flatMap((group) => statesOfGroup(group, others));
  // A host is counted as hostGroup (domain/hosts/host-groups.ts) does: failed, above its limit, or by its state.
  await execute(
    database,
    sql`
    INSERT INTO fleet_sample (at, site_id, sku_id, tenant_id, ready, coming_back, need_person)
    SELECT date_bin(${sampleEvery}::interval, now(), 'epoch'), r.site_id, h.sku_id, coalesce(r.tenant_id, c.tenant_id),
      count(*) FILTER (WHERE r.state = 'Ready' AND (r.limit_at < now()) IS NOT TRUE),
      count(*) FILTER (WHERE r.state = ANY(${statesOf(hostSets.comingBack.groups)}) AND (r.limit_at < now()) IS NOT TRUE),
      count(*) FILTER (WHERE r.state = ANY(${statesOf(hostSets.failed.groups)}) OR r.limit_at < now())
    FROM host_run r JOIN host h ON h.id = r.host_id LEFT JOIN reclamation c ON c.id = r.reclamation_id AND c.ended_at IS NULL
    GROUP BY 2, 3, 4 ON CONFLICT DO NOTHING`,
  );
  await execute(
    database,
    sql`
    DELETE FROM fleet_sample WHERE at < now() - ${keptFor}::interval
      OR (at < now() - ${fineFor}::interval AND at > now() - ${fineFor}::interval - interval '1 day' AND date_trunc('hour', at) <> at)`,
  );
  return true;
}
