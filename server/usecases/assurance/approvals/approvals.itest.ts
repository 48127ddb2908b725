// Approvals on the database: two people, a fresh sign-in, and what the database enforces whoever writes.
import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { approvals as contract } from "@/server/contract/assurance/approvals";
import { signInLimits } from "@/server/domain/access/sign-in-limits";
import { hashPassword } from "@/server/db/secrets/passwords";
import { inTransaction } from "@/server/db/transaction";
import type { Actor } from "@/server/usecases/actor";
import { askApproval, voidApprovals } from "@/server/usecases/assurance/approvals/ask-approval";
import { decideApprovals } from "@/server/usecases/assurance/approvals/decide-approvals";
import { freshSignIn } from "@/server/usecases/assurance/approvals/fresh-sign-in";
import { listApprovals } from "@/server/usecases/assurance/approvals/list-approvals";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";
import { refusalOf } from "@/server/usecases/testing/outcomes";
import { done } from "@/server/usecases/problem";

const password = "fourteen gates";
let world: World;
beforeAll(async () => {
  world = await createWorld();
  await world.backend.database.person.updateMany({ data: { passwordHash: await hashPassword(password) } });
});
afterAll(() => world.stop());

const operator = () => world.actor("operator");
const admin = () => world.actor("provider-admin");
const database = () => world.backend.database;

interface Waiting {
  readonly id: string;
  readonly evidence: string;
}

type Kind = "signOff" | "exception" | "disposition";

async function ask(by: Actor, kind: Kind = "signOff"): Promise<Waiting> {
  const evidence = randomBytes(32).toString("hex");
  const asked = {
    kind,
    subjectId: randomUUID(),
    evidence,
    siteId: world.siteId,
    hostId: null,
    reason: "x",
    validUntil: null,
  };
  const made = await inTransaction(database(), async (tx) => done(await askApproval(tx, by, asked)));
  if (!made.ok) throw new Error("not asked");
  return { id: made.value, evidence };
}

const decide = (by: Actor, asked: readonly Waiting[], given: object = { password }) =>
  decideApprovals(world.backend, by, world.request(), {
    approvals: [...asked],
    decision: "approved",
    ...given,
  });
const stored = (id: string) => database().approval.findUniqueOrThrow({ where: { id } });

async function session(of: Actor): Promise<Actor> {
  const sessionId = randomUUID();
  await database().session.create({ data: { id: sessionId, personId: of.personId, epoch: 1 } });
  return { ...of, sessionId };
}

describe("a decision", () => {
  it("is another person's, with the password, and stands", async () => {
    const asked = await ask(operator());
    expect((await decide(admin(), [asked])).ok).toBe(true);
    expect(await stored(asked.id)).toMatchObject({ decision: "approved", decidedBy: admin().personId });
    expect(
      refusalOf(await decide(admin(), [asked], { password, decision: "rejected", reason: "y" })),
    ).toContain("this already");
  });
  it.each<Kind>(["signOff", "exception", "disposition"])(
    "is never that of the one who asked, nor after a change of role, by page or by token: %s",
    async (kind) => {
      const asked = await ask(operator(), kind);
      for (const by of ["person", "token"] as const) {
        const promoted: Actor = { ...operator(), role: "provider-admin", kind: by };
        expect(refusalOf(await decide(promoted, [asked]))).toContain("another person decides");
      }
      expect((await decide(operator(), [asked])).ok).toBe(false);
      expect((await stored(asked.id)).decision).toBeNull();
    },
  );
  it("takes no wrong password, and none at all only where the session gave it a moment ago", async () => {
    const [first, second, third] = [await ask(operator()), await ask(operator()), await ask(operator())];
    const here = await session(admin());
    expect(refusalOf(await decide(here, [first], { password: "wrong" }))).toContain("password is wrong");
    expect(refusalOf(await decide(here, [first], {}))).toContain("password again");
    expect((await decide(here, [first])).ok).toBe(true);
    expect((await decide(here, [second], {})).ok).toBe(true);
    expect(refusalOf(await decide(await session(admin()), [third], {}))).toContain("password again");
    await database().session.updateMany({
      where: { id: here.sessionId ?? "" },
      data: { passwordAt: new Date(Date.now() - 301_000) },
    });
    expect(refusalOf(await decide(here, [third], {}))).toContain("password again");
    expect(refusalOf(await decide({ ...admin(), kind: "token" }, [third], {}))).toContain("password again");
  });
  it("is made by the database's clock, whatever the process's says", async () => {
    const here = await session(admin());
    const [first, second] = [await ask(operator()), await ask(operator())];
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
    try {
      expect((await decide(here, [first])).ok).toBe(true);
      expect((await decide(here, [second], {})).ok).toBe(true);
    } finally {
      vi.useRealTimers();
    }
    expect((await stored(first.id)).decidedAt?.getTime()).toBeLessThan(Date.now() + 1_800_000);
  });
  it("is of all that are named, or of none", async () => {
    const [mine, theirs] = [await ask(admin()), await ask(operator())];
    expect(refusalOf(await decide(admin(), [theirs, mine]))).toContain("another person decides");
    expect((await stored(theirs.id)).decision).toBeNull();
  });
  it("is on what was seen, and a rejection says why", async () => {
    const asked = await ask(operator());
    const other = { ...asked, evidence: "0".repeat(64) };
    expect(refusalOf(await decide(admin(), [other]))).toContain("not the evidence");
    expect(refusalOf(await decide(admin(), [asked], { password, decision: "rejected" }))).toContain(
      "say why",
    );
    await inTransaction(database(), async (tx) => {
      await voidApprovals(tx, [asked.id], "there is a newer record");
      return done(null);
    });
    expect(refusalOf(await decide(admin(), [asked]))).toContain("newer record");
  });
  it("that is refused with the right password locks nobody out, and a malformed one gives no more guesses", async () => {
    const asked = await ask(operator());
    const other = { ...asked, evidence: "0".repeat(64) };
    const guess = () => decide(admin(), [asked], { password: "wrong" });
    for (let attempt = 0; attempt <= signInLimits.perEmail; attempt += 1)
      expect(refusalOf(await decide(admin(), [other]))).toContain("not the evidence");
    expect((await decide(admin(), [asked])).ok).toBe(true);
    for (let attempt = 1; attempt < signInLimits.perEmail; attempt += 1) await guess();
    expect(await decide(admin(), [])).toMatchObject({ problem: { code: "invalid" } });
    await guess();
    expect(await guess()).toMatchObject({ problem: { code: "tooMany" } });
    await database().signInCount.deleteMany();
  });
  it("looks at no password that was not counted", async () => {
    const given = { password, recentCounts: false };
    const looked = await inTransaction(database(), (tx) =>
      freshSignIn({ tx, actor: admin(), publicUrl: undefined }, given),
    );
    expect(refusalOf(looked)).toContain("Try again");
  });
  it("needs the right to decide on its kind", async () => {
    const asked = await ask(admin(), "exception");
    expect(refusalOf(await decide(operator(), [asked]))).toContain("may not decide");
    for (const role of ["auditor", "tenant-admin", "repair-tenant-admin"] as const)
      expect(refusalOf(await decide(world.actor(role), [asked]))).toContain("may not do");
  });
});

