// Sign-in and tokens on a real database.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashPassword } from "@/server/db/secrets/passwords";
import { unknownCallers } from "@/server/usecases/access/unknown-callers";
import { authenticateSystem } from "@/server/usecases/repair/leases/outside";
import { authenticateSource } from "@/server/usecases/repair/health/post-report";
import { authenticateToken } from "@/server/usecases/access/authenticate-token";
import { createToken } from "@/server/usecases/access/create-token";
import { readSessionActor } from "@/server/usecases/access/read-actor";
import { pruneSignIns } from "@/server/db/sign-in-counts";
import { signInLimits } from "@/server/domain/access/sign-in-limits";
import { signIn } from "@/server/usecases/access/sign-in";
import { signInGuard } from "@/server/usecases/access/sign-in-guard";
import { tokenHash } from "@/server/domain/access/tokens";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
let passwordHash = "";
beforeAll(async () => {
  world = await createWorld();
  passwordHash = await hashPassword("correct horse");
});
afterAll(() => world.stop());

async function person(role = "operator", tenantId: string | null = null) {
  const email = `${randomUUID()}@example.test`;
  const row = await world.backend.database.person.create({
    data: { id: randomUUID(), email, name: "Somebody", role, tenantId, passwordHash },
  });
  return { id: row.id, email };
}
const attempt = (email: string, password: string, address: string = randomUUID()) =>
  signIn(world.backend, { email, password }, { requestId: "test-request", address });
const events = (targetId: string | null) =>
  world.backend.database.auditEvent.findMany({
    where: { action: "session.signIn", targetId },
    orderBy: { at: "asc" },
    select: { outcome: true, after: true, address: true },
  });

describe("a sign-in", () => {
  it("with the right password gives the person and its epoch, and is logged", async () => {
    const { id, email } = await person();
    expect(await attempt(` ${email.toUpperCase()} `, "correct horse", "10.1.1.1")).toMatchObject({
      ok: true,
      value: { actor: { personId: id, role: "operator", kind: "person" }, sessionEpoch: 1 },
    });
    expect(await events(id)).toEqual([{ outcome: "done", after: null, address: "10.1.1.1" }]);
  });
  it("answers the same for a wrong password and for nobody, and both are logged without what was typed", async () => {
    const { id, email } = await person();
    const wrong = await attempt(email, "wrong horse");
    const nobody = await attempt("nobody@example.test", "wrong horse");
    expect(wrong).toEqual(nobody);
    expect(wrong).toMatchObject({ problem: { code: "unauthenticated" } });
    expect(await events(id)).toMatchObject([{ outcome: "refused", after: { code: "unauthenticated" } }]);
    expect(JSON.stringify(await world.backend.database.auditEvent.findMany())).not.toMatch(
      /wrong horse|nobody@/,
    );
  });
  it.each(["", " ", "x".repeat(400)])("with the email %j is refused", async (email) =>
    expect(await attempt(email, "x")).toMatchObject({ problem: { code: "unauthenticated" } }),
  );
  it("is limited per name: then the right password is refused, too", async () => {
    const { email } = await person();
    const results = await Promise.all(
      Array.from({ length: signInLimits.perEmail + 5 }, () => attempt(email, "wrong horse")),
    );
    expect(
      results.filter((result) => !result.ok && result.problem.code === "unauthenticated").length,
    ).toBeLessThanOrEqual(signInLimits.perEmail);
    expect(await attempt(email, "correct horse")).toMatchObject({ problem: { code: "tooMany" } });
  });
  it("is limited per address", async () => {
    const address = "10.9.9.9";
    await world.backend.database.signInCount.create({
      data: { subject: `address:${address}`, attempts: signInLimits.perAddress },
    });
    expect(await attempt((await person()).email, "correct horse", address)).toMatchObject({
      problem: { code: "tooMany" },
    });
  });
  it("that succeeds does not count", async () => {
    const { email } = await person();
    for (let round = 0; round < signInLimits.perEmail + 2; round += 1)
      expect(await attempt(email, "correct horse", "10.8.8.8")).toMatchObject({ ok: true });
    expect(
      await world.backend.database.signInCount.aggregate({
        where: { subject: { in: [`email:${email}`, "address:10.8.8.8", `own:10.8.8.8 ${email}`] } },
        _sum: { attempts: true },
      }),
    ).toMatchObject({ _sum: { attempts: 0 } });
  });
  it("is over after a quarter of an hour", async () => {
    const { email } = await person();
    const since = new Date(Date.now() - signInLimits.windowMs - 1000);
    await world.backend.database.signInCount.create({
      data: { subject: `email:${email}`, attempts: 50, since },
    });
    expect(await attempt(email, "correct horse")).toMatchObject({ ok: true });
  });
  it("leaves no count behind that no limit looks at", async () => {
    const { database } = world.backend;
    await database.signInCount.createMany({
      data: [
        { subject: "old", attempts: 1, since: new Date(Date.now() - signInLimits.windowMs - 1000) },
        { subject: "new", attempts: 1 },
      ],
    });
    await pruneSignIns(database, signInLimits.windowMs, 90);
    expect(await database.signInCount.findMany({ where: { subject: { in: ["old", "new"] } } })).toMatchObject(
      [{ subject: "new" }],
    );
  });
  it("is not for a role that makes no sense", async () => {
    expect(await attempt((await person("emperor")).email, "correct horse")).toMatchObject({
      problem: { code: "unauthenticated" },
    });
    expect(await attempt((await person("tenant-admin")).email, "correct horse")).toMatchObject({
      problem: { code: "unauthenticated" },
    });
    expect(
      await attempt((await person("operator", world.tenants.acme)).email, "correct horse"),
    ).toMatchObject({ problem: { code: "unauthenticated" } });
  });
});

