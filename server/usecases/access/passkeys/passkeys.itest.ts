// Passkeys on the database, with a software authenticator: which answers are accepted, and that a password is not enough for a person with a passkey.
import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hashPassword } from "@/server/db/secrets/passwords";
import { inTransaction } from "@/server/db/transaction";
import { maxPasskeys } from "@/server/domain/access/passkeys";
import { changePassword } from "@/server/usecases/access/change-password";
import type { Actor } from "@/server/usecases/actor";
import { askApproval } from "@/server/usecases/assurance/approvals/ask-approval";
import { listApprovals } from "@/server/usecases/assurance/approvals/list-approvals";
import { decideApprovals } from "@/server/usecases/assurance/approvals/decide-approvals";
import type { Backend } from "@/server/usecases/backend";
import { beginAddPasskey, beginPasskey } from "@/server/usecases/access/passkeys/begin-passkey";
import { listPasskeys } from "@/server/usecases/access/passkeys/list-passkeys";
import { addPasskey, removePasskey, renamePasskey } from "@/server/usecases/access/passkeys/passkey-acts";
import { resetPassword } from "@/server/usecases/access/people/person-acts";
import { resetPasskeys, resetPasskeysOf } from "@/server/usecases/access/people/reset-passkeys";
import { done } from "@/server/usecases/problem";
import { granted } from "@/server/testing/acts";
import { Authenticator } from "@/server/usecases/testing/authenticator";
import { refusalOf } from "@/server/usecases/testing/outcomes";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

const password = "fourteen gates";
const origin = "https://reclaim.example";
let world: World;
let backend: Backend;
let passwordHash = "";
beforeAll(async () => {
  world = await createWorld();
  backend = { ...world.backend, publicUrl: origin };
  passwordHash = await hashPassword(password);
});
afterAll(() => world.stop());
beforeEach(async () => {
  await database().passkey.deleteMany();
  await database().passkeyChallenge.deleteMany();
  await database().signInCount.deleteMany();
  await database().person.updateMany({ data: { passwordHash, resetBy: [], firstPasswordBy: null } });
});

const database = () => world.backend.database;
const operator = () => world.actor("operator");
const admin = () => world.actor("provider-admin");

async function session(of: Actor): Promise<Actor & { readonly sessionId: string }> {
  const sessionId = randomUUID();
  await database().session.create({ data: { id: sessionId, personId: of.personId, epoch: 1 } });
  return { ...of, sessionId };
}

interface Waiting {
  readonly id: string;
  readonly evidence: string;
}
async function ask(by: Actor = operator()): Promise<Waiting> {
  const evidence = randomBytes(32).toString("hex");
  const asked = { kind: "signOff", subjectId: randomUUID(), evidence, siteId: world.siteId } as const;
  const made = await inTransaction(database(), async (tx) =>
    done(await askApproval(tx, by, { ...asked, hostId: null, reason: "x", validUntil: null })),
  );
  if (!made.ok) throw new Error("not asked");
  return { id: made.value, evidence };
}

type Purpose = Parameters<typeof beginPasskey>[3];
const begin = async (by: Actor, purpose: Purpose) =>
  granted(await beginPasskey(backend, by, world.request(), purpose)).options;
const toDecide = (...approvals: readonly Waiting[]): Purpose => ({
  purpose: "decide",
  decision: "approved",
  approvals: [...approvals],
});
const decide = (by: Actor, approval: Waiting, given: object) =>
  decideApprovals(backend, by, world.request(), {
    approvals: [approval],
    decision: "approved",
    ...given,
  });
const decisionOf = async ({ id }: Waiting) =>
  (await database().approval.findUniqueOrThrow({ where: { id } })).decision;

const mayDecide = async (by: Actor, asked: readonly Waiting[]) => {
  const query = { kind: null, all: false, decided: false, hostId: null, cursor: null, limit: 200 };
  const { items } = granted(await listApprovals(backend, by, query));
  return asked.map(({ id }) => items.find((item) => item.id === id)?.mayDecide);
};

