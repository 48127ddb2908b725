// Who may decommission a host and when, what the database itself refuses, and the records of gone hosts.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { execute } from "@/server/db/sql";
import { roles } from "@/server/domain/access/roles";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { acceptLeftovers } from "@/server/usecases/hosts/decommission/accept-leftovers";
import { decommissionHost } from "@/server/usecases/hosts/decommission/decommission-host";
import { getGone, listGone } from "@/server/usecases/hosts/decommission/gone-hosts";
import { getHost } from "@/server/usecases/hosts/one/get-host";
import { removeNode } from "@/server/usecases/hosts/nodes/remove-node";
import { getReceipt } from "@/server/usecases/instances/receipt/get-receipt";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

const ask = (hostId: string, role: (typeof roles)[number] = "operator") =>
  decommissionHost(world.backend, world.actor(role), world.request(), {
    hostId,
    reason: "return 4711",
    keepAccount: false,
  });
const signals = async (hostId: string) =>
  (await world.backend.database.signal.findMany({ where: { hostId }, orderBy: { id: "asc" } })).map(
    ({ kind, payload }) => ({ kind, payload }),
  );

async function manageable(): Promise<string> {
  const hostId = await world.host();
  await world.put(hostId, "Manageable");
  return hostId;
}

describe("to decommission a host", () => {
  it.each(roles.filter((role) => role !== "operator" && role !== "provider-admin"))(
    "is refused to %s, as is to accept its leftovers",
    async (role) => {
      const hostId = await manageable();
      expect(await ask(hostId, role)).toMatchObject({ problem: { code: "forbidden" } });
      expect(
        await acceptLeftovers(world.backend, world.actor(role), world.request(), {
          hostId,
          reason: "x",
          keys: ["account: a"],
        }),
      ).toMatchObject({ problem: { code: "forbidden" } });
      expect(await signals(hostId)).toEqual([]);
    },
  );

  it("leaves one signal with its reason, however often it is asked for, and one event", async () => {
    const hostId = await manageable();
    expect(await ask(hostId)).toMatchObject({ ok: true });
    expect(await ask(hostId, "provider-admin")).toMatchObject({ ok: true });
    expect(await signals(hostId)).toMatchObject([
      { kind: "decommission", payload: { reason: "return 4711", keepAccount: false } },
    ]);
    expect(
      await world.backend.database.auditEvent.findMany({ where: { targetId: hostId, outcome: "done" } }),
    ).toMatchObject([{ action: "host.decommission", after: { reason: "return 4711" } }]);
  });

  it("needs a reason", async () => {
    const hostId = await manageable();
    expect(
      await decommissionHost(world.backend, world.actor("operator"), world.request(), {
        hostId,
        reason: "  ",
        keepAccount: false,
      }),
    ).toMatchObject({ problem: { code: "invalid", field: "reason" } });
  });

  it("is refused of a host that was never read, of one in a tenant's hands, and of a protected one", async () => {
    const enrolled = await world.host();
    expect(await ask(enrolled)).toMatchObject({
      problem: { code: "notAllowedNow", detail: expect.stringContaining("delete it") },
    });
    const used = await world.host();
    await world.put(used, "Assigned/Ready");
    expect(await ask(used)).toMatchObject({ problem: { code: "notAllowedNow" } });
    const kept = await manageable();
    await world.backend.database.host.update({
      where: { id: kept },
      data: { protected: true, protectedReason: "evidence" },
    });
    expect(await ask(kept)).toMatchObject({
      problem: { code: "notAllowedNow", detail: expect.stringContaining("is protected") },
    });
    expect(await signals(kept)).toEqual([]);
  });

  it("its leftovers are accepted only where it stopped at them", async () => {
    const hostId = await manageable();
    const accept = () =>
      acceptLeftovers(world.backend, world.actor("operator"), world.request(), {
        hostId,
        reason: "the vendor resets it",
        keys: ["account: monitor"],
      });
    expect(await accept()).toMatchObject({ problem: { code: "notAllowedNow" } });
    await world.put(hostId, "Failed/LeftoversRemain");
    expect(await accept()).toMatchObject({ ok: true });
    expect(await signals(hostId)).toMatchObject([
      { kind: "acceptLeftovers", payload: { keys: ["account: monitor"], reason: "the vendor resets it" } },
    ]);
  });
});

describe("the database itself refuses a Decommissioned host", () => {
  const enter = (hostId: string) =>
    execute(
      world.backend.database,
      sql`UPDATE host_run SET state = 'Decommissioned' WHERE host_id = ${hostId}::uuid`,
    );
  const needed = ["cleanupCompleted", "storageSanitized", "memoryOverwritten"] as const;

  async function leaving(statusOf: (gate: string) => string): Promise<string> {
    const hostId = await manageable();
    const id = randomUUID();
    await world.backend.database.reclamation.create({
      data: { id, hostId, hostSerial: "x", kind: "decommission", policyVersion: 1, policy: defaultPolicy() },
    });
    await world.backend.database.gate.createMany({
      data: needed.map((gate) => ({
        reclamationId: id,
        gate,
        status: statusOf(gate),
        reason: "",
        evidence: {},
        generation: 1,
        evidenceSeq: 1,
      })),
    });
    await world.backend.database.hostRun.update({ where: { hostId }, data: { reclamationId: id } });
    return hostId;
  }

  it("that nobody decommissions", async () => {
    await expect(enter(await manageable())).rejects.toThrow(/no decommission was begun/);
  });

  it.each(needed)("without %s, and where it is only not required", async (open) => {
    for (const status of ["unsatisfied", "not required"])
      await expect(enter(await leaving((gate) => (gate === open ? status : "satisfied")))).rejects.toThrow(
        `${open} not proven`,
      );
  });

  it("that owes a sanitization, or that an instance holds", async () => {
    const owing = await leaving(() => "satisfied");
    const { serial } = await world.backend.database.host.findUniqueOrThrow({ where: { id: owing } });
    await world.backend.database.debt.create({ data: { chassisSerial: serial ?? "", driveSerials: [] } });
    await expect(enter(owing)).rejects.toThrow(/it owes a sanitization/);
    const held = await leaving(() => "satisfied");
    await world.backend.database.instance.create({
      data: { id: randomUUID(), name: "held", hostId: held, tenantId: world.tenants.acme },
    });
    await expect(enter(held)).rejects.toThrow(/an instance holds it/);
  });

  it("and lets one through of which all is proven; its reclamation never ends ready", async () => {
    const hostId = await leaving(() => "satisfied");
    await enter(hostId);
    await expect(
      world.backend.database.reclamation.updateMany({ where: { hostId }, data: { outcome: "ready" } }),
    ).rejects.toThrow(/decommission_is_not_ready/);
  });
});

