// Exceptions on the database: who requests and who approves, what voids them, and that no host gets past the expiry of one.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashPassword } from "@/server/db/secrets/passwords";
import { queryRows } from "@/server/db/sql";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import type { GateName } from "@/server/domain/reclamations/gates/gate-names";
import { localActor } from "@/server/usecases/actor";
import type { Actor } from "@/server/usecases/actor";
import { decideApprovals } from "@/server/usecases/assurance/approvals/decide-approvals";
import { listEnding } from "@/server/usecases/assurance/approvals/list-ending";
import { askableExceptions } from "@/server/usecases/assurance/exceptions/askable";
import { askException, withdrawException } from "@/server/usecases/assurance/exceptions/exception-acts";
import { listExceptions } from "@/server/usecases/assurance/exceptions/list-exceptions";
import { isForRepair, isFree } from "@/server/usecases/instances/free-hosts";
import { addReclamation } from "@/server/usecases/testing/reclamations";
import { createWorld } from "@/server/usecases/testing/world";
import { refusalOf, valueOf } from "@/server/usecases/testing/outcomes";
import type { World } from "@/server/usecases/testing/world";

const password = "fourteen gates";
let world: World;
beforeAll(async () => {
  world = await createWorld();
  await world.backend.database.person.updateMany({ data: { passwordHash: await hashPassword(password) } });
});
afterAll(() => world.stop());

const database = () => world.backend.database;
const operator = () => world.actor("operator");
const admin = () => world.actor("provider-admin");
const hour = 3_600_000;
const gate = (name: GateName, status: string, reason = "it is so", evidence = {}) => ({
  ...{ gate: name, status, reason, evidence, generation: 1, evidenceSeq: 0 },
});

interface Stopped {
  readonly hostId: string;
  readonly reclamationId: string;
}

const told = (reclamationId: string, hostId: string, serial: string, verdict: string, reason: string) =>
  database()
    .$executeRaw`INSERT INTO device_result (reclamation_id, host_id, step_run_id, attempt, plan_epoch, serial, model, media, technique, standard, level, technique_table, verdict, reason, report)
      VALUES (${reclamationId}::uuid, ${hostId}::uuid, gen_random_uuid(), 1, 1, ${serial}, 'M', 'hdd', 'ata-secure-erase', 'ieee-2883', 'clear', 1, ${verdict}, ${reason}, '{}')`;

/** A host that stopped at its gates: memory not overwritten, and one of its two drives not sanitized. */
async function stopped(): Promise<Stopped> {
  const hostId = await world.host();
  const reclamationId = randomUUID();
  await database().reclamation.create({
    data: {
      ...{ id: reclamationId, hostId, hostSerial: hostId, kind: "onboarding", policyVersion: 1 },
      ...{ policy: defaultPolicy(), planEpoch: 1, stoppedAt: new Date() },
      devices: { expected: ["S1", "S2"].map((serial) => ({ serial, model: "M" })) },
      gates: {
        create: [
          gate("memoryOverwritten", "unsatisfied", "no result", { read: [{ epoch: 3, kind: "dimm" }] }),
          gate("storageSanitized", "unsatisfied"),
          gate("instanceReleased", "satisfied"),
          gate("validationPassed", "satisfied"),
        ],
      },
    },
  });
  await world.put(hostId, "Failed/GateUnsatisfied");
  await told(reclamationId, hostId, "S1", "sanitized", "");
  await told(reclamationId, hostId, "S2", "failed", "it does not answer");
  return { hostId, reclamationId };
}

const ask = (hostId: string, over: object = {}, by: Actor = operator()) =>
  askException(world.backend, by, world.request(), {
    ...{ hostId, gate: "memoryOverwritten", reason: "the test is broken", measure: "power is drained" },
    ...{ risk: "low", validUntil: new Date(Date.now() + hour), ...over },
  });
async function asked(hostId: string, over: object = {}) {
  const outcome = await ask(hostId, over);
  if (!outcome.ok) throw new Error(outcome.problem.detail);
  return outcome.value;
}
const decide = (by: Actor, { approvalId, evidence }: { approvalId: string; evidence: string }) =>
  decideApprovals(world.backend, by, world.request(), {
    ...{ approvals: [{ id: approvalId, evidence }], decision: "approved", password },
  });
