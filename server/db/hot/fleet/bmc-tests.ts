// Which BMCs a person wants to be tested (docs/hardware.md#test-bmc).
import { aliveController } from "@/server/db/hot/fleet/lease";
import { isAtItsAddress } from "@/server/db/hot/hardware/neighbours";
import { named } from "@/server/db/hot/pool";
import type { HotDatabase } from "@/server/db/hot/pool";

/** On `host_run r`: no drive may be erasing, no repair system has the host, to whose machine nothing is sent, and its BMC is not being restarted. */
export const testableSql = `NOT r.erasing AND r.outside_lease IS NULL
    AND NOT EXISTS (SELECT 1 FROM bmc_reset x JOIN host o ON o.id = x.host_id JOIN host h ON h.id = r.host_id WHERE x.ended_at IS NULL AND (o.id = h.id OR ${isAtItsAddress}))`;

const wanted = named<{ host_id: string }, [string]>(
  "bmc_tests_wanted",
  `
  SELECT b.host_id::text FROM bmc_test b
  CROSS JOIN LATERAL (SELECT 1 FROM host_run r WHERE r.host_id = b.host_id
    AND ${testableSql} AND (r.lease_owner IS NULL OR r.lease_until < now()) LIMIT 1) free
  WHERE b.wanted_at IS NOT NULL
    AND $1::uuid = (SELECT c.id FROM controller c WHERE ${aliveController("c")} ORDER BY c.lock_key LIMIT 1)
  ORDER BY b.wanted_at, b.host_id LIMIT 200`,
);

/**
 * Hosts whose BMC a person wants to be tested and that may be asked now, who asked first being first. Empty unless this controller was announced first of
 * those alive: only that one tests.
 */
export const testsWanted = async (database: HotDatabase, controllerId: string): Promise<readonly string[]> =>
  (await wanted(database, controllerId)).map(({ host_id: id }) => id);

const testable = named<{ host_id: string }, [readonly string[]]>(
  "bmc_tests_testable",
  `SELECT r.host_id::text FROM host_run r WHERE r.host_id = ANY($1::uuid[]) AND ${testableSql}`,
);

/** Which of these hosts may still be asked while they are tested. What a controller does besides, such as a restart, does not end a test. */
export const stillTestable = async (
  database: HotDatabase,
  hostIds: readonly string[],
): Promise<ReadonlySet<string>> => new Set((await testable(database, hostIds)).map(({ host_id: id }) => id));
