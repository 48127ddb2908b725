// People, tokens and sessions on a real database: who may change whom, what takes effect at once, and what is logged.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { roles } from "@/server/domain/access/roles";
import { signInLimits } from "@/server/domain/access/sign-in-limits";
import { hashPassword } from "@/server/db/secrets/passwords";
import { createDatabase } from "@/server/db/prisma";
import type { Database, Transaction } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import { authenticateToken } from "@/server/usecases/access/authenticate-token";
import { changePassword } from "@/server/usecases/access/change-password";
import { createToken } from "@/server/usecases/access/create-token";
import { readSessionActor } from "@/server/usecases/access/read-actor";
import { endAllSessions, endSession, listSessions, noteSession } from "@/server/usecases/access/sessions";
import { isSignedOut } from "@/server/usecases/access/sign-out";
import { signIn } from "@/server/usecases/access/sign-in";
import { listTokens, revokeToken } from "@/server/usecases/access/tokens";
import type { Actor } from "@/server/usecases/actor";
import { setSiteAutomatedClean } from "@/server/usecases/cleaning/policy/set-site-automated-clean";
import { createPerson } from "@/server/usecases/access/people/create-person";
import { listPeople } from "@/server/usecases/access/people/list-people";
import {
  changePerson,
  disablePerson,
  enablePerson,
  resetPassword,
} from "@/server/usecases/access/people/person-acts";
import { lockPeople } from "@/server/usecases/access/people/person-state";
import type { Outcome } from "@/server/usecases/problem";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
/** The same database as another interface of this process uses it. */
let other: Database;
beforeEach(async () => {
  world = await createWorld();
  other = createDatabase(world.url, { max: 2, applicationName: "test" });
});
afterEach(async () => {
  await other.$disconnect();
  await world.stop();
});

const admin = () => world.actor("provider-admin");
const ask = () => world.request();
const database = () => world.backend.database;
function must<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.problem.detail);
  return outcome.value;
}
const make = async (parts: Partial<Parameters<typeof createPerson>[3]> = {}) =>
  must(
    await createPerson(world.backend, admin(), ask(), {
      email: `${randomUUID()}@example.test`,
      name: "Somebody",
      role: "operator",
      ...parts,
    }),
  );
const enter = (email: string, password: string) =>
  signIn(world.backend, { email, password }, { requestId: randomUUID(), address: null });