/** Adds a passkey, confirmed with the password or an existing passkey. */
async function setUp(by: Actor, name = "laptop", other?: Authenticator): Promise<Authenticator> {
  const key = new Authenticator();
  const given =
    other === undefined
      ? { password }
      : { passkey: other.get(await begin(by, { purpose: "add" }), { origin }) };
  const { options } = granted(await beginAddPasskey(backend, by, world.request(), given));
  granted(await addPasskey(backend, by, world.request(), { name, created: key.create(options, { origin }) }));
  return key;
}

describe("a decision of who has a passkey", () => {
  it("takes the passkey, each time; it says so in the approval and in the log", async () => {
    const [by, first, second] = [await session(admin()), await ask(), await ask()];
    const key = await setUp(by);
    expect(refusalOf(await decide(by, first, {}))).toContain("Confirm with your passkey");
    const passkey = key.get(await begin(by, toDecide(first)), { origin });
    expect((await decide(by, first, { passkey })).ok).toBe(true);
    expect(refusalOf(await decide(by, second, {}))).toContain("Confirm with your passkey");
    expect(
      await database().approval.findMany({
        where: { id: { in: [first.id, second.id] } },
        orderBy: { askedAt: "asc" },
      }),
    ).toMatchObject([{ decidedWith: "passkey" }, { decision: null }]);
    expect(
      await database().auditEvent.findFirst({ where: { targetId: first.id, outcome: "done" } }),
    ).toMatchObject({
      after: { decidedWith: "passkey" },
    });
    const stored = await database().passkey.findFirstOrThrow();
    expect(stored).toMatchObject({ counter: 1n, name: "laptop", lastUsedAt: expect.any(Date) });
  });
  it("does not take the password, neither now nor of before, in the console or with a token", async () => {
    const [by, first] = [await session(admin()), await ask()];
    expect((await decide(by, first, { password })).ok).toBe(true);
    expect((await database().approval.findUniqueOrThrow({ where: { id: first.id } })).decidedWith).toBe(
      "password",
    );
    await setUp(by);
    const second = await ask();
    expect(refusalOf(await decide(by, second, {}))).toContain("Confirm with your passkey");
    expect(refusalOf(await decide(by, second, { password }))).toContain("password is not enough");
    expect(refusalOf(await decide({ ...admin(), kind: "token" }, second, { password }))).toContain(
      `Decide in the console: ${origin}/assurance.`,
    );
    expect(await decisionOf(second)).toBeNull();
  });
  it("is still not that of who asked", async () => {
    const [by, own] = [await session(admin()), await ask(admin())];
    const key = await setUp(by);
    const passkey = key.get(await begin(by, toDecide(own)), { origin });
    expect(refusalOf(await decide(by, own, { passkey }))).toContain("another person decides");
  });
});

