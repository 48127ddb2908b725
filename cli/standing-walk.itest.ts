// Hosts with a gate that was excepted, waived or is not built, and one with a drive that failed, and nothing else in the database: every read of the
// contract, every address of the machine surfaces, every page, every file, the live stream, webhooks, the command, the signed files. None may say that something is proven, clean or satisfied
// (docs/design/lifecycle.md#standing). A newly added read, address or command is included automatically.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { providerPages, tenantPages } from "@/cli/testing/standing-pages";
import { fileTexts } from "@/cli/testing/standing-files";
import { pageText } from "@/components/testing/server-rendered";
import { operationOf } from "@/cli/call";
import { rows } from "@/cli/commands/rows";
import { createCommand, type TestCommand } from "@/cli/testing/command";
import { contract } from "@/server/contract/contract";
import type { Contract, Read } from "@/server/contract/define";
import { tellWithin } from "@/server/db/hot/signal";
import { writeSecurityEvent } from "@/server/db/security-events";
import { addFirstKey } from "@/server/db/audit-log/keys";
import { standings } from "@/server/domain/assurance/standing";
import { securityEventNames } from "@/server/domain/access/security-events/kinds";
import { startConsoleServer, type ConsoleServer } from "@/server/surfaces/web/testing/console-server";
import { drawnOf, isWhole } from "@/server/testing/drawn";
import { readInputs } from "@/server/testing/read-inputs";
import { liesIn } from "@/server/testing/standing-lies";
import { watchCapacity } from "@/server/usecases/break-fix/watch-capacity";
import { addReturn, putInReadyBy, signAll, type AddedReturn } from "@/server/usecases/testing/returns";

let server: ConsoleServer;
let command: TestCommand;
let bulkId = "";
const tokens = { provider: "", tenant: "" };
type Who = keyof typeof tokens;
const returns = new Map<string, AddedReturn>();
const certificates: string[] = [];
/** Addresses of the machine surfaces as Fastify knows them. */
const routes = new Set<string>();

const isFastify = (value: unknown): value is { readonly fastify: FastifyInstance } =>
  typeof value === "object" && value !== null && "fastify" in value;
function noteRoutes(made: unknown): void {
  if (!isFastify(made)) return;
  made.fastify.addHook("onRoute", ({ method, url }) => {
    if ([method].flat().includes("GET")) routes.add(url);
  });
}

const departures = [
  ["excepted", { excepted: true }],
  ["waived", { departs: ["attestationPassed", "waived", "the site does not require it"] }],
  ["not-built", { departs: ["validationPassed", "not implemented", "not built"] }],
  ["failed-drive", { verdict: "failed", departs: ["storageSanitized", "excepted", "two people agreed"] }],
] as const;

const get = async (who: Who, path: string): Promise<{ status: number; text: string }> => {
  const answer = await fetch(`${server.url}${path}`, {
    headers: { authorization: `Bearer ${tokens[who]}`, "x-openstack-ironic-api-version": "1.112" },
  });
  return { status: answer.status, text: await answer.text() };
};

/** What webhooks, the live stream and lists of events tell of these hosts: a run, a notice, capacity, and a security event of each kind. */
async function makeNews(): Promise<void> {
  const { backend } = server.world;
  const hostIds = each().map(([, { hostId }]) => hostId);
  for (const who of ["provider", "tenant"] as const)
    await post(who, "webhooks.create", { name: "all", url: "https://hooks.test/all" });
  bulkId = z.object({ id: z.string() }).parse(
    await post("provider", "bulk.preview", {
      ...{ target: { hostIds }, intent: "setMaintenance", reason: "fan" },
    }),
  ).id;
  await post("provider", "notices.create", {
    ...{ kind: "maintenance", target: { site: "a" }, message: "New power supplies" },
  });
  for (const [index, kind] of securityEventNames.entries())
    await writeSecurityEvent(backend.database, {
      ...{ kind, hostId: hostIds[index % hostIds.length] ?? null },
      ...{ address: "192.0.2.7", tried: "a report", path: "POST /agent/v1/result" },
    });
  await watchCapacity(backend.database);
}

