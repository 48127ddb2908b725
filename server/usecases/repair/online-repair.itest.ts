// Online repair on a real database: its effects on host, instance and history; what ends it; and escalation, retried from any point of interruption.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Role } from "@/server/domain/access/roles";
import { applyTemplate, removeReport } from "@/server/usecases/repair/health/report-acts";
import { writeReports } from "@/server/usecases/repair/health/write-reports";
import { claimHost } from "@/server/usecases/instances/claim-host";
import { instanceHistory } from "@/server/usecases/instances/instance-history";
import { getInstance } from "@/server/usecases/instances/list-instances";
import { releaseInstance } from "@/server/usecases/instances/release-instance";
import { updateInstance } from "@/server/usecases/instances/update-instance";
import { escalateRepair } from "@/server/usecases/repair/escalate-repair";
import { beginOnlineRepair, endOnlineRepair } from "@/server/usecases/repair/online-repair";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

const issue = { category: "Hardware", summary: "GPU 3 fails", details: "Xid 79 since Monday" } as const;
const acknowledgments = {
  acceptDataCorruptionRisk: true,
  acceptRepairTeamAccess: true,
  acceptInstanceDeletionRisk: true,
} as const;
const marker = "onlineRepair.allowAutoInstanceDeletionOnFailure";

interface Held {
  readonly id: string;
  readonly hostId: string;
}
type Who = readonly [Role, ("acme" | "vela" | "repair")?];
const admin: Who = ["tenant-admin", "acme"];
const operator: Who = ["operator"];
const as = ([role, tenant]: Who) => [world.backend, world.actor(role, tenant), world.request()] as const;

async function held(labels: Record<string, string> = {}): Promise<Held> {
  const hostId = await world.host();
  await world.put(hostId, "Ready");
  const name = `i-${randomUUID()}`;
  const claimed = await claimHost(...as(admin), { name, labels, wanted: { siteId: world.siteId } });
  if (!claimed.ok) throw new Error(claimed.problem.detail);
  await world.backend.database.signal.deleteMany({ where: { hostId } });
  await world.put(hostId, "Assigned/Ready");
  return claimed.value;
}
const begin = ({ id }: Held, who: Who = admin, deletion = false) =>
  beginOnlineRepair(...as(who), {
    instanceId: id,
    issue,
    allowAutoInstanceDeletionOnFailure: deletion,
    acknowledgments,
  });
const end = ({ id }: Held, who: Who = admin) => endOnlineRepair(...as(who), { instanceId: id });
const release = ({ id }: Held, who: Who = admin) => releaseInstance(...as(who), { instanceId: id });
const escalate = ({ id }: Held, more: object = {}, who: Who = admin) =>
  escalateRepair(...as(who), { instanceId: id, ...more });

async function read({ id }: Held, who: Who = admin) {
  const [backend, actor] = as(who);
  const found = await getInstance(backend, actor, { id });
  if (!found.ok) throw new Error(found.problem.detail);
  return found.value;
}
async function lines({ id }: Held): Promise<string[]> {
  const [backend, actor] = as(admin);
  const found = await instanceHistory(backend, actor, { id });
  return found.ok ? found.value.map(({ status, message }) => `${status}: ${message}`).slice(1) : [];
}
/** By source, the summary of its report, or its text. */
async function reports({ hostId }: Held): Promise<Record<string, unknown>> {
  const rows = await world.backend.database.$queryRaw<{ source: string; message: string }[]>`
    SELECT source, body #>> '{alerts,0,message}' AS message FROM health_report WHERE host_id = ${hostId}::uuid`;
  return Object.fromEntries(
    rows.map(({ source, message }) => [
      source,
      message.startsWith("{") ? JSON.parse(message).summary : message,
    ]),
  );
}
const tickets = ({ id }: Held) =>
  world.backend.database.ticket.findMany({
    where: { instanceId: id },
    select: { origin: true, state: true, summary: true },
  });
const begun = "Repairing: Instance is currently being repaired";
const completed = "Ready: Instance repair has been completed, ready for use";
const refusedFor = (detail: RegExp, code = "notAllowedNow") => ({
  ok: false,
  problem: { code, detail: expect.stringMatching(detail) },
});

