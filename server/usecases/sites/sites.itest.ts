// Sites as documents on a real database: what an apply writes, what it refuses, what is stored, and that no secret is returned.
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { roles } from "@/server/domain/access/roles";
import { tokenHash } from "@/server/domain/access/tokens";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import type { SkuComponents } from "@/server/domain/hosts/inventory/sku";
import { skuComponents } from "@/server/domain/hosts/inventory/testing/sku-components";
import { formatChange } from "@/server/domain/sites/difference";
import type { SiteDocument } from "@/server/domain/sites/document";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import { setSiteAutomatedClean } from "@/server/usecases/cleaning/policy/set-site-automated-clean";
import { claimHost } from "@/server/usecases/instances/claim-host";
import { applySite } from "@/server/usecases/sites/apply-site";
import { compareSite } from "@/server/usecases/sites/compare-site";
import { getSite } from "@/server/usecases/sites/get-site";
import { siteVersions } from "@/server/usecases/sites/site-versions";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.stop());

const components: SkuComponents = {
  ...skuComponents,
  baseline: { bios: { SriovGlobalEnable: "Enabled" }, lockdown: true },
};
const tenants = [
  { org: "acme", name: "Acme" },
  { org: "repair", name: "Repair", targetedInstanceCreation: true },
  { org: "vela", name: "Vela Bio" },
];
/** A document as a person writes it: the site, and the given members. */
const written = (over: object = {}, site = "a"): string => stringify({ format: 1, site, ...over });
const controller = {
  url: "https://network.test",
  token: { fromEnv: "NET" },
  acknowledgementToken: { fromFile: "ack" },
};
const bmcCredentials = { lab: { username: "root", password: { fromEnv: "BMC" } } };
const planted = {
  "env:NET": `planted-${randomUUID()}`,
  "file:ack": `planted-${randomUUID()}`,
  "env:BMC": `planted-${randomUUID()}`,
};
const image = { version: "1.5.0", url: "https://images.test/agent" };

type ApplyRequest = Parameters<typeof applySite>[3];
const ask = (document: string, over: Partial<ApplyRequest> = {}, who = world.actor("provider-admin")) =>
  applySite(world.backend, who, world.request(), { document, reason: "ticket 4711", ...over });
async function apply(document: string, over: Partial<ApplyRequest> = {}) {
  const result = await ask(document, over);
  if (!result.ok) throw new Error(result.problem.detail);
  return result.value;
}
async function view(site = "a", version?: number) {
  const result = await getSite(world.backend, world.actor("auditor"), {
    site,
    ...(version === undefined ? {} : { version }),
  });
  if (!result.ok) throw new Error(result.problem.detail);
  return result.value;
}
async function history(site = "a") {
  const result = await siteVersions(world.backend, world.actor("auditor"), { site, limit: 50 });
  if (!result.ok) throw new Error(result.problem.detail);
  return result.value;
}
const words = (changes: readonly Parameters<typeof formatChange>[0][]) => changes.map(formatChange);
const database = () => world.backend.database;
const events = () =>
  database().auditEvent.findMany({ where: { action: "site.apply" }, orderBy: { at: "asc" } });
/** The database as it is after the migrations. */
const empty = () => database().$executeRaw`TRUNCATE site, sku, tenant, step_override CASCADE`;

