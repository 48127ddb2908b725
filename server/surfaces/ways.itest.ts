// Three requests over HTTP: the files that run between route and commit are those that docs/architecture.md lists, and no record is read twice.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { poolOf } from "@/server/db/prisma";
import { startConsoleServer } from "@/server/surfaces/web/testing/console-server";
import type { ConsoleServer } from "@/server/surfaces/web/testing/console-server";
import { filesThatRun, noteStatements } from "@/server/testing/recorded";
import { filesOfWay, maxFiles, root, type WayName } from "@/server/testing/ways";

/** What other requests run too: docs/architecture.md#four-ways-through-the-code names each kind. */
const shared: readonly RegExp[] = [
  // The port, sign-in, and what a surface reads of any request. Sign-in is cached for seconds, and without the cache also notes that the token was used.
  /^server\/surfaces\/(http|web|machine\/http)\//,
  /^server\/surfaces\/machine\/(machine-(app|server)|paths)\.ts$/,
  /^server\/surfaces\/machine\/nico\/(membership|routes)\.ts$/,
  /^server\/surfaces\/machine\/ironic\/(deps|routes)\.ts$/,
  /^server\/surfaces\/machine\/ironic\/wire\//,
  /^server\/surfaces\/trpc\/(context|trpc|trpc-response)\.ts$/,
  /^server\/usecases\/(access\/|repair\/external-systems\.ts$|sites\/tenants\/service-account\.ts$|timed-cache\.ts$)/,
  /^server\/domain\/access\/(tokens|token-scopes|roles|sign-in-limits)\.ts$/,
  /^server\/process\//,
  // The database driver.
  /^server\/db\/(sql|prisma|connection|transaction|statement-names)\.ts$/,
  /^server\/db\/hot\/(pool|json-text|gather)\.ts$/,
  // The hash of an event, for anything that writes one.
  /^server\/domain\/audit-log\/(entry|crypto\/(canonical|sha256))\.ts$/,
  // Whether a text can be stored, for everything that a caller sends.
  /^server\/domain\/storable-text\.ts$/,
  // Whether a change of a site needs two people, for anything that changes one.
  /^server\/usecases\/(assurance\/policy-changes\/|sites\/(lock-shared|site-standing)\.ts$)/,
  // What the process does in the background, whoever calls.
  /^server\/(agents|metrics|db\/feed)\//,
];
const mine = /\.itest\.ts$|\/testing\//;

/** Reads of sign-in, whose results are cached for seconds. */
const ofSignIn = /"public"\."(api_token|person|tenant)"/;
/** Before and after a change of a site (docs/adr/0112-policy-changes-by-two-people.md). */
const ofTwoPeople = /needs_two_people\(/;

let server: ConsoleServer;
let statements: string[] = [];
let tables: ReadonlySet<string>;
let tokens: { readonly tenant: string; readonly provider: string };
beforeAll(async () => {
  server = await startConsoleServer();
  for (const pool of [server.pool, poolOf(server.backend.database)])
    noteStatements(pool, (text) => void statements.push(text));
  const { rows } = await server.pool.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  tables = new Set(rows.map(({ name }) => name));
  tokens = { tenant: await server.token("tenant-admin"), provider: await server.token("provider-admin") };
});
afterAll(() => server.stop());

async function send(token: string, method: string, path: string, body?: unknown): Promise<void> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      "x-openstack-ironic-api-version": "1.95",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect([200, 202], await response.text()).toContain(response.status);
}

const release = async () => {
  const id = randomUUID();
  const hostId = await server.world.host();
  await server.world.put(hostId, "Assigned/Ready");
  const tenantId = server.world.tenants.acme;
  await server.backend.database.instance.create({ data: { id, name: id, tenantId, hostId } });
  return () => send(tokens.tenant, "DELETE", `/v2/org/acme/nico/instance/${id}`);
};

const clean = async () => {
  const hostId = await server.world.host();
  await server.world.put(hostId, "Manageable");
  const steps = [{ interface: "deploy", step: "erase_devices_metadata" }];
  const asked = { target: "clean", clean_steps: steps };
  return () => send(tokens.provider, "PUT", `/v1/nodes/${hostId}/states/provision`, asked);
};

let priority = 500;
const override = async () => {
  priority += 1;
  const change = { interface: "bios", step: "factory_reset", priority };
  const json = { scope: "site", scopeId: server.world.siteId, ...change };
  return () => send(tokens.provider, "POST", "/api/trpc/cleaning.saveOverride", { json });
};

/** Rows that a statement only locks by id before it writes them. */
const lock = /SELECT \w+\.host_id FROM \w+ \w+ WHERE [^;]*? FOR NO KEY UPDATE/g;

/** Tables that a statement reads, without those that it only locks or writes, and without its own CTEs. */
const readBy = (statement: string): readonly string[] => [
  ...new Set(
    [...statement.replaceAll(lock, "").matchAll(/\b(?:FROM|JOIN)\s+(?:"public"\.)?"?(\w+)"?/g)]
      .flatMap(([, name]) => name ?? [])
      .filter((name) => tables.has(name) && !/^\s*INSERT/.test(statement)),
  ),
];

describe.each<readonly [WayName, () => Promise<() => Promise<void>>]>([
  ["Release over NICo", release],
  ["Clean over Ironic", clean],
  ["An override in the console", override],
])("%s", (name, prepare) => {
  let ran: readonly string[] = [];
  beforeAll(async () => {
    await (
      await prepare()
    )(); // so that sign-in is cached and statements are prepared
    const act = await prepare();
    statements = [];
    ran = await filesThatRun(root, act);
    const noted = [...statements];
    // What the process happens to do beside one request, it does not do beside the next.
    const again = new Set(await filesThatRun(root, await prepare()));
    ran = ran.filter((file) => again.has(file));
    statements = noted;
  });

  it("passes the files that the docs list", () => {
    const way = ran.filter((file) => !mine.test(file) && !shared.some((path) => path.test(file)));
    const listed = filesOfWay(name);
    expect(
      way.filter((file) => !listed.includes(file)),
      "run and are not listed",
    ).toEqual([]);
    expect(
      listed.filter((file) => !way.includes(file)),
      "listed and do not run",
    ).toEqual([]);
    expect(way.length).toBeLessThanOrEqual(maxFiles[name]);
  });

  it("reads each record once", () => {
    const read = statements.filter((text) => !ofSignIn.test(text) && !ofTwoPeople.test(text)).flatMap(readBy);
    expect(read.length).toBeGreaterThan(0);
    expect(read.filter((table, index) => read.indexOf(table) !== index)).toEqual([]);
  });
});
