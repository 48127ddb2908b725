// Signing in and tokens on a real database.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashPassword } from "@/server/db/passwords";
import { authenticateToken } from "@/server/usecases/access/authenticate-token";
import { createToken } from "@/server/usecases/access/create-token";
import { readSessionActor } from "@/server/usecases/access/read-actor";
import { signIn, signInLimits } from "@/server/usecases/access/sign-in";
import { tokenHash } from "@/server/usecases/access/tokens";
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
  const row = await world.backend.database.person.create({ data: { id: randomUUID(), email, name: "Somebody", role, tenantId, passwordHash } });
  return { id: row.id, email };
}
const attempt = (email: string, password: string, address: string = randomUUID()) => signIn(world.backend, { email, password }, { requestId: "test-request", address });
const events = (targetId: string | null) => world.backend.database.auditEvent.findMany({ where: { action: "session.signIn", targetId }, orderBy: { at: "asc" }, select: { outcome: true, after: true, address: true } });

describe("a sign-in", () => {
  it("with the right password gives the person and its epoch, and is logged", async () => {
    const { id, email } = await person();
    expect(await attempt(` ${email.toUpperCase()} `, "correct horse", "10.1.1.1")).toMatchObject({ ok: true, value: { actor: { personId: id, role: "operator", kind: "person" }, sessionEpoch: 1 } });
    expect(await events(id)).toEqual([{ outcome: "done", after: null, address: "10.1.1.1" }]);
  });
  it("answers the same for a wrong password and for nobody, and both are logged without what was typed", async () => {
    const { id, email } = await person();
    const wrong = await attempt(email, "wrong horse");
    const nobody = await attempt("nobody@example.test", "wrong horse");
    expect(wrong).toEqual(nobody);
    expect(wrong).toMatchObject({ problem: { code: "unauthenticated" } });
    expect(await events(id)).toMatchObject([{ outcome: "refused", after: { code: "unauthenticated" } }]);
    expect(JSON.stringify(await world.backend.database.auditEvent.findMany())).not.toMatch(/wrong horse|nobody@/);
  });
  it.each(["", " ", "x".repeat(400)])("with the email %j is refused", async (email) => expect(await attempt(email, "x")).toMatchObject({ problem: { code: "unauthenticated" } }));
  it("is limited per name: then the right password is refused, too", async () => {
    const { email } = await person();
    const results = await Promise.all(Array.from({ length: signInLimits.perEmail + 5 }, () => attempt(email, "wrong horse")));
    expect(results.filter((result) => !result.ok && result.problem.code === "unauthenticated").length).toBeLessThanOrEqual(signInLimits.perEmail);
    expect(await attempt(email, "correct horse")).toMatchObject({ problem: { code: "tooMany" } });
  });
  it("is limited per address", async () => {
    const address = "10.9.9.9";
    await world.backend.database.signInAttempt.createMany({ data: Array.from({ length: signInLimits.perAddress }, () => ({ subject: `address:${address}` })) });
    expect(await attempt((await person()).email, "correct horse", address)).toMatchObject({ problem: { code: "tooMany" } });
  });
  it("that succeeds does not count", async () => {
    const { email } = await person();
    for (let round = 0; round < signInLimits.perEmail + 2; round += 1) expect(await attempt(email, "correct horse", "10.8.8.8")).toMatchObject({ ok: true });
    expect(await world.backend.database.signInAttempt.count({ where: { subject: { in: [`email:${email}`, "address:10.8.8.8"] } } })).toBe(0);
  });
  it("is over after a quarter of an hour", async () => {
    const { email } = await person();
    await world.backend.database.signInAttempt.createMany({ data: Array.from({ length: 50 }, () => ({ subject: `email:${email}`, at: new Date(Date.now() - signInLimits.windowMs - 1000) })) });
    expect(await attempt(email, "correct horse")).toMatchObject({ ok: true });
  });
  it("is not for a role that makes no sense", async () => {
    expect(await attempt((await person("emperor")).email, "correct horse")).toMatchObject({ problem: { code: "unauthenticated" } });
    expect(await attempt((await person("tenant-admin")).email, "correct horse")).toMatchObject({ problem: { code: "unauthenticated" } });
    expect(await attempt((await person("operator", world.tenants.acme)).email, "correct horse")).toMatchObject({ problem: { code: "unauthenticated" } });
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
  const make = (personId: string, expiresAt: Date | null = null) => createToken(world.backend, world.actor("provider-admin"), world.request(), { personId, name: "ci", expiresAt });
  it("is its person, and kept as a hash", async () => {
    const { id } = await person("auditor");
    const made = await make(id);
    if (!made.ok) throw new Error(made.problem.detail);
    const { token, tokenId } = made.value;
    expect(await authenticateToken(world.backend.database, token)).toMatchObject({ kind: "token", personId: id, role: "auditor" });
    const row = await world.backend.database.apiToken.findUniqueOrThrow({ where: { id: tokenId } });
    expect(Buffer.from(row.hash).equals(Buffer.from(tokenHash(token)))).toBe(true);
    expect(row.lastUsedAt).not.toBeNull();
    const logged = await world.backend.database.auditEvent.findMany({ where: { action: "token.create", targetId: tokenId } });
    expect(logged).toMatchObject([{ outcome: "done", after: { name: "ci", personId: id } }]);
    expect(JSON.stringify(logged)).not.toContain(token);
  });
  it.each(["", "short", `rcl_${"A".repeat(43)}`, "x".repeat(5000)])("that is none is nobody's: %j", async (token) => expect(await authenticateToken(world.backend.database, token)).toBeNull());
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
    await expect.poll(() => authenticateToken(world.backend.database, made.value.token), { timeout: 30_000 }).toBeNull();
  });
  it("is made for oneself, or for others by a provider admin", async () => {
    const operator = world.actor("operator");
    expect(await createToken(world.backend, operator, world.request(), { personId: operator.personId, name: "own" })).toMatchObject({ ok: true });
    expect(await createToken(world.backend, operator, world.request(), { personId: (await person()).id, name: "of another" })).toMatchObject({ problem: { code: "notFound" } });
  });
});