describe("a document", () => {
  it("makes a site in an empty database, which says the same of itself", async () => {
    await empty();
    const document = written(
      {
        networkController: controller,
        policy: { times: { stateMs: 60_000 }, provisioningNetworks: ["10.1.0.0/16"] },
        priorities: { "deploy.erase_nvme": 70 },
        agentImage: image,
        skus: [{ name: "HGX-8", components, priorities: { "deploy.erase_nvme": 71 } }],
        tenants,
      },
      "berlin",
    );
    expect(await ask(document, { secrets: planted })).toMatchObject({
      problem: { code: "notFound", detail: expect.stringContaining("--create") },
    });
    const made = await apply(document, { secrets: planted, create: true });
    expect(made).toMatchObject({ site: "berlin", created: true, applied: true, version: 1 });
    const now = await view("berlin");
    expect(now).toMatchObject({ version: 1, revision: made.revision });
    expect(now.document).toEqual({
      format: 1,
      site: "berlin",
      networkController: {
        url: controller.url,
        token: { stored: true },
        acknowledgementToken: { stored: true },
      },
      policy: {
        ...defaultPolicy(),
        times: { ...defaultPolicy().times, stateMs: 60_000 },
        provisioningNetworks: ["10.1.0.0/16"],
      },
      bmcTrust: "pinOrAuthority",
      priorities: { "deploy.erase_nvme": 70 },
      agentImage: { ...image, sha256: null, signed: false, kind: "reclaim" },
      skus: [{ name: "HGX-8", components, priorities: { "deploy.erase_nvme": 71 } }],
      tenants: tenants.map((tenant) => ({
        networkAllocation: true,
        targetedInstanceCreation: false,
        instanceQuota: null,
        ...tenant,
      })),
    } satisfies SiteDocument);
    const site = await database().site.findUniqueOrThrow({
      where: { name: "berlin" },
      include: { tokens: true },
    });
    expect(site).toMatchObject({ demo: false, label: null, policyVersion: 1 });
    expect(
      world.backend.secrets.open(site.networkToken ?? new Uint8Array(), secretPlaces.networkToken(site.id)),
    ).toBe(planted["env:NET"]);
    expect(site.tokens.map(({ hash }) => Buffer.from(hash))).toEqual([tokenHash(planted["file:ack"])]);
  });

  it("applied again writes nothing and says so; with another secret only that changes", async () => {
    const document = written({
      networkController: controller,
      skus: [{ name: "HGX-8", components }],
      tenants,
    });
    expect(await apply(document, { secrets: planted })).toMatchObject({ applied: true, version: 2 });
    const before = await view();
    expect(await apply(document, { secrets: planted })).toMatchObject({
      applied: false,
      version: null,
      changes: [],
    });
    expect(await apply(stringify(before.document))).toMatchObject({ applied: false, changes: [] });
    expect([await history(), await events()].map(({ length }) => length)).toEqual([2, 1]);
    const next = await apply(document, { secrets: { ...planted, "env:NET": "another" } });
    expect(words(next.changes)).toEqual(["networkController.token: another secret"]);
    expect(next.revision).toBe(before.revision);
    expect(await database().sitePolicy.count()).toBe(1);
  });

  it("that leaves a section out leaves SKUs and tenants alone", async () => {
    await apply(written({ skus: [{ name: "HGX-8", components }], tenants }));
    expect(await apply(written({ policy: { times: { stateMs: 5 } } }))).toMatchObject({
      changes: [{ path: ["policy", "times", "stateMs"], before: 1_800_000, after: 5 }],
    });
    expect((await view()).document.skus).toHaveLength(1);
    expect(await database().tenant.count()).toBe(3);
  });

  it("keeps what another release wrote into the policy, and takes away what it leaves out", async () => {
    await database().sitePolicy.updateMany({
      data: {
        body: {
          ...defaultPolicy(),
          future: { gate: true },
          sanitization: { ...defaultPolicy().sanitization, excludedMedia: [{ reason: "keys" }] },
        },
      },
    });
    expect(words((await apply(written())).changes)).toEqual([
      'policy.sanitization.excludedMedia: removed, was [{"reason":"keys"}]',
    ]);
    const { body } = await database().sitePolicy.findFirstOrThrow({ where: { version: 2 } });
    expect(body).toEqual({ ...defaultPolicy(), future: { gate: true } });
  });

  it("is changed, compared and taken back in a dry run", async () => {
    const document = written({
      skus: [{ name: "HGX-8", components }],
      priorities: { "deploy.erase_nvme": 70 },
    });
    const compared = await compareSite(world.backend, world.actor("auditor"), { document });
    const dry = await apply(document, { dryRun: true });
    expect(compared).toMatchObject({
      ok: true,
      value: { exists: true, revision: dry.revision, changes: dry.changes },
    });
    expect(dry).toMatchObject({ applied: false, version: null, changes: [{}, {}] });
    expect([
      await database().sku.count(),
      await database().stepOverride.count(),
      (await events()).length,
    ]).toEqual([0, 0, 0]);
    expect(await apply(written({}, "new"), { dryRun: true, create: true })).toMatchObject({
      created: true,
      applied: false,
      revision: null,
    });
    expect(await database().site.count()).toBe(1);
  });

  it("rolls an image out to one host first, once, and takes none away", async () => {
    await apply(written({ agentImage: image }));
    expect(await database().agentImage.findMany()).toMatchObject([
      { version: "1.5.0", status: "candidate", stage: "few", hosts: 1 },
    ]);
    await database().agentImage.updateMany({ data: { status: "current", stage: "all", hosts: null } });
    expect(await apply(written({ agentImage: image }))).toMatchObject({ applied: false });
    await apply(written({ agentImage: { ...image, version: "1.6.0" } }));
    // While 1.6.0 is the candidate, a document with the current image is still accepted.
    expect(await apply(written({ agentImage: image }))).toMatchObject({ applied: false });
    expect(await ask(written({ agentImage: { ...image, version: "1.7.0" } }))).toMatchObject({
      problem: {
        code: "notAllowedNow",
        faults: [
          {
            line: 3,
            path: "agentImage",
            message: expect.stringContaining("already has the candidate 1.6.0"),
          },
        ],
      },
    });
    expect(await ask(written())).toMatchObject({
      problem: { faults: [{ path: "agentImage", message: expect.stringContaining("not remove it") }] },
    });
    await database().agentImage.updateMany({ where: { version: "1.6.0" }, data: { status: "withdrawn" } });
    expect(await ask(written({ agentImage: { ...image, version: "1.6.0" } }))).toMatchObject({
      problem: {
        faults: [
          { path: "agentImage.version", message: expect.stringContaining("has already used version 1.6.0") },
        ],
      },
    });
  });
});

