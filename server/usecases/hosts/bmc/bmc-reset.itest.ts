// Who may have a BMC restarted, what forbids it, and that it is sent once.
import { afterAll, beforeAll, expect, it } from "vitest";
import { stillTestable } from "@/server/db/hot/fleet/bmc-tests";
import { effectTargets } from "@/server/db/hot/hardware/targets";
import { poolOf } from "@/server/db/prisma";
import { getBmcTest } from "@/server/usecases/hosts/bmc/get-bmc-test";
import { resetBmc } from "@/server/usecases/hosts/bmc/reset-bmc";
import { permitReset, storeReset } from "@/server/usecases/hosts/bmc/store-bmc-reset";
import { createWorld, type World } from "@/server/usecases/testing/world";
import type { Role } from "@/server/domain/access/roles";

let world: World;
let hosts = 0;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

async function ready(): Promise<string> {
  hosts += 1;
  const id = await world.host(`reset-${hosts}`);
  await world.backend.database.hostRun.update({ where: { hostId: id }, data: { state: "Manageable" } });
  return id;
}

const ask = (hostId: string, role: Role = "operator") =>
  resetBmc(world.backend, world.actor(role), world.request(), { hostId, reason: "console hangs" });
const read = async (hostId: string) => {
  const found = await getBmcTest(world.backend, world.actor("operator"), { hostId });
  if (!found.ok) throw new Error(found.problem.detail);
  return found.value.reset;
};
const stored = async (hostId: string) => {
  const reset = await read(hostId);
  if (reset === null) throw new Error("none was requested");
  return { hostId, requestedAt: reset.requestedAt };
};
const what = { type: "GracefulRestart", before: { lastReset: null, session: null, wasAway: false } };
const pool = () => poolOf(world.backend.database);
const refusal = (pattern: RegExp) => ({
  ok: false,
  problem: { code: "notAllowedNow", detail: expect.stringMatching(pattern) },
});

it("is requested once however often it is asked for, and logged once with its reason", async () => {
  const id = await ready();
  expect(await read(id)).toBeNull();
  expect(await ask(id)).toMatchObject({ ok: true });
  expect(await ask(id)).toMatchObject({ ok: true });
  expect(await read(id)).toMatchObject({ phase: "requested", reason: "console hangs", sentAt: null });
  const events = await world.backend.database.auditEvent.findMany({
    where: { action: "host.resetBmc", targetId: id },
  });
  expect(events.map(({ after }) => after)).toEqual([{ requested: true, reason: "console hangs" }]);
});

it("is logged when it is sent, and when it ends", async () => {
  const id = await ready();
  await ask(id);
  const key = await stored(id);
  await permitReset(pool(), key, what);
  await storeReset(pool(), key, { phase: "away", says: "no answer", todo: null });
  await storeReset(pool(), key, { phase: "done", says: "It was away for 4 s.", todo: null });
  await storeReset(pool(), key, { phase: "failed", says: "late", todo: null });
  const events = await world.backend.database.auditEvent.findMany({
    where: { action: "host.resetBmc", targetId: id, actorKind: "system" },
    orderBy: { at: "asc" },
  });
  expect(events.map(({ after }) => after)).toEqual([
    { sent: "GracefulRestart" },
    { ended: "restarted", says: "It was away for 4 s." },
  ]);
});

it("is not taken back by a look that began before another one stored more", async () => {
  const id = await ready();
  await ask(id);
  const key = await stored(id);
  await permitReset(pool(), key, what);
  const since = { phase: "sent", before: what.before };
  const away = { ...what.before, wasAway: true };
  await storeReset(pool(), key, { phase: "away", says: "no answer", todo: null, before: away, since });
  for (const phase of ["sent", "failed"] as const)
    await storeReset(pool(), key, { phase, says: "late", todo: null, before: what.before, since });
  // The answer to the request itself may come after a look.
  await storeReset(pool(), key, { phase: "sent", todo: null, answered: true });
  const row = await world.backend.database.bmcReset.findUniqueOrThrow({ where: { hostId: id } });
  expect(row).toMatchObject({ phase: "away", says: "no answer", before: away, answered: true });
});

it("says no more what a look said that was not clear, once one is", async () => {
  const id = await ready();
  await ask(id);
  const key = await stored(id);
  await permitReset(pool(), key, what);
  await storeReset(pool(), key, { phase: "sent", says: "GET was answered 500.", todo: null });
  await storeReset(pool(), key, { phase: "sent", says: null, todo: null });
  expect(await read(id)).toMatchObject({ phase: "sent", says: null });
});

it("asked for at another host that the BMC serves is refused, and names the host where it is followed", async () => {
  const [id, other] = [await ready(), await ready()];
  const { host } = world.backend.database;
  const { bmcAddress, name } = await host.findUniqueOrThrow({ where: { id } });
  await host.update({ where: { id: other }, data: { bmcAddress, bmcSystem: "/redfish/v1/Systems/2" } });
  await ask(id);
  expect(await ask(other)).toMatchObject(
    refusal(new RegExp(`also serves ${name}, and is being reset there`)),
  );
  expect(await read(other)).toBeNull();
});

