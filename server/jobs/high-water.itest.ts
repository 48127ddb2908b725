// A restored backup is noticed, at start and while running; until a provider admin has dealt with it nothing is allocated, decided or made Ready.
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import type { Pool } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claimHosts, nextDueInMs } from "@/server/db/hot/host/claim";
import { createHotPool } from "@/server/db/hot/pool";
import { ConfigError } from "@/server/config";
import { requireStateDir, startHighWater } from "@/server/jobs/high-water";
import type { HighWater } from "@/server/jobs/high-water";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { afterRestore } from "@/server/usecases/database/after-restore";
import { databaseIsCurrent } from "@/server/usecases/database/database-is-current";
import { claimHost } from "@/server/usecases/instances/claim-host";
import { getMe } from "@/server/usecases/access/session/get-me";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
let pool: Pool;
let stateDir: string;
let hostId: string;
const open: HighWater[] = [];
beforeEach(async () => {
  world = await createWorld();
  pool = createHotPool(world.url, { max: 3 });
  stateDir = mkdtempSync(join(tmpdir(), "reclaim-mark-"));
  hostId = await world.host();
  await world.put(hostId, "Ready");
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.stop();
  await pool.end();
  await world.stop();
  rmSync(stateDir, { recursive: true });
});

async function serve(folder = stateDir): Promise<HighWater> {
  const started = await startHighWater({ pool, stateDir: folder, logger: pino({ level: "silent" }) });
  open.push(started);
  return started;
}
const stopAll = async () => {
  for (const each of open.splice(0)) await each.stop();
};
const state = () => world.backend.database.databaseState.findUniqueOrThrow({ where: { id: 1 } });
/** The row as a backup of that moment has it. */
const restoreTo = ({ epoch, sequence, confirmedUntil }: Awaited<ReturnType<typeof state>>) =>
  world.backend.database.databaseState.update({
    where: { id: 1 },
    data: { epoch, sequence, confirmedUntil, stoppedAt: null, stoppedCause: null, stoppedMessage: null },
  });
const claim = () =>
  claimHost(world.backend, world.actor("tenant-admin"), world.request(), {
    name: `i-${randomUUID().slice(0, 8)}`,
    wanted: { siteId: world.siteId },
  });
const act = (
  run: typeof afterRestore | typeof databaseIsCurrent,
  role: "provider-admin" | "operator" = "provider-admin",
) => run(world.backend, world.actor(role), world.request(), { reason: "ticket 7" });
const makeDue = () => pool.query("UPDATE host_run SET due_at = now()");
const claimed = async () => (await claimHosts(pool, randomUUID(), 10, 60_000)).length;

/** A database that was served, backed up, served on, and restored from the backup. */
async function restored(): Promise<void> {
  const server = await serve();
  const backup = await state();
  await server.look();
  await stopAll();
  await restoreTo(backup);
}

describe("a database that goes on", () => {
  it("is served again after a stop, a crash and with a second server, and its mark moves on", async () => {
    const server = await serve();
    expect(server.stopped()).toBeNull();
    const before = (await state()).sequence;
    await server.look();
    await server.look();
    expect((await state()).sequence - before).toBe(2n);
    expect(readFileSync(join(stateDir, "high-water.json"), "utf8")).toContain(
      `"sequence": ${(await state()).sequence}`,
    );
    const second = await serve(join(stateDir, "second"));
    expect(second.stopped()).toBeNull();
    await stopAll();
    expect((await serve()).stopped()).toBeNull();
    expect(await claim()).toMatchObject({ ok: true });
  });

  it("is not confirmed any longer once its mark cannot be written, and is again when it can", async () => {
    const server = await serve();
    const inTheWay = join(stateDir, `high-water.json.${process.pid}.new`);
    mkdirSync(inTheWay);
    await expect(server.look()).rejects.toThrow(/EISDIR/);
    const { sequence } = await state();
    await pool.query("UPDATE database_state SET confirmed_until = now() - interval '1 second'");
    await expect(server.look()).rejects.toThrow(/EISDIR/);
    expect((await state()).sequence).toBe(sequence);
    expect(await claim()).toMatchObject({ ok: false });
    rmSync(inTheWay, { recursive: true });
    await server.look();
    expect(await claim()).toMatchObject({ ok: true });
  });

  it("needs a folder for the mark, one that can be read and written", async () => {
    writeFileSync(join(stateDir, "file"), "");
    expect(() => requireStateDir(undefined)).toThrow(/^RECLAIM_STATE_DIR: is required/);
    await expect(serve(join(stateDir, "file", "folder"))).rejects.toThrow(ConfigError);
    writeFileSync(join(stateDir, "high-water.json"), "{");
    await expect(serve()).rejects.toThrow(/^RECLAIM_STATE_DIR: .*cannot be read/);
  });
});

