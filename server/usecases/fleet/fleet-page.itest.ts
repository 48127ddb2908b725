// The fleet page by scope and period, from a real database: counts over time, the forecast, failures by cause and firmware, racks.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { causeLabel } from "@/server/domain/cleaning/failures/text";
import { sampleFleet } from "@/server/db/fleet-samples";
import type { FleetFilter } from "@/server/domain/fleet/fleet-filter";
import { fleetFailures } from "@/server/usecases/fleet/failures-over-time";
import { fleetSummary } from "@/server/usecases/fleet/fleet-summary";
import { fleetRacks } from "@/server/usecases/fleet/racks";
import { listHosts } from "@/server/usecases/hosts/list/list-hosts";
import { saveView } from "@/server/usecases/hosts/list/saved-views";
import { addReclamation } from "@/server/usecases/testing/reclamations";
import { createWorld } from "@/server/usecases/testing/world";
import { valueOf } from "@/server/usecases/testing/outcomes";
import type { World } from "@/server/usecases/testing/world";

let world: World;
let failedId = "";
const minuteMs = 60_000;
const ago = (minutes: number) => new Date(Date.now() - minutes * minuteMs);
const drives = (firmware: string) => ({ expected: [{ serial: "S1", model: "PM9A3", firmware }] });

beforeAll(async () => {
  world = await createWorld();
  const { database } = world.backend;
  const sku = await database.sku.create({ data: { name: "R750 xa", components: {} } });
  const tenant = await database.tenant.findUniqueOrThrow({ where: { org: "acme" } });
  const ready = await world.host("a-ready");
  const cleaning = await world.host("b-cleaning");
  failedId = await world.host("c-failed");
  await world.put(ready, "Ready");
  await world.put(cleaning, "WaitingForCleanup/HostCleanup");
  await world.put(failedId, "Failed/NVMECleanFailed");
  await database.host.update({ where: { id: ready }, data: { skuId: sku.id, rack: "R2", slot: "10" } });
  await database.host.update({ where: { id: cleaning }, data: { rack: "R10", slot: "2" } });
  await database.host.update({ where: { id: failedId }, data: { rack: "R10", slot: "1" } });
  const open = await addReclamation(world, cleaning, {
    kind: "release",
    tenantId: tenant.id,
    startedAt: ago(10),
  });
  await database.hostRun.update({ where: { hostId: cleaning }, data: { reclamationId: open.id } });
  for (const took of [20, 30, 40])
    await addReclamation(world, ready, {
      kind: "release",
      startedAt: ago(60 + took),
      endedAt: ago(60),
      outcome: "ready",
      devices: drives("GOOD"),
    });
  const stopped = await addReclamation(world, failedId, {
    kind: "release",
    startedAt: ago(30),
    stoppedAt: ago(5),
    stoppedCause: "NVMECleanFailed",
    devices: drives("BAD"),
  });
  const history = { hostId: failedId, reclamationId: stopped.id, generation: 1n };
  await database.stateHistory.createMany({
    data: [
      { ...history, version: 900n, state: "Failed/NVMECleanFailed", at: ago(5) },
      { ...history, version: 901n, state: "Failed/CleanFailed", reason: "aborted by Ada", at: ago(4) },
      {
        ...history,
        version: 902n,
        state: "Failed/NVMECleanFailed",
        at: ago(60 * 24 * 3),
        causes: [{ key: "agentSilent", raw: "" }],
      },
    ],
  });
});
afterAll(() => world.stop());

const operator = () => world.actor("operator");
const summary = async (filter: Partial<FleetFilter> = {}) =>
  valueOf(await fleetSummary(world.backend, operator(), { hours: 24, ...filter }));

describe("the part that is looked at", () => {
  it("is all of the fleet, or what a site, SKU or tenant has; its links find the same hosts", async () => {
    expect(await summary()).toMatchObject({ hosts: 3, ready: { filter: "is:ready" } });
    expect(await summary({ sku: "R750 xa" })).toMatchObject({
      hosts: 1,
      ready: { count: 1, filter: 'is:ready sku:"R750 xa"' },
      timeToReady: { returns: 3 },
    });
    expect(await summary({ tenant: "acme" })).toMatchObject({
      hosts: 1,
      comingBack: { count: 1, filter: "is:comingBack tenant:acme" },
      timeToReady: { returns: 0 },
      choices: { skus: ["R750 xa"] },
    });
  });
  it("must be there", async () => {
    for (const filter of [{ site: "nowhere" }, { sku: "none" }, { tenant: "nobody" }])
      expect(await fleetSummary(world.backend, operator(), { hours: 24, ...filter })).toMatchObject({
        ok: false,
        problem: { code: "notFound" },
      });
  });
  it("is looked at over a day, a week or a month", async () => {
    expect((await summary()).returnsPerHour).toHaveLength(24);
    expect((await summary({ hours: 168 })).returnsPerHour).toHaveLength(28);
    const month = await summary({ hours: 720 });
    expect(month.returnsPerHour).toHaveLength(30);
    expect(month.returnsPerHour.reduce((sum, { returned }) => sum + returned, 0)).toBe(3);
  });
  it("is only for who may see the fleet", async () => {
    for (const read of [fleetSummary, fleetFailures, fleetRacks])
      expect(await read(world.backend, world.actor("tenant-admin", "acme"), { hours: 24 })).toMatchObject({
        ok: false,
        problem: { code: "forbidden" },
      });
  });
});

