// Bearer tokens at the console's procedures and its live stream: whom they identify, and that tokens and cookies never replace each other.
import { randomUUID } from "node:crypto";
import { encode } from "next-auth/jwt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { streamsPerPerson } from "@/server/surfaces/live/stream-limit";
import { sessionCookie } from "@/server/surfaces/web/session";
import { sessionSecret, startConsoleServer } from "@/server/surfaces/web/testing/console-server";
import type { ConsoleServer } from "@/server/surfaces/web/testing/console-server";

let server: ConsoleServer;
let operatorCookie = "";
let hostId = "";
beforeAll(async () => {
  server = await startConsoleServer();
  hostId = await server.world.host("a-1");
  await server.world.put(hostId, "Manageable");
  operatorCookie = `${sessionCookie(server.backend.config.baseUrl)}=${await encode({ token: { personId: server.world.actor("operator").personId, sessionEpoch: 1, sessionId: randomUUID() }, secret: sessionSecret, maxAge: 600 })}`;
});
afterAll(() => server.stop());

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const me = (headers: Record<string, string>) => fetch(`${server.url}/api/trpc/session.me`, { headers });
const maintain = (headers: Record<string, string>, reason: string) =>
  fetch(`${server.url}/api/trpc/host.setMaintenance`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ json: { hostId, reason } }),
  });
const maintenance = async () =>
  (await server.world.backend.database.hostRun.findUniqueOrThrow({ where: { hostId } })).maintenanceReason;
const problemOf = async (response: Response) => ({ status: response.status, text: await response.text() });

describe("a procedure with a bearer token", () => {
  it("is its holder's, with the holder's role", async () => {
    const body: unknown = await (await me(bearer(await server.token("auditor")))).json();
    expect(body).toMatchObject({
      result: { data: { json: { role: "auditor", personId: server.world.actor("auditor").personId } } },
    });
  });
  it("is the token's and not the cookie's where both are sent", async () => {
    const both = { cookie: operatorCookie, ...bearer(await server.token("auditor")) };
    expect(await (await me(both)).json()).toMatchObject({ result: { data: { json: { role: "auditor" } } } });
    expect((await maintain({ ...both, origin: server.url }, "as both")).status).toBe(403);
    expect(await maintenance()).toBeNull();
  });
  it("changes something without an origin, and is audited as a token's act", async () => {
    expect((await maintain(bearer(await server.token("operator")), "fan is loud")).status).toBe(200);
    expect(await maintenance()).toBe("fan is loud");
    expect(
      await server.world.backend.database.auditEvent.findFirstOrThrow({
        where: { action: "host.setMaintenance", outcome: "done" },
      }),
    ).toMatchObject({ actorKind: "token", actorId: server.world.actor("operator").personId });
  });
  it.each([
    ["an unknown token", () => "rcl_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"],
    ["one that has run out", () => server.token("operator", new Date(Date.now() - 1_000))],
    ["one that is too short", () => "x"],
    ["none after the word", () => ""],
    ["two", async () => `${await server.token("operator")}, Bearer ${await server.token("operator")}`],
    ["spaces in it", async () => `${await server.token("operator")} more`],
    ["one that is too long", () => "a".repeat(600)],
  ])("that has %s is nobody's, whatever its cookie says", async (_words, token) => {
    const before = await maintenance();
    const headers = { cookie: operatorCookie, origin: server.url, ...bearer(await token()) };
    expect((await me({ cookie: operatorCookie })).status).toBe(200);
    expect((await me(headers)).status).toBe(401);
    const refused = await problemOf(await maintain(headers, "not allowed"));
    expect(refused.status).toBe(401);
    expect(refused.text).toContain("urn:reclaim:problem:unauthenticated");
    expect(await maintenance()).toBe(before);
  });
  it("takes the scheme in any case", async () => {
    const token = await server.token("auditor");
    for (const scheme of ["bearer", "BEARER"])
      expect((await me({ authorization: `${scheme} ${token}` })).status).toBe(200);
    expect(
      (await me({ cookie: operatorCookie, authorization: "bEaReR wrong-wrong-wrong-wrong" })).status,
    ).toBe(401);
  });
  it("that is gone from the database is gone here within seconds", async () => {
    const token = await server.token("auditor");
    expect((await me(bearer(token))).status).toBe(200);
    await server.world.backend.database.apiToken.deleteMany({
      where: { personId: server.world.actor("auditor").personId },
    });
    await expect
      .poll(async () => (await me(bearer(token))).status, { timeout: 120_000, interval: 500 })
      .toBe(401);
  });
});

