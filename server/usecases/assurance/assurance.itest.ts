// Procedures on the database: a record, its sign-off by another person, what a claim reads of both, and the trigger before Ready.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DuePage } from "@/server/contract/assurance/procedures";
import { claimHosts } from "@/server/db/hot/host/claim";
import { poolOf } from "@/server/db/prisma";
import { hashPassword } from "@/server/db/secrets/passwords";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";
import { memoryDrain, standingsOf } from "@/server/domain/assurance/procedures/standing";
import { testProcedure, testWhen } from "@/server/domain/assurance/procedures/testing/procedures";
import type { Actor } from "@/server/usecases/actor";
import { decideApprovals } from "@/server/usecases/assurance/approvals/decide-approvals";
import { listEnding } from "@/server/usecases/assurance/approvals/list-ending";
import { dueProcedures, hostAssurance } from "@/server/usecases/assurance/host-assurance";
import { previewProcedure, procedureHistory } from "@/server/usecases/assurance/procedure-history";
import { recordProcedure } from "@/server/usecases/assurance/record-procedure";
import { getRecord } from "@/server/usecases/assurance/records";
import { listProcedures, removeProcedure, saveProcedure } from "@/server/usecases/assurance/site-procedures";
import { addReclamation } from "@/server/usecases/testing/reclamations";
import { createWorld } from "@/server/usecases/testing/world";
import { refusalOf, valueOf } from "@/server/usecases/testing/outcomes";
import type { World } from "@/server/usecases/testing/world";

const password = "fourteen gates";
const drain = testProcedure();
const policy = { ...defaultPolicy(), procedures: [drain] };
let world: World;
beforeAll(async () => {
  world = await createWorld();
  await world.backend.database.person.updateMany({ data: { passwordHash: await hashPassword(password) } });
});
afterAll(() => world.stop());

const operator = () => world.actor("operator");
const admin = () => world.actor("provider-admin");
const repairer = () => world.actor("repair-tenant-admin");
const database = () => world.backend.database;
/** A host that waits for its procedure, in a reclamation that started an hour ago. */
async function waiting(kind = "onboarding") {
  const name = `p-${randomUUID().slice(0, 8)}`;
  const hostId = await world.host(name);
  const startedAt = new Date(Date.now() - 3_600_000);
  const reclamation = await addReclamation(world, hostId, { kind, policy, startedAt });
  await world.put(hostId, "ReturnToAllocation/AwaitingProcedure");
  await database().hostRun.update({
    where: { hostId },
    data: { reclamationId: reclamation.id, dueAt: null },
  });
  return { hostId, name, serial: `SN-${name}`, reclamationId: reclamation.id };
}
/** An erase of the host's only drive, by a plan of its reclamation. */
async function erase({ hostId, reclamationId }: { hostId: string; reclamationId: string }, planEpoch = 1) {
  const drive = { serial: "D1", model: "M", media: "nvme" };
  const devices = { expected: [drive], excluded: [], missing: [] };
  await database().reclamation.update({ where: { id: reclamationId }, data: { planEpoch, devices } });
  await database().deviceResult.create({
    data: {
      ...drive,
      reclamationId,
      hostId,
      planEpoch,
      stepRunId: randomUUID(),
      attempt: 1,
      technique: "nvme-sanitize-crypto",
      standard: "ieee-2883",
      level: "purge",
      techniqueTable: 2,
      verdict: "sanitized",
      reason: "verified",
      report: {},
      at: new Date(Date.now() - 1_800_000),
    },
  });
}

