// Which names of a machine are noted, who may confirm them, and what may never be confirmed.
import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { confirmNames } from "@/server/usecases/hosts/names/confirm-names";
import { withdrawName } from "@/server/usecases/hosts/names/withdraw-name";
import { getNames } from "@/server/usecases/hosts/names/get-names";
import { createWorld, type World } from "@/server/usecases/testing/world";
import type { Role } from "@/server/domain/access/roles";
import { otherByteOrder } from "@/server/domain/hosts/inventory/system-uuid";

let world: World;
let hosts = 0;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

interface Known {
  readonly id: string;
  readonly name: string;
  readonly serial: string;
  readonly systemUuid: string;
  readonly mac: string;
}

async function verified(): Promise<Known> {
  hosts += 1;
  const [name, mac] = [`named-${hosts}`, `02:00:00:00:aa:${hosts.toString(16).padStart(2, "0")}`];
  const id = await world.host(name);
  const { serial, systemUuid } = await world.backend.database.host.update({
    where: { id },
    data: { macs: [mac] },
  });
  return { id, name, mac, serial: serial ?? "", systemUuid: systemUuid ?? "" };
}

/** A host whose BMC was never read. */
async function unverified(): Promise<Known> {
  hosts += 1;
  const name = `named-${hosts}`;
  const { id } = await world.backend.database.host.create({
    data: { name, siteId: world.siteId, hardwareType: "redfish", macs: ["02:00:00:00:bb:01"] },
  });
  return { id, name, mac: "02:00:00:00:bb:01", serial: "", systemUuid: "" };
}

/** As the agent's registration and the BMC's reading leave it, at one time. */
async function told(
  { id }: Known,
  source: "agent" | "bmc",
  names: { readonly serial?: string; readonly uuid?: string; readonly mac?: string },
): Promise<void> {
  const lastSeenAt = new Date();
  await world.backend.database.hostName.createMany({
    data: Object.entries(names).map(([kind, value]) => ({ hostId: id, source, kind, value, lastSeenAt })),
  });
}

const view = async ({ id }: Known) => {
  const outcome = await getNames(world.backend, world.actor("operator"), { hostId: id });
  if (!outcome.ok) throw new Error(outcome.problem.detail);
  return outcome.value;
};
const confirm = async (host: Known, role: Role = "operator", evidence?: string) => {
  const outcome = await confirmNames(world.backend, world.actor(role), world.request(), {
    ...{ hostId: host.id, evidence: evidence ?? (await view(host)).evidence, reason: "BIOS 2.4" },
  });
  return outcome.ok ? null : { code: outcome.problem.code, detail: outcome.problem.detail };
};
const confirmed = ({ id }: Known) =>
  world.backend.database.hostName.count({ where: { hostId: id, confirmedAt: { not: null } } });

describe("a name that a source told", () => {
  it("is confirmed by an operator, with a reason, once, and audited", async () => {
    const host = await verified();
    await told(host, "agent", { serial: "CHASSIS-1", uuid: host.systemUuid, mac: host.mac });
    const seen = await view(host);
    expect(seen).toMatchObject({
      refusal: null,
      pending: [{ source: "agent", names: [{ value: "CHASSIS-1" }] }],
    });
    for (const role of ["auditor", "tenant-admin"] as const) expect(await confirm(host, role)).not.toBeNull();
    expect(await confirmed(host)).toBe(0);
    expect(await confirm(host)).toBeNull();
    const after = await view(host);
    expect(after.pending).toEqual([]);
    expect(after.names.find(({ value }) => value === "CHASSIS-1")).toMatchObject({
      ...{ standing: "confirmed", confirmed: { reason: "BIOS 2.4" } },
    });
    expect((await confirm(host))?.code).toBe("notAllowedNow");
    const events = await world.backend.database.auditEvent.findMany({
      where: { action: "host.confirmNames", targetId: host.id, outcome: "done" },
      select: { after: true },
    });
    expect(events).toEqual([{ after: { confirmed: ["serial CHASSIS-1 (agent)"], reason: "BIOS 2.4" } }]);
  });

  it("takes a Ready host out of allocation until it was checked again", async () => {
    const host = await verified();
    await world.put(host.id, "Ready");
    await told(host, "bmc", { serial: host.serial, uuid: randomUUID() });
    expect(await confirm(host)).toBeNull();
    expect(
      await world.backend.database.hostRun.findUnique({
        where: { hostId: host.id },
        select: { touched: true, allocatable: true },
      }),
    ).toEqual({ touched: true, allocatable: false });
  });

  it("is refused if it changed since it was seen", async () => {
    const host = await verified();
    await told(host, "agent", { serial: "CHASSIS-2", uuid: host.systemUuid });
    const { evidence } = await view(host);
    await told(host, "bmc", { serial: "CHASSIS-3", mac: host.mac });
    expect((await confirm(host, "operator", evidence))?.code).toBe("conflict");
    expect(await confirmed(host)).toBe(0);
  });
});

