// Which changes of a site need two people, on a real database: the switch, what the database refuses, and which acts become a request.
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { policyChanges as contract } from "@/server/contract/assurance/policy-changes";
import { inTransaction } from "@/server/db/transaction";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import type { Policy } from "@/server/domain/cleaning/policy/policy";
import { emptyFields } from "@/server/domain/hosts/nodes/node-values";
import { documentDigest, standingDigest } from "@/server/domain/sites/two-people";
import { askApproval } from "@/server/usecases/assurance/approvals/ask-approval";
import { saveOverride } from "@/server/usecases/cleaning/overrides/save-override";
import { setHostAutomatedClean } from "@/server/usecases/cleaning/policy/set-host-automated-clean";
import { setSiteAdmission } from "@/server/usecases/cleaning/policy/set-site-admission";
import { addImage } from "@/server/usecases/cleaning/images/add-image";
import { createNode } from "@/server/usecases/hosts/nodes/create-node";
import { getPolicyChange } from "@/server/usecases/assurance/policy-changes/list-changes";
import { actsOf, sku } from "@/server/usecases/assurance/policy-changes/testing/site-acts";
import {
  changesOf,
  createSites,
  reason,
  sitesOf,
  voidWaiting,
} from "@/server/usecases/assurance/policy-changes/testing/site-changes";
import { done } from "@/server/usecases/problem";
import { applySite } from "@/server/usecases/sites/apply-site";
import { createSku } from "@/server/usecases/hosts/skus/sku-acts";
import { refusalOf } from "@/server/usecases/testing/outcomes";
import type { World } from "@/server/usecases/testing/world";

let world: World;
beforeAll(async () => {
  world = await createSites();
});
afterAll(() => world.stop());
afterEach(() => voidWaiting(world));

const { database, asker, other, siteNamed, standing, policyNow, newest, onceWithout } = sitesOf(() => world);
const { applyPolicy, limit, limits, needTwoPeople, waiting, asked, decide, approved } = changesOf(
  () => world,
);
const { at, acts } = actsOf(() => world);
const siteId = () => world.siteId;
let hosts = 0;
const ofSite = () => world.host(`of-site-${(hosts += 1)}`);

it("is not switched on where only one person could approve", async () => {
  const others = { role: "provider-admin", NOT: { id: asker().personId } };
  await database().person.updateMany({ where: others, data: { disabledAt: new Date() } });
  expect(refusalOf(await applyPolicy({ changesNeedApproval: true }))).toContain("only one provider admin");
  expect((await policyNow()).changesNeedApproval).toBe(false);
  await database().person.updateMany({ where: others, data: { disabledAt: null } });
});

it("is not switched on while an image is tried that one person could still make current", async () => {
  const image = await database().agentImage.create({
    data: {
      ...{ siteId: world.siteId, version: "0.1", url: "https://images.test/agent", status: "candidate" },
      ...{ stage: "few", hosts: 1 },
    },
  });
  expect(refusalOf(await applyPolicy({ changesNeedApproval: true }))).toContain("agent image 0.1");
  await database().agentImage.delete({ where: { id: image.id } });
});

it("is switched on by one person, and off by two", async () => {
  expect((await applyPolicy({ changesNeedApproval: true })).ok).toBe(true);
  expect(await newest()).toMatchObject({ byName: asker().name, approvedByName: null });
  const line = await asked(await applyPolicy({ changesNeedApproval: false }));
  expect(line).toMatchObject({ action: "site.apply", site: "a", askedBy: asker().name, mayDecide: true });
  expect(line.changes.map(({ path }) => path.join("."))).toEqual(["policy.changesNeedApproval"]);
  expect((await policyNow()).changesNeedApproval).toBe(true);
  expect((await decide(other(), line, "rejected")).ok).toBe(true);
  expect((await policyNow()).changesNeedApproval).toBe(true);
});

