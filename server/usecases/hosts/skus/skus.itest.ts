// SKUs created from hosts or by hand, changed and deleted; groups of hosts without one; and who may do what.
import { addReclamation } from "@/server/usecases/testing/reclamations";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Prisma } from "@/server/db/generated/prisma/client";
import { roles } from "@/server/domain/access/roles";
import { skuComponents } from "@/server/domain/hosts/inventory/testing/sku-components";
import { biosUnknown, bmcUnknown } from "@/server/domain/hosts/inventory/baseline";
import type { BmcPart } from "@/server/domain/hosts/inventory/bmc-settings";
import type { PlatformFacts } from "@/server/domain/hosts/inventory/platform";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import { getInventory } from "@/server/usecases/hosts/one/get-inventory";
import { getSku } from "@/server/usecases/hosts/skus/get-sku";
import { listSkus } from "@/server/usecases/hosts/skus/list-skus";
import { proposeSkuOfHost } from "@/server/usecases/hosts/skus/propose-sku";
import {
  captureSkuBaseline,
  changeSku,
  createSku,
  createSkuFromHost,
  removeSku,
} from "@/server/usecases/hosts/skus/sku-acts";
import { nvme, reportBios, reportBmcSettings, reportHardware } from "@/server/usecases/testing/hardware";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";
import type { Outcome } from "@/server/usecases/problem";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

const admin = () => world.actor("provider-admin");
const reason = "ticket 7";
const valueOf = <T>(outcome: Outcome<T>): T => {
  if (!outcome.ok) throw new Error(outcome.problem.detail);
  return outcome.value;
};
const listed = async () => valueOf(await listSkus(world.backend, admin()));
const read = async (sku: string) => valueOf(await getSku(world.backend, admin(), { sku }));

/** A host whose agent and BMC reported two drives. */
async function reported(name: string, serials: readonly string[] = [`${name}-1`, `${name}-2`]) {
  const hostId = await world.host(name);
  await reportHardware(
    world,
    hostId,
    serials.map((serial) => nvme(serial)),
  );
  return hostId;
}

/** The host's BMC reports firmware and lockdown. */
const tellFirmware = (
  hostId: string,
  firmware: readonly { readonly component: string; readonly version: string }[],
  platform: Partial<PlatformFacts> = {},
) =>
  world.backend.database.hostInventory.update({
    where: { hostId_source: { hostId, source: "bmc" } },
    data: {
      body: {
        storage: [],
        firmware: firmware.map((row) => ({ ...row })),
        platform: { ...noPlatformFacts, ...platform },
      },
    },
  });
const from = (
  hostId: string,
  name: string,
  more: { baseline?: boolean; bios?: string[]; bmc?: BmcPart[] } = {},
) =>
  createSkuFromHost(world.backend, admin(), world.request(), {
    hostId,
    name,
    priorities: {},
    reason,
    ...more,
  });
const dueOf = async (hostId: string) => {
  const { dueAt, wakeSeq } = await world.backend.database.hostRun.findUniqueOrThrow({ where: { hostId } });
  return { due: dueAt !== null, wakeSeq };
};

describe("hosts without a SKU", () => {
  it("are grouped with a name for each group; hosts without an inventory are counted", async () => {
    const ids = [await reported("g1"), await reported("g2")];
    const other = await reported("g3", ["only"]);
    await world.host("g4");
    await world.fakeHost("g5");
    expect(await listed()).toMatchObject({
      skus: [],
      clusters: [
        { name: "PowerEdge R750", count: 2, hosts: [{ name: "g1" }, { name: "g2" }] },
        { name: "PowerEdge R750 2", count: 1, hosts: [{ id: other, name: "g3" }] },
      ],
      left: [],
      withoutInventory: 1,
      notRead: 0,
    });
    // Proposals are cached, but a newer inventory, or none any more, is still noticed.
    await world.backend.database
      .$executeRaw`UPDATE host_inventory SET body = jsonb_set(body, '{memoryBytes}', '"4096"') WHERE host_id = ${ids[1]}::uuid AND source = 'agent'`;
    await world.backend.database
      .$executeRaw`DELETE FROM host_inventory WHERE host_id = ${other}::uuid AND source = 'agent'`;
    expect(await listed()).toMatchObject({
      clusters: [
        { count: 1, hosts: [{ name: "g1" }] },
        { count: 1, hosts: [{ name: "g2" }], components: { memoryBytes: "4096" } },
      ],
      withoutInventory: 2,
    });
    expect(await proposeSkuOfHost(world.backend, admin(), { hostId: ids[0] ?? "" })).toMatchObject({
      ok: true,
      value: {
        name: "PowerEdge R750",
        refusal: null,
        matches: [],
        components: { memoryBytes: "1099511627776" },
      },
    });
  });
});