describe("what a document may not", () => {
  it("is told as a whole, with lines, and nothing is written", async () => {
    const document = written({
      networkController: controller,
      priorities: { "deploy.erase_nvme": 86, "deploy.nothing": 3 },
      skus: [{ name: "HGX-8", components, priorities: { "bios.nothing": 1 } }],
      tenants: tenants.slice(1),
    });
    const line = (text: string) => document.split("\n").findIndex((one) => one.includes(text)) + 1;
    const result = await ask(document);
    expect(result).toMatchObject({
      ok: false,
      problem: {
        code: "invalid",
        field: "document",
        faults: [
          { line: line(" token"), path: "networkController.token", message: "no value was sent for env:NET" },
          { line: line("acknowledgementToken"), message: "no value was sent for file:ack" },
          {
            line: line("erase_nvme"),
            message: expect.stringMatching(/erase_disks have the same priority 86/),
          },
          { line: line("deploy.nothing"), message: expect.stringContaining("no clean step deploy.nothing") },
          { line: line("bios.nothing"), path: "skus.0.priorities.bios.nothing" },
          {
            line: line("tenants"),
            message: "the tenant acme is missing from the document, but it has 2 people",
          },
        ],
      },
    });
    expect([
      await database().sku.count(),
      await database().stepOverride.count(),
      await database().siteVersion.count(),
    ]).toEqual([0, 0, 0]);
    expect(await events()).toMatchObject([{ outcome: "refused", targetId: "a" }]);
  });

  it("is to make a tie by two steps that neither makes alone", async () => {
    expect(
      await ask(written({ priorities: { "deploy.erase_nvme": 77, "deploy.erase_disks": 77 } })),
    ).toMatchObject({
      problem: { code: "invalid", faults: [{}, {}] },
    });
    // A swap, after which there is no tie.
    const [nvme, disks] = [90, 86];
    expect(
      await apply(written({ priorities: { "deploy.erase_nvme": disks, "deploy.erase_disks": nvme } })),
    ).toMatchObject({ applied: true });
  });

  it("is to leave out what somebody uses", async () => {
    await apply(
      written({
        networkController: controller,
        skus: [
          { name: "HGX-8", components, priorities: { "deploy.erase_nvme": 70 } },
          { name: "spare", components },
        ],
      }),
      { secrets: planted },
    );
    const sku = await database().sku.findUniqueOrThrow({ where: { name: "HGX-8" } });
    const hostId = await world.host("gpu-1");
    await database().host.update({ where: { id: hostId }, data: { skuId: sku.id } });
    await world.put(hostId, "Ready");
    const claimed = await claimHost(world.backend, world.actor("tenant-admin"), world.request(), {
      name: "train-1",
      wanted: { siteId: world.siteId },
    });
    expect(claimed).toMatchObject({ ok: true });
    const result = await ask(written({ skus: [], tenants: [] }));
    expect(result).toMatchObject({
      problem: {
        code: "notAllowedNow",
        faults: [
          {
            message:
              "the network controller is missing from the document, but 1 host (gpu-1) of the site need it",
          },
          {
            message:
              "the SKU HGX-8 is missing from the document, but 1 host (gpu-1) has it: assign another one first",
          },
          {
            message: expect.stringMatching(
              /tenant acme is missing from the document, but it has 2 people; 1 instance, ended/,
            ),
          },
          { message: expect.stringContaining("tenant repair") },
          { message: expect.stringContaining("tenant vela") },
        ],
      },
    });
    await database().host.update({ where: { id: hostId }, data: { skuId: null } });
    expect(
      words(
        (
          await apply(
            written({
              networkController: {
                ...controller,
                token: { stored: true },
                acknowledgementToken: { stored: true },
              },
              skus: [],
            }),
          )
        ).changes,
      ),
    ).toEqual([
      expect.stringContaining("skus.HGX-8: removed"),
      expect.stringContaining("skus.spare: removed"),
    ]);
    expect([await database().sku.count(), await database().stepOverride.count()]).toEqual([0, 0]);
  });

  it("is anything of another state of the site: one of two writers is refused", async () => {
    const { revision } = await view();
    const one = written({ revision, policy: { times: { stateMs: 5 } } });
    const two = written({ policy: { times: { stateMs: 6 } } });
    const results = await Promise.all([ask(one), ask(two, { revision: revision ?? "" })]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.find(({ ok }) => !ok)).toMatchObject({ problem: { code: "conflict", field: "revision" } });
    const now = await view();
    await setSiteAutomatedClean(world.backend, world.actor("provider-admin"), world.request(), {
      siteId: world.siteId,
      automatedClean: false,
    });
    expect(await ask(two.replace("6", "7"), { revision: now.revision ?? "" })).toMatchObject({
      problem: { code: "conflict" },
    });
  });

  it("is applied by a provider admin alone, and read by the provider's people", async () => {
    for (const role of roles) {
      const may = role === "provider-admin";
      expect(await ask(written(), {}, world.actor(role))).toMatchObject(
        may ? { ok: true } : { problem: { code: "forbidden" } },
      );
      const reads = !role.includes("tenant");
      expect(await getSite(world.backend, world.actor(role), { site: "a" })).toMatchObject(
        reads ? { ok: true } : { problem: { code: "forbidden" } },
      );
      expect((await siteVersions(world.backend, world.actor(role), { site: "a", limit: 1 })).ok).toBe(reads);
      expect((await compareSite(world.backend, world.actor(role), { document: written() })).ok).toBe(reads);
    }
  });
});