const lines = async (hostId: string | null = null, by: Actor = admin()) => {
  const page = await listExceptions(world.backend, by, { hostId, all: true, cursor: null, limit: 200 });
  if (!page.ok) throw new Error(page.problem.detail);
  return page.value.items;
};
const standingOf = async (hostId: string) =>
  (await lines(hostId)).map(({ standing, voided }) => `${standing}${voided === null ? "" : `: ${voided}`}`);

describe("an exception", () => {
  it("is asked for by one person and approved by another, also after a change of role", async () => {
    const { hostId } = await stopped();
    const request = await asked(hostId);
    expect(await standingOf(hostId)).toEqual(["waits"]);
    expect(refusalOf(await decide({ ...operator(), role: "provider-admin" }, request))).toContain(
      "another person decides",
    );
    expect(refusalOf(await decide(world.actor("auditor"), request))).toContain("may not");
    expect((await decide(admin(), request)).ok).toBe(true);
    expect(await lines(hostId)).toMatchObject([
      {
        ...{ gate: "memoryOverwritten", drive: null, standing: "approved", found: "no result" },
        ...{ askedBy: "operator of acme", measure: "power is drained", risk: "low" },
      },
    ]);
    expect(await database().auditEvent.count({ where: { targetId: hostId, action: "exception.ask" } })).toBe(
      1,
    );
  });
  it("is asked for only of what is open, by who is signed in, and with an end", async () => {
    const { hostId } = await stopped();
    const why = async (over: object, by?: Actor) => refusalOf(await ask(hostId, over, by));
    expect(await why({ gate: "instanceReleased" })).toContain("no exceptions for instanceReleased");
    expect(await why({ gate: "validationPassed" })).toContain("no exceptions for validationPassed");
    expect(await why({ gate: "storageSanitized" })).toContain("Name the drive");
    expect(await why({ gate: "storageSanitized", drive: "S1" })).toContain("sanitized");
    expect(await why({ gate: "memoryOverwritten", drive: "S2" })).toContain("cannot name a drive");
    expect(await why({ validUntil: new Date(Date.now() - 1) })).toContain("in the past");
    expect(await why({ validUntil: new Date(Date.now() + 400 * 24 * hour) })).toContain("a year");
    expect(await why({}, localActor)).toContain("sign in first");
    expect(await lines(hostId)).toEqual([]);
  });
  it("is nothing that tenants ask for, read, or tell from what is not there", async () => {
    const { hostId } = await stopped();
    for (const role of ["tenant-admin", "repair-tenant-admin", "auditor"] as const)
      expect((await ask(hostId, {}, world.actor(role))).ok).toBe(false);
    const by = world.actor("tenant-admin");
    expect(refusalOf(await ask(hostId, {}, by))).toBe(refusalOf(await ask(randomUUID(), {}, by)));
    await expect(lines(null, by)).rejects.toThrow("may not");
    await expect(lines(null, world.actor("repair-tenant-admin"))).rejects.toThrow("may not");
  });
  it("is void when the gate or the drive says something else, and not for another boot", async () => {
    const { hostId, reclamationId } = await stopped();
    const memory = await asked(hostId);
    await decide(admin(), await asked(hostId, { gate: "storageSanitized", drive: "S2" }));
    const said = (changes: object) =>
      database().gate.updateMany({ where: { reclamationId, gate: "memoryOverwritten" }, data: changes });
    await said({ evidence: { read: [{ epoch: 4, kind: "dimm" }] } });
    await told(reclamationId, hostId, "S2", "failed", "it does not answer");
    expect(await standingOf(hostId)).toEqual(["approved", "waits"]);
    await said({ evidence: { read: [{ epoch: 4, kind: "hbm" }] } });
    await told(reclamationId, hostId, "S2", "failed", "it answers with an error");
    expect(await standingOf(hostId)).toEqual([
      "void: drive S2 has a new result, failed: it answers with an error",
      "void: the gate now reads unsatisfied: no result",
    ]);
    expect(refusalOf(await decide(admin(), memory))).toContain("the gate now reads");
  });
  it("is void when its reclamation ended as Ready before anybody decided", async () => {
    const { hostId, reclamationId } = await stopped();
    await asked(hostId);
    await decide(admin(), await asked(hostId, { gate: "storageSanitized", drive: "S2" }));
    const ended = { endedAt: new Date(), outcome: "ready" };
    await database().reclamation.update({ where: { id: reclamationId }, data: ended });
    expect(await standingOf(hostId)).toEqual(["approved", "void: the reclamation ended as ready"]);
  });
  it("is no longer needed once a later reclamation made the host Ready without it", async () => {
    const { hostId, reclamationId } = await stopped();
    const drive = await asked(hostId, { gate: "storageSanitized", drive: "S2" });
    await decide(admin(), drive);
    const end = (id: string) =>
      database().reclamation.update({ where: { id }, data: { endedAt: new Date(), outcome: "ready" } });
    await end(reclamationId);
    const next = async (excepted: readonly { serial: string; model: string }[]) => {
      const { id } = await addReclamation(world, hostId, { kind: "release" });
      const status = excepted.length === 0 ? "satisfied" : "excepted";
      await database().gate.create({
        data: {
          ...gate("storageSanitized", status, "it is so", { exceptions: excepted }),
          reclamationId: id,
        },
      });
      return id;
    };
    await end(await next([{ serial: "S2", model: "M" }]));
    expect(await standingOf(hostId)).toEqual(["approved"]);
    // The exception is for the other drive; this one is proven.
    const proven = await next([{ serial: "S1", model: "M" }]);
    expect(await standingOf(hostId)).toEqual(["approved"]);
    const { endedAt } = await end(proven);
    expect(await lines(hostId)).toMatchObject([
      { standing: "superseded", supersededAt: endedAt, mayWithdraw: false },
    ]);
    const listed = async (over: boolean) =>
      valueOf(
        await listExceptions(world.backend, admin(), {
          ...{ hostId, all: false, over, cursor: null, limit: 9 },
        }),
      ).items.length;
    expect([await listed(false), await listed(true)]).toEqual([0, 1]);
    expect(
      refusalOf(
        await withdrawException(world.backend, admin(), world.request(), { id: drive.id, reason: "x" }),
      ),
    ).toContain("nothing to withdraw");
  });
  it("is not asked for on what was read of an earlier plan", async () => {
    const { hostId } = await stopped();
    await world.put(hostId, "WaitingForCleanup/HostCleanup");
    expect(refusalOf(await ask(hostId))).toContain("has not been evaluated yet");
  });
  it("is void with another plan", async () => {
    const { hostId, reclamationId } = await stopped();
    await asked(hostId);
    await database().reclamation.update({ where: { id: reclamationId }, data: { planEpoch: 2 } });
    expect(await standingOf(hostId)).toEqual(["void: the plan was made anew"]);
  });
});

