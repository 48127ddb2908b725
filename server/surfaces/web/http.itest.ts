// What the console serves over HTTP besides its procedures: sessions, the event stream, the hosts file.
import CredentialsProvider from "next-auth/providers/credentials";
import { randomUUID } from "node:crypto";
import { encode } from "next-auth/jwt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { liveResponse } from "@/server/surfaces/live/live-response";
import { authOptions } from "@/server/surfaces/web/auth-options";
import { logFileResponse } from "@/server/surfaces/web/audit-log/log-file";
import { assuranceCsvResponse } from "@/server/surfaces/web/csv/assurance-csv";
import { auditCsvResponse } from "@/server/surfaces/web/csv/audit-csv";
import { bulkCsvResponse } from "@/server/surfaces/web/csv/bulk-csv";
import { hostsCsvResponse } from "@/server/surfaces/web/csv/hosts-csv";
import { sessionActor, sessionCookie } from "@/server/surfaces/web/session";
import { openTestBackend, sessionSecret } from "@/server/surfaces/web/testing/backend";
import type { WebBackend } from "@/server/surfaces/web/web-backend";
import type { Actor } from "@/server/usecases/actor";
import { clientAddressHeader } from "@/server/surfaces/http/client-address";
import { listSessions } from "@/server/usecases/access/sessions";
import { signOut } from "@/server/usecases/access/sign-out";
import { previewBulk } from "@/server/usecases/hosts/bulk/preview-bulk";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
let backend: WebBackend;
beforeAll(async () => {
  world = await createWorld();
  backend = openTestBackend(world);
  for (const name of ["a-1", "=cmd()"]) await world.put(await world.host(name), "Manageable");
});
afterAll(async () => {
  await backend.feed.close();
  await world.stop();
});

const cookieOf = async (token: object, key = sessionSecret, maxAge = 600): Promise<string> =>
  `${sessionCookie(backend.config.baseUrl)}=${await encode({ token: { ...token }, secret: key, maxAge })}`;
const signedIn = (actor: Actor, sessionId: string = randomUUID()) =>
  cookieOf({ personId: actor.personId, sessionEpoch: 1, sessionId });
const get = (path: string, cookie = "", headers: Record<string, string> = {}, signal?: AbortSignal) =>
  new Request(`http://localhost:3000${path}`, {
    headers: { ...headers, cookie },
    ...(signal === undefined ? {} : { signal }),
  });

describe("a session", () => {
  it("is its person", async () => {
    const operator = world.actor("operator");
    expect(
      await sessionActor(backend, new Headers({ cookie: `theme=dark; ${await signedIn(operator)}; x=1` })),
    ).toMatchObject({ personId: operator.personId, kind: "person" });
  });
  it("is listed with its address once it was used, and says which one asks", async () => {
    const auditor = world.actor("auditor");
    const sessionId = randomUUID();
    const headers = new Headers({
      cookie: await signedIn(auditor, sessionId),
      [clientAddressHeader]: "198.51.100.7",
    });
    const asker = await sessionActor(backend, headers);
    if (asker === null) throw new Error("nobody");
    expect(await listSessions(backend, asker, { personId: auditor.personId })).toMatchObject({
      value: [{ sessionId, current: true, address: "198.51.100.7" }],
    });
  });
  it("is nobody's when it was forged, has run out, was ended, or says nothing", async () => {
    const good = { personId: world.actor("operator").personId, sessionEpoch: 1, sessionId: randomUUID() };
    expect(await sessionActor(backend, new Headers({ cookie: await cookieOf(good) }))).not.toBeNull();
    const cookies = [
      "",
      "next-auth.session-token=abc",
      await cookieOf(good, "other secret other secret other secret"),
      await cookieOf(good, sessionSecret, -100),
      await cookieOf({ ...good, sessionEpoch: 2 }),
      await cookieOf({ ...good, personId: "x" }),
      await cookieOf({ ...good, sessionId: "x" }),
      await cookieOf({}),
    ];
    for (const cookie of cookies) expect(await sessionActor(backend, new Headers({ cookie }))).toBeNull();
  });
  it("that was signed out is over for who kept its cookie, and no other session of the person is", async () => {
    const operator = world.actor("operator");
    const [here, there] = [randomUUID(), randomUUID()];
    const kept = new Headers({ cookie: await signedIn(operator, here) });
    expect(await sessionActor(backend, kept)).not.toBeNull();
    const { events, callbacks } = authOptions(backend, CredentialsProvider, () => undefined);
    const token = { personId: operator.personId, sessionEpoch: 1, sessionId: here };
    const renew = (sessionId: string) =>
      callbacks?.jwt?.({ token: { ...token, sessionId }, account: null, user: undefined as never });
    expect(await renew(here)).toMatchObject(token);
    await events?.signOut?.({ token, session: undefined as never });
    await events?.signOut?.({ token, session: undefined as never });
    expect(await sessionActor(backend, kept)).toBeNull();
    await expect(renew(here)).rejects.toThrow("the session has ended");
    await expect(callbacks?.jwt?.({ token: {}, account: null, user: undefined as never })).rejects.toThrow(
      "the session has ended",
    );
    expect(await renew(there)).toMatchObject({ sessionId: there });
    expect(
      await sessionActor(backend, new Headers({ cookie: await signedIn(operator, there) })),
    ).toMatchObject({ personId: operator.personId });
    expect(
      await world.backend.database.auditEvent.findMany({ where: { action: "session.signOut" } }),
    ).toMatchObject([
      { actorId: operator.personId, targetKind: "person", targetId: operator.personId, outcome: "done" },
    ]);
  });
  it("that would have run out is not kept", async () => {
    const { database } = backend;
    const [old, fresh] = [randomUUID(), randomUUID()];
    await database.endedSession.create({ data: { sessionId: old, expiresAt: new Date(Date.now() - 1_000) } });
    await signOut(database, { sessionId: fresh, personId: world.actor("operator").personId });
    expect(
      await database.endedSession.findMany({ where: { sessionId: { in: [old, fresh] } } }),
    ).toMatchObject([{ sessionId: fresh }]);
  });
  it("has a cookie that an insecure page cannot set, where we are served securely", () => {
    expect(sessionCookie("https://reclaim.example")).toBe("__Secure-next-auth.session-token");
  });
});