describe("a flood of sign-ins", () => {
  const rows = async () => {
    const { database } = world.backend;
    return (await database.signInCount.count()) + (await database.auditEvent.count());
  };

  it("of one name from one address writes a row for each password that was looked at, and one for the rest", async () => {
    const { id, email } = await person();
    const before = await rows();
    for (let round = 0; round < 30; round += 1)
      await Promise.all(Array.from({ length: 20 }, () => attempt(email, "wrong horse", "10.7.7.7")));
    expect(await attempt(email, "wrong horse", "10.7.7.7")).toMatchObject({ problem: { code: "tooMany" } });
    expect((await rows()) - before).toBeLessThanOrEqual(signInLimits.perEmail + 5);
    await signInGuard().flush();
    expect((await events(null)).map(({ after }) => after)).toContainEqual({
      code: "tooMany",
      attempts: expect.any(Number),
    });
    expect((await events(id)).length).toBeLessThanOrEqual(signInLimits.perEmail);
  });
  it("from elsewhere does not keep a person out at their own address", async () => {
    const { email } = await person();
    expect(await attempt(email, "correct horse", "10.6.6.6")).toMatchObject({ ok: true });
    for (let round = 0; round <= signInLimits.perEmail; round += 1)
      await attempt(email, "wrong horse", "10.6.0.1");
    expect(await attempt(email, "correct horse", "10.6.0.2")).toMatchObject({ problem: { code: "tooMany" } });
    expect(await attempt(email, "correct horse", "10.6.6.6")).toMatchObject({ ok: true });
  });
  it("at a person's own address with other names does not, either, and with the person's name does", async () => {
    const { email } = await person();
    expect(await attempt(email, "correct horse", "10.5.5.5")).toMatchObject({ ok: true });
    await world.backend.database.signInCount.updateMany({
      where: { subject: "address:10.5.5.5" },
      data: { attempts: signInLimits.perAddress },
    });
    expect(await attempt("someone@else.test", "wrong", "10.5.5.5")).toMatchObject({
      problem: { code: "tooMany" },
    });
    expect(await attempt(email, "correct horse", "10.5.5.5")).toMatchObject({ ok: true });
    for (let round = 0; round < signInLimits.perOwnAddress; round += 1)
      await attempt(email, "wrong horse", "10.5.5.5");
    expect(await attempt(email, "correct horse", "10.5.5.5")).toMatchObject({ problem: { code: "tooMany" } });
  });
  it("from ever new addresses hashes few at a time, and refuses what cannot wait", async () => {
    const results = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        attempt(`${randomUUID()}@none.test`, "wrong", `10.4.${index >> 8}.${index & 255}`),
      ),
    );
    const codes = results.map((result) => (result.ok ? "ok" : result.problem.code));
    expect(codes.filter((code) => code === "unauthenticated").length).toBeLessThanOrEqual(50);
    expect(codes.filter((code) => code === "unavailable").length).toBeGreaterThanOrEqual(250);
  });
});