describe("the history", () => {
  it("has no gap: it begins with what was there, and holds what other acts changed", async () => {
    await apply(written({ policy: { times: { stateMs: 5 } } }));
    await setSiteAutomatedClean(world.backend, world.actor("provider-admin"), world.request(), {
      siteId: world.siteId,
      automatedClean: false,
    });
    await apply(written({ policy: { times: { stateMs: 6 } } }), { reason: "ticket 4712" });
    const name = world.actor("provider-admin").name;
    expect(
      (await history()).map(({ version, byName, reason, changes }) => [
        version,
        byName,
        reason,
        words(changes),
      ]),
    ).toEqual([
      [4, name, "ticket 4712", ["policy.automatedClean: false → true", "policy.times.stateMs: 5 → 6"]],
      [
        3,
        null,
        "Changed outside the document since version 2. See the audit log.",
        ["policy.automatedClean: true → false"],
      ],
      [2, name, "ticket 4711", ["policy.times.stateMs: 1800000 → 5"]],
      [1, null, "The site before its first document.", []],
    ]);
    expect(
      await siteVersions(world.backend, world.actor("operator"), { site: "a", limit: 1, before: 3 }),
    ).toMatchObject({ value: [{ version: 2 }] });
    expect(await events()).toMatchObject([
      {
        targetId: world.siteId,
        outcome: "done",
        after: {
          site: "a",
          version: 2,
          reason: "ticket 4711",
          changes: ["policy.times.stateMs: 1800000 → 5"],
        },
      },
      { after: { version: 4 } },
    ]);
  });
  it("is restored by applying an earlier version", async () => {
    await apply(written({ policy: { times: { stateMs: 5 } }, skus: [{ name: "HGX-8", components }] }));
    const early = await view("a", 1);
    expect(early).toMatchObject({ version: 1, revision: null, document: { skus: [] } });
    await apply(stringify(early.document));
    expect((await view()).document).toEqual(early.document);
    expect((await history()).map(({ version }) => version)).toEqual([3, 2, 1]);
    expect(await getSite(world.backend, world.actor("operator"), { site: "a", version: 9 })).toMatchObject({
      problem: { code: "notFound" },
    });
    expect(await getSite(world.backend, world.actor("operator"), { site: "b" })).toMatchObject({
      problem: { code: "notFound" },
    });
  });
  it("is never changed, and says when this release cannot read a part of it", async () => {
    await apply(written({ policy: { times: { stateMs: 5 } } }));
    for (const sql of ["UPDATE site_version SET reason = 'x'", "DELETE FROM site_version"])
      await expect(database().$executeRawUnsafe(sql)).rejects.toThrow(/never changed or deleted/);
    await database().siteVersion.create({
      data: {
        siteId: world.siteId,
        version: 3,
        document: { format: 2 },
        changes: [],
        reason: "a later release",
      },
    });
    expect(await getSite(world.backend, world.actor("operator"), { site: "a", version: 3 })).toMatchObject({
      problem: { code: "notAllowedNow" },
    });
    expect(await apply(written())).toMatchObject({ version: 5 });
  });
});

