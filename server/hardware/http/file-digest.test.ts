// The SHA-256 of a file at an address: of the whole file or none at all, and from allowed addresses only.
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createHash, randomBytes } from "node:crypto";
import { afterEach, expect, it } from "vitest";
import { resolveName } from "@/server/hardware/http/connect";
import { fileDigest, type DigestLimits } from "@/server/hardware/http/file-digest";

const limits: DigestLimits = {
  ...{ networks: ["loopback"], resolveName },
  ...{ connectTimeoutMs: 5_000, timeoutMs: 30_000.5 },
};
let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener): Promise<string> {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", () => resolve()));
  const { port } = started.address() as AddressInfo;
  return `http://127.0.0.1:${port}/bios.bin?v=1`;
}

it("is of the file that the address names, with its query", async () => {
  const file = randomBytes(300_000);
  const asked: (string | undefined)[] = [];
  const url = await serve(({ url: path }, response) => {
    asked.push(path);
    response.end(file);
  });
  const sha256 = createHash("sha256").update(file).digest("hex");
  expect(await fileDigest(url, limits)).toEqual({ ok: true, sha256 });
  expect(asked).toEqual(["/bios.bin?v=1"]);
});

it("is not known of a file that breaks off, is elsewhere, is not there, or does not end in time", async () => {
  const brokenOff = await serve((_request, response) => {
    response.writeHead(200, { "content-length": "1000" });
    response.write("half");
    setTimeout(() => response.destroy(), 10);
  });
  expect(await fileDigest(brokenOff, limits)).toMatchObject({ ok: false });
  server?.close();
  const moved = await serve((_request, response) => {
    response.writeHead(302, { location: "/elsewhere" });
    response.end();
  });
  expect(await fileDigest(moved, limits)).toEqual({ ok: false, reason: "its server answered 302" });
  server?.close();
  const endless = await serve((_request, response) => void response.write("a"));
  expect(await fileDigest(endless, { ...limits, timeoutMs: 50 })).toEqual({
    ok: false,
    reason: "it did not arrive within 0 s",
  });
});

it.each([
  ["a private network that is not listed", "http://10.9.9.9/a", /10\.9\.9\.9 is a private address/],
  ["a name that leads to loopback", "http://files.localhost/a", /refused/],
  ["loopback itself", "http://127.0.0.1:1/a", /loopback/],
  ["another protocol", "nfs://files/a", /http and https/],
])("nothing is read from %s", async (_what, url, reason) => {
  expect(await fileDigest(url, { ...limits, networks: [] })).toEqual({
    ok: false,
    reason: expect.stringMatching(reason),
  });
});
