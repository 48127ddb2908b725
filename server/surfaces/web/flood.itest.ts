// What outsiders send to any surface: long bodies on many connections cost bounded memory, and text that cannot be stored is a 400.
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startConsoleServer } from "@/server/surfaces/web/testing/console-server";
import type { ConsoleServer } from "@/server/surfaces/web/testing/console-server";

let server: ConsoleServer;
let admin: string;
let tenant: string;
beforeAll(async () => {
  server = await startConsoleServer();
  admin = await server.token("provider-admin");
  tenant = await server.token("tenant-admin");
});
afterAll(() => server.stop());

const mebibyte = 1024 * 1024;
const strange = "A".repeat(43);

/** Shared by all requests, so that it is not counted as what the server holds. */
const most = Buffer.alloc(mebibyte - 1, " ");

/** Sends the head of a request, and all of its body but the last byte. `answer`: the status; null while there is none. */
async function sendMost(path: string, token: string | null) {
  const socket = connect(server.port, "127.0.0.1");
  socket.on("error", () => undefined);
  let got = "";
  socket.on("data", (piece: Buffer) => (got += piece.toString("latin1")));
  await once(socket, "connect");
  const authorization = token === null ? "" : `authorization: Bearer ${token}\r\n`;
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\n${authorization}content-type: application/json\r\ncontent-length: ${mebibyte}\r\n\r\n`,
  );
  socket.write(most);
  return { socket, answer: () => /^HTTP\/1\.1 (\d+)/.exec(got)?.[1] ?? null };
}

async function sendAll(
  count: number,
  _what: string,
  path: string,
  token: () => string | null,
): Promise<void> {
  const before = process.memoryUsage().arrayBuffers;
  const sent: Awaited<ReturnType<typeof sendMost>>[] = [];
  let held = 0;
  for (let n = 0; n < count; n += 1) {
    sent.push(await sendMost(path, token()));
    held = Math.max(held, process.memoryUsage().arrayBuffers - before);
  }
  // One address may hold 4 MiB of unfinished bodies; all others are refused at once, not when their time is over.
  const answered = () => sent.filter(({ answer }) => answer() !== null).length;
  await expect.poll(answered, { timeout: 60_000 }).toBeGreaterThanOrEqual(count - 5);
  for (const { answer } of sent) expect([null, "401", "404", "408", "503"]).toContain(answer());
  expect((await fetch(`${server.url}/livez`)).status).toBe(200);
  for (const { socket } of sent) socket.destroy();
  // Includes pieces that were discarded and are not collected yet. Without the limit it is as many MiB as there are connections.
  expect(held).toBeLessThan(200 * mebibyte);
}

describe("connections that send most of a long body", () => {
  const title = "%i of them %s are held in bounded memory, and others are served";
  it.each([
    [40, "without a token to the agents' surface", "/agent/v1/register", (): string | null => null],
    [40, "with a token of nobody to Ironic's", "/v1/nodes", (): string | null => strange],
    [40, "with a token of somebody to Ironic's", "/v1/nodes", (): string | null => admin],
    [40, "to the console", "/api/trpc/hosts.list", (): string | null => null],
    [40, "to no surface", "/agent/v1/nothing", (): string | null => null],
  ] as const)(title, { timeout: 480_000 }, sendAll);
  it.each([[400, "without a token to the agents' surface", "/agent/v1/register", () => null]] as const)(
    title,
    { tags: "all", timeout: 480_000 },
    sendAll,
  );

  it("are refused before the body where the token is of nobody", async () => {
    for (const path of ["/agent/v1/register", "/v2/org/acme/nico/instance", "/repair-leases/v1/hosts/x"]) {
      const socket = connect(server.port, "127.0.0.1");
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${strange}\r\ncontent-type: application/json\r\ncontent-length: ${mebibyte}\r\n\r\n`,
      );
      const [piece] = (await once(socket, "data")) as [Buffer];
      expect(piece.toString("latin1"), path).toMatch(/^HTTP\/1\.1 401/);
      socket.destroy();
    }
  });
});

describe("NUL", () => {
  const nul = "a\\u0000b";
  it.each<[string, string, string, string | undefined]>([
    [
      "the console's API, in a query",
      "GET",
      `/api/trpc/hosts.list?input=${encodeURIComponent(`{"json":{"filter":"${nul}"}}`)}`,
      undefined,
    ],
    [
      "the console's API, in a body",
      "POST",
      "/api/trpc/hosts.saveView",
      `{"json":{"name":"${nul}","filter":""}}`,
    ],
    ["a CSV file", "GET", "/api/certificates.csv?search=%00", undefined],
    ["NICo's API, in a query", "GET", "/v2/org/acme/nico/instance?siteId=%00", undefined],
    ["NICo's API, in a path", "GET", "/v2/org/acme/nico/instance/%00", undefined],
    ["NICo's API, in a body", "POST", "/v2/org/acme/nico/instance", `{"name":"${nul}"}`],
    ["Ironic's API, in a query", "GET", "/v1/nodes?instance_uuid=%00", undefined],
    ["Ironic's API, in a path", "GET", "/v1/nodes/a%00b", undefined],
    ["Ironic's API, in a body", "POST", "/v1/nodes", `{"name":"${nul}"}`],
    ["Ironic's API, in an address without version", "GET", "/nodes/a%00b", undefined],
    ["health reports", "POST", "/health-reports/v1/reports", `{"host":"${nul}"}`],
    ["repair leases", "GET", "/repair-leases/v1/hosts/%00", undefined],
    ["a boot", "GET", "/boot/ipxe?uuid=%00", undefined],
    ["an agent", "POST", "/agent/v1/register", `{"identity":"${nul}"}`],
    ["a network controller", "POST", "/network/v1/acknowledgements", `{"host":"${nul}"}`],
  ])("is refused by %s", async (_what, method, path, body) => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${path.startsWith("/v2") ? tenant : admin}`,
        "content-type": "application/json",
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    expect(response.status, text).toBe(400);
    // Refused as an address, before anything is asked of the database.
    if (path.includes("%00")) expect(text).toContain("cannot be stored (NUL");
  });
});
