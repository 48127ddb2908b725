// A Dell host of the fleet with a BOSS card: its BMC shows the card and its agent does not, and the card is erased and recreated through the BMC.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type { DeviceResult } from "@/server/domain/cleaning/sanitization/device-result";
import { judgeStep } from "@/server/domain/cleaning/sanitization/judge";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { freezeDevices } from "@/server/domain/cleaning/sanitization/known-devices";
import { outOfBandSerials } from "@/server/domain/hosts/inventory/platform";
import type { BmcInventory } from "@/server/hardware/interfaces";
import { typeOf } from "@/server/hardware/redfish/testing/setup";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import { startFleet, type TestFleet } from "@/server/simulator/testing/fleet";
import { until } from "@/server/simulator/testing/protocol-server";
import { done, failed } from "@/server/simulator/testing/outcomes";
import { workerOn, type Worker } from "@/server/simulator/testing/steps";

let fleet: TestFleet;
let host: SimulatedHost;
let worker: Worker;

beforeEach(async () => {
  fleet = await startFleet({ hosts: 11, bootCards: true });
  host = fleet.host("dellBoss");
  worker = await workerOn(fleet, host);
});
afterEach(async () => {
  await worker.close();
  await fleet.close();
});

const baseline = { lockdown: true } as const;
/** The judgment of a BMC step that reported these devices. */
const judged = (expected: readonly StorageDevice[], devices: readonly DeviceResult[]) =>
  judgeStep(
    expected,
    { attempt: 1, result: "OK", message: "", devices: [...devices], journal: [] },
    defaultPolicy().sanitization,
    "bmc",
  );
const serialsOf = (drives: readonly { readonly serial: string }[]) => drives.map(({ serial }) => serial);
const onCard = () => host.drives.filter(({ identity }) => identity.card === "boss");
const cardSerials = () => onCard().map(({ identity }) => identity.serial);

async function inventory(): Promise<BmcInventory> {
  const target = {
    hostId: host.blueprint.serial,
    address: `http://bmc-${host.blueprint.serial.toLowerCase()}.localhost:${fleet.simulator.port}`,
    username: "reclaim",
    password: "of-all-bmcs",
    links: null,
    powerState: null,
  };
  const read = await typeOf(worker.client, "idrac").inventory.collect(target, { timeoutMs: 30_000 });
  if (!read.ok) throw new Error(read.error.message);
  return read.value.inventory;
}

describe("its drives", () => {
  it("are shown by the BMC with the card, not by the agent, and expected of the BMC", async () => {
    const { storage, platform } = await inventory();
    expect(platform).toMatchObject({
      bossController: "BOSS.SL.14-1",
      bossDrives: cardSerials(),
      raidController: null,
      erasableDrives: [],
    });
    expect(serialsOf(storage).sort()).toEqual(serialsOf(host.blueprint.drives).sort());
    fleet.bootAgent(host);
    const agent = await until("the registration", () => fleet.server.registered[0]?.inventory);
    expect(serialsOf(agent.storage)).toEqual(
      serialsOf(host.blueprint.drives.filter(({ card }) => card === undefined)),
    );
    const list = freezeDevices(
      storage,
      agent.storage,
      serialsOf(host.blueprint.drives),
      outOfBandSerials(platform),
    );
    expect(list.missing).toEqual([]);
    expect(
      list.expected
        .filter(({ outOfBand }) => outOfBand === true)
        .map(({ serial, media, transport }) => [serial, media, transport]),
    ).toEqual(cardSerials().map((serial) => [serial, "ssd", "sata"]));
  });

  it("are erased with what a tenant left, and VD_0 is made again after a restart", async () => {
    expect(onCard().map((drive) => drive.holdsTenantData)).toEqual([true, true]);
    const { storage } = await inventory();
    const result = await worker.run("raid.secure_erase_boss", { baseline });
    expect(result).toMatchObject(done(/Configure: BOSS.SL.14-1: Completed/));
    expect(host.drives.map((drive) => drive.holdsTenantData)).toEqual([true, true, true, false, false]);
    const devices = result.ok && result.value.kind === "done" ? result.value.devices : [];
    const expected = storage.filter(({ serial }) => cardSerials().includes(serial));
    expect(judged(expected, devices).ok).toBe(true);
    expect(worker.restarts).toBe(0);
    expect(await worker.run("raid.create_boss_volume", { baseline })).toMatchObject(
      done(/^VD_0 is there, RAID1$/),
    );
    expect(worker.restarts).toBe(1);
  });

  it("are erased behind a lock that the SKU wants, which is put back by its own step; any other lock is left alone", async () => {
    host.platform.attributes = { "Lockdown.1.SystemLockdown": "Enabled" };
    expect(await worker.run("raid.secure_erase_boss", { baseline: {} })).toMatchObject({
      ok: false,
      error: { kind: "refused", message: expect.stringContaining("nothing would lock it again") },
    });
    expect([worker.changes(), onCard().map((drive) => drive.accepted.length)]).toEqual([[], [0, 0]]);
    expect(await worker.run("raid.secure_erase_boss", { baseline })).toMatchObject(done(/Completed/));
    expect(host.platform.attributes["Lockdown.1.SystemLockdown"]).toBe("Disabled");
    expect(await worker.run("management.lock_bmc", { baseline })).toMatchObject(done(/reads Enabled$/));
  });

  it("of which one fails fail the job", async () => {
    const drive = onCard()[1];
    if (drive !== undefined) drive.faults.failErase = true;
    expect(await worker.run("raid.secure_erase_boss", { baseline })).toMatchObject(
      failed(/Configure: BOSS.SL.14-1: Exception/),
    );
    expect(drive?.holdsTenantData).toBe(true);
  });

  it("of which one hangs keep the job running", async () => {
    const drive = onCard()[1];
    if (drive !== undefined) drive.faults.hangErase = true;
    expect(await worker.run("raid.secure_erase_boss", { baseline })).toMatchObject({
      ok: true,
      value: { kind: "running" },
    });
  });

  it("of which one is gone leave its result out, and that is no success", async () => {
    const { storage } = await inventory();
    const expected = storage.filter(({ serial }) => cardSerials().includes(serial));
    host.script({ drives: { [cardSerials()[1] ?? ""]: { vanish: true } } });
    const result = await worker.run("raid.secure_erase_boss", { baseline });
    const devices = result.ok && result.value.kind === "done" ? result.value.devices : [];
    expect(serialsOf(devices)).toEqual(cardSerials().slice(0, 1));
    expect(judged(expected, devices).missing.map(({ serial }) => serial)).toEqual(cardSerials().slice(1));
  });
});
