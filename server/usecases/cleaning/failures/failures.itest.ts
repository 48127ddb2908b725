// Groups of failures on a real database: which failures share a group, who owns it, and when it is snoozed.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { roles } from "@/server/domain/access/roles";
import type { FailureCause } from "@/server/domain/lifecycle/states";
import { failureGroups } from "@/server/usecases/cleaning/failures/failure-groups";
import { getHost } from "@/server/usecases/hosts/one/get-host";
import { findHostIds, listHosts } from "@/server/usecases/hosts/list/list-hosts";
import { noteFailure } from "@/server/usecases/cleaning/failures/note-failure";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
beforeAll(async () => {
  world = await createWorld();
  for (const [name, serial] of [
    ["gpu-1", "PHAB1229003M3P8EGN"],
    ["gpu-2", "PHAB1234004C3P8EGN"],
    ["gpu-3", "BTLJ99812345"],
  ] as const)
    await fail(
      name,
      "NVMECleanFailed",
      `Drive ${serial} in bay 1 of ${name} refused crypto sanitize after 12 s`,
    );
  await fail("cpu-1", "BossCleanFailed", "BOSS job JID_640122871904 failed, RAC0602");
  await fail("cpu-2", "BossCleanFailed", "BOSS job JID_640122871905 failed, RAC0711");
});
afterAll(() => world.stop());

const operator = () => world.actor("operator");
async function fail(name: string, cause: FailureCause, message: string): Promise<string> {
  const hostId = await world.host(name);
  await world.put(hostId, `Failed/${cause}`);
  await world.backend.database.hostRun.update({ where: { hostId }, data: { lastError: message } });
  return hostId;
}
const groups = async () => {
  const read = await failureGroups(world.backend, operator());
  if (!read.ok) throw new Error(read.problem.detail);
  return read.value;
};
const nvme = async () => {
  const found = (await groups()).groups.find(({ pattern }) => pattern.startsWith("Drive"));
  if (found === undefined) throw new Error("no such group");
  return found;
};
const note = async (over: Partial<{ ownerId: string | null; note: string; snoozedUntil: Date | null }>) =>
  noteFailure(world.backend, operator(), world.request(), {
    digest: (await nvme()).digest,
    ownerId: null,
    note: "",
    snoozedUntil: null,
    ...over,
  });
const tomorrow = () => new Date(Date.now() + 86_400_000);

describe("groups of failures with causes", () => {
  const refused = (serial: string, model: string) => ({
    key: "eraseRefused",
    device: { kind: "drive", serial, model, slot: "3", firmware: "1.2" },
    technique: "nvme-sanitize-crypto",
    status: { bus: "nvme", sct: 0, sc: 1 },
    raw: "answered 1",
  });
  const failFor = async (name: string, serial: string, model: string): Promise<string> => {
    const hostId = await fail(name, "NVMECleanFailed", `words of ${name}`);
    const { stateVersion } = await world.backend.database.hostRun.findUniqueOrThrow({ where: { hostId } });
    await world.backend.database.stateHistory.upsert({
      where: { hostId_version: { hostId, version: stateVersion } },
      create: {
        hostId,
        version: stateVersion,
        state: "Failed/NVMECleanFailed",
        generation: 1n,
        causes: [refused(serial, model)],
      },
      update: { causes: [refused(serial, model)] },
    });
    return hostId;
  };
  it("go by cause and model of device, and the host's page says how many others have it", async () => {
    const ids = [
      await failFor("x-1", "S1", "CM6"),
      await failFor("x-2", "S2", "CM6"),
      await failFor("x-3", "S3", "PM9A3"),
    ];
    const found = (await groups()).groups.filter(({ pattern }) => pattern.startsWith("Erase refused"));
    expect(found.map(({ model, count }) => [model, count])).toEqual([
      ["CM6", 2],
      ["PM9A3", 1],
    ]);
    expect(found[0]?.checkNext).toMatch(/firmware 1\.2 of CM6/);
    const page = await getHost(world.backend, operator(), { host: "x-1" });
    expect(page).toMatchObject({
      ok: true,
      value: {
        checkNext: expect.stringContaining("drive S1 in slot 3"),
        failure: {
          label: "Erase refused",
          answers: [{ of: "S1, NVMe status type 0h, code 01h", text: "answered 1" }],
          alike: { hosts: 1, model: "CM6", filter: found[0]?.filter },
        },
      },
    });
    expect([...((await findHostIds(world.backend, found[0]?.filter ?? "", 9)) ?? [])].sort()).toEqual(
      ids.slice(0, 2).sort(),
    );
    await world.backend.database.host.deleteMany({ where: { id: { in: ids } } });
  });
});

