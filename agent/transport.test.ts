// The agent's connection to the server: one per request, with a timeout.
import dns from "node:dns";
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { transport } from "@/agent/transport";

const seen: { method: string; url: string; token: string; connection: string; body: string }[] = [];
let server: Server;
let url: URL;
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      const { authorization: token = "", connection = "" } = headers;
      seen.push({ method, url: path, token, connection, body });
      if (path.endsWith("/silent")) return;
      response.statusCode = path.endsWith("/busy") ? 503 : 200;
      response.end(path.endsWith("/endless") ? "x".repeat(5 * 1024 * 1024) : '{"a":1}');
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  url = new URL(`http://127.0.0.1:${address.port}/below/`);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const { signal } = new AbortController();
const get = { method: "GET", token: null, timeoutMs: 10_000, signal } as const;

it("sends method, path below the server's own, token and body, and keeps no connection", async () => {
  const http = transport({ server: url });
  const body = '{"ä":1}';
  expect(await http({ ...get, method: "POST", path: "/agent/v1/poll", token: "t", body })).toEqual({
    ...{ status: 200, text: '{"a":1}' },
  });
  expect(seen.at(-1)).toEqual({
    ...{ method: "POST", url: "/below/agent/v1/poll", token: "Bearer t", connection: "close", body },
  });
  expect((await http({ ...get, path: "/busy" })).status).toBe(503);
});

it("stays at the address of its first answer: it does not even ask for another way to the server", async () => {
  const lookup = vi.spyOn(dns, "lookup");
  const http = transport({ server: new URL(`http://localhost:${url.port}`) });
  for (const path of ["/first", "/later"]) await http({ ...get, path });
  expect(lookup.mock.calls.map(([, options]) => options)).toEqual([
    expect.not.objectContaining({ family: 4 }),
    expect.objectContaining({ family: 4 }),
  ]);
  lookup.mockRestore();
});

it("ends where there is no answer, too much of one, or nobody who waits", async () => {
  const http = transport({ server: url });
  await expect(http({ ...get, path: "/silent", timeoutMs: 50 })).rejects.toThrow(/aborted/);
  await expect(http({ ...get, path: "/endless" })).rejects.toThrow("longer than 4 MiB");
  await expect(http({ ...get, path: "/silent", signal: AbortSignal.timeout(20) })).rejects.toThrow(/aborted/);
  await expect(transport({ server: new URL("http://127.0.0.1:9") })({ ...get, path: "/x" })).rejects.toThrow(
    "ECONNREFUSED",
  );
});
