// What needs a person on a real database: what each role sees, who has what, and that ten thousand hosts cost no more statements than one.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { contract } from "@/server/contract/contract";
import type { NextLine, NextList } from "@/server/contract/next/next-answers";
import type { Role } from "@/server/domain/access/roles";
import type { Cause } from "@/server/domain/cleaning/failures/cause";
import type { State } from "@/server/domain/lifecycle/states";
import { failureGroups } from "@/server/usecases/cleaning/failures/failure-groups";
import { noteFailure } from "@/server/usecases/cleaning/failures/note-failure";
import { getHost } from "@/server/usecases/hosts/one/get-host";
import { findHostIds } from "@/server/usecases/hosts/list/list-hosts";
import { groupHistory } from "@/server/usecases/next/group-history";
import { countNext, listNext } from "@/server/usecases/next/list-next";
import { assignNext, noteNext, snoozeNext, wakeNext } from "@/server/usecases/next/next-acts";
import { watchNext } from "@/server/usecases/next/watch-next";
import { createNotice } from "@/server/usecases/break-fix/notice-acts";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
const database = () => world.backend.database;
const operator = () => world.actor("operator");

/** Facts are shared for two seconds; a test looks anew. */
function later(): void {
  const passed = performance.now() + 3_000;
  vi.spyOn(performance, "now").mockImplementation(() => passed);
}

async function list(role: Role = "operator", query: { site?: string } = {}): Promise<NextList> {
  later();
  const read = await listNext(world.backend, world.actor(role), query);
  if (!read.ok) throw new Error(read.problem.detail);
  expect(contract.next.list.output.parse(read.value)).toEqual(read.value);
  return read.value;
}
const kinds = async (role: Role) => (await list(role)).groups.map(({ kind }) => kind);

async function group(kind: NextLine["kind"]): Promise<NextLine> {
  const { groups, snoozed } = await list();
  const found = [...groups, ...snoozed].find((each) => each.kind === kind);
  if (found === undefined) throw new Error(`no group of ${kind}`);
  return found;
}

async function put(name: string, state: State, over: object = {}): Promise<string> {
  const hostId = await world.host(name);
  await world.put(hostId, state);
  await database().hostRun.update({ where: { hostId }, data: over });
  return hostId;
}

const refused = (serial: string): Cause => ({
  key: "eraseRefused",
  device: { kind: "drive", serial, model: "CM6", slot: "3", firmware: "1.2" },
  technique: "nvme-sanitize-crypto",
  status: { bus: "nvme", sct: 0, sc: 1 },
  raw: "answered 1",
});

async function fail(
  name: string,
  causes: readonly Cause[] | null,
  lastError = `words of ${name}`,
): Promise<string> {
  const hostId = await put(name, "Failed/NVMECleanFailed", { lastError });
  const { stateVersion: version } = await database().hostRun.findUniqueOrThrow({ where: { hostId } });
  if (causes !== null)
    await database().stateHistory.upsert({
      where: { hostId_version: { hostId, version } },
      create: { hostId, version, state: "Failed/NVMECleanFailed", generation: 1n, causes: [...causes] },
      update: { causes: [...causes] },
    });
  return hostId;
}

/** What the page of a host says that is to be done. */
async function advised(host: string): Promise<string | null> {
  const read = await getHost(world.backend, operator(), { host });
  if (!read.ok) throw new Error(read.problem.detail);
  return read.value.checkNext;
}

const ask = (by: Role, kind: string, hostId: string | null) =>
  database().approval.create({
    data: {
      kind,
      subjectId: crypto.randomUUID(),
      evidence: "0".repeat(64),
      hostId,
      askedBy: world.actor(by).personId,
      askedByName: world.actor(by).name,
      reason: "one drive is stuck",
    },
  });

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => {
  vi.restoreAllMocks();
  return world.stop();
});

