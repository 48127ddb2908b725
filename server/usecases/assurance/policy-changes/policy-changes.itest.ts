// Requests for changes of a site, on a real database: who decides, when they are void, and that a change is made once or not at all.
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import { inTransaction } from "@/server/db/transaction";
import type { Policy } from "@/server/domain/cleaning/policy/policy";
import { skuComponents } from "@/server/domain/hosts/inventory/testing/sku-components";
import { standingDigest } from "@/server/domain/sites/two-people";
import type { Actor } from "@/server/usecases/actor";
import { askApproval } from "@/server/usecases/assurance/approvals/ask-approval";
import { listApprovals } from "@/server/usecases/assurance/approvals/list-approvals";
import { setSiteAdmission } from "@/server/usecases/cleaning/policy/set-site-admission";
import { withdrawImage } from "@/server/usecases/cleaning/images/withdraw-image";
import { voidExpiredChanges } from "@/server/usecases/assurance/policy-changes/outdated";
import { actsOf } from "@/server/usecases/assurance/policy-changes/testing/site-acts";
import {
  changesOf,
  createSites,
  reason,
  sitesOf,
  voidWaiting,
} from "@/server/usecases/assurance/policy-changes/testing/site-changes";
import type { Named } from "@/server/usecases/assurance/policy-changes/testing/site-changes";
import { withdrawPolicyChange } from "@/server/usecases/assurance/policy-changes/withdraw-change";
import { done } from "@/server/usecases/problem";
import { applySite } from "@/server/usecases/sites/apply-site";
import { readSiteStanding } from "@/server/usecases/sites/site-standing";
import { refusalOf } from "@/server/usecases/testing/outcomes";
import type { World } from "@/server/usecases/testing/world";

let world: World;
beforeAll(async () => {
  world = await createSites();
});
afterAll(() => world.stop());
afterEach(() => voidWaiting(world));

const { database, asker, other, siteNamed, standing, policyNow, newest, onceWithout } = sitesOf(() => world);
const { limit, limits, needTwoPeople, waiting, asked, decide, approved } = changesOf(() => world);
const { acts } = actsOf(() => world);
const third = () => world.actor("provider-admin", "repair");

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