describe("the lists", () => {
  const read = async (over: boolean, hostId: string, by: Actor) => {
    const page = await listExceptions(world.backend, by, {
      ...{ hostId, all: false, over, cursor: null, limit: 200 },
    });
    if (!page.ok) throw new Error(page.problem.detail);
    return page.value.items.map(({ gate: name, own, mayDecide, mayWithdraw }) => [
      name,
      Object.entries({ own, mayDecide, mayWithdraw }).flatMap(([what, is]) => (is ? [what] : [])),
    ]);
  };
  it("say who may decide on an exception or take it back, and which are over", async () => {
    const { hostId } = await stopped();
    const [memory, drive] = [
      await asked(hostId),
      await asked(hostId, { gate: "storageSanitized", drive: "S2" }),
    ];
    const all = (may: readonly string[]) =>
      ["storageSanitized", "memoryOverwritten"].map((name) => [name, may]);
    expect(await read(false, hostId, operator())).toEqual(all(["own", "mayWithdraw"]));
    expect(await read(false, hostId, admin())).toEqual(all(["mayDecide", "mayWithdraw"]));
    expect(await read(false, hostId, world.actor("auditor"))).toEqual(all([]));
    await decide(admin(), memory);
    const rejected = { approvals: [{ id: drive.approvalId, evidence: drive.evidence }], reason: "erase it" };
    await decideApprovals(world.backend, admin(), world.request(), {
      ...{ ...rejected, decision: "rejected", password },
    });
    expect(await read(false, hostId, admin())).toEqual([["memoryOverwritten", ["mayWithdraw"]]]);
    expect(await read(true, hostId, admin())).toEqual([["storageSanitized", []]]);
    await withdrawException(world.backend, operator(), world.request(), { id: memory.id, reason: "x" });
    expect(await read(false, hostId, admin())).toEqual([]);
    expect(await read(true, hostId, operator())).toEqual(all(["own"]));
  });
  it("offer what may be asked for as the host is now, and nothing to who may not ask", async () => {
    const { hostId } = await stopped();
    const offered = async (by = operator()) => {
      const found = await askableExceptions(world.backend, by, { hostId });
      return found.ok
        ? found.value.map(({ gate: name, drive, found: words }) => [name, drive?.serial, words])
        : found.problem.detail;
    };
    const drive = ["storageSanitized", "S2", "it does not answer"];
    expect(await offered()).toEqual([drive, ["memoryOverwritten", undefined, "no result"]]);
    await world.put(hostId, "Failed/NVMECleanFailed");
    expect(await offered()).toEqual([drive]);
    for (const role of ["auditor", "tenant-admin", "repair-tenant-admin"] as const) {
      const by = world.actor(role);
      expect(await offered(by)).toContain("may not");
      expect(await offered(by)).toBe(
        refusalOf(await askableExceptions(world.backend, by, { hostId: randomUUID() })),
      );
    }
    const missing = await askableExceptions(world.backend, operator(), { hostId: randomUUID() });
    expect(missing).toMatchObject({ ok: false, problem: { code: "notFound" } });
    const none = await askableExceptions(world.backend, operator(), { hostId: await world.host() });
    expect(none).toMatchObject({ ok: true, value: [] });
  });
  it("have the ends of what a host rests on, the next first", async () => {
    const endsOf = async (hosts: readonly string[]) => {
      const page = await listEnding(world.backend, world.actor("auditor"), { cursor: null, limit: 200 });
      if (!page.ok) throw new Error(page.problem.detail);
      return page.value.items.flatMap(({ host, kind, subject }) =>
        hosts.includes(host.id) ? [[hosts.indexOf(host.id), kind, subject]] : [],
      );
    };
    const [later, sooner] = [(await resting({ endsInMs: 2 * hour })).hostId, (await resting()).hostId];
    const others = [{ decided: false }, { voided: true }, { endsInMs: -1 }];
    const hosts = [later, sooner];
    for (const over of others) hosts.push((await resting(over)).hostId);
    const line = (index: number) => [index, "exception", "memoryOverwritten"];
    expect(await endsOf(hosts)).toEqual([line(1), line(0)]);
    await database().hostRun.update({ where: { hostId: sooner }, data: { reclamationId: randomUUID() } });
    expect(await endsOf(hosts)).toEqual([line(0)]);
    const tenant = world.actor("tenant-admin");
    expect(refusalOf(await listEnding(world.backend, tenant, { cursor: null, limit: 1 }))).toContain(
      "may not",
    );
  });
});