describe("a SKU made from a host", () => {
  it("is written once with an audit event, matches the host, and wakes the hosts that wait for one", async () => {
    const hostId = await reported("f1", ["f1-1", "f1-2", "f1-3"]);
    const waits = await world.host("f2");
    await world.put(waits, "BomValidating/WaitingForSkuAssignment");
    const ready = await world.host("f3");
    await world.put(ready, "Ready");
    const before = [await dueOf(waits), await dueOf(ready)];
    const made = valueOf(await from(hostId, "three drives"));
    expect(await world.backend.database.auditEvent.findMany({ where: { targetId: made.id } })).toMatchObject([
      {
        action: "sku.createFromHost",
        targetKind: "sku",
        after: { name: "three drives", reason: `from host f1: ${reason}` },
      },
    ]);
    expect(await proposeSkuOfHost(world.backend, admin(), { hostId })).toMatchObject({
      value: { matches: ["three drives"], name: "PowerEdge R750" },
    });
    expect([await dueOf(waits), await dueOf(ready)]).toEqual([
      { due: true, wakeSeq: (before[0]?.wakeSeq ?? 0n) + 1n },
      before[1],
    ]);
    expect(await from(hostId, "three drives")).toMatchObject({
      problem: { code: "conflict", field: "name", detail: "A SKU three drives already exists." },
    });
  });

  it("takes the baseline that the inventory tells, where it is asked to", async () => {
    const hostId = await reported("b1", ["b1-1"]);
    await tellFirmware(hostId, [{ component: "BIOS", version: "2.1" }], { lockdown: true });
    valueOf(await from(hostId, "with baseline", { baseline: true }));
    expect((await read("with baseline")).components.baseline).toEqual({
      firmware: [{ component: "BIOS", version: "2.1" }],
      lockdown: true,
    });
    valueOf(await from(hostId, "without baseline"));
    expect((await read("without baseline")).components.baseline).toBeUndefined();
  });

  it("is refused where no agent has reported", async () => {
    expect(await from(await world.host("n1"), "none")).toMatchObject({
      problem: {
        code: "notAllowedNow",
        detail: expect.stringMatching(/no agent has taken its inventory yet/),
      },
    });
  });
});

