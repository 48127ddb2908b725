// The real agent on simulated hardware against a small controller, over HTTP: erasing, lying, vanishing, hanging, crashing and joining.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { DeviceResult } from "@/agent/steps/results";
import type { HardwareInventory, StorageDevice } from "@/server/domain/inventory/inventory";
import { NvmeDrive } from "@/server/simulator/drives/nvme-drive";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import { startFleet, type TestFleet } from "@/server/simulator/testing/fleet";
import { until } from "@/server/simulator/testing/protocol-server";

const nvmeOf = ({ storage }: HardwareInventory) => storage.filter(({ media }) => media === "nvme");
const disksOf = ({ storage }: HardwareInventory) => storage.filter(({ media }) => media !== "nvme");
const eraseNvme = { step: "erase_nvme", devices: nvmeOf } as const;
const serialsOf = (devices: readonly { serial: string }[]) => devices.map(({ serial }) => serial).sort();

// Real processes of time and network: slow on a machine that is busy with other things.
vi.setConfig({ testTimeout: 30_000 });

let fleet: TestFleet;
beforeEach(async () => {
  fleet = await startFleet();
});
afterEach(() => fleet.close());

function driveOf(host: SimulatedHost, place = 0) {
  const drive = host.drives[place];
  if (!drive) throw new Error(`no drive in place ${place}`);
  return drive;
}

const result = (count = 1) => until(`result ${count}`, () => fleet.server.results[count - 1]?.body);

function deviceIn(devices: readonly DeviceResult[], serial: string): DeviceResult {
  const found = devices.find((device) => device.serial === serial);
  if (!found) throw new Error(`no result for ${serial}`);
  return found;
}

describe("a whole cleaning", () => {
  it.each(["dell", "lenovo", "generic"])(
    "of a %s host erases every drive, in few requests",
    async (vendor) => {
      const host = fleet.host(vendor);
      fleet.server.plan(
        eraseNvme,
        { step: "erase_disks", devices: disksOf },
        { step: "verify_mem_overwrite" },
        { step: "reset_infiniband" },
        { kind: "discover" },
        { kind: "validate", tests: ["cpu-stress", "memory-pattern", "storage-read", "network-loopback"] },
      );
      fleet.bootAgent(host);
      const [validated] = await until(
        "the validation",
        () => fleet.server.validated[0] && fleet.server.validated,
      );
      expect(fleet.server.results.map(({ body }) => [body.result, body.message])).toEqual([
        ["OK", expect.stringContaining("erased and verified")],
        ["OK", expect.stringContaining("erased and verified")],
        ["OK", expect.stringContaining("memory is overwritten at the next restart")],
        ["OK", expect.stringContaining("InfiniBand")],
      ]);
      expect(validated?.tests.map((test) => test.result)).toEqual(["passed", "passed", "passed", "passed"]);
      expect(host.drives.some((drive) => drive.holdsTenantData)).toBe(false);
      expect(serialsOf(fleet.server.results.flatMap(({ body }) => body.devices))).toEqual(
        serialsOf(host.blueprint.drives),
      );
      expect(host.memoryOverwrite).toBe(1);
      const requests = fleet.server.requests.filter(
        (line) => line.includes("/agent/v1/") && !line.endsWith("poll"),
      );
      // register, erase_nvme 2, erase_disks 2 where there are disks, two more results, discovery, validation
      expect(requests.length).toBe(vendor === "generic" ? 9 : 8);
      expect(host.counters.resetsDuringErase).toBe(0);
      expect(host.drives.map((drive) => drive.accepted.length)).toEqual(host.drives.map(() => 1));
    },
  );

  it("writes the journal with seed and digests before anything is sent", async () => {
    const host = fleet.host("dell");
    const sentBefore: number[] = [];
    fleet.server.onProgress = () => {
      sentBefore.push(...host.drives.map((drive) => drive.accepted.length));
      return { status: 200, abort: false };
    };
    fleet.server.plan(eraseNvme);
    fleet.bootAgent(host);
    await result();
    expect(sentBefore).toEqual([0, 0, 0]);
    const announced = fleet.server.progress[0]?.body.journal ?? [];
    expect(serialsOf(announced)).toEqual(serialsOf(host.blueprint.drives));
    expect(
      announced.every(
        ({ event, seed, digests }) =>
          event === "about-to-send" &&
          seed !== undefined &&
          (digests?.filter((digest) => digest !== "").length ?? 0) === 100,
      ),
    ).toBe(true);
    expect(fleet.server.progress[0]?.body.unstoppable).toBe(true);
  });

  it("sends nothing when the server does not take the journal", async () => {
    const host = fleet.host("dell");
    fleet.server.onProgress = () => ({ status: 409, abort: false });
    fleet.server.plan(eraseNvme);
    fleet.bootAgent(host);
    expect((await result()).result).toBe("ERROR");
    expect(host.drives.map((drive) => drive.accepted.length)).toEqual([0, 0, 0]);
  });

  it("makes one namespace of full capacity out of two, one of them detached", async () => {
    const host = fleet.host("generic");
    const drive = driveOf(host);
    if (!(drive instanceof NvmeDrive)) throw new Error("not NVMe");
    const before = drive.namespaces.map(({ content }) => content);
    fleet.server.plan(eraseNvme);
    fleet.bootAgent(host);
    await result();
    expect(before.map((content) => content.holdsTenantData)).toEqual([false, false]);
    expect(
      drive.namespaces.map(({ attached, blocks, content }) => [
        attached,
        BigInt(blocks * content.blockBytes),
      ]),
    ).toEqual([[true, drive.identity.capacityBytes]]);
  });
});

