// Metrics, liveness and readiness over real HTTP.
import { randomUUID } from "node:crypto";
import { randomBytes } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { addFirstKey } from "@/server/db/audit-log/keys";
import { signNews } from "@/server/db/audit-log/sign";
import { numberAll } from "@/server/db/audit-log/testing/number-all";
import { withTransaction } from "@/server/db/connection";
import { createSecretBox } from "@/server/db/secrets/secret-box";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import {
  send,
  startMachineServer,
  type MachineFixture,
} from "@/server/surfaces/machine/testing/machine-fixture";
import { addHost, type TestHost } from "@/server/surfaces/machine/testing/machine-rows";

const fixture = machineServer({ metricsToken: "a-token-for-metrics" });
let host: TestHost;
beforeAll(async () => {
  host = await addHost(fixture, "WaitingForCleanup/HostCleanup");
  await addHost(fixture, "WaitingForCleanup/HostCleanup");
  await addHost(fixture, "Failed/NVMECleanFailed");
  await fixture.query("UPDATE host_run SET limit_at = now() - interval '1 s' WHERE state LIKE 'Failed/%'");
  await fixture.query("UPDATE host_run SET due_at = now() - interval '3 s' WHERE host_id = $1", [host.id]);
});

it("counts hosts by state and site, those over their limit, and those that wait for a controller", async () => {
  const { status, text } = await send(fixture, "GET", "/metrics");
  expect(status).toBe(200);
  expect(text).toContain('reclaim_hosts{state="WaitingForCleanup/HostCleanup",site="north"} 2');
  expect(text).toContain('reclaim_hosts_above_sla{state="Failed/NVMECleanFailed",site="north"} 1');
  expect(text).toContain('reclaim_hosts_above_sla{state="WaitingForCleanup/HostCleanup",site="north"} 0');
  expect(text).toContain("reclaim_queue_hosts 1");
  expect(Number(/^reclaim_queue_lag_seconds (.*)$/m.exec(text)?.[1])).toBeGreaterThan(2.9); // times in the database are rounded to milliseconds
});

it("counts hosts whose reclamation is overdue, and not one whose clock stood in time", async () => {
  const reclaim = (id: string, limit: string, paused: string) =>
    fixture.query(
      `INSERT INTO reclamation (id, host_id, host_serial, kind, policy_version, policy, limit_at, paused_at) VALUES (gen_random_uuid(), $1, 's', 'onboarding', 1, '{}', now() + $2::interval, now() + $3::interval)`,
      [id, limit, paused],
    );
  const overdue = async () =>
    /^reclaim_hosts_overdue\{site="north"\} (\d+)$/m.exec((await send(fixture, "GET", "/metrics")).text)?.[1];
  await expect.poll(overdue, { timeout: 30_000 }).toBe("0");
  await reclaim(host.id, "-10 minutes", "-20 minutes");
  await reclaim((await addHost(fixture, "WaitingForCleanup/HostCleanup")).id, "-10 minutes", "-5 minutes");
  await expect.poll(overdue, { timeout: 30_000 }).toBe("1");
});

it("counts hosts by what is proven of them", async () => {
  const counted = async (standing: string) =>
    Number(
      new RegExp(
        `^reclaim_hosts_by_standing\\{standing="${standing}",ready="false",site="north"\\} (.*)$`,
        "m",
      ).exec((await send(fixture, "GET", "/metrics")).text)?.[1] ?? 0,
    );
  const { id } = await addHost(fixture, "Manageable");
  await expect.poll(() => counted("notChecked"), { timeout: 30_000 }).toBe(2);
  const before = await counted("notProven");
  await fixture.query(
    `INSERT INTO reclamation (id, host_id, host_serial, kind, policy_version, policy, ended_at, outcome, standing)
     VALUES (gen_random_uuid(), $1, 's', 'release', 1, '{}', now(), 'abandoned', 'notProven')`,
    [id],
  );
  await expect.poll(() => counted("notProven"), { timeout: 30_000 }).toBe(before + 1);
  expect(await counted("notChecked")).toBe(1);
});