const post = async (who: Who, name: string, input: unknown): Promise<unknown> => {
  const answer = await fetch(`${server.url}/api/trpc/${name}`, {
    method: "POST",
    headers: { authorization: `Bearer ${tokens[who]}`, "content-type": "application/json" },
    body: JSON.stringify({ json: input }),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${name}: ${text}`);
  return z.object({ result: z.object({ data: z.object({ json: z.unknown() }) }) }).parse(JSON.parse(text))
    .result.data.json;
};

beforeAll(async () => {
  subscribe("fastify.initialization", noteRoutes);
  server = await startConsoleServer();
  unsubscribe("fastify.initialization", noteRoutes);
  command = createCommand();
  const { world, pool } = server;
  await addFirstKey(pool, world.backend.secrets, "reclaim.test/audit-log");
  for (const [name, given] of departures) {
    const startedAt = "2026-10-30T20:31:00Z";
    const added = await addReturn(world, name, {
      ...{ tenant: "acme", startedAt, serial: `D-${name}`, outcome: "ready" },
      ...given,
    });
    await putInReadyBy(world, added);
    returns.set(name, added);
  }
  // Only a demo lets a gate through that is not built. What follows is of a real site.
  await pool.query("UPDATE site SET demo = false");
  await signAll(world);
  const { rows } = await pool.query<{ id: string }>("SELECT id::text FROM certificate");
  certificates.push(...rows.map(({ id }) => id));
  tokens.provider = await server.token("provider-admin");
  tokens.tenant = await server.token(world.actor("tenant-admin", "acme"));
  await makeNews();
}, 480_000);
afterAll(() => {
  command.remove();
  return server.stop();
});

const operations: Contract = contract;
const reads = Object.entries(operations).flatMap(([noun, entries]) =>
  Object.entries(entries).flatMap(([name, operation]): readonly (readonly [string, Read])[] =>
    operation.kind === "read" ? [[`${noun}.${name}`, operation]] : [],
  ),
);
const each = () => [...returns.entries()];
const idsOf = ({ id, hostId, instanceId }: AddedReturn) => [id, hostId, instanceId];
const allIds = () => [...each().flatMap(([, added]) => idsOf(added)), ...certificates];

async function inputs(): Promise<readonly unknown[]> {
  return [
    ...(await readInputs(server.world, JSON.stringify({ format: 1, site: "a" }))),
    { tenantId: server.world.tenants.acme },
    ...standings.map((standing) => ({ standing })),
    ...standings.map((standing) => ({ filter: `standing:${standing}` })),
    ...allIds().flatMap((id) => [
      ...[{ id }, { instanceId: id }, { reclamationId: id }, { number: id }, { text: id }, { subject: id }],
      ...["return", "host", "instance", "drive", "tenant"].map((of) => ({ of, id })),
    ]),
    ...each().flatMap(([name]) => [
      ...[{ number: `R-${name}` }, { text: name }, { text: `D-${name}` }, { serial: `D-${name}` }],
      { of: "drive", id: `D-${name}` },
    ]),
    ...[1, 2, 3, 4].map((number) => ({ number: `R-${number}` })),
  ];
}

/** Every lie, with where it was told. */
const lies = (where: string, text: string): readonly string[] =>
  liesIn(text).map((lie) => `${where}: ${lie}`);

it("what stands behind this test: each of them is Ready, and none is proven", async () => {
  const { rows } = await server.pool.query<{ name: string; standing: string; state: string }>(
    "SELECT h.name, c.standing, r.state FROM host h JOIN host_run r ON r.host_id = h.id JOIN reclamation c ON c.id = r.reclamation_id ORDER BY 1",
  );
  expect(rows).toEqual([
    { name: "excepted", standing: "provenWithExceptions", state: "Ready" },
    { name: "failed-drive", standing: "notSanitized", state: "Ready" },
    { name: "not-built", standing: "provenWithExceptions", state: "Ready" },
    { name: "waived", standing: "provenWithExceptions", state: "Ready" },
  ]);
  // One for the provider and one for the tenant. Where a gate is not built, nothing is certified outside a demo.
  expect(certificates).toHaveLength(6);
});

describe.each(["provider", "tenant"] as const)("as the %s", (who) => {
  it("no read of the contract says more", async () => {
    const given = await inputs();
    const told: string[] = [];
    const answered = new Set<string>();
    for (const [name, operation] of reads) {
      const fitting = given.filter((candidate) => operation.input.safeParse(candidate).success);
      const paths = new Set(
        fitting.map((input) =>
          input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify({ json: input }))}`,
        ),
      );
      for (const path of drawnOf([...paths], 15)) {
        const { status, text } = await get(who, `/api/trpc/${name}${path}`);
        if (status === 403) break;
        if (status === 200) answered.add(name);
        if (status === 200) told.push(...lies(`${name}${decodeURIComponent(path)}`, text));
      }
    }
    expect([...new Set(told)]).toEqual([]);
    if (!isWhole()) return;
    // A read that was never answered proves nothing here.
    for (const name of who === "provider"
      ? [
          "host.get",
          "host.history",
          "hosts.list",
          "reclamations.find",
          "proof.search",
          "proof.get",
          "drives.list",
        ]
      : ["instances.receipt", "instances.list", "proof.search", "proof.get"])
      expect([name, answered.has(name)]).toEqual([name, true]);
  }, 300_000);

  it("no address of the machine surfaces says more", { tags: "all", timeout: 300_000 }, async () => {
    expect(routes.size).toBeGreaterThan(80);
    const told: string[] = [];
    let answers = 0;
    for (const url of routes) {
      if (/^\/(agent|boot)\//.test(url)) continue;
      const org = url.replace(":org", "acme");
      const names = org.includes(":") ? [...allIds(), "excepted"] : [""];
      for (const path of new Set(
        names.map((name) => org.replaceAll(/:\w+(\([^)]*\))?/g, name).replaceAll("*", name)),
      )) {
        const { status, text } = await get(who, path);
        if (status === 200) answers += 1;
        if (status === 200) told.push(...lies(path, text));
      }
    }
    expect([...new Set(told)]).toEqual([]);
    expect(answers).toBeGreaterThan(who === "provider" ? 60 : 5);
  });
});