describe("a SKU by hand", () => {
  const given = { components: skuComponents, priorities: { "deploy.erase_disks": 12 }, reason };

  it("is made, changed with its history, and not over somebody else's change", async () => {
    valueOf(await createSku(world.backend, admin(), world.request(), { name: "by hand", ...given }));
    const { revision, priorities } = await read("by hand");
    expect(priorities).toEqual({ "deploy.erase_disks": 12 });
    const change = (name: string, memoryBytes: string) =>
      changeSku(world.backend, admin(), world.request(), {
        ...given,
        sku: "by hand",
        name,
        revision,
        components: { ...skuComponents, memoryBytes },
        priorities: {},
      });
    valueOf(await change("by hand", "5"));
    expect(await read("by hand")).toMatchObject({
      priorities: {},
      components: { memoryBytes: "5" },
      history: [
        {
          action: "sku.change",
          byName: "provider-admin of acme",
          words: [
            reason,
            'components.memoryBytes: "1099511627776" → "5"',
            "priorities.deploy.erase_disks: removed, was 12",
          ],
        },
        { action: "sku.create" },
      ],
    });
    expect(await change("by hand", "6")).toMatchObject({ problem: { code: "conflict", field: "revision" } });
  });

  it.each([
    ["an unknown step", { "deploy.nothing": 5 }, /There is no clean step deploy.nothing/],
    ["a tie", { "deploy.erase_disks": 99, "deploy.erase_nvme": 99 }, /same priority|tie|equal/i],
  ])("is refused with %s, and leaves no trace", async (_what, priorities, detail) => {
    expect(
      await createSku(world.backend, admin(), world.request(), { ...given, name: "wrong", priorities }),
    ).toMatchObject({ problem: { code: expect.any(String), detail: expect.stringMatching(detail) } });
    expect(await world.backend.database.sku.count({ where: { name: "wrong" } })).toBe(0);
  });

  it("takes a baseline from a reference host beside what was written by hand", async () => {
    const baseline = { bios: { LogicalProc: "Disabled" }, lockdown: false };
    valueOf(
      await createSku(world.backend, admin(), world.request(), {
        ...given,
        priorities: {},
        name: "captured",
        components: { ...skuComponents, baseline },
      }),
    );
    const hostId = await reported("c1");
    const capture = () =>
      captureSkuBaseline(world.backend, admin(), world.request(), { sku: "captured", hostId, reason });
    expect(await capture()).toMatchObject({ problem: { code: "notAllowedNow" } });
    await tellFirmware(hostId, [{ component: "BIOS", version: "3" }], { lockdown: true });
    valueOf(await capture());
    expect((await read("captured")).components.baseline).toEqual({
      bios: { LogicalProc: "Disabled" },
      firmware: [{ component: "BIOS", version: "3" }],
      lockdown: true,
    });
  });

  it("takes no baseline from a host that was read while a tenant had it, until it has returned clean", async () => {
    valueOf(await createSku(world.backend, admin(), world.request(), { name: "lent", ...given }));
    const hostId = await reported("lent-1");
    await tellFirmware(hostId, [{ component: "BIOS", version: "3" }]);
    const { database } = world.backend;
    const [began, ended] = [new Date("2026-11-01T00:00:00Z"), new Date("2026-11-03T00:00:00Z")];
    const { id } = await database.instance.create({
      data: { hostId, tenantId: world.tenants.acme, name: "train", createdAt: began },
    });
    const readAt = (biosReadAt: Date | null) =>
      database.hostInventory.update({
        where: { hostId_source: { hostId, source: "bmc" } },
        data: { biosReadAt },
      });
    const capture = () =>
      captureSkuBaseline(world.backend, admin(), world.request(), { sku: "lent", hostId, reason });
    const refusal = expect.stringContaining("lent-1 was read while Acme had the host");
    for (const at of [null, new Date("2026-11-02T00:00:00Z"), new Date("2026-11-04T00:00:00Z")]) {
      await readAt(at);
      expect(await capture()).toMatchObject({ problem: { code: "notAllowedNow", detail: refusal } });
      expect(valueOf(await proposeSkuOfHost(world.backend, admin(), { hostId })).untrusted).toEqual(refusal);
    }
    // What was read before the tenant had it is the provider's.
    await readAt(new Date("2026-10-31T00:00:00Z"));
    valueOf(await capture());
    await database.instance.update({ where: { id }, data: { endedAt: ended } });
    await addReclamation(world, hostId, { kind: "release", outcome: "ready", endedAt: ended });
    // Clean since the third, so what was read on the second still counts for nothing.
    await readAt(new Date("2026-11-02T00:00:00Z"));
    expect(await capture()).toMatchObject({ problem: { detail: refusal } });
    await readAt(new Date("2026-11-04T00:00:00Z"));
    expect(valueOf(await proposeSkuOfHost(world.backend, admin(), { hostId })).untrusted).toBeNull();
    valueOf(await capture());
  });

  it("is deleted with its priorities, and not while a host has it", async () => {
    const { id } = valueOf(
      await createSku(world.backend, admin(), world.request(), { name: "short", ...given }),
    );
    const hostId = await world.host("r1");
    await world.backend.database.host.update({ where: { id: hostId }, data: { skuId: id } });
    const remove = () => removeSku(world.backend, admin(), world.request(), { sku: "short", reason });
    expect(await remove()).toMatchObject({
      problem: { code: "notAllowedNow", detail: expect.stringMatching(/1 host \(r1\) has it/) },
    });
    await world.backend.database.host.update({ where: { id: hostId }, data: { skuId: null } });
    valueOf(await remove());
    expect(await world.backend.database.stepOverride.count({ where: { scopeId: id } })).toBe(0);
    expect(await remove()).toMatchObject({ problem: { code: "notFound" } });
  });
});