describe("the database", () => {
  beforeAll(async () => {
    await needTwoPeople();
    await approved(await createSku(world.backend, asker(), world.request(), { ...sku, name: "R760" }));
  });
  const body = async (over: Partial<Policy> = {}) => ({ ...(await policyNow()), ...over });
  it.each<[string, () => Promise<unknown>]>([
    [
      "a policy",
      async () =>
        database().sitePolicy.create({ data: { siteId: siteId(), version: 900, body: await body() } }),
    ],
    [
      "the policy in force",
      () =>
        database().sitePolicy.updateMany({ where: { siteId: siteId() }, data: { body: defaultPolicy() } }),
    ],
    [
      "an earlier policy",
      () => database().site.update({ where: { id: siteId() }, data: { policyVersion: 1 } }),
    ],
    [
      "a controller",
      () => database().site.update({ where: { id: siteId() }, data: { networkUrl: "https://x.test" } }),
    ],
    [
      "whether it is a demo, where gates pass that are not implemented",
      () => database().site.update({ where: { id: siteId() }, data: { demo: false } }),
    ],
    ["a site", () => siteNamed("loose")],
    ["trust", () => database().site.update({ where: { id: siteId() }, data: { bmcTrust: "pin" } })],
    [
      "an acknowledgement token",
      () =>
        database().adapterToken.create({
          data: { siteId: siteId(), adapter: "network", hash: Buffer.from("x") },
        }),
    ],
    ["a priority", () => database().stepOverride.create({ data: { ...at(), priority: 0 } })],
    [
      "a priority of a SKU",
      () =>
        database().stepOverride.create({
          data: { ...at(), scope: "sku", scopeId: randomUUID(), priority: 0 },
        }),
    ],
    [
      "the cleaning of a host",
      async () => database().host.update({ where: { id: await ofSite() }, data: { automatedClean: false } }),
    ],
    [
      "a host that is not cleaned",
      () =>
        database().host.create({
          data: { name: "loose", siteId: siteId(), hardwareType: "redfish", automatedClean: false },
        }),
    ],
    [
      "a step off for a host",
      async () =>
        database().stepOverride.create({
          data: { ...at(), scope: "host", scopeId: await ofSite(), priority: 0 },
        }),
    ],
    ["a SKU", () => database().sku.create({ data: { name: "loose", components: {} } })],
    ["other components of a SKU", () => database().sku.updateMany({ data: { components: {} } })],
    [
      "an agent image",
      () =>
        database().agentImage.create({
          data: {
            siteId: siteId(),
            version: "6",
            url: "https://x.test",
            status: "candidate",
            stage: "few",
            hosts: 1,
          },
        }),
    ],
  ])("lets nobody write %s without an approval", async (_what, write) => {
    const before = standingDigest(await standing());
    await expect(write()).rejects.toThrow("needs the approval of another person");
    expect(standingDigest(await standing())).toBe(before);
  });
  it("lets nobody write another file of an agent image without an approval", async () => {
    const image = { version: "9.0", url: "https://images.test/agent", hosts: 3 };
    await approved(await addImage(world.backend, asker(), world.request(), { siteId: siteId(), ...image }));
    const write = database().agentImage.updateMany({ data: { url: "https://x.test" } });
    await expect(write).rejects.toThrow("needs the approval of another person");
    await database().agentImage.deleteMany({ where: { version: "9.0" } });
  });
  it("lets one person set the priority of a host", async () => {
    await database().stepOverride.create({
      data: { ...at(), scope: "host", scopeId: randomUUID(), priority: 1 },
    });
  });
  it("takes no approval of a change that was not made, as of a server that ends in between", async () => {
    const line = await asked(await limit(68_000));
    const decided = { decision: "approved", decidedByName: "x", decidedAt: new Date(), decidedReason: "" };
    const write = (decidedBy: string) =>
      database().approval.update({ where: { id: line.approvalId }, data: { ...decided, decidedBy } });
    await expect(write(other().personId)).rejects.toThrow("that was not made");
    await expect(write(asker().personId)).rejects.toThrow("approval_two_people_check");
    expect((await decide(other(), line)).ok).toBe(true);
  });
  it("takes no approval that was decided before", async () => {
    await approved(await limit(66_000));
    const old = await database().approval.findFirstOrThrow({
      where: { kind: "policyChange", decision: "approved", voidedAt: null },
    });
    const write = database().$transaction([
      database().approval.update({ where: { id: old.id }, data: { decidedReason: old.decidedReason } }),
      database().site.update({ where: { id: siteId() }, data: { bmcTrust: "pin" } }),
    ]);
    await expect(write).rejects.toThrow("needs the approval of another person");
  });
  it("keeps what was asked for, and one request at a time", async () => {
    const line = await asked(await limit(69_000));
    const of = { where: { id: line.id } };
    await expect(database().policyChange.update({ ...of, data: { proposed: "x" } })).rejects.toThrow(
      "stays as it was",
    );
    await expect(database().policyChange.delete(of)).rejects.toThrow("never deleted");
    const again = { kind: "policyChange" as const, subjectId: randomUUID(), evidence: "x", siteId: siteId() };
    await expect(
      inTransaction(database(), async (tx) =>
        done(await askApproval(tx, other(), { ...again, hostId: null, reason, validUntil: null })),
      ),
    ).rejects.toThrow();
  });
});