describe("a restored database", () => {
  it("is stopped at start: no allocation, no decision, no Ready, whoever writes", async () => {
    await restored();
    const server = await serve();
    expect(server.stopped()).toMatch(/older than the one served before.*after-restore/);
    expect(await claim()).toMatchObject({
      ok: false,
      problem: { code: "conflict", detail: expect.stringContaining("provider") },
    });
    await makeDue();
    expect(await claimed()).toBe(0);
    expect(await nextDueInMs(pool)).toBeNull();
    const { database } = world.backend;
    const insert = database.instance.create({ data: { name: "x", tenantId: world.tenants.acme, hostId } });
    await expect(insert).rejects.toThrow(/no host can be allocated/);
    const other = await world.host();
    await expect(world.put(other, "Ready")).rejects.toThrow(/cannot be Ready/);
    await database.$executeRaw`UPDATE host_run SET allocatable = false`;
    await database.$executeRaw`UPDATE host_run SET allocatable = true`;
    expect(await database.hostRun.count({ where: { allocatable: true } })).toBe(0);
    const told = async (role: "operator" | "tenant-admin" | "provider-admin") =>
      getMe(world.backend, world.actor(role), "1");
    expect(await told("operator")).toMatchObject({
      value: { allocationStopped: expect.stringContaining("older"), stopActs: [] },
    });
    expect(await told("provider-admin")).toMatchObject({
      value: { allocationStopped: expect.stringContaining("older"), stopActs: ["afterRestore"] },
    });
    expect(await told("tenant-admin")).toMatchObject({
      value: { allocationStopped: expect.not.stringContaining("older") },
    });
    // A start without the mark does not free it.
    await stopAll();
    expect((await serve(join(stateDir, "other"))).stopped()).not.toBeNull();
  });

  it("is stopped under a server that runs, and before it has looked", async () => {
    const server = await serve();
    const backup = await state();
    await server.look();
    await restoreTo({ ...backup, confirmedUntil: new Date(Date.now() - 60_000) });
    expect(await claim()).toMatchObject({ ok: false });
    await makeDue();
    expect(await claimed()).toBe(0);
    await server.look();
    expect(server.stopped()).toContain("older");
  });

  it("goes on after a provider admin's word: a debt for every host, a new epoch, and every host told", async () => {
    const fake = await world.fakeHost();
    await restored();
    const server = await serve();
    await pool.query("INSERT INTO signal (host_id, kind, payload) VALUES ($1, 'look', '{}')", [hostId]);
    await pool.query(
      `INSERT INTO host_inventory (host_id, source, boot_epoch, body, left_out) VALUES ($1, 'bmc', 0, '{"storage": [{"serial": "D1"}, {"serial": "USB", "removable": true, "transport": "usb"}, {"serial": "CD", "removable": true, "transport": "virtual"}]}', '{}')`,
      [hostId],
    );
    expect(await act(afterRestore, "operator")).toMatchObject({ ok: false, problem: { code: "forbidden" } });
    expect(await act(databaseIsCurrent)).toMatchObject({ ok: false, problem: { code: "notAllowedNow" } });
    expect(await act(afterRestore)).toMatchObject({ ok: true, value: { epoch: 2, hosts: 1 } });
    const { database } = world.backend;
    expect(
      await database.debt.findMany({ where: { clearedAt: null }, select: { driveSerials: true } }),
    ).toEqual([{ driveSerials: ["D1", "USB"] }]);
    expect(await database.signal.findMany({ select: { hostId: true, kind: true } })).toEqual([
      { hostId, kind: "databaseRestored" },
    ]);
    expect(await database.hostRun.count({ where: { allocatable: true } })).toBe(0);
    expect(
      await database.auditEvent.count({ where: { action: "database.afterRestore", outcome: "done" } }),
    ).toBe(1);
    await server.look();
    expect(server.stopped()).toBeNull();
    expect((await state()).epoch).toBe(2);
    expect(await claimed()).toBeGreaterThan(0);
    expect(await act(afterRestore)).toMatchObject({ ok: false, problem: { code: "notAllowedNow" } });
    // Whoever is enrolled from now on may have been a tenant's in the time that is lost.
    const late = await world.host("late");
    const { serial } = await database.host.findUniqueOrThrow({ where: { id: late } });
    expect(await database.debt.count({ where: { chassisSerial: serial ?? "", clearedAt: null } })).toBe(1);
    const { serial: fakeSerial } = await database.host.findUniqueOrThrow({ where: { id: fake } });
    expect(await database.debt.count({ where: { chassisSerial: fakeSerial ?? "" } })).toBe(0);
  });

  it("owes no medium that the site's policy leaves out, as no plan expects one", async () => {
    const policy = defaultPolicy();
    const body = {
      ...policy,
      sanitization: { ...policy.sanitization, excludedMedia: [{ model: "Cruzer", reason: "boot stick" }] },
    };
    await pool.query("UPDATE site_policy SET body = $1", [JSON.stringify(body)]);
    await restored();
    await serve();
    const media = (more: object) => ({ media: "ssd", capacityBytes: "1", ...more });
    const storage = [
      media({ serial: "STICK", model: "Cruzer", removable: true, transport: "usb" }),
      media({ serial: "OTHER", model: "Extreme", removable: true, transport: "usb" }),
      media({ serial: "DISK", model: "Cruzer", removable: false, transport: "sata" }),
      media({ serial: "BOTH", model: "Cruzer", removable: true, transport: "usb" }),
    ];
    await pool.query(
      "INSERT INTO host_inventory (host_id, source, boot_epoch, body, left_out) VALUES ($1, 'bmc', 0, $2, '{}')",
      [hostId, JSON.stringify({ storage })],
    );
    // One source that calls it a disk is enough: a plan expects it then, too.
    const byAgent = [media({ serial: "BOTH", model: "Cruzer", removable: false, transport: "sata" })];
    await pool.query(
      "INSERT INTO host_inventory (host_id, source, boot_epoch, body, left_out) VALUES ($1, 'agent', 0, $2, '{}')",
      [hostId, JSON.stringify({ storage: byAgent })],
    );
    expect(await act(afterRestore)).toMatchObject({ ok: true, value: { hosts: 1 } });
    expect(
      await world.backend.database.debt.findMany({
        where: { clearedAt: null },
        select: { driveSerials: true },
      }),
    ).toEqual([{ driveSerials: ["BOTH", "DISK", "OTHER"] }]);
  });

  it("a second time is noticed by a mark of the epoch before", async () => {
    await restored();
    const backup = await state();
    await serve();
    await act(afterRestore);
    await open[0]?.look();
    await stopAll();
    await restoreTo(backup);
    const server = await serve();
    expect(server.stopped()).toContain("older");
    expect(await act(afterRestore)).toMatchObject({ ok: true, value: { epoch: 3 } });
    await server.look();
    expect(server.stopped()).toBeNull();
  });
});

describe("a server whose folder of state is lost", () => {
  it("does not know, and stops; a provider admin may state that no backup was restored", async () => {
    await serve();
    await stopAll();
    await pool.query("UPDATE database_state SET confirmed_until = now() - interval '1 minute'");
    const server = await serve(join(stateDir, "new"));
    expect(server.stopped()).toMatch(/no high-water mark.*--database-is-current/);
    expect(await claim()).toMatchObject({ ok: false });
    expect(await getMe(world.backend, world.actor("provider-admin"), "1")).toMatchObject({
      value: { stopActs: ["afterRestore", "isCurrent"] },
    });
    expect(await act(databaseIsCurrent, "operator")).toMatchObject({ ok: false });
    expect(await act(databaseIsCurrent)).toMatchObject({ ok: true });
    await server.look();
    expect(server.stopped()).toBeNull();
    expect(await claim()).toMatchObject({ ok: true });
  });
});