/** With one host per page. */
async function everyPage() {
  const items = [];
  let cursor: string | null = null;
  do {
    const page: DuePage = valueOf(await dueProcedures(world.backend, admin(), { cursor, limit: 1 }));
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return items;
}

type Waiting = Pick<Awaited<ReturnType<typeof waiting>>, "hostId" | "serial">;

const record = (by: Actor, hosts: readonly Waiting[], given: object = {}) =>
  recordProcedure(world.backend, by, world.request(), {
    hosts: hosts.map(({ hostId, serial }) => ({ hostId, serial })),
    procedure: drain.name,
    version: 1,
    doneFrom: new Date(Date.now() - 600_000),
    doneUntil: new Date(Date.now() - 60_000),
    answers: [true, "14"],
    ...given,
  });
const read = async (hostId: string, by = admin()) =>
  valueOf(await hostAssurance(world.backend, by, { hostId }));
const statusOf = async (hostId: string) => (await read(hostId)).standings.map(({ status }) => status);
const run = (hostId: string) => database().hostRun.findUniqueOrThrow({ where: { hostId } });

async function decide(by: Actor, hostId: string, decision: "approved" | "rejected" = "approved") {
  const [newest] = (await read(hostId)).records;
  if (newest === undefined) throw new Error("nothing is recorded");
  return decideApprovals(world.backend, by, world.request(), {
    approvals: [{ id: newest.approvalId, evidence: newest.evidence }],
    decision,
    reason: decision === "rejected" ? "another rack" : "",
    password,
  });
}

/** What a controller would read of the host now. */
async function claimed(hostId: string) {
  const pool = poolOf(database());
  await pool.query("UPDATE host_run SET due_at = NULL, lease_owner = NULL, lease_until = NULL");
  await pool.query("UPDATE host_run SET due_at = now() - interval '1 s' WHERE host_id = $1", [hostId]);
  const [claim] = await claimHosts(pool, randomUUID(), 1, 60_000);
  if (claim?.ok !== true) throw new Error("not claimed");
  await pool.query("UPDATE host_run SET lease_owner = NULL, lease_until = NULL WHERE host_id = $1", [hostId]);
  return claim.view;
}

it("tells which hosts have waited for people for too long, and finds them", async () => {
  const { hostId } = await waiting();
  const line = async (overLimit?: true) => {
    const page = valueOf(
      await dueProcedures(world.backend, admin(), { overLimit, cursor: null, limit: 500 }),
    );
    return page.items.find(({ host }) => host.id === hostId);
  };
  await database().hostRun.update({ where: { hostId }, data: { limitAt: new Date(Date.now() + 60_000) } });
  expect(await line()).toMatchObject({ overLimit: false });
  expect(await line(true)).toBeUndefined();
  await database().hostRun.update({ where: { hostId }, data: { limitAt: new Date(Date.now() - 60_000) } });
  expect(await line(true)).toMatchObject({ overLimit: true });
  await world.put(hostId, "Manageable");
});

describe("a procedure", () => {
  it("is recorded by one person and signed off by another; a controller is told of both", async () => {
    const host = await waiting();
    await erase(host);
    expect(await statusOf(host.hostId)).toEqual(["due"]);
    const before = await run(host.hostId);
    valueOf(await record(operator(), [host]));
    const after = await run(host.hostId);
    expect(after).toMatchObject({ touched: true, touchUncovered: true, allocatable: false });
    expect(after.evidenceSeq).toBe(before.evidenceSeq + 1n);
    expect(after.dueAt).not.toBeNull();
    expect(await statusOf(host.hostId)).toEqual(["awaitsSignOff"]);
    expect(refusalOf(await decide(operator(), host.hostId))).toContain("another person decides");
    expect(refusalOf(await decide({ ...operator(), role: "provider-admin" }, host.hostId))).toContain(
      "another person decides",
    );
    valueOf(await decide(admin(), host.hostId));
    const { assurance, nowMs } = await claimed(host.hostId);
    if (assurance === null) throw new Error("the claim brings no records");
    expect(standingsOf([drain], assurance, null, nowMs, true)).toMatchObject([
      { status: "signed", record: { operator: operator().name, decidedBy: admin().name } },
    ]);
    expect(memoryDrain([drain], assurance, nowMs)).toBeDefined();
    expect((await run(host.hostId)).evidenceSeq).toBe(before.evidenceSeq + 2n);
  });
  it("of a drain proves the memory only once the drives were erased, by the plan in force", async () => {
    const host = await waiting();
    const proves = async (): Promise<boolean> => {
      const { assurance, nowMs } = await claimed(host.hostId);
      if (assurance === null) throw new Error("the claim brings no records");
      return memoryDrain([drain], assurance, nowMs) !== undefined;
    };
    const drained = async (given: object = {}) => {
      valueOf(await record(operator(), [host], given));
      valueOf(await decide(admin(), host.hostId));
      return proves();
    };
    expect(await drained()).toBe(false);
    // The clock, which may be set, puts the erase before the drain; the order of the rows puts it after.
    await erase(host);
    expect(await proves()).toBe(false);
    expect(await drained({ doneFrom: new Date(Date.now() - 2_400_000) })).toBe(false);
    expect(await drained()).toBe(true);
    await database().gate.create({
      data: {
        reclamationId: host.reclamationId,
        gate: "memoryOverwritten",
        status: "unsatisfied",
        reason: "no step for it was planned",
        evidence: {},
        generation: 1,
        evidenceSeq: 0,
      },
    });
    expect(await statusOf(host.hostId)).toEqual(["signed"]);
    await database().reclamation.update({ where: { id: host.reclamationId }, data: { planEpoch: 2 } });
    expect(await proves()).toBe(false);
    expect(await statusOf(host.hostId)).toEqual(["due"]);
    await erase(host, 2);
    expect(await proves()).toBe(false);
  });
  it("is rejected with a reason, and recorded again", async () => {
    const host = await waiting();
    valueOf(await record(operator(), [host]));
    valueOf(await decide(admin(), host.hostId, "rejected"));
    expect((await read(host.hostId)).standings).toMatchObject([
      { status: "rejected", words: "full-ac-drain was rejected: another rack" },
    ]);
    valueOf(await record(operator(), [host]));
    expect(await statusOf(host.hostId)).toEqual(["awaitsSignOff"]);
  });
  it("takes the place of a record that nobody has decided on", async () => {
    const host = await waiting();
    valueOf(await record(operator(), [host]));
    valueOf(await record(operator(), [host]));
    expect((await read(host.hostId)).records.map(({ voided }) => voided)).toEqual([
      null,
      "there is a newer record",
    ]);
  });
  it("is recorded on several hosts at once, on all or on none", async () => {
    const [first, second] = [await waiting(), await waiting()];
    expect(refusalOf(await record(operator(), [first, { ...second, serial: first.serial }]))).toContain(
      "is not the serial number",
    );
    expect(await statusOf(first.hostId)).toEqual(["due"]);
    expect(valueOf(await record(operator(), [first, second])).records).toHaveLength(2);
    const due = await everyPage();
    expect(due.filter(({ host }) => [first.hostId, second.hostId].includes(host.id))).toHaveLength(2);
    expect(new Set(due.map(({ host }) => host.id)).size).toBe(due.length);
    const wrong = { cursor: "x", limit: 1 };
    expect(refusalOf(await dueProcedures(world.backend, admin(), wrong))).toContain("cursor");
  });
  it("refuses what is not as it should be", async () => {
    const host = await waiting();
    for (const [given, words] of [
      [{ version: 2 }, "version 1"],
      [{ answers: [false, "14"] }, "Both cords out"],
      [{ procedure: "manual-tpm-clear" }, "has no procedure"],
      [{ doneFrom: new Date(Date.now() - 7_200_000) }, "Do it again"],
      [{ files: [{ sha256: "0".repeat(64), shows: "photo" }] }, "upload the file"],
    ] as const)
      expect(refusalOf(await record(operator(), [host], given))).toContain(words);
    for (const role of ["auditor", "tenant-admin"] as const)
      expect(refusalOf(await record(world.actor(role), [host]))).toContain("may not do");
    const idle = await world.host();
    expect(refusalOf(await record(operator(), [{ hostId: idle, serial: "x" }]))).toContain(
      "no open reclamation",
    );
  });
  it("of an earlier reclamation does not count, unless it is reusable", async () => {
    const host = await waiting();
    valueOf(await record(operator(), [host]));
    valueOf(await decide(admin(), host.hostId));
    const end = { endedAt: new Date(), outcome: "abandoned" };
    await database().reclamation.update({ where: { id: host.reclamationId }, data: end });
    await addReclamation(world, host.hostId, { kind: "onboarding", policy });
    expect(await statusOf(host.hostId)).toEqual(["due"]);
  });
});

it("that later reclamations may use again is listed with its end", async () => {
  const host = await waiting();
  await database().reclamation.update({
    where: { id: host.reclamationId },
    data: { policy: { ...policy, procedures: [{ ...drain, reusableDays: 30 }] } },
  });
  valueOf(await record(operator(), [host]));
  const ending = async () => {
    const { items } = valueOf(await listEnding(world.backend, operator(), { cursor: null, limit: 200 }));
    return items.filter(({ host: { id } }) => id === host.hostId);
  };
  expect(await ending()).toEqual([]);
  valueOf(await decide(admin(), host.hostId));
  expect(await ending()).toMatchObject([{ kind: "procedure", subject: `${drain.name}, version 1` }]);
});

it("does not count with another text under the same version", async () => {
  const host = await waiting();
  valueOf(await record(operator(), [host]));
  valueOf(await decide(admin(), host.hostId));
  expect(await statusOf(host.hostId)).toEqual(["signed"]);
  const stricter = {
    ...drain,
    checklist: [...drain.checklist, { text: "Seals whole", answer: "yes" as const }],
  };
  await database().reclamation.update({
    where: { id: host.reclamationId },
    data: { policy: { ...policy, procedures: [stricter] } },
  });
  expect(await statusOf(host.hostId)).toEqual(["due"]);
  expect((await claimed(host.hostId)).assurance?.records).toEqual([]);
});

describe("why a procedure is due", () => {
  it("outlives a reclamation that was given up, and not one that ended Ready", async () => {
    const asks = {
      ...policy,
      procedures: [testProcedure({ when: testWhen({ afterRepair: true, tenants: ["acme"] }) })],
    };
    const host = await waiting();
    const give = (id: string, outcome: string) =>
      database().reclamation.update({ where: { id }, data: { endedAt: new Date(), outcome } });
    await database().reclamation.update({
      where: { id: host.reclamationId },
      data: { policy: asks, kind: "repairRelease", tenantId: world.tenants.acme },
    });
    expect((await read(host.hostId)).standings.map(({ reason }) => reason)).toEqual(["tenant acme"]);
    await give(host.reclamationId, "abandoned");
    const { id } = await addReclamation(world, host.hostId, { kind: "onboarding", policy: asks });
    expect((await read(host.hostId)).standings.map(({ reason }) => reason)).toEqual(["tenant acme"]);
    expect((await claimed(host.hostId)).assurance).toMatchObject({ tenants: ["acme"], repaired: true });
    await give(id, "ready");
    await addReclamation(world, host.hostId, {
      kind: "onboarding",
      policy: asks,
      startedAt: new Date(Date.now() + 1),
    });
    expect((await read(host.hostId)).standings).toEqual([]);
  });
});

describe("a repair tenant", () => {
  async function held() {
    await database().sitePolicy.updateMany({ where: { siteId: world.siteId }, data: { body: policy } });
    const name = `r-${randomUUID().slice(0, 8)}`;
    const hostId = await world.host(name);
    await world.put(hostId, "Assigned/Ready");
    const { id: instanceId } = await database().instance.create({
      data: { name, tenantId: world.tenants.repair, hostId, createdAt: new Date(Date.now() - 3_600_000) },
    });
    await database().repair.create({
      data: { instanceId, hostId, hostName: name, tenantId: world.tenants.repair },
    });
    return { hostId, serial: `SN-${name}`, instanceId };
  }
  it("records on hosts that it holds, which counts for the reclamation of their release, and signs nothing off", async () => {
    const host = await held();
    valueOf(await record(repairer(), [host]));
    expect((await read(host.hostId, repairer())).records).toHaveLength(1);
    expect(refusalOf(await decide(repairer(), host.hostId))).toContain("may not do");
    valueOf(await decide(operator(), host.hostId));
    await addReclamation(world, host.hostId, { kind: "repairRelease", policy, instanceId: host.instanceId });
    await world.put(host.hostId, "ReturnToAllocation/EvaluatingGates");
    const { assurance, nowMs } = await claimed(host.hostId);
    expect(
      standingsOf(
        [drain],
        assurance ?? { tenants: [], repaired: false, failures: [], records: [] },
        null,
        nowMs,
        false,
      ),
    ).toMatchObject([{ status: "signed", record: { own: true, afterErase: false } }]);
  });
  it("reads no name of another tenant or of the provider's people, and no words on what others recorded", async () => {
    const others = [testProcedure({ name: "check-fans", when: testWhen({ tenants: ["acme"] }) })];
    const due = { ...drain, when: testWhen({ tenants: ["acme"], always: true }) };
    const host = await held();
    await database().sitePolicy.updateMany({
      where: { siteId: world.siteId },
      data: { body: { ...policy, procedures: [due, ...others] } },
    });
    valueOf(await record(operator(), [host]));
    valueOf(await decide(admin(), host.hostId, "rejected"));
    const foreign = await read(host.hostId, repairer());
    expect(foreign.standings).toMatchObject([
      { status: "rejected", words: "full-ac-drain was rejected", recordId: null },
    ]);
    valueOf(await record(repairer(), [host]));
    valueOf(await decide(admin(), host.hostId, "rejected"));
    const own = await read(host.hostId, repairer());
    expect(own.records).toMatchObject([{ decidedBy: "the provider", decidedReason: "another rack" }]);
    expect(own.others).toHaveLength(1);
    expect((await read(host.hostId)).others[0]?.when.tenants).toEqual(["acme"]);
    for (const told of [JSON.stringify(foreign), JSON.stringify(own)]) {
      expect(told).not.toContain("acme");
      expect(told).not.toContain(admin().name);
      expect(told).not.toContain(operator().name);
    }
  });
  it("reads and records nothing of other hosts, and is told no more than that", async () => {
    const [host, mine] = [await waiting(), await held()];
    expect((await read(await world.host())).standings).toEqual([]);
    const none = `There is no host ${host.hostId}`;
    expect(refusalOf(await hostAssurance(world.backend, repairer(), { hostId: host.hostId }))).toContain(
      none,
    );
    expect(refusalOf(await record(repairer(), [host]))).toContain(none);
    const absent = randomUUID();
    expect(refusalOf(await record(repairer(), [{ hostId: absent, serial: "x" }]))).toContain(
      `There is no host ${absent}`,
    );
    valueOf(await record(operator(), [mine]));
    expect((await read(mine.hostId, repairer())).records).toEqual([]);
    const other: Actor = { ...repairer(), tenantId: world.tenants.acme };
    expect(refusalOf(await hostAssurance(world.backend, other, { hostId: mine.hostId }))).toContain(
      "There is no host",
    );
    const [line] = (await read(mine.hostId)).records;
    expect(refusalOf(await getRecord(world.backend, repairer(), { recordId: line?.id ?? "" }))).toContain(
      "may not do",
    );
  });
});

describe("the database", () => {
  async function toReady(
    host: { hostId: string; reclamationId: string },
    evidence: object,
    status = "satisfied",
  ) {
    await database().gate.deleteMany({ where: { reclamationId: host.reclamationId } });
    await database().gate.createMany({
      data: gateNames.map((gate) => ({
        reclamationId: host.reclamationId,
        gate,
        status: gate === "assuranceSigned" ? status : "satisfied",
        reason: "test",
        evidence: gate === "assuranceSigned" ? evidence : {},
        generation: 1,
        evidenceSeq: 0,
      })),
    });
    await database().reclamation.update({
      where: { id: host.reclamationId },
      data: { endedAt: new Date(), outcome: "ready" },
    });
    await database()
      .$executeRaw`UPDATE host_run SET state = 'Ready', touched = false, limit_at = NULL WHERE host_id = ${host.hostId}::uuid`;
  }
  it("lets no release that knows no procedures make a host Ready, nor anybody without a sign-off", async () => {
    const host = await waiting();
    await expect(toReady(host, {}, "not required")).rejects.toThrow("its procedures were not looked at");
    await database().reclamation.update({
      where: { id: host.reclamationId },
      data: { endedAt: null, outcome: null },
    });
    const [made] = valueOf(await record(operator(), [host])).records;
    const evidence = { procedures: [{ record: made?.id }] };
    await database().hostRun.update({ where: { hostId: host.hostId }, data: { touched: false } });
    await expect(toReady(host, evidence)).rejects.toThrow("was not signed off");
    await database().reclamation.update({
      where: { id: host.reclamationId },
      data: { endedAt: null, outcome: null },
    });
    valueOf(await decide(admin(), host.hostId));
    await toReady(host, evidence);
    expect((await run(host.hostId)).state).toBe("Ready");
  });
  it("keeps records as they are", async () => {
    const host = await waiting();
    valueOf(await record(operator(), [host]));
    const of = { where: { hostId: host.hostId } };
    await expect(database().procedureRecord.updateMany({ ...of, data: { comment: "x" } })).rejects.toThrow(
      "never changes",
    );
    await expect(database().procedureRecord.deleteMany(of)).rejects.toThrow("never changes");
  });
});

it("is defined by the site's policy, with a version that rises", async () => {
  const { siteId } = world;
  const { version: _, ...text } = testProcedure({ name: "check-fans", title: "Check the fans" });
  const save = (given: object = {}) =>
    saveProcedure(world.backend, admin(), world.request(), {
      siteId,
      procedure: { ...text, ...given },
      reason: "x",
    });
  const versions = async () => {
    const [site] = valueOf(await listProcedures(world.backend, admin()));
    return site?.procedures.filter(({ name }) => name === "check-fans").map(({ version }) => version);
  };
  const first = valueOf(await save());
  expect(valueOf(await save())).toEqual(first);
  expect(await versions()).toEqual([1]);
  valueOf(await save({ title: "Check all fans" }));
  expect(await versions()).toEqual([2]);
  expect(
    refusalOf(
      await saveProcedure(world.backend, operator(), world.request(), {
        siteId,
        procedure: text,
        reason: "x",
      }),
    ),
  ).toContain("may not do");
  valueOf(
    await removeProcedure(world.backend, admin(), world.request(), {
      siteId,
      name: "check-fans",
      reason: "x",
    }),
  );
  expect(await versions()).toEqual([]);
  valueOf(await save({ title: "Look at the fans" }));
  expect(await versions()).toEqual([3]);
  const history = valueOf(
    await procedureHistory(world.backend, world.actor("auditor"), { siteId, name: "check-fans" }),
  );
  expect(history.map(({ procedure }) => procedure?.title ?? null)).toEqual([
    "Look at the fans",
    null,
    "Check all fans",
    "Check the fans",
  ]);
  expect(history.every(({ byName }) => byName !== null)).toBe(true);
});

it("is foretold by the hosts as they are now, to the provider only", async () => {
  const preview = (given: object, actor = admin()) =>
    previewProcedure(world.backend, actor, { siteId: world.siteId, when: testWhen(given) });
  await waiting();
  const { hosts } = valueOf(await preview({}));
  expect(valueOf(await preview({ skus: ["no such"], tenants: ["no such"] }))).toMatchObject({
    hosts,
    due: 0,
  });
  expect(valueOf(await preview({ always: true, afterRepair: true }))).toMatchObject({ due: hosts });
  expect(valueOf(await preview({})).inReclamation).toBeGreaterThan(0);
  expect(refusalOf(await preview({}, repairer()))).toContain("may not");
  const unknown = { siteId: world.siteId, name: "no-such" };
  expect(refusalOf(await procedureHistory(world.backend, admin(), unknown))).toContain("no-such");
});