describe("a procedure with a cookie", () => {
  it.each([[{}], [{ origin: "https://evil.test" }], [{ "sec-fetch-site": "cross-site" }]])(
    "changes nothing for a request from elsewhere: %j",
    async (headers) => {
      const before = await maintenance();
      expect((await maintain({ cookie: operatorCookie, ...headers }, "forged")).status).toBe(403);
      expect(await maintenance()).toBe(before);
    },
  );
  it("is not freed from that by another scheme, and is not refused for it", async () => {
    const basic = { cookie: operatorCookie, authorization: "Basic dTpw" };
    expect((await me(basic)).status).toBe(200);
    expect((await maintain(basic, "forged")).status).toBe(403);
    expect((await me({ authorization: "Basic dTpw" })).status).toBe(401);
  });
  it("is told to other pages by no header", async () => {
    const preflight = await fetch(`${server.url}/api/trpc/host.setMaintenance`, {
      method: "OPTIONS",
      headers: {
        origin: "https://evil.test",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization",
      },
    });
    expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
    expect(preflight.headers.get("access-control-allow-headers")).toBeNull();
  });
});

describe("the live stream with a bearer token", () => {
  const listen = async (headers: Record<string, string>) => {
    const abort = new AbortController();
    const response = await fetch(`${server.url}/api/live`, { headers, signal: abort.signal });
    return { status: response.status, reader: response.body?.getReader(), end: () => abort.abort() };
  };
  it("tells its holder", async () => {
    const { status, reader, end } = await listen(bearer(await server.token("operator")));
    expect(status).toBe(200);
    await reader?.read();
    await server.world.backend.database.feed.create({ data: { hostId, tenantId: null, what: "test" } });
    let told = "";
    // On a slow machine a keep-alive comment may come first.
    while (!told.includes(hostId)) {
      const piece = await reader?.read();
      expect(piece?.done).toBe(false);
      told += new TextDecoder().decode(piece?.value);
    }
    end();
  });
  it("is open so often for one person and no more, and again when one has ended", async () => {
    const token = await server.token("operator");
    const open = await Promise.all(Array.from({ length: streamsPerPerson }, () => listen(bearer(token))));
    expect(open.map(({ status }) => status)).toEqual(Array<number>(streamsPerPerson).fill(200));
    expect((await listen({ cookie: operatorCookie })).status).toBe(429);
    const another = await listen(bearer(await server.token("auditor")));
    expect(another.status).toBe(200);
    open[0]?.end();
    await expect
      .poll(
        async () => {
          const next = await listen(bearer(token));
          next.end();
          return next.status;
        },
        { timeout: 120_000 },
      )
      .toBe(200);
    for (const each of [...open, another]) each.end();
    await expect.poll(() => server.backend.feed.listeners, { timeout: 120_000 }).toBe(0);
  });
  it("is refused for a wrong one, whatever its cookie says", async () => {
    expect(
      (await listen({ cookie: operatorCookie, ...bearer("rcl_wrong_wrong_wrong_wrong_wrong") })).status,
    ).toBe(401);
    const good = await listen({ cookie: operatorCookie });
    expect(good.status).toBe(200);
    good.end();
  });
  it("tells a tenant's token of its own hosts only", async () => {
    const acme = await listen({ cookie: operatorCookie, ...bearer(await server.token("tenant-admin")) });
    let text = "";
    const reading = (async () => {
      for (
        let piece = await acme.reader?.read();
        piece !== undefined && !piece.done;
        piece = await acme.reader?.read()
      )
        text += new TextDecoder().decode(piece.value);
    })().catch(() => undefined);
    const own = randomUUID();
    await server.world.backend.database.feed.create({ data: { hostId, tenantId: null, what: "test" } });
    await server.world.backend.database.feed.create({
      data: { hostId: own, tenantId: server.world.tenants.acme, what: "test" },
    });
    await expect.poll(() => text, { timeout: 120_000 }).toContain(own);
    expect(text).not.toContain(hostId);
    acme.end();
    await reading;
  });
});