describe("an answer", () => {
  const attempt = async (
    change: (made: {
      by: Actor;
      key: Authenticator;
      wanted: Waiting;
    }) => Promise<{ by?: Actor; passkey: object }>,
  ) => {
    const [by, wanted] = [await session(admin()), await ask()];
    const key = await setUp(by);
    const { by: who = by, passkey } = await change({ by, key, wanted });
    const result = await decide(who, wanted, { passkey });
    expect(await decisionOf(wanted)).toBeNull();
    const problem = refusalOf(result);
    const logged = await database().auditEvent.findFirstOrThrow({
      where: { action: "approval.decide", outcome: "refused" },
      orderBy: { at: "desc" },
    });
    expect(logged.after).toMatchObject({ detail: problem });
    return problem;
  };

  it("counts once", async () => {
    const [by, first] = [await session(admin()), await ask()];
    const key = await setUp(by);
    const passkey = key.get(await begin(by, toDecide(first)), { origin });
    expect((await decide(by, first, { passkey })).ok).toBe(true);
    expect(refusalOf(await decide(by, first, { passkey }))).toContain("used already");
  });
  it("that failed is used up, too", async () => {
    const [by, wanted] = [await session(admin()), await ask()];
    const key = await setUp(by);
    const options = await begin(by, toDecide(wanted));
    expect(
      refusalOf(await decide(by, wanted, { passkey: key.get(options, { origin: "https://evil.example" }) })),
    ).toContain("another address");
    expect(refusalOf(await decide(by, wanted, { passkey: key.get(options, { origin }) }))).toContain(
      "used already",
    );
  });
  it("is for the origin of this console", async () =>
    expect(
      await attempt(async ({ by, key, wanted }) => ({
        passkey: key.get(await begin(by, toDecide(wanted)), { origin: "https://reclaim.example.evil" }),
      })),
    ).toContain(`Open the console at ${origin}`));
  it("is for its host name", async () =>
    expect(
      await attempt(async ({ by, key, wanted }) => ({
        passkey: key.get(await begin(by, toDecide(wanted)), { origin, rpId: "example" }),
      })),
    ).toContain("not for reclaim.example"));
  it("needs an authenticator that checks who it is", async () =>
    expect(
      await attempt(async ({ by, key, wanted }) => ({
        passkey: key.get(await begin(by, toDecide(wanted)), { origin, verified: false }),
      })),
    ).toContain("did not check that it is you"));
  it("is signed by the key that was set up", async () =>
    expect(
      await attempt(async ({ by, key, wanted }) => ({
        passkey: {
          ...new Authenticator().get(await begin(by, toDecide(wanted)), { origin }),
          id: key.id,
          rawId: key.id,
        },
      })),
    ).toContain("not valid"));
  it("is of the caller's own passkey", async () =>
    expect(
      await attempt(async ({ by, wanted }) => {
        const theirs = await setUp(await session(operator()));
        return { passkey: theirs.get(await begin(by, toDecide(wanted)), { origin }) };
      }),
    ).toContain("not one of your passkeys"));
  it("is of the session that asked for it", async () =>
    expect(
      await attempt(async ({ by, key, wanted }) => ({
        by: await session(admin()),
        passkey: key.get(await begin(by, toDecide(wanted)), { origin }),
      })),
    ).toContain("another session"));
  it("is for the decision that it was asked for", async () =>
    expect(
      await attempt(async ({ by, key }) => ({
        passkey: key.get(await begin(by, toDecide(await ask())), { origin }),
      })),
    ).toContain("confirmed something else"));
  it("comes within five minutes, by the database's clock", async () =>
    expect(
      await attempt(async ({ by, key, wanted }) => {
        const passkey = key.get(await begin(by, toDecide(wanted)), { origin });
        await database().passkeyChallenge.updateMany({ data: { expiresAt: new Date(Date.now() - 1_000) } });
        return { passkey };
      }),
    ).toContain("expired"));
  it("has a counter that rises, as a copy's would not", async () =>
    expect(
      await attempt(async ({ by, key, wanted }) => {
        key.counter = 7;
        const other = await ask();
        expect(
          (await decide(by, other, { passkey: key.get(await begin(by, toDecide(other)), { origin }) })).ok,
        ).toBe(true);
        key.counter = 6;
        return { passkey: key.get(await begin(by, toDecide(wanted)), { origin }) };
      }),
    ).toContain("may have been copied"));
  it("is no request with a token's, and nothing is answered where the public address is not known", async () => {
    const [by, wanted] = [await session(admin()), await ask()];
    const key = await setUp(by);
    const passkey = key.get(await begin(by, toDecide(wanted)), { origin });
    expect(refusalOf(await decide({ ...admin(), kind: "token" }, wanted, { passkey }))).toContain(
      "in the console",
    );
    const elsewhere = { ...backend, publicUrl: "http://10.0.0.1" };
    const given = { approvals: [wanted], decision: "approved" as const, passkey };
    expect(refusalOf(await decideApprovals(elsewhere, by, world.request(), given))).toContain("host name");
    expect(
      refusalOf(
        await decideApprovals(elsewhere, by, world.request(), { ...given, passkey: undefined, password }),
      ),
    ).toContain("passkey");
    expect(await decisionOf(wanted)).toBeNull();
  });
});