describe("the record of a host that is gone", () => {
  async function removed(): Promise<{ hostId: string; serial: string; name: string }> {
    const hostId = await world.host();
    const { name, serial } = await world.backend.database.host.findUniqueOrThrow({ where: { id: hostId } });
    await removeNode(world.backend, world.actor("provider-admin"), world.request(), { hostId });
    return { hostId, name, serial: serial ?? "" };
  }

  it("is written for one that was deleted at once, too, and says who did it and that nothing was proven", async () => {
    const { hostId, serial, name } = await removed();
    for (const host of [hostId, name, serial])
      expect(await getGone(world.backend, world.actor("auditor"), { host })).toMatchObject({
        value: { hostId, how: "deleted", byName: world.actor("provider-admin").name, returnedAs: null },
      });
  });

  it("leaves the receipt of an instance that it had unproven, with what its machine owes, and of a fake host nothing", async () => {
    const { database } = world.backend;
    const receiptAfter = async (hostId: string, owes: boolean) => {
      const { serial } = await database.host.findUniqueOrThrow({ where: { id: hostId } });
      const tenantId = world.tenants.acme;
      const { id } = await database.instance.create({ data: { name: `of-${hostId}`, hostId, tenantId } });
      const read = () => getReceipt(world.backend, world.actor("tenant-admin"), { id });
      // As when the controller deletes the host: no release, and so no reclamation of the instance.
      await database.instance.update({ where: { id }, data: { endedAt: new Date() } });
      if (owes)
        await database.debt.create({
          data: { chassisSerial: serial ?? "", driveSerials: ["D-1"], instanceId: id, tenantId },
        });
      const before = await read();
      await removeNode(world.backend, world.actor("provider-admin"), world.request(), { hostId });
      return [before, await read()];
    };
    const open = { value: { result: "open" } };
    const left = { value: { result: "unproven", drives: [{ serial: "D-1", state: "waiting" }] } };
    expect(await receiptAfter(await world.host(), true)).toMatchObject([open, left]);
    expect(await receiptAfter(await world.fakeHost(), false)).toMatchObject([
      open,
      { value: { result: "nothing" } },
    ]);
  });

  it("claims no proof of a fake host, behind which no machine stood", async () => {
    const { hostId } = await world.backend.database.goneHost.create({
      data: {
        hostId: randomUUID(),
        name: "fake-gone",
        hardwareType: "fake",
        site: "a",
        how: "decommissioned",
        enrolledAt: new Date(),
      },
    });
    expect(await getGone(world.backend, world.actor("auditor"), { host: hostId })).toMatchObject({
      value: { how: "fake" },
    });
  });

  it("is neither changed nor deleted", async () => {
    const { hostId } = await removed();
    const { goneHost } = world.backend.database;
    await expect(goneHost.updateMany({ where: { hostId }, data: { how: "decommissioned" } })).rejects.toThrow(
      /neither changed nor deleted/,
    );
    await expect(goneHost.deleteMany({ where: { hostId } })).rejects.toThrow(/neither changed nor deleted/);
  });

  it("is named on the page of a machine that comes back, and names that host", async () => {
    const { serial } = await removed();
    const host = await world.backend.database.host.create({
      data: {
        siteId: world.siteId,
        name: "back-again",
        hardwareType: "redfish",
        networkInterfaces: ["dpu0"],
        serial,
      },
    });
    await world.backend.database.hostRun.create({
      data: { hostId: host.id, siteId: host.siteId, name: host.name, state: "Enroll" },
    });
    expect(await getHost(world.backend, world.actor("operator"), { host: "back-again" })).toMatchObject({
      value: { earlier: [{ how: "deleted" }], leaving: null },
    });
    expect(await getGone(world.backend, world.actor("operator"), { host: serial })).toMatchObject({
      value: { returnedAs: "back-again" },
    });
  });

  it("is listed newest first, page by page, for those who may list hosts", async () => {
    const first = await removed();
    const second = await removed();
    const page = async (cursor: string | null) => {
      const listed = await listGone(world.backend, world.actor("operator"), { text: "", cursor, limit: 1 });
      if (!listed.ok) throw new Error(listed.problem.detail);
      return listed.value;
    };
    const newest = await page(null);
    expect(newest.rows.map(({ name }) => name)).toEqual([second.name]);
    expect((await page(newest.nextCursor)).rows.map(({ name }) => name)).toEqual([first.name]);
    expect(
      await listGone(world.backend, world.actor("operator"), { text: "", cursor: "?", limit: 1 }),
    ).toMatchObject({ problem: { code: "invalid", field: "cursor" } });
    expect(
      await listGone(world.backend, world.actor("tenant-admin"), { text: "", cursor: null, limit: 1 }),
    ).toMatchObject({ ok: false });
  });
});
