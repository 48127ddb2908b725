// Rows for tests of statements: a site with the default policy, and a host at it.
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { emptyContext } from "@/server/domain/lifecycle/context";

/** A demo site with the default policy. */
export async function addSite(pool: Pool, siteId: string = randomUUID()): Promise<string> {
  await pool.query("INSERT INTO site (id, name, demo) VALUES ($1, 'site', true)", [siteId]);
  await pool.query("INSERT INTO site_policy (site_id, version, body) VALUES ($1, 1, $2)", [
    siteId,
    JSON.stringify(defaultPolicy()),
  ]);
  return siteId;
}

interface HostRow {
  readonly siteId: string;
  readonly serial?: string;
  readonly skuId?: string;
}

/** A host in Enroll, as enrolment leaves it. */
export async function addHost(
  pool: Pool,
  hostId: string,
  { siteId, serial = `S-${hostId}`, skuId }: HostRow,
): Promise<void> {
  await pool.query(
    "INSERT INTO host (id, name, site_id, sku_id, hardware_type, serial, system_uuid, bmc_address, bmc_username, bmc_password, network_interfaces) VALUES ($1, 'h', $2, $3, 'redfish', $4, $1, $4, 'u', '', '{p0}')",
    [hostId, siteId, skuId ?? null, serial],
  );
  await pool.query(
    "INSERT INTO host_run (host_id, site_id, name, state, context) VALUES ($1, $2, 'h', 'Enroll', $3)",
    [hostId, siteId, emptyContext()],
  );
  await pool.query(
    "INSERT INTO state_history (host_id, version, state, generation) VALUES ($1, 1, 'Enroll', 0)",
    [hostId],
  );
}

/** Hosts in Enroll without hardware and without requests, due after `dueInMs`. */
export async function addIdleHosts(
  pool: Pool,
  siteId: string,
  hostIds: readonly string[],
  dueInMs = 0,
): Promise<void> {
  await pool.query(
    `INSERT INTO host (id, name, site_id, hardware_type, serial, system_uuid, bmc_address, bmc_username, bmc_password, network_interfaces)
     SELECT id, id::text, $2, 'redfish', id::text, id, id::text, 'u', '', '{p0}' FROM unnest($1::uuid[]) id`,
    [hostIds, siteId],
  );
  await pool.query(
    "INSERT INTO host_run (host_id, site_id, name, state, due_at) SELECT id, $2, id::text, 'Enroll', now() + make_interval(secs => $3 / 1000.0) FROM unnest($1::uuid[]) id",
    [hostIds, siteId, dueInMs],
  );
}
