// Notices and webhooks on the database: who reads what, who is notified of what, and an outbox that keeps its order.
import { createHmac, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notices as contract } from "@/server/contract/break-fix/notices";
import type { Actor } from "@/server/usecases/actor";
import { noteAttempt, takeDue } from "@/server/usecases/break-fix/deliveries";
import {
  acknowledgeNotice,
  changeNotice,
  createNotice,
  endNotice,
} from "@/server/usecases/break-fix/notice-acts";
import { listNotices } from "@/server/usecases/break-fix/notices";
import { openTicket, updateTicket } from "@/server/usecases/break-fix/ticket-acts";
import {
  createWebhook,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  resumeWebhook,
  skipDelivery,
  testWebhook,
} from "@/server/usecases/break-fix/webhooks";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";
import { codeOf, valueOf } from "@/server/usecases/testing/outcomes";
import { signedHeaders } from "@/server/domain/break-fix/events";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

const acme = () => world.actor("tenant-admin", "acme");
const vela = () => world.actor("tenant-admin", "vela");
const operator = () => world.actor("operator");
const admin = () => world.actor("provider-admin");

async function held(tenant: "acme" | "vela"): Promise<{ hostId: string; instanceId: string }> {
  const hostId = await world.host();
  await world.put(hostId, "Assigned/Ready");
  const { id: instanceId } = await world.backend.database.instance.create({
    data: { name: `i-${randomUUID()}`, tenantId: world.tenants[tenant], hostId },
  });
  return { hostId, instanceId };
}
const rack = (hostId: string, name: string) =>
  world.backend.database.host.update({ where: { id: hostId }, data: { rack: name } });
const list = async (actor: Actor, status: "open" | "all" = "all", hostId?: string) =>
  valueOf(
    await listNotices(
      world.backend,
      actor,
      contract.list.input.parse({ status, ...(hostId === undefined ? {} : { hostId }) }),
    ),
  );
const create = (
  input: Partial<Parameters<typeof createNotice>[3]> & Pick<Parameters<typeof createNotice>[3], "target">,
) =>
  createNotice(world.backend, operator(), world.request(), {
    kind: "maintenance",
    message: "power work",
    ...input,
  });

describe("a list of notices", () => {
  it("goes on after a notice that its reader knows, and names all instances where they are asked for", async () => {
    const [first, ...others] = await Promise.all(Array.from({ length: 21 }, () => held("acme")));
    for (const { hostId } of [first, ...others].flatMap((each) => each ?? [])) await rack(hostId, "R21");
    const theirs = await held("vela");
    const foreign = valueOf(await create({ target: { hostId: theirs.hostId } }));
    const old = valueOf(await create({ target: { site: "a", rack: "R21" } }));
    const fresh = valueOf(await create({ target: { hostId: first?.hostId ?? "" } }));
    valueOf(await endNotice(world.backend, operator(), world.request(), { notice: old.ref, as: "done" }));
    const page = (after?: string, allInstances = false) =>
      listNotices(world.backend, acme(), { status: "all", limit: 1, after, allInstances });
    expect(valueOf(await page()).map(({ ref }) => ref)).toEqual([fresh.ref]);
    expect(valueOf(await page(fresh.id))).toMatchObject([{ ref: old.ref, concerned: 21 }]);
    expect(valueOf(await page(fresh.id))[0]?.instances).toHaveLength(20);
    expect(valueOf(await page(fresh.id, true))[0]?.instances).toHaveLength(21);
    expect(valueOf(await page(old.id))).toEqual([]);
    expect([codeOf(await page(foreign.id)), codeOf(await page(randomUUID()))]).toEqual([
      "notFound",
      "notFound",
    ]);
    await world.backend.database.notice.deleteMany({ where: { id: { in: [foreign.id, old.id, fresh.id] } } });
  });
});