describe("with nothing to do", () => {
  it("the list is empty, and says what is watched", async () => {
    const { groups, watched, sites, people, mayOwn } = await list();
    expect(groups).toEqual([]);
    expect(watched.every(({ groups: count }) => count === 0)).toBe(true);
    expect(watched.map(({ kind }) => kind)).toContain("brake");
    expect([sites, mayOwn]).toEqual([["a"], true]);
    expect(people.map(({ name }) => name)).toContain(operator().name);
  });
});

describe("groups", () => {
  beforeAll(async () => {
    for (const name of ["x-1", "x-2", "x-3"]) await fail(name, [refused(name)]);
    await fail("t-1", null, "It broke after 12 s");
    await fail("t-2", null, "It broke after 15 s");
    await fail("b-1", [{ key: "bmcSilent", raw: "" }]);
    await put("l-1", "WaitingForCleanup/HostCleanup", { limitAt: new Date(Date.now() - 60_000) });
    await put("l-2", "WaitingForCleanup/HostCleanup", { limitAt: new Date(Date.now() + 600_000) });
    await put("w-1", "BomValidating/SkuVerificationFailed");
    await put("q-1", "WaitingForCleanup/Queued", { waitReason: "Paused: 4 of 5 failed." });
    await database().brake.create({
      data: {
        siteId: world.siteId,
        dimension: "step",
        value: "deploy.erase_nvme",
        failed: 4,
        started: 5,
        message: "4 of 5 failed.",
      },
    });
    const hostId = await put("s-1", "Ready");
    await ask("operator", "signOff", hostId);
    await ask("provider-admin", "exception", hostId);
    await database().securityEvent.create({
      data: {
        kind: "reportForged",
        hostId,
        hostName: "s-1",
        siteId: world.siteId,
        address: "10.0.0.9",
        tried: [],
        paths: [],
        hour: new Date(),
        mergeKey: "m",
      },
    });
  });

  it("are counted by cause, in order, with the hosts that their filter finds", async () => {
    const { groups } = await list("provider-admin");
    expect(groups.map(({ kind, size, title }) => [kind, size, title])).toEqual([
      ["security", 1, "Forged report: s-1"],
      ["failure", 3, "3 hosts failed: erase refused"],
      ["failure", 2, "2 hosts failed: NVMECleanFailed"],
      ["overLimit", 1, "1 host over the limit of cleaning"],
      ["silent", 1, "The BMC of b-1 is silent"],
      ["waiting", 1, "1 host waits: inventory differs"],
      ["brake", 1, "Brake on clean step deploy.erase_nvme, site a"],
      ["decision", 1, "1 procedure to sign off"],
    ]);
    for (const { filter, hosts } of groups)
      if (filter !== null) expect(await findHostIds(world.backend, filter, 50)).toHaveLength(hosts);
  });
  it("of failures are those of the page of failures", async () => {
    const page = await failureGroups(world.backend, operator());
    const expected = page.ok ? page.value.groups.map(({ digest, count }) => [digest, count]) : [];
    const { groups } = await list();
    const own = groups.filter(({ kind }) => kind === "failure" || kind === "silent");
    expect(own.map(({ key, size }) => [key, size]).toSorted()).toEqual(expected.toSorted());
  });
  it("of a single host say what its page says", async () => {
    const { hostId } = await database().hostRun.findFirstOrThrow({ where: { name: "b-1" } });
    const silent: Cause = { key: "bmcSilent", raw: "" };
    const locked: Cause = { key: "driveLocked", device: { kind: "drive", serial: "L1" }, raw: "" };
    const lied: Cause = { key: "contentLeft", device: { kind: "drive", serial: "L2" }, raw: "" };
    for (const causes of [[locked, lied], [lied], [silent]]) {
      await database().stateHistory.updateMany({
        where: { hostId, state: "Failed/NVMECleanFailed" },
        data: { causes },
      });
      const line = (await list()).groups.find(({ title }) => title.includes("b-1"));
      expect(line?.next).toBe(await advised("b-1"));
    }
  });
  it("are of one site", async () => {
    expect((await list("operator", { site: "a" })).groups).toHaveLength((await list()).groups.length);
    expect(await listNext(world.backend, operator(), { site: "nowhere" })).toMatchObject({
      ok: false,
      problem: { code: "notFound" },
    });
  });
});

