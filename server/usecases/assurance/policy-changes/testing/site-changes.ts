// Shared by tests of changes by two people: the sites, who asks and who decides, and the requests that wait.
import { expect } from "vitest";
import { hashPassword } from "@/server/db/secrets/passwords";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import type { Policy } from "@/server/domain/cleaning/policy/policy";
import type { Actor } from "@/server/usecases/actor";
import { decideApprovals } from "@/server/usecases/assurance/approvals/decide-approvals";
import { listPolicyChanges } from "@/server/usecases/assurance/policy-changes/list-changes";
import type { Outcome } from "@/server/usecases/problem";
import { applySite } from "@/server/usecases/sites/apply-site";
import { readSiteStanding } from "@/server/usecases/sites/site-standing";
import { siteVersions } from "@/server/usecases/sites/site-versions";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

const password = "fourteen gates";
export const reason = "ticket 4711";

/** A world with the sites "a" and "x", and people who can sign in again to decide. */
export async function createSites(): Promise<World> {
  const world = await createWorld();
  const { person } = world.backend.database;
  await person.updateMany({ data: { passwordHash: await hashPassword(password) } });
  await sitesOf(() => world).siteNamed("x");
  return world;
}

/** A request that waits when a test ends would keep the next test from asking. */
export async function voidWaiting({ backend }: World): Promise<void> {
  await backend.database.approval.updateMany({
    where: { decision: null, voidedAt: null },
    data: { voidedAt: new Date(), voidedReason: "the test is over" },
  });
}

/** The people and the sites as they are stored. @param world exists once the tests run */
export function sitesOf(world: () => World) {
  const database = () => world().backend.database;
  const asker = () => world().actor("provider-admin");
  const other = () => world().actor("provider-admin", "vela");
  const siteNamed = (name: string, body: object = defaultPolicy()) =>
    database().site.create({ data: { name, policies: { create: { version: 1, body } } } });
  async function standing() {
    const now = await readSiteStanding(database(), "a");
    if (now === null) throw new Error("there is no site");
    return now;
  }
  const policyNow = async () => (await standing()).document.policy;
  async function newest() {
    const versions = await siteVersions(world().backend, asker(), { site: "a", limit: 1 });
    return versions.ok ? versions.value[0] : undefined;
  }
  /** Writes something that the database would otherwise refuse. */
  async function onceWithout<T>(table: string, trigger: string, write: () => Promise<T>): Promise<T> {
    await database().$executeRawUnsafe(`ALTER TABLE ${table} DISABLE TRIGGER ${trigger}`);
    try {
      return await write();
    } finally {
      await database().$executeRawUnsafe(`ALTER TABLE ${table} ENABLE TRIGGER ${trigger}`);
    }
  }
  return { database, asker, other, siteNamed, standing, policyNow, newest, onceWithout };
}

export interface Named {
  readonly approvalId: string;
  readonly evidence: string;
}

/** What is asked and decided. @param world exists once the tests run */
export function changesOf(world: () => World) {
  const { asker, other, standing, policyNow } = sitesOf(world);

  /** Applies the site's document with a changed policy. */
  async function applyPolicy(change: Partial<Policy>, by = asker()) {
    const { document } = await standing();
    const { skus: _, tenants: __, ...rest } = document;
    const next = { ...rest, policy: { ...document.policy, ...change } };
    return applySite(world().backend, by, world().request(), { document: JSON.stringify(next), reason });
  }
  const limit = async (stateMs: number) => applyPolicy({ times: { ...(await policyNow()).times, stateMs } });
  const limits = async (atWork: number) => ({
    siteId: world().siteId,
    limits: { ...(await policyNow()).admission, atWork },
  });

  /** The tests run in any order, and alone: the mutation run repeats the one that failed. */
  async function needTwoPeople() {
    if (!(await policyNow()).changesNeedApproval)
      expect(await applyPolicy({ changesNeedApproval: true })).toMatchObject({ ok: true });
  }
  async function waiting() {
    const page = await listPolicyChanges(world().backend, other(), {
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
  const decide = (
    by: Actor,
    { approvalId, evidence }: Named,
    decision: "approved" | "rejected" = "approved",
  ) =>
    decideApprovals(world().backend, by, world().request(), {
      approvals: [{ id: approvalId, evidence }],
      decision,
      reason: decision === "approved" ? "" : "not now",
      password,
    });
  const approved = async (outcome: Outcome<unknown>) =>
    expect(await decide(other(), await asked(outcome))).toMatchObject({ ok: true });
  return { applyPolicy, limit, limits, needTwoPeople, waiting, asked, decide, approved };
}
