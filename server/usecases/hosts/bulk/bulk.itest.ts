// Bulk acts on a real database: what was previewed is what runs, host by host, in few statements, and it continues after a restart.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { roles } from "@/server/domain/access/roles";
import type { State } from "@/server/domain/lifecycle/states";
import type { Actor } from "@/server/usecases/actor";
import { portionHosts } from "@/server/usecases/hosts/bulk/ask-portion";
import type { BulkPreviewInput } from "@/server/usecases/hosts/bulk/bulk-args";
import { bulkProgress, listBulk } from "@/server/usecases/hosts/bulk/bulk-progress";
import { continueBulkActs } from "@/server/usecases/hosts/bulk/continue-bulk";
import { previewBulk } from "@/server/usecases/hosts/bulk/preview-bulk";
import { startBulk } from "@/server/usecases/hosts/bulk/start-bulk";
import { saveRunbook } from "@/server/usecases/cleaning/runbooks/save-runbook";
import { pruneBulkPreviews } from "@/server/db/bulk-previews";
import { createDatabase } from "@/server/db/prisma";
import { reportAgent } from "@/server/usecases/testing/hardware";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";
import { addReclamation, addStoppedRelease } from "@/server/usecases/testing/reclamations";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

const operator = () => world.actor("operator");
const preview = async (
  input: Omit<BulkPreviewInput, "target"> & { readonly target: { hostIds: string[] } | { filter: string } },
  actor: Actor = operator(),
) => {
  const made = await previewBulk(world.backend, actor, world.request(), input);
  if (!made.ok) throw new Error(made.problem.detail);
  return made.value;
};
const start = (id: string, actor: Actor = operator()) =>
  startBulk(world.backend, actor, world.request(), { id });
const progress = async (id: string, over: Partial<Parameters<typeof bulkProgress>[2]> = {}) => {
  const read = await bulkProgress(world.backend, operator(), {
    id,
    statuses: [],
    cursor: null,
    limit: 100,
    ...over,
  });
  if (!read.ok) throw new Error(read.problem.detail);
  return read.value;
};
const hosts = async (...states: readonly State[]): Promise<string[]> => {
  const ids: string[] = [];
  for (const state of states) {
    const id = await world.host();
    await world.put(id, state);
    ids.push(id);
  }
  return ids;
};
const reboot = [{ interface: "power", step: "reboot", args: {} }];
const signalsOf = (hostIds: readonly string[]) =>
  world.backend.database.signal.findMany({ where: { hostId: { in: [...hostIds] } }, orderBy: { id: "asc" } });

