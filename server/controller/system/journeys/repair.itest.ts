// Full repair on the real system, through NICo's API: each case of a repair tenant's release, until the host is allocatable again or blocked
// (docs/repair.md#what-a-repair-tenants-release-does); and races between two people.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newApiToken, tokenHash } from "@/server/domain/access/tokens";
import type { Role } from "@/server/domain/access/roles";
import type { TemplateName } from "@/server/domain/repair/health/templates";
import { assign, granted, onboard, perform } from "@/server/testing/acts";
import { hostRow, hostRows, waitForState, waitForStates } from "@/server/testing/hosts";
import { historyProblems } from "@/server/testing/records";
import { startStack, type Stack } from "@/server/testing/stack";
import { until } from "@/server/testing/until";
import { applyTemplate, removeReport } from "@/server/usecases/repair/health/report-acts";
import { clearMaintenance } from "@/server/usecases/hosts/maintenance/clear-maintenance";
import { getReceipt } from "@/server/usecases/instances/receipt/get-receipt";
import { setMaintenance } from "@/server/usecases/hosts/maintenance/set-maintenance";

type TenantName = "acme" | "vela" | "repair";
interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

const limitMs = 300_000;
const old = "old: it is slow";
const told = { category: "Hardware", summary: "new: the fan is loud", details: "since today" } as const;

/** The label at the end, whether there is a new issue, and whether a repair was requested. */
const rows = [true, false].flatMap((requested) =>
  ["Completed", "Failed", "InProgress", null].flatMap((label) =>
    [false, true].map((issue) => ({ requested, label, issue })),
  ),
);
type Row = (typeof rows)[number];

/** The summary of the report that must be left; null: none, and the host goes back to allocation. */
function left({ requested, label, issue }: Row): string | null {
  if (issue) return told.summary;
  if (!requested) return old;
  return label === "Completed" ? null : "RepairSystem processing incomplete";
}

let stack: Stack;
let hostIds: readonly string[];
let instances: readonly string[];
const tokens = new Map<TenantName, string>();
beforeAll(async () => {
  stack = await startStack({ hosts: rows.length, speed: 1_000 });
  const { database } = stack.world.backend;
  const { siteId, tenants } = stack.world;
  await database.tenantGrant.create({
    data: { tenantId: tenants.vela, siteId, kind: "targetedInstanceCreation", givenBy: "test" },
  });
  for (const tenant of ["acme", "vela", "repair"] as const) {
    const role: Role = tenant === "acme" ? "tenant-admin" : "repair-tenant-admin";
    const token = newApiToken();
    const { personId } = stack.world.actor(role, tenant);
    await database.apiToken.create({
      data: { id: randomUUID(), hash: tokenHash(token), name: "test", personId },
    });
    tokens.set(tenant, token);
  }
  hostIds = await onboard(stack, stack.machines);
});
afterAll(() => stack?.stop());

async function send(who: TenantName, method: string, path: string, body?: unknown): Promise<Answer> {
  const url = `http://127.0.0.1:${stack.controllers[0]?.port}/v2/org/${who}/nico/${path}`;
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${tokens.get(who)}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const parsed: unknown = text.startsWith("{") ? JSON.parse(text) : {};
  return { status: response.status, body: { ...Object(parsed) } };
}

const create = (who: TenantName, over: object): Promise<Answer> =>
  send(who, "POST", "instance", {
    name: `i-${randomUUID()}`,
    tenantId: stack.world.tenants[who],
    vpcId: randomUUID(),
    interfaces: [{ vpcPrefixId: randomUUID(), isPhysical: true }],
    ...over,
  });
const repair = (who: TenantName, machineId: string): Promise<Answer> =>
  create(who, { machineId, allowUnhealthyMachine: true });
const giveUp = (who: TenantName, id: string, body: object): Promise<Answer> =>
  send(who, "DELETE", `instance/${id}`, body);
const ids = (answers: readonly Answer[]): readonly string[] => answers.map(({ body }) => String(body.id));
const statuses = (answers: readonly Answer[]): readonly number[] => answers.map(({ status }) => status);
const all = <Value, Made>(values: readonly Value[], make: (value: Value, index: number) => Promise<Made>) =>
  Promise.all(values.map(make));

