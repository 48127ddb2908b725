// The real agent on a simulated Lenovo host with an M.2 RAID kit: its drives are known, erased through mnv_cli and read back, and nothing is sent blindly.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HardwareInventory } from "@/server/domain/hosts/inventory/inventory";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { judgeStep } from "@/server/domain/cleaning/sanitization/judge";
import { freezeDevices } from "@/server/domain/cleaning/sanitization/known-devices";
import { clientForTests, typeOf } from "@/server/hardware/redfish/testing/setup";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import { startFleet, type TestFleet } from "@/server/simulator/testing/fleet";
import { until } from "@/server/simulator/testing/protocol-server";

const kitOf = ({ storage }: HardwareInventory) => storage.filter(({ media }) => media === "raid-kit");
const eraseKit = {
  step: "erase_raid_kit",
  devices: kitOf,
  erase: { techniques: { nvme: [], ssd: [], hdd: [], "raid-kit": ["raid-kit-format" as const] } },
};

let fleet: TestFleet;
let host: SimulatedHost;

async function start(speed?: number): Promise<void> {
  fleet = await startFleet({ hosts: 14, bootCards: true, ...(speed === undefined ? {} : { speed }) });
  host = fleet.host("lenovoKit");
}
beforeEach(() => start());
afterEach(() => fleet.close());

const kitDrives = () => host.drives.filter(({ identity }) => identity.card === "kit");
const serials = () => kitDrives().map(({ identity }) => identity.serial);
const driveOf = (bay: number) => {
  const drive = kitDrives()[bay];
  if (drive === undefined) throw new Error(`no drive in bay ${bay}`);
  return drive;
};
const sent = () => kitDrives().map(({ accepted }) => accepted.length);
const result = () => until("the result", () => fleet.server.results[0]?.body);
function judged(body: Awaited<ReturnType<typeof result>>) {
  const inventory = fleet.server.registered.at(-1)?.inventory;
  return judgeStep(inventory === undefined ? [] : kitOf(inventory), body, defaultPolicy().sanitization);
}

it("its drives are in the agent's inventory and in the BMC's, the kit's own controller in neither", async () => {
  const { client } = clientForTests({ limits: { retryWaitsMs: [] } });
  const target = {
    hostId: "kit",
    address: `http://bmc-${host.blueprint.serial.toLowerCase()}.localhost:${fleet.simulator.port}`,
    username: "reclaim",
    password: "of-all-bmcs",
    links: null,
    powerState: null,
  };
  const read = await typeOf(client, "xclarity").inventory.collect(target, { timeoutMs: 30_000 });
  await client.close();
  if (!read.ok) throw new Error(read.error.message);
  const { storage, platform } = read.value.inventory;
  expect(storage.filter(({ media }) => media === "raid-kit").map(({ serial }) => serial)).toEqual(serials());
  expect(platform).toMatchObject({ raidController: null, erasableDrives: [], bossDrives: [] });
  fleet.bootAgent(host);
  const inventory = await until("the registration", () => fleet.server.registered[0]?.inventory);
  expect(inventory.storage.map(({ serial }) => serial).sort()).toEqual(
    host.drives.map(({ identity }) => identity.serial).sort(),
  );
  expect(kitOf(inventory).map(({ serial, transport, slot }) => [serial, transport, slot])).toEqual(
    serials().map((serial, bay) => [serial, "nvme", `kit bay ${bay}`]),
  );
  expect(freezeDevices(storage, inventory.storage, [], []).missing).toEqual([]);
});

