// Over real sockets: no path accepts more than its limit, declared or not, and a body that is too long is neither kept nor passed on.
import { once } from "node:events";
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { connect, type Socket } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { ConnectionLimit, limitWaits } from "@/server/surfaces/http/connection-limit";
import { createFront, type FrontDeps } from "@/server/surfaces/http/front";
import { Places } from "@/server/usecases/access/places";

const mebibyte = 1024 * 1024;
let server: Server | undefined;
let seen: { url: string; bytes: number; headers: IncomingMessage["headers"] }[] = [];
const sockets: Socket[] = [];
/** Number of requests whose head the server has read. */
let begun = 0;
const requests = (): number => begun;
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server?.close();
  server?.closeAllConnections();
  seen = [];
});

const slowPath = "/api/trpc/slow";
const ownPolicyPath = "/own-policy";
/** A console that reads whatever it is given, as Next does, and answers at once, except at one address, where it never does. */
const pages = (request: IncomingMessage, response: ServerResponse): void => {
  buffer(request).then(
    (body) => {
      seen.push({ url: request.url ?? "", bytes: body.length, headers: request.headers });
      if (request.url === ownPolicyPath)
        response.setHeader("content-security-policy", "script-src 'nonce-x'");
      if (request.url !== slowPath) response.end("read");
    },
    () => response.destroy(),
  );
};
const machine = (_request: IncomingMessage, response: ServerResponse): void =>
  void response.writeHead(404).end("machine");

async function start(
  trustedProxies: readonly string[] = [],
  admitSignIn: FrontDeps["admitSignIn"] = () => Promise.resolve(() => undefined),
  times?: FrontDeps["times"],
  connections?: ConnectionLimit,
): Promise<number> {
  const front = createFront({
    machine,
    pages,
    admitSignIn,
    trustedProxies,
    ...(times === undefined ? {} : { times }),
    ...(connections === undefined ? {} : { connections }),
  });
  begun = 0;
  server = createServer(front)
    .on("checkContinue", front)
    .on("request", () => (begun += 1))
    .on("connection", (socket) => connections?.connected(socket))
    .listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

interface Sent {
  readonly bytes: number;
  /** Declares the length of the body. */
  readonly declared: boolean;
  readonly headers?: Record<string, string>;
  readonly method?: string;
}

/** Sends as fast as the connection accepts. Returns the status (null if the connection ended without one) and how much of the body was sent. */
async function send(
  port: number,
  path: string,
  { bytes, declared, headers = {}, method = "POST" }: Sent,
): Promise<{ status: number | null; wrote: number }> {
  const piece = Buffer.alloc(64 * 1024, "x");
  const request = httpRequest({
    port,
    host: "127.0.0.1",
    path,
    method,
    agent: false,
    headers: {
      ...headers,
      ...(declared ? { "content-length": String(bytes) } : { "transfer-encoding": "chunked" }),
    },
  });
  let status: number | null = null;
  let wrote = 0;
  let over = false;
  request.on("response", (response) => {
    status = response.statusCode ?? null;
    response.resume();
  });
  const closed = new Promise<void>((resolve) => {
    request.on("error", () => undefined);
    request.once("close", resolve);
  }).then(() => {
    over = true;
  });
  while (wrote < bytes && !over) {
    const part = piece.subarray(0, Math.min(piece.length, bytes - wrote));
    wrote += part.length;
    if (!request.write(part)) await Promise.race([once(request, "drain").catch(() => undefined), closed]);
  }
  request.end();
  await closed;
  return { status, wrote };
}

it.each([
  ["/api/auth/callback/credentials", 16 * 1024],
  ["/api/trpc/hosts.list", mebibyte],
  ["/api/demo", 16 * 1024],
])("takes a body of %s up to its limit, declared or counted", async (path, limit) => {
  const port = await start();
  for (const declared of [true, false]) {
    expect(await send(port, path, { bytes: limit, declared })).toMatchObject({ status: 200 });
    expect(seen.at(-1)?.bytes).toBe(limit);
    expect(seen.at(-1)?.headers["transfer-encoding"]).toBeUndefined();
    expect((await send(port, path, { bytes: limit + 1, declared })).status).toBe(413);
  }
  expect(seen).toHaveLength(2);
});

it.each(["/", "/hosts", "/signin", "/_next/static/x.js", "/api/live", "/api/hosts.csv"])(
  "takes nothing at %s, which is read",
  async (path) => {
    const port = await start();
    for (const method of ["POST", "PUT", "DELETE"])
      expect((await send(port, path, { bytes: 10, declared: true, method })).status, method).toBe(405);
    expect((await send(port, path, { bytes: mebibyte, declared: true, method: "GET" })).status).toBe(413);
    expect(seen).toEqual([]);
  },
);

it("keeps nothing of ten long bodies, and does not wait for their end", { timeout: 180_000 }, async () => {
  const port = await start();
  const before = process.memoryUsage();
  let most = 0;
  const timer = setInterval(() => {
    const now = process.memoryUsage();
    most = Math.max(most, now.arrayBuffers - before.arrayBuffers + now.heapUsed - before.heapUsed);
  }, 20);
  const paths = ["/api/auth/callback/credentials", "/api/trpc/x", "/", "/hosts", "/v1/nodes"];
  const answers = await Promise.all(
    paths.flatMap((path) =>
      [true, false].map((declared) =>
        send(port, path, { bytes: 4_000 * mebibyte, declared, headers: { connection: "keep-alive" } }),
      ),
    ),
  );
  clearInterval(timer);
  for (const { wrote } of answers) expect(wrote).toBeLessThan(4_000 * mebibyte);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([413, 405, 404]));
  expect(seen).toEqual([]);
  expect(most).toBeLessThan(64 * mebibyte);
});