/** The summaries of a host's reports by source; an operator's report has its message. */
async function reports(hostId: string): Promise<Record<string, string>> {
  const { rows: found } = await stack.pool.query<{ source: string; message: string }>(
    "SELECT source, body #>> '{alerts,0,message}' AS message FROM health_report WHERE host_id = $1",
    [hostId],
  );
  return Object.fromEntries(found.map(({ source, message }) => [source, JSON.parse(message).summary]));
}
const template = (hostId: string, name: TemplateName, replace = false) =>
  perform(stack, "operator", applyTemplate, {
    hostId,
    template: name,
    message: "by hand",
    replace,
  });
const remove = (hostId: string, source: string, mode: "merge" | "replace" = "merge") =>
  perform(stack, "operator", removeReport, { hostId, source, mode, reason: "looked at" });
const openInstances = (hostId: string): Promise<number> =>
  stack.world.backend.database.instance.count({ where: { hostId, endedAt: null } });
const allocatable = async (hosts: readonly string[]): Promise<readonly boolean[]> =>
  (await hostRows(stack, hosts)).map((row) => row.allocatable);

/** The open gates of the newest reclamation begun by the release of a tenant or repair tenant. */
async function openGates(hostId: string): Promise<readonly string[]> {
  const { rows: found } = await stack.pool.query<{ gate: string }>(
    `SELECT g.gate FROM gate g JOIN host_run r ON r.reclamation_id = g.reclamation_id
     WHERE r.host_id = $1 AND g.status NOT IN ('satisfied', 'not required', 'not implemented') AND g.gate <> 'platformAtBaseline' ORDER BY 1`,
    [hostId],
  );
  return found.map(({ gate }) => gate);
}

/** The row for the host at this index. */
const rowOf = (index: number): Row => rows[index] ?? { requested: false, label: null, issue: false };
const blocked = (): readonly string[] => hostIds.filter((_, index) => left(rowOf(index)) !== null);

/** What the tenant reads of each host: proven, with every drive of its machine, and nothing about anybody else. */
async function expectReceipts(released: readonly string[]): Promise<void> {
  const { world, machines } = stack;
  const read = async (id: string, tenant: TenantName) =>
    getReceipt(world.backend, world.actor("tenant-admin", tenant), { id });
  const receipts = (await all(released, (id) => read(id, "acme"))).map(granted);
  expect(receipts.map(({ result, drives }) => [result, drives.map(({ serial }) => serial)])).toEqual(
    machines.map(({ drives }) => ["open", drives.map(({ serial }) => serial).sort()]),
  );
  // Its debt is settled, and what is proven is said when the reclamation ends.
  for (const { drives, steps, standing, attention } of receipts) {
    expect([attention, standing]).toEqual([false, null]);
    expect(steps.map(({ state }) => state)).toEqual(["done", "done", "done", "current"]);
    for (const drive of drives)
      expect(drive).toMatchObject({ state: "erased", technique: expect.any(String), at: expect.any(Date) });
  }
  expect(await all(released, (id) => read(id, "vela"))).toEqual(
    released.map(() => expect.objectContaining({ ok: false })),
  );
}