it("counts hosts of open firmware rollouts, and none of one that nobody approved", async () => {
  const counted = async (state: string) =>
    new RegExp(`^reclaim_host_firmware_updates\\{site="north",state="${state}"\\} (.*)$`, "m").exec(
      (await send(fixture, "GET", "/metrics")).text,
    )?.[1];
  await expect.poll(() => counted("pending"), { timeout: 30_000 }).toBe("0");
  const [host, other] = [await addHost(fixture, "Failed/AgentLost"), await addHost(fixture, "Manageable")];
  const [sku, approval, rollout] = [randomUUID(), randomUUID(), randomUUID()];
  const firmware = JSON.stringify([{ component: "BIOS", version: "1" }]);
  await fixture.query("INSERT INTO sku (id, name, components) VALUES ($1, 'R750 of metrics', '{}')", [sku]);
  await fixture.query("UPDATE host SET sku_id = $1 WHERE id = ANY($2::uuid[])", [sku, [host.id, other.id]]);
  await fixture.query(
    `INSERT INTO approval (id, kind, subject_id, evidence, asked_by, asked_by_name, reason) VALUES ($1, 'rollout', $2, $3, $2, 'Ola', 'x')`,
    [approval, rollout, "a".repeat(64)],
  );
  await fixture.query(
    `INSERT INTO firmware_rollout (id, sku_id, over, firmware, images, stages, max_failures, words, reason, approval_id)
     VALUES ($1, $2, $3, $3, '[]', '[{"percent": 100}]', 1, 'x', 'x', $4)`,
    [rollout, sku, firmware, approval],
  );
  await fixture.query(
    "INSERT INTO firmware_rollout_host (rollout_id, host_id, takes, reclamation_id, plan_epoch) VALUES ($1, $2, true, $1, 0)",
    [rollout, host.id],
  );
  expect(await counted("pending")).toBe("0");
  await fixture.query(
    `UPDATE approval SET decision = 'approved', decided_by = $2, decided_by_name = 'Ada', decided_at = now(), decided_reason = '' WHERE id = $1`,
    [approval, randomUUID()],
  );
  await expect.poll(() => counted("failed"), { timeout: 30_000 }).toBe("1");
  expect([await counted("pending"), await counted("running")]).toEqual(["1", "0"]);
});

it("counts hosts and GPUs that are free and in use, and hosts whose GPUs nobody has told", async () => {
  const inSite = async (name: string) =>
    Number(
      new RegExp(`^${name}\\{site="north"\\} (.*)$`, "m").exec(
        (await send(fixture, "GET", "/metrics")).text,
      )?.[1],
    );
  const unknown = await inSite("reclaim_hosts_gpus_unknown");
  const { id } = await addHost(fixture, "Manageable");
  const gpu = { kind: "gpu", slot: "0000:17:00.0", model: "NVIDIA H100" };
  const parts = { told: ["gpu", "nic"], untold: [], found: [gpu, { ...gpu, kind: "nic" }, gpu] };
  await withTransaction(fixture.pool, async (client) => {
    // The trigger asks for its gates, which are not the subject here.
    await client.query("SET LOCAL session_replication_role = replica");
    await client.query("UPDATE host_run SET state = 'Ready', allocatable = true WHERE host_id = $1", [id]);
  });
  await fixture.query(
    `INSERT INTO host_inventory (host_id, source, body) VALUES ($1, 'agent', $2)
     ON CONFLICT (host_id, source) DO UPDATE SET body = excluded.body`,
    [id, JSON.stringify({ parts })],
  );
  await expect.poll(() => inSite("reclaim_gpus"), { timeout: 30_000 }).toBe(2);
  expect(await inSite("reclaim_hosts_usable")).toBe(1);
  expect(await inSite("reclaim_gpus_usable")).toBe(2);
  expect(await inSite("reclaim_gpus_in_use")).toBe(0);
  expect(await inSite("reclaim_hosts_gpus_unknown")).toBe(unknown);
  await fixture.query("UPDATE host_run SET allocatable = false WHERE host_id = $1", [id]);
  await expect.poll(() => inSite("reclaim_gpus_usable"), { timeout: 30_000 }).toBe(0);
  expect(await inSite("reclaim_gpus")).toBe(2);
});

it("forgets a state that no host is in any more", async () => {
  await fixture.query("UPDATE host_run SET state = 'Manageable' WHERE state LIKE 'Failed/%'");
  await expect
    .poll(async () => (await send(fixture, "GET", "/metrics")).text, { timeout: 30_000 })
    .not.toContain("NVMECleanFailed");
});

it("names no host, and shows the requests of machines", async () => {
  await send(fixture, "GET", `/boot/ipxe?uuid=${host.systemUuid}`);
  const { text } = await send(fixture, "GET", "/metrics");
  expect(text).toContain(
    'reclaim_http_request_seconds_count{surface="boot",route="/boot/ipxe",status="200"} 1',
  );
  for (const secret of [host.id, host.serial, host.systemUuid, host.mac]) expect(text).not.toContain(secret);
});