describe("a confirmed name", () => {
  const withdraw = async (
    host: Known,
    value: string,
    kind: "serial" | "uuid" = "serial",
    role: Role = "operator",
  ) => {
    const outcome = await withdrawName(world.backend, world.actor(role), world.request(), {
      ...{ hostId: host.id, kind, value, reason: "of another machine" },
    });
    return outcome.ok ? null : outcome.problem.code;
  };

  it("is withdrawn by an operator, whoever told it, and can be confirmed again", async () => {
    const host = await verified();
    await told(host, "bmc", { serial: "OTHER-1", uuid: host.systemUuid });
    expect(await confirm(host)).toBeNull();
    await told(host, "agent", { serial: "OTHER-1", uuid: host.systemUuid });
    await world.put(host.id, "Ready");
    for (const role of ["auditor", "tenant-admin"] as const)
      expect(await withdraw(host, "OTHER-1", "serial", role)).not.toBeNull();
    expect(await confirmed(host)).toBe(1);
    expect(await withdraw(host, "OTHER-2")).toBe("notAllowedNow");
    expect(await withdraw(host, host.serial)).toBe("notAllowedNow");
    expect(await withdraw(host, "OTHER-1")).toBeNull();
    expect(await confirmed(host)).toBe(0);
    expect(await withdraw(host, "OTHER-1")).toBe("notAllowedNow");
    expect((await view(host)).names.filter(({ value }) => value === "OTHER-1")).toMatchObject([
      { standing: "differs", confirmed: null },
      { standing: "differs", confirmed: null },
    ]);
    expect(
      await world.backend.database.hostRun.findUnique({
        where: { hostId: host.id },
        select: { touched: true, allocatable: true },
      }),
    ).toEqual({ touched: true, allocatable: false });
    const [event] = await world.backend.database.auditEvent.findMany({
      where: { action: "host.withdrawName", targetId: host.id, outcome: "done" },
      select: { before: true, after: true },
    });
    expect(event).toMatchObject({
      before: { confirmed: [{ name: "serial OTHER-1 (BMC)", reason: "BIOS 2.4" }] },
      after: { confirmed: [], reason: "of another machine" },
    });
    expect(await confirm(host)).toBeNull();
  });

  it("is not withdrawn while something is being proven under it", async () => {
    const host = await verified();
    await told(host, "bmc", { serial: "OTHER-3", uuid: host.systemUuid });
    expect(await confirm(host)).toBeNull();
    const open = await world.backend.database.reclamation.create({
      data: {
        ...{ id: randomUUID(), hostId: host.id, hostSerial: host.serial, kind: "release" },
        ...{ startedAt: new Date(), policyVersion: 1, policy: {} },
      },
    });
    expect(await withdraw(host, "OTHER-3")).toBe("notAllowedNow");
    expect(await confirmed(host)).toBe(1);
    await world.backend.database.reclamation.update({
      where: { id: open.id },
      data: { endedAt: new Date(), outcome: "aborted" },
    });
    expect(await withdraw(host, "OTHER-3")).toBeNull();
  });

  it("is withdrawn in either byte order, and is then free for another host", async () => {
    const [host, other] = [await verified(), await verified()];
    const uuid = randomUUID();
    await told(host, "bmc", { serial: host.serial, uuid });
    expect(await confirm(host)).toBeNull();
    await told(other, "bmc", { serial: other.serial, uuid });
    expect((await confirm(other))?.code).toBe("conflict");
    expect(await withdraw(host, otherByteOrder(uuid), "uuid")).toBeNull();
    expect(await confirm(other)).toBeNull();
  });
});

