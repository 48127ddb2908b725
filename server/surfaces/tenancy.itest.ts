// One tenant's texts are planted wherever it can enter any, over HTTP. Then another tenant and a repair tenant request everything: every read of the
// contract, every address of the machine surfaces, exports and the live stream. A newly added read is included automatically.
import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/server/contract/contract";
import type { Contract, Read } from "@/server/contract/define";
import { reachOf } from "@/server/domain/access/access";
import type { Role } from "@/server/domain/access/roles";
import { isObject } from "@/server/domain/json";
import { createMetrics } from "@/server/metrics/registry";
import { createMachineApp } from "@/server/surfaces/machine/machine-app";
import { nicoRoutes } from "@/server/surfaces/machine/nico/routes";
import { certificateResponse } from "@/server/surfaces/web/certificates/certificate-file";
import { assuranceCsvResponse } from "@/server/surfaces/web/csv/assurance-csv";
import { breakFixCsvResponse } from "@/server/surfaces/web/csv/break-fix-csv";
import { bulkCsvResponse } from "@/server/surfaces/web/csv/bulk-csv";
import { certificatesCsvResponse } from "@/server/surfaces/web/csv/certificates-csv";
import { hostsCsvResponse } from "@/server/surfaces/web/csv/hosts-csv";
import { repairCsvResponse } from "@/server/surfaces/web/csv/repair-csv";
import { securityEventsCsvResponse } from "@/server/surfaces/web/csv/security-events-csv";
import { startConsoleServer, type ConsoleServer } from "@/server/surfaces/web/testing/console-server";
import { nextKey } from "@/server/domain/next/group";
import { drawnOf, isWhole } from "@/server/testing/drawn";
import { readInputs } from "@/server/testing/read-inputs";
import { until } from "@/server/testing/until";
import { openTicket } from "@/server/usecases/break-fix/ticket-acts";
import { watchCapacity } from "@/server/usecases/break-fix/watch-capacity";

const secret = (what: string) => `planted-${what}-${randomUUID().slice(0, 8)}`;
/** Must not be readable by anybody else. */
const planted = {
  org: secret("org"),
  tenant: secret("tenant"),
  person: secret("person"),
  instance: secret("instance"),
  renamed: secret("renamed"),
  description: secret("description"),
  labelKey: secret("key"),
  labelValue: secret("value"),
  token: secret("token"),
  webhook: secret("webhook"),
  ticket: secret("ticket"),
  certificate: secret("certificate"),
  /** For the provider only, not even for the owner. */
  internal: secret("internal"),
  note: secret("note"),
  author: secret("author"),
};
/** Readable, as it was written, by a repair tenant if the host awaits repair, but not by other tenants (README.md#sign-in). */
const issue = { summary: secret("summary"), details: secret("details") };

type Reader = "owner" | "other" | "repair";
const roles = {
  owner: "tenant-admin",
  other: "tenant-admin",
  repair: "repair-tenant-admin",
} as const satisfies Record<Reader, Role>;

let server: ConsoleServer;
const tokens = new Map<Reader, string>();
/** The owner's instances: held, being released, and ended. */
const instanceIds: string[] = [];
const hostIds: string[] = [];
let personId = "";
/** The repair tenant's instance, for a repair, and an ordinary instance of each of the others. */
let inOurHands = "";
/** An instance that the repair tenant has given back. */
let returnedByRepair = "";
const ownInstances = { other: "", repair: "" };
const query = (text: string, ...values: unknown[]) => server.pool.query(text, values);
const headersOf = (who: Reader) => ({
  authorization: `Bearer ${tokens.get(who)}`,
  "content-type": "application/json",
  "x-openstack-ironic-api-version": "1.82",
});

async function get(who: Reader, path: string) {
  const answer = await fetch(`${server.url}${path}`, { headers: headersOf(who) });
  return { status: answer.status, text: await answer.text() };
}

async function mutate(who: Reader, procedure: string, input: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(`${server.url}/api/trpc/${procedure}`, {
    method: "POST",
    headers: headersOf(who),
    body: JSON.stringify({ json: input }),
  });
  const text = await answer.text();
  expect([procedure, answer.status, answer.status === 200 ? "" : text]).toEqual([procedure, 200, ""]);
  const body: unknown = JSON.parse(text);
  const value =
    isObject(body) && isObject(body.result) && isObject(body.result.data) ? body.result.data.json : null;
  return isObject(value) ? { ...value } : {};
}