describe("the database", () => {
  const change = (id: string, data: object) => database().approval.update({ where: { id }, data });
  const decided = (by: string) => ({
    decision: "approved",
    decidedBy: by,
    decidedByName: "x",
    decidedAt: new Date(),
    decidedReason: "",
  });
  it("lets nobody decide on their own request", async () => {
    const { id } = await ask(operator());
    await expect(change(id, decided(operator().personId))).rejects.toThrow("approval_two_people_check");
  });
  it("keeps what was asked and what was decided", async () => {
    const { id } = await ask(operator());
    await expect(change(id, { evidence: "0" })).rejects.toThrow("never changes");
    await expect(change(id, { askedBy: admin().personId })).rejects.toThrow("never changes");
    await change(id, decided(admin().personId));
    await expect(change(id, { decision: "rejected" })).rejects.toThrow("never changes");
    await expect(database().approval.delete({ where: { id } })).rejects.toThrow("never deleted");
  });
});

it("lists what waits, in pages, and says whose it is", async () => {
  const asked = await ask(operator());
  const read = async (by: Actor, cursor: string | null = null, limit = 2) => {
    const page = await listApprovals(
      world.backend,
      by,
      contract.list.input.parse({ kind: "signOff", limit, cursor }),
    );
    if (!page.ok) throw new Error(page.problem.detail);
    return page.value;
  };
  const first = await read(admin());
  const all = (await read(admin(), null, 200)).items;
  expect(first.items).toEqual(all.slice(0, 2));
  expect((await read(admin(), first.nextCursor)).items).toEqual(all.slice(2, 4));
  expect(all.find(({ id }) => id === asked.id)).toMatchObject({ own: false, mayDecide: true });
  expect((await read(operator(), null, 200)).items.find(({ id }) => id === asked.id)).toMatchObject({
    own: true,
    mayDecide: false,
  });
  await expect(read(world.actor("tenant-admin"))).rejects.toThrow("may not do");
});

it("lists what was decided, the newest first, and nothing that waits", async () => {
  const waits = await ask(operator());
  const read = async (cursor: string | null, limit: number) => {
    const input = contract.list.input.parse({ kind: "signOff", decided: true, limit, cursor });
    const page = await listApprovals(world.backend, admin(), input);
    if (!page.ok) throw new Error(page.problem.detail);
    return page.value;
  };
  const { items: all } = await read(null, 200);
  expect(all.length).toBeGreaterThan(1);
  expect(all.every(({ decision, voided }) => decision !== null || voided !== null)).toBe(true);
  expect(all.some(({ id }) => id === waits.id)).toBe(false);
  const times = all.map(({ askedAt }) => askedAt.getTime());
  expect(times).toEqual(times.toSorted((left, right) => right - left));
  const first = await read(null, 1);
  expect([...first.items, ...(await read(first.nextCursor, 1)).items]).toEqual(all.slice(0, 2));
});

it("lets nobody guess a password with a decision", async () => {
  const asked = await ask(operator());
  for (let attempt = 0; attempt < signInLimits.perEmail; attempt += 1)
    await decide(admin(), [asked], { password: `guess ${attempt}` });
  expect(refusalOf(await decide(admin(), [asked]))).toContain("Too many failed attempts");
});