describe("a drive", () => {
  it("that fails its erase fails on every technique, each with its answer", async () => {
    const host = fleet.host("dell");
    const drive = driveOf(host);
    drive.faults.failErase = true;
    fleet.server.plan(eraseNvme);
    fleet.bootAgent(host);
    const { result: verdict, devices } = await result();
    expect(verdict).toBe("ERROR");
    const bad = deviceIn(devices, drive.identity.serial);
    expect(bad.result).toBe("ERROR");
    expect(bad.technique).toBeUndefined();
    expect(bad.tries.map(({ technique, completed }) => [technique, completed])).toEqual([
      ["nvme-sanitize-crypto", false],
      ["nvme-sanitize-block", false],
      ["nvme-format-crypto", false],
      ["nvme-format-user-data", false],
    ]);
    expect(bad.tries[0]?.status).toContain("SSTAT 3h");
    expect(drive.holdsTenantData).toBe(true);
    expect(devices.filter((device) => device.result === "OK")).toHaveLength(2);
  });

  it("that fails at first is erased by the next attempt, which repeats no other", async () => {
    const host = fleet.host("dell");
    const drive = driveOf(host);
    drive.faults.failErase = true;
    const stepRunId = "7e57ab1e-0000-4000-8000-000000000001";
    fleet.server.plan({ ...eraseNvme, stepRunId });
    fleet.bootAgent(host);
    expect((await result(1)).result).toBe("ERROR");
    drive.faults.failErase = false;
    fleet.server.plan({ ...eraseNvme, stepRunId, attempt: 2 });
    const second = await result(2);
    expect([second.result, second.devices.length]).toEqual(["OK", 3]);
    expect(host.drives.map((each) => each.accepted.length)).toEqual([5, 1, 1]);
    expect(host.drives.some((each) => each.holdsTenantData)).toBe(false);
  });

  it("that fails is not tried further where the policy allows no fallback", async () => {
    const host = fleet.host("dell");
    driveOf(host).faults.failErase = true;
    fleet.server.plan({ ...eraseNvme, erase: { fallback: false } });
    fleet.bootAgent(host);
    const { devices } = await result();
    expect(deviceIn(devices, driveOf(host).identity.serial).tries).toHaveLength(1);
  });

  it("that lies about success is found out by digests and markers", async () => {
    const host = fleet.host("lenovo");
    const drive = driveOf(host);
    drive.faults.lieErase = true;
    fleet.server.plan(eraseNvme);
    fleet.bootAgent(host);
    const { result: verdict, devices } = await result();
    const bad = deviceIn(devices, drive.identity.serial);
    expect([verdict, bad.result, bad.verification?.result]).toEqual(["ERROR", "ERROR", "failed"]);
    expect(bad.verification).toMatchObject({
      samples: 100,
      mismatches: 100,
      markersWritten: 8,
      markersFound: 8,
    });
    expect(bad.tries.map(({ completed }) => completed)).toEqual([true]);
    if (!(drive instanceof NvmeDrive)) throw new Error("not NVMe");
    expect(drive.namespaces).toHaveLength(1);
  });

  it("that lies and then works is washed by the next attempt", async () => {
    const host = fleet.host("lenovo");
    const drive = driveOf(host);
    drive.faults.lieErase = true;
    fleet.server.plan(eraseNvme);
    fleet.bootAgent(host);
    expect((await result(1)).result).toBe("ERROR");
    drive.faults.lieErase = false;
    fleet.server.plan({ ...eraseNvme, attempt: 2 });
    const second = await result(2);
    expect([second.result, drive.holdsTenantData, drive.accepted.length]).toEqual(["OK", false, 2]);
  });

  it("that vanished is missing by name", async () => {
    const host = fleet.host("dell");
    const gone = driveOf(host, 1);
    const known: StorageDevice[] = host.blueprint.drives.map(({ serial, model, capacityBytes }) => ({
      serial,
      model,
      media: "nvme",
      transport: "nvme",
      capacityBytes: String(capacityBytes),
      removable: false,
    }));
    gone.faults.vanish = true;
    fleet.server.plan({ step: "erase_nvme", devices: () => known });
    fleet.bootAgent(host);
    const { result: verdict, devices, message } = await result();
    expect([verdict, deviceIn(devices, gone.identity.serial).message]).toEqual([
      "ERROR",
      "expected, but not found by the agent",
    ]);
    expect(message).toContain(gone.identity.serial);
    expect(gone.holdsTenantData).toBe(true);
  });

  it("that nobody knew is erased and reported as unexpected", async () => {
    const host = fleet.host("dell");
    fleet.server.plan({ step: "erase_nvme", devices: (inventory) => nvmeOf(inventory).slice(1) });
    fleet.bootAgent(host);
    const { result: verdict, devices } = await result();
    expect(verdict).toBe("OK");
    expect(deviceIn(devices, driveOf(host).identity.serial).message).toMatch(/^unexpected device/);
    expect(driveOf(host).holdsTenantData).toBe(false);
  });

  it("without crypto erase falls back to what it offers", async () => {
    const host = fleet.host("dell");
    driveOf(host).faults.noCrypto = true;
    fleet.server.plan(eraseNvme);
    fleet.bootAgent(host);
    const device = deviceIn((await result()).devices, driveOf(host).identity.serial);
    expect([device.result, device.technique]).toEqual(["OK", "nvme-sanitize-block"]);
    expect(device.message).toContain("nvme-sanitize-crypto: not in SANICAP");
  });

  it("that hangs is given up after the policy's time without progress", async () => {
    const host = fleet.host("dell");
    driveOf(host).faults.hangErase = true;
    fleet.server.plan({ ...eraseNvme, erase: { noProgressTimeoutMs: 300 } });
    fleet.bootAgent(host);
    const device = deviceIn((await result()).devices, driveOf(host).identity.serial);
    expect(device.result).toBe("ERROR");
    expect(device.message).toContain("no progress for");
    expect(device.tries).toHaveLength(1);
  });

  it("with read errors passes after a cryptographic erase only", async () => {
    const host = fleet.host("dell");
    driveOf(host).faults.readErrors = true;
    driveOf(host, 1).faults.readErrors = true;
    driveOf(host, 1).faults.noCrypto = true;
    fleet.server.plan(eraseNvme);
    fleet.bootAgent(host);
    const { devices } = await result();
    expect(deviceIn(devices, driveOf(host).identity.serial).result).toBe("OK");
    expect(deviceIn(devices, driveOf(host, 1).identity.serial)).toMatchObject({
      result: "ERROR",
      verification: { result: "impossible" },
    });
  });
});

