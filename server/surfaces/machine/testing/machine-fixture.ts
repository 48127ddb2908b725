// For integration tests: the machine server over real HTTP with its own database, and hosts in the states that tests need.
import { randomBytes, randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { Pool } from "pg";
import pino from "pino";
import { CommandHub } from "@/server/agents/command-hub";
import { tokenHash } from "@/server/domain/access/tokens";
import { createHotPool } from "@/server/db/hot/pool";
import { createDatabase, type Database } from "@/server/db/prisma";
import { createSecretBox } from "@/server/db/secrets/secret-box";
import { createTestDatabase } from "@/server/db/testing/test-database";
import { defaultPolicy } from "@/server/domain/cleaning/policy";
import type { Role } from "@/server/domain/access/roles";
import type { HardwareInventory } from "@/server/domain/inventory/inventory";
import { emptyContext } from "@/server/domain/lifecycle/context";
import type { State } from "@/server/domain/lifecycle/states";
import { createMetrics, type Metrics } from "@/server/metrics/registry";
import { createMachineServer, type MachineServerDeps } from "@/server/surfaces/machine/machine-server";

export interface MachineFixture {
  readonly url: string;
  readonly databaseUrl: string;
  readonly pool: Pool;
  readonly database: Database;
  readonly hub: CommandHub;
  readonly metrics: Metrics;
  readonly siteId: string;
  /** How often a controller was woken. */
  wakes(): number;
  /** Sets what is wrong with the controller's loop. */
  trouble(reason: string | null): void;
  /** What the server logged at `info` and above. */
  readonly log: string[];
  query<Row extends Record<string, unknown> = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
  ): Promise<Row[]>;
  /** The number of held polls. */
  waiting(): number;
  /** Stops the server, and then reads from the database that it left behind. */
  stop<Value>(then: () => Promise<Value>): Promise<Value>;
  close(): Promise<void>;
}

export interface FixtureOptions {
  readonly longPollMs?: number;
  readonly provisioningNetworks?: readonly string[];
  readonly metricsToken?: string;
  readonly trustedProxies?: readonly string[];
  readonly ironicNoauth?: boolean;
  readonly fakeHardware?: boolean;
  readonly serviceAccountOrg?: string;
  readonly bootImageDir?: string;
}

const settingsOf = (options: FixtureOptions): MachineServerDeps["settings"] => ({
  baseUrl: "http://reclaim.test",
  bootImageUrl: "http://images.test/agent",
  bootImageDir: options.bootImageDir,
  longPollMs: options.longPollMs ?? 1_000,
  metricsToken: options.metricsToken,
  ironicNoauth: options.ironicNoauth ?? false,
  trustedProxies: options.trustedProxies ?? [],
  bmcNetworks: ["loopback", "10.0.0.0/8"],
});

async function addSite(query: MachineFixture["query"], options: FixtureOptions): Promise<string> {
  const siteId = randomUUID();
  const policy = { ...defaultPolicy(), provisioningNetworks: options.provisioningNetworks ?? ["loopback"] };
  await query("INSERT INTO site (id, name, demo) VALUES ($1, 'north', true)", [siteId]);
  await query("INSERT INTO site_policy (site_id, version, body) VALUES ($1, 1, $2)", [siteId, policy]);
  return siteId;
}

