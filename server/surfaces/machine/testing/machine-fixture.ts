// For integration tests: the machine server over real HTTP with its own database, and requests to it.
import { randomBytes, randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import { performance } from "node:perf_hooks";
import type { FastifyInstance } from "fastify";
import type { Pool } from "pg";
import pino from "pino";
import { CommandHub } from "@/server/agents/command-hub";
import { createHotPool } from "@/server/db/hot/pool";
import { createDatabase, type Database } from "@/server/db/prisma";
import { createSecretBox } from "@/server/db/secrets/secret-box";
import { createTestDatabase } from "@/server/db/testing/test-database";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { createMetrics, type Metrics } from "@/server/metrics/registry";
import { ConnectionLimit } from "@/server/surfaces/http/connection-limit";
import { ReceivedBytes } from "@/server/surfaces/http/counted-body";
import type { RequestListener } from "@/server/surfaces/http/front";
import { openListeners } from "@/server/surfaces/http/listeners";
import { createMachineServer, type MachineServerDeps } from "@/server/surfaces/machine/machine-server";

export interface MachineFixture {
  readonly url: string;
  /** Where `/boot` and `/agent` are answered: `url`, or a listener of their own. */
  readonly hostsUrl: string;
  readonly databaseUrl: string;
  readonly pool: Pool;
  readonly database: Database;
  readonly hub: CommandHub;
  readonly metrics: Metrics;
  readonly siteId: string;
  /** How often a controller was woken. */
  wakes(): number;
  /** Sets what is wrong with the controller's loop. */
  trouble(reason: string | null): void;
  /** What the server logged at `info` and above. */
  readonly log: string[];
  query<Row extends Record<string, unknown> = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
  ): Promise<Row[]>;
  /** The number of held polls. */
  waiting(): number;
  /** Stops the server, and then reads from the database that it left behind. */
  stop<Value>(then: () => Promise<Value>): Promise<Value>;
  close(): Promise<void>;
}

export interface FixtureOptions {
  readonly longPollMs?: number;
  readonly provisioningNetworks?: readonly string[];
  readonly metricsToken?: string;
  readonly trustedProxies?: readonly string[];
  readonly ironicNoauth?: boolean;
  readonly fakeHardware?: boolean;
  readonly serviceAccountOrg?: string;
  readonly bootImageDir?: string;
  /** `/boot` and `/agent` have a listener of their own, as with RECLAIM_MACHINE_LISTEN. */
  readonly hostsElsewhere?: boolean;
}

const settingsOf = (options: FixtureOptions): MachineServerDeps["settings"] => ({
  baseUrl: "http://reclaim.test",
  machineUrl: "http://hosts.reclaim.test",
  bootImageUrl: "http://images.test/agent",
  bootImageDir: options.bootImageDir,
  longPollMs: options.longPollMs ?? 1_000,
  metricsToken: options.metricsToken,
  ironicNoauth: options.ironicNoauth ?? false,
  trustedProxies: options.trustedProxies ?? [],
  bmcNetworks: ["loopback", "10.0.0.0/8"],
});

async function addSite(query: MachineFixture["query"], options: FixtureOptions): Promise<string> {
  const siteId = randomUUID();
  const policy = { ...defaultPolicy(), provisioningNetworks: options.provisioningNetworks ?? ["loopback"] };
  await query("INSERT INTO site (id, name, demo) VALUES ($1, 'north', true)", [siteId]);
  await query("INSERT INTO site_policy (site_id, version, body) VALUES ($1, 1, $2)", [siteId, policy]);
  return siteId;
}

interface Listening {
  readonly app: FastifyInstance;
  readonly url: string;
  readonly hostsUrl: string;
  readonly closeListeners: () => void;
}

