// Changes of a site by two people, on a real database: what becomes a request, who decides, and that it is made once or not at all.
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import { policyChanges as contract } from "@/server/contract/assurance/policy-changes";
import { hashPassword } from "@/server/db/secrets/passwords";
import { inTransaction } from "@/server/db/transaction";
import { defaultPolicy } from "@/server/domain/cleaning/policy";
import type { Policy } from "@/server/domain/cleaning/policy";
import { skuComponents } from "@/server/domain/inventory/testing/sku-components";
import { testProcedure } from "@/server/domain/procedures/testing/procedures";
import { documentDigest, standingDigest } from "@/server/domain/site/two-people";
import type { AskingAction } from "@/server/domain/site/two-people";
import type { Actor } from "@/server/usecases/actor";
import { askApproval } from "@/server/usecases/approvals/ask-approval";
import { decideApprovals } from "@/server/usecases/approvals/decide-approvals";
import { listApprovals } from "@/server/usecases/approvals/list-approvals";
import { removeProcedure, saveProcedure } from "@/server/usecases/assurance/site-procedures";
import { removeOverride } from "@/server/usecases/cleaning/overrides/remove-override";
import { saveOverride } from "@/server/usecases/cleaning/overrides/save-override";
import { setSiteAdmission } from "@/server/usecases/cleaning/policy/set-site-admission";
import { setSiteAutomatedClean } from "@/server/usecases/cleaning/policy/set-site-automated-clean";
import { setSiteErase } from "@/server/usecases/cleaning/policy/set-site-erase";
import { addImage } from "@/server/usecases/images/add-image";
import { withdrawImage } from "@/server/usecases/images/withdraw-image";
import { getPolicyChange, listPolicyChanges } from "@/server/usecases/policy-changes/list-changes";
import { voidExpiredChanges } from "@/server/usecases/policy-changes/outdated";
import { withdrawPolicyChange } from "@/server/usecases/policy-changes/withdraw-change";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { applySite } from "@/server/usecases/sites/apply-site";
import { readSiteStanding } from "@/server/usecases/sites/site-standing";
import { siteVersions } from "@/server/usecases/sites/site-versions";
import { changeSku, createSku, removeSku } from "@/server/usecases/skus/sku-acts";
import { refusalOf } from "@/server/usecases/testing/outcomes";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

const password = "fourteen gates";
let world: World;
beforeAll(async () => {
  world = await createWorld();
  await database().person.updateMany({ data: { passwordHash: await hashPassword(password) } });
  await siteNamed("x");
});
afterAll(() => world.stop());
const siteNamed = (name: string, body: object = defaultPolicy()) =>
  database().site.create({ data: { name, policies: { create: { version: 1, body } } } });
afterEach(async () => {
  await database().approval.updateMany({
    where: { decision: null, voidedAt: null },
    data: { voidedAt: new Date(), voidedReason: "the test is over" },
  });
});

const database = () => world.backend.database;
const asker = () => world.actor("provider-admin");
const other = () => world.actor("provider-admin", "vela");
const third = () => world.actor("provider-admin", "repair");
const reason = "ticket 4711";

async function standing() {
  const now = await readSiteStanding(database(), "a");
  if (now === null) throw new Error("there is no site");
  return now;
}
const policyNow = async () => (await standing()).document.policy;

/** Writes something that the database would otherwise refuse. */
async function onceWithout<T>(table: string, trigger: string, write: () => Promise<T>): Promise<T> {
  await database().$executeRawUnsafe(`ALTER TABLE ${table} DISABLE TRIGGER ${trigger}`);
  try {
    return await write();
  } finally {
    await database().$executeRawUnsafe(`ALTER TABLE ${table} ENABLE TRIGGER ${trigger}`);
  }
}

/** Applies the site's document with a changed policy. */
async function applyPolicy(change: Partial<Policy>, by = asker()) {
  const { document } = await standing();
  const { skus: _, tenants: __, ...rest } = document;
  const next = { ...rest, policy: { ...document.policy, ...change } };
  return applySite(world.backend, by, world.request(), { document: JSON.stringify(next), reason });
}
const limit = async (stateMs: number) => applyPolicy({ times: { ...(await policyNow()).times, stateMs } });

/** The tests below run in any order, and alone: the mutation run repeats the one that failed. */
async function needTwoPeople() {
  if (!(await policyNow()).changesNeedApproval)
    expect(await applyPolicy({ changesNeedApproval: true })).toMatchObject({ ok: true });
}
const approved = async (outcome: Outcome<unknown>) =>
  expect(await decide(other(), await asked(outcome))).toMatchObject({ ok: true });

