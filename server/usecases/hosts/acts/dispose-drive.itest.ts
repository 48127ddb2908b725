// Dispositions of drives that are owed and missing: what people may state, and what not.
import { freezeDevices, unresolved } from "@/server/domain/cleaning/sanitization/known-devices";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { roles } from "@/server/domain/access/roles";
import { assignSku } from "@/server/usecases/hosts/acts/assign-sku";
import { disposeDrive, withdrawDisposition } from "@/server/usecases/hosts/acts/dispose-drive";
import { getHost } from "@/server/usecases/hosts/one/get-host";
import { nvme, reportHardware } from "@/server/usecases/testing/hardware";
import { addReclamation } from "@/server/usecases/testing/reclamations";
import { hashPassword } from "@/server/db/secrets/passwords";
import type { Role } from "@/server/domain/access/roles";
import { localActor } from "@/server/usecases/actor";
import type { Actor } from "@/server/usecases/actor";
import { decideApprovals } from "@/server/usecases/assurance/approvals/decide-approvals";
import { readUnaccounted } from "@/server/usecases/hosts/one/read-unaccounted";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

const password = "fourteen gates";
let world: World;
beforeAll(async () => {
  world = await createWorld();
  await world.backend.database.person.updateMany({ data: { passwordHash: await hashPassword(password) } });
});
afterAll(() => world.stop());

/** A failed host that owes the drives S1 and S2, of which only the first is present. */
async function owing(name: string): Promise<string> {
  const hostId = await world.host(name);
  await world.put(hostId, "Failed/DeviceMissing");
  await reportHardware(world, hostId, [nvme("S1")]);
  await world.backend.database.debt.create({
    data: { chassisSerial: `SN-${name}`, driveSerials: ["S1", `${name}-gone`] },
  });
  return hostId;
}

const state = (
  hostId: string,
  drive: string,
  changes: object = {},
  role: (typeof roles)[number] = "operator",
) =>
  disposeDrive(world.backend, world.actor(role), world.request(), {
    hostId,
    drive,
    kind: "removed-destroyed",
    reason: "shredded, certificate 7",
    ...changes,
  });
const standing = (hostId: string) =>
  world.backend.database.driveDisposition.findMany({ where: { hostId, withdrawnAt: null } });
const evidence = async (hostId: string) =>
  (await world.backend.database.hostRun.findUniqueOrThrow({ where: { hostId } })).evidenceSeq;

const stated = (hostId: string, chassisSerial: string) =>
  world.backend.database.driveDisposition.create({
    data: {
      id: randomUUID(),
      hostId,
      chassisSerial,
      key: "gone",
      kind: "removed-destroyed",
      reason: "shredded",
      byName: "ann",
    },
  });
/** A host whose debt was cleared because of a disposition. */
async function answered(name: string): Promise<string> {
  const hostId = await world.host(name);
  await stated(hostId, `SN-${name}`);
  return hostId;
}
/** Decides on the host's last disposition. */
async function decide(hostId: string, by: Actor, decision: "approved" | "rejected" = "approved") {
  const approval = await world.backend.database.approval.findFirstOrThrow({
    where: { hostId },
    orderBy: [{ askedAt: "desc" }, { id: "desc" }],
  });
  const { id, evidence: seen } = approval;
  const outcome = await decideApprovals(world.backend, by, world.request(), {
    approvals: [{ id, evidence: seen }],
    decision,
    reason: "looked at it",
    password,
  });
  return outcome.ok ? null : outcome.problem.detail;
}
const signatureOf = async (hostId: string) =>
  (await readUnaccounted(world.backend.database, hostId))?.dispositions.map(
    ({ signature, signedBy }) => `${signature} ${signedBy ?? "nobody"}`,
  );
const takeBack = (hostId: string) =>
  withdrawDisposition(world.backend, world.actor("operator"), world.request(), {
    hostId,
    drive: "gone",
    reason: "it is in bay 3",
  });
const owed = (name: string) =>
  world.backend.database.debt.findMany({ where: { chassisSerial: `SN-${name}`, clearedAt: null } });

