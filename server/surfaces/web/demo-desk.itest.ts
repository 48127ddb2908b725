// The route to the demo desk: who may use it, with which token, and what comes back.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newApiToken, tokenHash } from "@/server/domain/access/tokens";
import { clientAddressHeader, viaProxyHeader } from "@/server/surfaces/http/client-address";
import { demoDeskResponse } from "@/server/surfaces/web/demo-desk";
import { demoPassword, demoPeople } from "@/server/surfaces/web/demo-people";
import { openTestBackend } from "@/server/surfaces/web/testing/backend";
import type { WebBackend } from "@/server/surfaces/web/web-backend";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

const deskToken = "desk-token-0123456789";
const people = [
  {
    role: "operator",
    org: "provider",
    email: "operator@reclaim.example",
    password: "a password of the demo",
  },
];
const seen: { readonly method: string; readonly token: string; readonly body: string }[] = [];
let world: World;
let backend: WebBackend;
let desk: Server;
beforeAll(async () => {
  desk = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      seen.push({ method: request.method ?? "", token: request.headers.authorization ?? "", body });
      response.writeHead(request.method === "GET" ? 200 : 404, { "content-type": "application/json" });
      response.end(
        JSON.stringify(request.url === "/control/desk/people" ? { people } : { words: "from the desk" }),
      );
    });
  });
  await new Promise<void>((done) => desk.listen(0, "127.0.0.1", done));
  world = await createWorld();
  const address: AddressInfo | string | null = desk.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  backend = openTestBackend(world, {
    RECLAIM_DEMO_DESK_URL: `http://127.0.0.1:${port}/control/desk`,
    RECLAIM_DEMO_DESK_TOKEN: deskToken,
  });
});
afterAll(async () => {
  desk.closeAllConnections();
  await new Promise((done) => desk.close(done));
  await backend.feed.close();
  await world.stop();
});

async function ask(
  role: "operator" | "auditor" | "tenant-admin" | null,
  init: RequestInit = {},
  scope: "full" | "read" = "full",
) {
  const headers = new Headers(init.headers);
  if (role !== null) {
    const token = newApiToken();
    await world.backend.database.apiToken.create({
      data: { hash: tokenHash(token), name: "test", scope, personId: world.actor(role).personId },
    });
    headers.set("authorization", `Bearer ${token}`);
  }
  const request = new Request("http://localhost/api/demo", { ...init, headers });
  const answer = await demoDeskResponse(backend, request);
  return { status: answer.status, text: await answer.text() };
}

const orders = () =>
  world.backend.database.auditEvent.findMany({ where: { action: "demo.order" }, orderBy: { at: "asc" } });

it("hands an operator's order on with the desk's own token, and the answer back as it is", async () => {
  expect(await ask("operator")).toEqual({ status: 200, text: '{"words":"from the desk"}' });
  expect(await ask("operator", { method: "POST", body: '{"act":"switch","on":true}' })).toMatchObject({
    status: 404,
  });
  expect(seen).toEqual([
    { method: "GET", token: `Bearer ${deskToken}`, body: "" },
    { method: "POST", token: `Bearer ${deskToken}`, body: '{"act":"switch","on":true}' },
  ]);
  expect(await orders()).toMatchObject([
    {
      outcome: "done",
      actorId: world.actor("operator").personId,
      targetId: world.siteId,
      after: { order: '{"act":"switch","on":true}' },
    },
  ]);
});

it("takes no order from a token that may only read, which sees what is offered", async () => {
  const before = seen.length;
  expect(
    await ask("operator", { method: "POST", body: '{"act":"switch","on":false}' }, "read"),
  ).toMatchObject({ status: 403, text: expect.stringContaining("only read") });
  expect(seen.length).toBe(before);
  expect((await orders()).at(-1)).toMatchObject({ outcome: "refused" });
  expect((await ask("operator", {}, "read")).status).toBe(200);
});

it("is not there where no site is a demo, whatever the settings say", async () => {
  const before = seen.length;
  const { site } = world.backend.database;
  await site.updateMany({ data: { demo: false } });
  for (const init of [{}, { method: "POST", body: '{"act":"switch","on":false}' }])
    expect((await ask("operator", init)).status).toBe(404);
  expect(seen.length).toBe(before);
  await site.updateMany({ data: { demo: true } });
});

describe("the people of a demo", () => {
  const from = (address: string, proxy = "0", host = "localhost:3000") =>
    new Headers({ [clientAddressHeader]: address, [viaProxyHeader]: proxy, host });
  const [{ password, ...shown } = { password: "" }] = people;

  it("are offered on the machine that it runs on, without their passwords", async () => {
    for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
      expect(await demoPeople(backend, from(address))).toEqual([shown]);
    expect(await demoPassword(backend, from("127.0.0.1"), "operator@reclaim.example")).toBe(password);
    expect(await demoPassword(backend, from("127.0.0.1"), "admin@acme.example")).toBeNull();
  });

  it.each([
    ["another machine", from("192.0.2.7")],
    ["nobody knows where", new Headers()],
    ["a proxy on this machine", from("127.0.0.1", "1")],
    ["another name for this machine", from("127.0.0.1", "0", "demo.example")],
  ])("are nobody's business who comes from %s", async (_, headers) => {
    expect(await demoPeople(backend, headers)).toBeNull();
    expect(await demoPassword(backend, headers, "operator@reclaim.example")).toBeNull();
  });

  it("whose desk does not answer are not refused for their password", async () => {
    const demoDesk = { url: "http://127.0.0.1:9/control/desk", token: deskToken };
    const silent = { ...backend, config: { ...backend.config, demoDesk } };
    expect(await demoPeople(silent, from("127.0.0.1"))).toEqual([]);
    await expect(demoPassword(silent, from("127.0.0.1"), "operator@reclaim.example")).rejects.toThrow(
      "NoDesk",
    );
  });

  it("are offered under no name that others may use", async () => {
    const named = { ...backend, config: { ...backend.config, baseUrl: "https://demo.example" } };
    expect(await demoPeople(named, from("127.0.0.1"))).toBeNull();
  });

  it("are nobody where the desk does not answer, and on a site without one", async () => {
    const broken = {
      ...backend,
      config: { ...backend.config, demoDesk: { url: "http://127.0.0.1:9", token: deskToken } },
    };
    expect(await demoPeople(broken, from("127.0.0.1"))).toEqual([]);
    const real = { ...backend, config: { ...backend.config, demoDesk: undefined } };
    expect(await demoPeople(real, from("127.0.0.1"))).toBeNull();
    expect(await demoPassword(real, from("127.0.0.1"), "operator@reclaim.example")).toBeNull();
  });
});

it("lets nobody else near it", async () => {
  const before = seen.length;
  expect((await ask(null)).status).toBe(401);
  for (const role of ["auditor", "tenant-admin"] as const) expect((await ask(role)).status).toBe(403);
  expect((await ask("operator", { method: "POST", body: "x".repeat(5_000) })).status).toBe(400);
  backend = { ...backend, config: { ...backend.config, demoDesk: undefined } };
  expect((await ask("operator")).status).toBe(404);
  expect(seen.length).toBe(before);
});