describe("a preview", () => {
  it("says what allocation loses, of each SKU and site", async () => {
    const hostIds = await hosts("Ready", "Ready", "Ready", "Manageable");
    const ready = async (over: Partial<BulkPreviewInput>) => {
      const { ready: changes, isLarge } = await preview({
        target: { hostIds },
        intent: "setMaintenance",
        reason: "firmware",
        ...over,
      });
      return { changes, isLarge };
    };
    const all = await world.backend.database.hostRun.count({ where: { allocatable: true } });
    expect(await ready({})).toMatchObject({ changes: [{ sku: null, now: all, after: all - 3 }] });
    expect(await ready({ target: { filter: "" } })).toMatchObject({
      changes: [{ now: all, after: 0 }],
      isLarge: true,
    });
    expect(await ready({ intent: "retry", reason: undefined })).toEqual({ changes: [], isLarge: false });
  });

  it("says who can, and groups why the others cannot", async () => {
    const hostIds = await hosts("Manageable", "Manageable", "Ready", "Ready", "Enroll");
    const made = await preview({ target: { hostIds }, intent: "clean", steps: reboot });
    expect(made).toMatchObject({ total: 5, can: 2, cannot: 3, erases: false, abandons: 0 });
    expect(made.reasons).toMatchObject([
      { count: 2, reason: expect.stringContaining("Ready") },
      { count: 1, reason: expect.stringContaining("Enroll") },
    ]);
    expect(await signalsOf(hostIds)).toEqual([]);
    expect(
      await world.backend.database.auditEvent.count({ where: { action: "bulk.preview", outcome: "done" } }),
    ).toBe(0);
    expect(await progress(made.id)).toMatchObject({
      startedAt: null,
      counts: { can: 2, cannot: 3 },
      over: false,
    });
  });
  it("that nobody started is thrown away after an hour, and one that was started is kept", async () => {
    const made = [
      await preview({ target: { hostIds: await hosts("Manageable") }, intent: "provide" }),
      await preview({ target: { hostIds: await hosts("Manageable") }, intent: "provide" }),
      await preview({ target: { hostIds: await hosts("Manageable") }, intent: "provide" }),
    ];
    const [old = "", started = "", young = ""] = made.map(({ id }) => id);
    await start(started);
    await world.backend.database.bulkAct.updateMany({
      where: { id: { in: [old, started] } },
      data: { createdAt: new Date(Date.now() - 61 * 60_000) },
    });
    await pruneBulkPreviews(world.backend.database);
    expect(
      (await world.backend.database.bulkAct.findMany({ where: { id: { in: [old, started, young] } } }))
        .map(({ id }) => id)
        .sort(),
    ).toEqual([started, young].sort());
    expect(await world.backend.database.bulkActHost.count({ where: { bulkId: old } })).toBe(0);
  });
  it("by filter reads it once: who comes into it later is not in the act", async () => {
    await hosts("Verifying");
    const made = await preview(
      { target: { filter: "state:Verifying" }, intent: "forceDelete" },
      world.actor("provider-admin"),
    );
    await hosts("Verifying");
    expect(await start(made.id, world.actor("provider-admin"))).toMatchObject({ ok: true });
    expect(await progress(made.id)).toMatchObject({
      total: 1,
      filter: "state:Verifying",
      counts: { asked: 1 },
    });
  });
  it("of a failed host says that it ends a reclamation, and that it erases", async () => {
    const [hostId = ""] = await hosts("Failed/NVMECleanFailed");
    await addStoppedRelease(world, hostId);
    expect(
      await preview({
        target: { hostIds: [hostId] },
        intent: "clean",
        steps: [{ interface: "deploy", step: "erase_nvme", args: {} }],
      }),
    ).toMatchObject({ can: 1, erases: true, abandons: 1 });
  });
  it("asks each host's own agent for what only agents know, and its traits for a runbook", async () => {
    const hostIds = await hosts("Manageable", "Manageable");
    await reportAgent(world, hostIds[0] ?? "", [
      {
        name: "acme",
        version: "1",
        steps: [{ interface: "vendor", step: "polish", priority: 0, abortable: true }],
      },
    ]);
    expect(
      await preview({
        target: { hostIds },
        intent: "clean",
        steps: [{ interface: "vendor", step: "polish", args: {} }],
      }),
    ).toMatchObject({ can: 1, reasons: [{ reason: "step 1: there is no clean step vendor.polish" }] });
    const runbook = await saveRunbook(world.backend, operator(), world.request(), {
      id: null,
      name: "Only gpu",
      traits: ["gpu"],
      steps: reboot,
    });
    if (!runbook.ok) throw new Error(runbook.problem.detail);
    await world.backend.database.host.update({ where: { id: hostIds[1] ?? "" }, data: { traits: ["gpu"] } });
    expect(
      await preview({ target: { hostIds }, intent: "clean", runbookId: runbook.value.id }),
    ).toMatchObject({ can: 1, reasons: [{ reason: expect.stringContaining("trait") }] });
  });
  it.each([
    [
      "a filter that is not understood",
      { target: { filter: "colour:red" }, intent: "manage" as const },
      "target",
    ],
    ["a hold without a reason", { target: { filter: "" }, intent: "hold" as const }, "reason"],
    ["maintenance without a reason", { target: { filter: "" }, intent: "setMaintenance" as const }, "reason"],
    [
      "a reason that means nothing",
      { target: { filter: "" }, intent: "manage" as const, reason: "x" },
      "reason",
    ],
    ["a time that means nothing", { target: { filter: "" }, intent: "manage" as const, forMs: 1 }, "forMs"],
    [
      "steps that mean nothing",
      { target: { filter: "" }, intent: "manage" as const, steps: reboot },
      "steps",
    ],
    ["a cleaning of nothing", { target: { filter: "" }, intent: "clean" as const }, "steps"],
    [
      "arguments that are wrong for every host",
      {
        target: { filter: "" },
        intent: "clean" as const,
        steps: [{ interface: "power", step: "wait", args: {} }],
      },
      "steps",
    ],
  ])("of %s is refused", async (_, input, field) =>
    expect(await previewBulk(world.backend, operator(), world.request(), input)).toMatchObject({
      problem: { code: "invalid", field },
    }),
  );
});

