// Groups of failures on a real database: what belongs together, who owns it, and when it is out of sight.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { roles } from "@/server/domain/access/roles";
import type { FailureCause } from "@/server/domain/lifecycle/states";
import { failureGroups } from "@/server/usecases/failures/failure-groups";
import { findHostIds } from "@/server/usecases/hosts/list/list-hosts";
import { noteFailure } from "@/server/usecases/failures/note-failure";
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
  it("that were snoozed until now are in sight", async () => {
    await note({ snoozedUntil: tomorrow() });
    await world.backend.database.failureNote.updateMany({ data: { snoozedUntil: new Date(Date.now() - 1) } });
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
