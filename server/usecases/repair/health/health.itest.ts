// Health on the database: what reports do to allocation and release, within one transaction and concurrently; and who may write and read what.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { markReleased } from "@/server/db/hot/host/release";
import { poolOf } from "@/server/db/prisma";
import { inTransaction } from "@/server/db/transaction";
import { reportInput } from "@/server/domain/repair/health/report";
import { fromTemplate } from "@/server/domain/repair/health/templates";
import type { TemplateName } from "@/server/domain/repair/health/templates";
import { hostsWanted } from "@/server/db/hot/fleet/bmc-health";
import { storeBmcHealth } from "@/server/usecases/repair/health/bmc-health";
import { readHealthNow } from "@/server/usecases/repair/health/read-health-now";
import { raiseSilent } from "@/server/usecases/repair/health/silent-sources";
import { getHealth } from "@/server/usecases/repair/health/get-health";
import { addReport, applyTemplate, removeReport } from "@/server/usecases/repair/health/report-acts";
import { addSource, listSources, removeSource } from "@/server/usecases/repair/health/sources";
import { writeReports } from "@/server/usecases/repair/health/write-reports";
import { clearMaintenance } from "@/server/usecases/hosts/maintenance/clear-maintenance";
import { setMaintenance } from "@/server/usecases/hosts/maintenance/set-maintenance";
import { listHosts } from "@/server/usecases/hosts/list/list-hosts";
import { claimHost } from "@/server/usecases/instances/claim-host";
import { getInstance } from "@/server/usecases/instances/list-instances";
import { releaseInstance } from "@/server/usecases/instances/release-instance";
import { createWorld, putInReady } from "@/server/usecases/testing/world";
import { valueOf } from "@/server/usecases/testing/outcomes";
import type { World } from "@/server/usecases/testing/world";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

const apply = async (hostId: string, template: TemplateName, more: { replace?: boolean } = {}) =>
  valueOf(
    await applyTemplate(world.backend, world.actor("operator"), world.request(), {
      hostId,
      template,
      message: "fans fail",
      ...more,
    }),
  );
const remove = async (hostId: string, source: string, mode: "merge" | "replace" = "merge") =>
  valueOf(
    await removeReport(world.backend, world.actor("operator"), world.request(), {
      hostId,
      source,
      mode,
      reason: "repaired",
    }),
  );
const runOf = (hostId: string) => world.backend.database.hostRun.findUniqueOrThrow({ where: { hostId } });
const allocatable = async (hostId: string) => (await runOf(hostId)).allocatable;
const claim = (hostId: string) =>
  claimHost(world.backend, world.actor("repair-tenant-admin", "repair"), world.request(), {
    name: `i-${randomUUID()}`,
    wanted: { hostId },
  });
const release = (instanceId: string) =>
  releaseInstance(world.backend, world.actor("operator"), world.request(), { instanceId });

async function ready(): Promise<string> {
  const hostId = await world.host();
  await world.put(hostId, "Ready");
  return hostId;
}