describe("an act", () => {
  it("runs exactly its preview: a host that moved on is refused by itself, and that is in its result", async () => {
    const hostIds = await hosts("Manageable", "Manageable", "Manageable", "Ready");
    const [first = "", moved = "", gone = ""] = hostIds;
    const made = await preview({ target: { hostIds }, intent: "clean", steps: reboot });
    await world.put(moved, "Ready");
    await world.put(moved, "Manageable");
    await world.backend.database.host.delete({ where: { id: gone } });
    expect(await start(made.id)).toMatchObject({ ok: true });
    const read = await progress(made.id);
    expect(read).toMatchObject({
      counts: { asked: 1, refused: 2, cannot: 1, can: 0 },
      askedAllAt: expect.any(Date),
      over: false,
    });
    expect(
      Object.fromEntries(read.hosts.map(({ hostId, status, message }) => [hostId, `${status}: ${message}`])),
    ).toMatchObject({
      [first]: "asked: null",
      [moved]: "refused: its state has changed since the preview; it is now in Manageable",
      [gone]: "refused: the host is gone",
    });
    expect(await signalsOf(hostIds)).toMatchObject([
      {
        hostId: first,
        kind: "clean",
        payload: { bulkId: made.id, by: { requestId: made.id, name: operator().name }, steps: reboot },
      },
    ]);
  });
  it("is logged once, and once for each host that it did something to", async () => {
    const hostIds = await hosts("Manageable", "Manageable", "Ready");
    const made = await preview({ target: { hostIds }, intent: "clean", steps: reboot });
    const request = world.request();
    expect(await startBulk(world.backend, operator(), request, { id: made.id })).toMatchObject({ ok: true });
    const logged = await world.backend.database.auditEvent.findMany({
      where: { requestId: request.requestId },
    });
    expect(logged.map(({ action }) => action).sort()).toEqual(["bulk.start", "host.clean", "host.clean"]);
    expect(
      logged
        .filter(({ action }) => action === "host.clean")
        .map(({ targetId }) => targetId)
        .sort(),
    ).toEqual(hostIds.slice(0, 2).sort());
    expect(logged.find(({ action }) => action === "host.clean")).toMatchObject({
      actorId: operator().personId,
      before: { state: "Manageable" },
      after: { bulkId: made.id, steps: ["power.reboot"] },
    });
    expect(logged.find(({ action }) => action === "bulk.start")).toMatchObject({
      targetId: made.id,
      after: { hosts: 2, of: 3, intent: "clean" },
    });
  });
  it("started twice runs once, and at once", async () => {
    const hostIds = await hosts("Manageable");
    const made = await preview({ target: { hostIds }, intent: "provide" });
    const results = await Promise.all([start(made.id), start(made.id), start(made.id)]);
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(await signalsOf(hostIds)).toHaveLength(1);
    expect(
      await world.backend.database.auditEvent.count({ where: { targetId: made.id, action: "bulk.start" } }),
    ).toBe(1);
  });
  it("is started by who previewed it, and not when nobody can", async () => {
    const made = await preview({ target: { hostIds: await hosts("Manageable") }, intent: "provide" });
    expect(await start(made.id, world.actor("provider-admin"))).toMatchObject({
      problem: { code: "forbidden" },
    });
    const nobody = await preview({ target: { hostIds: await hosts("Ready") }, intent: "provide" });
    expect(await start(nobody.id)).toMatchObject({ problem: { code: "notAllowedNow" } });
    expect(await start(randomUUID())).toMatchObject({ problem: { code: "notFound" } });
  });
  it("asked twice of a host is refused there", async () => {
    const hostIds = await hosts("Manageable");
    const [one, two] = [
      await preview({ target: { hostIds }, intent: "provide" }),
      await preview({ target: { hostIds }, intent: "provide" }),
    ];
    await start(one.id);
    expect(await start(two.id)).toMatchObject({ ok: true });
    expect(await progress(two.id)).toMatchObject({
      counts: { refused: 1 },
      hosts: [{ message: "Provide was already requested" }],
      over: true,
    });
  });
  it("of maintenance is written at once", async () => {
    const hostIds = await hosts("Ready", "Manageable");
    await start((await preview({ target: { hostIds }, intent: "setMaintenance", reason: "DIMM recall" })).id);
    const runs = () =>
      world.backend.database.hostRun.findMany({
        where: { hostId: { in: hostIds } },
        orderBy: { state: "desc" },
      });
    expect(await runs()).toMatchObject([
      {
        state: "Ready",
        maintenance: true,
        maintenanceReason: "DIMM recall",
        maintenanceBy: "person",
        allocatable: false,
        evidenceSeq: 1n,
      },
      { maintenance: true },
    ]);
    const ended = await preview({ target: { hostIds }, intent: "clearMaintenance" });
    await start(ended.id);
    expect(await runs()).toMatchObject([
      { maintenance: false, maintenanceBy: null, allocatable: false, touched: true, evidenceSeq: 2n },
      { maintenance: false, allocatable: false },
    ]);
    expect(await progress(ended.id)).toMatchObject({ counts: { accepted: 2 }, over: true });
  });
  it.each(roles)("of a cleaning is for those who may clean: %s", async (role) => {
    const made = await previewBulk(world.backend, world.actor(role), world.request(), {
      target: { filter: "" },
      intent: "clean",
      steps: reboot,
    });
    expect(made.ok).toBe(role === "operator" || role === "provider-admin");
    if (!made.ok) expect(made.problem.code).toBe("forbidden");
  });
  it("of a deletion is for a provider admin", async () => {
    expect(
      await previewBulk(world.backend, operator(), world.request(), {
        target: { filter: "" },
        intent: "forceDelete",
      }),
    ).toMatchObject({ problem: { code: "forbidden" } });
  });
});