describe("a session", () => {
  it("ends when its epoch does, within seconds", async () => {
    const { id } = await person();
    expect(await readSessionActor(world.backend.database, id, 1)).toMatchObject({ personId: id });
    expect(await readSessionActor(world.backend.database, id, 2)).toBeNull();
    await world.backend.database.person.update({ where: { id }, data: { sessionEpoch: 2 } });
    await expect.poll(() => readSessionActor(world.backend.database, id, 1), { timeout: 30_000 }).toBeNull();
  });
});

describe("a token", () => {
  const make = async (personId: string, expiresAt: Date | null = null) => {
    const actor = await readSessionActor(world.backend.database, personId, 1);
    if (actor === null) throw new Error(`${personId} is nobody`);
    return createToken(world.backend, actor, world.request(), { personId, name: "ci", expiresAt });
  };
  it("is its person, and kept as a hash", async () => {
    const { id } = await person("auditor");
    const made = await make(id);
    if (!made.ok) throw new Error(made.problem.detail);
    const { token, tokenId } = made.value;
    expect(await authenticateToken(world.backend.database, token)).toMatchObject({
      kind: "token",
      personId: id,
      role: "auditor",
    });
    const row = await world.backend.database.apiToken.findUniqueOrThrow({ where: { id: tokenId } });
    expect(Buffer.from(row.hash).equals(Buffer.from(tokenHash(token)))).toBe(true);
    expect(row.lastUsedAt).not.toBeNull();
    const logged = await world.backend.database.auditEvent.findMany({
      where: { action: "token.create", targetId: tokenId },
    });
    expect(logged).toMatchObject([{ outcome: "done", after: { name: "ci", personId: id } }]);
    expect(JSON.stringify(logged)).not.toContain(token);
  });
  it.each(["", "short", `rcl_${"A".repeat(43)}`, "x".repeat(5000)])(
    "that is none is nobody's: %j",
    async (token) => expect(await authenticateToken(world.backend.database, token)).toBeNull(),
  );
  it("that is none is counted, and logged with others of its minute", async () => {
    await unknownCallers().flush();
    const { database } = world.backend;
    const events = () => database.auditEvent.findMany({ where: { action: "token.refuse" } });
    const before = (await events()).length;
    const wrong = `rcl_${"B".repeat(43)}`;
    await authenticateToken(database, wrong, "192.0.2.7");
    await authenticateSystem(database, wrong, "192.0.2.8");
    await authenticateSource(database, wrong, "192.0.2.7");
    expect(await events()).toHaveLength(before);
    await unknownCallers().flush();
    await unknownCallers().flush();
    const logged = (await events()).slice(before);
    expect(logged).toMatchObject([
      {
        actorKind: "unknown",
        outcome: "refused",
        after: { code: "unauthenticated", attempts: 3, addresses: "192.0.2.7, 192.0.2.8" },
      },
    ]);
  });
  it("that has expired is nobody's", async () => {
    const made = await make((await person()).id, new Date(Date.now() - 1000));
    expect(await authenticateToken(world.backend.database, made.ok ? made.value.token : "")).toBeNull();
  });
  it("expires while it is known", async () => {
    const made = await make((await person()).id, new Date(Date.now() + 5_000));
    const token = made.ok ? made.value.token : "";
    expect(await authenticateToken(world.backend.database, token)).not.toBeNull();
    await expect.poll(() => authenticateToken(world.backend.database, token), { timeout: 30_000 }).toBeNull();
  });
  it("that was removed is nobody's within seconds", async () => {
    const made = await make((await person()).id);
    if (!made.ok) throw new Error(made.problem.detail);
    expect(await authenticateToken(world.backend.database, made.value.token)).not.toBeNull();
    await world.backend.database.apiToken.delete({ where: { id: made.value.tokenId } });
    await expect
      .poll(() => authenticateToken(world.backend.database, made.value.token), { timeout: 30_000 })
      .toBeNull();
  });
  it.each(["operator", "provider-admin"] as const)("is made by a %s for oneself alone", async (role) => {
    const actor = world.actor(role);
    const create = (personId: string) =>
      createToken(world.backend, actor, world.request(), { personId, name: "own" });
    expect(await create(actor.personId)).toMatchObject({ ok: true });
    expect(await create((await person()).id)).toMatchObject({ problem: { code: "notFound" } });
  });
});