describe("the event stream", () => {
  async function listen(actor: Actor, after?: string) {
    const abort = new AbortController();
    const response = await liveResponse(
      backend,
      get(
        `/api/live${after === undefined ? "" : `?after=${after}`}`,
        await signedIn(actor),
        {},
        abort.signal,
      ),
    );
    const reader = response.body?.getReader();
    if (reader === undefined) throw new Error("no stream");
    let text = "";
    const decoder = new TextDecoder();
    const reading = (async () => {
      for (let piece = await reader.read(); !piece.done; piece = await reader.read())
        text += decoder.decode(piece.value);
    })().catch(() => undefined);
    await expect.poll(() => text, { timeout: 20_000 }).not.toBe("");
    return {
      response,
      text: () => text,
      close: () => abort.abort(),
      cancel: async () => {
        await reader.cancel();
        await reading;
      },
    };
  }
  const tell = (hostId: string, tenantId: string | null) =>
    world.backend.database.feed.create({ data: { hostId, tenantId, what: "test" } });
  const ofAcme = "00000000-0000-4000-8000-00000000000a";
  const ofNobody = "00000000-0000-4000-8000-00000000000b";

  it("is refused to nobody", async () => {
    const response = await liveResponse(backend, get("/api/live"));
    expect([response.status, response.headers.get("content-type")]).toEqual([
      401,
      "application/problem+json",
    ]);
    expect(await response.json()).toMatchObject({
      type: "urn:reclaim:problem:unauthenticated",
      requestId: expect.any(String),
    });
  });
  it("tells each of what it may see", async () => {
    const [operator, acme, vela] = await Promise.all([
      listen(world.actor("operator")),
      listen(world.actor("tenant-admin", "acme")),
      listen(world.actor("tenant-admin", "vela")),
    ]);
    expect(operator.response.headers.get("content-type")).toContain("text/event-stream");
    await tell(ofAcme, world.tenants.acme);
    await tell(ofNobody, null);
    await expect.poll(operator.text, { timeout: 20_000 }).toContain(ofNobody);
    await expect.poll(acme.text, { timeout: 20_000 }).toContain(ofAcme);
    expect(operator.text()).toContain(ofAcme);
    expect(acme.text()).not.toContain(ofNobody);
    expect(vela.text()).not.toMatch(/event: change/);
    expect(backend.feed.listeners).toBe(3);
    operator.close();
    acme.close();
    await vela.cancel();
    await expect.poll(() => backend.feed.listeners, { timeout: 20_000 }).toBe(0);
  });
  it("goes on where it broke", async () => {
    const first = await listen(world.actor("operator"));
    const id = /^id: (.*)$/m.exec(first.text())?.[1] ?? "";
    first.close();
    await tell(ofAcme, null);
    const second = await listen(world.actor("operator"), id);
    await expect.poll(second.text, { timeout: 20_000 }).toContain(ofAcme);
    expect(second.text()).not.toContain("event: reset");
    second.close();
  });
  it("says reset where it cannot", async () => {
    const stream = await listen(world.actor("operator"), "1.1.1");
    expect(stream.text()).toContain("event: reset");
    stream.close();
  });
});