async function listening(deps: MachineServerDeps, options: FixtureOptions): Promise<Listening> {
  if (options.hostsElsewhere !== true) {
    const app = createMachineServer(deps);
    const url = await app.listen({ port: 0, host: "127.0.0.1" });
    return { app, url, hostsUrl: url, closeListeners: () => undefined };
  }
  const made: RequestListener[] = [];
  const factory = (handler: RequestListener) => {
    made.push(handler);
    return createServer();
  };
  const app = createMachineServer({ ...deps, serverFactory: factory, hostsServerFactory: factory });
  await app.ready();
  const [machine = notMade, hosts = notMade] = made;
  const { trustedProxies } = deps.settings;
  const at = { port: 0, address: "127.0.0.1" };
  const servers = await openListeners({
    ...{ machine, hosts, pages: null, received: new ReceivedBytes(), trustedProxies },
    connections: new ConnectionLimit({ mostOfOne: 1_000, trustedProxies, uncounted: ["loopback"] }),
    ...{ keepAliveMs: 5_000, at, hostsAt: at },
  });
  const [url = "", hostsUrl = ""] = servers.map(urlOf);
  return {
    ...{ app, url, hostsUrl },
    closeListeners: () => {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

const notMade: RequestListener = () => {
  throw new Error("the machine server has made no listener");
};

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a listener has no port");
  return `http://127.0.0.1:${address.port}`;
}

export async function startMachineServer(options: FixtureOptions = {}): Promise<MachineFixture> {
  const test = await createTestDatabase();
  const databaseUrl = test.url;
  const pool = createHotPool(databaseUrl, { max: 4 });
  const database = createDatabase(databaseUrl, { max: 2, applicationName: "test" });
  const backend = {
    database,
    secrets: createSecretBox(randomBytes(32)),
    fakeHardware: options.fakeHardware ?? false,
    serviceAccountOrg: options.serviceAccountOrg,
  };
  const log: string[] = [];
  const logger = pino({ level: "info" }, { write: (line: string) => void log.push(line) });
  const metrics = createMetrics();
  let [waiting, wakes] = [0, 0];
  let trouble: string | null = null;
  const onWaiting = (count: number): void => void (waiting = count);
  const hub = new CommandHub({ databaseUrl, pool, log: () => undefined, onWaiting });
  await hub.start();
  const deps: MachineServerDeps = {
    pool,
    hub,
    metrics,
    logger,
    backend,
    wake: () => void (wakes += 1),
    controllerTrouble: () => (trouble === null ? null : { message: trouble, restart: true }),
    settings: settingsOf(options),
    now: () => performance.now(),
  };
  const { app, url, hostsUrl, closeListeners } = await listening(deps, options);
  const query: MachineFixture["query"] = async <Row extends Record<string, unknown>>(
    text: string,
    values: readonly unknown[] = [],
  ) => (await pool.query<Row>(text, [...values])).rows;
  const siteId = await addSite(query, options);
  const about = { url, hostsUrl, databaseUrl, pool, database, hub, metrics, siteId, log, query };
  return {
    ...about,
    wakes: () => wakes,
    trouble: (reason) => void (trouble = reason),
    waiting: () => waiting,
    stop: async (then) => {
      closeListeners();
      await app.close();
      return then();
    },
    close: async () => {
      closeListeners();
      await app.close();
      await hub.close();
      await Promise.all([pool.ended ? undefined : pool.end(), database.$disconnect()]);
      await test.drop();
    },
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

/** A body that is a string is sent as it is. */
export async function send(
  fixture: MachineFixture,
  method: string,
  path: string,
  options: {
    readonly token?: string;
    readonly body?: unknown;
    readonly headers?: Record<string, string>;
  } = {},
): Promise<Answer> {
  const { token, body } = options;
  const response = await fetch(`${fixture.url}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = {};
  }
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: typeof parsed === "object" && parsed !== null ? Object.fromEntries(Object.entries(parsed)) : {},
  };
}

/** A proxy on this machine that tells where a request comes from; for fixtures that trust it (`trustedProxies: [proxy]`). */
export const proxy = "127.0.0.1/32";
export const from = (address: string) => ({ headers: { "x-forwarded-for": address } });

export const post = (
  fixture: MachineFixture,
  path: string,
  token: string | undefined,
  body: unknown,
): Promise<Answer> => send(fixture, "POST", path, { ...(token === undefined ? {} : { token }), body });
