// What a client prints for an unknown address, method or version: tested for every address, without a database.
import type { FastifyInstance, InjectOptions } from "fastify";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHotPool } from "@/server/db/hot/pool";
import { createDatabase } from "@/server/db/prisma";
import { createSecretBox } from "@/server/db/secrets/secret-box";
import { createMetrics } from "@/server/metrics/registry";
import { rootRoute } from "@/server/surfaces/machine/ironic/root";
import { ironicRoutes } from "@/server/surfaces/machine/ironic/routes";
import { createMachineApp } from "@/server/surfaces/machine/machine-app";

/** Nothing listens there, and nothing in these tests needs it. */
const nowhere = "postgresql://nobody@127.0.0.1:1/none";
const pool = createHotPool(nowhere, { max: 1 });
const database = createDatabase(nowhere, { max: 1, applicationName: "test" });
let app: FastifyInstance;

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

interface Address {
  /** A method that is routed there. */
  readonly method: (typeof methods)[number];
  readonly url: string;
  /** For the route of all other methods: the methods that the address has. */
  readonly allowed: readonly string[] | null;
  readonly since: number;
}
const addresses: Address[] = [];

beforeAll(async () => {
  const logger = pino({ level: "silent" });
  app = createMachineApp({ metrics: createMetrics(), logger, trustedProxies: [], ironic: true });
  app.addHook("onRoute", ({ url, method, config }) => {
    const { ironicMethods = null, ironicSince = 1 } = config ?? {};
    addresses.push({
      method: methods.find((name) => [method].flat().includes(name)) ?? "GET",
      url: url.replace(/:\w+/g, "x").replace(/(?<=.)\/$/, ""),
      allowed: ironicMethods,
      since: ironicSince,
    });
  });
  const baseUrl = "http://reclaim.test";
  rootRoute(app, { baseUrl });
  await app.register(ironicRoutes, {
    prefix: "/v1",
    pool,
    backend: { database, secrets: createSecretBox(Buffer.alloc(32)) },
    logger,
    wake: () => undefined,
    guests: {
      lookup: async () => null,
      heartbeat: async () => ({ kind: "unknown" }),
      inspected: async () => null,
    },
    baseUrl,
    noauth: true,
    bmcNetworks: [],
  });
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await Promise.all([database.$disconnect(), pool.end()]);
});

/** `_extract_error_json` of python-ironicclient (ironicclient/common/http.py). */
function ironicclient(body: Record<string, unknown>): unknown {
  const inner = JSON.parse(String(body.error_message));
  return inner.faultstring || inner.description;
}

/** `_extract_message` of openstacksdk (openstack/exceptions.py), for each member of the body. */
function openstacksdk(body: Record<string, unknown>): unknown {
  return Object.values(body)
    .map((value) => (typeof value === "string" ? JSON.parse(value) : value))
    .map((value) => value.message || value.faultstring)
    .join("\n");
}

async function asked(options: InjectOptions) {
  const answer = await app.inject(options);
  const name = `${options.method ?? "GET"} ${String(options.url)}: ${answer.statusCode} ${answer.body}`;
  expect(answer.headers["content-type"], name).toMatch(/^application\/json/);
  const body: Record<string, unknown> = answer.json();
  const printed = ironicclient(body);
  expect(printed, name).toMatch(/\w+ .*\w/);
  expect(openstacksdk(body), name).toBe(printed);
  return { status: answer.statusCode, printed: String(printed), headers: answer.headers };
}

const version = (text: string) => ({ "x-openstack-ironic-api-version": text });
const known = (): readonly string[] => [...new Set(addresses.map(({ url }) => url))];

describe("what python-ironicclient and openstacksdk print", () => {
  it("of a method that an address does not have", async () => {
    const lacking = addresses.filter(({ allowed }) => allowed !== null);
    expect(lacking.length).toBeGreaterThan(60);
    for (const { url, allowed } of lacking)
      for (const method of methods) {
        if (allowed?.includes(method) === true) continue;
        const answer = await asked({ method, url, headers: version("latest") });
        expect([answer.status, answer.printed, answer.headers.allow], `${method} ${url}`).toEqual([
          405,
          `The method ${method} is not allowed for this resource.`,
          allowed?.join(", "),
        ]);
      }
  });

  it("of an address that there is not, and of one below each that there is", async () => {
    for (const url of known().filter((path) => path !== "/"))
      for (const method of ["GET", "POST", "DELETE"] as const) {
        const answer = await asked({ method, url: `${url}/no/such/address`, headers: version("latest") });
        expect([answer.status, answer.printed], url).toEqual([404, "The resource could not be found."]);
      }
    expect(await asked({ url: `/v1/nodes/${"x".repeat(300)}` })).toMatchObject({ status: 404 });
    expect(await asked({ url: "/v1/nodes/%zz" })).toMatchObject({ status: 400 });
  });

  it("of an address that is too new for the version", async () => {
    const newer = addresses.filter(({ since }) => since > 1);
    expect(newer.length).toBeGreaterThan(40);
    for (const { method, url, since } of newer) {
      const answer = await asked({ method, url, headers: version(`1.${since - 1}`) });
      expect([answer.status, answer.printed], url).toEqual([404, "The resource could not be found."]);
    }
  });

  it("of a version that there is not", async () => {
    for (const url of known().filter((path) => path !== "/"))
      for (const [text, words] of [
        ["1.999", /minimum 1\.1, maximum 1\.112/],
        ["2.1", /minimum 1\.1, maximum 1\.112/],
        ["new", /Invalid value for X-OpenStack-Ironic-API-Version header/],
      ] as const)
        expect(await asked({ url, headers: version(text) }), url).toMatchObject({
          status: 406,
          printed: expect.stringMatching(words),
        });
  });

  it("of a body that is not JSON, or encoded, where one is taken", async () => {
    for (const headers of [{ "content-type": "text/plain" }, { "content-encoding": "gzip" }])
      expect(
        await asked({
          method: "POST",
          url: "/v1/nodes",
          payload: "{}",
          headers: { ...version("latest"), ...headers },
        }),
      ).toMatchObject({ status: 415 });
  });

  it("of the root, which has one method", async () => {
    expect(await asked({ method: "PUT", url: "/" })).toMatchObject({
      status: 405,
      headers: { allow: "GET, HEAD" },
    });
  });
});