describe("the file of an act on many hosts", () => {
  const csv = async (actor: Actor | null, query: string) =>
    bulkCsvResponse(backend, get(`/api/bulk.csv${query}`, actor === null ? "" : await signedIn(actor)));
  it("has a head and a line per host, for those who may list hosts", async () => {
    const made = await previewBulk(world.backend, world.actor("operator"), world.request(), {
      target: { filter: "" },
      intent: "manage",
    });
    if (!made.ok) throw new Error(made.problem.detail);
    expect((await csv(null, `?id=${made.value.id}`)).status).toBe(401);
    expect((await csv(world.actor("tenant-admin"), `?id=${made.value.id}`)).status).toBe(403);
    const lines = (await (await csv(world.actor("auditor"), `?id=${made.value.id}`)).text())
      .trim()
      .split("\n");
    expect(lines[0]).toBe("host,id,result,message,reclamation,outcome,state,step");
    expect(lines).toHaveLength(1 + made.value.total);
  });
  it.each([
    ["?id=x", 400],
    ["", 400],
    ["?id=00000000-0000-4000-8000-000000000000", 404],
  ] as const)("with %j is refused", async (query, status) =>
    expect((await csv(world.actor("operator"), query)).status).toBe(status),
  );
});

describe("the files of assurance", () => {
  const csv = async (actor: Actor | null, query = "?list=exceptions") =>
    assuranceCsvResponse(
      backend,
      get(`/api/assurance.csv${query}`, actor === null ? "" : await signedIn(actor)),
    );
  it("are for the provider's people", async () => {
    expect((await csv(null)).status).toBe(401);
    expect((await csv(world.actor("repair-tenant-admin"))).status).toBe(403);
    expect(await (await csv(world.actor("auditor"))).text()).toMatch(
      /^id,host,hostId,site,reclamation,gate,/,
    );
    expect(await (await csv(world.actor("operator"), "?list=ending")).text()).toMatch(/^ends,kind,subject,/);
    expect((await csv(world.actor("operator"), "?list=due")).status).toBe(400);
  });
});

describe("the file of hosts", () => {
  const csv = async (actor: Actor | null, query = "") =>
    hostsCsvResponse(backend, get(`/api/hosts.csv${query}`, actor === null ? "" : await signedIn(actor)));
  it("is for those who may list hosts", async () => {
    expect((await csv(null)).status).toBe(401);
    expect((await csv(world.actor("tenant-admin"))).status).toBe(403);
    expect((await csv(world.actor("auditor"))).status).toBe(200);
  });
  it("has a head and a line per host, and nothing that a spreadsheet would run", async () => {
    const lines = (await (await csv(world.actor("operator"), "?sort=name&descending=false")).text())
      .trim()
      .split("\n");
    expect(lines[0]).toMatch(/^host,id,state,standing,since,/);
    expect(lines).toHaveLength(3);
    expect(lines.some((line) => line.startsWith("=") || line.startsWith('"='))).toBe(false);
  });
  it.each(["?sort=colour", "?filter=colour:red", "?descending=maybe"])("with %s is refused", async (query) =>
    expect((await csv(world.actor("operator"), query)).status).toBe(400),
  );
});

describe("the audit log", () => {
  const asked = async (actor: Actor | null, path: string) =>
    get(path, actor === null ? "" : await signedIn(actor));
  const file = async (actor: Actor | null, ...path: string[]) =>
    logFileResponse(backend, await asked(actor, `/api/audit-log/${path.join("/")}`), path);
  const csv = async (actor: Actor | null, query = "") =>
    auditCsvResponse(backend, await asked(actor, `/api/audit.csv${query}`));
  it("has files and a list for those who may read all of it", async () => {
    expect([(await file(null, "checkpoint")).status, (await csv(null)).status]).toEqual([401, 401]);
    for (const role of ["operator", "tenant-admin"] as const) {
      const actor = world.actor(role);
      expect([(await file(actor, "checkpoint")).status, (await csv(actor)).status]).toEqual([403, 403]);
    }
    // Nothing signs the log in this test.
    expect((await file(world.actor("auditor"), "checkpoint")).status).toBe(404);
    expect((await file(world.actor("auditor"), "tile", "..", "x")).status).toBe(404);
    const answer = await csv(world.actor("auditor"), "?action=bulk.preview&since=2026-01-01T00:00:00.000Z");
    expect(answer.status).toBe(200);
    expect((await answer.text()).split("\n")[0]?.trim()).toMatch(/^number,at,action,outcome,/);
  });
  it.each(["?since=yesterday", "?outcome=maybe", "?colour=red"])("with %s is refused", async (query) =>
    expect((await csv(world.actor("auditor"), query)).status).toBe(400),
  );
});
