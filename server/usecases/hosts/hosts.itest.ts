// Acts on hosts on a real database.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { roles } from "@/server/domain/access/roles";
import { clearMaintenance } from "@/server/usecases/hosts/maintenance/clear-maintenance";
import { confirmUntouched } from "@/server/usecases/hosts/maintenance/confirm-untouched";
import { getHost } from "@/server/usecases/hosts/one/get-host";
import { deleteHost } from "@/server/usecases/hosts/acts/delete-host";
import { enrollHosts } from "@/server/usecases/hosts/acts/enroll-hosts";
import { manageHost } from "@/server/usecases/hosts/acts/manage-host";
import { provideHost } from "@/server/usecases/hosts/acts/provide-host";
import { retryReclamation } from "@/server/usecases/hosts/acts/retry-reclamation";
import { recheckHost } from "@/server/usecases/hosts/maintenance/recheck-host";
import { touchUnallocated } from "@/server/usecases/hosts/maintenance/maintenance";
import { setMaintenance } from "@/server/usecases/hosts/maintenance/set-maintenance";
import { addStoppedRelease } from "@/server/usecases/testing/reclamations";
import { createWorld, hostToEnroll } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());
const operator = () => world.actor("operator");
const signals = async (hostId: string) =>
  (await world.backend.database.signal.findMany({ where: { hostId }, orderBy: { id: "asc" } })).map(
    ({ kind }) => kind,
  );

describe("an intent", () => {
  it("leaves one signal, however often it is asked for, and one event", async () => {
    const hostId = await world.host();
    for (let time = 0; time < 3; time += 1)
      expect(await manageHost(world.backend, operator(), world.request(), { hostId })).toMatchObject({
        ok: true,
      });
    expect(await signals(hostId)).toEqual(["manage"]);
    expect(
      await world.backend.database.auditEvent.count({ where: { targetId: hostId, outcome: "done" } }),
    ).toBe(1);
  });
  it("is refused where the table refuses it, in its words, and that is logged", async () => {
    const hostId = await world.host();
    expect(await provideHost(world.backend, operator(), world.request(), { hostId })).toMatchObject({
      problem: { code: "notAllowedNow", detail: expect.stringContaining("Enroll") },
    });
    expect(await signals(hostId)).toEqual([]);
    expect(await world.backend.database.auditEvent.findMany({ where: { targetId: hostId } })).toMatchObject([
      { outcome: "refused", action: "host.provide" },
    ]);
  });
  it("is refused on a host that has moved on", async () => {
    const hostId = await world.host();
    expect(
      await manageHost(world.backend, operator(), world.request(), { hostId, stateVersion: "7" }),
    ).toMatchObject({ problem: { code: "conflict", field: "stateVersion" } });
  });
  it("retries a stopped reclamation only", async () => {
    const hostId = await world.host();
    await world.put(hostId, "Failed/NVMECleanFailed");
    expect(await retryReclamation(world.backend, operator(), world.request(), { hostId })).toMatchObject({
      problem: { code: "notAllowedNow" },
    });
    await addStoppedRelease(world, hostId);
    expect(await retryReclamation(world.backend, operator(), world.request(), { hostId })).toMatchObject({
      ok: true,
    });
  });
  it("on no host finds none", async () =>
    expect(
      await manageHost(world.backend, operator(), world.request(), { hostId: randomUUID() }),
    ).toMatchObject({ problem: { code: "notFound" } }));
  it.each(roles.filter((role) => role !== "provider-admin"))("to delete is refused to %s", async (role) => {
    const hostId = await world.host();
    expect(await deleteHost(world.backend, world.actor(role), world.request(), { hostId })).toMatchObject({
      problem: { code: "forbidden" },
    });
    expect(await signals(hostId)).toEqual([]);
  });
});