describe("its progress", () => {
  it("follows each host to its end", async () => {
    const hostIds = await hosts("Manageable", "Manageable", "Manageable", "Manageable", "Manageable");
    const [asked = "", later = "", running = "", failed = "", ended = ""] = hostIds;
    const { database } = world.backend;
    const made = await preview({ target: { hostIds }, intent: "clean", steps: reboot });
    await start(made.id);
    await database.signal.deleteMany({ where: { hostId: { in: hostIds.filter((id) => id !== asked) } } });
    await database.intentRefusal.create({
      data: { hostId: later, intent: "clean", reason: "an instance is on the host", requestId: made.id },
    });
    const trip = (hostId: string, over: object) =>
      addReclamation(world, hostId, { kind: "manualCleaning", bulkId: made.id, ...over });
    const { id: runs } = await trip(running, {});
    await database.hostRun.update({
      where: { hostId: running },
      data: { reclamationId: runs, cleanStep: "power.reboot", cleanPercent: 40 },
    });
    await trip(failed, { stoppedAt: new Date(), stoppedCause: "CleanFailed", message: "the BMC refused" });
    await trip(ended, { endedAt: new Date(), outcome: "cleaned" });
    const read = await progress(made.id);
    expect(read.counts).toMatchObject({ asked: 1, refusedLater: 1, running: 1, failed: 1, ended: 1 });
    expect(Object.fromEntries(read.hosts.map((host) => [host.hostId, host]))).toMatchObject({
      [asked]: { status: "asked" },
      [later]: { status: "refusedLater", message: "an instance is on the host" },
      [running]: { status: "running", step: "power.reboot", percent: 40, tone: "working" },
      [failed]: { status: "failed", message: "CleanFailed: the BMC refused", tone: "failed" },
      [ended]: {
        status: "ended",
        outcome: "cleaned",
        tone: "good",
        reclamationNumber: expect.stringMatching(/^R-\d+$/),
      },
    });
    expect(
      (await progress(made.id, { statuses: ["failed", "ended"] })).hosts.map(({ hostId }) => hostId).sort(),
    ).toEqual([failed, ended].sort());
    expect(read.over).toBe(false);
  });
  it("of a retry is that of the reclamation that was there", async () => {
    const [hostId = ""] = await hosts("Failed/NVMECleanFailed");
    const { id } = await addStoppedRelease(world, hostId, "NVMECleanFailed");
    await world.backend.database.hostRun.update({ where: { hostId }, data: { reclamationId: id } });
    const made = await preview({ target: { hostIds: [hostId] }, intent: "retry" });
    await start(made.id);
    await world.backend.database.signal.deleteMany({ where: { hostId } });
    expect(await progress(made.id)).toMatchObject({
      counts: { failed: 1 },
      hosts: [{ reclamationId: id, message: "NVMECleanFailed" }],
      over: true,
    });
  });
  it("comes in pages by name, each host once", async () => {
    const made = await preview({
      target: { hostIds: await hosts("Manageable", "Manageable", "Ready", "Manageable", "Ready") },
      intent: "provide",
    });
    for (const statuses of [[], ["can", "cannot"]] as const) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof progress>> = await progress(made.id, {
          limit: 2,
          cursor,
          statuses,
        });
        seen.push(...page.hosts.map(({ name }) => name));
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(seen).toHaveLength(5);
      expect(seen).toEqual([...seen].sort());
    }
    expect(
      await bulkProgress(world.backend, operator(), {
        id: made.id,
        statuses: [],
        cursor: "nonsense",
        limit: 10,
      }),
    ).toMatchObject({ problem: { code: "invalid" } });
  });
  it("is listed once it was started, newest first", async () => {
    const made = await preview({ target: { hostIds: await hosts("Manageable") }, intent: "provide" });
    const listed = async () => {
      const read = await listBulk(world.backend, operator());
      return read.ok ? read.value.runs.map(({ id }) => id) : [];
    };
    expect(await listed()).not.toContain(made.id);
    await start(made.id);
    expect((await listed())[0]).toBe(made.id);
  });
});