describe("who sees what", () => {
  it("is by what each can act on: nobody decides what they asked for, and an auditor watches", async () => {
    // The operator asked for the sign-off, the provider admin for the exception.
    expect(await kinds("operator")).not.toContain("decision");
    expect((await list("provider-admin")).groups.find(({ kind }) => kind === "decision")?.title).toBe(
      "1 procedure to sign off",
    );
    const auditor = await list("auditor");
    expect(auditor.groups.filter(({ kind }) => kind === "decision").map(({ title }) => title)).toEqual([
      "1 procedure to sign off",
      "1 exception to decide",
    ]);
    expect(auditor.groups.some(({ mayAct }) => mayAct)).toBe(false);
    expect([auditor.mayOwn, auditor.people]).toEqual([false, []]);
  });
  it.each(["tenant-admin", "repair-tenant-admin"] as const)(
    "%s learns nothing of the provider",
    async (role) => {
      const read = await list(role);
      expect(read).toMatchObject({ groups: [], snoozed: [], sites: [], people: [], mayOwn: false });
      expect(JSON.stringify(read.watched)).not.toMatch(/brake|failure|security/);
    },
  );
  it("a tenant sees its own notices until it has acknowledged them, a repair tenant the hosts that it may claim", async () => {
    const hostId = await put("n-1", "Assigned/Ready");
    await database().instance.create({ data: { name: "train", hostId, tenantId: world.tenants.acme } });
    const notice = await createNotice(world.backend, operator(), world.request(), {
      kind: "maintenance",
      target: { hostId },
      startsAt: new Date(Date.now() + 3_600_000),
      endsAt: new Date(Date.now() + 7_200_000),
      message: "New power feed",
    });
    expect(notice).toMatchObject({ ok: true });
    const [line] = (await list("tenant-admin")).groups;
    expect(line).toMatchObject({ kind: "notice", title: "1 notice to acknowledge", mayAct: true });
    expect((await list("repair-tenant-admin")).groups).toEqual([]);
    const held = await put("r-1", "Assigned/Ready");
    const { id: instanceId } = await database().instance.create({
      data: { name: "mend", hostId: held, tenantId: world.tenants.repair },
    });
    await database().repair.create({
      data: { instanceId, hostId: held, hostName: "r-1", tenantId: world.tenants.repair },
    });
    expect((await list("repair-tenant-admin")).groups).toMatchObject([
      { kind: "held", title: "1 host in your hands", why: "You claimed r-1." },
    ]);
    expect((await list("repair-tenant-admin")).watched.map(({ kind }) => kind)).toContain("held");
  });
});

