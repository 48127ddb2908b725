// We always know whether a request was sent. The controller looks up one that may have had an effect, and retries one that cannot have.
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Client } from "undici";
import { exchange, singleHeader } from "@/server/hardware/http/exchange";

let server: Server;
let onConnection: (socket: Socket) => void;
const open = new Set<Socket>();
let client: Client;

beforeEach(async () => {
  server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    onConnection(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  client = new Client(`http://127.0.0.1:${address.port}`);
});

afterEach(async () => {
  for (const socket of open) socket.destroy();
  open.clear();
  if (server.listening) {
    server.close();
    await once(server, "close");
  }
  await client.destroy();
});

const post = { method: "POST", path: "/", headers: {}, body: "{}" } as const;
const limits = { timeoutMs: 30_000, maxBytes: 1_000 };
/** For requests that get no answer: long enough to be sent on a busy machine. */
const soonOver = { ...limits, timeoutMs: 1_000 };

const answering = (text: string) => (socket: Socket) => socket.once("data", () => socket.write(text));

describe("exchange", () => {
  it("gives the whole answer", async () => {
    onConnection = answering(
      "HTTP/1.1 201 Created\r\nContent-Length: 3\r\nX-One: a\r\nX-Two: b\r\nX-Two: c\r\n\r\näx",
    );
    const outcome = await exchange(client, post, limits);
    expect(outcome).toMatchObject({ kind: "answered", status: 201, text: "äx" });
    if (outcome.kind === "answered") {
      expect(singleHeader(outcome.headers, "x-one")).toBe("a");
      expect(singleHeader(outcome.headers, "x-two")).toBe("b");
      expect(singleHeader(outcome.headers, "x-three")).toBeNull();
    }
  });

  it("was not sent where nobody listens", async () => {
    server.close();
    await once(server, "close");
    expect(await exchange(client, post, limits)).toMatchObject({
      kind: "lost",
      sent: false,
      cause: "connection",
      status: null,
    });
  });

  it("was sent when the answer does not come", async () => {
    onConnection = () => undefined;
    expect(await exchange(client, post, soonOver)).toMatchObject({
      kind: "lost",
      sent: true,
      cause: "timeout",
      status: null,
    });
  });

  it("was sent when the connection breaks instead", async () => {
    onConnection = (socket) => socket.once("data", () => socket.destroy());
    expect(await exchange(client, post, limits)).toMatchObject({
      kind: "lost",
      sent: true,
      cause: "connection",
      status: null,
    });
  });

  it("knows the status when the body breaks off", async () => {
    onConnection = (socket) =>
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"));
    expect(await exchange(client, post, limits)).toMatchObject({ kind: "lost", sent: true, status: 200 });
  });

  it.each([
    ["breaks off", "half", (socket: Socket, head: string) => void socket.end(head)],
    ["never ends", "half", (socket: Socket, head: string) => void socket.write(head)],
    ["is too large", "", (socket: Socket, head: string) => void socket.write(head + "x".repeat(2_000))],
  ])("takes a refusal by its status when the body %s", async (_, text, say) => {
    onConnection = (socket) =>
      socket.once("data", () =>
        say(socket, "HTTP/1.1 401 Unauthorized\r\nRetry-After: 3\r\nContent-Length: 9000\r\n\r\nhalf"),
      );
    expect(await exchange(client, post, soonOver)).toMatchObject({
      kind: "answered",
      status: 401,
      headers: { "retry-after": "3" },
      text,
    });
  });

  it("ends a late answer once its status refuses, and hears nothing more of it", async () => {
    const heard: unknown[] = [];
    let closed = false;
    onConnection = (socket) =>
      socket
        .once("close", () => (closed = true))
        .once("data", () => socket.write("HTTP/1.1 503 No\r\nContent-Length: 10\r\n\r\nhalf"));
    const late = { withinMs: 30_000, heard: (answer: unknown) => heard.push(answer) };
    expect(await exchange(client, post, { ...soonOver, late })).toMatchObject({ status: 503 });
    await vi.waitFor(() => expect(closed).toBe(true));
    expect(heard).toEqual([]);
  });

  it("does not send what was given up while it waited for the connection", async () => {
    // The first request holds the only connection, and the second times out before its turn.
    let bytes = "";
    onConnection = (socket) => socket.on("data", (chunk) => (bytes += String(chunk)));
    const first = exchange(client, { ...post, path: "/first" }, soonOver);
    const second = await exchange(client, { ...post, path: "/second" }, { ...limits, timeoutMs: 30 });
    expect(second).toMatchObject({ kind: "lost", sent: false, cause: "timeout" });
    await first;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(bytes).toContain("/first");
    expect(bytes).not.toContain("/second");
  });

  it("stops when the caller says so, before and during", async () => {
    const during = new AbortController();
    onConnection = (socket) => socket.once("data", () => during.abort());
    expect(await exchange(client, post, { ...limits, signal: during.signal })).toMatchObject({
      kind: "lost",
      sent: true,
      cause: "stopped",
    });
    expect(await exchange(client, post, { ...limits, signal: AbortSignal.abort() })).toMatchObject({
      kind: "lost",
      sent: false,
      cause: "stopped",
    });
  });

  it("takes no more than the limit", async () => {
    onConnection = answering(`HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n${"x".repeat(2000)}`);
    expect(await exchange(client, post, limits)).toMatchObject({
      kind: "lost",
      sent: true,
      cause: "too large",
      status: 200,
    });
  });

  it("loses an answer that is not HTTP", async () => {
    onConnection = answering("garbage\r\n\r\n");
    expect(await exchange(client, post, limits)).toMatchObject({
      kind: "lost",
      sent: true,
      cause: "connection",
    });
  });

  it("does not throw on a path that cannot be sent", async () => {
    expect(await exchange(client, { ...post, path: "/with space" }, limits)).toMatchObject({
      kind: "lost",
      sent: false,
    });
  });
});
