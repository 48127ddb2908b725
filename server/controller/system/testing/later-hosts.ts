// Hosts that are due much later, for tests of what is due now.
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";

/** Nobody asks anything of them, and no hardware is behind them. */
export async function addLaterHosts(pool: Pool, siteId: string, hosts: number): Promise<void> {
  const later = Array.from({ length: hosts }, () => randomUUID());
  await pool.query(
    `INSERT INTO host (id, name, site_id, hardware_type, serial, system_uuid, bmc_address, bmc_username, bmc_password, network_interfaces)
     SELECT id, id::text, $2, 'redfish', id::text, id, id::text, 'u', '\\x00', '{dpu0}' FROM unnest($1::uuid[]) id`,
    [later, siteId],
  );
  await pool.query(
    "INSERT INTO host_run (host_id, site_id, name, state, due_at) SELECT id, $2, id::text, 'Enroll', now() + interval '10 min' FROM unnest($1::uuid[]) id",
    [later, siteId],
  );
}