/** A host whose gates rely on an exception, as it would be stored on its way to Ready. */
async function resting(over: { decided?: boolean; endsInMs?: number; voided?: boolean } = {}) {
  const { decided = true, endsInMs = hour, voided = false } = over;
  const hostId = await world.host();
  await world.put(hostId, "Ready");
  const { reclamationId } = await database().hostRun.findUniqueOrThrow({ where: { hostId } });
  const [id, approvalId] = [randomUUID(), randomUUID()];
  const by = { decision: "approved", decidedBy: admin().personId, decidedByName: "b", decidedReason: "" };
  await database().approval.create({
    data: {
      ...{ id: approvalId, kind: "exception", subjectId: id, evidence: "e", hostId, reason: "x" },
      ...{ siteId: world.siteId, askedBy: operator().personId, askedByName: "a" },
      validUntil: new Date(Date.now() + endsInMs),
      ...(decided ? { ...by, decidedAt: new Date() } : {}),
    },
  });
  await database().gateException.create({
    data: {
      ...{ id, siteId: world.siteId, hostId, hostName: "x", reclamationId: reclamationId ?? "" },
      ...{ gate: "memoryOverwritten", found: {}, measure: "m", risk: "r", approvalId },
    },
  });
  await database().gate.updateMany({
    where: { reclamationId: reclamationId ?? "", gate: "memoryOverwritten" },
    data: { status: "excepted", evidence: { exceptions: [{ id }] } },
  });
  if (voided)
    await database()
      .$executeRaw`UPDATE approval SET voided_at = now(), voided_reason = 'x' WHERE id = ${approvalId}::uuid`;
  await world.put(hostId, "ReturnToAllocation/EvaluatingGates");
  return { id, hostId };
}
const become = (hostId: string, state: string) =>
  database()
    .$executeRaw`UPDATE host_run SET state = ${state}, allocatable = true, context = context || jsonb_build_object('exceptedUntil', (
      SELECT a.valid_until FROM approval a WHERE a.host_id = ${hostId}::uuid)) WHERE host_id = ${hostId}::uuid`;
