// The network webhook against a real HTTP server.
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { networkWanted, type NetworkWanted } from "@/server/domain/hosts/network/network-protocol";
import { wantedDigest } from "@/server/domain/hosts/network/wanted-digest";
import { authorityForTests } from "@/server/hardware/http/testing/self-signed";
import { networkWebhook, type NetworkWebhook } from "@/server/hardware/network/webhook";

const wanted: NetworkWanted = {
  host: "host/1",
  version: 3,
  network: "quarantine",
  tenant: null,
  interfaces: ["dpu-0"],
  extensionServices: false,
};
const within = { timeoutMs: 30_000 };

let server: Server;
let received: Array<{ line: string; authorization: string | undefined; body: string }>;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let url: string;
let adapter: NetworkWebhook;

beforeEach(async () => {
  received = [];
  answer = (_request, response) => response.writeHead(202).end();
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      received.push({
        line: `${request.method ?? ""} ${request.url ?? ""}`,
        authorization: request.headers.authorization,
        body,
      });
      answer(request, response);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  url = `http://network.localhost:${address.port}/base`;
  adapter = networkWebhook({ url, token: "the-token", networks: ["loopback"] });
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
  await adapter.close();
});

it("is told by TLS who it talks to: the site's authority, or nothing is sent", async () => {
  const lab = authorityForTests("Lab CA");
  const { key, cert } = lab.issue("network.localhost");
  const secure = createSecureServer({ key, cert }, (_request, response) => {
    received.push({ line: "secure", authorization: undefined, body: "" });
    response.writeHead(202).end();
  }).listen(0, "127.0.0.1");
  await once(secure, "listening");
  const address = secure.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const asked = async (ca: string | null) => {
    const webhook = networkWebhook({
      url: `https://network.localhost:${address.port}`,
      token: "the-token",
      networks: ["loopback"],
      ...(ca === null ? {} : { tls: { kind: "authority", ca } }),
    });
    const answer = await webhook.want(wanted, within);
    await webhook.close();
    return answer;
  };
  expect(await asked(lab.cert)).toMatchObject({ ok: true });
  for (const ca of [authorityForTests("Other CA").cert, null])
    expect(await asked(ca)).toMatchObject({
      ok: false,
      error: {
        kind: "unreachable",
        unknownOutcome: false,
        message: expect.stringMatching(/was not sent.*add it to the site's authorities/),
      },
    });
  expect(received).toHaveLength(1);
  secure.closeAllConnections();
  secure.close();
  await once(secure, "close");
});

describe("want", () => {
  it("puts the canonical wanted state and returns its digest", async () => {
    expect(await adapter.want(wanted, within)).toEqual({ ok: true, value: { sha256: wantedDigest(wanted) } });
    const [only] = received;
    expect(received).toHaveLength(1);
    expect(only).toMatchObject({
      line: "PUT /base/hosts/host%2F1/network",
      authorization: "Bearer the-token",
    });
    expect(networkWanted.parse(JSON.parse(only?.body ?? ""))).toEqual(wanted);
  });

  it.each([
    [302, "failed", false],
    [400, "failed", false],
    [401, "refused", false],
    [404, "unsupported", false],
    [409, "refused", false],
    [500, "failed", true],
    [503, "failed", true],
  ])(
    "answered %i is %s, outcome unknown: %s; and is not sent again",
    async (status, kind, unknownOutcome) => {
      answer = (_request, response) =>
        response.writeHead(status, { location: "http://169.254.169.254/" }).end();
      const result = await adapter.want(wanted, within);
      expect(result).toMatchObject({ ok: false, error: { kind, unknownOutcome } });
      expect(JSON.stringify(result)).not.toContain("the-token");
      expect(received).toHaveLength(1);
    },
  );

  it("that lost its answer has an unknown outcome", async () => {
    answer = (_request, response) => response.destroy();
    expect(await adapter.want(wanted, within)).toMatchObject({
      ok: false,
      error: { kind: "unreachable", unknownOutcome: true },
    });
    answer = () => undefined;
    expect(await adapter.want(wanted, { timeoutMs: 1_000 })).toMatchObject({
      ok: false,
      error: { kind: "unreachable", unknownOutcome: true },
    });
  });

  it("with an endless answer stops", async () => {
    answer = (_request, response) => response.writeHead(200).end(Buffer.alloc(1024 * 1024));
    expect(await adapter.want(wanted, within)).toMatchObject({ ok: false, error: { kind: "failed" } });
  });

  it("without a permit is not sent", async () => {
    expect(await adapter.want(wanted, { ...within, permit: async () => false })).toMatchObject({
      ok: false,
      error: { kind: "refused", unknownOutcome: false },
    });
    expect(received).toEqual([]);
  });

  it("goes to no address that is not listed", async () => {
    const unlisted = networkWebhook({ url, token: "t", networks: [] });
    expect(await unlisted.want(wanted, within)).toMatchObject({
      ok: false,
      error: { kind: "refused", unknownOutcome: false },
    });
    await unlisted.close();
    expect(received).toEqual([]);
  });
});

describe("ask", () => {
  const ask = (timeoutMs = 30_000) => adapter.ask("host/1", { timeoutMs });

  it("asks what the address of the host's network takes, and sends nothing", async () => {
    answer = (_request, response) => response.writeHead(204, { allow: "options, PUT" }).end();
    expect(await ask()).toEqual({ kind: "answered", status: 204, allows: ["OPTIONS", "PUT"] });
    expect(received).toEqual([
      { line: "OPTIONS /base/hosts/host%2F1/network", authorization: "Bearer the-token", body: "" },
    ]);
    answer = (_request, response) => response.writeHead(404).end();
    expect(await ask()).toEqual({ kind: "answered", status: 404, allows: null });
  });

  it("gives up in time, and says what kept it from an answer", async () => {
    answer = () => undefined;
    const startedAt = performance.now();
    expect(await ask(200)).toMatchObject({
      kind: "lost",
      cause: "timeout",
      reason: expect.stringMatching(/200 ms/),
    });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    answer = (_request, response) => response.destroy();
    expect(await ask()).toMatchObject({ kind: "lost", cause: "connection" });
    answer = (_request, response) => response.writeHead(200).end(Buffer.alloc(1024 * 1024));
    expect(await ask()).toMatchObject({ kind: "lost", cause: "other" });
    const unlisted = networkWebhook({ url, token: "t", networks: [] });
    expect(await unlisted.ask("x", within)).toMatchObject({ kind: "lost", cause: "forbidden" });
    await unlisted.close();
  });
});

describe("networkWebhook", () => {
  it.each(["http://169.254.169.254", "http://10.0.0.1", "http://[::1]:80", "file:///etc/passwd"])(
    "refuses %s at once",
    (address) => {
      expect(() => networkWebhook({ url: address, token: "t", networks: [] })).toThrow(TypeError);
    },
  );
});
