// Sessions and refused credentials, against a real HTTP server.
import { describe, expect, it, vi } from "vitest";
import type { BmcTarget } from "@/server/hardware/interfaces";
import { memorySessionStore } from "@/server/hardware/redfish/client/session-store";
import { bmcForEachTest, discoveredTarget, targetAt, within } from "@/server/hardware/redfish/testing/setup";
import { message, send, type TreeBmc } from "@/server/hardware/redfish/testing/tree-bmc";

let bmc: TreeBmc;
const { make, power } = bmcForEachTest("lenovo", (started) => (bmc = started));

const system = "/redfish/v1/Systems/1";
const sessions = "/redfish/v1/SessionService/Sessions";

describe("session", () => {
  it("is opened once, found by links, and its token used again: a read is one GET", async () => {
    const { client, seen } = make();
    const target = await discoveredTarget(bmc, client);
    for (let turn = 0; turn < 3; turn += 1)
      expect(await power(client).read(target, within)).toMatchObject({ ok: true, value: { power: "on" } });
    expect(bmc.takeLines()).toEqual([`GET ${system}`, `GET ${system}`, `GET ${system}`]);
    expect(bmc.sessions.size).toBe(1);
    expect(seen.at(-1)).toMatchObject({ hostId: "host-1", method: "GET", path: system, status: 200 });
  });

  it("is opened without reading the service root when the links are known", async () => {
    const links = (await discoveredTarget(bmc, make().client)).links;
    expect((await power(make().client).read(targetAt(bmc, links), within)).ok).toBe(true);
    expect(bmc.takeLines()).toEqual([`POST ${sessions}`, `GET ${system}`]);
  });

  it.each([200, 204])("is one where it is answered %i, as DMTF's mockup server does", async (status) => {
    bmc.fault = ({ method, path }, response) => {
      if (method !== "POST" || path !== sessions) return false;
      bmc.sessions.set("token-x", `${sessions}/x`);
      send(response, status, "", { "x-auth-token": "token-x", location: `${sessions}/x` });
      return true;
    };
    expect((await power(make().client).read(targetAt(bmc), within)).ok).toBe(true);
    expect(bmc.received.at(-1)?.headers["x-auth-token"]).toBe("token-x");
  });

  it("that expired is opened once more, and the request sent again", async () => {
    const { client } = make();
    const target = await discoveredTarget(bmc, client);
    bmc.sessions.clear();
    expect((await power(client).read(target, within)).ok).toBe(true);
    expect(bmc.takeLines()).toEqual([`GET ${system}`, `POST ${sessions}`, `GET ${system}`]);
  });

  it("is opened once by calls at the same time", async () => {
    const { client } = make();
    const target = await discoveredTarget(bmc, client);
    bmc.sessions.clear();
    const results = await Promise.all(Array.from({ length: 6 }, () => power(client).read(target, within)));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(bmc.takeLines().filter((line) => line.startsWith("POST"))).toEqual([`POST ${sessions}`]);
  });

  it("of an earlier process is deleted when another takes over", async () => {
    const store = memorySessionStore();
    const links = (await discoveredTarget(bmc, make({ sessions: store }).client)).links;
    expect(await store.load("host-1")).toEqual({ origin: bmc.address, uri: `${sessions}/1` });
    expect((await power(make({ sessions: store }).client).read(targetAt(bmc, links), within)).ok).toBe(true);
    expect(bmc.takeLines()).toEqual([`POST ${sessions}`, `DELETE ${sessions}/1`, `GET ${system}`]);
    expect([...bmc.sessions.values()]).toEqual([`${sessions}/2`]);
    expect(await store.load("host-1")).toEqual({ origin: bmc.address, uri: `${sessions}/2` });
  });

  it("that another process of ours deletes before its first use is opened once more: the credential is good", async () => {
    const store = memorySessionStore();
    const links = (await discoveredTarget(bmc, make().client)).links;
    const other = make({ sessions: store }).client;
    let meddled = false;
    bmc.fault = ({ path }, response) => {
      if (path !== system || meddled) return false;
      meddled = true;
      void power(other)
        .read(targetAt(bmc, links), within)
        .then(() => send(response, 401));
      return true;
    };
    const { client } = make({ sessions: store });
    expect((await power(client).read(targetAt(bmc, links), within)).ok).toBe(true);
    expect((await power(other).read(targetAt(bmc, links), within)).ok).toBe(true);
    expect((await power(client).read(targetAt(bmc, links), within)).ok).toBe(true);
  });

  it.each([
    ["ran out of time", () => ({ timeoutMs: 30 }), "unreachable"],
    ["was stopped", () => ({ ...within, signal: AbortSignal.timeout(30) }), "failed"],
  ] as const)("that the BMC opens after its caller %s serves the next one", async (_, options, kind) => {
    const links = (await discoveredTarget(bmc, make().client)).links;
    bmc.sessions.clear();
    let late: (() => void) | undefined;
    bmc.fault = ({ method, path }, response) => {
      if (method !== "POST" || path !== sessions || late !== undefined) return false;
      const uri = `${sessions}/late`;
      late = () => {
        bmc.sessions.set("late", uri);
        send(response, 201, { "@odata.id": uri }, { "x-auth-token": "late", location: uri });
      };
      return true;
    };
    const store = memorySessionStore();
    const { client } = make({ sessions: store });
    const target = targetAt(bmc, links);
    expect(await power(client).read(target, options())).toMatchObject({ ok: false, error: { kind } });
    await vi.waitFor(() => expect(late).toBeDefined());
    late?.();
    expect((await power(client).read(target, within)).ok).toBe(true);
    expect(bmc.takeLines()).toEqual([`POST ${sessions}`, `GET ${system}`]);
    expect(await store.load("host-1")).toEqual({ origin: bmc.address, uri: `${sessions}/late` });
  });

  it.each([
    ["is deleted with its own token", { "x-auth-token": "late", location: `${sessions}/late` }, true],
    ["without a token is left to its own time-out", { location: `${sessions}/late` }, false],
  ] as const)("that the BMC opens after our own time limit %s", async (_, headers, deleted) => {
    const links = (await discoveredTarget(bmc, make().client)).links;
    bmc.sessions.clear();
    let late: (() => void) | undefined;
    bmc.fault = ({ method, path }, response) => {
      if (method !== "POST" || path !== sessions || late !== undefined) return false;
      late = () => {
        bmc.sessions.set("late", `${sessions}/late`);
        send(response, 201, {}, headers);
      };
      return true;
    };
    const { client } = make({ limits: { sessionTimeoutMs: 500 } });
    const target = targetAt(bmc, links);
    expect(await power(client).read(target, within)).toMatchObject({
      ok: false,
      error: { kind: "unreachable" },
    });
    // A sign-in that hangs does not block the next call.
    expect((await power(client).read(target, within)).ok).toBe(true);
    expect(bmc.takeLines()).toEqual([`POST ${sessions}`, `POST ${sessions}`, `GET ${system}`]);
    late?.();
    if (deleted) await vi.waitFor(() => expect(bmc.takeLines()).toEqual([`DELETE ${sessions}/late`]));
    expect((await power(client).read(target, within)).ok).toBe(true);
    expect(bmc.takeLines()).toEqual([`GET ${system}`]);
    expect(bmc.sessions.has("late")).toBe(!deleted);
  });

  it("stored for another address is left alone", async () => {
    const store = memorySessionStore();
    await store.save("host-1", { origin: "https://10.9.9.9", uri: `${sessions}/99` });
    await discoveredTarget(bmc, make({ sessions: store }).client);
    expect(bmc.received.some(({ method }) => method === "DELETE")).toBe(false);
  });

  it("is ended by its own token when its host is gone, and not while it serves another host", async () => {
    const { client } = make();
    const one = await discoveredTarget(bmc, client);
    const two = { ...one, hostId: "host-2" };
    expect((await power(client).read(two, within)).ok).toBe(true);
    expect(bmc.sessions.size).toBe(1);
    await client.endSessions(new Set(["host-1"]));
    expect(bmc.sessions.size).toBe(1);
    expect((await power(client).read(two, within)).ok).toBe(true);
    await client.endSessions(new Set(["host-2", "host-3"]));
    expect(bmc.sessions.size).toBe(0);
    expect(bmc.takeLines().filter((line) => !line.startsWith("GET"))).toEqual([`DELETE ${sessions}/1`]);
    expect((await power(client).read(two, within)).ok).toBe(true);
  });

  it("is ended by a second request if the connection of the first one was lost, which a BMC closes when it was idle", async () => {
    const { client } = make();
    await discoveredTarget(bmc, client);
    let lost = 0;
    bmc.fault = ({ method }, response) => {
      if (method !== "DELETE" || lost > 0) return false;
      lost += 1;
      response.destroy();
      return true;
    };
    await client.endSessions(new Set(["host-1"]));
    expect(bmc.sessions.size).toBe(0);
    expect(bmc.takeLines()).toEqual([`DELETE ${sessions}/1`, `DELETE ${sessions}/1`]);
  });

  it("of a BMC that hangs holds up nobody when its host is gone", async () => {
    // A request that a busy machine sends later than this would not be sent at all.
    const { client } = make({ limits: { farewellTimeoutMs: 2_000 } });
    await discoveredTarget(bmc, client);
    bmc.fault = ({ method }) => method === "DELETE";
    await client.endSessions(new Set(["host-1"]));
    expect(bmc.takeLines()).toEqual([`DELETE ${sessions}/1`]);
  });

  it("is one for each credential of a service with several hosts: they do not take it from each other", async () => {
    const { client } = make();
    const one = await discoveredTarget(bmc, client);
    bmc.fault = ({ method, path, body }, response) => {
      if (method !== "POST" || path !== sessions || !body.includes("second")) return false;
      bmc.sessions.set("token-second", `${sessions}/second`);
      const location = `${sessions}/second`;
      send(response, 201, { "@odata.id": location }, { "x-auth-token": "token-second", location });
      return true;
    };
    const two = { ...one, hostId: "host-2", username: "second" };
    for (let turn = 0; turn < 3; turn += 1)
      for (const target of [one, two]) expect((await power(client).read(target, within)).ok).toBe(true);
    expect(bmc.takeLines().filter((line) => !line.startsWith("GET"))).toEqual([`POST ${sessions}`]);
    expect(bmc.sessions.size).toBe(2);
  });

  it("of an earlier process is deleted, too, where another host of the service has signed in by now", async () => {
    const store = memorySessionStore();
    const one = await discoveredTarget(bmc, make({ sessions: store }).client);
    const { client } = make({ sessions: store });
    expect((await power(client).read({ ...one, hostId: "host-2" }, within)).ok).toBe(true);
    expect((await power(client).read(one, within)).ok).toBe(true);
    expect([...bmc.sessions.values()]).toEqual([`${sessions}/2`]);
    expect([await store.load("host-1"), await store.load("host-2")]).toEqual([
      null,
      { origin: bmc.address, uri: `${sessions}/2` },
    ]);
  });

  it("of a host with another credential than before is ended, unless it serves another host", async () => {
    const { client } = make();
    const one = await discoveredTarget(bmc, client);
    bmc.password = "another";
    const changed = { ...one, password: "another" };
    expect((await power(client).read(changed, within)).ok).toBe(true);
    expect([...bmc.sessions.values()]).toEqual([`${sessions}/2`]);
    expect((await power(client).read({ ...changed, hostId: "host-2" }, within)).ok).toBe(true);
    bmc.password = "third";
    expect((await power(client).read({ ...one, password: "third" }, within)).ok).toBe(true);
    expect([...bmc.sessions.values()]).toEqual([`${sessions}/2`, `${sessions}/3`]);
  });

  it("is not needed where there is no session service: basic authentication", async () => {
    bmc.fault = ({ path }, response) => path === sessions && (send(response, 404), true);
    const { client } = make();
    const target = await discoveredTarget(bmc, client);
    expect((await power(client).read(target, within)).ok).toBe(true);
    expect(bmc.received.at(-1)?.headers.authorization).toMatch(/^Basic /);
    expect(bmc.takeLines()).toEqual([`GET ${system}`]);
  });

  it("without a token in the answer is a failure, not a success", async () => {
    bmc.fault = ({ path }, response) =>
      path === sessions && (send(response, 201, { "@odata.id": `${sessions}/1` }), true);
    const result = await power(make().client).read(targetAt(bmc), within);
    expect(result).toMatchObject({ ok: false, error: { kind: "failed", unknownOutcome: false } });
  });
});