it("a release with an issue: cleaned, proven, and kept for a repair tenant alone", async () => {
  const held = await assign(stack, hostIds);
  // The fixture claimed these for the repair tenant; here the tenant whose data it was is a different one.
  await stack.pool.query("UPDATE instance SET tenant_id = $1 WHERE id = ANY($2::uuid[])", [
    stack.world.tenants.acme,
    held,
  ]);
  const issue = { category: "Performance", summary: old, details: "" };
  const release = async (requested: boolean) =>
    all(
      held.filter((_, index) => rowOf(index).requested === requested),
      (id) => giveUp("acme", id, { machineHealthIssue: issue }),
    );
  expect(new Set(statuses(await release(false)))).toEqual(new Set([202]));
  // From here on the site requests repairs automatically, which a repair tenant's release never does.
  await stack.setPolicy({ autoRepair: true });
  expect(new Set(statuses(await release(true)))).toEqual(new Set([202]));
  await waitForStates(stack, hostIds, ["ReturnToAllocation/AwaitingRepair"], limitMs);
  expect(await all(hostIds, reports)).toEqual(
    rows.map(({ requested }) => ({
      "tenant-reported-issue": old,
      ...(requested ? { "repair-request": old } : {}),
    })),
  );
  // Proven clean before anybody may claim it: only its health is open, and nothing is owed.
  expect(new Set((await all(hostIds, openGates)).flat())).toEqual(new Set(["healthy"]));
  expect(await stack.world.backend.database.debt.count({ where: { clearedAt: null } })).toBe(0);
  for (const { serial } of stack.machines)
    expect((await stack.fleet.machine(serial)).holdsTenantData).toBe(false);
  expect(await allocatable(hostIds)).toEqual(rows.map(() => false));
  await expectReceipts(held);
  expect(new Set(statuses(await all(hostIds, (machineId) => create("repair", { machineId }))))).toEqual(
    new Set([400]),
  );
}, 600_000);

it("each row of the matrix: claim, label, release, and where the host ends", async () => {
  const claimed = await all(hostIds, (hostId) => repair("repair", hostId));
  expect(new Set(statuses(claimed))).toEqual(new Set([201]));
  instances = ids(claimed);
  await waitForStates(stack, hostIds, ["Assigned/Ready"], limitMs);
  const labelled = await all(hostIds, (hostId, index) => {
    const { label } = rowOf(index);
    // The claim itself sets the label to InProgress.
    return label === "InProgress"
      ? send("repair", "GET", `machine/${hostId}`)
      : send("repair", "PATCH", `machine/${hostId}`, {
          labels: label === null ? {} : { repair_status: label },
        });
  });
  expect(labelled.map(({ status, body }) => [status, Object(body.labels).repair_status ?? null])).toEqual(
    rows.map(({ label }) => [200, label]),
  );
  const released = await all(instances, (id, index) =>
    giveUp("repair", id, {
      isRepairTenant: true,
      ...(rowOf(index).issue ? { machineHealthIssue: told } : {}),
    }),
  );
  expect(new Set(statuses(released))).toEqual(new Set([202]));
  await waitForStates(stack, blocked(), ["ReturnToAllocation/AwaitingRepair"], limitMs);
  const back = hostIds.filter((hostId) => !blocked().includes(hostId));
  await waitForStates(stack, back, ["Ready"], limitMs);
  const ended = await all(hostIds, async (hostId) => {
    const { state, allocatable: free } = await hostRow(stack, hostId);
    return { state, free, reports: await reports(hostId) };
  });
  expect(ended).toEqual(
    rows.map((row) => {
      const summary = left(row);
      return {
        state: summary === null ? "Ready" : "ReturnToAllocation/AwaitingRepair",
        free: summary === null,
        reports: summary === null ? {} : { "tenant-reported-issue": summary },
      };
    }),
  );
  const kinds = await stack.pool.query(
    "SELECT DISTINCT ON (host_id) kind FROM reclamation ORDER BY host_id, number DESC",
  );
  expect(kinds.rows).toEqual(rows.map(() => ({ kind: "repairRelease" })));
  expect(await historyProblems(stack, hostIds)).toEqual([]);
}, 600_000);

it("hiding an alert does not open its gate, and offers nothing to anybody", async () => {
  const hosts = blocked();
  const generation = async () => (await hostRows(stack, hosts)).map((row) => row.generation);
  const before = await generation();
  await all(hosts, (hostId) => template(hostId, "mark-healthy", true));
  // Waits until each host was claimed again, so that nothing is asserted too early.
  await until("every host to be looked at", limitMs, async () => {
    await stack.pool.query("UPDATE host_run SET due_at = now() WHERE host_id = ANY($1::uuid[])", [hosts]);
    return (await generation()).every((at, index) => at > (before[index] ?? 0n));
  });
  expect(await allocatable(hosts)).toEqual(hosts.map(() => false));
  const asked = await all(hosts, (machineId) => create("repair", { machineId }));
  expect(new Set(statuses(asked))).toEqual(new Set([400]));
  const rowsNow = await hostRows(stack, hosts);
  expect(new Set(rowsNow.map(({ state }) => state))).toEqual(new Set(["ReturnToAllocation/AwaitingRepair"]));
  await all(hosts, (hostId) => remove(hostId, "admin-cli", "replace"));
}, 600_000);