/** A host that the owner has claimed and uses. */
async function taken(name: string): Promise<{ hostId: string; id: string }> {
  const { world } = server;
  const hostId = await world.host();
  await world.put(hostId, "Ready");
  const made = await mutate("owner", "instances.create", {
    name,
    description: planted.description,
    labels: { [planted.labelKey]: planted.labelValue },
    wanted: { siteId: world.siteId },
  });
  await query("DELETE FROM signal WHERE host_id = $1", hostId);
  await world.put(hostId, "Assigned/Ready");
  hostIds.push(hostId);
  instanceIds.push(String(made.id));
  return { hostId, id: String(made.id) };
}

/** Released with an issue and on its way, as the controller would have written it. */
async function returned(state: "WaitingForCleanup/HostCleanup" | "ReturnToAllocation/AwaitingRepair") {
  const { hostId, id } = await taken(`${planted.instance}-${instanceIds.length}`);
  const said = { category: "Other", ...issue };
  await mutate("owner", "instances.release", { ids: [id], issue: said });
  await query("DELETE FROM signal WHERE host_id = $1", hostId);
  await query("UPDATE instance SET ended_at = now() WHERE id = $1", id);
  const { rows } = await query(
    `INSERT INTO reclamation (id, host_id, host_serial, kind, instance_id, tenant_id, requested_by, policy_version, policy)
     SELECT gen_random_uuid(), h.id, h.serial, 'release', $2, i.tenant_id, $3, 1, p.body FROM host h JOIN instance i ON i.id = $2
       JOIN site_policy p ON p.site_id = h.site_id AND p.version = 1 WHERE h.id = $1 RETURNING id`,
    hostId,
    id,
    personId,
  );
  await query(
    `INSERT INTO debt (id, chassis_serial, drive_serials, instance_id, tenant_id, cleared_at, cleared_by)
     SELECT gen_random_uuid(), h.serial, ARRAY['D1'], i.id, i.tenant_id, $3::timestamptz, $4::uuid FROM host h JOIN instance i ON i.id = $2 WHERE h.id = $1`,
    hostId,
    id,
    state === "ReturnToAllocation/AwaitingRepair" ? new Date() : null,
    state === "ReturnToAllocation/AwaitingRepair" ? rows[0]?.id : null,
  );
  await query("UPDATE host_run SET reclamation_id = $2 WHERE host_id = $1", hostId, rows[0]?.id);
  await server.world.put(hostId, state);
  return hostId;
}

/** Machines that the others have as ordinary instances. The repair tenant's used to be the owner's, and its tickets are open. */
async function ordinary(): Promise<void> {
  const { world } = server;
  const { hostId, id } = await taken(`${planted.instance}-former`);
  await mutate("owner", "tickets.open", { instanceId: id, category: "gpu", summary: planted.ticket });
  await mutate("owner", "instances.release", { ids: [id] });
  await query("DELETE FROM signal WHERE host_id = $1", hostId);
  await query("UPDATE instance SET ended_at = now() WHERE id = $1", id);
  await world.put(hostId, "Ready");
  const ours = await mutate("repair", "instances.create", { name: "ours", labels: {}, wanted: { hostId } });
  ownInstances.repair = String(ours.id);
  const back = await world.host();
  await world.put(back, "Ready");
  const given = await mutate("repair", "instances.create", {
    name: "given-back",
    labels: {},
    wanted: { hostId: back },
  });
  returnedByRepair = String(given.id);
  await query("DELETE FROM signal WHERE host_id = $1", back);
  await world.put(back, "Assigned/Ready");
  await mutate("repair", "instances.release", { ids: [returnedByRepair] });
  await query("DELETE FROM signal WHERE host_id = $1", back);
  await query("UPDATE instance SET ended_at = now() WHERE id = $1", returnedByRepair);
  await world.put(back, "Ready");
  const opened = await openTicket(world.backend, world.actor("operator"), world.request(), {
    hostId,
    internal: true,
    category: "gpu",
    summary: planted.internal,
  });
  expect(opened).toMatchObject({ ok: true });
  const fresh = await world.host();
  await world.put(fresh, "Ready");
  const theirs = await mutate("other", "instances.create", {
    name: "theirs",
    labels: {},
    wanted: { siteId: world.siteId },
  });
  ownInstances.other = String(theirs.id);
  for (const host of [hostId, fresh]) {
    await query("DELETE FROM signal WHERE host_id = $1", host);
    await world.put(host, "Assigned/Ready");
  }
}