describe("the kit", () => {
  it("is erased drive by drive, after its virtual disk is gone, and read back; the other drives are left alone", async () => {
    fleet.server.plan(eraseKit);
    fleet.bootAgent(host);
    const body = await result();
    expect([
      body.result,
      body.devices.map(({ serial, technique, media }) => [serial, technique, media]),
    ]).toEqual(["OK", serials().map((serial) => [serial, "raid-kit-format", "raid-kit"])]);
    expect(body.devices.map(({ verification }) => verification)).toMatchObject(
      [1, 2].map(() => ({
        kind: "markers-and-digests",
        samples: 100,
        mismatches: 0,
        markersWritten: 8,
        markersFound: 0,
        result: "passed",
      })),
    );
    expect(body.devices[0]?.tries).toMatchObject([
      { command: expect.stringContaining("mnv_cli passthru -i 0 -o 0x80"), exitCode: 0, completed: true },
    ]);
    expect(judged(body)).toMatchObject({
      ok: true,
      devices: [
        { level: "clear", verdict: "sanitized" },
        { level: "clear", verdict: "sanitized" },
      ],
    });
    expect(host.kitVolumes).toEqual([]);
    expect(host.drives.map((drive) => [drive.identity.card === "kit", drive.holdsTenantData])).toEqual(
      host.drives.map(({ identity }) => [identity.card === "kit", identity.card !== "kit"]),
    );
    expect(fleet.server.progress[0]?.body).toMatchObject({
      unstoppable: true,
      journal: [{ event: "about-to-send" }, { event: "about-to-send" }],
    });
    host.reset("ForceRestart");
    expect(host.kitVolumes).toEqual([0, 1]);
  });

  it("is part of the erase of all drives in one step", async () => {
    const all = ({ storage }: HardwareInventory) => [...storage];
    fleet.server.plan({
      step: "erase_devices",
      devices: all,
      erase: { techniques: { ...eraseKit.erase.techniques, nvme: ["nvme-sanitize-crypto" as const] } },
    });
    fleet.bootAgent(host);
    expect((await result()).result).toBe("OK");
    expect(host.drives.some((drive) => drive.holdsTenantData)).toBe(false);
  });

  it("that keeps a virtual disk is not formatted", async () => {
    fleet.server.plan(eraseKit);
    Object.defineProperty(host, "kitVolumes", { get: () => [0], set: () => undefined });
    fleet.bootAgent(host);
    const body = await result();
    expect(body.devices.map(({ result: verdict, message }) => [verdict, message])).toEqual(
      [1, 2].map(() => [
        "ERROR",
        expect.stringContaining("virtual disk 0 is still there after its deletion"),
      ]),
    );
    expect(sent()).toEqual([0, 0]);
  });
});

describe("a drive in the kit", () => {
  it("that fails its format is named, and the other is erased", async () => {
    driveOf(1).faults.failErase = true;
    fleet.server.plan(eraseKit);
    fleet.bootAgent(host);
    const body = await result();
    expect(body.devices.map(({ result: verdict }) => verdict)).toEqual(["OK", "ERROR"]);
    expect(judged(body)).toMatchObject({
      ok: false,
      message: expect.stringMatching(new RegExp(`^${serials()[1] ?? ""} .*the format failed`)),
    });
  });

  it("that lies about its format is found out by digests and markers", async () => {
    driveOf(0).faults.lieErase = true;
    fleet.server.plan(eraseKit);
    fleet.bootAgent(host);
    const body = await result();
    expect(body.devices[0]).toMatchObject({
      result: "ERROR",
      verification: { result: "failed", mismatches: 100, markersFound: 8 },
    });
    expect([body.result, driveOf(0).holdsTenantData]).toEqual(["ERROR", true]);
  });

  it("that vanishes after the inventory is missing", async () => {
    const expected = kitDrives().map(({ identity }) => ({
      serial: identity.serial,
      model: identity.model,
      media: "raid-kit" as const,
      transport: "nvme" as const,
      capacityBytes: String(identity.capacityBytes),
      removable: false,
    }));
    driveOf(1).faults.vanish = true;
    fleet.server.plan({ ...eraseKit, devices: () => expected });
    fleet.bootAgent(host);
    const body = await result();
    expect(
      judgeStep(expected, body, defaultPolicy().sanitization).missing.map(({ serial }) => serial),
    ).toEqual(serials().slice(1));
  });

  it("whose format runs when the agent is killed is waited for, and formatted again only when it is at rest", async () => {
    await fleet.close();
    await start(1_000);
    for (const drive of kitDrives()) drive.faults.hangErase = true;
    fleet.server.plan(eraseKit);
    fleet.bootAgent(host);
    await until("the erase", () => kitDrives().every((drive) => drive.erasing));
    host.crashAgent();
    const running: boolean[] = [];
    for (const drive of kitDrives()) {
      const format = drive.contents()[0];
      if (format === undefined) throw new Error("no namespace");
      const replace = format.replace.bind(format);
      format.replace = (base) => {
        running.push(true);
        replace(base);
      };
    }
    fleet.server.plan({ ...eraseKit, attempt: 2 });
    host.setOverride({ target: "Pxe", enabled: "Once", mode: "UEFI" });
    host.restartItself();
    await until("the successor", () => fleet.server.registered.length === 2);
    const looked = new Set<string>();
    for (const drive of kitDrives()) {
      const lastErase = drive.lastErase.bind(drive);
      drive.lastErase = () => {
        looked.add(drive.identity.serial);
        return lastErase();
      };
    }
    await until("its look at both drives", () => looked.size === 2);
    for (const drive of kitDrives()) drive.faults.hangErase = false;
    const body = await result();
    expect([body.result, sent()]).toEqual(["OK", [2, 2]]);
    // Both formats of a drive took effect, so the second started after the first had ended.
    expect(running).toHaveLength(4);
    expect(body.devices.map(({ tries }) => tries.map(({ command }) => command.includes("joined")))).toEqual([
      [true, false],
      [true, false],
    ]);
    expect(
      host.drives.filter(({ identity }) => identity.card === "kit").some((drive) => drive.holdsTenantData),
    ).toBe(false);
  });
});