it("holds back what else is ordered from the BMC, for each host that it serves, from its sending to its end", async () => {
  const [id, other, third] = [await ready(), await ready(), await ready()];
  const { host } = world.backend.database;
  const { bmcAddress } = await host.findUniqueOrThrow({ where: { id } });
  await host.update({
    where: { id: other },
    data: { bmcAddress: `${bmcAddress}/`, bmcSystem: "/redfish/v1/Systems/2" },
  });
  const held = async () => {
    const rows = await effectTargets(pool(), [id, other, third]);
    return [id, other, third].map((hostId) => rows.get(hostId)?.bmc_restarts);
  };
  const testable = async () => [...(await stillTestable(pool(), [id, other, third]))].toSorted();
  await ask(id);
  const key = await stored(id);
  expect(await held()).toEqual([false, false, false]);
  // A test would find a BMC that does not answer.
  expect(await testable()).toEqual([third]);
  await permitReset(pool(), key, what);
  expect(await held()).toEqual([true, true, false]);
  await storeReset(pool(), key, { phase: "done", says: "It was away for 4 s.", todo: null });
  expect(await held()).toEqual([false, false, false]);
  expect(await testable()).toEqual([id, other, third].toSorted());
});

it("may be sent once, is followed, and may be asked for again once it has ended", async () => {
  const id = await ready();
  await ask(id);
  const key = await stored(id);
  expect(await permitReset(pool(), key, what)).toBe("permitted");
  expect(await permitReset(pool(), key, what)).toBe("over");
  await storeReset(pool(), key, { phase: "sent", says: null, todo: null, answered: true });
  await storeReset(pool(), key, { phase: "away", says: "no answer", todo: null });
  expect(await read(id)).toMatchObject({ phase: "away", awayAt: expect.any(Date), type: "GracefulRestart" });
  await storeReset(pool(), key, { phase: "done", says: "It was away for 4 s.", todo: null });
  // What an earlier look stores late.
  await storeReset(pool(), key, { phase: "away", says: "no answer", todo: null });
  expect(await read(id)).toMatchObject({ phase: "done", endedAt: expect.any(Date) });
  expect(await ask(id)).toMatchObject({ ok: true });
  expect(await read(id)).toMatchObject({ phase: "requested", awayAt: null, says: null, type: null });
});

it.each([
  ["an erase", { erasing: true, context: { eraseUntil: "2099-01-01T00:00:00Z" } }, /erase/],
  ["a cleaning", { state: "WaitingForCleanup/HostCleanup" }, /cleaned|manages/],
  ["a job of its BMC", { context: { cleaning: { job: { attempt: 1 } } } }, /job of a clean step/],
])("is refused during %s, also if that begins before it is sent", async (_what, data, words) => {
  const id = await ready();
  await ask(id);
  const key = await stored(id);
  await world.backend.database.hostRun.update({ where: { hostId: id }, data });
  expect(await permitReset(pool(), key, what)).toBe("over");
  expect(await read(id)).toMatchObject({ phase: "failed", says: expect.stringMatching(words), sentAt: null });
  expect(await ask(id)).toMatchObject(refusal(words));
});

it("waits while a controller works on the host", async () => {
  const id = await ready();
  await ask(id);
  const key = await stored(id);
  const lease = (leaseUntil: Date | null) =>
    world.backend.database.hostRun.update({
      where: { hostId: id },
      data: { leaseUntil, leaseOwner: leaseUntil === null ? null : "00000000-0000-4000-8000-0000000000aa" },
    });
  await lease(new Date(Date.now() + 60_000));
  expect(await permitReset(pool(), key, what)).toBe("busy");
  expect(await read(id)).toMatchObject({ phase: "requested" });
  await lease(null);
  expect(await permitReset(pool(), key, what)).toBe("permitted");
});

it("is refused while another host that the BMC serves forbids it", async () => {
  const [id, other] = [await ready(), await ready()];
  const { bmcAddress } = await world.backend.database.host.findUniqueOrThrow({ where: { id } });
  await world.backend.database.host.update({
    where: { id: other },
    data: { bmcAddress, bmcSystem: "/redfish/v1/Systems/2" },
  });
  await world.backend.database.hostRun.update({
    where: { hostId: other },
    data: { state: "WaitingForCleanup/HostCleanup" },
  });
  expect(await ask(id)).toMatchObject(refusal(/^Its BMC also serves reset-\d+: /));
});

it.each(["auditor", "tenant-admin"] as const)("is refused to a %s", async (role) =>
  expect(await ask(await ready(), role)).toMatchObject({ ok: false }),
);

it("needs an address, a user and a password, and a reason", async () => {
  const id = await ready();
  await world.backend.database.host.update({ where: { id }, data: { bmcPassword: null } });
  expect(await ask(id)).toMatchObject(refusal(/Change BMC/));
  expect(
    await resetBmc(world.backend, world.actor("operator"), world.request(), { hostId: id, reason: " " }),
  ).toMatchObject({ ok: false });
});