it("the machine surfaces say what each of them is", async () => {
  const { text } = await get("provider", "/v1/nodes/excepted");
  expect(JSON.parse(text)).toMatchObject({
    driver_internal_info: { reclaim_standing: "provenWithExceptions" },
  });
  const machine = await get("provider", `/v2/org/acme/nico/machine/${returns.get("failed-drive")?.hostId}`);
  expect(JSON.parse(machine.text)).toMatchObject({
    health: { alerts: [{ id: "SanitizationStanding", target: "notSanitized" }] },
  });
  const excepted = await get("provider", "/v2/org/acme/nico/machine?query=excepted");
  expect(JSON.parse(excepted.text)).toMatchObject([
    { health: { successes: [{ id: "SanitizationStanding", target: "provenWithExceptions" }], alerts: [] } },
  ]);
  const metrics = await get("provider", "/metrics");
  expect(metrics.text).toContain(
    'reclaim_hosts_by_standing{standing="notSanitized",ready="true",site="a"} 1',
  );
});

it.each(["provider", "tenant"] as const)("no file and no live message says more, as the %s", async (who) => {
  const { database } = server.world.backend;
  const told = await fileTexts(server.backend, {
    token: tokens[who],
    certificates: who === "provider" ? certificates : [],
    bulkId,
    sign: () => signAll(server.world),
    change: async () => {
      const hosts = each().map(([, { hostId }]) => hostId);
      for (const hostId of hosts)
        await tellWithin(database, {
          feed: [{ hostId, tenantId: server.world.tenants.acme, what: "settings" }],
        });
      return hosts.at(-1) ?? "";
    },
  });
  expect(told.flatMap(({ where, text }) => lies(where, text))).toEqual([]);
  // Six certificates with their pages, a pack, and the lists of the provider.
  expect(told.length).toBeGreaterThan(who === "provider" ? 60 : 5);
});