describe("maintenance", () => {
  const covered =
    "the statement covers only this maintenance, and the host may have been touched outside it: end maintenance, and the host is checked";
  it("takes a Ready host out of allocation, and its end does not let it in again before it was checked", async () => {
    const hostId = await world.host();
    await world.put(hostId, "Ready");
    expect(
      await setMaintenance(world.backend, operator(), world.request(), { hostId, reason: "DIMM A7" }),
    ).toMatchObject({ ok: true });
    const run = () => world.backend.database.hostRun.findUniqueOrThrow({ where: { hostId } });
    expect(await run()).toMatchObject({
      maintenance: true,
      maintenanceReason: "DIMM A7",
      maintenanceBy: "person",
      allocatable: false,
      evidenceSeq: 1n,
    });
    const page = await getHost(world.backend, operator(), { host: hostId });
    expect(page).toMatchObject({
      value: {
        checkNext: expect.stringMatching(/end it when the work is done/),
        waitsFor: expect.stringContaining("not allocated"),
      },
    });
    expect(await clearMaintenance(world.backend, operator(), world.request(), { hostId })).toMatchObject({
      ok: true,
    });
    expect(await run()).toMatchObject({
      maintenance: false,
      maintenanceBy: null,
      allocatable: false,
      touched: true,
      evidenceSeq: 2n,
    });
  });
  it("ends on a person's word that nobody touched the host, and who said so and why is kept", async () => {
    const hostId = await world.host();
    await world.put(hostId, "Ready");
    const say = (role: "operator" | "provider-admin" | "auditor") =>
      confirmUntouched(world.backend, world.actor(role), world.request(), {
        hostId,
        reason: "the rack was locked",
      });
    expect(await say("operator")).toMatchObject({
      problem: { code: "notAllowedNow", detail: "No maintenance is set." },
    });
    await setMaintenance(world.backend, operator(), world.request(), { hostId, reason: "DIMM A7" });
    expect(await say("auditor")).toMatchObject({ problem: { code: "forbidden" } });
    // Who set it could have worked on the host in it.
    expect(await say("operator")).toMatchObject({
      problem: { code: "notAllowedNow", detail: expect.stringMatching(/^Another person than who set/) },
    });
    expect(await say("provider-admin")).toMatchObject({ ok: true });
    expect(await world.backend.database.hostRun.findUniqueOrThrow({ where: { hostId } })).toMatchObject({
      maintenance: false,
      allocatable: true,
      touched: false,
    });
    expect(await world.backend.database.untouchedStatement.findMany({ where: { hostId } })).toMatchObject([
      {
        reason: "the rack was locked",
        maintenanceReason: "DIMM A7",
        state: "Ready",
        personName: world.actor("provider-admin").name,
      },
    ]);
    expect(
      await world.backend.database.auditEvent.findMany({
        where: { targetId: hostId, action: "host.confirmUntouched", outcome: "done" },
      }),
    ).toMatchObject([{ after: { untouched: true, reason: "the rack was locked" } }]);
    expect(await getHost(world.backend, operator(), { host: hostId })).toMatchObject({
      value: { untouched: { reason: "the rack was locked", byName: world.actor("provider-admin").name } },
    });
  });
  it("is not needed to check a Ready host again: it leaves allocation until it was", async () => {
    const hostId = await world.host();
    const recheck = (role: "operator" | "auditor" | "tenant-admin" = "operator") =>
      recheckHost(world.backend, world.actor(role), world.request(), {
        hostId,
        reason: "GPU 4 was reseated",
      });
    await world.put(hostId, "Failed/NVMECleanFailed");
    expect(await recheck()).toMatchObject({
      problem: { code: "notAllowedNow", detail: expect.stringMatching(/^Only a Ready host/) },
    });
    await world.put(hostId, "Ready");
    expect(await recheck("auditor")).toMatchObject({ problem: { code: "forbidden" } });
    expect(await recheck("tenant-admin")).toMatchObject({ ok: false });
    expect(await recheck()).toMatchObject({ ok: true });
    // The controller begins the check of a touched host.
    expect(await world.backend.database.hostRun.findUniqueOrThrow({ where: { hostId } })).toMatchObject({
      allocatable: false,
      touched: true,
      touchedReason: `${operator().name} wants it checked again: GPU 4 was reseated`,
    });
    await setMaintenance(world.backend, operator(), world.request(), { hostId, reason: "DIMM A7" });
    expect(await recheck()).toMatchObject({
      problem: { detail: expect.stringMatching(/^It is in maintenance: end maintenance/) },
    });
  });
  it("that follows another one takes nobody's word for both, and the host is checked", async () => {
    const hostId = await world.host();
    await world.put(hostId, "Ready");
    const confirm = () =>
      confirmUntouched(world.backend, world.actor("provider-admin"), world.request(), {
        hostId,
        reason: "the rack was locked",
      });
    const set = () =>
      setMaintenance(world.backend, operator(), world.request(), { hostId, reason: "DIMM A7" });
    const run = () => world.backend.database.hostRun.findUniqueOrThrow({ where: { hostId } });
    await set();
    await clearMaintenance(world.backend, operator(), world.request(), { hostId });
    await set();
    expect(await getHost(world.backend, operator(), { host: hostId })).toMatchObject({
      value: {
        actions: expect.arrayContaining([
          expect.objectContaining({ intent: "confirmUntouched", allowed: false, reason: covered }),
        ]),
      },
    });
    expect(await confirm()).toMatchObject({
      problem: { code: "notAllowedNow", detail: `${covered.charAt(0).toUpperCase()}${covered.slice(1)}.` },
    });
    expect(await run()).toMatchObject({ maintenance: true, allocatable: false, touched: true });
    expect(await world.backend.database.untouchedStatement.count({ where: { hostId } })).toBe(0);
    await clearMaintenance(world.backend, operator(), world.request(), { hostId });
    expect(await run()).toMatchObject({ maintenance: false, allocatable: false, touched: true });
    // As the controller leaves it after reading the host again: the next statement has only one maintenance to cover.
    await world.backend.database.hostRun.update({
      where: { hostId },
      data: { touched: false, allocatable: true },
    });
    await set();
    expect(await confirm()).toMatchObject({ ok: true });
    expect(await run()).toMatchObject({ maintenance: false, allocatable: true, touched: false });
  });
  it("does not let a statement cover a drive's disposition that was taken back meanwhile, nor what an older server set", async () => {
    const hostId = await world.host();
    await world.put(hostId, "Ready");
    await setMaintenance(world.backend, operator(), world.request(), { hostId, reason: "DIMM A7" });
    await world.backend.database.$transaction((tx) =>
      touchUnallocated(tx, [hostId], "the disposition of drive GONE was withdrawn"),
    );
    expect(
      await confirmUntouched(world.backend, world.actor("provider-admin"), world.request(), {
        hostId,
        reason: "I know",
      }),
    ).toMatchObject({ problem: { code: "notAllowedNow" } });
    const other = await world.host();
    await world.put(other, "Ready");
    await world.backend.database.hostRun.update({
      where: { hostId: other },
      data: { maintenance: true, maintenanceBy: "person", allocatable: false, touched: true },
    });
    expect(
      await confirmUntouched(world.backend, world.actor("provider-admin"), world.request(), {
        hostId: other,
        reason: "I know",
      }),
    ).toMatchObject({ problem: { code: "notAllowedNow" } });
  });
  it("ends on a person's word only as that person saw it: in this state, and for this reason", async () => {
    const hostId = await world.host();
    await world.put(hostId, "Ready");
    await setMaintenance(world.backend, operator(), world.request(), { hostId, reason: "DIMM A7" });
    const { stateVersion: now } = await world.backend.database.hostRun.findUniqueOrThrow({
      where: { hostId },
    });
    const confirm = (seen: { stateVersion?: string; maintenanceReason?: string }) =>
      confirmUntouched(world.backend, world.actor("provider-admin"), world.request(), {
        hostId,
        reason: "I know",
        ...seen,
      });
    for (const [field, seen] of [
      ["stateVersion", { stateVersion: String(now - 1n) }],
      ["maintenanceReason", { stateVersion: String(now), maintenanceReason: "fan" }],
    ] as const)
      expect(await confirm(seen)).toMatchObject({ problem: { code: "conflict", field } });
    expect(await world.backend.database.untouchedStatement.count({ where: { hostId } })).toBe(0);
    expect(await confirm({ stateVersion: String(now), maintenanceReason: "DIMM A7" })).toMatchObject({
      ok: true,
    });
  });
  it("that ends where the host is cleaned anyway takes nobody's word", async () => {
    const hostId = await world.host();
    await world.put(hostId, "BomValidating/BootingAgent");
    await setMaintenance(world.backend, operator(), world.request(), { hostId, reason: "fan" });
    expect(
      await confirmUntouched(world.backend, world.actor("provider-admin"), world.request(), {
        hostId,
        reason: "I know",
      }),
    ).toMatchObject({ problem: { code: "notAllowedNow" } });
  });
  it("leaves no way to allocate a host that somebody may have touched", async () => {
    const hostId = await world.host();
    await world.put(hostId, "Ready");
    await world.backend.database.hostRun.update({
      where: { hostId },
      data: { allocatable: false, touched: true },
    });
    await expect(
      world.backend.database.hostRun.update({ where: { hostId }, data: { allocatable: true } }),
    ).rejects.toThrow(/touched_not_allocatable/);
  });
  it("that a failure set is not a person's to clear", async () => {
    const hostId = await world.host();
    await world.backend.database.hostRun.update({
      where: { hostId },
      data: { maintenance: true, maintenanceBy: "failure" },
    });
    expect(await clearMaintenance(world.backend, operator(), world.request(), { hostId })).toMatchObject({
      problem: { code: "notAllowedNow" },
    });
  });
  it("does not make a claimed host allocatable when it ends", async () => {
    const hostId = await world.host();
    await world.put(hostId, "Ready");
    await setMaintenance(world.backend, operator(), world.request(), { hostId, reason: "x" });
    await world.backend.database.instance.create({
      data: { id: randomUUID(), name: "held", tenantId: world.tenants.acme, hostId },
    });
    await clearMaintenance(world.backend, operator(), world.request(), { hostId });
    expect(await world.backend.database.hostRun.findUniqueOrThrow({ where: { hostId } })).toMatchObject({
      maintenance: false,
      allocatable: false,
    });
  });
});