describe("a namespace", () => {
  it("that cannot be read stops the erase of its drive: it could not be verified", async () => {
    const host = fleet.host("generic");
    const drive = driveOf(host);
    if (!(drive instanceof NvmeDrive)) throw new Error("not NVMe");
    drive.attach = () => null;
    fleet.server.plan(eraseNvme);
    fleet.bootAgent(host);
    expect(deviceIn((await result()).devices, drive.identity.serial)).toMatchObject({
      result: "ERROR",
      message: expect.stringContaining("namespace 2 cannot be read"),
    });
    expect([drive.accepted.length, drive.holdsTenantData]).toEqual([0, true]);
  });

  it("that keeps its bytes refutes the erase of its drive, though the other is clean", async () => {
    const host = fleet.host("generic");
    const drive = driveOf(host);
    if (!(drive instanceof NvmeDrive)) throw new Error("not NVMe");
    const kept = drive.namespaces[1]?.content;
    if (!kept) throw new Error("no second namespace");
    kept.replace = () => undefined;
    fleet.server.plan(eraseNvme);
    fleet.bootAgent(host);
    const device = deviceIn((await result()).devices, drive.identity.serial);
    expect(device).toMatchObject({ result: "ERROR", verification: { result: "failed" } });
    expect(device.verification?.mismatches).toBeGreaterThan(40);
    expect(device.verification?.mismatches).toBeLessThan(60);
    expect(drive.namespaces).toHaveLength(2);
  });
});