it("has every name of the design that this version has data for", () => {
  const names = fixture.metrics.registry.getMetricsAsArray().map((metric) => metric.name);
  for (const name of [
    "reclaim_hosts",
    "reclaim_hosts_above_sla",
    "reclaim_hosts_by_standing",
    "reclaim_reclamations_ended_total",
    "reclaim_time_in_state_seconds",
    "reclaim_reclamation_duration_seconds",
    "reclaim_step_runs_total",
    "reclaim_step_duration_seconds",
    "reclaim_devices_total",
    "reclaim_failures_total",
    "reclaim_gate_unsatisfied",
    "reclaim_reboot_attempts",
  ])
    expect(names).toContain(name);
});

it("is ready while the database answers and the controller's loop is alive", async () => {
  expect(await send(fixture, "GET", "/livez")).toMatchObject({ status: 200 });
  expect(await send(fixture, "GET", "/readyz")).toMatchObject({
    status: 200,
    body: { ready: true, checks: { database: "ok", controller: "ok" } },
  });
  fixture.trouble("no round for 70 s");
  expect(await send(fixture, "GET", "/readyz")).toMatchObject({
    status: 503,
    body: { ready: false, restart: true, checks: { database: "ok", controller: "no round for 70 s" } },
  });
  fixture.trouble(null);
});

it("says how far the audit log is behind, and stays ready", async () => {
  const lag = async (of: string) =>
    Number(
      new RegExp(`^reclaim_audit_log_${of}_lag_seconds (.*)$`, "m").exec(
        (await send(fixture, "GET", "/metrics")).text,
      )?.[1],
    );
  const log = async () => (await send(fixture, "GET", "/readyz")).body;
  await numberAll(fixture.pool);
  const secrets = createSecretBox(randomBytes(32));
  await addFirstKey(fixture.pool, secrets, "reclaim.test/audit-log");
  await numberAll(fixture.pool);
  await signNews(fixture.pool, secrets);
  expect(await log()).toMatchObject({ ready: true, degraded: false, checks: { auditLog: "ok" } });
  await expect.poll(() => lag("signing"), { timeout: 30_000 }).toBe(0);
  await fixture.query(
    "INSERT INTO audit_event (id, at, actor_kind, action, outcome) VALUES (gen_random_uuid(), now() - interval '5 minutes', 'system', 'host.retry', 'done')",
  );
  expect(await log()).toMatchObject({
    ready: true,
    degraded: true,
    checks: { auditLog: expect.stringMatching(/^the oldest event has waited 3\d\d s for its number: /) },
  });
  await expect.poll(() => lag("numbering"), { timeout: 30_000 }).toBeGreaterThan(299);
  await numberAll(fixture.pool);
  expect(await log()).toMatchObject({
    degraded: true,
    checks: { auditLog: expect.stringMatching(/ s for a signed checkpoint: /) },
  });
  await expect.poll(() => lag("numbering"), { timeout: 30_000 }).toBe(0);
  expect(await lag("signing")).toBeGreaterThan(299);
  await signNews(fixture.pool, secrets);
  expect(await log()).toMatchObject({ degraded: false, checks: { auditLog: "ok" } });
});

it("says that it is not ready, and answers 503, when the database is gone", async () => {
  const broken = await startMachineServer();
  await broken.pool.end();
  expect(await send(broken, "GET", "/readyz")).toMatchObject({
    status: 503,
    body: { restart: false, checks: { database: "cannot be reached", auditLog: "unknown" } },
  });
  expect(await send(broken, "GET", "/boot/ipxe?mac=02:00:00:00:00:01")).toMatchObject({
    status: 503,
    body: { code: "unavailable" },
  });
  await broken.close();
});

it("tells loopback by who asks and not by the proxy, and by no header of anybody else", async () => {
  const metrics = (machine: MachineFixture, forwarded?: string) =>
    send(
      machine,
      "GET",
      "/metrics",
      forwarded === undefined ? {} : { headers: { "x-forwarded-for": forwarded } },
    );
  const behindProxy = await startMachineServer({
    metricsToken: "a-token-for-metrics",
    trustedProxies: ["loopback"],
  });
  expect(await metrics(behindProxy)).toMatchObject({ status: 200 });
  for (const outside of ["198.51.100.1", "127.0.0.1, 198.51.100.1", "nobody"])
    expect(await metrics(behindProxy, outside), outside).toMatchObject({ status: 401 });
  await behindProxy.close();
  expect(await metrics(fixture, "198.51.100.1")).toMatchObject({ status: 200 });
});