describe("an online repair", () => {
  it("keeps the instance, says so to its tenant, and is undone as a whole", async () => {
    const one = await held({ team: "vision" });
    expect((await begin(one, admin, true)).ok).toBe(true);
    expect(await read(one)).toMatchObject({
      status: "Repairing",
      tone: "attention",
      labels: { team: "vision", [marker]: "true" },
      notices: [{ message: "TenantReportedIssue: GPU 3 fails" }],
      onlineRepair: { active: { issue, allowDeletion: true }, allowed: true },
      release: { allowed: false, reason: expect.stringMatching(/clear online repair first/) },
    });
    expect(await read(one, ["auditor"])).toMatchObject({ onlineRepair: { allowed: false } });
    expect(await begin(one)).toMatchObject(refusedFor(/This one is Repairing/));
    expect((await end(one)).ok).toBe(true);
    expect(await read(one)).toMatchObject({
      status: "Ready",
      labels: { team: "vision" },
      notices: [],
      onlineRepair: { active: null, allowed: true },
      release: { allowed: true },
    });
    expect(await reports(one)).toEqual({});
    expect(await lines(one)).toEqual([begun, completed]);
    expect(await tickets(one)).toEqual([
      { origin: "onlineRepair", state: "repaired", summary: "GPU 3 fails" },
    ]);
    expect(await end(one)).toMatchObject(refusedFor(/^No online repair is on: the instance is Ready\.$/));
    const log = await world.backend.database.auditEvent.findMany({
      where: { targetId: one.id, outcome: "done", action: { endsWith: "Repair" } },
      orderBy: { action: "asc" },
    });
    expect(log).toMatchObject([
      {
        action: "instance.beginRepair",
        tenantId: world.tenants.acme,
        after: { onlineRepair: true, summary: "GPU 3 fails", acceptDataCorruptionRisk: true },
      },
      { action: "instance.endRepair", after: { onlineRepair: false } },
    ]);
  });

  it("is asked for by who may release the instance, and by nobody else", async () => {
    const one = await held();
    for (const who of [
      ["tenant-admin", "vela"],
      ["repair-tenant-admin", "repair"],
    ] as const) {
      for (const answer of [await begin(one, who), await end(one, who), await escalate(one, {}, who)])
        expect(answer).toMatchObject({ ok: false, problem: { code: "notFound" } });
    }
    expect(await begin(one, ["auditor"])).toMatchObject({ problem: { code: "forbidden" } });
    expect((await begin(one, ["provider-admin"])).ok).toBe(true);
    expect((await end(one, operator)).ok).toBe(true);
  });

  it("waits for room among the labels, and for an instance that is Ready", async () => {
    const full = await held(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, "v"])));
    expect(await begin(full)).toMatchObject(refusedFor(/too many labels/, "conflict"));
    expect(await reports(full)).toEqual({});
    const early = await held();
    await world.put(early.hostId, "Assigned/WaitingForNetworkConfig");
    expect(await begin(early)).toMatchObject(refusedFor(/This one is Provisioning/));
    const left = await held();
    await release(left);
    expect(await begin(left)).toMatchObject(refusedFor(/This one is Terminating/));
    expect(await end(left)).toMatchObject(refusedFor(/being released/));
    expect(await reports(left)).toEqual({});
  });

  it("refuses every release until it is cleared", async () => {
    const one = await held();
    await begin(one);
    for (const who of [admin, operator])
      expect(await release(one, who)).toMatchObject(refusedFor(/clear online repair first/));
    await end(one);
    expect((await release(one)).ok).toBe(true);
  });

  it("follows the report: an operator's template begins it, and removing the report ends it", async () => {
    const one = await held();
    const by = as(operator);
    const applied = {
      hostId: one.hostId,
      template: "request-online-repair",
      message: "ticket 4711",
    } as const;
    expect((await applyTemplate(...by, applied)).ok).toBe(true);
    expect(await read(one)).toMatchObject({
      status: "Repairing",
      onlineRepair: { active: { issue: null, allowDeletion: null } },
    });
    expect(await release(one)).toMatchObject(refusedFor(/clear online repair first/));
    // The tenant ends what an operator started.
    expect((await end(one)).ok).toBe(true);
    expect(await read(one)).toMatchObject({ status: "Ready" });
    // And an operator removes what the tenant started: nothing remains.
    await begin(one);
    const source = { hostId: one.hostId, source: "request-online-repair", reason: "done" };
    expect((await removeReport(...by, source)).ok).toBe(true);
    expect(await read(one)).toMatchObject({ status: "Ready", labels: {}, release: { allowed: true } });
    expect(await lines(one)).toEqual([begun, completed, begun, completed]);
    // The label was removed meanwhile: the repair can still be ended, as can one of which only the label is left.
    await begin(one);
    await updateInstance(...as(admin), { instanceId: one.id, labels: {} });
    expect(await read(one)).toMatchObject({ status: "Repairing", labels: {} });
    expect((await end(one)).ok).toBe(true);
    await updateInstance(...as(admin), { instanceId: one.id, labels: { [marker]: "true", a: "b" } });
    expect(await read(one)).toMatchObject({ status: "Ready" });
    expect((await end(one)).ok).toBe(true);
    expect(await read(one)).toMatchObject({ labels: { a: "b" } });
  });

  it("and a release at once: one of them is refused", async () => {
    for (let round = 0; round < 5; round += 1) {
      const one = await held();
      const [repair, left] = await Promise.all([begin(one), release(one)]);
      expect([repair.ok, left.ok].filter(Boolean)).toHaveLength(1);
      expect(await read(one)).toMatchObject({ status: repair.ok ? "Repairing" : "Terminating" });
      expect(Object.keys(await reports(one))).toHaveLength(repair.ok ? 1 : 0);
    }
  });
});