describe("enrolling", () => {
  const enroll = (...hosts: Parameters<typeof hostToEnroll>[]) =>
    enrollHosts(world.backend, operator(), world.request(), {
      siteId: world.siteId,
      hosts: hosts.map(([name, over]) => hostToEnroll(name, over)),
    });
  it("makes hosts in Enroll, with their password sealed", async () => {
    const result = await enroll(["new-1"], ["new-2"]);
    if (!result.ok) throw new Error(result.problem.detail);
    const [first] = result.value;
    const row = await world.backend.database.host.findUniqueOrThrow({
      where: { id: first?.hostId ?? "" },
      include: { run: true },
    });
    expect(row.run).toMatchObject({ state: "Enroll", stateVersion: 1n, allocatable: false });
    if (row.bmcPassword === null) throw new Error("no password is stored");
    expect(Buffer.from(row.bmcPassword).includes("calvin")).toBe(false);
    expect(world.backend.secrets.open(row.bmcPassword, `host.bmc_password:${row.id}`)).toBe(
      "calvin-and-hobbes",
    );
    const events = await world.backend.database.auditEvent.findMany({
      where: { action: "host.enroll", outcome: "done" },
    });
    expect(events).toHaveLength(2);
    expect(JSON.stringify(events)).not.toContain("calvin");
  });
  it("leaves a standing debt of the chassis alone", async () => {
    const debt = await world.backend.database.debt.create({
      data: { id: randomUUID(), chassisSerial: "SN-owes", driveSerials: ["D1"] },
    });
    expect(await enroll(["owes"])).toMatchObject({ ok: true });
    expect(await world.backend.database.debt.findUniqueOrThrow({ where: { id: debt.id } })).toMatchObject({
      clearedAt: null,
    });
  });
  it("of a chassis that may still be erasing forbids power until the erase is over", async () => {
    const until = new Date(Date.now() + 3_600_000);
    const { database } = world.backend;
    await database.chassisErase.createMany({
      data: [
        { chassisSerial: "SN-erases", eraseUntil: until },
        { chassisSerial: "SN-erased", eraseUntil: new Date(Date.now() - 1_000) },
      ],
    });
    const result = await enroll(["erases"], ["erased"]);
    if (!result.ok) throw new Error(result.problem.detail);
    const runs = await Promise.all(
      result.value.map(({ hostId }) => database.hostRun.findUniqueOrThrow({ where: { hostId } })),
    );
    expect(runs).toMatchObject([
      { erasing: true, context: { eraseUntil: until.toISOString() } },
      { erasing: false, context: {} },
    ]);
    expect(await database.chassisErase.count()).toBe(1);
  });
  it.each([
    ["name", { serial: "other-1" }],
    ["serial", { serial: "SN-twice" }],
  ] as const)("refuses a second host with the same %s, and all that came with it", async (field, over) => {
    await enroll(["twice"]);
    expect(await enroll(["alone-" + field], [field === "name" ? "twice" : "thrice", over])).toMatchObject({
      problem: { code: "conflict", field },
    });
    expect(await world.backend.database.host.count({ where: { name: "alone-" + field } })).toBe(0);
  });
  it("of the same host twice at once enrolls it once", async () => {
    const both = await Promise.all([enroll(["same-time"]), enroll(["same-time"])]);
    expect(both.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect(both.find(({ ok }) => !ok)).toMatchObject({ problem: { code: "conflict" } });
  });
  it.each([
    ["name", "a/b"],
    ["bmcAddress", "ftp://x"],
    ["serial", ""],
    ["systemUuid", "1"],
  ])("refuses the %s %j", async (field, value) =>
    expect(await enroll(["bad", { [field]: value }])).toMatchObject({
      problem: { code: "invalid", field: `hosts.0.${field}` },
    }),
  );
});