describe("who has what", () => {
  const act = () => [world.backend, operator(), world.request()] as const;
  it("is taken, handed over with a note and put back, each with its event", async () => {
    const { key } = await group("overLimit");
    expect(await assignNext(...act(), { key, ownerId: operator().personId })).toMatchObject({ ok: true });
    expect(await group("overLimit")).toMatchObject({
      ownerName: operator().name,
      ownedSince: expect.any(Date),
    });
    const admin = world.actor("provider-admin");
    const mine = { key, ownerId: admin.personId, from: null };
    expect(await assignNext(world.backend, admin, world.request(), mine)).toMatchObject({
      problem: { code: "conflict", detail: `${operator().name} has it by now.` },
    });
    await assignNext(...act(), { key, ownerId: admin.personId, note: "wait for the window" });
    expect(await group("overLimit")).toMatchObject({ ownerName: admin.name, note: "wait for the window" });
    await assignNext(...act(), { key, ownerId: null });
    expect(await group("overLimit")).toMatchObject({
      ownerName: null,
      ownedSince: null,
      note: "wait for the window",
    });
    const logged = await database().auditEvent.findMany({
      where: { targetId: key, action: "next.assign", outcome: "done" },
      orderBy: { at: "asc" },
    });
    expect(logged).toMatchObject([
      { targetKind: "group", after: { owner: operator().name } },
      { before: { owner: operator().name }, after: { owner: admin.name, note: "wait for the window" } },
      { before: { owner: admin.name }, after: { owner: null } },
    ]);
  });
  it("can be only who may act, and only of what there is; others may not", async () => {
    const { key } = await group("overLimit");
    const auditor = world.actor("auditor").personId;
    expect(await assignNext(...act(), { key, ownerId: auditor })).toMatchObject({
      problem: { code: "notFound" },
    });
    const none = "0".repeat(64);
    expect(await noteNext(...act(), { key: none, note: "x" })).toMatchObject({
      problem: { code: "notFound" },
    });
    for (const role of ["auditor", "tenant-admin"] as const)
      expect(
        await noteNext(world.backend, world.actor(role), world.request(), { key, note: "x" }),
      ).toMatchObject({ problem: { code: "forbidden" } });
  });
  it("of failures is the same on the page of failures", async () => {
    const line = (await list()).groups.find(({ size, kind }) => kind === "failure" && size === 3);
    const key = line?.key ?? "";
    await assignNext(...act(), { key, ownerId: operator().personId });
    const page = await failureGroups(world.backend, operator());
    expect(page.ok && page.value.groups.find(({ digest }) => digest === key)?.ownerName).toBe(
      operator().name,
    );
    await noteFailure(...act(), { digest: key, ownerId: null, note: "vendor case", snoozedUntil: null });
    expect((await list()).groups.find((each) => each.key === key)).toMatchObject({
      ownerName: null,
      ownedSince: null,
      note: "vendor case",
    });
  });
  it("is snoozed until a time, with a reason; it comes back then, when it grows, or when somebody ends it", async () => {
    const { key, size } = await group("waiting");
    const until = new Date(Date.now() + 3_600_000);
    expect(await snoozeNext(...act(), { key, until: new Date(0), reason: "x" })).toMatchObject({
      problem: { code: "invalid", field: "until" },
    });
    const counted = async () => {
      later();
      const read = await countNext(world.backend, operator());
      return read.ok ? read.value.groups : null;
    };
    const before = await counted();
    const snooze = () => snoozeNext(...act(), { key, until, reason: "the part comes tomorrow" });
    await snooze();
    const { groups, snoozed } = await list();
    expect(groups.some((each) => each.key === key)).toBe(false);
    expect(snoozed).toMatchObject([{ key, snoozeReason: "the part comes tomorrow", snoozedUntil: until }]);
    expect(await counted()).toBe((before ?? 0) - 1);
    await database().groupNote.update({
      where: { digest: key },
      data: { snoozedUntil: new Date(Date.now() - 1) },
    });
    expect((await list()).groups.some((each) => each.key === key)).toBe(true);
    await snooze();
    const second = await put("w-2", "BomValidating/SkuVerificationFailed");
    expect((await list()).groups.find((each) => each.key === key)?.size).toBe(size + 1);
    // It has shrunk, and another one comes: no more than before, but not the same.
    await snooze();
    await world.put(second, "Manageable");
    await watchNext(database());
    expect((await list()).snoozed.map((each) => each.key)).toContain(key);
    await world.put(second, "BomValidating/SkuVerificationFailed");
    expect((await list()).groups.find((each) => each.key === key)?.size).toBe(size + 1);
    await snooze();
    await wakeNext(...act(), { key });
    expect((await list()).groups.find((each) => each.key === key)).toMatchObject({
      snoozedUntil: null,
      snoozeReason: null,
    });
  });
});

