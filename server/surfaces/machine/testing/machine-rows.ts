// What tests put into the machine server's database, such as hosts in the states that they need, and what they read from it.
import { randomBytes, randomUUID } from "node:crypto";
import type { Role } from "@/server/domain/access/roles";
import { tokenHash } from "@/server/domain/access/tokens";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { emptyContext } from "@/server/domain/lifecycle/context";
import type { State } from "@/server/domain/lifecycle/states";
import type { MachineFixture } from "@/server/surfaces/machine/testing/machine-fixture";

export interface TestHost {
  readonly id: string;
  readonly systemUuid: string;
  readonly serial: string;
  readonly mac: string;
}

let count = 0;
let instanceCount = 0;

export async function addHost(
  fixture: MachineFixture,
  state: State = "WaitingForCleanup/HostCleanup",
  siteId = fixture.siteId,
  identity: Partial<Pick<TestHost, "systemUuid" | "serial">> = {},
): Promise<TestHost> {
  count += 1;
  const host = {
    id: randomUUID(),
    systemUuid: randomUUID(),
    serial: `SN${process.pid}-${count}`,
    mac: `02:00:00:00:${(count >> 8).toString(16).padStart(2, "0")}:${(count & 255).toString(16).padStart(2, "0")}`,
    ...identity,
  };
  await fixture.query(
    `INSERT INTO host (id, name, site_id, hardware_type, manufacturer, model, serial, system_uuid, macs, bmc_address, bmc_username, bmc_password, network_interfaces, rack)
     VALUES ($1, $2, $3, 'redfish', 'Dell Inc.', 'PowerEdge R750', $4, $5, $6, $7, 'root', '\\x00', ARRAY['dpu-0','dpu-1'], 'R1')`,
    [
      host.id,
      `host-${count}`,
      siteId,
      host.serial,
      host.systemUuid,
      [host.mac],
      `http://bmc-${count}.localhost`,
    ],
  );
  await fixture.query(
    "INSERT INTO host_run (host_id, site_id, name, state, context) VALUES ($1, $2, $3, 'Enroll', $4)",
    [host.id, siteId, `host-${count}`, emptyContext()],
  );
  if (state !== "Enroll")
    await fixture.query("UPDATE host_run SET state = $2 WHERE host_id = $1", [host.id, state]);
  if (/^(WaitingForCleanup|BomValidating)\//.test(state)) await openReclamation(fixture, host);
  return host;
}

export async function openReclamation(
  fixture: MachineFixture,
  host: TestHost,
  kind = "onboarding",
): Promise<string> {
  const id = randomUUID();
  await fixture.query(
    "INSERT INTO reclamation (id, host_id, host_serial, kind, policy_version, policy, plan_epoch) VALUES ($1, $2, $3, $5, 1, $4, 1)",
    [id, host.id, host.serial, defaultPolicy(), kind],
  );
  return id;
}

/** Opens the window of a new boot, as the controller does when it orders one, and marks its restart as done. Returns the boot epoch. */
export async function openWindow(
  fixture: MachineFixture,
  host: TestHost,
  minutes = 30,
  restarted = true,
): Promise<number> {
  const [row] = await fixture.query<{ boot_epoch: number }>(
    "UPDATE host_run SET boot_epoch = boot_epoch + 1, generation = generation + 1 WHERE host_id = $1 RETURNING boot_epoch",
    [host.id],
  );
  if (row === undefined) throw new Error("no such host");
  await fixture.query(
    "INSERT INTO boot_window (host_id, boot_epoch, generation, expires_at, reset_done_at) VALUES ($1, $2, 1, now() + make_interval(mins => $3), CASE WHEN $4 THEN now() END)",
    [host.id, row.boot_epoch, minutes, restarted],
  );
  return row.boot_epoch;
}

export interface TestPerson {
  readonly token: string;
  readonly org: string;
  readonly tenantId: string | null;
  readonly personId: string;
}

/** A person with a bearer token; with `org`, a member of that tenant, which is created if it is new. */
export async function addPerson(
  fixture: MachineFixture,
  role: Role,
  org: string | null,
  targeted = false,
): Promise<TestPerson> {
  const personId = randomUUID();
  const token = `rcl_${randomBytes(32).toString("base64url")}`;
  let tenantId: string | null = null;
  if (org !== null) {
    const [tenant] = await fixture.query<{ id: string }>(
      "INSERT INTO tenant (id, org, name) VALUES ($1, $2, $2) ON CONFLICT (org) DO UPDATE SET name = EXCLUDED.name RETURNING id::text",
      [randomUUID(), org],
    );
    tenantId = tenant?.id ?? null;
    // At the existing sites.
    await fixture.query(
      "INSERT INTO tenant_grant (tenant_id, site_id, kind, given_by) SELECT $1::uuid, id, unnest($2::text[]), 'test' FROM site ON CONFLICT DO NOTHING",
      [tenantId, ["networkAllocation", ...(targeted ? ["targetedInstanceCreation"] : [])]],
    );
  }
  await fixture.query(
    "INSERT INTO person (id, email, name, role, tenant_id, password_hash) VALUES ($1, $2, $3, $4, $5, 'none')",
    [personId, `${personId}@test`, role, role, tenantId],
  );
  await fixture.query("INSERT INTO api_token (id, hash, name, person_id) VALUES ($1, $2, 'test', $3)", [
    randomUUID(),
    tokenHash(token),
    personId,
  ]);
  return { token, org: org ?? "any", tenantId, personId };
}

/** An instance on a host, with its first line of history. Each is created a second after the previous one: two in the same millisecond would have no order. */
export async function addInstance(
  fixture: MachineFixture,
  host: TestHost,
  tenantId: string | null,
  name: string,
): Promise<string> {
  const id = randomUUID();
  await fixture.query(
    "INSERT INTO instance (id, name, tenant_id, host_id, labels, created_at, ready_at) VALUES ($1, $2, $3, $4, '{\"env\":\"test\"}', now() - interval '1 day' + make_interval(secs => $5), now())",
    [id, name, tenantId, host.id, (instanceCount += 1)],
  );
  await fixture.query(
    "INSERT INTO instance_status_history (instance_id, status, message) VALUES ($1, 'Provisioning', 'a'), ($1, 'Ready', 'b')",
    [id],
  );
  await fixture.query("UPDATE host_run SET instance_id = $2, tenant_id = $3 WHERE host_id = $1", [
    host.id,
    id,
    tenantId,
  ]);
  return id;
}

/** Everything that a refused request must leave unchanged, as one text. That it was refused may be written as a security event (docs/security.md#security-events). */
export async function fingerprint(fixture: MachineFixture): Promise<string> {
  const rows = await fixture.query(`SELECT
    (SELECT jsonb_agg(to_jsonb(r) ORDER BY host_id) FROM host_run r) AS runs,
    (SELECT jsonb_agg(to_jsonb(s) ORDER BY id) FROM signal s) AS signals,
    (SELECT jsonb_agg(to_jsonb(a) ORDER BY step_run_id, attempt) FROM step_attempt a) AS attempts,
    (SELECT jsonb_agg(to_jsonb(i) ORDER BY host_id, source) FROM host_inventory i) AS inventories,
    (SELECT jsonb_agg(to_jsonb(w) - 'token_box' - 'token_hash' ORDER BY host_id, boot_epoch) FROM boot_window w) AS windows,
    (SELECT jsonb_agg(to_jsonb(g) - 'last_seen_at' - 'expires_at' ORDER BY host_id, boot_epoch) FROM agent_session g) AS sessions,
    (SELECT jsonb_agg(to_jsonb(n) ORDER BY host_id, interface) FROM network_ack n) AS acks,
    (SELECT jsonb_agg(to_jsonb(i) ORDER BY id) FROM instance i) AS instances,
    (SELECT count(*) FROM agent_log) AS logs, (SELECT count(*) FROM feed WHERE what <> 'securityEvent') AS feed`);
  return JSON.stringify(rows, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));
}

export async function auditCount(fixture: MachineFixture, action: string): Promise<number> {
  const [row] = await fixture.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM audit_event WHERE action = $1 AND outcome = 'refused'",
    [action],
  );
  return row?.count ?? 0;
}
