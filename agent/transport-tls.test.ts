// The agent and a server with TLS: which certificates it trusts, what it reports otherwise, and that a result whose answer was lost is sent again
// without running the step again.
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { Agent } from "@/agent/agent";
import { AuthoritiesError, transport } from "@/agent/transport";
import { execute, registered, restart, world } from "@/agent/testing/agent-world";
import { authorityForTests, selfSigned, type SelfSigned } from "@/server/hardware/http/testing/self-signed";

const lab = authorityForTests("Lab CA");
const folder = mkdtempSync(join(tmpdir(), "reclaim-tls-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const authorities = file("ca.pem", lab.cert);

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }
});

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;
async function serverWith({ key, cert }: SelfSigned, answer: Answer): Promise<URL> {
  const server = createServer({ key, cert }, (request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => answer(request, response, body));
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return new URL(`https://localhost:${address.port}/`);
}

const get = {
  method: "GET",
  path: "/x",
  token: "secret",
  timeoutMs: 10_000,
  signal: new AbortController().signal,
} as const;

describe("a certificate", () => {
  it("of an authority in the file is believed", async () => {
    const server = await serverWith(lab.issue("localhost"), (_request, response) => response.end("{}"));
    expect(await transport({ server, authorities })(get)).toEqual({ status: 200, text: "{}" });
  });

  it.each<[string, () => SelfSigned, string | undefined, RegExp]>([
    [
      "that signs itself",
      () => selfSigned("localhost"),
      authorities,
      /refused: self-signed certificate \(DEPTH_ZERO_SELF_SIGNED_CERT\); authorities: those in .*ca\.pem$/,
    ],
    [
      "of another authority",
      () => authorityForTests("Other CA").issue("localhost"),
      authorities,
      /refused: unable to verify/,
    ],
    ["for another name", () => lab.issue("elsewhere.example"), authorities, /ERR_TLS_CERT_ALTNAME_INVALID/],
    [
      "that has expired",
      () => lab.issue("localhost", -1),
      authorities,
      /CERT_HAS_EXPIRED.*; this host's clock says 20/,
    ],
    [
      "of an authority that nobody named",
      () => lab.issue("localhost"),
      undefined,
      /authorities: those that come with Node$/,
    ],
  ])("%s is refused, said plainly, and nothing is sent to it", async (_what, certificate, ca, message) => {
    const received: string[] = [];
    const server = await serverWith(certificate(), (request, response) => {
      received.push(request.headers.authorization ?? "");
      response.end("{}");
    });
    await expect(
      transport({ server, ...(ca === undefined ? {} : { authorities: ca }) })(get),
    ).rejects.toThrow(message);
    expect(received).toEqual([]);
  });
});

it.each([
  ["that is not there", join(folder, "none.pem")],
  ["without a certificate", file("empty.pem", "\n")],
  ["with half a certificate", file("half.pem", `${lab.cert.slice(0, 300)}\n-----END CERTIFICATE-----\n`)],
])("a file of authorities %s is refused at once, by its name", (_what, ca) => {
  const server = new URL("https://localhost:9/");
  expect(() => transport({ server, authorities: ca })).toThrow(AuthoritiesError);
  expect(() => transport({ server, authorities: ca })).toThrow(ca);
});

it("goes on over lost answers and a server that is busy, with one run of the step and one result", async () => {
  const results: string[] = [];
  const tokens: string[] = [];
  const runs: string[] = [];
  const server = await serverWith(lab.issue("localhost"), (request, response, body) => {
    const say = ({ status, body: answer }: { status: number; body?: unknown }) => {
      response.statusCode = status;
      response.end(JSON.stringify(answer ?? {}));
    };
    const path = request.url ?? "";
    if (path.startsWith("/boot/token")) {
      tokens.push(path);
      // The first request gets no answer, the second only half of one.
      if (tokens.length === 1) return request.socket.destroy();
      if (tokens.length === 2)
        return response
          .writeHead(200, { "content-length": 100 })
          .write('{"boot', () => request.socket.destroy());
      return say({ status: 200, body: { bootToken: "token-of-this-window-1" } });
    }
    if (path.endsWith("/register")) {
      const { run } = JSON.parse(body) as { run: string };
      runs.push(run);
      // It was registered, but the answer is lost: the same run asks again.
      return runs.length === 1 ? request.socket.destroy() : say(registered(execute("c1")));
    }
    if (path.includes("/attestation/")) return say({ status: 404 });
    if (!path.endsWith("/result")) return say({ status: 204 });
    results.push(body);
    if (results.length === 1) return request.socket.destroy();
    return say(results.length === 2 ? { status: 503 } : restart);
  });
  const me = world(() => new Error("not over the network"));
  const http = transport({ server, authorities });
  expect(await new Agent({ ...me.around, http }).run()).toEqual({ kind: "restarting" });
  expect(tokens).toHaveLength(3);
  expect(runs).toHaveLength(2);
  expect(new Set(runs).size).toBe(1);
  expect(results).toHaveLength(3);
  expect(new Set(results).size).toBe(1);
  // The step writes its variable twice, so it ran once.
  expect(me.writes).toBe(2);
});