describe("a drive that is owed and not there", () => {
  it("is answered for once, with who and why; the host's page shows it", async () => {
    const hostId = await owing("d1");
    for (let time = 0; time < 2; time += 1)
      expect(await state(hostId, "d1-gone")).toMatchObject({ ok: true });
    expect(await standing(hostId)).toMatchObject([
      {
        key: "d1-gone",
        chassisSerial: "SN-d1",
        kind: "removed-destroyed",
        reason: "shredded, certificate 7",
        byName: "operator of acme",
      },
    ]);
    expect(
      await world.backend.database.auditEvent.findMany({ where: { targetId: hostId, outcome: "done" } }),
    ).toMatchObject([
      { action: "host.disposeDrive", after: { drive: "d1-gone", kind: "removed-destroyed" } },
    ]);
    const page = await getHost(world.backend, world.actor("operator"), { host: "d1" });
    expect(page.ok ? page.value : page).toMatchObject({
      unaccounted: [
        {
          key: "d1-gone",
          listedByBmc: false,
          disposition: { kind: "removed-destroyed", by: "operator of acme" },
        },
      ],
    });
    expect(page.ok ? page.value.actions.find(({ intent }) => intent === "disposeDrive") : page).toMatchObject(
      { allowed: true },
    );
  });

  it("is signed by another person, whatever becomes of the role of who stated it", async () => {
    const hostId = await owing("d3");
    expect(await state(hostId, "d3-gone")).toMatchObject({ value: { waits: true } });
    const asker = world.actor("operator");
    for (const role of ["operator", "provider-admin"] as const)
      expect(await decide(hostId, { ...asker, role })).toContain("another person decides");
    for (const role of ["auditor", "tenant-admin", "repair-tenant-admin"] satisfies Role[])
      expect(await decide(hostId, world.actor(role))).toContain("may not do");
    expect(await signatureOf(hostId)).toEqual(["waits nobody"]);
    const before = await evidence(hostId);
    expect(await decide(hostId, world.actor("provider-admin"))).toBeNull();
    expect(await signatureOf(hostId)).toEqual(["signed provider-admin of acme"]);
    expect(await evidence(hostId)).toBeGreaterThan(before);
    expect(await state(hostId, "d3-gone")).toMatchObject({ value: { waits: false } });
    expect(
      await disposeDrive(world.backend, localActor, world.request(), {
        ...{ hostId, drive: "d3-gone", kind: "removed-returned" as const, reason: "x" },
      }),
    ).toMatchObject({ problem: { code: "forbidden" } });
  });

  it("takes no host to Ready that only one person answered for, whoever evaluated its gates", async () => {
    const { database } = world.backend;
    const hostId = await owing("d5");
    await state(hostId, "d5-gone");
    const [said] = await standing(hostId);
    await database.debt.updateMany({
      where: { chassisSerial: "SN-d5" },
      data: { clearedAt: new Date(), clearedBy: randomUUID() },
    });
    await world.put(hostId, "Ready");
    const { reclamationId } = await database.hostRun.update({
      where: { hostId },
      data: { state: "Manageable" },
    });
    await database.reclamation.update({
      where: { id: reclamationId ?? "" },
      data: { devices: { answered: [{ serial: "d5-gone", disposition: { id: said?.id } }] } },
    });
    const ready = () => database.hostRun.update({ where: { hostId }, data: { state: "Ready" } });
    await expect(ready()).rejects.toThrow(/drive d5-gone was signed by one person/);
    expect(await decide(hostId, world.actor("provider-admin"))).toBeNull();
    await ready();
  });

  it("is stated again after it was rejected; what replaces a signed statement leaves it owed until it is signed", async () => {
    const hostId = await owing("d4");
    await state(hostId, "d4-gone");
    expect(await decide(hostId, world.actor("provider-admin"), "rejected")).toBeNull();
    expect(await signatureOf(hostId)).toEqual(["rejected provider-admin of acme"]);
    expect(await state(hostId, "d4-gone")).toMatchObject({ value: { waits: true } });
    expect(await owed("d4")).toHaveLength(1);
    expect(await decide(hostId, world.actor("provider-admin"))).toBeNull();
    await world.put(hostId, "Manageable");
    await state(hostId, "d4-gone", { reason: "another certificate" });
    expect(await owed("d4")).toMatchObject([{}, { driveSerials: ["d4-gone"] }]);
    expect(await world.backend.database.approval.count({ where: { hostId, voidedAt: null } })).toBe(1);
  });

  it("gets another answer, and the one before it is kept and no longer counts", async () => {
    const hostId = await owing("d2");
    await state(hostId, "d2-gone");
    const before = await evidence(hostId);
    expect(await state(hostId, "d2-gone", { kind: "removed-quarantined" })).toMatchObject({ ok: true });
    expect(await standing(hostId)).toMatchObject([{ kind: "removed-quarantined" }]);
    expect(await world.backend.database.driveDisposition.count({ where: { hostId } })).toBe(2);
    expect(await evidence(hostId)).toBeGreaterThan(before);
    expect(
      await withdrawDisposition(world.backend, world.actor("operator"), world.request(), {
        hostId,
        drive: "d2-gone",
        reason: "it is in bay 3",
      }),
    ).toMatchObject({ ok: true });
    expect(await standing(hostId)).toEqual([]);
    expect(
      await withdrawDisposition(world.backend, world.actor("operator"), world.request(), {
        hostId,
        drive: "d2-gone",
        reason: "again",
      }),
    ).toMatchObject({ problem: { code: "notFound" } });
  });

  it.each(["Ready", "ReturnToAllocation/AwaitingHealth", "Manageable"] as const)(
    "is owed again when that is taken back in %s",
    async (at) => {
      const hostId = await answered(`w-${at.length}`);
      await world.put(hostId, at);
      expect(await takeBack(hostId)).toMatchObject({ ok: true });
      expect(await owed(`w-${at.length}`)).toMatchObject([{ driveSerials: ["gone"], instanceId: null }]);
      const run = await world.backend.database.hostRun.findUniqueOrThrow({ where: { hostId } });
      expect(run).toMatchObject({ allocatable: false, touched: at !== "Manageable" });
      if (at !== "Manageable")
        expect(run).toMatchObject({
          touchedReason: "the disposition of drive gone was withdrawn",
          wakeSeq: 1n,
          dueAt: expect.any(Date),
        });
    },
  );

  it("is owed, and nothing else happens, when that is taken back of a host that a tenant has", async () => {
    const hostId = await answered("w-tenant");
    const { database } = world.backend;
    await world.put(hostId, "Ready");
    await database.instance.create({ data: { name: "w", tenantId: world.tenants.acme, hostId } });
    expect(await takeBack(hostId)).toMatchObject({ ok: true });
    expect(await owed("w-tenant")).toMatchObject([{ driveSerials: ["gone"] }]);
    expect(await database.hostRun.findUniqueOrThrow({ where: { hostId } })).toMatchObject({
      touched: false,
      wakeSeq: 0n,
    });
  });

  it("is not owed by a host without a machine", async () => {
    const hostId = await world.fakeHost("w-fake");
    const { serial } = await world.backend.database.host.findUniqueOrThrow({ where: { id: hostId } });
    await stated(hostId, serial ?? "");
    await world.put(hostId, "Ready");
    expect(await takeBack(hostId)).toMatchObject({ ok: true });
    expect(await world.backend.database.debt.count({ where: { chassisSerial: serial ?? "" } })).toBe(0);
    expect(await world.backend.database.hostRun.findUniqueOrThrow({ where: { hostId } })).toMatchObject({
      touched: false,
      allocatable: true,
    });
  });

  it.each(roles)("%s may, or may not", async (role) => {
    const hostId = await owing(`r-${role}`);
    const may = role === "operator" || role === "provider-admin";
    expect((await state(hostId, `r-${role}-gone`, {}, role)).ok).toBe(may);
    expect(await standing(hostId)).toHaveLength(may ? 1 : 0);
  });
});