it("refuses a caller that asks first, before it has sent anything", async () => {
  const port = await start();
  const ask = async (bytes: number) => {
    const request = httpRequest({
      port,
      host: "127.0.0.1",
      path: "/api/auth/signin",
      method: "POST",
      agent: false,
      headers: { "content-length": String(bytes), expect: "100-continue" },
    });
    request.on("error", () => undefined);
    request.flushHeaders();
    const told = await Promise.race([
      once(request, "continue").then(() => "continue"),
      once(request, "response").then(([response]: IncomingMessage[]) => response?.statusCode),
    ]);
    request.destroy();
    return told;
  };
  expect(await ask(100)).toBe("continue");
  expect(await ask(400 * mebibyte)).toBe(413);
});

const signInPath = "/api/auth/callback/credentials";

/** A request that sends only this many bytes of its body, and then nothing. */
function sendPart(
  port: number,
  path: string,
  { declares, comes, headers = {} }: { declares: number; comes: number; headers?: Record<string, string> },
): Socket {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket.on("error", () => undefined));
  const lines = Object.entries({ host: "reclaim.test", "content-length": String(declares), ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  socket.write(Buffer.alloc(comes, "x"));
  return socket;
}
const short = { bytes: 100, declared: true } as const;

it("refuses nobody for bodies that were only announced", async () => {
  const port = await start();
  for (let count = 0; count < 100; count += 1)
    sendPart(port, "/api/trpc/x", { declares: mebibyte, comes: 1 });
  await expect.poll(requests).toBe(100);
  for (let count = 0; count < 5; count += 1)
    expect((await send(port, "/api/trpc/x", { bytes: mebibyte, declared: true })).status).toBe(200);
});

it("takes only so much at once from one address, and from all together", async () => {
  // None of these bodies may time out while the others are sent.
  const times = { signInBodyMs: 600_000, bodyMs: 600_000, placeMs: 10_000 };
  const port = await start(["loopback"], undefined, times);
  const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
  const statusFor = async (address: string): Promise<number | null> =>
    (await send(port, "/api/trpc/x", { ...short, ...from(address) })).status;
  const hold = (address: string) =>
    Array.from({ length: 4 }, () =>
      sendPart(port, "/api/trpc/x", { declares: mebibyte, comes: mebibyte - 1, ...from(address) }),
    );
  const held = hold("2001:db8::1");
  await expect.poll(() => statusFor("2001:db8::2")).toBe(503);
  expect(await statusFor("10.0.0.99")).toBe(200);
  for (let count = 1; count < 16; count += 1) held.push(...hold(`10.0.0.${String(count)}`));
  await expect.poll(() => statusFor("10.0.0.99"), { timeout: 180_000 }).toBe(503);
  for (const socket of held) socket.destroy();
  await expect.poll(() => statusFor("10.0.0.99")).toBe(200);
  await expect.poll(() => statusFor("2001:db8::2")).toBe(200);
});

it.each([signInPath, "/api/trpc/x"])("gives a body of %s a time to arrive", async (path) => {
  const port = await start([], undefined, { signInBodyMs: 100, bodyMs: 150, placeMs: 10_000 });
  const answer = await text(sendPart(port, path, { declares: 1000, comes: 999 }));
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(answer).toContain("The body did not arrive in time.");
  expect(seen).toEqual([]);
  expect((await send(port, path, short)).status).toBe(200);
});

it("gives no place to a sign-in whose body has not come", async () => {
  const places = new Places({ atOnce: 2, waiting: 0, waitingFirst: 0 });
  const port = await start([], () => places.enter(false));
  for (let count = 0; count < 20; count += 1) sendPart(port, signInPath, { declares: 100, comes: 99 });
  await expect.poll(requests).toBe(20);
  for (let count = 0; count < 5; count += 1) expect((await send(port, signInPath, short)).status).toBe(200);
  expect(seen).toHaveLength(5);
  expect(seen[0]).toMatchObject({ bytes: 100, headers: { "content-length": "100" } });
});

it("lets a sign-in wait for its place, but not for ever, and not when its caller has left", async () => {
  const places = new Places({ atOnce: 1, waiting: 1, waitingFirst: 0 });
  const leave = await places.enter(false);
  const port = await start([], (_address, leaving) => places.enter(false, leaving), {
    signInBodyMs: 5_000,
    bodyMs: 10_000,
    placeMs: 1_000,
  });
  const waits = sendPart(port, signInPath, { declares: 10, comes: 10 });
  await expect.poll(async () => (await send(port, signInPath, short)).status, { interval: 10 }).toBe(503);
  waits.destroy();
  // The turn of the caller that left is free: the next waits for a second.
  const from = performance.now();
  expect((await send(port, signInPath, short)).status).toBe(503);
  expect(performance.now() - from).toBeGreaterThan(900);
  leave?.();
  expect((await send(port, signInPath, short)).status).toBe(200);
  expect(seen).toHaveLength(1);
});

it("keeps no place for an answer that waits behind another one of its connection", async () => {
  let isAsked = false;
  const port = await start([], () => {
    isAsked = true;
    return Promise.resolve(() => undefined);
  });
  const socket = sendPart(port, slowPath, { declares: 1, comes: 1 });
  socket.write(`POST ${signInPath} HTTP/1.1\r\nhost: reclaim.test\r\ncontent-length: 1\r\n\r\nx`);
  // The server has both requests, and the second waits for the answer to the first.
  await expect.poll(() => seen.length).toBe(1);
  await expect.poll(requests).toBe(2);
  expect(isAsked).toBe(false);
});

it("says that the database cannot be reached when it cannot be asked who may sign in", async () => {
  const port = await start([], () => Promise.reject(new Error("Can't reach database server")));
  const answer = await text(
    sendPart(port, signInPath, { declares: 10, comes: 10, headers: { connection: "close" } }),
  );
  expect(answer).toMatch(/^HTTP\/1\.1 503 /);
  expect(answer).toContain("The database cannot be reached. Try again in a few seconds.");
  expect(seen).toEqual([]);
});

it("asks for each sign-in whether it is admitted, by who asks, and gives its place back when it was answered", async () => {
  const events: string[] = [];
  const admit = (address: string) => {
    events.push(`asked ${address}`);
    return Promise.resolve(events.length > 3 ? null : () => void events.push("left"));
  };
  const port = await start([], admit);
  expect((await send(port, "/api/auth/callback/credentials", { bytes: 10, declared: true })).status).toBe(
    200,
  );
  expect((await send(port, "/api/trpc/x", { bytes: 10, declared: true })).status).toBe(200);
  await expect.poll(() => events).toEqual(["asked 127.0.0.1", "left"]);
  events.push("", "");
  expect((await send(port, "/api/auth/callback/credentials", { bytes: 10, declared: true })).status).toBe(
    503,
  );
  expect(seen).toHaveLength(2);
});

it("tells the console who asks, and believes nobody else about it", async () => {
  const forged = {
    "x-forwarded-for": "6.6.6.6",
    "x-reclaim-client-address": "7.7.7.7",
    "x-reclaim-via-proxy": "0",
    "x-forwarded-host": "evil.test",
    forwarded: "for=8.8.8.8",
  };
  await send(await start(), "/api/trpc/x", { bytes: 1, declared: true, headers: forged });
  expect(seen[0]?.headers).toMatchObject({
    "x-reclaim-client-address": "127.0.0.1",
    "x-reclaim-via-proxy": "1",
  });
  expect(Object.keys(seen[0]?.headers ?? {}).filter((name) => /forwarded/.test(name))).toEqual([]);
  server?.close();
  await send(await start(["loopback"]), "/api/trpc/x", { bytes: 1, declared: false, headers: forged });
  expect(seen[1]?.headers).toMatchObject({
    "x-reclaim-client-address": "6.6.6.6",
    "x-forwarded-host": "evil.test",
  });
  await send(await start(), "/api/trpc/x", { bytes: 1, declared: false });
  expect(seen[2]?.headers).toMatchObject({ "x-reclaim-via-proxy": "0" });
});

interface Init {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
const get = async (port: number, path: string, init: Init = {}): Promise<Response> => {
  const response = await fetch(`http://127.0.0.1:${String(port)}${path}`, {
    ...init,
    headers: { connection: "close", ...init.headers },
  });
  await response.arrayBuffer();
  return response;
};

it.each([
  ["a page", "/hosts", {}],
  ["a page whose path has a dot", "/hosts/a.b", {}],
  ["a file", "/_next/static/x.js", {}],
  ["a route", "/api/hosts.csv", {}],
  ["a machine surface", "/v1/nodes/a.b", {}],
  ["a probe", "/readyz", {}],
  ["a refusal of the front", "/hosts", { method: "POST", body: "x" }],
  ["an address that is refused", "/hosts?q=%00", {}],
] as const)("gives the answer of %s a policy, and lets nobody frame it", async (_what, path, init) => {
  const { headers } = await get(await start(), path, init);
  expect(headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
});

it("leaves an answer the policy that it has", async () => {
  const { headers } = await get(await start(), ownPolicyPath);
  expect(headers.get("content-security-policy")).toBe("script-src 'nonce-x'");
});

it("refuses NUL in an address and in a sign-in, before the console sees it", async () => {
  const port = await start();
  for (const path of ["/hosts?search=%00", "/hosts/a%00b", "/api/trpc/x?input=%00"])
    expect((await get(port, path)).status, path).toBe(400);
  for (const body of ["email=a%00&password=x", '{"email":"\\u0000"}', "email=\0"])
    expect((await get(port, signInPath, { method: "POST", body })).status, body).toBe(400);
  expect(seen).toEqual([]);
  expect((await get(port, signInPath, { method: "POST", body: "email=a%2500" })).status).toBe(200);
});

it("says what is wrong with an address on a page, to a browser", async () => {
  const port = await start();
  const accept = "text/html,application/xhtml+xml,*/*;q=0.8";
  const address = `http://127.0.0.1:${String(port)}/hosts?q=%00`;
  const page = await fetch(address, { headers: { accept, connection: "close" } });
  expect([page.status, page.headers.get("content-type")]).toEqual([400, "text/html; charset=utf-8"]);
  const text = await page.text();
  expect(text).toContain("<h1>This address is not valid</h1>");
  expect(text).toContain('<a href="/next">Open the console</a>');
  expect(page.headers.get("content-security-policy")).toMatch(/default-src 'none'/);
  const other = await get(port, "/hosts?q=%00", { headers: { accept: "application/json, */*" } });
  expect(other.headers.get("content-type")).toBe("application/problem+json");
  expect(seen).toEqual([]);
});

it("knows no address of hosts where they have a listener of their own, however it is written", async () => {
  const front = createFront({ machine, pages, trustedProxies: [], hostsElsewhere: true });
  server = createServer(front).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const answers = async (path: string, method: string) =>
    (await send(port, path, { bytes: 0, declared: true, method })).status;
  for (const path of [
    "/nonsense",
    "/boot",
    "/boot/ipxe?uuid=1",
    "//boot",
    "/%62oot/ipxe",
    "/boot/../boot/ipxe",
    "/BOOT",
    "/agent/v1/poll",
  ]) {
    expect(await answers(path, "GET"), path).toBe(200);
    expect(await answers(path, "POST"), path).toBe(405);
  }
  expect(await answers("/v1/nodes", "GET")).toBe(404);
});

it("serves only so many connections of one address at a time", async () => {
  const limit = new ConnectionLimit({ mostOfOne: 3, trustedProxies: [], uncounted: [] });
  const port = await start([], undefined, undefined, limit);
  const held = [1, 2].map(() => sendPart(port, "/api/trpc/x", { declares: 10, comes: 1 }));
  await expect.poll(requests).toBe(2);
  expect((await get(port, "/hosts")).status).toBe(200);
  held.push(sendPart(port, "/api/trpc/x", { declares: 10, comes: 1 }));
  await expect.poll(async () => (await get(port, "/hosts")).status).toBe(429);
  const refused = await get(port, "/v1/nodes");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  for (const socket of held) socket.destroy();
  await expect.poll(async () => (await get(port, "/hosts")).status).toBe(200);
});

it("counts requests, by the address that it names, behind a trusted proxy, and no connection of this machine", async () => {
  const limit = new ConnectionLimit({
    mostOfOne: 2,
    trustedProxies: ["loopback"],
    uncounted: ["loopback"],
  });
  const port = await start(["loopback"], undefined, undefined, limit);
  const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
  const held = [1, 2].map(() =>
    sendPart(port, "/api/trpc/x", { declares: 10, comes: 1, ...from("10.0.0.1") }),
  );
  await expect.poll(requests).toBe(2);
  expect((await get(port, "/hosts", from("10.0.0.1"))).status).toBe(429);
  expect((await get(port, "/hosts", from("10.0.0.2"))).status).toBe(200);
  expect((await get(port, "/hosts")).status).toBe(200);
  for (const socket of held) socket.destroy();
  await expect.poll(async () => (await get(port, "/hosts", from("10.0.0.1"))).status).toBe(200);
});

it("keeps an idle connection open for longer than load balancers do, and waits longer for a header", async () => {
  const port = await start();
  if (server === undefined) throw new Error("no server");
  limitWaits(server, 75_000);
  const response = await fetch(`http://127.0.0.1:${String(port)}/hosts`);
  expect(response.headers.get("keep-alive")).toBe("timeout=75");
  expect(server.headersTimeout).toBeGreaterThan(server.keepAliveTimeout);
  expect(server.requestTimeout).toBeGreaterThan(server.headersTimeout);
});

/** A client as many are: it sends all, then reads. Returns what the server answered until it closed, or until `answers` answers. */
async function sendAllThenRead(
  port: number,
  bytes: number,
  headers: readonly string[],
  next = "",
): Promise<string> {
  const socket = connect(port, "127.0.0.1").pause();
  sockets.push(socket);
  const declared = headers.some((line) => line.startsWith("content-length"));
  const body = Buffer.alloc(bytes, "x");
  const parts = [
    ["POST /api/trpc/x HTTP/1.1", "host: reclaim.test", ...headers, "", ""].join("\r\n"),
    ...(declared ? [body] : [`${bytes.toString(16)}\r\n`, body, "\r\n0\r\n\r\n"]),
    next,
  ];
  socket.on("error", () => undefined);
  for (const part of parts)
    await new Promise<void>((resolve, reject) =>
      socket.write(part, (error) => (error ? reject(error) : resolve())),
    );
  return text(socket);
}

describe("a caller that reads only when it has sent all of a refused body", () => {
  const bytes = 20 * mebibyte;
  it.each([
    ["declared", ["content-length: 20971520"]],
    ["counted", ["transfer-encoding: chunked"]],
  ])("reads why, and goes on with the same connection (%s)", async (_how, headers) => {
    const port = await start();
    const answer = await sendAllThenRead(
      port,
      bytes,
      headers,
      "GET /hosts HTTP/1.1\r\nhost: reclaim.test\r\nconnection: close\r\n\r\n",
    );
    expect(answer).toMatch(
      /^HTTP\/1\.1 413 .*The body is larger than this address accepts\..*HTTP\/1\.1 200 /s,
    );
  });
  it.each([
    ["declared", ["content-length: 20971520"]],
    ["counted", ["transfer-encoding: chunked"]],
  ])("reads why before a connection that ends with it is closed (%s)", async (_how, headers) => {
    const answer = await sendAllThenRead(await start(), bytes, [...headers, "connection: close"]);
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*The body is larger than this address accepts\./s);
  });
});

it("waits for no more of a refused body than it must", async () => {
  const port = await start();
  const stalled = sendPart(port, "/api/trpc/x", { declares: 20 * mebibyte, comes: 1 });
  expect(await text(stalled)).toMatch(/^HTTP\/1\.1 413 /);
  await expect(sendAllThenRead(port, 400 * mebibyte, ["transfer-encoding: chunked"])).rejects.toThrow(
    /ECONNRESET|EPIPE/,
  );
});
