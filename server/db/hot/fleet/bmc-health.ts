// Which hosts' health to read from their BMCs (docs/bmc-health.md#when).
import { fakeHardwareType } from "@/server/domain/hosts/fake/fake-type";
import { aliveController } from "@/server/db/hot/fleet/lease";
import { named } from "@/server/db/hot/pool";
import type { HotDatabase } from "@/server/db/hot/pool";

/** On `host h` and `host_run r`: known, and neither being worked on nor with a repair system, to whose machine nothing is sent. */
export const restsSql = `h.bmc_links IS NOT NULL AND h.hardware_type <> '${fakeHardwareType}'
    AND (r.state IN ('Manageable', 'Ready', 'Assigned/Ready') OR r.state LIKE 'ReturnToAllocation/Awaiting%' OR r.state LIKE 'Failed/%')
    AND NOT r.erasing AND r.clean_step IS NULL AND r.outside_lease IS NULL`;

const mayBeRead = `${restsSql} AND (r.lease_owner IS NULL OR r.lease_until < now())`;

const toRead = named<{ host_id: string }, [string]>(
  "bmc_health_hosts",
  `
  SELECT h.id::text AS host_id FROM host h JOIN host_run r ON r.host_id = h.id LEFT JOIN bmc_health b ON b.host_id = h.id
  WHERE ${restsSql} AND $1::uuid = (SELECT c.id FROM controller c WHERE ${aliveController("c")} ORDER BY c.lock_key LIMIT 1)
  ORDER BY b.read_at NULLS FIRST`,
);

/** Hosts whose health is read, the longest unread first. Empty unless this controller was announced first of those alive: only that one reads. */
export async function hostsWithHealth(
  database: HotDatabase,
  controllerId: string,
): Promise<readonly string[]> {
  return (await toRead(database, controllerId)).map(({ host_id: id }) => id);
}

const wanted = named<{ host_id: string }, []>(
  "bmc_health_wanted",
  `
  SELECT b.host_id::text FROM bmc_health b JOIN host h ON h.id = b.host_id JOIN host_run r ON r.host_id = b.host_id
  WHERE b.wanted_at IS NOT NULL AND ${mayBeRead} ORDER BY b.wanted_at LIMIT 200`,
);

/** Hosts whose health a person wants to be read at once and that may be read now, who asked first being first. */
export const hostsWanted = async (database: HotDatabase): Promise<readonly string[]> =>
  (await wanted(database)).map(({ host_id: id }) => id);

const resting = named<{ host_id: string }, [readonly string[]]>(
  "bmc_health_resting",
  `
  SELECT h.id::text AS host_id FROM host h JOIN host_run r ON r.host_id = h.id
  WHERE h.id = ANY($1::uuid[]) AND ${mayBeRead}`,
);

/** Those of the hosts that may be read now: no controller holds them, and nothing of ours runs on them. */
export async function restingHosts(
  database: HotDatabase,
  hostIds: readonly string[],
): Promise<readonly string[]> {
  return (await resting(database, hostIds)).map(({ host_id: id }) => id);
}