describe("allocation", () => {
  it("ends with the write that raises an alert, and begins again with the one that ends it", async () => {
    const hostId = await ready();
    const before = await runOf(hostId);
    await apply(hostId, "tenant-reported-issue");
    const raised = await runOf(hostId);
    expect(raised).toMatchObject({ allocatable: false, touched: false });
    expect(raised.evidenceSeq).toBeGreaterThan(before.evidenceSeq);
    expect(raised.wakeSeq).toBeGreaterThan(before.wakeSeq);
    expect(await claim(hostId)).toMatchObject({ ok: false });
    await remove(hostId, "tenant-reported-issue");
    expect(await runOf(hostId)).toMatchObject({ allocatable: true, health: null });
  });

  it("stays ended under a report that replaces the others, and under maintenance that ends", async () => {
    const hostId = await world.fakeHost();
    await putInReady(world.backend.database, hostId);
    await apply(hostId, "tenant-reported-issue");
    await apply(hostId, "mark-healthy", { replace: true });
    expect(await allocatable(hostId)).toBe(false);
    const host = { hostId };
    valueOf(
      await setMaintenance(world.backend, world.actor("operator"), world.request(), { hostId, reason: "x" }),
    );
    valueOf(await clearMaintenance(world.backend, world.actor("operator"), world.request(), host));
    expect(await allocatable(hostId)).toBe(false);
    await remove(hostId, "tenant-reported-issue");
    expect(await allocatable(hostId)).toBe(true);
  });

  it("that ends under maintenance leaves the host out", async () => {
    // A real machine would also be touched, which keeps it out as well.
    const hostId = await world.fakeHost();
    await putInReady(world.backend.database, hostId);
    await apply(hostId, "tenant-reported-issue");
    valueOf(
      await setMaintenance(world.backend, world.actor("operator"), world.request(), { hostId, reason: "x" }),
    );
    await remove(hostId, "tenant-reported-issue");
    expect(await runOf(hostId)).toMatchObject({ allocatable: false, health: null });
  });

  it("of a host that somebody worked on waits until it was read again", async () => {
    const hostId = await ready();
    await apply(hostId, "out-for-repair");
    await remove(hostId, "manual-maintenance");
    expect(await runOf(hostId)).toMatchObject({
      allocatable: false,
      touched: true,
      touchedReason: "the alert Maintenance (OutForRepair) ended",
    });
  });

  it("is not given back to a host that was claimed meanwhile, or whose database was restored", async () => {
    const claimed = await ready();
    await apply(claimed, "tenant-reported-issue");
    // As a repair tenant's claim does: despite the alert.
    await world.backend.database.instance.create({
      data: { name: randomUUID(), tenantId: world.tenants.repair, hostId: claimed },
    });
    await remove(claimed, "tenant-reported-issue");
    expect(await allocatable(claimed)).toBe(false);
    const restored = await ready();
    await apply(restored, "tenant-reported-issue");
    await world.backend.database.signal.create({ data: { hostId: restored, kind: "databaseRestored" } });
    await remove(restored, "tenant-reported-issue");
    expect(await allocatable(restored)).toBe(false);
  });

  it("is consistent with claims that race with an alert", async () => {
    for (let round = 0; round < 12; round += 1) {
      const hostId = await ready();
      const [claimed] = await Promise.all([claim(hostId), apply(hostId, "tenant-reported-issue")]);
      const open = await world.backend.database.instance.count({ where: { hostId, endedAt: null } });
      expect([open, await allocatable(hostId)]).toEqual([claimed.ok ? 1 : 0, false]);
      const [again] = await Promise.all([claim(hostId), remove(hostId, "tenant-reported-issue")]);
      const held = await world.backend.database.instance.count({ where: { hostId, endedAt: null } });
      expect(held).toBe(claimed.ok || again.ok ? 1 : 0);
      expect(await allocatable(hostId)).toBe(held === 0);
    }
  });
});

describe("the database itself, whichever release writes", () => {
  const ask = (text: string, hostId: string) => world.backend.database.$executeRawUnsafe(text, hostId);

  it("makes no host allocatable or Ready under a blocking alert", async () => {
    const hostId = await ready();
    await apply(hostId, "degraded");
    await ask("UPDATE host_run SET allocatable = true WHERE host_id = $1::uuid", hostId);
    expect(await allocatable(hostId)).toBe(false);
    await world.put(hostId, "ReturnToAllocation/EvaluatingGates");
    await expect(putInReady(world.backend.database, hostId)).rejects.toThrow(/health alert prevents/);
    const other = await ready();
    await apply(other, "validation");
    await world.put(other, "ReturnToAllocation/EvaluatingGates");
    await putInReady(world.backend.database, other);
    expect(await allocatable(other)).toBe(true);
  });

  it("marks no instance as released that an alert protects", async () => {
    const { id, hostId } = await assigned();
    await apply(hostId, "request-online-repair");
    await expect(
      ask("UPDATE instance SET release_requested_at = now() WHERE id = $1::uuid", id),
    ).rejects.toThrow(/prevents its deletion/);
  });
});

async function assigned(): Promise<{ id: string; hostId: string }> {
  const hostId = await ready();
  const { id } = valueOf(await claim(hostId));
  await world.put(hostId, "Assigned/Ready");
  return { id, hostId };
}