async function waiting() {
  const page = await listPolicyChanges(world.backend, other(), {
    site: null,
    over: false,
    cursor: null,
    limit: 9,
  });
  if (!page.ok) throw new Error(page.problem.detail);
  return page.value.items;
}
/** The request that was just stored. */
async function asked(outcome: Outcome<unknown>) {
  expect(outcome).toMatchObject({ ok: false, problem: { code: "awaitsApproval" } });
  const [line] = await waiting();
  if (line === undefined) throw new Error("nothing waits");
  return line;
}
interface Named {
  readonly approvalId: string;
  readonly evidence: string;
}
const decide = (by: Actor, { approvalId, evidence }: Named, decision: "approved" | "rejected" = "approved") =>
  decideApprovals(world.backend, by, world.request(), {
    approvals: [{ id: approvalId, evidence }],
    decision,
    reason: decision === "approved" ? "" : "not now",
    password,
  });
async function newest() {
  const versions = await siteVersions(world.backend, asker(), { site: "a", limit: 1 });
  return versions.ok ? versions.value[0] : undefined;
}

/** A request such as no act makes. */
async function written(over: {
  validUntil?: Date;
  base?: string;
  proposed?: string;
  input?: string;
}): Promise<Named> {
  const id = randomUUID();
  const evidence = "e".repeat(64);
  const { base = standingDigest(await standing()), proposed = "0", input = "{}" } = over;
  await database().approval.updateMany({
    where: { kind: "policyChange", decision: null, voidedAt: null },
    data: { voidedAt: new Date(), voidedReason: "made room" },
  });
  const made = await inTransaction(database(), async (tx) => {
    const approvalId = await askApproval(tx, asker(), {
      ...{ kind: "policyChange", subjectId: id, evidence, siteId: world.siteId, hostId: null, reason },
      validUntil: over.validUntil ?? new Date(Date.now() + 60_000),
    });
    const request = world.backend.secrets.seal(input, secretPlaces.policyChange(id));
    await tx.policyChange.create({
      data: {
        ...{ id, approvalId, siteId: world.siteId, siteName: "a", action: "site.apply" },
        ...{ base, proposed, changes: [], document: {}, request },
      },
    });
    return done({ approvalId, evidence });
  });
  if (!made.ok) throw new Error("not written");
  return made.value;
}

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

const siteId = () => world.siteId;
const at = () => ({ scope: "site" as const, scopeId: siteId(), interface: "deploy", step: "erase_nvme" });
const run =
  <Input>(
    act: (
      backend: World["backend"],
      actor: Actor,
      request: ReturnType<World["request"]>,
      input: Input,
    ) => Promise<Outcome<unknown>>,
    input: () => Input | Promise<Input>,
  ) =>
  async () =>
    act(world.backend, asker(), world.request(), await input());
const sku = { name: "R750", components: skuComponents, priorities: {}, reason };

const limits = async (atWork: number) => ({
  siteId: siteId(),
  limits: { ...(await policyNow()).admission, atWork },
});

/** In this order, so that what is removed exists. The two acts that read a host use the same tables as `sku.create` and `sku.change`. */
const acts: Record<
  Exclude<AskingAction, "sku.createFromHost" | "sku.captureBaseline">,
  () => Promise<Outcome<unknown>>
> = {
  "site.apply": () => limit(60_000),
  "site.setErase": run(setSiteErase, async () => {
    const { standard, minimum, erase } = (await policyNow()).sanitization;
    const { techniques } = erase;
    return { siteId: siteId(), reason, erase: { standard, minimum, techniques, fallback: !erase.fallback } };
  }),
  "site.setAdmission": run(setSiteAdmission, () => limits(4)),
  "site.setAutomatedClean": run(setSiteAutomatedClean, () => ({ siteId: siteId(), automatedClean: false })),
  "procedure.save": run(saveProcedure, () => {
    const { version: _, ...procedure } = testProcedure();
    return { siteId: siteId(), procedure, reason };
  }),
  "procedure.remove": run(removeProcedure, () => ({ siteId: siteId(), name: "full-ac-drain", reason })),
  "override.save": run(saveOverride, () => ({ ...at(), priority: 77 })),
  "override.remove": run(removeOverride, at),
  "image.add": run(addImage, () => ({
    ...{ siteId: siteId(), version: "9.1", url: "https://images.test/agent", hosts: 3 },
  })),
  "sku.create": run(createSku, () => sku),
  "sku.change": run(changeSku, () => ({
    ...sku,
    sku: "R750",
    components: { ...skuComponents, infiniband: 7 },
  })),
  "sku.remove": run(removeSku, () => ({ sku: "R750", reason })),
};

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