describe("each act that changes a site", () => {
  beforeAll(needTwoPeople);
  it.each(Object.entries(acts))("%s waits, and is made when another person approves", async (action, ask) => {
    const before = standingDigest(await standing());
    const line = await asked(await ask());
    expect(line).toMatchObject({ action, voided: null, own: false, mayDecide: true });
    expect(line.changes).not.toEqual([]);
    expect(standingDigest(await standing())).toBe(before);
    const whole = await getPolicyChange(world.backend, other(), { id: line.id });
    expect(await decide(other(), line)).toMatchObject({ ok: true });
    const now = await standing();
    expect(contract.get.output.safeParse(whole.ok && whole.value).error).toBeUndefined();
    expect(whole.ok && documentDigest(whole.value.document)).toBe(documentDigest(now.document));
    expect(standingDigest(now)).not.toBe(before);
    expect(await newest()).toMatchObject({ byName: asker().name, approvedByName: other().name });
    const stored = await database().policyChange.findUniqueOrThrow({ where: { id: line.id } });
    expect(stored).toMatchObject({ version: (await newest())?.version, request: null });
    expect(
      await database().auditEvent.findFirst({ where: { action }, orderBy: { at: "desc" } }),
    ).toMatchObject({
      ...{ actorName: asker().name, address: null, outcome: "done" },
      after: expect.objectContaining({ approval: line.approvalId, approvedBy: other().name }),
    });
  });
});

it("leaves a step out for a host by two people, and cleans the host again by one", async () => {
  await needTwoPeople();
  const hostId = await ofSite();
  const step = { interface: "deploy", step: "erase_nvme" };
  const of = { scope: "host" as const, scopeId: hostId, ...step };
  const save = (priority: number) =>
    saveOverride(world.backend, asker(), world.request(), { ...of, priority });
  const line = await asked(await save(0));
  expect(line.changes.map(({ path }) => path.slice(2).join("."))).toEqual(["deploy.erase_nvme"]);
  expect(await database().stepOverride.count({ where: { scopeId: hostId } })).toBe(0);
  expect(await decide(other(), line)).toMatchObject({ ok: true });
  expect(await save(91)).toMatchObject({ ok: true });
  const clean = async (automatedClean: boolean) =>
    setHostAutomatedClean(world.backend, asker(), world.request(), { hostId, automatedClean });
  await approved(await clean(false));
  expect(await clean(true)).toMatchObject({ ok: true });
  const fields = { ...emptyFields, hardwareType: "redfish", automatedClean: false };
  const node = await createNode(world.backend, asker(), world.request(), {
    ...{ id: null, conductorGroup: "a", fields, bmc: { address: null, username: "" } },
  });
  expect(node).toMatchObject({ ok: false, problem: { code: "notAllowedNow", field: "automated_clean" } });
});

it("asks nobody for tenants, nor for a dry run", async () => {
  await needTwoPeople();
  const { document } = await standing();
  const tenants = (document.tenants ?? []).map((tenant) => ({ ...tenant, instanceQuota: 4 }));
  const apply = (over: object, dryRun: boolean) =>
    applySite(world.backend, asker(), world.request(), {
      ...{ document: JSON.stringify({ ...document, ...over }), dryRun, reason },
    });
  expect(await apply({ tenants }, false)).toMatchObject({ ok: true, value: { applied: true } });
  const policy = { ...document.policy, validationTests: [] };
  expect(await apply({ policy, tenants }, true)).toMatchObject({ ok: true, value: { applied: false } });
  expect(await waiting()).toEqual([]);
});

it("refuses what touches a site that cannot be read, and nothing else", async () => {
  await needTwoPeople();
  const broken = await onceWithout("site", "site_is_made_by_two_people", () =>
    siteNamed("broken", { changesNeedApproval: true }),
  );
  const line = await asked(await limit(67_800));
  expect((await decide(other(), line)).ok).toBe(true);
  const touching = await setSiteAdmission(world.backend, asker(), world.request(), {
    ...(await limits(5)),
    siteId: broken.id,
  });
  expect(refusalOf(touching)).toContain("cannot read the settings of site broken");
  expect(refusalOf(await createSku(world.backend, asker(), world.request(), sku))).toContain("site broken");
  await onceWithout("site_policy", "site_policy_is_changed_by_two_people", () =>
    database().sitePolicy.deleteMany({ where: { siteId: broken.id } }),
  );
  await database().site.delete({ where: { id: broken.id } });
});

it("is off again after two people said so", async () => {
  await needTwoPeople();
  const line = await asked(await applyPolicy({ changesNeedApproval: false }));
  expect((await decide(other(), line)).ok).toBe(true);
  expect((await limit(70_000)).ok).toBe(true);
});

it("makes no site where the only one that needs two people cannot be read", async () => {
  await siteNamed("broken", { changesNeedApproval: true });
  const document = JSON.stringify({ format: 1, site: "newer" });
  const create = { document, create: true, reason };
  expect(refusalOf(await applySite(world.backend, asker(), world.request(), create))).toContain(
    "site broken",
  );
  expect((await limit(71_000)).ok).toBe(true);
});