describe("a release under PreventInstanceDeletion", () => {
  it("is refused in NICo's words, before and on the page, until the alert is gone", async () => {
    const { id, hostId } = await assigned();
    const alert = { id: "Keep", target: null, classifications: ["PreventInstanceDeletion"] };
    const by = [world.backend, world.actor("operator"), world.request()] as const;
    const kept = await addReport(...by, {
      hostId,
      source: "by-hand",
      report: { alerts: [alert] },
      reason: "keep it",
    });
    expect(kept.ok).toBe(true);
    const words =
      "Instance release is blocked: aggregate health includes a PreventInstanceDeletion alert. Remove the alert or the health override that carries it, then retry.";
    expect(await release(id)).toMatchObject({ ok: false, problem: { code: "notAllowedNow", detail: words } });
    const tenant = world.actor("repair-tenant-admin", "repair");
    const seen = valueOf(await getInstance(world.backend, tenant, { id }));
    expect(seen.release).toEqual({
      allowed: false,
      reason: expect.stringContaining("PreventInstanceDeletion"),
    });
    await remove(hostId, "by-hand");
    expect(await release(id)).toMatchObject({ ok: true, value: { alreadyReleasing: false } });
    // A release that was already accepted stays accepted.
    await apply(hostId, "request-online-repair");
    expect(await release(id)).toMatchObject({ ok: true, value: { alreadyReleasing: true } });
  });

  it("is not written under an alert that came after the rule was asked", async () => {
    const { id, hostId } = await assigned();
    await apply(hostId, "request-online-repair");
    const release = { instanceId: id, hostId, tenantId: null, releasedBy: null, message: "released" };
    const by = { personId: null, name: "test", requestId: "test" };
    expect(
      await markReleased(poolOf(world.backend.database), { ...release, payload: { by, instanceId: id } }, []),
    ).toBe(false);
  });

  it("that races with the alert is accepted or refused, never neither", async () => {
    for (let round = 0; round < 8; round += 1) {
      const { id, hostId } = await assigned();
      const [released] = await Promise.all([release(id), apply(hostId, "request-online-repair")]);
      const { releaseRequestedAt } = await world.backend.database.instance.findUniqueOrThrow({
        where: { id },
      });
      expect(releaseRequestedAt !== null).toBe(released.ok);
      if (released.ok) expect(released.value.alreadyReleasing).toBe(false);
    }
  });
});