beforeAll(async () => {
  server = await startConsoleServer();
  const { world } = server;
  const actors = {
    owner: world.actor(roles.owner, "acme"),
    other: world.actor(roles.other, "vela"),
    repair: world.actor(roles.repair, "repair"),
  };
  for (const who of ["owner", "other", "repair"] as const) tokens.set(who, await server.token(actors[who]));
  ({ personId } = actors.owner);
  await query(
    "UPDATE tenant SET org = $2, name = $3 WHERE id = $1",
    world.tenants.acme,
    planted.org,
    planted.tenant,
  );
  await query(
    "UPDATE person SET name = $2, email = $2 || '@example.test' WHERE id = $1",
    personId,
    planted.person,
  );
  // One for each, so that each can ask for its own: what happens from now on is written for them.
  for (const [who, name] of [
    ["owner", planted.webhook],
    ["repair", "ours"],
  ] as const)
    await mutate(who, "webhooks.create", { name, url: "https://hooks.example.com/", kinds: [] });
  const { id } = await taken(planted.instance);
  await mutate("owner", "instances.update", { instanceId: id, name: planted.renamed });
  await query("UPDATE api_token SET name = $2 WHERE person_id = $1", personId, planted.token);
  const online = await taken(`${planted.instance}-online`);
  await mutate("owner", "instances.beginRepair", {
    instanceId: online.id,
    issue: { category: "Other", ...issue },
    allowAutoInstanceDeletionOnFailure: false,
    acknowledgments: {
      acceptDataCorruptionRisk: true,
      acceptRepairTeamAccess: true,
      acceptInstanceDeletionRisk: true,
    },
  });
  await returned("WaitingForCleanup/HostCleanup");
  await returned("ReturnToAllocation/AwaitingRepair");
  // One that was waiting for repair, and that the repair tenant has now.
  const inHands = await returned("ReturnToAllocation/AwaitingRepair");
  const repairing = await mutate("repair", "instances.create", {
    name: "in-our-hands",
    labels: {},
    wanted: { hostId: inHands, allowUnhealthy: true },
  });
  inOurHands = String(repairing.id);
  await world.put(inHands, "Assigned/Ready");
  await query(
    `INSERT INTO notice (id, ref, kind, site_id, immediate, starts_at, message, note, created_by)
     SELECT gen_random_uuid(), ref, 'maintenance', $1, true, now(), 'power', $2, $3 FROM unnest(ARRAY['MN-0000000000', 'MN-0000000001']) ref`,
    world.siteId,
    planted.note,
    planted.author,
  );
  await ordinary();
  await mutate("owner", "notices.acknowledge", { notice: "MN-0000000000" });
  await watchCapacity(world.backend.database);
  // A certificate for the provider and a receipt for the owner, whose texts the others must not see. The repair tenant has one of its own.
  await query(
    `INSERT INTO certificate (id, reclamation_id, host_id, kind, type, statement, sha256, tenant_id, instance_id, event_id, bundle, signed_at)
     SELECT gen_random_uuid(), c.id, c.host_id, k.kind, 'purge', to_jsonb($1::text)::text, 'x', c.tenant_id, c.instance_id, gen_random_uuid(), $1::text, now()
     FROM reclamation c, (VALUES ('receipt'), ('provider')) k (kind) WHERE c.tenant_id = $2
     UNION ALL SELECT gen_random_uuid(), gen_random_uuid(), i.host_id, 'receipt', 'purge', 'ours', 'x', i.tenant_id, i.id, gen_random_uuid(), 'ours', now()
     FROM instance i WHERE i.id = ANY($3)`,
    planted.certificate,
    world.tenants.acme,
    Object.values(ownInstances),
  );
});
afterAll(() => server.stop());