const give = (hostId: string) =>
  database().instance.create({
    data: {
      id: randomUUID(),
      name: `i-${hostId}`,
      tenantId: world.tenants.acme,
      hostId,
    },
  });
const free = (hostId: string) =>
  queryRows(database(), sql`SELECT 1 FROM host_run r WHERE r.host_id = ${hostId}::uuid AND ${isFree}`);
const forRepair = (hostId: string) =>
  queryRows(
    database(),
    sql`SELECT 1 FROM host_run r JOIN host h ON h.id = r.host_id WHERE h.id = ${hostId}::uuid AND ${isForRepair}`,
  );

describe("the database", () => {
  it("lets a host become Ready by an exception that stands, and nobody have it past the end", async () => {
    const { hostId } = await resting({ endsInMs: 1500 });
    const { hostId: broken } = await resting({ endsInMs: 1500 });
    await become(hostId, "Ready");
    await become(broken, "ReturnToAllocation/AwaitingRepair");
    await database()
      .$executeRaw`UPDATE host_run SET health = '{"repair": true}' WHERE host_id = ${broken}::uuid`;
    expect(await free(hostId)).toHaveLength(1);
    expect(await forRepair(broken)).toHaveLength(1);
    await new Promise((over) => setTimeout(over, 1600));
    expect(await free(hostId)).toEqual([]);
    expect(await forRepair(broken)).toEqual([]);
    await expect(give(hostId)).rejects.toThrow("the exception for memoryOverwritten is over");
  });
  it("lets none become Ready by one that waits, is void, is over or is not there, and none leave by any", async () => {
    for (const over of [{ decided: false }, { voided: true }, { endsInMs: -61_000 }])
      await expect(become((await resting(over)).hostId, "Ready")).rejects.toThrow("no exception stands");
    const { hostId } = await resting();
    await expect(become(hostId, "Decommissioning/RemovingLeftovers")).rejects.toThrow();
    await database().$executeRaw`UPDATE gate SET evidence = '{}' WHERE status = 'excepted'`;
    await expect(become(hostId, "Ready")).rejects.toThrow("no exception stands");
  });
  it("leaves the chassis of a deleted host owing what was let through", async () => {
    const { hostId } = await resting();
    await become(hostId, "Ready");
    const [{ serial }, never] = [
      await database().host.findUniqueOrThrow({ where: { id: hostId } }),
      await database().host.findUniqueOrThrow({ where: { id: (await resting()).hostId } }),
    ];
    await database().host.deleteMany({ where: { id: { in: [hostId, never.id] } } });
    const owing = await database().debt.findMany({ where: { clearedAt: null } });
    expect(owing.map(({ chassisSerial }) => chassisSerial)).toContain(serial);
    expect(owing.map(({ chassisSerial }) => chassisSerial)).not.toContain(never.serial);
  });
  it("keeps exceptions, and takes none without a request that has an end", async () => {
    const { id } = await resting();
    await expect(database().gateException.delete({ where: { id } })).rejects.toThrow("never changed");
    const { id: _, ...row } = await database().gateException.findUniqueOrThrow({ where: { id } });
    await expect(
      database().gateException.create({
        data: { ...row, id: randomUUID(), found: {}, approvalId: randomUUID() },
      }),
    ).rejects.toThrow("no request with an end");
  });
});

it("leaves a free host alone when a request is withdrawn that nobody approved", async () => {
  const { id, hostId } = await resting({ decided: false });
  const by = () => withdrawException(world.backend, operator(), world.request(), { id, reason: "no need" });
  expect((await by()).ok).toBe(true);
  expect(await database().hostRun.findUniqueOrThrow({ where: { hostId } })).toMatchObject({
    touched: false,
  });
});

it("takes a free host out of allocation when its exception is withdrawn", async () => {
  const { id, hostId } = await resting();
  await become(hostId, "Ready");
  const withdraw = () =>
    withdrawException(world.backend, operator(), world.request(), { id, reason: "it was a mistake" });
  expect((await withdraw()).ok).toBe(true);
  expect(await database().hostRun.findUniqueOrThrow({ where: { hostId } })).toMatchObject({
    allocatable: false,
    touched: true,
  });
  expect(await free(hostId)).toEqual([]);
  expect(refusalOf(await withdraw())).toContain("void already");
});