describe("reports", () => {
  it("are kept by source with every change; what says nothing new is no change", async () => {
    const hostId = await ready();
    const add = (body: object, mode?: "replace") =>
      addReport(world.backend, world.actor("operator"), world.request(), {
        hostId,
        source: "bmc-health",
        reason: "seen",
        report: body,
        ...(mode === undefined ? {} : { mode }),
      });
    const fan = { id: "FanFailed", target: "1", classifications: ["Hardware", "OfAnotherSystem"] };
    valueOf(await add({ alerts: [fan], successes: [{ id: "Power" }] }));
    valueOf(await add({ alerts: [fan], successes: [{ id: "Power" }] }));
    await apply(hostId, "mark-healthy", { replace: true });
    const health = valueOf(await getHealth(world.backend, world.actor("auditor"), { hostId }));
    expect(health).toMatchObject({
      level: "healthy",
      replacedBy: "admin-cli",
      alerts: [],
      hidden: [],
      effects: [],
      mayChange: false,
    });
    expect(health.reports.map(({ source, mode }) => [source, mode])).toEqual([
      ["admin-cli", "replace"],
      ["bmc-health", "merge"],
    ]);
    expect(health.changes.map(({ source, kind, by }) => [source, kind, by])).toEqual([
      ["admin-cli", "set", "operator of acme"],
      ["bmc-health", "set", "operator of acme"],
    ]);
    // Another replacing report takes its place.
    valueOf(await add({ alerts: [{ id: "Shown" }] }, "replace"));
    expect(valueOf(await getHealth(world.backend, world.actor("operator"), { hostId }))).toMatchObject({
      replacedBy: "bmc-health",
      alerts: [{ id: "Shown" }],
      mayChange: true,
    });
    expect(await add({ alerts: [], observedAt: "2020-01-01T00:00:00Z" })).toMatchObject({
      ok: false,
      problem: { code: "invalid" },
    });
    expect(
      await removeReport(world.backend, world.actor("operator"), world.request(), {
        hostId,
        source: "nobody",
        reason: "x",
      }),
    ).toMatchObject({ ok: false, problem: { code: "notFound" } });
  });

  it("that only say another figure are shown without a line of history; a person's words have one", async () => {
    const hostId = await ready();
    const told = (message: string, reason: string | null) =>
      inTransaction(world.backend.database, (tx) =>
        writeReports(
          tx,
          hostId,
          [
            {
              kind: "set",
              source: "heat",
              mode: "merge",
              report: reportInput.parse({
                alerts: [{ id: "Hot", message, classifications: ["PreventAllocations"] }],
              }),
              heartbeatSeconds: 60,
            },
          ],
          { name: "thermal", reason },
        ),
      );
    const versions = async () => {
      const { database } = world.backend;
      const [health] = await database.$queryRaw<
        object[]
      >`SELECT updated_at FROM host_health WHERE host_id = ${hostId}::uuid`;
      const [kept] = await database.$queryRaw<
        { received_at: Date }[]
      >`SELECT received_at FROM health_report WHERE host_id = ${hostId}::uuid`;
      return { updated: health, received: kept?.received_at.getTime() ?? 0 };
    };
    const seen = async () => {
      const { alerts, changes } = valueOf(await getHealth(world.backend, world.actor("auditor"), { hostId }));
      return [alerts[0]?.message, changes.length];
    };
    valueOf(await told("71.3 °C", null));
    const first = await runOf(hostId);
    valueOf(await told("71.4 °C", null));
    expect(await seen()).toEqual(["71.4 °C", 1]);
    expect((await runOf(hostId)).wakeSeq).toBe(first.wakeSeq);
    const before = await versions();
    valueOf(await told("71.4 °C", null));
    const after = await versions();
    expect(after.received).toBeGreaterThan(before.received);
    expect(after.updated).toEqual(before.updated);
    expect(await seen()).toEqual(["71.4 °C", 1]);
    valueOf(await told("somebody looked", "looked"));
    expect(await seen()).toEqual(["somebody looked", 2]);
  });

  it("are not a tenant's to read or write", async () => {
    const hostId = await ready();
    const tenant = world.actor("tenant-admin");
    expect(await getHealth(world.backend, tenant, { hostId })).toMatchObject({ ok: false });
    expect(
      await applyTemplate(world.backend, tenant, world.request(), {
        hostId,
        template: "mark-healthy",
        message: "x",
      }),
    ).toMatchObject({ ok: false, problem: { code: "forbidden" } });
  });

  it("tell the tenant of the host what they say to tenants, and nothing else", async () => {
    const { id, hostId } = await assigned();
    valueOf(
      await applyTemplate(world.backend, world.actor("operator"), world.request(), {
        hostId,
        template: "degraded",
        message: "rack 7 of the other tenant overheats",
        tenantMessage: "Your host runs slower than usual",
      }),
    );
    await apply(hostId, "suppress-external-alerting");
    const seen = valueOf(
      await getInstance(world.backend, world.actor("repair-tenant-admin", "repair"), { id }),
    );
    expect(seen.notices).toEqual([{ message: "Your host runs slower than usual", since: expect.any(Date) }]);
    expect(JSON.stringify(seen)).not.toMatch(/rack 7|Degraded|manual-maintenance|PreventAllocations/);
  });

  it("are written in a transaction of somebody else's, and taken back with it", async () => {
    const hostId = await ready();
    const outcome = await inTransaction(world.backend.database, async (tx) => {
      const written = await writeReports(
        tx,
        hostId,
        [
          {
            kind: "set",
            source: "repair-request",
            mode: "merge",
            report: fromTemplate("request-repair", "x"),
            heartbeatSeconds: null,
          },
        ],
        { name: "a release", reason: null },
      );
      expect(written).toMatchObject({ ok: true, value: { level: "blocked" } });
      return { ok: false as const, problem: "the release was refused" };
    });
    expect(outcome.ok).toBe(false);
    expect(await allocatable(hostId)).toBe(true);
  });

  it("are found by the list: level, alert and classification", async () => {
    const hostId = await ready();
    const { name } = await runOf(hostId);
    await apply(hostId, "request-repair");
    const find = async (filter: string) => {
      const found = valueOf(
        await listHosts(world.backend, world.actor("operator"), {
          filter: `${filter} ${name}`,
          sort: "name",
          descending: false,
          cursor: null,
          limit: 10,
        }),
      );
      return found.rows.map((row) => row.health);
    };
    const mark = { words: "RequestRepair", tone: "failed" };
    for (const filter of ["health:blocked", "alert:RequestRepair", "alert:prevent*", "-health:none"])
      expect(await find(filter), filter).toEqual([mark]);
    for (const filter of ["health:healthy", "alert:Other", "-alert:RequestRepair"])
      expect(await find(filter), filter).toEqual([]);

    // More names than are compared individually.
    const alerts = Array.from({ length: 101 }, (_, index) => ({ id: `Many.${index}` }));
    valueOf(
      await addReport(world.backend, world.actor("operator"), world.request(), {
        hostId,
        source: "many",
        report: { alerts },
        reason: "test",
      }),
    );
    const many = { words: "RequestRepair +101", tone: "failed" };
    for (const filter of ["alert:many.*", "alert:Many.7", "-alert:many", "alert:nobody*,many.100"])
      expect(await find(filter), filter).toEqual([many]);
    for (const filter of ["alert:many", "-alert:many.*", "alert:nobody*"])
      expect(await find(filter), filter).toEqual([]);
  });
});