describe("BIOS attributes of a reference host", () => {
  const told = { LogicalProc: "Disabled", SysProfile: "Custom", NumCores: 8 };
  const proposed = async (hostId: string) =>
    valueOf(await proposeSkuOfHost(world.backend, admin(), { hostId }));
  const capture = (sku: string, hostId: string, asked: { bios?: string[]; biosRevision?: string } = {}) =>
    captureSkuBaseline(world.backend, admin(), world.request(), { sku, hostId, reason, ...asked });

  it("are taken as they were chosen, beside those that the SKU has; the history has each value", async () => {
    const hostId = await reported("bios1", ["bios1-1", "bios1-2", "bios1-3", "bios1-4"]);
    await tellFirmware(hostId, [{ component: "BIOS", version: "3" }]);
    await reportBios(world, hostId, told);
    expect(await proposed(hostId)).toMatchObject({ bios: told, biosReadAt: expect.any(Date) });
    valueOf(await from(hostId, "of bios1", { baseline: true, bios: ["NumCores"] }));
    expect((await read("of bios1")).components.baseline?.bios).toEqual({ NumCores: 8 });
    const { biosRevision } = await proposed(hostId);
    const asked = { bios: ["LogicalProc"], biosRevision: biosRevision ?? "" };
    valueOf(await capture("of bios1", hostId, asked));
    const { components, history } = await read("of bios1");
    expect(components.baseline).toEqual({
      firmware: [{ component: "BIOS", version: "3" }],
      bios: { NumCores: 8, LogicalProc: "Disabled" },
    });
    expect(history[0]?.words).toContain('components.baseline.bios.LogicalProc: added "Disabled"');
    // Nothing was chosen, so the SKU keeps what it has.
    valueOf(await capture("of bios1", hostId));
    expect((await read("of bios1")).components.baseline?.bios).toEqual({
      NumCores: 8,
      LogicalProc: "Disabled",
    });
    await reportBios(world, hostId, { ...told, LogicalProc: "Enabled" });
    expect(await capture("of bios1", hostId, asked)).toMatchObject({
      problem: { code: "conflict", field: "bios" },
    });
    expect(await capture("of bios1", hostId, { bios: ["Nothing"] })).toMatchObject({
      problem: { code: "invalid", field: "bios", detail: "bios1 has no BIOS attribute Nothing" },
    });
    const { id: skuId } = await read("of bios1");
    await world.backend.database.host.update({ where: { id: hostId }, data: { skuId } });
    expect(valueOf(await getInventory(world.backend, admin(), { hostId })).bios).toEqual({
      readAt: expect.any(Date),
      lines: [
        { name: "NumCores", wanted: "8", found: "8", same: true },
        { name: "LogicalProc", wanted: '"Disabled"', found: '"Enabled"', same: false },
      ],
    });
    await world.backend.database.hostInventory.update({
      where: { hostId_source: { hostId, source: "bmc" } },
      data: { bios: Prisma.DbNull, biosReadAt: null },
    });
    expect(valueOf(await getInventory(world.backend, admin(), { hostId })).bios).toMatchObject({
      readAt: null,
      lines: [{ same: null }, { found: null, same: null }],
    });
  });

  it("that are not known are refused, and a capture without them says so", async () => {
    const hostId = await reported("bios2", ["bios2-1", "bios2-2", "bios2-3", "bios2-4", "bios2-5"]);
    await tellFirmware(hostId, [{ component: "BIOS", version: "3" }]);
    valueOf(await from(hostId, "of bios2"));
    expect(await proposed(hostId)).toMatchObject({ bios: null, biosReadAt: null, biosRevision: null });
    expect((await proposed(hostId)).left).toContain(biosUnknown);
    expect(await capture("of bios2", hostId, { bios: ["LogicalProc"] })).toMatchObject({
      problem: { code: "notAllowedNow", field: "bios", detail: `bios2: ${biosUnknown}.` },
    });
    expect(await from(hostId, "other", { bios: ["LogicalProc"] })).toMatchObject({
      problem: { code: "invalid", field: "bios" },
    });
    valueOf(await capture("of bios2", hostId));
    expect((await read("of bios2")).components.baseline?.bios).toBeUndefined();
  });
});

