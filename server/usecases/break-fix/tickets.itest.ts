// Tickets on the database: opened by people and by a release, updated by a repair, and read by each within their rights.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tickets as contract } from "@/server/contract/break-fix/tickets";
import type { Actor } from "@/server/usecases/actor";
import { getTicket, listTickets } from "@/server/usecases/break-fix/read-tickets";
import { closeTicket, openTicket, updateTicket } from "@/server/usecases/break-fix/ticket-acts";
import { ticketsOfRepair } from "@/server/usecases/break-fix/ticket-hooks";
import { releaseInstance } from "@/server/usecases/instances/release-instance";
import { createWorld } from "@/server/usecases/testing/world";
import { codeOf, valueOf } from "@/server/usecases/testing/outcomes";
import type { World } from "@/server/usecases/testing/world";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

const acme = () => world.actor("tenant-admin", "acme");
const vela = () => world.actor("tenant-admin", "vela");
const repair = () => world.actor("repair-tenant-admin", "repair");
const operator = () => world.actor("operator");

/** A host with a tenant's instance on it. */
async function held(
  tenant: "acme" | "vela" | "repair" = "acme",
): Promise<{ hostId: string; instanceId: string }> {
  const hostId = await world.host();
  await world.put(hostId, "Assigned/Ready");
  const { id: instanceId } = await world.backend.database.instance.create({
    data: {
      name: `i-${randomUUID()}`,
      tenantId: world.tenants[tenant],
      hostId,
      readyAt: new Date(Date.now() - 86_400_000),
    },
  });
  return { hostId, instanceId };
}
/** The record that its claim for a repair writes. */
const repairs = (instanceId: string, hostId: string) =>
  world.backend.database.repair.create({
    data: { instanceId, hostId, hostName: "bench", tenantId: world.tenants.repair },
  });
const end = (instanceId: string) =>
  world.backend.database.instance.update({ where: { id: instanceId }, data: { endedAt: new Date() } });

const open = (
  actor: Actor,
  input: Partial<Parameters<typeof openTicket>[3]> & { hostId?: string; instanceId?: string },
) => openTicket(world.backend, actor, world.request(), { summary: "GPU 3 fell off the bus", ...input });
const list = async (actor: Actor, hostId: string, status: "open" | "all" = "all") =>
  valueOf(await listTickets(world.backend, actor, contract.list.input.parse({ hostId, status }))).rows;
const get = async (actor: Actor, ticket: string) =>
  valueOf(await getTicket(world.backend, actor, { ticket }));
const update = (actor: Actor, ticket: string, input: Partial<Parameters<typeof updateTicket>[3]>) =>
  updateTicket(world.backend, actor, world.request(), { ticket, ...input });
const release = (actor: Actor, instanceId: string, more: object = {}) =>
  releaseInstance(world.backend, actor, world.request(), {
    instanceId,
    issue: { category: "Hardware", summary: "ECC errors", details: "GPU 3" },
    ...more,
  });