it("two at once: one of them, or one after the other, and no host is left between", async () => {
  const [contested = "", twice = "", ...rest] = blocked();
  const [cleared, worked] = [rest.slice(0, 5), rest.slice(5, 10)];
  // Two repair tenants claim one host.
  const both = await all(["repair", "vela"] as const, (who) => repair(who, contested));
  const [winner, loser] = both.toSorted((one, other) => one.status - other.status);
  // The loser reads that it is taken, but not by whom.
  expect([winner?.status, loser]).toEqual([
    201,
    {
      status: 400,
      body: {
        source: "nico",
        message: `Machine: ${contested} is assigned to an Instance, cannot be used for new Instance`,
        data: null,
      },
    },
  ]);
  expect(await openInstances(contested)).toBe(1);
  // A claim while the alert is removed: the host is claimed and without its alert, or free.
  const claims = all(cleared, (hostId) => repair("repair", hostId));
  await all(cleared, (hostId) => remove(hostId, "tenant-reported-issue"));
  const won = statuses(await claims);
  const ends = await all(cleared, async (hostId, index) => {
    const { state } = await waitForState(
      stack,
      hostId,
      won[index] === 201 ? "Assigned/Ready" : "Ready",
      limitMs,
    );
    return [state, await openInstances(hostId), (await allocatable([hostId]))[0], await reports(hostId)];
  });
  expect(ends).toEqual(
    won.map((status) => (status === 201 ? ["Assigned/Ready", 1, false, {}] : ["Ready", 0, true, {}])),
  );
  expect(won.filter((status) => status !== 201 && status !== 400)).toEqual([]);
  // A claim while an operator sets maintenance: one of them gets the host.
  const asked = all(worked, (hostId) => repair("repair", hostId));
  const { world } = stack;
  const kept = await all(worked, (hostId) =>
    setMaintenance(world.backend, world.actor("operator"), world.request(), { hostId, reason: "fan" }),
  );
  const got = statuses(await asked);
  for (const [index, hostId] of worked.entries()) {
    if (got[index] !== 201) expect(kept[index]).toMatchObject({ ok: true });
    expect(await openInstances(hostId)).toBe(got[index] === 201 ? 1 : 0);
    await waitForState(
      stack,
      hostId,
      got[index] === 201 ? "Assigned/Ready" : "ReturnToAllocation/AwaitingHealth",
      limitMs,
    );
  }
  // Two releases at once: one release, one reclamation.
  const held = await repair("repair", twice);
  await waitForState(stack, twice, "Assigned/Ready", limitMs);
  const body = { isRepairTenant: true, machineHealthIssue: told };
  const [id = ""] = ids([held]);
  expect(statuses(await all([1, 2], () => giveUp("repair", id, body)))).toEqual([202, 202]);
  await waitForState(stack, twice, "ReturnToAllocation/AwaitingRepair", limitMs);
  expect(await stack.world.backend.database.reclamation.count({ where: { instanceId: id } })).toBe(1);
  // Frees the rest: maintenance ends and alerts are removed, except where a repair tenant holds the host.
  for (const [index, hostId] of worked.entries())
    if (got[index] !== 201) await perform(stack, "operator", clearMaintenance, { hostId });
  const waiting = (await hostRows(stack, hostIds)).filter(({ state }) => state.startsWith("ReturnTo"));
  const free = waiting.map((row) => row.host_id);
  await all(free, (hostId) => remove(hostId, "tenant-reported-issue"));
  await waitForStates(stack, free, ["Ready"], limitMs);
  expect(await allocatable(free)).toEqual(free.map(() => true));
  expect(await historyProblems(stack, hostIds)).toEqual([]);
}, 600_000);