describe("the list of hosts", () => {
  it("counts the hosts of each cause over all pages of its filter", async () => {
    const page = (filter: string) =>
      listHosts(world.backend, operator(), {
        filter,
        sort: "name",
        descending: false,
        group: "cause",
        cursor: null,
        limit: 1,
      });
    const found = await page("");
    if (!found.ok) throw new Error(found.problem.detail);
    expect(found.value.rows).toHaveLength(1);
    const { groups } = found.value;
    expect(groups?.map(({ count }) => count)).toEqual([3, 1, 1]);
    const first = groups?.[0];
    expect(first?.words).toBe("Drive * in bay # of * refused crypto sanitize after # s, PowerEdge R750");
    const of = await page(first?.filter ?? "");
    expect(of.ok && of.value.total).toBe(3);
    expect(of.ok && of.value.groups).toEqual([first]);
    const free = await world.host("free-1");
    await world.put(free, "Ready");
    const both = await page("");
    expect(both.ok && both.value.groups?.at(-1)).toEqual({ words: "Not failed", count: 1, filter: null });
    await world.backend.database.host.delete({ where: { id: free } });
  });
});

describe("groups of failures", () => {
  it("hold hosts whose messages differ in names and numbers only, and keep the messages", async () => {
    const read = await groups();
    expect(read.hosts).toBe(5);
    expect(read.groups.map(({ count }) => count)).toEqual([3, 1, 1]);
    const [first] = read.groups;
    expect(first).toMatchObject({
      pattern: "Drive * in bay # of * refused crypto sanitize after # s",
      causes: [{ cause: "NVMECleanFailed", count: 3 }],
      models: [{ model: "PowerEdge R750", count: 3 }],
      sites: ["a"],
      filter: expect.stringMatching(/^failure:[0-9a-f]{16}$/),
      snoozed: false,
      ownerId: null,
    });
    expect(first?.message).toBe("Drive BTLJ99812345 in bay 1 of gpu-3 refused crypto sanitize after 12 s");
    expect(first?.newest.map(({ name }) => name)).toEqual(["gpu-3", "gpu-2", "gpu-1"]);
    expect(first?.firstAt.getTime()).toBeLessThanOrEqual(first?.lastAt.getTime() ?? 0);
    expect(read.people.map(({ name }) => name)).toContain(operator().name);
    expect(read.people.some(({ name }) => name.includes("auditor") || name.includes("tenant"))).toBe(false);
  });
  it("are found by their filter, exactly", async () => {
    for (const group of (await groups()).groups) {
      expect([...((await findHostIds(world.backend, group.filter, 100)) ?? [])].sort()).toEqual(
        group.newest.map(({ hostId }) => hostId).sort(),
      );
      const others = await findHostIds(world.backend, `state:Failed -${group.filter}`, 100);
      expect(others).toHaveLength(5 - group.count);
    }
    expect(await findHostIds(world.backend, "failure:00000000", 100)).toEqual([]);
    expect(await findHostIds(world.backend, "failure:xyz", 100)).toBeNull();
  });
  it("are owned and noted, and that is logged with before and after", async () => {
    expect(await note({ ownerId: operator().personId, note: "vendor case 4711" })).toMatchObject({
      ok: true,
    });
    expect(await note({ ownerId: operator().personId, note: "firmware ordered" })).toMatchObject({
      ok: true,
    });
    expect(await nvme()).toMatchObject({
      ownerName: operator().name,
      note: "firmware ordered",
      notedAt: expect.any(Date),
    });
    const logged = await world.backend.database.auditEvent.findMany({
      where: { action: "failure.note", outcome: "done" },
      orderBy: { at: "asc" },
    });
    expect(logged).toMatchObject([
      { before: null, after: { note: "vendor case 4711" } },
      { before: { note: "vendor case 4711" }, after: { note: "firmware ordered" } },
    ]);
  });
  it("that are snoozed come last, until they grow", async () => {
    expect(await note({ snoozedUntil: tomorrow() })).toMatchObject({ ok: true });
    expect((await groups()).groups.at(-1)).toMatchObject({ count: 3, snoozed: true });
    await fail(
      "gpu-4",
      "NVMECleanFailed",
      "Drive PHAB7777777C3P8EGN in bay 4 of gpu-4 refused crypto sanitize after 9 s",
    );
    expect((await groups()).groups[0]).toMatchObject({
      count: 4,
      snoozed: false,
      snoozedUntil: expect.any(Date),
    });
  });
  it("are owned by nobody who is disabled, but for who owned one before", async () => {
    const { database } = world.backend;
    const someone = await database.person.findFirstOrThrow({ where: { role: "provider-admin" } });
    const disable = (disabledAt: Date | null) =>
      database.person.update({ where: { id: someone.id }, data: { disabledAt } });
    const offered = async () => (await groups()).people.some(({ id }) => id === someone.id);
    expect(await offered()).toBe(true);
    await disable(new Date());
    expect(await offered()).toBe(false);
    expect(await note({ ownerId: someone.id })).toMatchObject({ problem: { code: "notFound" } });
    await disable(null);
    expect(await note({ ownerId: someone.id })).toMatchObject({ ok: true });
    await disable(new Date());
    expect(await note({ ownerId: someone.id, note: "still theirs" })).toMatchObject({ ok: true });
    expect(await nvme()).toMatchObject({ ownerId: someone.id, note: "still theirs" });
    await disable(null);
  });
  it("that were snoozed until now are in sight", async () => {
    await note({ snoozedUntil: tomorrow() });
    await world.backend.database.groupNote.updateMany({ data: { snoozedUntil: new Date(Date.now() - 1) } });
    expect(await nvme()).toMatchObject({ snoozed: false });
  });
  it.each([
    ["the past", { snoozedUntil: new Date(0) }, "invalid"],
    ["too long", { snoozedUntil: new Date(Date.now() + 91 * 86_400_000) }, "invalid"],
    ["nobody", { ownerId: randomUUID() }, "notFound"],
    ["too many words", { note: "x".repeat(2_001) }, "invalid"],
  ])("take no note of %s", async (_, over, code) =>
    expect(await note(over)).toMatchObject({ problem: { code } }),
  );
  it("that are not there take no note", async () =>
    expect(
      await noteFailure(world.backend, operator(), world.request(), {
        digest: "0".repeat(64),
        ownerId: null,
        note: "",
        snoozedUntil: null,
      }),
    ).toMatchObject({ problem: { code: "notFound" } }));
  it.each(roles)("are noted by operators: %s", async (role) => {
    const asked = await noteFailure(world.backend, world.actor(role), world.request(), {
      digest: (await nvme()).digest,
      ownerId: null,
      note: role,
      snoozedUntil: null,
    });
    expect(asked.ok).toBe(role === "operator" || role === "provider-admin");
    expect((await failureGroups(world.backend, world.actor(role))).ok).toBe(!role.includes("tenant"));
  });
});
