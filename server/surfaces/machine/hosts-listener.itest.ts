// `/boot` and `/agent` on a listener of their own (RECLAIM_MACHINE_LISTEN): each listener knows its own addresses, and answers all others alike.
import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  post,
  startMachineServer,
  type MachineFixture,
} from "@/server/surfaces/machine/testing/machine-fixture";
import { addHost, openWindow, type TestHost } from "@/server/surfaces/machine/testing/machine-rows";
import { bootTokenOf, registerBodyOf } from "@/server/surfaces/machine/testing/agent-session";

/** Of both applications, as Fastify knows them. */
const routes: { readonly method: string; readonly url: string }[] = [];
const isFastify = (value: unknown): value is { readonly fastify: FastifyInstance } =>
  typeof value === "object" && value !== null && "fastify" in value;
function noteRoutes(made: unknown): void {
  if (!isFastify(made)) return;
  made.fastify.addHook("onRoute", ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, url });
  });
}
const ofHosts = (url: string): boolean => /^\/(?:agent|boot)\//.test(url);

let fixture: MachineFixture;
let host: TestHost;
beforeAll(async () => {
  subscribe("fastify.initialization", noteRoutes);
  fixture = await startMachineServer({ hostsElsewhere: true });
  unsubscribe("fastify.initialization", noteRoutes);
  host = await addHost(fixture);
  await openWindow(fixture, host);
});
afterAll(() => fixture.close());

interface Answer {
  readonly status: number | undefined;
  /** Without what differs in each answer. */
  readonly text: string;
  readonly headers: string;
}

/** Sends the path as it is: fetch would tidy it up. */
async function ask(base: string, method: string, path: string): Promise<Answer> {
  const { hostname, port } = new URL(base);
  return new Promise((done, fail) => {
    const sent = httpRequest({ hostname, port, method, path, agent: false }, (answer) => {
      const { date: _date, "x-request-id": id = "", ...headers } = answer.headers;
      text(answer).then(
        (body) =>
          done({
            status: answer.statusCode,
            text: body.replaceAll(String(id), "ID"),
            headers: JSON.stringify(headers),
          }),
        fail,
      );
    });
    sent.once("error", fail);
    sent.end();
  });
}

describe("the listener for hosts", () => {
  it("boots a host and takes its agent in", async () => {
    const own = { ...fixture, url: fixture.hostsUrl };
    const script = await ask(fixture.hostsUrl, "GET", `/boot/ipxe?uuid=${host.systemUuid}`);
    expect(script.text).toContain("reclaim.server=http://hosts.reclaim.test");
    const token = await bootTokenOf(own, host);
    expect((await post(own, "/agent/v1/register", token, registerBodyOf(host))).status).toBe(200);
  });

  it("answers nothing else, and all of it in the same bytes", async () => {
    const others = routes.filter(({ url }) => !ofHosts(url));
    expect(others.length).toBeGreaterThan(100);
    const unknown = new Map<string, Answer>();
    for (const { method, url } of others) {
      const path = url.replaceAll(/:[a-zA-Z_]+(\([^)]*\))?/g, host.id).replaceAll("*", "x");
      if (!unknown.has(method)) unknown.set(method, await ask(fixture.hostsUrl, method, "/nonsense"));
      const said = await ask(fixture.hostsUrl, method, path);
      expect(said, `${method} ${path}`).toEqual(unknown.get(method));
      expect(said.status).toBe(404);
    }
    for (const path of ["/nodes", "/livez", "/readyz", "/metrics", "/v1/%2f", "/signin", "/"])
      expect(await ask(fixture.hostsUrl, "GET", path), path).toEqual(unknown.get("GET"));
  });
});

describe("the listener for people and programs", () => {
  const spellings = (path: string): readonly string[] => [
    path,
    `/${path}`,
    path.replace("o", "%6f").replace("g", "%67"),
    `/x/..${path}`,
    path.replace(/^\/(\w+)/, "/$1/../$1"),
    path.toUpperCase(),
    path.replaceAll("/", "%2F").replace("%2F", "/"),
    `/.${path}`,
    `${path}/`,
    `${path};x=1`,
    path.replace(/\/(\w+)$/, "//$1"),
    `http://hosts.reclaim.test${path}`,
  ];

  it("knows none of the addresses of hosts, however they are written", async () => {
    const own = routes.filter(({ url }) => ofHosts(url));
    expect(own.length).toBeGreaterThan(8);
    const question = `?uuid=${host.systemUuid}&mac=${host.mac}`;
    for (const { method, url } of own) {
      const unknown = await ask(fixture.url, method, "/nonsense");
      expect(unknown.status).toBe(404);
      for (const path of spellings(url.replace(":id", host.id).replace("*", "vmlinuz")))
        for (const at of [path, `${path}${question}`])
          expect(await ask(fixture.url, method, at), `${method} ${at}`).toEqual(unknown);
    }
  });

  it("goes on with everything else", async () => {
    expect((await ask(fixture.url, "GET", "/livez")).status).toBe(200);
    expect((await ask(fixture.url, "GET", "/v1")).status).toBe(200);
    expect((await ask(fixture.url, "POST", "/network/v1/acknowledgements")).status).not.toBe(404);
  });
});