describe("over time", () => {
  it("hosts are counted once in ten minutes, and compared with a week ago", async () => {
    const { database } = world.backend;
    expect(await sampleFleet(database)).toBe(true);
    expect(await sampleFleet(database)).toBe(false);
    await database.fleetSample.create({
      data: {
        at: new Date(Math.floor((Date.now() - 7 * 24 * 60 * minuteMs) / (10 * minuteMs)) * 10 * minuteMs),
        siteId: world.siteId,
        ready: 9,
        comingBack: 8,
        needPerson: 7,
      },
    });
    // A different cache key from the requests above.
    const { trends, weekAgo } = await summary({ site: (await summary()).sites[0]?.name ?? "" });
    expect(trends).toMatchObject([{ ready: 1, comingBack: 1, needPerson: 1 }]);
    expect(weekAgo).toEqual({ ready: 9, comingBack: 8, needPerson: 7 });
  });
  it("old samples are thinned, then removed", async () => {
    const { database } = world.backend;
    const hour = (days: number) =>
      new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - days * 86_400_000);
    const sample = { siteId: world.siteId, ready: 0, comingBack: 0, needPerson: 0 };
    const kept = hour(2.5);
    await database.fleetSample.createMany({
      data: [kept, new Date(kept.getTime() + 10 * minuteMs), hour(41)].map((at) => ({ ...sample, at })),
    });
    await database.fleetSample.deleteMany({ where: { at: { gt: ago(15) } } });
    await sampleFleet(database);
    const left = await database.fleetSample.findMany({ where: { ready: 0 }, select: { at: true } });
    expect(left).toContainEqual({ at: kept });
    expect(left).toHaveLength(1 + 2); // in addition to the two groups without ready hosts of the new one
  });
  it("a host that comes back is expected as long as others took, from how many", async () => {
    const { forecast } = await summary();
    expect(forecast).toMatchObject({ hosts: 1, unknown: 0, measured: 3 });
    // 10 minutes have passed; the median of 20, 30 and 40 is 30.
    expect(Math.round(((forecast.halfAt?.getTime() ?? 0) - Date.now()) / minuteMs)).toBe(20);
  });
});

describe("running erases", () => {
  it("are counted by the half hour of their last drive, the first of them by name; one without an estimate is unknown", async () => {
    const { database } = world.backend;
    const { hostId, reclamationId } = await database.hostRun.findFirstOrThrow({
      where: { name: "b-cleaning" },
    });
    const run = {
      reclamationId: reclamationId ?? "",
      hostId,
      planEpoch: 1,
      position: 0,
      interface: "deploy",
      step: "erase_nvme",
      where: "agent",
      priority: 90,
      prioritySource: "default",
      maxAttempts: 2,
      attempt: 2,
      status: "running",
    };
    const { id } = await database.stepRun.create({ data: run });
    const ends = Math.floor(Date.now() / 1_000) * 1_000 + 7 * minuteMs;
    for (const [attempt, eraseEnds] of [
      [1, { S1: ends + 99 * minuteMs }],
      [2, { S1: ends - minuteMs, S2: ends, S3: null, S4: "soon", S5: {} }],
    ] as const)
      await database.stepAttempt.create({ data: { stepRunId: id, attempt, bootEpoch: 1, eraseEnds } });
    const halfHour = 30 * minuteMs;
    // Scopes and periods not used above, so that no cached answer is returned.
    expect(await summary({ hours: 168, tenant: "acme" })).toMatchObject({
      capacity: {
        buckets: [{ until: new Date(Math.ceil(ends / halfHour) * halfHour), hosts: 1 }],
        unknown: 0,
      },
      erases: { total: 1, hosts: [{ name: "b-cleaning", endsAt: new Date(ends) }] },
    });
    await database.stepAttempt.updateMany({ where: { stepRunId: id }, data: { eraseEnds: { S1: null } } });
    expect(await summary({ hours: 720, tenant: "acme" })).toMatchObject({
      capacity: { buckets: [], unknown: 1 },
      erases: { total: 0, hosts: [] },
    });
    await database.stepRun.delete({ where: { id } });
  });
});