describe("a source that falls silent", () => {
  const report = (hostId: string, heartbeatSeconds: number | null) =>
    inTransaction(world.backend.database, (tx) =>
      writeReports(
        tx,
        hostId,
        [
          {
            kind: "set",
            source: "monitor",
            mode: "merge",
            report: { observedAt: null, successes: [], alerts: [] },
            heartbeatSeconds,
          },
        ],
        { name: "source monitor", reason: null },
      ),
    );
  const late = (hostId: string) =>
    world.backend.database
      .$executeRaw`UPDATE health_report SET received_at = received_at - interval '3 minutes', silent_at = silent_at - interval '3 minutes' WHERE host_id = ${hostId}::uuid`;

  const warn = vi.fn();
  const raise = (uptimeSeconds: number) =>
    raiseSilent(world.backend.database, uptimeSeconds, { warn }, new AbortController().signal);

  it("is raised also where another host's reports cannot be read", async () => {
    const [broken, other] = [await ready(), await ready()];
    for (const hostId of [broken, other]) {
      valueOf(await report(hostId, 60));
      await late(hostId);
    }
    const { database } = world.backend;
    await database.$executeRaw`UPDATE health_report SET body = '{}' WHERE host_id = ${broken}::uuid`;
    expect(await raise(3_600)).toBe(1);
    expect(warn).toHaveBeenCalledWith(expect.objectContaining({ hostId: broken }), expect.any(String));
    expect(await allocatable(other)).toBe(false);
    await database.$executeRaw`DELETE FROM health_report WHERE host_id = ${broken}::uuid`;
  });

  it("raises HeartbeatTimeout once, which ends when it reports again", async () => {
    const hostId = await ready();
    valueOf(await report(hostId, 60));
    expect(await raise(3_600)).toBe(0);
    await late(hostId);
    // A server that has just started waits, because nobody could report to it before.
    expect(await raise(60)).toBe(0);
    expect(await raise(3_600)).toBe(1);
    expect(await raise(3_600)).toBe(0);
    expect(await allocatable(hostId)).toBe(false);
    const health = valueOf(await getHealth(world.backend, world.actor("operator"), { hostId }));
    expect(health.alerts).toMatchObject([{ id: "HeartbeatTimeout", target: "monitor" }]);
    expect(health.changes[0]).toMatchObject({ kind: "silent", by: "Reclaim" });
    valueOf(await report(hostId, 60));
    expect(await allocatable(hostId)).toBe(true);
  });

  it("is not one that promised nothing", async () => {
    const hostId = await ready();
    valueOf(await report(hostId, null));
    await late(hostId);
    expect(await raise(3_600)).toBe(0);
  });
});