describe("a ticket", () => {
  it("is read by the provider and its tenant, each in its words, and by nobody else", async () => {
    const { hostId, instanceId } = await held();
    const { ref, id } = valueOf(await open(acme(), { instanceId, category: "gpu" }));
    expect(ref).toMatch(/^BF-[0-9A-Z]{10}$/);
    valueOf(await update(operator(), ref, { note: "rack 7 is hot", action: "diagnosed" }));
    valueOf(
      await update(operator(), ref, { note: "we look at it", audience: "shared", state: "inProgress" }),
    );
    const provider = await get(operator(), id);
    expect(provider).toMatchObject({
      hostId,
      tenantOrg: "acme",
      instanceId,
      openedBy: acme().name,
      mayWriteAs: "provider",
    });
    expect(provider.host).not.toBeNull();
    expect(provider.handedOverAt).not.toBeNull();
    expect(provider.updates.map(({ note }) => note)).toEqual(["", "rack 7 is hot", "we look at it"]);
    const own = await get(acme(), ref.toLowerCase());
    expect(own).toMatchObject({
      host: null,
      serial: null,
      rack: null,
      state: "inProgress",
      action: "diagnosed",
      mayWriteAs: "tenant",
    });
    expect(own.updates.map(({ note, by }) => [note, by])).toEqual([
      ["", acme().name],
      ["we look at it", "the provider"],
    ]);
    for (const actor of [vela(), repair()]) {
      expect(await list(actor, hostId)).toEqual([]);
      const other = await getTicket(world.backend, actor, { ticket: ref });
      const none = await getTicket(world.backend, actor, { ticket: "BF-0000000000" });
      expect([codeOf(other), codeOf(none)]).toEqual(["notFound", "notFound"]);
      expect(codeOf(await update(actor, ref, { note: "x" }))).toBe("notFound");
      expect(
        codeOf(
          await closeTicket(world.backend, actor, world.request(), { ticket: ref, outcome: "withdrawn" }),
        ),
      ).toBe("notFound");
      expect(codeOf(await open(actor, { hostId }))).toBe("notFound");
    }
    expect(await list(world.actor("auditor"), hostId)).toHaveLength(1);
    expect(codeOf(await update(world.actor("auditor"), ref, { note: "x" }))).toBe("forbidden");
  });

  it("is not read by a tenant that may repair and has its host as an ordinary instance, or has given it up", async () => {
    const first = await held();
    const { ref: former } = valueOf(await open(acme(), { instanceId: first.instanceId }));
    await end(first.instanceId);
    const { hostId } = first;
    const { ref: internal } = valueOf(await open(operator(), { hostId, internal: true }));
    const instance = await world.backend.database.instance.create({
      data: { name: "ordinary", tenantId: world.tenants.repair, hostId },
    });
    const readable = async () => (await list(repair(), hostId)).map(({ ref }) => ref);
    expect(await readable()).toEqual([]);
    for (const ref of [former, internal]) {
      expect(codeOf(await getTicket(world.backend, repair(), { ticket: ref }))).toBe("notFound");
      expect(codeOf(await update(repair(), ref, { note: "x" }))).toBe("notFound");
    }
    await repairs(instance.id, hostId);
    expect(await readable()).toEqual([internal, former]);
    await world.backend.database.repair.update({
      where: { instanceId: instance.id },
      data: { releasedAt: new Date() },
    });
    expect(await readable()).toEqual([]);
  });

  it("that is internal is hidden from the tenant that has the machine", async () => {
    const { hostId } = await held();
    const { ref } = valueOf(await open(operator(), { hostId, internal: true }));
    expect(await list(acme(), hostId)).toEqual([]);
    expect(codeOf(await update(operator(), ref, { note: "x", audience: "shared" }))).toBe("invalid");
    const { ref: told } = valueOf(await open(operator(), { hostId, externalRef: "RMA-7" }));
    expect(await list(acme(), hostId)).toMatchObject([
      { ref: told, openedBy: "the provider", externalRef: null },
    ]);
    expect(codeOf(await open(acme(), { hostId, internal: true }))).toBe("invalid");
    expect(codeOf(await open(acme(), { hostId, externalRef: "x" }))).toBe("invalid");
  });

  it("ends once, says how, and names the machine that takes its place", async () => {
    const { hostId, instanceId } = await held();
    const next = await held();
    const { ref } = valueOf(await open(acme(), { instanceId, replacementWanted: true }));
    const close = (outcome: "replaced" | "returned", replacementHostId?: string) =>
      closeTicket(world.backend, operator(), world.request(), {
        ticket: ref,
        outcome,
        ...(replacementHostId === undefined ? {} : { replacementHostId }),
      });
    expect(codeOf(await close("replaced"))).toBe("invalid");
    expect(codeOf(await close("replaced", hostId))).toBe("notFound");
    valueOf(await close("replaced", next.hostId));
    expect(await get(acme(), ref)).toMatchObject({
      state: "closed",
      outcome: "replaced",
      replacementHostId: next.hostId,
      replacementInstanceId: next.instanceId,
    });
    expect(codeOf(await close("returned"))).toBe("notAllowedNow");
    expect(codeOf(await update(acme(), ref, { note: "x" }))).toBe("notAllowedNow");
    await expect(
      world.backend.database.ticketUpdate.updateMany({ where: { ticket: { ref } }, data: { note: "other" } }),
    ).rejects.toThrow(/not changed/);
  });
});