const operations: Contract = contract;
const reads = Object.entries(operations).flatMap(([noun, entries]) =>
  Object.entries(entries).flatMap(([name, operation]): readonly (readonly [string, Read])[] =>
    operation.kind === "read" ? [[`${noun}.${name}`, operation]] : [],
  ),
);
const mayAsk = (who: Reader, { right }: Read) => right === null || reachOf(roles[who], right) !== "none";

/** Inputs that name what the owner has: by id and by name. */
async function inputs(): Promise<readonly unknown[]> {
  const { rows } = await query(
    "SELECT id::text AS id FROM reclamation WHERE instance_id IS NOT NULL UNION SELECT id::text FROM ticket UNION SELECT ref FROM ticket UNION SELECT id::text FROM webhook UNION SELECT id::text FROM certificate",
  );
  const ids = [
    ...instanceIds,
    inOurHands,
    ...rows.map(({ id }) => String(id)),
    server.world.tenants.acme,
    personId,
  ];
  const texts = [...Object.values(planted), ...Object.values(issue), "planted", "R-1"];
  return [
    ...(await readInputs(server.world, JSON.stringify({ format: 1, site: "a" }))),
    ...ids.flatMap((id) => [{ id }, { instanceId: id }, { tenantId: id }, { ticket: id }, { text: id }]),
    ...[...ids, returnedByRepair, server.world.tenants.repair].flatMap((id) => [
      { id },
      { of: "return", id },
      { of: "tenant", id },
    ]),
    ...texts.flatMap((text) => [
      { text },
      { filter: text },
      { tenant: text },
      { org: text },
      { filter: text, status: "all" },
    ]),
    // What each of them may have on its list of what is next.
    { key: nextKey("notice", "unacknowledged") },
    { key: nextKey("repair", "queue") },
    { key: nextKey("held", "own") },
    { status: "all" },
    { status: "ended" },
    ...hostIds.map((id) => ({ host: id })),
    ...hostIds.flatMap((hostId) => instanceIds.map((instanceId) => ({ hostId, instanceId }))),
  ];
}