describe("an agent", () => {
  it("hears abort in its poll, and begins nothing more", async () => {
    await fleet.close();
    fleet = await startFleet({ speed: 80 });
    const host = fleet.host("dell");
    driveOf(host).faults.failErase = true;
    const stepRunId = "7e57ab1e-0000-4000-8000-000000000001";
    fleet.server.plan({ ...eraseNvme, stepRunId });
    fleet.bootAgent(host);
    await until("the erase", () => host.erasing);
    await until("the poll beside it", () => fleet.server.requests.some((line) => line.endsWith("/poll")));
    fleet.server.push({ kind: "abort", id: "stop-it", stepRunId, attempt: 1 });
    const { result: verdict, message, devices } = await result();
    expect([verdict, message.startsWith("aborted: ")]).toEqual(["ERROR", true]);
    expect(deviceIn(devices, driveOf(host).identity.serial).tries).toHaveLength(1);
  });

  it("that crashes in the middle is followed by one that joins: nothing is sent twice", async () => {
    await fleet.close();
    fleet = await startFleet({ speed: 400 });
    const host = fleet.host("dell");
    host.script({ agent: { crashDuring: "erase_nvme" } });
    fleet.server.plan(eraseNvme);
    fleet.bootAgent(host);
    await until("the crash", () => host.counters.agentCrashes === 1);
    const sent = host.drives.map((drive) => drive.accepted.length);
    expect(sent.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
    fleet.server.plan({ ...eraseNvme, attempt: 2 });
    host.setOverride({ target: "Pxe", enabled: "Once", mode: "UEFI" });
    host.restartItself();
    const { result: verdict, devices } = await result();
    expect(verdict).toBe("OK");
    expect(host.drives.map((drive) => drive.accepted.length)).toEqual([1, 1, 1]);
    const joined = devices.filter(({ tries }) => tries[0]?.command.includes("joined"));
    expect(joined).toHaveLength(sent.filter((count) => count > 0).length);
    expect(devices.map(({ verification }) => verification?.result)).toEqual(["passed", "passed", "passed"]);
    expect(host.drives.some((drive) => drive.holdsTenantData)).toBe(false);
  });

  it("that takes over after a lie erases anew instead of believing the status", async () => {
    const host = fleet.host("lenovo");
    for (const drive of host.drives) drive.faults.lieErase = true;
    host.script({ agent: { crashDuring: "erase_nvme" } });
    fleet.server.plan(eraseNvme);
    fleet.bootAgent(host);
    await until("the crash", () => host.counters.agentCrashes === 1);
    for (const drive of host.drives) drive.faults.lieErase = false;
    fleet.server.plan({ ...eraseNvme, attempt: 2 });
    fleet.bootAgent(host);
    const { result: verdict } = await result();
    expect([verdict, host.drives.some((drive) => drive.holdsTenantData)]).toEqual(["OK", false]);
  });

  it.each([
    ["whose markers are still there", 8, false],
    ["that nothing on the drive can tell from one of last year", 0, true],
    ["where the markers cannot be read", 8, true],
  ])(
    "does not believe a sanitize %s, though the journal announced one: it erases once more",
    async (what, markersPerDevice, replaced) => {
      const host = fleet.host("dell");
      const drive = driveOf(host);
      if (!(drive instanceof NvmeDrive)) throw new Error("not NVMe");
      drive.sanitize(4);
      await until("the sanitize of last year", () => drive.lastErase().state === "completed");
      drive.fillWithTenantData();
      // Announced, and never sent: the agent died in between.
      fleet.server.onProgress = () => ({ status: 200, abort: true });
      fleet.server.plan({ ...eraseNvme, erase: { markersPerDevice } });
      fleet.bootAgent(host);
      await result();
      expect(fleet.server.journal.filter(({ event }) => event === "about-to-send").length).toBeGreaterThan(0);
      fleet.server.onProgress = () => ({ status: 200, abort: false });
      if (replaced) for (const content of drive.contents()) content.replace({ kind: "tenant", key: 7 });
      drive.faults.readErrors = what.includes("cannot be read");
      fleet.bootAgent(host);
      await until("the successor", () => fleet.server.registered.length === 2);
      fleet.server.plan({ ...eraseNvme, attempt: 2, erase: { markersPerDevice } });
      const body = await result(2);
      if (what.includes("cannot be read"))
        expect(deviceIn(body.devices, drive.identity.serial).result).toBe("ERROR");
      else
        expect([
          deviceIn(body.devices, drive.identity.serial).result,
          drive.holdsTenantData,
          drive.accepted.length,
        ]).toEqual(["OK", false, 2]);
    },
  );

  it("hears abort while an erase runs, waits for it, and begins no other", async () => {
    await fleet.close();
    fleet = await startFleet({ speed: 200 });
    fleet.server.heartbeatMs = 50;
    const host = fleet.host("dell");
    driveOf(host).faults.failErase = true;
    fleet.server.plan(eraseNvme);
    fleet.bootAgent(host);
    await until("the erase", () => host.erasing);
    fleet.server.onProgress = () => ({ status: 200, abort: true });
    const { result: verdict, message, devices } = await result();
    expect([verdict, message.startsWith("aborted: ")]).toEqual(["ERROR", true]);
    expect(deviceIn(devices, driveOf(host).identity.serial).tries).toHaveLength(1);
    expect(host.erasing).toBe(false);
    expect(devices.filter((device) => device.result === "OK")).toHaveLength(2);
  });

  it("dies with the power of its host, and the erase goes on", async () => {
    await fleet.close();
    fleet = await startFleet({ speed: 200 });
    const host = fleet.host("dell");
    fleet.server.plan(eraseNvme);
    fleet.bootAgent(host);
    await until("the erase", () => host.erasing);
    host.reset("ForceOff");
    expect(host.counters).toMatchObject({ resetsDuringErase: 1 });
    const requests = fleet.server.requests.length;
    await until("the end of the erase", () => !host.erasing);
    expect(host.drives.some((drive) => drive.holdsTenantData)).toBe(false);
    expect(fleet.server.requests.length).toBe(requests);
    expect(fleet.server.results).toEqual([]);
  });

  it("restarts its host when told to, which then boots from disk", async () => {
    const host = fleet.host("lenovo");
    host.network = "admin";
    fleet.server.plan({ kind: "restart" });
    fleet.bootAgent(host);
    await until(
      "idle",
      () => host.running === "idle" && host.counters.powerActions.at(-1)?.action === "OsRestart",
    );
    expect(host.counters.agentStarts).toBe(1);
  });

  it.each([
    ["memoryOverwrite", { memoryOverwrite: { fails: true } }, "verify_mem_overwrite", "after 1 was written"],
    ["InfiniBand", { infiniband: { stuck: true } }, "reset_infiniband", "semaphore"],
  ] as const)("reports %s that does not work", async (_name, faults, step, text) => {
    const host = fleet.host("dell");
    host.script(faults);
    fleet.server.plan({ step });
    fleet.bootAgent(host);
    const body = await result();
    expect([body.result, body.message]).toEqual(["ERROR", expect.stringContaining(text)]);
    await until("the log", () => fleet.server.logs.some((log) => log.includes(text)));
  });

  it("refuses a step that it does not have, and fails a test that it does not know", async () => {
    fleet.server.plan({ step: "wash" }, { kind: "validate", tests: ["wings"] });
    fleet.bootAgent(fleet.host("dell"));
    expect((await result()).message).toContain("no step deploy.wash");
    const validated = await until("the validation", () => fleet.server.validated[0]);
    expect(validated.tests).toMatchObject([{ name: "wings", result: "failed" }]);
  });

  it.each([
    ["fewerDevices", 2],
    ["okWithoutDevices", 0],
  ] as const)("with the fault %s reports OK for %i of three devices", async (fault, count) => {
    const host = fleet.host("dell");
    host.script({ agent: { [fault]: true } });
    driveOf(host, 2).faults.failErase = true;
    fleet.server.plan(eraseNvme);
    fleet.bootAgent(host);
    const body = await result();
    expect([body.result, body.devices.length]).toEqual(["OK", count]);
  });

  it.each([
    ["oldVersion", "0.0.1", "0"],
    ["newVersion", "99.0.0", "99"],
  ] as const)("of an %s says so", async (fault, agentVersion, managerVersion) => {
    const host = fleet.host("dell");
    host.script({ agent: { [fault]: true } });
    fleet.bootAgent(host);
    const registered = await until("the registration", () => fleet.server.registered[0]);
    expect([registered.agentVersion, registered.hardwareManagers[0]?.version]).toEqual([
      agentVersion,
      managerVersion,
    ]);
  });

  it("never registers where the fault says so, and boots from disk where no window is open", async () => {
    const mute = fleet.host("dell");
    mute.script({ agent: { neverRegister: true } });
    fleet.bootAgent(mute);
    await until("the image", () => mute.running === "agent");
    fleet.server.windowOpen = false;
    const closed = fleet.host("lenovo");
    fleet.bootAgent(closed);
    await until("the tenant's system", () => closed.counters.tenantBoots === 1);
    expect(fleet.server.registered).toEqual([]);
    expect(mute.counters.agentStarts).toBe(0);
  });
});