describe("failures", () => {
  it("are counted by cause and by firmware, without aborts and what is older", async () => {
    const read = valueOf(await fleetFailures(world.backend, operator(), { hours: 24 }));
    expect(read.causes).toMatchObject([{ cause: "NVMECleanFailed", count: 1 }]);
    expect(read.buckets).toHaveLength(24);
    expect(read.buckets.flatMap(({ counts }) => counts).reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(read.firmware).toEqual({
      reclamations: 4,
      rows: [
        { model: "PM9A3", firmware: "BAD", reclamations: 1, failed: 1, cause: "NVMECleanFailed" },
        { model: "PM9A3", firmware: "GOOD", reclamations: 3, failed: 0, cause: null },
      ],
    });
    const week = valueOf(await fleetFailures(world.backend, operator(), { hours: 168 }));
    expect(week.causes.map(({ cause, count }) => [cause, count])).toEqual(
      expect.arrayContaining([
        ["NVMECleanFailed", 1],
        [causeLabel({ key: "agentSilent" }), 1],
      ]),
    );
    const none = valueOf(await fleetFailures(world.backend, operator(), { hours: 24, sku: "R750 xa" }));
    expect(none).toMatchObject({ causes: [], firmware: { rows: [{ firmware: "GOOD" }] } });
  });
});

describe("racks", () => {
  it("stand in the order of their numbers, hosts by slot", async () => {
    const { racks, hosts } = valueOf(await fleetRacks(world.backend, operator(), { hours: 24 }));
    expect(hosts).toBe(3);
    expect(
      racks.map(({ rack, hosts: shown }) => [rack, shown.map(({ name, group }) => `${name} ${group}`)]),
    ).toEqual([
      ["R2", ["a-ready ready"]],
      ["R10", ["c-failed failed", "b-cleaning working"]],
    ]);
    expect(racks[1]?.counts).toMatchObject({ failed: 1, working: 1, ready: 0 });
  });
});

describe("hosts in states of another release", () => {
  const found = async (filter: string) => {
    const { rows, total, problem } = valueOf(
      await listHosts(world.backend, operator(), {
        filter,
        sort: "name",
        descending: false,
        cursor: null,
        limit: 100,
      }),
    );
    expect(total ?? 0).toBe(rows.length);
    return problem?.message ?? rows.map(({ name }) => name);
  };

  beforeAll(async () => {
    for (const [name, state, limitAt] of [
      ["d-dreaming", "Assigned/Dreaming", null],
      ["e-late", "Assigned/Dreaming", ago(5)],
      ["f-failed", "Failed/DeepCleanFailed", ago(5)],
    ] as const) {
      const hostId = await world.host(name);
      await world.put(hostId, "Ready");
      await world.backend.database.hostRun.update({ where: { hostId }, data: { state, limitAt } });
    }
  });

  it.each([
    ["is:failed", ["c-failed", "f-failed"]],
    ["is:needPerson", ["c-failed", "e-late", "f-failed"]],
    ["is:waiting", ["d-dreaming"]],
    ["is:comingBack", ["b-cleaning", "d-dreaming"]],
    ["sla:over", ["e-late"]],
    ["sla:within", ["a-ready", "b-cleaning", "c-failed", "d-dreaming", "f-failed"]],
    ["allocatable:true", ["a-ready"]],
    ["-allocatable:true is:waiting", ["d-dreaming"]],
    ["state:Assigned/Dreaming sla:over", ["e-late"]],
    ["state:Failed", ["c-failed", "f-failed"]],
    ["-state:Failed is:needPerson", ["e-late"]],
    ["cause:deepclean", ["f-failed"]],
    ["tone:waiting", ["d-dreaming", "e-late"]],
    ["state:Failed/NeverHeardOf", "There is no state Failed/NeverHeardOf."],
  ])("%s finds %j", async (filter, names) => expect(await found(filter)).toEqual(names));

  it("are found by what the page links: each number, each cause, and those that wait longest", async () => {
    // A period not used above, so that no cached answer is returned.
    const page = await summary({ hours: 168, site: (await summary()).sites[0]?.name ?? "" });
    for (const { count, filter } of [page.ready, page.comingBack, page.needPerson, ...page.causes])
      expect((await found(filter)).length, filter).toBe(count);
    expect(page.causes.map(({ label }) => label)).toEqual(
      expect.arrayContaining(["DeepCleanFailed", "Assigned/Dreaming"]),
    );
    expect(page.waitingLongest.map(({ name }) => name).sort()).toEqual(await found(page.waitingFilter));
    expect(page.waitingTotal).toBe(page.waitingLongest.length);
  });

  it("a view of them can be saved, and the counts over time have them", async () => {
    expect(
      await saveView(world.backend, operator(), world.request(), {
        name: "Deep",
        filter: "state:Failed/DeepCleanFailed",
        sort: "name",
        hide: [],
        group: null,
      }),
    ).toMatchObject({ ok: true });
    const { database } = world.backend;
    await database.fleetSample.deleteMany({ where: { at: { gt: ago(15) } } });
    expect(await sampleFleet(database)).toBe(true);
    const samples = await database.fleetSample.findMany({ where: { at: { gt: ago(15) } } });
    const sum = (of: "comingBack" | "needPerson") => samples.reduce((total, sample) => total + sample[of], 0);
    expect([sum("comingBack"), sum("needPerson")]).toEqual([2, 3]);
  });
});