describe("the passkeys of a person", () => {
  it("begin with the password, and go on with a passkey", async () => {
    const by = await session(admin());
    const given = (what: object) => beginAddPasskey(backend, by, world.request(), what);
    expect(refusalOf(await given({}))).toContain("Enter your password");
    expect(refusalOf(await given({ password: "wrong" }))).toContain("password is wrong");
    const early = granted(await given({ password })).options;
    const key = await setUp(by);
    expect(refusalOf(await given({ password }))).toContain("password is not enough");
    // Started while the password was enough, which it no longer is.
    const late = { name: "late", created: new Authenticator().create(early, { origin }) };
    expect(refusalOf(await addPasskey(backend, by, world.request(), late))).toContain(
      "You have a passkey by now",
    );
    await setUp(by, "phone", key);
    expect(granted(await listPasskeys(backend, by))).toMatchObject({
      items: [
        { name: "laptop", lastUsedAt: expect.any(Date) },
        { name: "phone", lastUsedAt: null, elsewhere: null },
      ],
      confirmsWith: "passkey",
      refusal: null,
    });
    expect(granted(await listPasskeys(backend, operator()))).toMatchObject({
      items: [],
      confirmsWith: "password",
    });
  });
  it("are made with user verification, once, and at most ten", async () => {
    const by = await session(admin());
    const key = new Authenticator();
    const add = async (said: object, given: object = { password }) => {
      const { options } = granted(await beginAddPasskey(backend, by, world.request(), given));
      const created = key.create(options, { origin, ...said });
      return addPasskey(backend, by, world.request(), { name: "one", created });
    };
    expect(refusalOf(await add({ verified: false }))).toContain("did not check that it is you");
    expect(refusalOf(await add({ origin: "https://evil.example" }))).toContain("another address");
    expect((await add({})).ok).toBe(true);
    const again = async () => ({ passkey: key.get(await begin(by, { purpose: "add" }), { origin }) });
    expect(refusalOf(await add({}, await again()))).toContain("name one");
    const { personId } = admin();
    await database().passkey.createMany({
      data: Array.from({ length: maxPasskeys - 1 }, (_, index) => ({
        ...{
          personId,
          credentialId: `c${index}`,
          publicKey: new Uint8Array(1),
          rpId: "x",
          name: `n${index}`,
        },
      })),
    });
    expect(refusalOf(await add({}, await again()))).toContain("Remove one first");
  });
  it("are renamed, and removed with a passkey that answered for that", async () => {
    const by = await session(admin());
    const key = await setUp(by);
    const other = await setUp(by, "phone", key);
    const [first, second] = await database().passkey.findMany({ orderBy: { createdAt: "asc" } });
    const [passkeyId, kept] = [first?.id ?? "", second?.id ?? ""];
    const remove = (passkey: ReturnType<Authenticator["get"]>) =>
      removePasskey(backend, by, world.request(), { passkeyId, passkey });
    const forOther = other.get(await begin(by, { purpose: "remove", passkeyId: kept }), { origin });
    expect(refusalOf(await remove(forOther))).toContain("confirmed something else");
    granted(await renamePasskey(backend, by, world.request(), { passkeyId, name: "lost" }));
    const foreign = await renamePasskey(backend, await session(operator()), world.request(), {
      passkeyId,
      name: "x",
    });
    expect(foreign).toMatchObject({ problem: { code: "notFound" } });
    granted(await remove(other.get(await begin(by, { purpose: "remove", passkeyId }), { origin })));
    expect(await database().passkey.findMany()).toMatchObject([{ name: "phone" }]);
    const events = await database().auditEvent.findMany({
      where: { targetId: passkeyId, outcome: "done" },
      orderBy: { at: "asc" },
    });
    expect(events.map(({ action }) => action)).toEqual(["passkey.add", "passkey.rename", "passkey.remove"]);
  });
});