it("no secret is in any answer, version, audit event or other row", async () => {
  const answers: unknown[] = [
    await ask(written({ networkController: controller, bmcCredentials }), { secrets: planted, dryRun: true }),
    await ask(written({ networkController: controller, bmcCredentials }), { secrets: planted }),
    await ask(
      written({ networkController: controller, bmcCredentials, priorities: { "deploy.nothing": 1 } }),
      {
        secrets: planted,
      },
    ),
    await ask(written({ networkController: { ...controller, url: "ftp://x" } }), { secrets: planted }),
    await ask(written({ networkController: { ...controller, token: planted["env:NET"] } }), {
      secrets: planted,
    }),
    await view(),
    await view("a", 2),
    await history(),
    await events(),
  ];
  const { rows } = {
    rows: await database().$queryRawUnsafe<{ name: string }[]>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
    ),
  };
  for (const { name } of rows)
    answers.push(await database().$queryRawUnsafe(`SELECT to_jsonb(t) AS row FROM "${name}" t`));
  const text = JSON.stringify(answers, (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
  expect(rows.length).toBeGreaterThan(20);
  expect(text).toContain("ticket 4711");
  for (const secret of Object.values(planted)) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(secret).toString("hex"));
    expect(text).not.toContain(Buffer.from(secret).toString("base64").slice(0, 40));
  }
});