describe("nothing is stated", () => {
  it("of a drive that is there, or that nobody asks for", async () => {
    const hostId = await owing("n1");
    for (const drive of ["S1", "nobody"])
      expect(await state(hostId, drive)).toMatchObject({
        problem: { code: "notAllowedNow", field: "drive" },
      });
    expect(await standing(hostId)).toEqual([]);
  });

  it("as removed while the BMC lists it; as misread it may be, with its slot", async () => {
    const hostId = await owing("n2");
    const { database } = world.backend;
    await database.hostInventory.update({
      where: { hostId_source: { hostId, source: "bmc" } },
      data: { body: { storage: [{ ...nvme("S1") }, { ...nvme("n2-gone", { slot: "bay 1" }) }] } },
    });
    expect(await state(hostId, "n2-gone")).toMatchObject({
      problem: {
        code: "notAllowedNow",
        detail: expect.stringContaining("still lists drive n2-gone in slot bay 1"),
      },
    });
    expect(await state(hostId, "n2-gone", { kind: "misread" })).toMatchObject({ ok: true });
    expect(await standing(hostId)).toMatchObject([{ kind: "misread", slot: "bay 1" }]);
  });

  it("of two drives that the agent itself lists under one serial number", async () => {
    const hostId = await owing("n6");
    const agent = [nvme("TWIN", { slot: "1" }), nvme("TWIN", { slot: "2" })];
    const devices = freezeDevices([], agent, [], []);
    await addReclamation(world, hostId, {
      kind: "release",
      stoppedAt: new Date(),
      devices: JSON.parse(JSON.stringify(devices)),
    });
    for (const kind of ["misread", "removed-destroyed"]) {
      expect(await state(hostId, devices.unresolved?.[0]?.key ?? "", { kind })).toMatchObject({
        problem: {
          code: "notAllowedNow",
          field: "drive",
          detail: expect.stringContaining("Remove or replace one of the drives, or correct multipath"),
        },
      });
    }
    expect(await standing(hostId)).toEqual([]);
  });

  it("of an entry that is no drive but that it was misread, which is an exit", async () => {
    const hostId = await owing("n5");
    const entry = unresolved({
      source: "bmc",
      place: "/redfish/v1/x",
      slot: null,
      serial: null,
      model: null,
      reason: "Drive (/redfish/v1/x) has no serial number.",
    });
    await world.backend.database.hostInventory.update({
      where: { hostId_source: { hostId, source: "bmc" } },
      data: { body: { storage: [nvme("S1")], unresolved: [entry] } },
    });
    expect(await state(hostId, entry.key)).toMatchObject({
      problem: { code: "notAllowedNow", detail: expect.stringContaining("still lists drive") },
    });
    expect(await state(hostId, entry.key, { kind: "misread" })).toMatchObject({ ok: true });
    expect(await standing(hostId)).toMatchObject([
      { key: entry.key, kind: "misread", slot: "/redfish/v1/x" },
    ]);
  });

  it("as misread without a slot, or without a reason", async () => {
    const hostId = await owing("n3");
    expect(await state(hostId, "n3-gone", { kind: "misread" })).toMatchObject({
      problem: { code: "invalid", field: "slot" },
    });
    expect(await state(hostId, "n3-gone", { reason: "  " })).toMatchObject({
      problem: { code: "invalid", field: "reason" },
    });
  });

  it("while the host is cleaned", async () => {
    const hostId = await owing("n4");
    await world.put(hostId, "WaitingForCleanup/HostCleanup");
    expect(await state(hostId, "n4-gone")).toMatchObject({ problem: { code: "notAllowedNow" } });
  });
});

describe("a SKU", () => {
  it("is assigned by its name, and wakes a host that waits for one", async () => {
    const { database } = world.backend;
    const hostId = await world.host("s1");
    await world.put(hostId, "BomValidating/WaitingForSkuAssignment");
    await database.sku.create({ data: { id: randomUUID(), name: "R760", components: {} } });
    const assign = (sku: string | null) =>
      assignSku(world.backend, world.actor("operator"), world.request(), { hostId, sku });
    expect(await assign("R999")).toMatchObject({ problem: { code: "notFound" } });
    expect(await assign("R760")).toMatchObject({ ok: true });
    expect(
      await database.host.findUniqueOrThrow({ where: { id: hostId }, include: { sku: true, run: true } }),
    ).toMatchObject({ sku: { name: "R760" }, run: { dueAt: expect.any(Date) } });
    await world.put(hostId, "Validation/MachineValidating");
    expect(await assign(null)).toMatchObject({ problem: { code: "notAllowedNow" } });
    await world.put(hostId, "Manageable");
    expect(await assign(null)).toMatchObject({ ok: true });
  });
});