describe("a release with an issue", () => {
  it("may ask for another machine at once, and only with an issue of its own", async () => {
    const { hostId, instanceId } = await held();
    expect(codeOf(await release(acme(), instanceId, { issue: null, replacementWanted: true }))).toBe(
      "invalid",
    );
    valueOf(await release(acme(), instanceId, { replacementWanted: true }));
    expect(await list(operator(), hostId)).toMatchObject([{ replacementWanted: true, origin: "release" }]);
  });

  it("opens one, once, which its tenant follows through the repair and another tenant's instance never shows", async () => {
    const { hostId, instanceId } = await held();
    valueOf(await release(acme(), instanceId));
    valueOf(await release(acme(), instanceId));
    const [ticket, ...more] = await list(acme(), hostId);
    expect(more).toEqual([]);
    expect(ticket).toMatchObject({
      origin: "release",
      category: "unspecified",
      summary: "ECC errors",
      state: "open",
    });
    const ref = ticket?.ref ?? "";
    expect((await get(acme(), ref)).updates).toHaveLength(1);
    valueOf(await release(acme(), instanceId, { replacementWanted: true }));
    valueOf(await release(acme(), instanceId, { replacementWanted: true }));
    valueOf(await release(acme(), instanceId));
    const asked = await get(acme(), ref);
    expect([asked.replacementWanted, asked.updates.map(({ changes }) => changes.at(-1))]).toEqual([
      true,
      ["category: not known yet", "replacement wanted"],
    ]);
    valueOf(await release(acme(), instanceId, { issue: { category: "Network", summary: "and port 2" } }));
    expect((await get(acme(), ref)).updates.map(({ note }) => note)).toEqual(["", "", "and port 2"]);
    await end(instanceId);

    const bench = await world.backend.database.instance.create({
      data: { name: "bench", tenantId: world.tenants.repair, hostId },
    });
    await repairs(bench.id, hostId);
    await world.backend.database.$transaction((tx) => ticketsOfRepair(tx, hostId, "begun"));
    const [seen] = await list(repair(), hostId);
    expect(seen).toMatchObject({
      ref,
      tenant: null,
      tenantOrg: null,
      instanceId: null,
      instance: null,
      handedOverAt: null,
    });
    expect(seen?.serial).not.toBeNull();
    expect(JSON.stringify(await get(repair(), ref))).not.toMatch(/acme/i);
    valueOf(
      await update(repair(), ref, {
        note: "HGX tray 2 reseated",
        action: "reseated",
        parts: [{ kind: "gpu", serial: "165" }],
      }),
    );
    expect(codeOf(await update(repair(), ref, { replacementWanted: true }))).toBe("notAllowedNow");
    await world.backend.database.host.update({
      where: { id: hostId },
      data: { labels: { repair_status: "Completed" } },
    });
    expect(codeOf(await release(repair(), bench.id, { repairTenant: true, replacementWanted: true }))).toBe(
      "invalid",
    );
    valueOf(await release(repair(), bench.id, { issue: null, repairTenant: true }));
    const told = await get(acme(), ref);
    expect(told).toMatchObject({ state: "repaired", action: "reseated", parts: [{ serial: "165" }] });
    expect(told.updates.map(({ note }) => note)).not.toContain("HGX tray 2 reseated");
    valueOf(await update(acme(), ref, { note: "it was GPU 5, not 3" }));
    expect(await get(acme(), ref)).toMatchObject({ state: "open" });
    await end(bench.id);

    await world.backend.database.instance.create({
      data: { name: "after", tenantId: world.tenants.vela, hostId },
    });
    expect(await list(vela(), hostId)).toEqual([]);
    expect(await list(repair(), hostId)).toEqual([]);
    expect(await list(acme(), hostId)).toHaveLength(1);
  });

  it("is told of the repairs that follow it, and a ticket of who had the machine before is told nothing", async () => {
    const { hostId, instanceId } = await held();
    const { ref: former } = valueOf(await open(acme(), { instanceId }));
    await end(instanceId);
    const on = async (name: string, tenantId: string) => {
      const { id } = await world.backend.database.instance.create({ data: { name, tenantId, hostId } });
      return id;
    };
    const later = await on("later", world.tenants.vela);
    const { ref: internal } = valueOf(await open(operator(), { hostId, internal: true }));
    valueOf(await release(vela(), later));
    await end(later);
    for (const moment of ["begun", "failed"] as const) {
      const bench = await on(moment, world.tenants.repair);
      await repairs(bench, hostId);
      await world.backend.database.$transaction((tx) => ticketsOfRepair(tx, hostId, moment));
      await end(bench);
    }
    const [own] = await list(vela(), hostId);
    const notes = async (actor: Actor, ref: string) =>
      (await get(actor, ref)).updates.map(({ note }) => note);
    const repaired = ["", "A repair has begun.", "The repair ended without being completed."];
    expect(await notes(vela(), own?.ref ?? "")).toEqual(repaired);
    expect(await notes(operator(), internal)).toEqual(repaired);
    expect(await notes(operator(), former)).toEqual([""]);
    expect(await get(acme(), former)).toMatchObject({ state: "open" });
  });
});
