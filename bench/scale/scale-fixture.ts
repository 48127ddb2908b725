// TEST DATA for the scale bench, written by SQL and bypassing the lifecycle: none of these hosts exists, none was ever cleaned. Only for measuring pages.
import type { Client } from "pg";

export const fleetSize = 10_000;
export const historySize = { states: 1_000_000, reclamations: 100_000, days: 90 } as const;

/** The guards against hosts that are Ready without proof are triggers; they are disabled for this session and transaction only. */
async function pastTheGuards(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query("BEGIN; SET LOCAL session_replication_role = replica");
  try {
    await work();
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

/** Of a hundred hosts: 60 in use, 25 Ready, 10 being cleaned, 2 queued, 2 failed, 1 with the provider. */
const stateOf = `CASE WHEN n % 100 < 60 THEN 'Assigned/Ready' WHEN n % 100 < 85 THEN 'Ready' WHEN n % 100 < 95 THEN 'WaitingForCleanup/HostCleanup'
  WHEN n % 100 < 97 THEN 'WaitingForCleanup/Queued' WHEN n % 100 < 99 THEN 'Failed/NVMECleanFailed' ELSE 'Manageable' END`;

/** Inserts the fleet, with an open instance or reclamation for states that have one. */
export async function insertFleet(client: Client): Promise<void> {
  await pastTheGuards(client, async () => {
    await client.query(`
      CREATE TEMP TABLE bench_host ON COMMIT DROP AS
        SELECT n, gen_random_uuid() AS id, 'scale-' || lpad(n::text, 6, '0') AS name, ${stateOf} AS state, now() - (n * 7919 % 86400) * interval '1 second' AS since,
          CASE WHEN n % 100 BETWEEN 85 AND 98 THEN gen_random_uuid() END AS reclamation_id, CASE WHEN n % 100 < 60 THEN gen_random_uuid() END AS instance_id,
          (SELECT t.id FROM tenant t ORDER BY t.org OFFSET n % (SELECT count(*) FROM tenant) LIMIT 1) AS tenant_id
        FROM generate_series(1, ${fleetSize}) n;
      INSERT INTO sku (id, name, components) VALUES (gen_random_uuid(), 'scale', '{"manufacturer": "Test data", "product": "Scale", "cpus": {"count": 2, "model": "x"}, "memoryBytes": "1", "storage": [], "infiniband": 0}');
      INSERT INTO host (id, name, site_id, rack, slot, sku_id, hardware_type, manufacturer, model, serial, system_uuid, macs, bmc_address, bmc_username, bmc_password, network_interfaces)
        SELECT b.id, b.name, s.id, 'R' || (b.n / 20), (b.n % 20)::text, k.id, 'redfish', 'Test data', 'Scale', 'SCALE' || b.n, b.id, '{}', 'http://bmc-scale-' || b.n || '.invalid', 'none', '', ARRAY['p0']
        FROM bench_host b, site s, sku k WHERE s.name = 'a' AND k.name = 'scale';
      INSERT INTO reclamation (id, host_id, host_serial, kind, started_at, queued_at, admitted_at, limit_at, policy_version, policy, plan_epoch, stopped_at, stopped_cause)
        SELECT b.reclamation_id, b.id, 'SCALE' || b.n, 'release', b.since, b.since, b.since, now() + interval '1 hour', 1, p.body, 1, CASE WHEN b.state LIKE 'Failed/%' THEN b.since END, CASE WHEN b.state LIKE 'Failed/%' THEN 'NVMECleanFailed' END
        FROM bench_host b, site s JOIN site_policy p ON p.site_id = s.id AND p.version = s.policy_version WHERE s.name = 'a' AND b.reclamation_id IS NOT NULL;
      INSERT INTO step_run (id, reclamation_id, host_id, plan_epoch, position, interface, step, "where", priority, priority_source, proves, status, attempt, max_attempts, started_at)
        SELECT gen_random_uuid(), b.reclamation_id, b.id, 1, 1, 'deploy', 'erase_nvme', 'agent', 90, 'default', '{storageSanitized}', 'running', 1, 2, b.since FROM bench_host b WHERE b.state = 'WaitingForCleanup/HostCleanup';
      INSERT INTO step_attempt (step_run_id, attempt, boot_epoch, progress, erase_ends)
        SELECT t.id, 1, 1, jsonb_build_object('percent', 40), jsonb_build_object('S1', floor(extract(epoch FROM now() + (b.n % 240) * interval '1 minute') * 1000)) FROM step_run t JOIN bench_host b ON b.id = t.host_id;
      INSERT INTO instance (id, name, tenant_id, host_id, ready_at) SELECT b.instance_id, 'scale-' || b.n, b.tenant_id, b.id, now() FROM bench_host b WHERE b.instance_id IS NOT NULL;
      INSERT INTO host_run (host_id, site_id, name, state, state_since, limit_at, allocatable, maintenance, maintenance_by, maintenance_reason, last_error, reclamation_id, instance_id, tenant_id, clean_step, clean_percent)
        SELECT b.id, s.id, b.name, b.state, b.since, CASE WHEN b.state LIKE 'WaitingForCleanup/%' THEN b.since + interval '20 hours' END, b.state = 'Ready',
          b.state LIKE 'Failed/%', CASE WHEN b.state LIKE 'Failed/%' THEN 'failure' END, CASE WHEN b.state LIKE 'Failed/%' THEN 'test data' END, CASE WHEN b.state LIKE 'Failed/%' THEN 'test data' END,
          b.reclamation_id, b.instance_id, CASE WHEN b.instance_id IS NULL THEN NULL ELSE b.tenant_id END,
          CASE WHEN b.state = 'WaitingForCleanup/HostCleanup' THEN 'deploy.erase_nvme' END, CASE WHEN b.state = 'WaitingForCleanup/HostCleanup' THEN 40 END
        FROM bench_host b, site s WHERE s.name = 'a';
      INSERT INTO state_history (host_id, version, state, generation, at) SELECT b.id, 1, b.state, 0, b.since FROM bench_host b;`);
  });
  await client.query("VACUUM ANALYZE");
}

/** Adds what a fleet of this size leaves behind: ended reclamations of the last days, their step runs, and state history. */
export async function insertHistory(client: Client): Promise<void> {
  const { states, reclamations, days } = historySize;
  await pastTheGuards(client, async () => {
    await client.query(`
      CREATE TEMP TABLE bench_old ON COMMIT DROP AS
        SELECT n, gen_random_uuid() AS id, h.id AS host_id, h.serial, now() - (n::float8 / ${reclamations}) * interval '${days} days' AS ended_at, (10 + n % 50) * interval '1 minute' AS took
        FROM generate_series(1, ${reclamations}) n JOIN (SELECT id, serial, row_number() OVER (ORDER BY name) AS place FROM host) h ON h.place = 1 + n % ${fleetSize};
      INSERT INTO reclamation (id, host_id, host_serial, kind, started_at, queued_at, admitted_at, ended_at, outcome, policy_version, policy, plan_epoch)
        SELECT id, host_id, serial, 'release', ended_at - took, ended_at - took, ended_at - took, ended_at, 'ready', 1, '{}', 1 FROM bench_old;
      INSERT INTO step_run (id, reclamation_id, host_id, plan_epoch, position, interface, step, "where", priority, priority_source, proves, status, attempt, max_attempts, started_at, ended_at)
        SELECT gen_random_uuid(), o.id, o.host_id, 1, s.place, 'deploy', s.step, 'agent', 100 - s.place, 'default', '{}', 'succeeded', 1, 2, o.ended_at - o.took, o.ended_at
        FROM bench_old o, (VALUES (1, 'erase_nvme'), (2, 'erase_disks'), (3, 'verify_mem_overwrite')) s(place, step);
      INSERT INTO state_history (host_id, version, state, reclamation_id, generation, at)
        SELECT o.host_id, 1 + (o.n / ${fleetSize}) * ${states / reclamations} + k, CASE WHEN k = ${states / reclamations} THEN 'Ready' ELSE 'WaitingForCleanup/HostCleanup' END, o.id, 0, o.ended_at - o.took * (${states / reclamations} - k) / ${states / reclamations}
        FROM bench_old o, generate_series(1, ${states / reclamations}) k;`);
  });
  await client.query("VACUUM ANALYZE");
}