describe("sources", () => {
  it("have a token each, are listed without it, and are not those of templates", async () => {
    const admin = world.actor("provider-admin");
    const add = (name: string, site: string | null = null) =>
      addSource(world.backend, admin, world.request(), { name, site });
    const { token } = valueOf(await add("thermal"));
    expect(token).toMatch(/^rch_/);
    expect(await add("thermal")).toMatchObject({ ok: false, problem: { code: "conflict" } });
    expect(await add("tenant-reported-issue")).toMatchObject({ ok: false, problem: { code: "invalid" } });
    expect(await add("other", "nowhere")).toMatchObject({ ok: false, problem: { code: "notFound" } });
    const listed = valueOf(await listSources(world.backend, world.actor("auditor")));
    expect(listed).toMatchObject([{ name: "thermal", site: null, hosts: 0, silent: 0 }]);
    expect(JSON.stringify(listed)).not.toContain(token);
    valueOf(await removeSource(world.backend, admin, world.request(), { name: "thermal" }));
    expect(valueOf(await listSources(world.backend, admin))).toEqual([]);
  });
});

describe("a reading at once", () => {
  const ask = (hostId: string, role: "operator" | "auditor" = "operator") =>
    readHealthNow(world.backend, world.actor(role), world.request(), { hostId });
  const refusal = async (...given: Parameters<typeof ask>) => {
    const outcome = await ask(...given);
    return outcome.ok ? null : outcome.problem.detail;
  };

  it("is requested once, is audited, waits for a host that does not rest, and is limited", async () => {
    const { database } = world.backend;
    const hostId = await world.host();
    expect(await refusal(hostId)).toContain("does not know the BMC");
    await database.host.update({
      where: { id: hostId },
      data: { bmcLinks: { system: "/redfish/v1/Systems/1" } },
    });
    await world.put(hostId, "BomValidating/UpdatingInventory");
    expect(await ask(hostId, "auditor")).toMatchObject({ ok: false, problem: { code: "forbidden" } });
    expect(valueOf(await ask(hostId))).toEqual({ waits: true });
    expect(await refusal(hostId)).toContain("requested already");
    // It is taken once it may be read: those who wait for their hosts to rest keep nobody's place.
    expect(await hostsWanted(poolOf(database))).not.toContain(hostId);
    await world.put(hostId, "Manageable");
    expect(await hostsWanted(poolOf(database))).toContain(hostId);
    expect(
      await database.auditEvent.count({
        where: { action: "host.readHealth", targetId: hostId, outcome: "done" },
      }),
    ).toBe(1);
    const { bmc } = valueOf(await getHealth(world.backend, world.actor("operator"), { hostId }));
    expect(bmc).toMatchObject({ readAt: null, wantedAt: expect.any(Date) });
    await storeBmcHealth(poolOf(database), hostId, { ok: false, why: "no answer" });
    expect(await hostsWanted(poolOf(database))).not.toContain(hostId);
    // One that does not answer is not asked more often either.
    expect(await refusal(hostId)).toContain("less than a minute ago");
    const triedAt = new Date(Date.now() - 61_000);
    await database.bmcHealth.update({ where: { hostId }, data: { triedAt } });
    await world.put(hostId, "Manageable");
    expect(valueOf(await ask(hostId))).toEqual({ waits: false });
    await database.bmcHealth.update({ where: { hostId }, data: { wantedAt: null } });
    const off = await readHealthNow(
      { ...world.backend, readsBmcHealth: false },
      world.actor("operator"),
      world.request(),
      { hostId },
    );
    expect(off).toMatchObject({ problem: { detail: expect.stringContaining("RECLAIM_BMC_HEALTH_MS is 0") } });
  });
});