describe("parts of the BMC of a reference host", () => {
  it("are taken as they were chosen and seen, beside what the SKU says; unknown ones are refused", async () => {
    const hostId = await reported("bmc1", ["bmc1-1", "bmc1-2", "bmc1-3", "bmc1-4", "bmc1-5", "bmc1-6"]);
    await tellFirmware(hostId, [{ component: "BIOS", version: "3" }]);
    const capture = (asked: { bmc: BmcPart[]; bmcRevision?: string }) =>
      captureSkuBaseline(world.backend, admin(), world.request(), {
        sku: "of bmc1",
        hostId,
        reason,
        ...asked,
      });
    valueOf(await from(hostId, "of bmc1", { baseline: true }));
    expect(await capture({ bmc: ["accounts"] })).toMatchObject({
      problem: { code: "notAllowedNow", field: "bmc", detail: `bmc1: ${bmcUnknown}.` },
    });
    const told = {
      accounts: ["root", "ops"],
      subscriptions: [],
      bootEntries: ["NIC 1"],
      left: ["keys: none"],
    };
    // Accounts that Reclaim signs in with, also for other hosts behind the BMC, are not part of a baseline.
    const place = { bmcAddress: "https://bmc-of-two" };
    const neighbour = await reported("bmc2", ["bmc2-1"]);
    await world.backend.database.host.update({
      where: { id: hostId },
      data: { ...place, bmcSystem: "/s/1", bmcUsername: "reclaim" },
    });
    await world.backend.database.host.update({
      where: { id: neighbour },
      data: {
        ...place,
        bmcSystem: "/s/2",
        bmcUsername: "second",
        bmcLinks: { system: "/s/2" },
      },
    });
    await reportBmcSettings(world, hostId, { ...told, accounts: ["root", "reclaim", "ops", "second"] });
    const proposal = valueOf(await proposeSkuOfHost(world.backend, admin(), { hostId }));
    expect(proposal).toMatchObject({ bmc: told, bmcRevision: expect.any(String) });
    expect(proposal.left).toContain("keys: none");
    expect(await capture({ bmc: ["bootEntries"] })).toMatchObject({
      problem: {
        code: "invalid",
        field: "bmc",
        detail: expect.stringContaining("must include its accounts"),
      },
    });
    valueOf(await capture({ bmc: ["accounts"], bmcRevision: proposal.bmcRevision ?? "" }));
    const ofSku = async () => (await read("of bmc1")).components.baseline?.bmc;
    expect(await ofSku()).toEqual({ accounts: ["root", "ops"], subscriptions: [] });
    await reportBmcSettings(world, hostId, {
      ...told,
      accounts: ["root", "ops", "reclaim", "second", "evil"],
    });
    expect(await capture({ bmc: ["accounts"], bmcRevision: proposal.bmcRevision ?? "" })).toMatchObject({
      problem: { code: "conflict", field: "bmc" },
    });
    valueOf(await capture({ bmc: ["bootEntries"] }));
    expect(await ofSku()).toEqual({ accounts: ["root", "ops"], subscriptions: [], bootEntries: ["NIC 1"] });
    const { id: skuId } = await read("of bmc1");
    await world.backend.database.host.update({ where: { id: hostId }, data: { skuId } });
    expect(valueOf(await getInventory(world.backend, admin(), { hostId })).baseline).toEqual([
      { name: "firmware BIOS", wanted: "3", found: "3", same: true },
      {
        name: "BMC accounts",
        wanted: "root, ops",
        found: "root, ops, reclaim, second, evil; not allowed: evil",
        same: false,
      },
      { name: "event subscriptions", wanted: "none", found: "none", same: true },
      { name: "boot entries", wanted: "NIC 1", found: "NIC 1", same: true },
    ]);
    expect(await from(hostId, "bmc without baseline", { bmc: ["accounts"] })).toMatchObject({
      problem: { code: "invalid", field: "bmc" },
    });
  });
});

describe("who may", () => {
  it.each(roles)("%s", async (role) => {
    const actor = world.actor(role);
    const readable = ["operator", "provider-admin", "auditor"].includes(role);
    expect((await listSkus(world.backend, actor)).ok).toBe(readable);
    expect((await getSku(world.backend, actor, { sku: "captured" })).ok).toBe(readable);
    const made = await createSku(world.backend, actor, world.request(), {
      name: `of ${role}`,
      components: skuComponents,
      priorities: {},
      reason,
    });
    expect(made.ok ? "done" : made.problem.code).toBe(role === "provider-admin" ? "done" : "forbidden");
  });
});