describe("never confirmed", () => {
  it.each(["serial", "uuid"] as const)("is the %s of another host: 409, which says which", async (kind) => {
    const [host, other] = [await verified(), await verified()];
    const name = kind === "serial" ? { serial: other.serial } : { uuid: otherByteOrder(other.systemUuid) };
    await told(host, "bmc", { ...name, mac: host.mac });
    const refusal = await confirm(host);
    expect(refusal?.code).toBe("conflict");
    expect(refusal?.detail).toContain(other.name);
    expect((await view(host)).refusal).toContain(other.name);
  });

  it("is a name that another host is expected to have, or that was confirmed of another host", async () => {
    const [host, other] = [await verified(), await verified()];
    await told(host, "agent", { serial: "CHASSIS-4", uuid: host.systemUuid });
    await world.backend.database.host.update({
      where: { id: other.id },
      data: { expectedSerial: "CHASSIS-4" },
    });
    expect((await confirm(host))?.detail).toContain(other.name);
    await world.backend.database.host.update({ where: { id: other.id }, data: { expectedSerial: null } });
    await told(other, "agent", { serial: "CHASSIS-4", uuid: other.systemUuid });
    expect(await confirm(other)).toBeNull();
    expect((await confirm(host))?.detail).toContain(other.name);
  });

  it("is a serial by which a machine owes a sanitization, until it is cleared, or may still be erasing", async () => {
    const host = await verified();
    const { database } = world.backend;
    await told(host, "bmc", { serial: "OWES-1", uuid: host.systemUuid });
    expect((await view(host)).refusal).toBeNull();
    const { id } = await database.debt.create({ data: { chassisSerial: "OWES-1", driveSerials: ["D1"] } });
    const owes = await confirm(host);
    expect(owes).toMatchObject({
      code: "conflict",
      detail: expect.stringMatching(/serial OWES-1 owes a sanitization/),
    });
    await database.debt.update({ where: { id }, data: { clearedAt: new Date(), clearedBy: randomUUID() } });
    const hourMs = 3_600_000;
    await database.chassisErase.create({
      data: { chassisSerial: "OWES-1", eraseUntil: new Date(Date.now() + hourMs) },
    });
    expect((await confirm(host))?.detail).toMatch(/serial OWES-1 may still be erasing its drives until/);
    await database.chassisErase.update({
      where: { chassisSerial: "OWES-1" },
      data: { eraseUntil: new Date(Date.now() - hourMs) },
    });
    expect(await confirm(host)).toBeNull();
  });

  it("is a placeholder", async () => {
    const host = await verified();
    await told(host, "agent", {
      serial: "To be filled by O.E.M.",
      uuid: "03000200-0400-0500-0006-000700080009",
      mac: host.mac,
    });
    expect((await confirm(host))?.detail).toContain("or placeholders");
  });

  it("is a machine of which nothing else is the host's", async () => {
    const host = await verified();
    await told(host, "bmc", { serial: "STRANGER-1", uuid: randomUUID(), mac: "02:00:00:00:ff:ff" });
    expect((await confirm(host))?.detail).toContain("may be any machine");
  });

  it("is what an agent told with no more than a MAC address of the host, which keeps no name of the BMC from it", async () => {
    const host = await verified();
    await told(host, "agent", { serial: "INVENTED-1", uuid: randomUUID(), mac: host.mac });
    expect((await confirm(host))?.detail).toContain("a MAC address alone is not enough");
    await told(host, "bmc", { serial: "BOARD-8", uuid: host.systemUuid });
    expect((await view(host)).pending.map(({ names }) => names)).toEqual([
      [{ kind: "serial", value: "BOARD-8" }],
    ]);
    expect(await confirm(host)).toBeNull();
    expect((await confirm(host))?.detail).toContain("a MAC address alone is not enough");
  });

  it.each<[string, (mac: string) => Promise<unknown>]>([
    [
      "is known by",
      async (mac) => {
        const { id } = await verified();
        await world.backend.database.host.update({ where: { id }, data: { macs: [mac] } });
      },
    ],
    [
      "has a port for",
      async (mac) =>
        world.backend.database.nodePort.create({ data: { hostId: (await verified()).id, address: mac } }),
    ],
    ["has by its BMC", async (mac) => told(await verified(), "bmc", { mac })],
  ])("is a machine that has no more than a MAC address that another host %s", async (_what, share) => {
    const host = await verified();
    await told(host, "bmc", { serial: `USB-${host.name}`, mac: host.mac });
    expect((await view(host)).refusal).toBeNull();
    await share(host.mac);
    expect((await confirm(host))?.detail).toContain("may be any machine");
    expect((await view(host)).names.filter(({ kind }) => kind === "mac")).toMatchObject([
      ...[{ standing: "shared" }, { standing: "shared" }],
    ]);
  });

  it("is a name of a host that was never verified", async () => {
    const host = await unverified();
    await told(host, "agent", { serial: "CHASSIS-5", mac: host.mac });
    expect((await confirm(host))?.detail).toContain("verify it first");
  });
});

describe("the database", () => {
  it("lets no host take a confirmed name of another as its own, nor the other way round", async () => {
    const [host, other] = [await verified(), await unverified()];
    const uuid = randomUUID();
    await told(host, "bmc", { serial: "CHASSIS-6", uuid, mac: host.mac });
    expect(await confirm(host)).toBeNull();
    const { database } = world.backend;
    const take = (data: object) => database.host.update({ where: { id: other.id }, data });
    await expect(take({ serial: "CHASSIS-6" })).rejects.toThrow(/Unique constraint/);
    await expect(take({ systemUuid: otherByteOrder(uuid) })).rejects.toThrow(/Unique constraint/);
    await told(other, "bmc", { serial: host.serial });
    await expect(
      database.hostName.updateMany({
        where: { hostId: other.id, value: host.serial },
        data: { confirmedAt: new Date(), confirmedBy: "x", reason: "x" },
      }),
    ).rejects.toThrow(/Unique constraint/);
  });

  it("keeps few names that nobody confirmed", async () => {
    const host = await verified();
    for (let count = 0; count < 12; count += 1) {
      await told(host, "agent", { serial: `MANY-${count}` });
      await setTimeout(2); // when a name was seen is kept in milliseconds
    }
    expect(
      (await view(host)).names.filter(({ source }) => source === "agent").map(({ value }) => value),
    ).toEqual([11, 10, 9, 8, 7, 6, 5, 4].map((count) => `MANY-${count}`));
  });
});