describe("a notice", () => {
  it("is read by those who have a machine that it concerns, and by nobody else", async () => {
    const mine = await held("acme");
    const theirs = await held("vela");
    await rack(mine.hostId, "R7");
    await rack(theirs.hostId, "R8");
    const { ref } = valueOf(await create({ target: { site: "a", rack: "R7" }, note: "PDU 3" }));
    const [seen] = await list(acme());
    expect(seen).toMatchObject({
      ref,
      scope: "rack",
      rack: null,
      note: "",
      createdBy: "the provider",
      immediate: true,
      standing: "current",
    });
    expect(seen?.instances.map(({ id }) => id)).toEqual([mine.instanceId]);
    expect(await list(vela())).toEqual([]);
    expect(await list(vela(), "all", mine.hostId)).toEqual([]);
    const acknowledge = (actor: Actor, notice: string) =>
      acknowledgeNotice(world.backend, actor, world.request(), { notice });
    expect(codeOf(await acknowledge(vela(), ref))).toBe("notFound");
    expect(codeOf(await acknowledge(vela(), "MN-0000000000"))).toBe("notFound");
    expect(codeOf(await acknowledge(operator(), ref))).toBe("forbidden");
    valueOf(await acknowledge(acme(), ref));
    valueOf(await acknowledge(acme(), ref));
    expect(await list(operator())).toMatchObject([
      { rack: "R7", note: "PDU 3", acknowledged: [{ tenant: "Acme" }] },
    ]);
    valueOf(
      await changeNotice(world.backend, operator(), world.request(), {
        notice: ref,
        message: "longer power work",
      }),
    );
    expect(await list(acme())).toMatchObject([
      { message: "longer power work", acknowledged: [], mayAcknowledge: true },
    ]);
    expect(codeOf(await endNotice(world.backend, acme(), world.request(), { notice: ref, as: "done" }))).toBe(
      "forbidden",
    );
    valueOf(await endNotice(world.backend, operator(), world.request(), { notice: ref, as: "done" }));
    expect(codeOf(await acknowledge(acme(), ref))).toBe("notAllowedNow");
    expect(await list(acme())).toMatchObject([{ ref, standing: "done" }]);
    expect(await list(acme(), "open")).toEqual([]);
    // A later holder of the machine reads nothing from before.
    await world.backend.database.instance.update({
      where: { id: mine.instanceId },
      data: { endedAt: new Date() },
    });
    await world.backend.database.instance.create({
      data: {
        name: "later",
        tenantId: world.tenants.vela,
        hostId: mine.hostId,
        createdAt: new Date(Date.now() + 1000),
      },
    });
    expect(await list(vela())).toEqual([]);
  });

  it("of many machines names the first of them and counts them all, to each of its own", async () => {
    const { hostId } = await held("acme");
    await rack(hostId, "R9");
    await world.backend.database.instance.createMany({
      data: Array.from({ length: 24 }, (_, n) => ({
        name: `many-${n}`,
        tenantId: world.tenants.acme,
        hostId,
        endedAt: new Date(Date.now() + 3_600_000),
      })),
    });
    await rack((await held("vela")).hostId, "R9");
    const { ref } = valueOf(await create({ target: { site: "a", rack: "R9" } }));
    valueOf(await endNotice(world.backend, operator(), world.request(), { notice: ref, as: "done" }));
    const seen = async (actor: Actor) => {
      const notice = (await list(actor)).find((row) => row.ref === ref);
      return [notice?.concerned, notice?.instances.length];
    };
    expect([await seen(operator()), await seen(acme()), await seen(vela())]).toEqual([
      [26, 20],
      [25, 20],
      [1, 1],
    ]);
  });

  it("that is put off is no longer immediate, and one that is brought forward was announced", async () => {
    const { hostId } = await held("acme");
    const { ref } = valueOf(await create({ target: { hostId } }));
    const change = async (startsAt: Date) => {
      const endsAt = new Date(startsAt.getTime() + 3_600_000);
      const input = { notice: ref, startsAt, endsAt };
      valueOf(await changeNotice(world.backend, operator(), world.request(), input));
      return (await list(operator(), "open", hostId)).map(({ immediate }) => immediate);
    };
    expect((await list(operator(), "open", hostId)).map(({ immediate }) => immediate)).toEqual([true]);
    expect(await change(new Date(Date.now() - 1000))).toEqual([true]);
    expect(await change(new Date(Date.now() + 7 * 86_400_000))).toEqual([false]);
    expect(await change(new Date())).toEqual([false]);
  });

  it("is refused for what is not there, and for times that make no sense", async () => {
    expect(codeOf(await create({ target: { site: "a", rack: "no such rack" } }))).toBe("notFound");
    expect(codeOf(await create({ target: { site: "a" }, startsAt: new Date(Date.now() + 3_600_000) }))).toBe(
      "invalid",
    );
  });
});

interface Delivered {
  readonly type: string;
  readonly data: {
    readonly ticket?: { readonly ref: string; readonly host: string | null };
    readonly note?: string;
  };
}