describe("a reset", () => {
  const reset = (by: Actor, personId: string) =>
    resetPasskeys(backend, by, world.request(), { personId, reason: "lost the laptop" });

  it("is another provider admin's, ends the sessions, and lets that admin not act as both", async () => {
    const theirs = await session(operator());
    await setUp(theirs);
    const { personId } = theirs;
    await database().apiToken.create({ data: { hash: randomBytes(32), name: "x", personId } });
    expect(await reset(operator(), personId)).toMatchObject({ problem: { code: "forbidden" } });
    const { sessionEpoch } = await database().person.findUniqueOrThrow({ where: { id: personId } });
    granted(await reset(admin(), personId));
    expect(await database().passkey.count()).toBe(0);
    expect(await database().person.findUniqueOrThrow({ where: { id: personId } })).toMatchObject({
      sessionEpoch: sessionEpoch + 1,
      resetBy: [admin().personId],
    });
    expect(await database().apiToken.count({ where: { personId } })).toBe(0);
    expect(refusalOf(await decide(theirs, await ask(admin()), { password }))).toContain("password is wrong");
    await database().person.update({ where: { id: personId }, data: { passwordHash } });
    const [asked, byOther] = [await ask(admin()), await ask(world.actor("auditor"))];
    expect(refusalOf(await decide(theirs, asked, { password }))).toContain("has reset your password");
    expect((await decide(theirs, byOther, { password })).ok).toBe(true);
    // Allowed from the server's machine, as the last way back in.
    const given = granted(await resetPasskeysOf(backend, theirs.email.toUpperCase(), "the last admin"));
    expect((await decide(theirs, asked, { password: given.password })).ok).toBe(true);
    expect(await resetPasskeysOf(backend, "nobody@example.test", "x")).toMatchObject({
      problem: { code: "notFound" },
    });
    expect(
      await database().auditEvent.findMany({
        where: { action: "person.resetPasskeys", outcome: "done", targetId: personId },
      }),
    ).toMatchObject([
      { actorId: admin().personId, before: { passkeys: 1 }, after: { reason: "lost the laptop" } },
      { actorKind: "local", actorId: null, after: { reason: "the last admin" } },
    ]);
  });
  it.each(["password", "passkeys"] as const)(
    "keeps its admin from deciding on what that account asks for, also with a passkey: of the %s",
    async (what) => {
      const { personId } = operator();
      const by = await session(admin());
      const key = await setUp(by);
      await setUp(await session(operator()));
      const early = await ask();
      if (what === "passkeys") granted(await reset(admin(), personId));
      else granted(await resetPassword(backend, admin(), world.request(), { personId }));
      const asked = await ask();
      const passkey = async (approval: Waiting) => ({
        passkey: key.get(await begin(by, toDecide(approval)), { origin }),
      });
      expect(refusalOf(await decide(by, asked, await passkey(asked)))).toContain("so another person decides");
      expect((await decide(by, early, await passkey(early))).ok).toBe(true);
      // Whoever can sign in may change the password; what was requested before the reset is lifted stays barred.
      const next = "a password of their own";
      await database().person.update({ where: { id: personId }, data: { passwordHash } });
      granted(await changePassword(backend, operator(), world.request(), { current: password, next }));
      const later = await ask();
      granted(await resetPasskeysOf(backend, operator().email, "known in person"));
      const last = await ask();
      expect(await mayDecide(admin(), [asked, later, last])).toEqual([false, false, true]);
      expect(refusalOf(await decide(by, later, await passkey(later)))).toContain("so another person decides");
      expect((await decide(by, last, await passkey(last))).ok).toBe(true);
    },
  );
  it("counts also for who may have signed in as the one who reset", async () => {
    const [first, second, third] = [
      admin(),
      { ...world.actor("auditor"), role: "provider-admin" },
      operator(),
    ] as const;
    granted(await resetPassword(backend, first, world.request(), { personId: second.personId }));
    granted(await resetPassword(backend, second, world.request(), { personId: third.personId }));
    expect(await mayDecide(first, [await ask(third)])).toEqual([false]);
    granted(await reset(second, third.personId));
    expect(await mayDecide(first, [await ask(third)])).toEqual([false]);
  });
  it("is not needed for a first password: that counts until its person has changed it", async () => {
    const { personId } = operator();
    await database().person.update({ where: { id: personId }, data: { firstPasswordBy: admin().personId } });
    granted(await resetPassword(backend, admin(), world.request(), { personId }));
    const early = await ask();
    await database().person.update({ where: { id: personId }, data: { passwordHash } });
    const next = "a password of their own";
    granted(await changePassword(backend, operator(), world.request(), { current: password, next }));
    expect(await mayDecide(admin(), [early, await ask()])).toEqual([false, true]);
    expect(refusalOf(await resetPasskeysOf(backend, operator().email, "x"))).toContain("Nothing was changed");
  });
  it("is never of the own ones", async () => {
    await setUp(await session(admin()));
    expect(refusalOf(await reset(admin(), admin().personId))).toContain("cannot reset your own");
    expect(await database().passkey.count()).toBe(1);
  });
});

