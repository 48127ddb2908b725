// Capacity on the database: which changes are found, who is notified, and polling by the last id.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { capacity as contract } from "@/server/contract/break-fix/capacity";
import type { Actor } from "@/server/usecases/actor";
import { capacityEvents, capacityNodes } from "@/server/usecases/break-fix/capacity";
import { getTicket } from "@/server/usecases/break-fix/read-tickets";
import { closeTicket, openTicket } from "@/server/usecases/break-fix/ticket-acts";
import { ticketsOfRepair } from "@/server/usecases/break-fix/ticket-hooks";
import { watchCapacity } from "@/server/usecases/break-fix/watch-capacity";
import { createWorld } from "@/server/usecases/testing/world";
import { valueOf } from "@/server/usecases/testing/outcomes";
import type { World } from "@/server/usecases/testing/world";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

const acme = () => world.actor("tenant-admin", "acme");
const vela = () => world.actor("tenant-admin", "vela");
const operator = () => world.actor("operator");
const events = async (actor: Actor, after?: string) =>
  valueOf(
    await capacityEvents(
      world.backend,
      actor,
      contract.events.input.parse(after === undefined ? {} : { after }),
    ),
  );
const told = async (actor: Actor, after?: string) =>
  (await events(actor, after)).map(
    ({ direction, reason, tenant }) => `${direction} ${reason} ${tenant ?? "provider"}`,
  );
const look = () => watchCapacity(world.backend.database);
const run = (hostId: string, data: object) =>
  world.backend.database.hostRun.update({ where: { hostId }, data });
const claim = async (hostId: string, tenant: "acme" | "vela" = "acme") => {
  await run(hostId, { allocatable: false });
  return world.backend.database.instance.create({
    data: { name: `i-${randomUUID()}`, tenantId: world.tenants[tenant], hostId },
  });
};
/** Releases the instance; its machine is being cleaned. */
const giveUp = async (id: string, hostId: string) => {
  await world.backend.database.instance.update({ where: { id }, data: { endedAt: new Date() } });
  await world.put(hostId, "WaitingForCleanup/HostCleanup");
};

it("tells why a machine left and came back, each what is its own, once", async () => {
  const hostId = await world.host();
  await world.put(hostId, "Ready");
  expect(await look()).toBe(1);
  expect(await look()).toBe(0);
  const instance = await claim(hostId);
  await look();
  expect(await told(operator())).toEqual(["added new provider", "added new Acme"]);
  const [first] = await events(acme());
  expect(first).toMatchObject({ hostId, host: null, instanceId: instance.id, at: instance.createdAt });
  const last = (await events(operator())).at(-1)?.id;

  const { ref } = valueOf(
    await openTicket(world.backend, acme(), world.request(), { instanceId: instance.id, summary: "fan" }),
  );
  await world.backend.database.ticket.updateMany({ where: { ref }, data: { origin: "release" } });
  await giveUp(instance.id, hostId);
  expect(await look()).toBe(1);
  expect(await told(operator(), last)).toEqual(["removed repair Acme", "removed repair provider"]);
  expect(await events(acme(), first?.id)).toMatchObject([
    { direction: "removed", reason: "repair", ticket: ref },
  ]);
  expect(await look()).toBe(0);

  await world.backend.database.ticket.updateMany({ where: { ref }, data: { state: "repaired" } });
  await world.put(hostId, "Ready");
  await world.backend.database.reclamation.updateMany({
    where: { hostId, outcome: "ready" },
    data: { kind: "repairRelease" },
  });
  await look();
  expect((await told(operator())).at(-1)).toBe("added repaired provider");
  expect(valueOf(await getTicket(world.backend, acme(), { ticket: ref }))).toMatchObject({
    state: "closed",
    outcome: "returned",
  });
  await claim(hostId);
  await look();
  expect((await told(acme())).at(-1)).toBe("added backFromRepair Acme");

  const newest = async (actor: Actor, after?: string) =>
    valueOf(
      await capacityEvents(
        world.backend,
        actor,
        contract.events.input.parse({ order: "newest", limit: 2, ...(after === undefined ? {} : { after }) }),
      ),
    );
  const all = (await events(acme())).map(({ id }) => id);
  const [page, next] = [await newest(acme()), await newest(acme(), all.at(-2))];
  expect([...page, ...next].map(({ id }) => id)).toEqual(all.toReversed().slice(0, 4));
  expect(page[0]).toMatchObject({ reason: "backFromRepair", instance: expect.stringMatching(/^i-/) });

  // Another tenant reads nothing of it, and cannot use its events as a cursor.
  expect(await events(vela())).toEqual([]);
  const of = (after: string) => capacityEvents(world.backend, vela(), contract.events.input.parse({ after }));
  expect(await of(first?.id ?? "")).toMatchObject({ ok: false, problem: { code: "notFound" } });
  expect(await of(randomUUID())).toMatchObject({ ok: false, problem: { code: "notFound" } });
  const nodes = async (actor: Actor) =>
    valueOf(await capacityNodes(world.backend, actor, contract.nodes.input.parse({})));
  expect(await nodes(vela())).toEqual([]);
  expect(await nodes(acme())).toMatchObject([
    { hostId, host: null, inUse: true, healthy: true, account: "acme", region: "a" },
  ]);
  expect((await nodes(operator()))[0]?.host).not.toBeNull();
});

