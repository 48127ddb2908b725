// The Ironic API over real HTTP: versions, sign-in, error formats.
import { randomBytes, randomUUID } from "node:crypto";
import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { hashPassword } from "@/server/db/secrets/passwords";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import {
  send,
  startMachineServer,
  type Answer,
  type MachineFixture,
} from "@/server/surfaces/machine/testing/machine-fixture";
import { addHost, addPerson, fingerprint } from "@/server/surfaces/machine/testing/machine-rows";

const fixture = machineServer();
let token: string;

beforeAll(async () => {
  ({ token } = await addPerson(fixture, "operator", null));
});

const version = (minor: string): Record<string, string> => ({ "x-openstack-ironic-api-version": minor });
const basic = (name: string, password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`,
});
const get = (path: string, headers: Record<string, string> = {}) => send(fixture, "GET", path, { headers });

/** The document inside `error_message`. */
const inner = (answer: Answer): unknown => JSON.parse(String(answer.body.error_message));

describe("root", () => {
  it("says without a sign-in what there is", async () => {
    const root = await get("/");
    expect(root).toMatchObject({
      status: 200,
      body: {
        default_version: { id: "v1", status: "CURRENT", min_version: "1.1", version: "1.112" },
        versions: [{ id: "v1" }],
      },
    });
    expect(root.headers.get("x-openstack-ironic-api-minimum-version")).toBeNull();
    for (const path of ["/v1", "/v1/"]) {
      const v1 = await get(path);
      expect(v1).toMatchObject({
        status: 200,
        body: {
          id: "v1",
          nodes: [{ rel: "self", href: "http://reclaim.test/v1/nodes/" }, { rel: "bookmark" }],
        },
      });
      expect(v1.headers.get("x-openstack-ironic-api-maximum-version")).toBe("1.112");
      expect(v1.headers.get("x-openstack-ironic-api-version")).toBe("1.1");
      expect(v1.body.runbooks).toBeUndefined();
    }
    expect((await get("/v1", version("1.92"))).body.runbooks).toBeDefined();
  });

  it("answers 406 to a version that there is not, with the range where it was a version", async () => {
    const over = await get("/v1", version("1.113"));
    expect(over.status).toBe(406);
    expect(inner(over)).toMatchObject({
      code: 406,
      title: "Not Acceptable",
      description: expect.stringContaining("1.113"),
    });
    expect(over.headers.get("x-openstack-ironic-api-minimum-version")).toBe("1.1");
    const garbled = await get("/v1", version("new"));
    expect(garbled.status).toBe(406);
    expect(garbled.headers.get("x-openstack-ironic-api-minimum-version")).toBeNull();
  });

  it("answers 404 in Ironic's form to addresses that there are not", async () => {
    for (const path of ["/v1/nothing", "/v1/lookup?addresses=02:00:00:00:00:01", "/v1/nodes/x/y/z"]) {
      const answer = await get(path, { authorization: `Bearer ${token}` });
      expect(answer.status, path).toBe(404);
      expect(inner(answer)).toMatchObject({ code: 404, title: "Not Found" });
      expect(answer.headers.get("x-openstack-ironic-api-maximum-version")).toBe("1.112");
    }
    expect((await send(fixture, "POST", "/v1/heartbeat/x", { token, body: {} })).status).toBe(404);
    const garbled = await get("/v1/nodes/%zz", { authorization: `Bearer ${token}` });
    expect([garbled.status, inner(garbled)]).toMatchObject([400, { faultcode: "Client" }]);
    expect((await get("/v2/nothing")).body.source).toBe("nico");
  });

  it("serves what is below /v1 at its root as well: bookmarks, and what openstacksdk asks there", async () => {
    const signedIn = { authorization: `Bearer ${token}`, ...version("1.112") };
    const host = await addHost(fixture);
    for (const path of ["/nodes/detail?limit=1", "/nodes", "/ports/detail", "/drivers", "/volume/targets"]) {
      const [there, below] = [await get(path, signedIn), await get(`/v1${path}`, signedIn)];
      expect([there.status, Object.keys(there.body)], path).toEqual([200, Object.keys(below.body)]);
    }
    const node = await get(`/v1/nodes/${host.id}`, signedIn);
    const links = z.array(z.object({ href: z.string(), rel: z.string() })).parse(node.body.links);
    for (const { href } of links)
      expect((await get(new URL(href).pathname, signedIn)).body.uuid, href).toBe(host.id);
    expect((await get("/nodes")).status).toBe(401);
  });

  it("answers 405 to a method that an address does not have, and says which it has", async () => {
    for (const [method, path, allowed] of [
      ["PUT", "/v1/nodes", /GET.*POST/],
      ["POST", "/v1/nodes/x", /GET.*PATCH.*DELETE/],
      ["DELETE", "/v1/drivers/redfish", /GET/],
      ["GET", "/v1/nodes/x/states/provision", /PUT/],
    ] as const) {
      const answer = await send(fixture, method, path, { token });
      expect([answer.status, inner(answer)], path).toMatchObject([
        405,
        { code: 405, title: "Method Not Allowed" },
      ]);
      expect(answer.headers.get("allow")).toMatch(allowed);
    }
  });

  it("takes no notice of the type of a body that is not there: Ironic's client deletes as application/octet-stream", async () => {
    const answer = await send(fixture, "DELETE", "/v1/nodes/6f2f4c1e-6d5c-4a6b-9a38-0d8d3f5a9aff", {
      token,
      headers: { "content-type": "application/octet-stream" },
    });
    expect([answer.status, inner(answer)]).toMatchObject([404, { faultcode: "Client" }]);
  });

  it("refuses an encoded body and an unknown query argument", async () => {
    const encoded = await send(fixture, "POST", "/v1/nodes", {
      token,
      body: {},
      headers: { "content-encoding": "gzip" },
    });
    expect([encoded.status, inner(encoded)]).toMatchObject([415, { faultcode: "Client" }]);
    const host = await addHost(fixture);
    expect(
      (
        await send(fixture, "PATCH", `/v1/nodes/${host.id}`, {
          token,
          body: "[]",
          headers: { "content-type": "text/plain" },
        })
      ).status,
    ).toBe(415);
    const answer = await get(`/v1/nodes/${host.id}?colour=red&size=1`, { authorization: `Bearer ${token}` });
    expect([answer.status, inner(answer)]).toEqual([
      400,
      { faultcode: "Client", faultstring: "Unexpected arguments: colour, size", debuginfo: null },
    ]);
  });
});

describe("bodies", () => {
  it.each([
    ["malformed", '{"driver":', 400],
    ["empty", "", 400],
    ["of a wrong kind", "[]", 400],
    ["nested 26 levels deep", `{"extra":${"[".repeat(25)}${"]".repeat(25)}}`, 400],
    ["nested 100,000 levels deep", "[".repeat(100_000), 400],
    ["with a prototype", '{"driver":"redfish","extra":{"__proto__":{}}}', 400],
    ["of 10 MiB", JSON.stringify({ driver: "x".repeat(10 * 1024 * 1024) }), 413],
  ] as const)("%s", async (_what, body, status) => {
    const before = await fingerprint(fixture);
    const answer = await send(fixture, "POST", "/v1/nodes", { token, body, headers: version("latest") });
    expect([answer.status, inner(answer)]).toMatchObject([
      status,
      { faultcode: "Client", faultstring: expect.stringMatching(/./) },
    ]);
    expect(await fingerprint(fixture)).toBe(before);
  });

  it("of another type than JSON, which a page could send unasked", async () => {
    const answer = await send(fixture, "POST", "/v1/nodes", {
      token,
      body: '{"driver":"redfish"}',
      headers: { "content-type": "text/plain", ...version("latest") },
    });
    expect([answer.status, inner(answer)]).toMatchObject([415, { faultcode: "Client" }]);
  });
});

describe("sign-in", () => {
  const password = "correct horse battery";
  let path: string;
  let email: string;

  const addSignIn = async (role = "operator"): Promise<{ personId: string; email: string }> => {
    const personId = randomUUID();
    const address = `${personId}@site.test`;
    await fixture.query(
      "INSERT INTO person (id, email, name, role, password_hash) VALUES ($1, $2, 'Ada', $3, $4)",
      [personId, address, role, await hashPassword(password)],
    );
    return { personId, email: address };
  };

  beforeAll(async () => {
    path = `/v1/nodes/${(await addHost(fixture)).id}`;
    ({ email } = await addSignIn());
  });

  it("takes a bearer token, e-mail and password, and any name with a token", async () => {
    for (const headers of [
      { authorization: `Bearer ${token}` },
      basic(email, password),
      basic("admin", token),
    ])
      expect((await get(path, { ...headers, "x-auth-token": "notused" })).status).toBe(200);
  });

  it("says 401 in the form of Ironic's HTTP basic, and asks for it", async () => {
    for (const headers of [
      {},
      { "x-auth-token": "notused" },
      { authorization: "Basic !" },
      { authorization: "Digest x" },
      basic(email, "wrong"),
      basic("nobody@site.test", password),
      basic("admin", `rcl_${randomBytes(32).toString("base64url")}`),
      { authorization: "Bearer 0123456789012345678901" },
    ]) {
      const answer = await get(path, headers);
      expect([answer.status, answer.body], JSON.stringify(headers)).toMatchObject([
        401,
        { error: { code: 401, message: expect.any(String) } },
      ]);
      expect(answer.headers.get("www-authenticate")).toContain("Basic");
      expect(answer.headers.get("x-openstack-ironic-api-maximum-version")).toBe("1.112");
    }
    expect((await get("/v1/nothing")).status).toBe(401);
  });

  it("hashes a right password once a minute, and still ends with its person's sessions", async () => {
    const person = await addSignIn();
    const signIns = async () =>
      (
        await fixture.query("SELECT 1 FROM audit_event WHERE action = 'session.signIn' AND actor_id = $1", [
          person.personId,
        ])
      ).length;
    for (let index = 0; index < 5; index += 1)
      expect((await get(path, basic(person.email, password))).status).toBe(200);
    expect(await signIns()).toBe(1);
    await fixture.query(
      "UPDATE person SET session_epoch = session_epoch + 1, password_hash = 'none' WHERE id = $1",
      [person.personId],
    );
    await vi.waitFor(async () => expect((await get(path, basic(person.email, password))).status).toBe(401), {
      timeout: 5_000,
      interval: 500,
    });
  });

  it("limits wrong passwords as the console does", async () => {
    const person = await addSignIn();
    const statuses: number[] = [];
    for (let index = 0; index < 11; index += 1)
      statuses.push((await get(path, basic(person.email, `wrong ${index}`))).status);
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
    expect((await get(path, basic(person.email, password))).status).toBe(429);
  });

  it("lets no role read hosts that may not", async () => {
    const tenant = await addPerson(fixture, "tenant-admin", "acme");
    const before = await fingerprint(fixture);
    const answer = await get(path, { authorization: `Bearer ${tenant.token}` });
    expect([answer.status, inner(answer)]).toMatchObject([403, { faultcode: "Client" }]);
    expect(await fingerprint(fixture)).toBe(before);
  });
});

describe("without a sign-in", () => {
  let open: MachineFixture;
  beforeAll(async () => {
    open = await startMachineServer({ ironicNoauth: true });
  });
  afterAll(() => open.close());

  const status = async (headers: Record<string, string>): Promise<number> => {
    const { port } = new URL(open.url);
    return new Promise((resolve, reject) => {
      httpRequest({ host: "127.0.0.1", port, path: `/v1/nodes/${randomUUID()}`, headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on("error", reject)
        .end();
    });
  };

  it("a program on this machine gets through where that is allowed", async () => {
    expect(await status({ "x-auth-token": "notused" })).toBe(404);
    expect(await status({ host: "localhost:6385" })).toBe(404);
    expect((await get(`/v1/nodes/${randomUUID()}`)).status).toBe(401);
  });

  it("and the audit log says that nobody signed in", async () => {
    const host = await addHost(open, "Manageable");
    expect(
      (await send(open, "PUT", `/v1/nodes/${host.id}/maintenance`, { body: { reason: "fan" } })).status,
    ).toBe(202);
    expect(
      await open.query(
        "SELECT actor_kind, actor_id, actor_name FROM audit_event WHERE action = 'host.setMaintenance' AND outcome = 'done'",
      ),
    ).toEqual([{ actor_kind: "local", actor_id: null, actor_name: "not signed in, from this machine" }]);
  });

  it.each([
    ["through a proxy", { "x-forwarded-for": "127.0.0.1" }],
    ["through a proxy that says it in the other way", { forwarded: "for=127.0.0.1" }],
    ["from a page in a browser", { origin: "http://localhost:3000" }],
    ["from a page that a browser takes for our own", { "sec-fetch-site": "same-origin" }],
    ["by a name that was made to point here", { host: "attacker.example:3000" }],
    ["with a wrong password", basic("admin", "admin")],
  ])("but not %s", async (_what, headers) => expect(await status(headers)).toBe(401));
});
