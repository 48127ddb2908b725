// Webhooks end to end: what happened is received over HTTP, signed, in order, also where the receiver refused it first.
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import pino from "pino";
import { expect, it } from "vitest";
import { deliverAll } from "@/server/jobs/webhook-deliveries";
import { giveBack, takeDue } from "@/server/usecases/break-fix/deliveries";
import { createWebhook, listWebhooks, testWebhook } from "@/server/usecases/break-fix/webhooks";
import { disableTenant, enableTenant } from "@/server/usecases/sites/tenants/tenant-acts";
import { createWorld } from "@/server/usecases/testing/world";

it("are served: refused, sent again with the same id, and then the next; a tenant's is never sent to this machine", async () => {
  const world = await createWorld();
  const received: { id: string; body: string; valid: boolean }[] = [];
  let secret = "";
  let status = 500;
  const receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      const id = String(request.headers["webhook-id"]);
      const signed = createHmac("sha256", Buffer.from(secret.slice(6), "base64"))
        .update(`${id}.${String(request.headers["webhook-timestamp"])}.${body}`)
        .digest("base64");
      received.push({ id, body, valid: request.headers["webhook-signature"] === `v1,${signed}` });
      response.writeHead(status).end();
    });
  }).listen(0, "127.0.0.1");
  try {
    await once(receiver, "listening");
    const address = receiver.address();
    const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/hook`;
    const { database, secrets } = world.backend;
    const parts = { database, secrets, logger: pino({ level: "silent" }), networks: ["loopback"] };
    const serve = async () => {
      await database.webhookDelivery.updateMany({
        where: { deliveredAt: null },
        data: { nextAt: new Date(0) },
      });
      await deliverAll(parts, new AbortController().signal);
    };
    for (const actor of [world.actor("provider-admin"), world.actor("tenant-admin")]) {
      const made = await createWebhook(world.backend, actor, world.request(), { name: "w", url, kinds: [] });
      if (!made.ok) throw new Error(made.problem.detail);
      if (actor.tenantId === null) secret = made.value.secret;
      for (const _ of [1, 2]) await testWebhook(world.backend, actor, world.request(), { id: made.value.id });
    }
    await serve();
    expect(received).toHaveLength(1);
    status = 204;
    await serve();
    // A disabled tenant's wait: nothing was tried, and they go on when it is enabled.
    const { acme } = world.tenants;
    const waitingOfAcme = { webhook: { tenantId: acme }, deliveredAt: null };
    const attemptsOfAcme = async () =>
      (await database.webhookDelivery.findMany({ where: waitingOfAcme, orderBy: { seq: "asc" } })).map(
        ({ attempts }) => attempts,
      );
    const { org } = await database.tenant.findUniqueOrThrow({ where: { id: acme }, select: { org: true } });
    const set = async (act: typeof disableTenant | typeof enableTenant) =>
      act(world.backend, world.actor("provider-admin"), world.request(), { org, reason: "unpaid" });
    expect(await set(disableTenant)).toMatchObject({ ok: true });
    await serve();
    expect(await attemptsOfAcme()).toEqual([2, 0]);
    const listed = await listWebhooks(world.backend, world.actor("provider-admin"));
    expect(
      listed.ok && listed.value.map((row) => [row.tenantDisabled, row.lastStatus, row.lastError]),
    ).toEqual([
      [false, 204, null],
      [true, null, expect.any(String)],
    ]);
    expect(await set(enableTenant)).toMatchObject({ ok: true });
    // The time in which nothing was tried is not held against it.
    expect(await database.webhook.count({ where: { tenantId: acme, failingSince: { not: null } } })).toBe(0);
    await serve();
    expect(await attemptsOfAcme()).toEqual([3, 0]);
    const [first, again, next] = received;
    expect(received.map(({ valid }) => valid)).toEqual([true, true, true]);
    expect([again?.id, again?.body]).toEqual([first?.id, first?.body]);
    expect(next?.id).not.toBe(first?.id);
    const kept = await database.webhookDelivery.findMany({
      where: { webhook: { tenantId: acme } },
      orderBy: { seq: "asc" },
    });
    expect(kept.map(({ deliveredAt, attempts }) => [deliveredAt, attempts])).toEqual([
      [null, 3],
      [null, 0],
    ]);
  } finally {
    receiver.close();
    await world.stop();
  }
});

it("a slow receiver holds up nobody else's, and what a stop breaks off is no failure", async () => {
  const world = await createWorld();
  const received: string[] = [];
  const stopping = new AbortController();
  let answerSlow: (() => void) | null = null;
  const receiver = createServer((request, response) => {
    const path = request.url ?? "";
    received.push(path);
    const answer = () => void response.writeHead(204).end();
    if (path === "/stopped") stopping.abort();
    else if (path === "/slow") answerSlow = answer;
    else answer();
    if (path === "/fast" && received.length === 4) answerSlow?.();
  }).listen(0, "127.0.0.1");
  try {
    await once(receiver, "listening");
    const address = receiver.address();
    const origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
    const { database, secrets } = world.backend;
    const parts = { database, secrets, logger: pino({ level: "silent" }), networks: ["loopback"] };
    const admin = world.actor("provider-admin");
    const withEvents = async (name: string, events: number) => {
      const made = await createWebhook(world.backend, admin, world.request(), {
        name,
        url: `${origin}/${name}`,
        kinds: [],
      });
      if (!made.ok) throw new Error(made.problem.detail);
      for (let at = 0; at < events; at += 1)
        await testWebhook(world.backend, admin, world.request(), { id: made.value.id });
    };
    const attempts = async (name: string) =>
      (
        await database.webhookDelivery.findMany({ where: { webhook: { name } }, orderBy: { seq: "asc" } })
      ).map((row) => [row.attempts, row.status, row.error]);
    await withEvents("slow", 1);
    await withEvents("fast", 3);
    await deliverAll(parts, new AbortController().signal);
    expect(received).toHaveLength(4);
    expect(await attempts("slow")).toEqual([[1, 204, null]]);
    await withEvents("sealed", 1);
    await database.webhook.updateMany({ where: { name: "sealed" }, data: { secret: Buffer.from("x") } });
    await deliverAll(parts, new AbortController().signal);
    expect(await attempts("sealed")).toEqual([[1, null, "Its secret cannot be opened."]]);
    await withEvents("stopped", 1);
    await deliverAll(parts, stopping.signal);
    expect(await attempts("stopped")).toEqual([[0, null, null]]);
    expect(await database.webhook.findFirst({ where: { name: "stopped" } })).toMatchObject({
      busyUntil: null,
      failingSince: null,
    });
  } finally {
    receiver.close();
    await world.stop();
  }
});

it("owners take turns, however many older events another owner has waiting", async () => {
  const world = await createWorld();
  try {
    const { database, secrets } = world.backend;
    const withEvents = async (role: "provider-admin" | "tenant-admin", names: readonly string[]) => {
      for (const name of names) {
        const url = `https://${name}.example.com/`;
        const actor = world.actor(role);
        const made = await createWebhook(world.backend, actor, world.request(), { name, url, kinds: [] });
        if (!made.ok) throw new Error(made.problem.detail);
        for (const _ of [1, 2, 3])
          await testWebhook(world.backend, actor, world.request(), { id: made.value.id });
      }
    };
    await withEvents("tenant-admin", ["a1", "a2", "a3"]);
    await database.webhookDelivery.updateMany({ data: { nextAt: new Date(0) } });
    await withEvents("provider-admin", ["p1"]);
    const takers: string[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      const [taken] = await takeDue(database, secrets, 1);
      if (taken === undefined) throw new Error("nothing was due");
      takers.push(new URL(taken.url).hostname.split(".")[0] ?? "");
      await giveBack(database, taken);
    }
    // A tenant's own webhooks take turns, too.
    const provider = takers.filter((name) => name === "p1");
    expect(provider).toHaveLength(3);
    expect(new Set(takers)).toEqual(new Set(["a1", "a2", "a3", "p1"]));
    expect(takers.slice(0, 2).some((name) => name === "p1")).toBe(true);
    // Two places for the tenant, whoever else waits.
    expect(
      (await takeDue(database, secrets, 16)).map(({ tenantId }) => tenantId !== null).toSorted(),
    ).toEqual([false, true, true]);
  } finally {
    await world.stop();
  }
});
