// Where events may and may not be sent, against a real HTTP server.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { postEvent } from "@/server/hardware/events/post-event";

let server: Server;
let port = 0;
const received: { url: string; headers: Record<string, unknown>; body: string }[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      received.push({ url: request.url ?? "", headers: request.headers, body });
      if (request.url === "/moved") return void response.writeHead(302, { location: "/" }).end();
      if (request.url === "/long") return void response.end("x".repeat(100_000));
      response.writeHead(request.url === "/broken" ? 500 : 204).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(() => void server.close());

const event = { headers: { "webhook-id": "1" }, body: "{}" };
const send = (url: string, networks: readonly string[] = ["loopback"]) => postEvent(url, event, { networks });

it("is sent, with its headers and body", async () => {
  expect(await send(`http://127.0.0.1:${port}/hook?x=1`)).toEqual({ status: 204, error: null });
  expect(received.at(-1)).toMatchObject({ url: "/hook?x=1", body: "{}", headers: { "webhook-id": "1" } });
});

it("follows no redirect, and says what was answered", async () => {
  const before = received.length;
  expect(await send(`http://localhost:${port}/moved`)).toEqual({
    status: 302,
    error: "It answered 302. Redirects are not followed.",
  });
  expect(received.length).toBe(before + 1);
  expect(await send(`http://127.0.0.1:${port}/broken`)).toEqual({ status: 500, error: "It answered 500." });
});

it("reads no long answer", async () =>
  expect((await send(`http://127.0.0.1:${port}/long`)).error).toBeNull());

it.each([
  ["http://127.0.0.1:PORT/"],
  ["http://localhost:PORT/"],
  ["http://[::1]:PORT/"],
  ["http://[::ffff:127.0.0.1]:PORT/"],
  ["https://10.0.0.1/"],
  ["https://169.254.169.254/latest/meta-data"],
  ["https://[fd00::1]/"],
  ["https://0.0.0.0/"],
])("is not sent to %s unless the operator allows it", async (url) => {
  const before = received.length;
  const sent = await send(url.replace("PORT", String(port)), []);
  expect(sent.status).toBeNull();
  expect(sent.error).toMatch(/is not allowed/);
  expect(sent.error).not.toMatch(/\d+\.\d+/);
  expect(received.length).toBe(before);
});

it("is not sent to a link-local address, whatever is allowed, nor in the clear to a public one", async () => {
  expect((await send("https://169.254.169.254/", ["0.0.0.0/0", "loopback"])).error).toMatch(/is not allowed/);
  expect((await send("http://8.8.8.8/", ["loopback"])).error).toMatch(/is not allowed/);
});

it("checks what a name resolves to, and connects to nothing else", async () => {
  const before = received.length;
  const sent = await postEvent(`https://public.example:${port}/`, event, {
    networks: [],
    resolve: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]),
  });
  expect(sent).toEqual({ status: null, error: expect.stringMatching(/is not allowed/) });
  expect(received.length).toBe(before);
});
