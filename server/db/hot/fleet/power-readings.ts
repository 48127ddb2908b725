// Which hosts' power to read again, and the results, for hosts that nobody works on (docs/adr/0071-boot-settings-by-a-person.md).
import { fakeHardwareType } from "@/server/domain/hosts/fake/fake-type";
import { aliveController } from "@/server/db/hot/fleet/lease";
import { named } from "@/server/db/hot/pool";
import type { HotDatabase } from "@/server/db/hot/pool";

const toRead = named<{ host_id: string }, [string]>(
  "power_readings_hosts",
  `
  SELECT h.id::text AS host_id FROM host h JOIN host_run r ON r.host_id = h.id
  WHERE h.bmc_links IS NOT NULL AND h.hardware_type <> '${fakeHardwareType}' AND r.state NOT IN ('Enroll', 'Verifying', 'ForceDeletion', 'Decommissioned')
    AND $1::uuid = (SELECT c.id FROM controller c WHERE ${aliveController("c")} ORDER BY c.lock_key LIMIT 1)
  ORDER BY h.power_read_at NULLS FIRST`,
);

/** All hosts whose power is read regularly, the longest ago first. Empty unless this controller was announced first of those alive: only that one reads. */
export async function hostsToRead(database: HotDatabase, controllerId: string): Promise<readonly string[]> {
  return (await toRead(database, controllerId)).map(({ host_id: id }) => id);
}

const unheld = named<{ host_id: string }, [readonly string[]]>(
  "power_readings_unheld",
  "SELECT host_id::text FROM host_run WHERE host_id = ANY($1::uuid[]) AND (lease_owner IS NULL OR lease_until < now())",
);

/** Those of the hosts that no controller holds now. */
export async function unheldHosts(
  database: HotDatabase,
  hostIds: readonly string[],
): Promise<readonly string[]> {
  return (await unheld(database, hostIds)).map(({ host_id: id }) => id);
}

const store = named<{ host_id: string }, [string]>(
  "power_readings_store",
  `
  WITH free AS (
    SELECT h.id FROM host h JOIN jsonb_to_recordset($1::jsonb) AS q(host_id uuid) ON q.host_id = h.id FOR NO KEY UPDATE OF h SKIP LOCKED -- a commit that writes it has read it
  )
  UPDATE host h SET power_state = i.power, power_read_at = now()
  FROM jsonb_to_recordset($1::jsonb) AS i(host_id uuid, power text, ago_ms float8)
  WHERE h.id = i.host_id AND h.id IN (SELECT id FROM free)
    -- A decision has read it since, or is about to: it knows better.
    AND (h.power_read_at IS NULL OR h.power_read_at < now() - i.ago_ms * interval '1 millisecond')
    AND EXISTS (SELECT 1 FROM host_run r WHERE r.host_id = h.id AND (r.lease_owner IS NULL OR r.lease_until < now()))
  RETURNING h.id::text AS host_id`,
);

/** What a host's BMC reported. */
export interface PowerReading {
  readonly hostId: string;
  readonly power: string;
  /** How long ago the reading began. */
  readonly agoMs: number;
}

/** Stores readings in one statement. Returns the hosts for which they were stored. */
export async function storePowerReadings(
  database: HotDatabase,
  readings: readonly PowerReading[],
): Promise<readonly string[]> {
  const rows = readings.map(({ hostId, power, agoMs }) => ({ host_id: hostId, power, ago_ms: agoMs }));
  return (await store(database, JSON.stringify(rows))).map(({ host_id: id }) => id);
}