const pathOf = (name: string, input: unknown) =>
  `/api/trpc/${name}${input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify({ json: input }))}`}`;

/** Which planted texts are in an answer and were not in the question. */
const found = (path: string, text: string, among: readonly string[]): readonly string[] =>
  among
    .filter((one) => text.includes(one) && !decodeURIComponent(path).includes(one))
    .map((one) => `${path}: ${one}`);
const hidden = (who: Reader): readonly string[] => [
  ...Object.values(planted),
  ...instanceIds,
  personId,
  server.world.tenants.acme,
  ...(who === "repair" ? [] : Object.values(issue)),
];

interface AnsweredRequest {
  readonly path: string;
  readonly status: number;
  readonly text: string;
}

/** Of each read in `npm test`. */
const mostInputs = 15;

/** Calls every read that the role may use, with each input that it accepts. */
async function askAll(who: Reader): Promise<ReadonlyMap<string, readonly AnsweredRequest[]>> {
  const given = await inputs();
  const answers = new Map<string, readonly AnsweredRequest[]>();
  for (const [name, operation] of reads) {
    const fitting = given.filter((candidate) => operation.input.safeParse(candidate).success);
    // A read that the role may never use is refused before anything is read, so one call is enough.
    const paths = new Set(
      (mayAsk(who, operation) ? fitting : fitting.slice(0, 1)).map((one) => pathOf(name, one)),
    );
    const asked: AnsweredRequest[] = [];
    // Fifteen reads take dozens of inputs each.
    for (const path of drawnOf([...paths], mostInputs)) asked.push({ path, ...(await get(who, path)) });
    answers.set(name, asked);
  }
  return answers;
}

describe("every read of the contract", () => {
  it("has an input here, and answers the tenant itself with its own", { tags: "all" }, async () => {
    const answers = await askAll("owner");
    expect(reads.filter(([name]) => answers.get(name)?.length === 0).map(([name]) => name)).toEqual([]);
    // A refusal repeats what was asked for, which tells nothing.
    const mine = (among: readonly string[]) =>
      [...answers.values()].flat().flatMap(({ path, text }) => found(path, text, among));
    for (const word of [
      planted.renamed,
      planted.tenant,
      planted.description,
      planted.labelValue,
      planted.person,
    ])
      expect([word, mine([word]).length > 0]).toEqual([word, true]);
    expect(mine([planted.internal, planted.note, planted.author])).toEqual([]);
    // Every read that the owner may use must have answered something. A new one needs an input that names what the tenant has.
    const silent = reads.filter(
      ([name, operation]) =>
        mayAsk("owner", operation) && !answers.get(name)?.some(({ status }) => status === 200),
    );
    expect(silent.map(([name]) => name)).toEqual([]);
  });

  it.each(["other", "repair"] as const)("tells nothing of it: %s", async (who) => {
    const answers = await askAll(who);
    const all = [...answers.values()].flat();
    expect(all.flatMap(({ path, text }) => found(path, text, hidden(who)))).toEqual([]);
    const refused = reads.filter(([, operation]) => !mayAsk(who, operation));
    for (const [name] of refused) expect([name, answers.get(name)?.[0]?.status]).toEqual([name, 403]);
    // Every read answered the repair tenant, also about its own instance on the owner's former host. So it means something that nothing was found.
    const silent = reads.filter(
      ([name, operation]) =>
        mayAsk(who, operation) && !answers.get(name)?.some(({ status }) => status === 200),
    );
    if (who === "repair" && isWhole()) expect(silent.map(([name]) => name)).toEqual([]);
    // The issue is the only thing that a repair tenant gets to see: it is in the queue.
    const told = all.some(({ path, text }) => found(path, text, [issue.summary]).length > 0);
    if (who === "repair" && !isWhole()) return;
    expect(told).toBe(who === "repair");
  });

  const sameAsNothing = async (who: "other" | "repair") => {
    const strip = (text: string, id: string) =>
      text.replaceAll(id, "ID").replaceAll(/"requestId":"[^"]*"/g, "");
    // The repair tenant may read the tickets of the host that it has for a repair.
    const { rows } = await query(
      `SELECT unnest(ARRAY[t.id::text, t.ref]) AS id FROM ticket t WHERE NOT EXISTS (SELECT 1 FROM instance i WHERE i.host_id = t.host_id AND i.id = $1)
       UNION SELECT w.id::text FROM webhook w WHERE w.name <> 'ours' UNION SELECT id::text FROM reclamation WHERE instance_id IS NOT NULL
       UNION SELECT c.id::text FROM capacity_event c WHERE c.tenant_id = $2 UNION SELECT k.id::text FROM certificate k WHERE k.tenant_id = $2`,
      inOurHands,
      server.world.tenants.acme,
    );
    const ids = [...instanceIds, ...rows.map(({ id }) => String(id)), server.world.tenants.acme, personId];
    const members = ["id", "instanceId", "tenantId", "text", "filter", "ticket", "host", "hostId", "after"];
    for (const [name, operation] of reads.filter(([, each]) => mayAsk(who, each)))
      for (const id of drawnOf(ids, 8))
        for (const member of [...members, "notice", "webhook", "name"]) {
          // There it is a position among ids, so any id is valid.
          if (name === "capacity.nodes" && member === "after") continue;
          if (!operation.input.safeParse({ [member]: id }).success) continue;
          const none = id.startsWith("BF-") ? "BF-0000000000" : randomUUID();
          const [its, nobodys] = [
            await get(who, pathOf(name, { [member]: id })),
            await get(who, pathOf(name, { [member]: none })),
          ];
          expect([name, its.status, strip(its.text, id)]).toEqual([
            name,
            nobodys.status,
            strip(nobodys.text, none),
          ]);
        }
  };
  it("answers what is another's as what is not there", () => sameAsNothing("other"));
  it("answers a repair tenant so, too", { tags: "all" }, () => sameAsNothing("repair"));
});

/** Every address of NICo's API that can be read, with the ids that the tenants know or could guess. */
async function nicoPaths(org: string): Promise<readonly string[]> {
  const urls = new Set<string>();
  const app = createMachineApp({
    metrics: createMetrics(),
    logger: pino({ level: "silent" }),
    trustedProxies: [],
    ironic: true,
  });
  app.addHook("onRoute", ({ url, method }) => {
    if ([method].flat().includes("GET")) urls.add(url);
  });
  await app.register(nicoRoutes, { prefix: "/v2", backend: server.backend, logger: server.backend.logger });
  await app.ready();
  await app.close();
  const values = [
    ...instanceIds,
    ...hostIds,
    server.world.tenants.acme,
    planted.renamed,
    server.world.siteId,
  ];
  return [...urls].flatMap((url) => {
    const path = url.replace(":org", org);
    return path.includes(":") ? values.map((value) => path.replaceAll(/:\w+/g, value)) : [path];
  });
}

it.each(["other", "repair"] as const)("no address of NICo's API tells of it: %s", async (who) => {
  const own = who === "other" ? "vela" : "repair";
  const paths = [...(await nicoPaths(own)), ...(await nicoPaths(planted.org))].flatMap((path) => [
    path,
    `${path}?query=${planted.renamed}&pageSize=100&includeMetadata=false`,
  ]);
  expect(paths.length).toBeGreaterThan(40);
  const answers: AnsweredRequest[] = [];
  for (const path of paths) answers.push({ path, ...(await get(who, path)) });
  expect(answers.flatMap(({ path, text }) => found(path, text, hidden(who)))).toEqual([]);
  expect(answers.filter(({ path, status }) => path.includes(planted.org) && status === 200)).toEqual([]);
  // It gets answers about its own, so the rest means something.
  expect(answers.some(({ status }) => status === 200)).toBe(true);
});

describe("elsewhere", () => {
  it("the Ironic API and metrics are the provider's", async () => {
    for (const who of ["other", "repair"] as const)
      for (const path of [
        "/v1/nodes/detail",
        `/v1/nodes/${hostIds[0]}`,
        "/v1/ports/detail",
        "/v1/allocations",
        "/metrics",
      ]) {
        const { status, text } = await get(who, path);
        expect(found(path, text, [...hidden(who), ...Object.values(issue)])).toEqual([]);
        expect([path, status >= 400 || path === "/metrics"]).toEqual([path, true]);
      }
  });

  it("exports are refused to tenants but for what repairs and what is their own, and there are no others", async () => {
    const files = readdirSync(fileURLToPath(new URL("../../app/api", import.meta.url)));
    // A new one belongs in this test.
    expect(files.sort()).toEqual([
      // The log and its events, and who reads them: server/surfaces/web/http.itest.ts.
      "assurance.csv",
      "audit-log",
      "audit.csv",
      "auth",
      "break-fix.csv",
      "bulk.csv",
      "certificates",
      "certificates.csv",
      "demo",
      // Evidence files, and who reads them: server/surfaces/web/evidence/evidence.itest.ts.
      "evidence",
      "hosts.csv",
      "live",
      "openapi.json",
      // Packs, checked files and the list of returns, and for whom: server/surfaces/web/proof/proof-http.itest.ts.
      "proof",
      "proof.csv",
      "repair.csv",
      "security-events.csv",
      "site.schema.json",
      "trpc",
    ]);
    const mine = new Request("http://localhost:3000/api/break-fix.csv?list=tickets", {
      headers: headersOf("owner"),
    });
    expect(await (await breakFixCsvResponse(server.backend, mine)).text()).toContain(issue.summary);
    const { rows: theirs } = await query(
      "SELECT id::text FROM certificate WHERE tenant_id = $1",
      server.world.tenants.acme,
    );
    for (const who of ["other", "repair"] as const) {
      const file = (path: string) => new Request(`http://localhost:3000${path}`, { headers: headersOf(who) });
      const csv = await hostsCsvResponse(server.backend, file("/api/hosts.csv"));
      const run = await bulkCsvResponse(server.backend, file(`/api/bulk.csv?id=${randomUUID()}`));
      const events = await securityEventsCsvResponse(server.backend, file("/api/security-events.csv"));
      expect([csv.status, run.status, events.status]).toEqual([403, 403, 403]);
      for (const list of ["exceptions", "ending"]) {
        const assurance = await assuranceCsvResponse(server.backend, file(`/api/assurance.csv?list=${list}`));
        expect([list, assurance.status]).toEqual([list, 403]);
      }
      const index = await certificatesCsvResponse(server.backend, file("/api/certificates.csv"));
      expect(found("certificates", await index.text(), hidden(who))).toEqual([]);
      for (const { id } of theirs) {
        const bundle = await certificateResponse(server.backend, file(`/api/certificates/${id}`), String(id));
        expect([bundle.status, found("bundle", await bundle.text(), hidden(who))]).toEqual([404, []]);
      }
      for (const tab of ["queue", "held", "outcomes", "offenders"]) {
        const repair = await repairCsvResponse(server.backend, file(`/api/repair.csv?tab=${tab}`));
        expect([tab, repair.status]).toEqual([tab, who === "repair" ? 200 : 403]);
        expect(found(tab, await repair.text(), hidden(who))).toEqual([]);
      }
      for (const list of ["tickets", "notices", "capacity"]) {
        const own = await breakFixCsvResponse(server.backend, file(`/api/break-fix.csv?list=${list}`));
        expect([list, own.status]).toEqual([list, 200]);
        expect(found(list, await own.text(), hidden(who))).toEqual([]);
      }
    }
  });

  it("webhooks are sent what is their tenant's alone", async () => {
    const { rows } = await query(
      "SELECT d.body::text AS body FROM webhook_delivery d JOIN webhook w ON w.id = d.webhook_id WHERE w.name = 'ours'",
    );
    expect(rows.length).toBeGreaterThan(0);
    const sent = rows.map(({ body }) => String(body)).join("\n");
    expect(found("webhook", sent, [...hidden("repair"), ...Object.values(issue)])).toEqual([]);
    const mine = await query(
      "SELECT d.body::text AS body FROM webhook_delivery d JOIN webhook w ON w.id = d.webhook_id WHERE w.name = $1",
      planted.webhook,
    );
    const own = mine.rows.map(({ body }) => String(body)).join("\n");
    expect(own).toContain(planted.ticket);
    expect(found("webhook", own, [planted.internal, planted.note, planted.author])).toEqual([]);
  });

  it("the live stream tells a tenant of its own alone", async () => {
    const readers = (["owner", "other", "repair"] as const).map((who) => {
      const end = new AbortController();
      const state = { who, text: "", end };
      const reading = (async () => {
        const answer = await fetch(`${server.url}/api/live?from=0`, {
          headers: headersOf(who),
          signal: end.signal,
        });
        expect(answer.status).toBe(200);
        const decoder = new TextDecoder();
        for await (const piece of answer.body ?? []) state.text += decoder.decode(piece);
      })().catch(() => undefined);
      return { ...state, read: () => state.text, reading };
    });
    const held = instanceIds[0] ?? "";
    await until("the streams to begin", 20_000, async () => readers.every(({ read }) => read() !== ""));
    await mutate("owner", "instances.update", {
      instanceId: held,
      description: `${planted.description}, changed`,
    });
    await mutate("owner", "instances.release", { ids: [held], issue: { category: "Other", ...issue } });
    await until(
      "the owner to be told",
      20_000,
      async () => readers[0]?.read().includes(hostIds[0] ?? "") ?? false,
    );
    // Anything still to come for the others would have arrived before this later event of their own.
    for (const [who, id] of Object.entries(ownInstances)) {
      const { rows } = await query("SELECT host_id::text AS host FROM instance WHERE id = $1", id);
      const mine = readers.find((reader) => reader.who === who);
      await mutate(who === "repair" ? "repair" : "other", "instances.update", {
        instanceId: id,
        description: "later",
      });
      await until(
        `${who} to be told of its own`,
        20_000,
        async () => mine?.read().includes(String(rows[0]?.host)) === true,
      );
    }
    for (const { end } of readers) end.abort();
    await Promise.all(readers.map(({ reading }) => reading));
    for (const { who, read } of readers.slice(1)) {
      expect(found("live", read(), hidden(who))).toEqual([]);
      expect(found("live", read(), [...Object.values(issue), hostIds[0] ?? ""])).toEqual([]);
    }
  });
});