describe("a refused credential", () => {
  it("is tried once and never again, until it changes", async () => {
    const { client } = make();
    const links = (await discoveredTarget(bmc, make().client)).links;
    const wrong: BmcTarget = targetAt(bmc, links, { password: "wrong" });
    const first = await power(client).read(wrong, within);
    expect(first).toMatchObject({ ok: false, error: { kind: "refused" } });
    if (!first.ok)
      expect(first.error.message).toBe(
        `POST ${sessions} was answered 401; Base.1.12.NoValidSession: The credential is wrong.`,
      );
    for (let turn = 0; turn < 5; turn += 1)
      expect(await power(client).reset(wrong, "forceOff", within)).toMatchObject({
        ok: false,
        error: { kind: "refused", unknownOutcome: false },
      });
    expect(bmc.takeLines()).toEqual([`POST ${sessions}`]);
    expect((await power(client).read(targetAt(bmc, links), within)).ok).toBe(true);
  });

  it("of one host of a service is nothing to another host with its own", async () => {
    const { client } = make();
    const links = (await discoveredTarget(bmc, make().client)).links;
    const wrong = ["a", "b"].map((password) => targetAt(bmc, links, { hostId: password, password }));
    for (let turn = 0; turn < 2; turn += 1)
      for (const target of wrong) expect((await power(client).read(target, within)).ok).toBe(false);
    expect(bmc.takeLines()).toEqual([`POST ${sessions}`, `POST ${sessions}`]);
    const [again] = wrong;
    if (again === undefined) throw new Error("two");
    await power(client).read(again, { ...within, retryCredential: true });
    for (const target of wrong) expect((await power(client).read(target, within)).ok).toBe(false);
    expect(bmc.takeLines()).toEqual([`POST ${sessions}`]);
    expect((await power(client).read(targetAt(bmc, links), within)).ok).toBe(true);
  });

  it("is sent once where only the session service names the sessions", async () => {
    const { client } = make();
    bmc.replaced.set("/redfish/v1", { ...bmc.contentOf("/redfish/v1"), Links: {} });
    const wrong = targetAt(bmc, null, { password: "wrong" });
    for (let turn = 0; turn < 3; turn += 1)
      expect(await power(client).read(wrong, within)).toMatchObject({ ok: false, error: { status: 401 } });
    const sent = bmc.received.filter(
      ({ method, headers }) => method === "POST" || headers.authorization !== undefined,
    );
    expect(sent.map(({ path }) => path)).toEqual(["/redfish/v1/SessionService"]);
    expect((await power(client).read(targetAt(bmc), within)).ok).toBe(true);
  });

  it("is tried again when an operator says so", async () => {
    const { client } = make();
    const links = (await discoveredTarget(bmc, make().client)).links;
    const wrong = targetAt(bmc, links, { password: "wrong" });
    await power(client).read(wrong, within);
    await power(client).read(wrong, { ...within, retryCredential: true });
    await power(client).read(wrong, within);
    expect(bmc.takeLines()).toEqual([`POST ${sessions}`, `POST ${sessions}`]);
  });

  it("to a call that nobody asked for is not refused to others, and not tried again by its like for an hour", async () => {
    const { client, jump } = make();
    const target = targetAt(bmc, (await discoveredTarget(bmc, make().client)).links);
    const background = { ...within, background: true };
    bmc.fault = ({ method, path }, response) =>
      method === "POST" &&
      path === sessions &&
      (send(response, 401, message("Base.1.12.NoValidSession", "No.")), true);
    for (let turn = 0; turn < 3; turn += 1)
      expect((await power(client).read(target, background)).ok).toBe(false);
    expect(bmc.takeLines()).toEqual([`POST ${sessions}`]);
    jump(3_600_000);
    expect((await power(client).read(target, background)).ok).toBe(false);
    expect(bmc.takeLines()).toEqual([`POST ${sessions}`]);
    bmc.fault = null;
    expect((await power(client).read(target, within)).ok).toBe(true);
    expect((await power(client).read(target, background)).ok).toBe(true);
    expect(bmc.takeLines()).toEqual([`POST ${sessions}`, `GET ${system}`, `GET ${system}`]);
  });

  it("in the background whose fresh session is refused is not refused to others", async () => {
    const { client } = make();
    const target = targetAt(bmc, (await discoveredTarget(bmc, make().client)).links);
    bmc.fault = ({ path }, response) => path === system && (send(response, 401), true);
    expect((await power(client).read(target, { ...within, background: true })).ok).toBe(false);
    bmc.fault = null;
    expect((await power(client).read(target, within)).ok).toBe(true);
  });

  it("is one whose fresh session is refused at once", async () => {
    const { client } = make();
    const links = (await discoveredTarget(bmc, make().client)).links;
    bmc.fault = ({ path }, response) =>
      path === system && (send(response, 401, message("Base.1.12.AccessDenied", "No.")), true);
    expect(await power(client).read(targetAt(bmc, links), within)).toMatchObject({
      ok: false,
      error: { kind: "refused" },
    });
    expect(await power(client).read(targetAt(bmc, links), within)).toMatchObject({
      ok: false,
      error: { kind: "refused" },
    });
    expect(bmc.takeLines()).toEqual([`POST ${sessions}`, `GET ${system}`]);
  });

  it("is one that an expired session's successor is refused with", async () => {
    const { client } = make();
    const target = await discoveredTarget(bmc, client);
    bmc.fault = ({ path }, response) => path === system && (send(response, 401), true);
    await power(client).read(target, within);
    await power(client).read(target, within);
    expect(bmc.takeLines()).toEqual([`GET ${system}`, `POST ${sessions}`, `GET ${system}`]);
  });

  it("is not tried for ever at a BMC that accepts its sessions here and refuses them there", async () => {
    const { client } = make();
    const target = await discoveredTarget(bmc, client);
    const begun = client.begin(target, within);
    if (!begun.ok) throw new Error(begun.error.message);
    bmc.fault = ({ path }, response) => {
      if (path !== system) return false;
      // Another request proves that the session works before this one is refused with it.
      void client.get(begun.call, "/redfish/v1/Managers").then(() => send(response, 401));
      return true;
    };
    expect(await power(client).read(target, within)).toMatchObject({ ok: false, error: { kind: "refused" } });
    expect(bmc.takeLines().filter((line) => line === `GET ${system}`)).toHaveLength(2);
  });

  it("is none that one path answers with 401, as some BMCs say what an account may not read", async () => {
    const { client } = make();
    const target = await discoveredTarget(bmc, client);
    const accounts = "/redfish/v1/AccountService/Accounts";
    bmc.fault = ({ path }, response) =>
      path === accounts && (send(response, 401, message("Base.1.12.InsufficientPrivilege", "No.")), true);
    for (let turn = 0; turn < 2; turn += 1) {
      const begun = client.begin(target, within);
      if (!begun.ok) throw new Error(begun.error.message);
      expect(await client.get(begun.call, accounts)).toMatchObject({ ok: false, error: { kind: "refused" } });
      expect((await power(client).read(target, within)).ok).toBe(true);
      expect(bmc.sessions.size).toBe(1);
    }
  });

  it("never stands in a message", async () => {
    const result = await power(make().client).read(targetAt(bmc, null, { password: "very-secret" }), within);
    expect(JSON.stringify(result)).not.toContain("very-secret");
  });
});