/** The person as an actor with a session of the console. */
async function signedIn(personId: string): Promise<Actor> {
  const actor = await readSessionActor(database(), personId, 1);
  if (actor === null) throw new Error(`${personId} is nobody`);
  return actor;
}
/** Whether somebody waits for the lock on changes of people. */
async function waitsForPeople(tx: Transaction): Promise<boolean> {
  const rows = await queryRows(
    tx,
    sql<{ pid: number }>`SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return rows.length > 0;
}
const people = async () => must(await listPeople(world.backend, admin()));
const line = async (personId: string) => (await people()).find((person) => person.personId === personId);
const events = (action: string) =>
  database().auditEvent.findMany({ where: { action }, orderBy: { at: "asc" } });

describe("a person", () => {
  it("is made with an initial password, signs in with it, and is listed", async () => {
    const { personId, email, password } = await make({ email: "New@Example.Test", org: null });
    expect(email).toBe("new@example.test");
    expect(await enter(email, password)).toMatchObject({ ok: true, value: { actor: { role: "operator" } } });
    expect(await line(personId)).toMatchObject({ name: "Somebody", roleWords: "operator", org: null });
    const tenant = await make({ role: "tenant-admin", org: "acme" });
    expect(await line(tenant.personId)).toMatchObject({ org: "acme", roleWords: "tenant admin" });
    expect(await events("person.create")).toMatchObject([
      { targetId: personId, after: { email, role: "operator", disabled: false } },
      { targetId: tenant.personId },
    ]);
  });

  it.each([
    [{ email: "nobody" }, "invalid"],
    [{ role: "tenant-admin" as const }, "invalid"],
    [{ role: "operator" as const, org: "acme" }, "invalid"],
    [{ role: "tenant-admin" as const, org: "nowhere" }, "notFound"],
    [{ email: "operator-acme@example.test" }, "conflict"],
    [{ email: "OPERATOR-acme@example.test" }, "conflict"],
  ])("is not made of %j", async (parts, code) =>
    expect(
      await createPerson(world.backend, admin(), ask(), {
        email: `${randomUUID()}@example.test`,
        name: "Somebody",
        role: "operator",
        ...parts,
      }),
    ).toMatchObject({ problem: { code } }),
  );

  it("has an email address of its own, also when two are made at once", async () => {
    const two = await Promise.all(
      ["ada@example.test", "Ada@Example.test"].map((email) =>
        createPerson(world.backend, admin(), ask(), { email, name: "Ada", role: "operator" }),
      ),
    );
    expect(two.filter(({ ok }) => ok)).toHaveLength(1);
    expect(two.find(({ ok }) => !ok)).toMatchObject({ problem: { code: "conflict", field: "email" } });
  });

  it("is changed, and the next request has the new role, whichever surface takes it", async () => {
    const { personId } = await make();
    for (const surface of [database(), other])
      expect(await readSessionActor(surface, personId, 1)).toMatchObject({ role: "operator" });
    must(await changePerson(world.backend, admin(), ask(), { personId, role: "tenant-admin", org: "vela" }));
    for (const surface of [database(), other])
      expect(await readSessionActor(surface, personId, 1)).toMatchObject({
        role: "tenant-admin",
        org: "vela",
      });
    must(await changePerson(world.backend, admin(), ask(), { personId, name: "Another" }));
    must(await changePerson(world.backend, admin(), ask(), { personId, name: "Another" }));
    expect(await line(personId)).toMatchObject({ name: "Another", role: "tenant-admin", org: "vela" });
    expect(await events("person.change")).toMatchObject([
      { before: { role: "operator", org: null }, after: { role: "tenant-admin", org: "vela" } },
      { before: { name: "Somebody" }, after: { name: "Another" } },
    ]);
    expect(
      await changePerson(world.backend, admin(), ask(), { personId: randomUUID(), name: "x" }),
    ).toMatchObject({ problem: { code: "notFound" } });
  });

  it("that is disabled cannot sign in, and its sessions and tokens stop at once, on every surface", async () => {
    const { personId, email, password } = await make();
    const self = await signedIn(personId);
    const { token } = must(await createToken(world.backend, self, ask(), { personId, name: "script" }));
    for (const surface of [database(), other]) {
      expect(await readSessionActor(surface, personId, 1)).not.toBeNull();
      expect(await authenticateToken(surface, token)).not.toBeNull();
    }
    must(await disablePerson(world.backend, admin(), ask(), { personId }));
    for (const surface of [database(), other]) {
      expect(await readSessionActor(surface, personId, 1)).toBeNull();
      expect(await authenticateToken(surface, token)).toBeNull();
    }
    expect(await enter(email, password)).toMatchObject({ problem: { code: "unauthenticated" } });
    expect((await line(personId))?.disabledAt).toBeInstanceOf(Date);
    expect(await createToken(world.backend, self, ask(), { personId, name: "late" })).toMatchObject({
      problem: { code: "notAllowedNow" },
    });
    must(await enablePerson(world.backend, admin(), ask(), { personId }));
    expect(await enter(email, password)).toMatchObject({ ok: true });
    expect(await readSessionActor(database(), personId, 1)).toBeNull();
    expect(await authenticateToken(database(), token)).toBeNull();
  });

  it("makes no token while it is being disabled, so that none comes back when it is enabled", async () => {
    const { personId } = await make();
    const self = await signedIn(personId);
    let late: ReturnType<typeof createToken> | undefined;
    await database().$transaction(async (tx) => {
      await lockPeople(tx);
      await tx.person.update({ where: { id: personId }, data: { disabledAt: new Date() } });
      await tx.apiToken.deleteMany({ where: { personId } });
      late = createToken(world.backend, self, ask(), { personId, name: "late" });
      const made = late.then(() => "made");
      await expect.poll(() => Promise.race([made, waitsForPeople(tx)]), { timeout: 4_000 }).toBeTruthy();
    });
    expect(await late).toMatchObject({ problem: { code: "notAllowedNow" } });
    expect(await database().apiToken.count({ where: { personId } })).toBe(0);
  });

  it("is nobody by the column alone: a row that another program disabled has no rights", async () => {
    const { personId, email, password } = await make();
    await database().person.update({ where: { id: personId }, data: { disabledAt: new Date() } });
    expect(await readSessionActor(database(), personId, 1)).toBeNull();
    expect(await enter(email, password)).toMatchObject({ problem: { code: "unauthenticated" } });
  });

  it("gets a new password, with which alone it signs in, and its sessions end", async () => {
    const { personId, email, password } = await make();
    expect(await readSessionActor(database(), personId, 1)).not.toBeNull();
    const reset = must(await resetPassword(world.backend, admin(), ask(), { personId }));
    expect(await enter(email, password)).toMatchObject({ problem: { code: "unauthenticated" } });
    expect(await enter(email, reset.password)).toMatchObject({ ok: true });
    expect(await readSessionActor(database(), personId, 1)).toBeNull();
    const own = await resetPassword(world.backend, admin(), ask(), { personId: admin().personId });
    expect(own).toMatchObject({ problem: { code: "notAllowedNow" } });
  });

  it("cannot change its own role, and the last provider admin stays, also when two act at once", async () => {
    const [first, second] = [world.actor("provider-admin", "acme"), world.actor("provider-admin", "vela")];
    expect(
      await changePerson(world.backend, first, ask(), { personId: first.personId, role: "auditor" }),
    ).toMatchObject({ problem: { code: "forbidden" } });
    await database().person.updateMany({
      where: { role: "provider-admin", NOT: { id: { in: [first.personId, second.personId] } } },
      data: { disabledAt: new Date() },
    });
    const results = await Promise.all([
      disablePerson(world.backend, first, ask(), { personId: second.personId }),
      changePerson(world.backend, second, ask(), { personId: first.personId, role: "operator" }),
    ]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.find(({ ok }) => !ok)).toMatchObject({ problem: { code: "notAllowedNow" } });
    expect(await database().person.count({ where: { role: "provider-admin", disabledAt: null } })).toBe(1);
  });

  it("is managed by a provider admin alone, and every refusal is logged", async () => {
    const { personId } = await make();
    for (const role of roles) {
      const may = role === "provider-admin";
      const actor = world.actor(role, "acme");
      const changed = await changePerson(world.backend, actor, ask(), { personId, name: role });
      expect(changed.ok).toBe(may);
      const listed = await listPeople(world.backend, actor);
      expect(listed.ok).toBe(may || role === "auditor");
    }
    expect(
      await database().auditEvent.count({ where: { action: "person.change", outcome: "refused" } }),
    ).toBe(roles.length - 1);
  });
});

describe("the own password", () => {
  const secret = "correct horse battery";
  const as = async (): Promise<Actor> => {
    const actor = world.actor("tenant-admin");
    await database().person.update({
      where: { id: actor.personId },
      data: { passwordHash: await hashPassword(secret) },
    });
    return actor;
  };
  const change = (actor: Actor, current: string, next: string) =>
    changePassword(world.backend, actor, ask(), { current, next });

  it("is changed by who knows the present one; all sessions end", async () => {
    const actor = await as();
    expect(await change(actor, "wrong", "another horse battery")).toMatchObject({
      problem: { code: "forbidden", field: "current" },
    });
    expect(await change(actor, secret, "short")).toMatchObject({ problem: { code: "invalid" } });
    expect(await change(actor, secret, secret)).toMatchObject({ problem: { field: "next" } });
    expect(await change({ ...actor, kind: "token" }, secret, "another horse battery")).toMatchObject({
      problem: { code: "forbidden" },
    });
    expect(await readSessionActor(database(), actor.personId, 1)).not.toBeNull();
    must(await change(actor, secret, "another horse battery"));
    expect(await readSessionActor(database(), actor.personId, 1)).toBeNull();
    expect(await enter(actor.email, "another horse battery")).toMatchObject({ ok: true });
    const logged = JSON.stringify(await events("account.changePassword"));
    expect(logged).not.toContain("horse");
  });

  it("is not guessed with a session: attempts are limited, and then the right one is refused, too", async () => {
    const actor = await as();
    for (let attempt = 0; attempt < signInLimits.perEmail; attempt += 1)
      expect(await change(actor, secret, secret)).toMatchObject({ problem: { field: "next" } });
    for (let attempt = 0; attempt < signInLimits.perEmail; attempt += 1)
      await change(actor, "wrong", "another horse battery");
    expect(await change(actor, secret, "another horse battery")).toMatchObject({
      problem: { code: "tooMany" },
    });
  });
});

describe("tokens", () => {
  it("show their scope, expiry and last use, to their person and to who may read all", async () => {
    const mine = world.actor("tenant-admin");
    const soon = new Date(Date.now() + 3_600_000);
    const { tokenId, token } = must(
      await createToken(world.backend, mine, ask(), {
        personId: mine.personId,
        name: "script",
        scope: "read",
        expiresAt: soon,
      }),
    );
    expect(await authenticateToken(database(), token)).toMatchObject({ readOnly: true });
    expect(must(await listTokens(world.backend, mine, {}))).toMatchObject([
      {
        tokenId,
        name: "script",
        scope: "read",
        expiresAt: soon,
        expired: false,
        lastUsedAt: expect.any(Date),
      },
    ]);
    expect(JSON.stringify(must(await listTokens(world.backend, mine, {})))).not.toContain(token);
    const stranger = world.actor("tenant-admin", "vela");
    expect(must(await listTokens(world.backend, stranger, {}))).toEqual([]);
    expect(await listTokens(world.backend, stranger, { personId: mine.personId })).toMatchObject({
      problem: { code: "notFound" },
    });
    expect(await revokeToken(world.backend, stranger, ask(), { tokenId })).toMatchObject({
      problem: { code: "notFound" },
    });
    expect(must(await listTokens(world.backend, world.actor("auditor"), {}))).toHaveLength(1);
    expect(await revokeToken(world.backend, world.actor("auditor"), ask(), { tokenId })).toMatchObject({
      problem: { code: "notFound" },
    });
    must(await revokeToken(world.backend, mine, ask(), { tokenId }));
    for (const surface of [database(), other]) expect(await authenticateToken(surface, token)).toBeNull();
    expect(await events("token.revoke")).toMatchObject([
      { outcome: "refused" },
      { outcome: "refused" },
      { outcome: "done", before: { name: "script" } },
    ]);
  });

  it("that may only read changes nothing, whatever their person may", async () => {
    const { token } = must(
      await createToken(world.backend, admin(), ask(), {
        personId: admin().personId,
        name: "dashboard",
        scope: "read",
      }),
    );
    const actor = await authenticateToken(database(), token);
    if (actor === null) throw new Error("nobody");
    expect((await listPeople(world.backend, actor)).ok).toBe(true);
    expect(
      await setSiteAutomatedClean(world.backend, actor, ask(), {
        siteId: world.siteId,
        automatedClean: false,
      }),
    ).toMatchObject({ problem: { code: "forbidden", detail: expect.stringContaining("only read") } });
    expect(
      await createToken(world.backend, actor, ask(), { personId: actor.personId, name: "more" }),
    ).toMatchObject({ problem: { code: "forbidden", detail: expect.stringContaining("only read") } });
  });

  it("are made by their person alone, signed in to the console: neither by a token nor for another", async () => {
    const { personId } = await make({ role: "tenant-admin", org: "acme" });
    const mine = await signedIn(personId);
    const { token } = must(
      await createToken(world.backend, mine, ask(), {
        personId,
        name: "for an hour",
        expiresAt: new Date(Date.now() + 3_600_000),
      }),
    );
    const program = await authenticateToken(database(), token);
    if (program === null) throw new Error("nobody");
    expect(await createToken(world.backend, program, ask(), { personId, name: "for ever" })).toMatchObject({
      problem: { code: "forbidden", detail: expect.stringContaining("console") },
    });
    expect(await createToken(world.backend, admin(), ask(), { personId, name: "as acme" })).toMatchObject({
      problem: { code: "notFound" },
    });
    expect(must(await listTokens(world.backend, mine, {}))).toHaveLength(1);
  });

  it("are not made for a moment that is past", async () =>
    expect(
      await createToken(world.backend, admin(), ask(), {
        personId: admin().personId,
        name: "late",
        expiresAt: new Date(Date.now() - 1),
      }),
    ).toMatchObject({ problem: { code: "invalid", field: "expiresAt" } }));
});

describe("sessions", () => {
  const begin = async (actor: Actor) => {
    const sessionId = randomUUID();
    await noteSession(database(), { sessionId, personId: actor.personId, epoch: 1, address: "10.0.0.1" });
    return sessionId;
  };
  it("are listed, ended one by one or all, by their person and by a provider admin", async () => {
    const mine = world.actor("operator");
    const [here, there] = [await begin(mine), await begin(mine)];
    const asHere: Actor = { ...mine, sessionId: here };
    expect(must(await listSessions(world.backend, asHere, {}))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ sessionId: here, current: true, address: "10.0.0.1" }),
        expect.objectContaining({ sessionId: there, current: false }),
      ]),
    );
    const stranger = world.actor("tenant-admin");
    expect(must(await listSessions(world.backend, stranger, {}))).toEqual([]);
    for (const act of [
      await endSession(world.backend, stranger, ask(), { sessionId: there }),
      await endAllSessions(world.backend, stranger, ask(), { personId: mine.personId }),
    ])
      expect(act).toMatchObject({ problem: { code: "notFound" } });
    expect(await isSignedOut(other, there)).toBe(false);
    must(await endSession(world.backend, asHere, ask(), { sessionId: there }));
    must(await endSession(world.backend, asHere, ask(), { sessionId: there }));
    for (const surface of [database(), other]) expect(await isSignedOut(surface, there)).toBe(true);
    expect(must(await listSessions(world.backend, admin(), { personId: mine.personId }))).toHaveLength(1);
    expect(await events("session.end")).toMatchObject([{ outcome: "refused" }, { outcome: "done" }]);
    expect(await readSessionActor(other, mine.personId, 1)).not.toBeNull();
    must(await endAllSessions(world.backend, admin(), ask(), { personId: mine.personId }));
    for (const surface of [database(), other])
      expect(await readSessionActor(surface, mine.personId, 1)).toBeNull();
    expect(must(await listSessions(world.backend, admin(), {}))).toEqual([]);
  });
});