describe("a webhook", () => {
  const make = async (actor: Actor, kinds: ("ticket.opened" | "ticket.updated")[] = []) =>
    valueOf(
      await createWebhook(world.backend, actor, world.request(), {
        name: `w-${randomUUID()}`,
        url: "https://example.com/h",
        kinds,
      }),
    );
  const waiting = async (webhookId: string): Promise<Delivered[]> =>
    (
      await world.backend.database.webhookDelivery.findMany({ where: { webhookId }, orderBy: { seq: "asc" } })
    ).map(({ body }) => JSON.parse(body) as Delivered);

  it("is told of what is its owner's, in the owner's words, and of nothing else", async () => {
    const [provider, ofAcme, ofVela, some] = await Promise.all([
      make(admin()),
      make(acme()),
      make(vela()),
      make(acme(), ["ticket.updated"]),
    ]);
    const { hostId } = await held("acme");
    const { ref } = valueOf(
      await openTicket(world.backend, operator(), world.request(), { hostId, summary: "fan 3" }),
    );
    const update = (input: object) =>
      updateTicket(world.backend, operator(), world.request(), { ticket: ref, ...input });
    valueOf(await update({ note: "internal words" }));
    valueOf(await update({ note: "on its way", audience: "shared", state: "waiting" }));
    valueOf(
      await openTicket(world.backend, operator(), world.request(), {
        hostId,
        summary: "secret",
        internal: true,
      }),
    );
    valueOf(await create({ target: { hostId } }));
    expect((await waiting(provider.id)).map(({ type }) => type)).toEqual([
      "ticket.opened",
      "ticket.updated",
      "ticket.updated",
      "ticket.opened",
      "notice.created",
    ]);
    const own = await waiting(ofAcme.id);
    expect(own.map(({ type, data }) => [type, data.note])).toEqual([
      ["ticket.opened", ""],
      ["ticket.updated", "on its way"],
      ["notice.created", undefined],
    ]);
    expect(own[0]?.data.ticket).toMatchObject({ ref, host: null });
    expect(JSON.stringify(own)).not.toMatch(/internal words|secret/);
    expect(await waiting(ofVela.id)).toEqual([]);
    expect((await waiting(some.id)).map(({ type }) => type)).toEqual(["ticket.updated"]);
  });

  it("is its owner's alone", async () => {
    const { id } = await make(acme());
    expect(valueOf(await listWebhooks(world.backend, vela())).some((row) => row.id === id)).toBe(false);
    // The path and query of the address often contain a secret, which is the tenant's.
    const url = async (actor: Actor) =>
      valueOf(await listWebhooks(world.backend, actor)).find((row) => row.id === id)?.url;
    expect(await url(acme())).toBe("https://example.com/h");
    expect(await url(admin())).toBe("https://example.com");
    for (const outcome of [
      await listDeliveries(world.backend, vela(), { id, limit: 10 }),
      await removeWebhook(world.backend, vela(), world.request(), { id }),
      await testWebhook(world.backend, vela(), world.request(), { id }),
      await testWebhook(world.backend, vela(), world.request(), { id: randomUUID() }),
    ])
      expect(codeOf(outcome)).toBe("notFound");
    expect(codeOf(await listWebhooks(world.backend, operator()))).toBe("forbidden");
  });

  it("keeps the order, tries again, is switched off and goes on where it was resumed", async () => {
    await world.backend.database.webhook.deleteMany({});
    const { id, secret } = await make(acme());
    const test = async () =>
      valueOf(await testWebhook(world.backend, acme(), world.request(), { id })).deliveryId;
    const [first, second] = [await test(), await test()];
    const take = () => takeDue(world.backend.database, world.backend.secrets, 5);
    const [due, ...more] = await take();
    if (due === undefined) throw new Error("nothing is due");
    expect([due.id, due.secret, more]).toEqual([first, secret, []]);
    // No other process sends to it meanwhile.
    expect(await take()).toEqual([]);
    const headers = signedHeaders(secret, { id: due.id, body: due.body, at: new Date() });
    const signature = createHmac("sha256", Buffer.from(secret.slice(6), "base64"))
      .update(`${due.id}.${headers["webhook-timestamp"]}.${due.body}`)
      .digest("base64");
    expect(headers["webhook-signature"]).toBe(`v1,${signature}`);
    const failed = { status: 503, error: "It answered 503.", gone: false };
    expect(await noteAttempt(world.backend.database, due, failed, new Date())).toBe(false);
    expect(await take()).toEqual([]);
    const soon = () =>
      world.backend.database.webhookDelivery.updateMany({
        where: { deliveredAt: null },
        data: { nextAt: new Date(0) },
      });
    await soon();
    // The process was killed between the response and its recording: when the lease ends, it is sent again.
    expect((await take())[0]).toMatchObject({ id: first, attempts: 1 });
    await world.backend.database.webhook.updateMany({ data: { busyUntil: new Date(0) } });
    const [again] = await take();
    if (again === undefined) throw new Error("nothing is due");
    // The attempt that outlived its lease records nothing: another process has the webhook now.
    await noteAttempt(world.backend.database, { ...again, busyUntil: due.busyUntil }, failed, new Date());
    expect(valueOf(await listDeliveries(world.backend, acme(), { id, limit: 10 }))[1]).toMatchObject({
      id: first,
      attempts: 1,
    });
    expect(await take()).toEqual([]);
    const later = new Date(Date.now() + 4 * 86_400_000);
    expect(await noteAttempt(world.backend.database, { ...again, attempts: 19 }, failed, later)).toBe(true);
    await soon();
    expect(await take()).toEqual([]);
    expect(valueOf(await listWebhooks(world.backend, acme()))).toMatchObject([
      { id, waiting: 2, disabledReason: expect.stringContaining("503") },
    ]);
    // Nothing is sent by a disabled webhook, so no next attempt is announced.
    expect(valueOf(await listDeliveries(world.backend, acme(), { id, limit: 10 }))).toMatchObject([
      { id: second, nextAt: null },
      { id: first, nextAt: null },
    ]);
    valueOf(await resumeWebhook(world.backend, acme(), world.request(), { id }));
    const [resumed] = await take();
    if (resumed === undefined) throw new Error("nothing is due");
    await noteAttempt(world.backend.database, resumed, { status: 204, error: null, gone: false }, new Date());
    const next = async () => valueOf(await listWebhooks(world.backend, acme()))[0]?.next?.id;
    expect([await next(), (await take())[0]?.id]).toEqual([second, second]);
    const skip = (deliveryId: string) =>
      skipDelivery(world.backend, acme(), world.request(), { id, deliveryId });
    // The receiver may already have it.
    expect(codeOf(await skip(second))).toBe("notAllowedNow");
    await world.backend.database.webhook.updateMany({ data: { busyUntil: null } });
    // The event that was next when somebody looked has been sent: the one after it is not skipped.
    expect(codeOf(await skip(first))).toBe("notAllowedNow");
    expect(await next()).toBe(second);
    valueOf(await skip(second));
    expect(codeOf(await skip(second))).toBe("notAllowedNow");
    expect(await next()).toBe(undefined);
    expect(await take()).toEqual([]);
    expect(valueOf(await listDeliveries(world.backend, acme(), { id, limit: 10 }))).toMatchObject([
      { id: first, status: 204, attempts: 21, nextAt: null },
    ]);
  });

  it("of a tenant has two places at once, and a secret that cannot be opened holds up no other", async () => {
    const { database, secrets } = world.backend;
    await database.webhook.deleteMany({});
    const of = async (actor: Actor) => {
      const { id } = await make(actor);
      valueOf(await testWebhook(world.backend, actor, world.request(), { id }));
      return id;
    };
    for (const actor of [acme(), acme(), acme(), vela()]) await of(actor);
    const ofProvider = await of(admin());
    const broken = await of(admin());
    await database.webhook.update({ where: { id: broken }, data: { secret: Buffer.from("no seal") } });
    await database.webhookDelivery.updateMany({ data: { nextAt: new Date(0) } });
    const taken = await takeDue(database, secrets, 16);
    const { acme: acmeId, vela: velaId } = world.tenants;
    const owners = taken.map(({ tenantId }) => tenantId ?? "provider").toSorted();
    expect(owners).toEqual([acmeId, acmeId, velaId, "provider", "provider"].toSorted());
    expect(taken.find(({ webhookId }) => webhookId === broken)?.secret).toBe(null);
    expect(taken.some(({ webhookId, secret }) => webhookId === ofProvider && secret !== null)).toBe(true);
    expect(await takeDue(database, secrets, 16)).toEqual([]);
    const [one] = taken.filter(({ tenantId }) => tenantId === acmeId);
    if (one === undefined) throw new Error("nothing of acme's");
    await noteAttempt(database, one, { status: 204, error: null, gone: false }, new Date());
    expect(await takeDue(database, secrets, 16)).toMatchObject([{ tenantId: acmeId }]);
  });
});
