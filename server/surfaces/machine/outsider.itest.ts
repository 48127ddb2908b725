// Nobody, from nowhere: every path and method that the server answers, without a token and from outside all provisioning networks, changes no host.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawnOf } from "@/server/testing/drawn";
import { appRouter } from "@/server/surfaces/trpc/router";
import { startConsoleServer, type ConsoleServer } from "@/server/surfaces/web/testing/console-server";
import {
  progressOf,
  registered,
  resultOf,
  runStep,
  type RunningStep,
} from "@/server/surfaces/machine/testing/agent-session";
import {
  from,
  proxy,
  send,
  startMachineServer,
  type MachineFixture,
} from "@/server/surfaces/machine/testing/machine-fixture";
import { addHost, openWindow, type TestHost } from "@/server/surfaces/machine/testing/machine-rows";

/** As Fastify knows them, so that a new route is covered by itself. */
const routes: { readonly method: string; readonly url: string }[] = [];
const isFastify = (value: unknown): value is { readonly fastify: FastifyInstance } =>
  typeof value === "object" && value !== null && "fastify" in value;
/** Fastify publishes each of its applications here before it has a route. */
const channel = "fastify.initialization";
function noteRoutes(made: unknown): void {
  if (!isFastify(made)) return;
  made.fastify.addHook("onRoute", ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, url });
  });
}

type Query = (text: string) => Promise<readonly Record<string, unknown>[]>;

const watched = [
  "host_run",
  "signal",
  "reclamation",
  "boot_window",
  "agent_session",
  "step_run",
  "step_attempt",
  "instance",
  "network_ack",
];
const digests = async (query: Query): Promise<unknown> =>
  query(
    watched
      .map(
        (name) =>
          `SELECT '${name}' AS name, md5(coalesce(string_agg(t::text, ';' ORDER BY t::text), '')) FROM ${name} t`,
      )
      .join(" UNION ALL "),
  );

describe("an outsider on the machine surfaces", () => {
  let fixture: MachineFixture;
  const hosts: TestHost[] = [];
  let session: string;
  let running: RunningStep;
  beforeAll(async () => {
    subscribe(channel, noteRoutes);
    fixture = await startMachineServer({ trustedProxies: [proxy] });
    unsubscribe(channel, noteRoutes);
    for (const state of ["Manageable", "Assigned/Ready", "Failed/CleanFailed"] as const)
      hosts.push(await addHost(fixture, state));
    const waitedFor = await addHost(fixture);
    await openWindow(fixture, waitedFor);
    const early = await addHost(fixture);
    await openWindow(fixture, early, 30, false);
    const erasing = await addHost(fixture);
    session = await registered(fixture, erasing);
    running = await runStep(fixture, erasing);
    await fixture.query("UPDATE host_run SET boot_held = true WHERE host_id = $1", [erasing.id]);
    hosts.push(waitedFor, early, erasing);
    await fixture.query(
      "UPDATE site_policy SET body = jsonb_set(body, '{provisioningNetworks}', '[\"10.20.0.0/16\"]')",
    );
  });
  afterAll(() => fixture.close());

  it("changes nothing on any path and method", async () => {
    expect(routes.length).toBeGreaterThan(100);
    const before = await digests(fixture.query);
    for (const { method, url } of routes) {
      const addresses = hosts.slice(-3).flatMap((host) => {
        const path = url.replaceAll(/:[a-zA-Z_]+(\([^)]*\))?/g, host.id).replaceAll("*", "x");
        const asked = `uuid=${host.systemUuid}&mac=${host.mac}`;
        return [path, `${path}?${asked}${path.startsWith("/boot/") ? "" : `&addresses=${host.mac}`}`];
      });
      const withBody = method === "GET" || method === "HEAD" ? {} : { body: {} };
      // Of the addresses, never of the routes.
      for (const at of drawnOf(addresses, 2)) {
        const { status } = await send(fixture, method, at, withBody);
        expect(status, `${method} ${at}`).toBeLessThan(500);
      }
    }
    expect(await digests(fixture.query)).toEqual(before);
  }, 480_000);

  it("changes nothing with the session of an agent, from any other address in the provisioning network", async () => {
    const calls = routes.filter(({ url }) => url.startsWith("/agent/v1/"));
    expect(calls.length).toBeGreaterThan(5);
    const bodies = [{}, { working: null, finished: [] }, progressOf({ sequence: 9 }), resultOf()];
    const before = await digests(fixture.query);
    for (const { method, url } of calls)
      for (const body of [...bodies, { sequence: 1, text: "x" }]) {
        const path = url.replace(":id", running.stepRunId);
        const stolen = { token: session, body, ...from("10.20.0.9") };
        const { status } = await send(fixture, method, path, stolen);
        expect([400, 401], `${method} ${path}`).toContain(status);
      }
    expect(await digests(fixture.query)).toEqual(before);
    expect(await fixture.query("SELECT address FROM security_event WHERE kind = 'addressChanged'")).toEqual([
      { address: "10.20.0.9" },
    ]);
  });
});

describe("an outsider on the console's API", () => {
  let server: ConsoleServer;
  beforeAll(async () => {
    server = await startConsoleServer();
    for (const state of ["Ready", "Manageable"] as const)
      await server.world.put(await server.world.host(), state);
  });
  afterAll(() => server.stop());

  it("changes nothing by any procedure", async () => {
    const query: Query = async (text) => (await server.pool.query<Record<string, unknown>>(text)).rows;
    const names = Object.keys(appRouter._def.procedures);
    expect(names.length).toBeGreaterThan(100);
    const before = await digests(query);
    for (const name of names)
      for (const method of ["GET", "POST"]) {
        const response = await fetch(`${server.url}/api/trpc/${name}`, {
          method,
          headers: { "content-type": "application/json" },
          ...(method === "POST" ? { body: "{}" } : {}),
        });
        await response.arrayBuffer();
        expect(response.status, `${method} ${name}`).toBeLessThan(500);
      }
    expect(await digests(query)).toEqual(before);
  }, 480_000);
});