describe("webhooks", () => {
  const told = async (): Promise<readonly unknown[]> => {
    const rows = await database().webhookDelivery.findMany({ orderBy: { seq: "asc" } });
    await database().webhookDelivery.deleteMany();
    return rows.map(({ body }): unknown => JSON.parse(body));
  };
  it("of the provider are told once what opens and what closes, and a tenant's never", async () => {
    await database().nextGroup.deleteMany(); // as before the first look
    for (const tenantId of [null, world.tenants.acme])
      await database().webhook.create({
        data: {
          id: crypto.randomUUID(),
          name: "chat",
          url: "https://chat.example",
          secret: new Uint8Array(),
          tenantId,
          createdBy: "Ola",
        },
      });
    const { groups } = await list();
    // Two kinds of requests, of which the operator sees none.
    const open = groups.filter(({ kind }) => kind !== "decision").length + 2;
    expect(await watchNext(database())).toBe(open);
    const first = await told();
    expect(first).toHaveLength(open);
    expect(first).toContainEqual(
      expect.objectContaining({
        type: "next.opened",
        data: expect.objectContaining({ kind: "brake", path: "/cleaning/queue", command: "brakes list" }),
      }),
    );
    expect(await watchNext(database())).toBe(0);
    await database().brake.updateMany({ data: { liftedAt: new Date() } });
    expect(await watchNext(database())).toBe(1);
    expect(await told()).toMatchObject([
      {
        type: "next.closed",
        data: { kind: "brake", title: "Brake on clean step deploy.erase_nvme, site a" },
      },
    ]);
    const { watched } = await list();
    expect(watched.find(({ kind }) => kind === "brake")).toMatchObject({ groups: 0, last: expect.any(Date) });
    await database().brake.updateMany({ data: { liftedAt: null } });
    expect(await watchNext(database())).toBe(1);
    expect(await told()).toMatchObject([{ type: "next.opened", data: { kind: "brake" } }]);
  });
});

describe("webhooks that accept nothing", () => {
  it("are told to whose they are, and who can change them", async () => {
    await database().webhook.updateMany({ where: { tenantId: null }, data: { failingSince: new Date() } });
    expect(await kinds("provider-admin")).toContain("webhook");
    expect(await kinds("operator")).not.toContain("webhook");
    expect(await kinds("tenant-admin")).not.toContain("webhook");
    await database().webhook.updateMany({
      where: { tenantId: { not: null } },
      data: { disabledAt: new Date() },
    });
    expect(await kinds("tenant-admin")).toContain("webhook");
    expect(await kinds("repair-tenant-admin")).not.toContain("webhook");
  });
});

describe("a group's history", () => {
  it("is empty for a tenant, whatever the provider's people did with a group of the same key", async () => {
    await database().webhook.updateMany({
      where: { tenantId: { not: null } },
      data: { disabledAt: new Date() },
    });
    const tenant = world.actor("tenant-admin");
    const key = (await list("tenant-admin")).groups.find(({ kind }) => kind === "webhook")?.key ?? "";
    expect(await groupHistory(world.backend, tenant, { key })).toEqual({ ok: true, value: [] });
    expect(await groupHistory(world.backend, tenant, { key: "0".repeat(64) })).toMatchObject({
      problem: { code: "notFound" },
    });
  });
  it("is what people did with it, for those who see it", async () => {
    const { key } = await group("overLimit");
    const read = await groupHistory(world.backend, world.actor("auditor"), { key });
    expect(read.ok && read.value.map(({ by, words }) => [by, words])).toEqual([
      [null, "opened"],
      [operator().name, "put it back"],
      [
        operator().name,
        `handed it over to ${world.actor("provider-admin").name}, noted “wait for the window”`,
      ],
      [operator().name, "took it"],
    ]);
    expect(await groupHistory(world.backend, world.actor("tenant-admin"), { key })).toMatchObject({
      problem: { code: "notFound" },
    });
  });
});