it("ends the ticket of a host that was repaired outside when the host has been checked since, whatever checked it", async () => {
  const hostId = await world.host();
  await world.put(hostId, "Ready");
  const { ref } = valueOf(
    await openTicket(world.backend, operator(), world.request(), { hostId, summary: "fan", internal: true }),
  );
  await world.backend.database.$transaction((tx) => ticketsOfRepair(tx, hostId, "completed"));
  const ticket = async () => valueOf(await getTicket(world.backend, operator(), { ticket: ref }));
  await look();
  expect(await ticket()).toMatchObject({ state: "repaired" });
  await world.put(hostId, "Ready");
  await look();
  expect(await ticket()).toMatchObject({ state: "closed", outcome: "returned" });
});

it("leaves the ticket of a host open that somebody still has for a repair, whatever brought it back before", async () => {
  const hostId = await world.host();
  const { ref } = valueOf(
    await openTicket(world.backend, operator(), world.request(), { hostId, summary: "fan", internal: true }),
  );
  await world.put(hostId, "Ready");
  await world.backend.database.reclamation.updateMany({ where: { hostId }, data: { kind: "repairRelease" } });
  const { id: instanceId } = await world.backend.database.instance.create({
    data: { name: "bench", tenantId: world.tenants.repair, hostId },
  });
  await world.backend.database.repair.create({
    data: { instanceId, hostId, hostName: "x", tenantId: world.tenants.repair },
  });
  await world.backend.database.ticket.updateMany({ where: { ref }, data: { state: "repaired" } });
  const state = async () => valueOf(await getTicket(world.backend, operator(), { ticket: ref })).state;
  await look();
  expect(await state()).toBe("repaired");
  await world.backend.database.repair.updateMany({ where: { hostId }, data: { releasedAt: new Date() } });
  await look();
  expect(await state()).toBe("closed");
});

it("says nothing of a ticket that a former tenant left open when the next one gives the machine up", async () => {
  const hostId = await world.host();
  await world.put(hostId, "Ready");
  const ofAcme = await claim(hostId);
  await look();
  const { ref } = valueOf(
    await openTicket(world.backend, acme(), world.request(), { instanceId: ofAcme.id, summary: "fan" }),
  );
  await world.backend.database.ticket.updateMany({ where: { ref }, data: { origin: "release" } });
  await giveUp(ofAcme.id, hostId);
  await look();
  await world.put(hostId, "Ready");
  await look();
  const ofVela = await claim(hostId, "vela");
  await look();
  await giveUp(ofVela.id, hostId);
  await look();
  const of = async (actor: Actor) =>
    (await events(actor))
      .filter((event) => event.hostId === hostId && event.direction === "removed")
      .map(({ reason }) => reason);
  expect(await of(acme())).toEqual(["repair"]);
  expect(await of(vela())).toEqual(["released"]);
  expect(await of(operator())).toEqual(["repair", "repair", "released", "cleaning"]);
});

it("names a replacement, maintenance, and what has left the fleet", async () => {
  const broken = await world.host();
  const next = await world.host();
  await world.put(broken, "Ready");
  await world.put(next, "Ready");
  const instance = await claim(broken);
  await look();
  const { ref } = valueOf(
    await openTicket(world.backend, acme(), world.request(), {
      instanceId: instance.id,
      summary: "dead",
      replacementWanted: true,
    }),
  );
  valueOf(
    await closeTicket(world.backend, operator(), world.request(), {
      ticket: ref,
      outcome: "replaced",
      replacementHostId: next,
    }),
  );
  await claim(next);
  await look();
  expect((await events(acme())).at(-1)).toMatchObject({ reason: "replacement", hostId: next, ticket: ref });
  const other = await world.host();
  await world.put(other, "Ready");
  await look();
  await run(other, { allocatable: false, maintenance: true });
  await look();
  await run(other, { allocatable: true, maintenance: false });
  await look();
  await world.backend.database.$executeRaw`DELETE FROM host_run WHERE host_id = ${other}::uuid`;
  await look();
  const ofOther = (await events(operator())).filter(({ hostId }) => hostId === other);
  expect(ofOther.map(({ direction, reason }) => `${direction} ${reason}`)).toEqual([
    "added new",
    "removed maintenance",
    "added maintenanceEnded",
    "removed gone",
  ]);
});