describe("a request", () => {
  beforeAll(needTwoPeople);
  it("is never decided by who asked: page, token, another role", async () => {
    const line = await asked(await limit(61_000));
    for (const by of [
      asker(),
      { ...asker(), kind: "token" as const },
      { ...asker(), role: "operator" as const },
    ])
      expect((await decide(by, line)).ok).toBe(false);
    expect(refusalOf(await decide({ ...asker(), kind: "token" }, line))).toContain("another person decides");
    expect(refusalOf(await decide(world.actor("operator"), line))).toContain("may not decide on this kind");
    expect((await policyNow()).times.stateMs).not.toBe(61_000);
  });
  it("is applied once when two approve it at the same time", async () => {
    const line = await asked(await limit(62_000));
    const version = (await newest())?.version ?? 0;
    const results = await Promise.all([decide(other(), line), decide(third(), line)]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect((await newest())?.version).toBe(version + 1);
    expect((await policyNow()).times.stateMs).toBe(62_000);
  });
  it("is one at a time, and taken back by who asked only", async () => {
    const line = await asked(await limit(63_000));
    expect(refusalOf(await limit(64_000))).toContain("Withdraw it");
    expect(
      refusalOf(await setSiteAdmission(world.backend, other(), world.request(), await limits(9))),
    ).toContain(`by ${asker().name} waits`);
    const withdraw = (by: Actor) =>
      withdrawPolicyChange(world.backend, by, world.request(), { id: line.id, reason });
    expect(refusalOf(await withdraw(other()))).toContain("Reject it instead");
    expect((await withdraw(asker())).ok).toBe(true);
    expect(refusalOf(await decide(other(), line))).toContain("withdrawn");
    await asked(await limit(64_000));
  });
  it("is void once the site has changed", async () => {
    const candidate = { where: { status: "candidate" } };
    if ((await database().agentImage.count(candidate)) === 0) await approved(await acts["image.add"]());
    const line = await asked(await limit(65_000));
    const image = await database().agentImage.findFirstOrThrow(candidate);
    const undone = await withdrawImage(world.backend, other(), world.request(), {
      imageId: image.id,
      reason,
    });
    expect(undone.ok).toBe(true);
    expect((await waiting())[0]).toMatchObject({ voided: "the policy has changed since", mayDecide: false });
    expect(refusalOf(await decide(other(), line))).toContain("The policy has changed since");
    expect(await database().approval.findUnique({ where: { id: line.approvalId } })).toMatchObject({
      ...{ decision: null, voidedReason: "the policy has changed since" },
    });
    expect((await policyNow()).times.stateMs).not.toBe(65_000);
  });
  it("expires, keeps no secret then, and makes room for another one", async () => {
    const expired = () => written({ validUntil: new Date(Date.now() - 60_000) });
    const kept = async ({ approvalId }: Named) => ({
      ...(await database().approval.findUnique({ where: { id: approvalId } })),
      ...(await database().policyChange.findUnique({ where: { approvalId } })),
    });
    const made = await expired();
    const list = await listApprovals(world.backend, other(), {
      ...{ kind: "policyChange", all: false, decided: false, hostId: null, cursor: null, limit: 9 },
    });
    expect(list.ok && list.value.items).toMatchObject([{ voided: "it expired", mayDecide: false }]);
    await voidExpiredChanges(database());
    expect(await kept(made)).toMatchObject({ voidedReason: "it expired", request: null });
    const refusedOne = await expired();
    expect((await decide(other(), refusedOne)).ok).toBe(false);
    expect(await kept(refusedOne)).toMatchObject({ voidedReason: "it expired", request: null });
    await asked(await limit(66_000));
  });
  it.each([
    ["is of another state of the site", { base: "0" }],
    ["would make something else than was seen", { proposed: "0" }],
  ])("that %s is not approved", async (_what, over) => {
    const line = await asked(await limit(67_000));
    const real = await database().policyChange.findUniqueOrThrow({ where: { id: line.id } });
    const opened = world.backend.secrets.open(
      real.request ?? new Uint8Array(),
      secretPlaces.policyChange(line.id),
    );
    const withdrawn = { id: line.id, reason };
    expect((await withdrawPolicyChange(world.backend, asker(), world.request(), withdrawn)).ok).toBe(true);
    const { base, proposed } = real;
    const made = await written({ base, proposed, input: opened, ...over });
    expect(refusalOf(await decide(other(), made))).toContain("equest is void");
    expect(await database().approval.findUnique({ where: { id: made.approvalId } })).toMatchObject({
      ...{ decision: null, voidedReason: expect.any(String) },
    });
    expect((await policyNow()).times.stateMs).not.toBe(67_000);
    const same = await written({ base, proposed, input: opened });
    expect((await decide(other(), same)).ok).toBe(true);
    expect((await policyNow()).times.stateMs).toBe(67_000);
    const back = await asked(await limit(1_800_000));
    expect((await decide(other(), back)).ok).toBe(true);
  });
  it("is not approved for somebody who cannot sign in any more", async () => {
    const line = await asked(await limit(67_500));
    const of = { where: { id: asker().personId } };
    await database().person.update({ ...of, data: { disabledAt: new Date() } });
    expect(refusalOf(await decide(other(), line))).toContain("cannot sign in any more");
    await database().person.update({ ...of, data: { disabledAt: null, role: "operator" } });
    expect(refusalOf(await decide(other(), line))).toContain("may no longer change it");
    await database().person.update({ ...of, data: { role: "provider-admin" } });
    expect((await policyNow()).times.stateMs).not.toBe(67_500);
  });
});

it("keeps secrets sealed, and makes them count", async () => {
  await needTwoPeople();
  const { document } = await standing();
  const next = {
    ...document,
    networkController: { url: "https://network.test", token: { fromEnv: "NET" } },
  };
  const planted = `planted-${randomUUID()}`;
  const line = await asked(
    await applySite(world.backend, asker(), world.request(), {
      ...{ document: JSON.stringify(next), secrets: { "env:NET": planted }, reason },
    }),
  );
  expect(line.changes).toContainEqual(
    expect.objectContaining({ kind: "secret", path: ["networkController", "token"] }),
  );
  const stored = await database().policyChange.findUniqueOrThrow({ where: { id: line.id } });
  expect(JSON.stringify(stored)).not.toContain(planted);
  expect(Buffer.from(stored.request ?? []).includes(planted)).toBe(false);
  expect((await decide(other(), line)).ok).toBe(true);
  expect((await standing()).networkToken).not.toBeNull();
});

describe("a document that waits", () => {
  beforeAll(needTwoPeople);
  const apply = (by: Actor, site: object, secrets: Record<string, string> = {}) =>
    applySite(world.backend, by, world.request(), { document: JSON.stringify(site), secrets, reason });
  const expectVoid = async (line: Named) => {
    expect(refusalOf(await decide(other(), line))).toContain("has changed since");
    expect(await database().approval.findUnique({ where: { id: line.approvalId } })).toMatchObject({
      ...{ decision: null, voidedReason: expect.stringContaining("changed") },
    });
  };
  it("does not undo what was changed meanwhile at a site that needs one person", async () => {
    const { document } = (await readSiteStanding(database(), "x")) ?? (await standing());
    const { tenants: _, ...rest } = document;
    const line = await asked(
      await apply(asker(), {
        ...rest,
        skus: [...(rest.skus ?? []), { name: "X1", components: skuComponents, priorities: {} }],
      }),
    );
    expect(line.site).toBe("a");
    const { skus: __, ...own } = rest;
    const tight = { ...own.policy, times: { ...own.policy.times, stateMs: 1234 } };
    expect(await apply(other(), { ...own, policy: tight })).toMatchObject({ ok: true });
    await expectVoid(line);
    expect((await readSiteStanding(database(), "x"))?.document.policy.times.stateMs).toBe(1234);
    expect(await database().sku.count({ where: { name: "X1" } })).toBe(0);
    expect(await database().sitePolicy.count({ where: { site: { name: "x" } } })).toBe(2);
  });
  it("makes a new site when another person approves, unless there is one by then", async () => {
    const create = () =>
      applySite(world.backend, asker(), world.request(), {
        ...{ document: JSON.stringify({ format: 1, site: "new" }), create: true, reason },
      });
    const line = await asked(await create());
    expect(line).toMatchObject({ site: "a", changes: [{ kind: "add", path: ["sites", "new"] }] });
    expect(await readSiteStanding(database(), "new")).toBeNull();
    const made = await onceWithout("site", "site_is_made_by_two_people", () => siteNamed("new"));
    await expectVoid(line);
    await database().sitePolicy.deleteMany({ where: { siteId: made.id } });
    await database().site.delete({ where: { id: made.id } });
    expect((await decide(other(), await asked(await create()))).ok).toBe(true);
    expect(await readSiteStanding(database(), "new")).not.toBeNull();
    expect(await newest()).toMatchObject({ byName: asker().name, approvedByName: other().name });
  });
  it("does not bring back BMC credentials that were changed meanwhile", async () => {
    const withPassword = async (over: Partial<Policy>) => {
      const { document } = await standing();
      const { skus: _, tenants: __, ...rest } = document;
      const lab = { username: "root", password: { fromEnv: "BMC" } };
      return { ...rest, policy: { ...rest.policy, ...over }, bmcCredentials: { lab } };
    };
    expect(await apply(other(), await withPassword({}), { "env:BMC": "first" })).toMatchObject({ ok: true });
    const line = await asked(
      await apply(asker(), await withPassword({ validationTests: [] }), { "env:BMC": "first" }),
    );
    expect(await apply(other(), await withPassword({}), { "env:BMC": "second" })).toMatchObject({ ok: true });
    const stored = () => database().bmcCredential.findFirstOrThrow({ where: { name: "lab" } });
    const { password } = await stored();
    await expectVoid(line);
    expect((await stored()).password).toEqual(password);
  });
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