export async function startMachineServer(options: FixtureOptions = {}): Promise<MachineFixture> {
  const test = await createTestDatabase();
  const databaseUrl = test.url;
  const pool = createHotPool(databaseUrl, { max: 4 });
  const database = createDatabase(databaseUrl, { max: 2, applicationName: "test" });
  const backend = {
    database,
    secrets: createSecretBox(randomBytes(32)),
    fakeHardware: options.fakeHardware ?? false,
    serviceAccountOrg: options.serviceAccountOrg,
  };
  const log: string[] = [];
  const logger = pino({ level: "info" }, { write: (line: string) => void log.push(line) });
  const metrics = createMetrics();
  let [waiting, wakes] = [0, 0];
  let trouble: string | null = null;
  const onWaiting = (count: number): void => void (waiting = count);
  const hub = new CommandHub({ databaseUrl, pool, log: () => undefined, onWaiting });
  await hub.start();
  const app = createMachineServer({
    pool,
    hub,
    metrics,
    logger,
    backend,
    wake: () => void (wakes += 1),
    controllerTrouble: () => (trouble === null ? null : { message: trouble, restart: true }),
    settings: settingsOf(options),
    now: () => performance.now(),
  });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const query: MachineFixture["query"] = async <Row extends Record<string, unknown>>(
    text: string,
    values: readonly unknown[] = [],
  ) => (await pool.query<Row>(text, [...values])).rows;
  const siteId = await addSite(query, options);
  const about = { url, databaseUrl, pool, database, hub, metrics, siteId, log, query };
  return {
    ...about,
    wakes: () => wakes,
    trouble: (reason) => void (trouble = reason),
    waiting: () => waiting,
    stop: async (then) => {
      await app.close();
      return then();
    },
    close: async () => {
      await app.close();
      await hub.close();
      await Promise.all([pool.ended ? undefined : pool.end(), database.$disconnect()]);
      await test.drop();
    },
  };
}

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
): Promise<TestHost> {
  count += 1;
  const host = {
    id: randomUUID(),
    systemUuid: randomUUID(),
    serial: `SN${process.pid}-${count}`,
    mac: `02:00:00:00:${(count >> 8).toString(16).padStart(2, "0")}:${(count & 255).toString(16).padStart(2, "0")}`,
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

async function openReclamation(fixture: MachineFixture, host: TestHost): Promise<string> {
  const id = randomUUID();
  await fixture.query(
    "INSERT INTO reclamation (id, host_id, host_serial, kind, policy_version, policy, plan_epoch) VALUES ($1, $2, $3, 'onboarding', 1, $4, 1)",
    [id, host.id, host.serial, defaultPolicy()],
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

export function inventoryOf(host: TestHost): HardwareInventory {
  return {
    system: {
      manufacturer: "Dell Inc.",
      product: "PowerEdge R750",
      serial: host.serial,
      uuid: host.systemUuid,
      biosVersion: "1.9.2",
    },
    cpus: [
      { model: "Xeon Gold 6354", cores: 18 },
      { model: "Xeon Gold 6354", cores: 18 },
    ],
    memoryBytes: String(256 * 2 ** 30),
    storage: [
      {
        serial: `${host.serial}-D1`,
        model: "PM9A3",
        manufacturer: "Samsung",
        media: "nvme",
        transport: "nvme",
        capacityBytes: "1920383410176",
        removable: false,
      },
    ],
    nics: [{ name: "eno1", mac: host.mac, model: "BCM5720" }],
    infiniband: [],
  };
}

export const registerBodyOf = (host: TestHost, change: Record<string, unknown> = {}) => ({
  protocol: 1,
  identity: { systemUuid: host.systemUuid, serial: host.serial, macs: [host.mac] },
  run: "0123456789abcdef0123456789abcdef",
  agentVersion: "0.1.0",
  hardwareManagers: [
    {
      name: "generic",
      version: "1",
      steps: [{ interface: "deploy", step: "erase_nvme", priority: 90, abortable: false }],
    },
  ],
  inventory: inventoryOf(host),
  ...change,
});

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

/** A body that is a string is sent as it is. */
export async function send(
  fixture: MachineFixture,
  method: string,
  path: string,
  options: {
    readonly token?: string;
    readonly body?: unknown;
    readonly headers?: Record<string, string>;
  } = {},
): Promise<Answer> {
  const { token, body } = options;
  const response = await fetch(`${fixture.url}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = {};
  }
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: typeof parsed === "object" && parsed !== null ? Object.fromEntries(Object.entries(parsed)) : {},
  };
}

export const post = (
  fixture: MachineFixture,
  path: string,
  token: string | undefined,
  body: unknown,
): Promise<Answer> => send(fixture, "POST", path, { ...(token === undefined ? {} : { token }), body });

export async function bootTokenOf(fixture: MachineFixture, host: TestHost): Promise<string> {
  const { status, body, text } = await send(
    fixture,
    "GET",
    `/boot/token?uuid=${host.systemUuid}&mac=${host.mac}`,
  );
  if (status !== 200 || typeof body.bootToken !== "string")
    throw new Error(`no boot token: ${status} ${text}`);
  return body.bootToken;
}

/** Boots and registers. Returns the session token. */
export async function registered(fixture: MachineFixture, host: TestHost): Promise<string> {
  await openWindow(fixture, host);
  const { status, body, text } = await post(
    fixture,
    "/agent/v1/register",
    await bootTokenOf(fixture, host),
    registerBodyOf(host),
  );
  if (status !== 200 || typeof body.sessionToken !== "string")
    throw new Error(`not registered: ${status} ${text}`);
  return body.sessionToken;
}

export interface RunningStep {
  readonly stepRunId: string;
  readonly attempt: number;
  readonly command: Record<string, unknown>;
}

/** Makes a step run in its first attempt in the newest boot, as the controller's commit does. */
export async function runStep(fixture: MachineFixture, host: TestHost): Promise<RunningStep> {
  const stepRunId = randomUUID();
  const [open] = await fixture.query<{ id: string }>(
    "SELECT id::text FROM reclamation WHERE host_id = $1 AND ended_at IS NULL",
    [host.id],
  );
  const reclamationId = open?.id ?? (await openReclamation(fixture, host));
  await fixture.query(
    `INSERT INTO step_run (id, reclamation_id, host_id, plan_epoch, position, interface, step, "where", priority, priority_source, proves, status, attempt, max_attempts, started_at)
     VALUES ($1, $2, $3, 1, (SELECT count(*) + 1 FROM step_run WHERE reclamation_id = $2), 'deploy', 'erase_nvme', 'agent', 90, 'default', ARRAY['storageSanitized'], 'running', 1, 2, now())`,
    [stepRunId, reclamationId, host.id],
  );
  await fixture.query(
    "INSERT INTO step_attempt (step_run_id, attempt, boot_epoch) SELECT $1, 1, boot_epoch FROM host_run WHERE host_id = $2",
    [stepRunId, host.id],
  );
  const command = executeOf(stepRunId, host);
  await fixture.query(
    "UPDATE host_run SET reclamation_id = $2, command = $3, command_epoch = boot_epoch, generation = generation + 1 WHERE host_id = $1",
    [host.id, reclamationId, command],
  );
  return { stepRunId, attempt: 1, command };
}

export const executeOf = (stepRunId: string, host: TestHost) => ({
  kind: "execute",
  id: `${stepRunId}:1`,
  stepRunId,
  attempt: 1,
  interface: "deploy",
  step: "erase_nvme",
  args: {},
  devices: inventoryOf(host).storage,
  erase: defaultPolicy().sanitization.erase,
  journal: [],
  deadline: "2030-01-01T00:00:00Z",
});

export const progressOf = (change: Record<string, unknown> = {}) => ({
  attempt: 1,
  sequence: 1,
  percent: 10,
  message: "erasing",
  devices: [],
  journal: [],
  unstoppable: true,
  ...change,
});
export const resultOf = (change: Record<string, unknown> = {}) => ({
  attempt: 1,
  result: "OK",
  message: "done",
  devices: [],
  journal: [],
  ...change,
});

/** Everything that a refused request must leave unchanged, as one text. */
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
    (SELECT count(*) FROM agent_log) AS logs, (SELECT count(*) FROM feed) AS feed`);
  return JSON.stringify(rows, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));
}

export async function auditCount(fixture: MachineFixture, action: string): Promise<number> {
  const [row] = await fixture.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM audit_event WHERE action = $1 AND outcome = 'refused'",
    [action],
  );
  return row?.count ?? 0;
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