describe("an escalation", () => {
  const failed = "Ready: Online repair has failed; the instance is released for full repair";
  const labels = {
    "onlineRepair.status": "Failed",
    "onlineRepair.escalation": "FullRepair",
    "onlineRepair.failureReason": "GPU 3 fails",
  };

  it("ends the repair, labels the instance and releases it with the issue that it was begun for", async () => {
    const one = await held({ team: "vision" });
    await begin(one);
    expect(await escalate(one)).toMatchObject({ ok: true, value: { alreadyReleasing: false } });
    expect(await read(one)).toMatchObject({ status: "Terminating", labels: { team: "vision", ...labels } });
    expect((await read(one)).labels).not.toHaveProperty([marker]);
    expect(await reports(one)).toEqual({ "tenant-reported-issue": "GPU 3 fails" });
    expect((await lines(one)).slice(0, 2)).toEqual([begun, failed]);
    expect((await lines(one))[2]).toMatch(/^Terminating/);
    expect(await tickets(one)).toMatchObject([{ origin: "onlineRepair", state: "open" }]);
    expect(await escalate(one)).toMatchObject({ ok: true, value: { alreadyReleasing: true } });
    expect(
      await world.backend.database.signal.count({ where: { hostId: one.hostId, kind: "release" } }),
    ).toBe(1);
  });

  it("asks for the repair where the site does, and takes another issue and reason", async () => {
    const policy = (on: boolean) => world.backend.database.$executeRaw`
      UPDATE site_policy SET body = jsonb_set(body, '{autoRepair}', ${String(on)}::jsonb)`;
    const one = await held();
    await begin(one);
    await policy(true);
    const more = {
      issue: { category: "Other", summary: "board is broken" } as const,
      failureReason: "a new GPU did not help",
    };
    expect((await escalate(one, more, operator)).ok).toBe(true);
    await policy(false);
    expect(await reports(one)).toEqual({
      "tenant-reported-issue": "board is broken",
      "repair-request": "board is broken",
    });
    expect((await read(one)).labels).toMatchObject({
      "onlineRepair.failureReason": "a new GPU did not help",
    });
  });

  it("goes on from wherever it was broken off", async () => {
    // The repair was cleared as NICo's clients do it, and nothing else.
    const cleared = await held();
    await begin(cleared);
    await end(cleared);
    expect((await escalate(cleared)).ok).toBe(true);
    expect(await reports(cleared)).toEqual({ "tenant-reported-issue": "GPU 3 fails" });
    expect((await read(cleared)).labels).toEqual(labels);
    // The instance was labelled as well.
    const labelled = await held();
    await begin(labelled);
    await end(labelled);
    await updateInstance(...as(admin), { instanceId: labelled.id, labels });
    expect((await escalate(labelled)).ok).toBe(true);
    expect(await reports(labelled)).toEqual({ "tenant-reported-issue": "GPU 3 fails" });
  });

  it("of a repair that stands longer than its history is kept has its issue", async () => {
    const one = await held();
    await begin(one);
    await world.backend.database.healthChange.deleteMany({ where: { hostId: one.hostId } });
    expect((await escalate(one)).ok).toBe(true);
    expect(await reports(one)).toEqual({ "tenant-reported-issue": "GPU 3 fails" });
  });

  it("leaves everything as it is where it cannot be done", async () => {
    const never = await held();
    expect(await escalate(never, { issue })).toMatchObject(refusedFor(/has no online repair/));
    const one = await held();
    await begin(one);
    const other = { hostId: one.hostId, source: "by-hand", reason: "keep it" };
    const alert = { id: "Keep", target: null, message: "x", classifications: ["PreventInstanceDeletion"] };
    await world.backend.database.$transaction(async (tx) => {
      await writeReports(
        tx,
        one.hostId,
        [
          {
            kind: "set",
            source: other.source,
            mode: "merge",
            heartbeatSeconds: null,
            report: {
              observedAt: null,
              successes: [],
              alerts: [{ ...alert, inAlertSince: null, tenantMessage: null }],
            },
          },
        ],
        { name: "operator", reason: "keep it" },
      );
    });
    expect(await escalate(one)).toMatchObject(refusedFor(/PreventInstanceDeletion/));
    expect(await read(one)).toMatchObject({ status: "Repairing", labels: { [marker]: "false" } });
    expect(await lines(one)).toEqual([begun]);
    await removeReport(...as(operator), other);
    const many = Object.fromEntries(Array.from({ length: 48 }, (_, n) => [`k${n}`, "v"]));
    await updateInstance(...as(admin), { instanceId: one.id, labels: { ...many, [marker]: "false" } });
    expect(await escalate(one)).toMatchObject(refusedFor(/too many labels/, "conflict"));
    expect(await read(one)).toMatchObject({ status: "Repairing", releaseRequestedAt: null });
    // An operator's text is not an issue: whoever escalates must say what is wrong.
    const worded = await held();
    const template = { hostId: worded.hostId, template: "request-online-repair", message: "look" } as const;
    await applyTemplate(...as(operator), template);
    expect(await escalate(worded)).toMatchObject(refusedFor(/Describe what is wrong/, "invalid"));
    expect((await escalate(worded, { issue })).ok).toBe(true);
  });
});
