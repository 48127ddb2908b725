// NVMe drives, erased by the real agent on simulated hardware over HTTP: techniques, faults, namespaces.
import { describe, expect, it } from "vitest";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import { NvmeDrive } from "@/server/simulator/drives/nvme-drive";
import { deviceIn, driveOf, eraseNvme, nvmeOf, resultOf } from "@/server/simulator/testing/erasing";
import { fleetForEach, type TestFleet } from "@/server/simulator/testing/fleet";

let fleet: TestFleet;
fleetForEach((started) => {
  fleet = started;
});

describe("a drive", () => {
  it("that fails its erase fails on every technique, each with its answer", async () => {
    const host = fleet.host("dell");
    const drive = driveOf(host);
    drive.faults.failErase = true;
    fleet.server.plan(eraseNvme);
    fleet.bootAgent(host);
    const { result: verdict, devices } = await resultOf(fleet);
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
    expect((await resultOf(fleet, 1)).result).toBe("ERROR");
    drive.faults.failErase = false;
    fleet.server.plan({ ...eraseNvme, stepRunId, attempt: 2 });
    const second = await resultOf(fleet, 2);
    expect([second.result, second.devices.length]).toEqual(["OK", 3]);
    expect(host.drives.map((each) => each.accepted.length)).toEqual([5, 1, 1]);
    expect(host.drives.some((each) => each.holdsTenantData)).toBe(false);
  });

  it("that fails is not tried further where the policy allows no fallback", async () => {
    const host = fleet.host("dell");
    driveOf(host).faults.failErase = true;
    fleet.server.plan({ ...eraseNvme, erase: { fallback: false } });
    fleet.bootAgent(host);
    const { devices } = await resultOf(fleet);
    expect(deviceIn(devices, driveOf(host).identity.serial).tries).toHaveLength(1);
  });

  it("that lies about success is found out by digests and markers", async () => {
    const host = fleet.host("lenovo");
    const drive = driveOf(host);
    drive.faults.lieErase = true;
    fleet.server.plan(eraseNvme);
    fleet.bootAgent(host);
    const { result: verdict, devices } = await resultOf(fleet);
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
    expect((await resultOf(fleet, 1)).result).toBe("ERROR");
    drive.faults.lieErase = false;
    fleet.server.plan({ ...eraseNvme, attempt: 2 });
    const second = await resultOf(fleet, 2);
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
    const { result: verdict, devices, message } = await resultOf(fleet);
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
    const { result: verdict, devices } = await resultOf(fleet);
    expect(verdict).toBe("OK");
    expect(deviceIn(devices, driveOf(host).identity.serial).message).toMatch(/^unexpected device/);
    expect(driveOf(host).holdsTenantData).toBe(false);
  });

  it("without crypto erase falls back to what it offers", async () => {
    const host = fleet.host("dell");
    driveOf(host).faults.noCrypto = true;
    fleet.server.plan(eraseNvme);
    fleet.bootAgent(host);
    const device = deviceIn((await resultOf(fleet)).devices, driveOf(host).identity.serial);
    expect([device.result, device.technique]).toEqual(["OK", "nvme-sanitize-block"]);
    expect(device.message).toContain("nvme-sanitize-crypto: not in SANICAP");
    expect(device.passedOver?.[0]).toMatchObject({
      technique: "nvme-sanitize-crypto",
      why: expect.stringMatching(/^not in SANICAP/),
    });
  });

  it("that hangs is given up after the policy's time without progress", async () => {
    const host = fleet.host("dell");
    driveOf(host).faults.hangErase = true;
    fleet.server.plan({ ...eraseNvme, erase: { noProgressTimeoutMs: 300 } });
    fleet.bootAgent(host);
    const device = deviceIn((await resultOf(fleet)).devices, driveOf(host).identity.serial);
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
    const { devices } = await resultOf(fleet);
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
    expect(deviceIn((await resultOf(fleet)).devices, drive.identity.serial)).toMatchObject({
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
    const device = deviceIn((await resultOf(fleet)).devices, drive.identity.serial);
    expect(device).toMatchObject({ result: "ERROR", verification: { result: "failed" } });
    expect(device.verification?.mismatches).toBeGreaterThan(40);
    expect(device.verification?.mismatches).toBeLessThan(60);
    expect(drive.namespaces).toHaveLength(2);
  });
});
