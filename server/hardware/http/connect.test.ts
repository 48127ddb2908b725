// Certificates and names: which servers are accepted, decided before anything is sent.
import { once } from "node:events";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Client } from "undici";
import { readCertificate } from "@/server/hardware/http/certificate";
import { checkedLookup, connector, resolveName, type TlsTrust } from "@/server/hardware/http/connect";
import { exchange } from "@/server/hardware/http/exchange";
import { selfSigned, type SelfSigned } from "@/server/hardware/http/testing/self-signed";

const name = "bmc-under-test.localhost";
let certificate: SelfSigned;
let server: Server;
let received: number;

beforeEach(async () => {
  certificate = selfSigned(name);
  received = 0;
  server = createServer({ key: certificate.key, cert: certificate.cert }, (_request, response) => {
    received += 1;
    response.end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

async function ask(trust: TlsTrust) {
  // A server that listens on TCP always has an object as its address.
  const { port } = server.address() as AddressInfo;
  const client = new Client(`https://${name}:${port}`, {
    connect: connector(
      trust,
      checkedLookup(() => ({ ok: true })),
      2_000,
    ),
  });
  const outcome = await exchange(
    client,
    { method: "GET", path: "/", headers: {}, body: null },
    { timeoutMs: 30_000, maxBytes: 100 },
  );
  await client.close();
  return outcome;
}

describe("trust", () => {
  it("in the pinned certificate passes, in either notation", async () => {
    expect(await ask({ kind: "pinned", sha256: certificate.fingerprint256 })).toMatchObject({
      kind: "answered",
      status: 200,
    });
    expect(
      await ask({ kind: "pinned", sha256: certificate.fingerprint256.replaceAll(":", "").toLowerCase() }),
    ).toMatchObject({ kind: "answered" });
  });

  it("in another certificate refuses before anything is sent", async () => {
    expect(await ask({ kind: "pinned", sha256: selfSigned(name).fingerprint256 })).toEqual({
      kind: "lost",
      cause: "untrusted",
      sent: false,
      status: null,
      reason: "the certificate is not the pinned one",
    });
    expect(received).toBe(0);
  });

  it("in the site's authority passes, in another or the system's not", async () => {
    expect(await ask({ kind: "authority", ca: certificate.cert })).toMatchObject({ kind: "answered" });
    expect(await ask({ kind: "authority", ca: selfSigned(name).cert })).toMatchObject({
      kind: "lost",
      cause: "untrusted",
      sent: false,
    });
    expect(await ask({ kind: "system" })).toMatchObject({ kind: "lost", cause: "untrusted", sent: false });
    expect(received).toBe(1);
  });

  it("is decided after a look: the certificate is read, and nothing is sent for it", async () => {
    const { port } = server.address() as AddressInfo;
    const lookup = checkedLookup(() => ({ ok: true }));
    expect(
      await readCertificate({
        url: new URL(`https://${name}:${port}`),
        lookup,
        timeoutMs: 30_000,
        authorities: null,
      }),
    ).toMatchObject({
      sha256: certificate.fingerprint256.replaceAll(":", "").toLowerCase(),
      subject: `CN=${name}`,
      issuer: `CN=${name}`,
      validTo: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      trusted: false,
    });
    expect(received).toBe(0);
    const closed = createServer();
    closed.listen(0, "127.0.0.1");
    await once(closed, "listening");
    const { port: nobody } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, "close");
    await expect(
      readCertificate({
        url: new URL(`https://${name}:${nobody}`),
        lookup,
        timeoutMs: 30_000,
        authorities: null,
      }),
    ).rejects.toThrow(/ECONNREFUSED/);
  });
});

describe("resolveName", () => {
  it.each(["localhost", "bmc-1.localhost", "BMC-1.LOCALHOST", "a.b.localhost", "bmc-1.localhost."])(
    "takes %s for loopback without asking",
    async (hostname) => {
      expect(await resolveName(hostname)).toEqual([{ address: "127.0.0.1", family: 4 }]);
    },
  );
});

describe("checkedLookup", () => {
  const resolve = async () => [
    { address: "10.0.0.1", family: 4 },
    { address: "10.0.0.2", family: 4 },
  ];
  const onlySecond = checkedLookup(
    (address) => (address === "10.0.0.2" ? { ok: true } : { ok: false, reason: `${address} is bad` }),
    resolve,
  );

  it("hands over allowed addresses only", async () => {
    const one = await new Promise((done) => onlySecond("x", {}, (...result) => done(result)));
    const all = await new Promise((done) => onlySecond("x", { all: true }, (...result) => done(result)));
    expect(one).toEqual([null, "10.0.0.2", 4]);
    expect(all).toEqual([null, [{ address: "10.0.0.2", family: 4 }]]);
  });

  it("fails with the reason when none is allowed", async () => {
    const none = checkedLookup((address) => ({ ok: false, reason: `${address} is bad` }), resolve);
    const [error] = await new Promise<unknown[]>((done) => none("x", {}, (...result) => done(result)));
    expect(error).toMatchObject({
      name: "ForbiddenPeer",
      message: "the address of x is refused: 10.0.0.1 is bad, 10.0.0.2 is bad",
    });
  });

  it("passes on the resolver's own failure", async () => {
    const failing = checkedLookup(
      () => ({ ok: true }),
      () => Promise.reject(new Error("no such name")),
    );
    const [error] = await new Promise<unknown[]>((done) => failing("x", {}, (...result) => done(result)));
    expect(error).toMatchObject({ message: "no such name" });
  });
});