describe("the database", () => {
  it("takes no decision without the passkey of who has one, whoever writes it, and keeps with what it was", async () => {
    const [by, wanted] = [await session(admin()), await ask()];
    await setUp(by);
    const where = { id: wanted.id };
    const decided = {
      decision: "approved",
      decidedBy: by.personId,
      decidedByName: "x",
      decidedAt: new Date(),
      decidedReason: "",
    };
    await expect(database().approval.update({ where, data: decided })).rejects.toThrow(
      "decided with a passkey",
    );
    await expect(
      database().approval.update({ where, data: { ...decided, decidedWith: "password" } }),
    ).rejects.toThrow("decided with a passkey");
    await database().approval.update({ where, data: { ...decided, decidedWith: "passkey" } });
    await expect(database().approval.update({ where, data: { decidedWith: "password" } })).rejects.toThrow(
      "never changes",
    );
  });
  it("takes no decision of who has reset the other one of the two, whoever writes it", async () => {
    const decided = (by: Actor) => ({
      ...{ decision: "approved", decidedBy: by.personId, decidedByName: "x", decidedAt: new Date() },
      decidedReason: "",
    });
    const write = ({ id }: Waiting, data: object) => database().approval.update({ where: { id }, data });
    await database().person.update({
      where: { id: operator().personId },
      data: { resetBy: [admin().personId] },
    });
    const [theirs, own] = [await ask(), await ask(admin())];
    await expect(write(theirs, { askerResetBy: [] })).rejects.toThrow("never changes");
    await expect(write(theirs, decided(admin()))).rejects.toThrow("has reset the other");
    await expect(write(own, decided(operator()))).rejects.toThrow("has reset the other");
    await write(theirs, decided(world.actor("auditor")));
  });
  it("keeps a key as it is, and its counter never falls", async () => {
    await setUp(await session(admin()));
    const change = (data: object) => database().passkey.updateMany({ data });
    await expect(change({ publicKey: new Uint8Array(1) })).rejects.toThrow("never changes");
    await expect(change({ personId: operator().personId })).rejects.toThrow("never changes");
    await change({ counter: 3 });
    await expect(change({ counter: 2 })).rejects.toThrow("never falls");
  });
});