it.each(["provider", "tenant"] as const)("no page says more, as the %s", { tags: "all" }, async (who) => {
  const { rows } = await server.pool.query<{ id: string; serial: string }>("SELECT id, serial FROM drive");
  const drives = new Map(rows.map(({ id, serial }) => [serial, id]));
  const shown = each().map(([name, { id, instanceId }]) => ({
    ...{ name, id, instanceId },
    driveId: drives.get(`D-${name}`) ?? "",
  }));
  const told: string[] = [];
  const empty: string[] = [];
  for (const { content, ...place } of who === "provider" ? providerPages(shown) : tenantPages(shown)) {
    const text = await pageText(content, { ...place, url: server.url, token: tokens[who] });
    if (!shown.some(({ name }) => text.includes(name))) empty.push(`${place.path}?${place.search}`);
    told.push(...lies(`${place.path}?${place.search}`, text));
  }
  expect([...new Set(told)]).toEqual([]);
  // A page that names none of them proves nothing here.
  expect(empty).toEqual([]);
});

it("no webhook is told more", async () => {
  const { rows } = await server.pool.query<{ kind: string; body: string; own: boolean }>(
    "SELECT d.kind, d.body, w.tenant_id IS NULL AS own FROM webhook_delivery d JOIN webhook w ON w.id = d.webhook_id",
  );
  expect([...new Set(rows.map(({ kind }) => kind))].sort()).toEqual([
    ...["capacity.added", "notice.created", "security.event"],
  ]);
  expect(rows.flatMap(({ kind, body }) => lies(kind, body))).toEqual([]);
});

it("no command says more, and none verifies as plain", async () => {
  const run = (who: Who, args: readonly string[]) =>
    command.run(args, { url: server.url, token: tokens[who] });
  const names = each().map(([name]) => name);
  const ofHost = [
    "hosts show",
    "hosts history",
    "hosts drives",
    "hosts leftovers",
    "hosts health show",
    "procedures of-host",
  ];
  const subjects: Readonly<Record<string, readonly string[]>> = {
    ...Object.fromEntries(ofHost.map((words) => [words, names])),
    "drives show": names.map((name) => `D-${name}`),
    "reclamations show": names,
    "instances show": names.map((name) => `of-${name}`),
    "instances status-history": names.map((name) => `of-${name}`),
    "instances receipt": names.map((name) => `of-${name}`),
    "proof show": each().map(([, { id }]) => id),
    "proof timeline": names.flatMap((name) => [`host ${name}`, `drive D-${name}`]),
  };
  // Every other command that only reads, except for those that wait; one that needs an argument refuses.
  const others = rows
    .filter(({ uses }) => uses.length > 0 && uses.every((name) => operationOf(name).kind === "read"))
    .map(({ path }) => path)
    .filter((path) => !["watch", "login"].includes(path) && !(path in subjects));
  const told: string[] = [];
  let answers = 0;
  for (const [words, about] of [
    ...Object.entries(subjects),
    ...others.map((words) => [words, [""]] as const),
  ])
    for (const subject of about)
      for (const who of words.startsWith("instances")
        ? (["provider", "tenant"] as const)
        : (["provider"] as const)) {
        const ended = await run(who, [
          ...words.split(" "),
          ...subject.split(" ").filter((word) => word !== ""),
        ]);
        if (ended.code === 0) answers += 1;
        told.push(...lies(`${words} ${subject}`, `${ended.stdout}\n${ended.stderr}`));
      }
  const paths = await Promise.all(
    certificates.map(async (id) => {
      const path = join(command.folder, `${id}.json`);
      expect((await run("provider", ["certificates", "get", id, "--to", path])).code).toBe(0);
      return path;
    }),
  );
  for (const path of paths) {
    const ended = await run("provider", ["verify", path]);
    expect([ended.code, ended.stdout]).not.toEqual([0, expect.anything()]);
    told.push(...lies("verify", `${ended.stdout}\n${ended.stderr}`));
  }
  expect(told).toEqual([]);
  expect(answers).toBeGreaterThan(40);
}, 300_000);