describe("what a newer version stored", () => {
  it("is named in the list of runs, and the others are shown", async () => {
    const [ours, newer] = [
      await preview({ target: { hostIds: await hosts("Manageable") }, intent: "provide" }),
      await preview({ target: { hostIds: await hosts("Manageable") }, intent: "provide" }),
    ];
    await start(ours.id);
    await start(newer.id);
    await world.backend.database.bulkAct.update({ where: { id: newer.id }, data: { intent: "levitate" } });
    const read = await listBulk(world.backend, operator());
    expect(read).toMatchObject({ ok: true, value: { unreadable: [{ id: newer.id }] } });
    expect(read.ok && read.value.runs.map(({ id }) => id)).toContain(ours.id);
    await world.backend.database.bulkAct.update({ where: { id: newer.id }, data: { intent: "provide" } });
  });
});

describe("a thousand hosts", () => {
  it("are previewed and asked in a number of statements that does not grow with them, and go on in another process", async () => {
    const { database } = world.backend;
    const many = async (prefix: string, count: number) => {
      await database.$executeRawUnsafe(`
        INSERT INTO host (id, name, site_id, hardware_type, serial, system_uuid, macs, bmc_address, bmc_username, bmc_password, network_interfaces)
        SELECT gen_random_uuid(), '${prefix}-' || lpad(n::text, 5, '0'), '${world.siteId}', 'redfish', '${prefix}' || n, gen_random_uuid(), '{}', 'http://${prefix}-' || n, 'root', '\\x00', '{dpu0}' FROM generate_series(1, ${count}) n`);
      await database.$executeRawUnsafe(
        `INSERT INTO host_run (host_id, site_id, name, state) SELECT id, site_id, name, 'Enroll' FROM host WHERE name LIKE '${prefix}-%'`,
      );
      await database.$executeRawUnsafe(
        `UPDATE host_run SET state = 'Manageable' WHERE name LIKE '${prefix}-%'`,
      );
    };
    await many("few", 10);
    await many("lot", 1_000);
    // A single connection, so that PostgreSQL's count of prepared statements covers all of them.
    const counted = createDatabase(world.url, { max: 1, applicationName: "counted" });
    const executed = async (): Promise<number> => {
      const rows = await counted.$queryRaw<
        { count: number }[]
      >`SELECT coalesce(sum(generic_plans + custom_plans), 0)::int AS count FROM pg_prepared_statements WHERE statement NOT LIKE '%pg_prepared_statements%'`;
      return rows[0]?.count ?? 0;
    };
    const backend = { ...world.backend, database: counted };
    const costs = async (filter: string) => {
      const before = await executed();
      const made = await previewBulk(backend, operator(), world.request(), {
        target: { filter },
        intent: "clean",
        steps: reboot,
      });
      if (!made.ok) throw new Error(made.problem.detail);
      const previewed = await executed();
      expect(await startBulk(backend, operator(), world.request(), { id: made.value.id })).toMatchObject({
        ok: true,
      });
      return {
        id: made.value.id,
        can: made.value.can,
        previewed: previewed - before,
        started: (await executed()) - previewed,
      };
    };
    const few = await costs("few-");
    const lot = await costs("lot-");
    expect(few.can).toBe(10);
    expect(few.previewed).toBeGreaterThan(1);
    expect(few.started).toBeLessThan(20);
    expect(lot).toMatchObject({ can: 1_000, previewed: few.previewed, started: few.started });
    // The request asked one batch; the rest waits for the job, in any process.
    expect(await progress(lot.id)).toMatchObject({
      counts: { asked: portionHosts, can: 1_000 - portionHosts },
      askedAllAt: null,
      over: false,
    });
    const other = createDatabase(world.url, { max: 2, applicationName: "another process" });
    await Promise.all([continueBulkActs(other), continueBulkActs(counted)]);
    expect(
      await database.signal.count({
        where: { kind: "clean", payload: { path: ["bulkId"], equals: lot.id } },
      }),
    ).toBe(1_000);
    expect(
      await database.auditEvent.count({
        where: { action: "host.clean", after: { path: ["bulkId"], equals: lot.id } },
      }),
    ).toBe(1_000);
    expect(await database.bulkAct.findUnique({ where: { id: lot.id } })).toMatchObject({
      askedAllAt: expect.any(Date),
    });
    await Promise.all([other.$disconnect(), counted.$disconnect()]);
  });
  it("more than the most are refused", async () => {
    const hostIds = Array.from({ length: 10_001 }, () => randomUUID());
    expect(
      await previewBulk(world.backend, operator(), world.request(), {
        target: { hostIds },
        intent: "manage",
      }),
    ).toMatchObject({ problem: { code: "invalid" } });
  });
});
