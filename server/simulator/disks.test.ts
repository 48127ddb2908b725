// SATA and SAS drives, erased by the real agent on simulated hardware over HTTP: techniques, passwords, locks, and what a crash leaves behind.
import { describe, expect, it } from "vitest";
import { erasePassword } from "@/agent/steps/erase-disks/ata-device";
import { DiskDrive } from "@/server/simulator/drives/disk-drive";
import { deviceIn, driveOf, eraseDisks, resultOf } from "@/server/simulator/testing/erasing";
import { fleetForEach, type TestFleet } from "@/server/simulator/testing/fleet";
import { until } from "@/server/simulator/testing/protocol-server";

let fleet: TestFleet;
fleetForEach((started) => {
  fleet = started;
});

describe("a disk", () => {
  const none = { nvme: [], ssd: [], hdd: [], "raid-kit": [] };

  it.each([
    "ata-sanitize-crypto",
    "ata-sanitize-block",
    "ata-secure-erase-enhanced",
    "ata-secure-erase",
    "overwrite",
  ] as const)("of SATA is erased by %s, and left without a password", async (technique) => {
    const host = fleet.host("generic");
    fleet.server.plan({
      ...eraseDisks,
      erase: { techniques: { ...none, ssd: [technique], hdd: ["scsi-sanitize-crypto"] } },
    });
    fleet.bootAgent(host);
    const body = await resultOf(fleet);
    const drive = driveOf(host, 2);
    if (!(drive instanceof DiskDrive)) throw new Error("not a disk");
    expect(body.message).toContain("2 devices erased and verified");
    expect(deviceIn(body.devices, drive.identity.serial)).toMatchObject({
      technique,
      media: "ssd",
      transport: "sata",
      tool: { name: "hdparm" },
    });
    expect([drive.holdsTenantData, drive.password]).toEqual([false, null]);
  });

  it.each(["scsi-sanitize-crypto", "overwrite"] as const)("of SAS is erased by %s", async (technique) => {
    const host = fleet.host("generic");
    fleet.server.plan({
      ...eraseDisks,
      erase: {
        techniques: { ...none, ssd: ["ata-sanitize-crypto"], hdd: ["scsi-sanitize-block", technique] },
      },
    });
    fleet.bootAgent(host);
    const drive = driveOf(host, 3);
    expect(deviceIn((await resultOf(fleet)).devices, drive.identity.serial)).toMatchObject({
      result: "OK",
      technique,
      media: "hdd",
      transport: "sas",
      tool: { name: "sg3_utils" },
    });
    expect(drive.holdsTenantData).toBe(false);
  });

  it("that fails a security erase keeps its bytes, and no password", async () => {
    const host = fleet.host("generic");
    const drive = driveOf(host, 2);
    if (!(drive instanceof DiskDrive)) throw new Error("not a disk");
    drive.faults.failErase = true;
    fleet.server.plan({
      ...eraseDisks,
      erase: {
        techniques: {
          ...none,
          ssd: ["ata-secure-erase-enhanced", "ata-secure-erase"],
          hdd: ["scsi-sanitize-crypto"],
        },
      },
    });
    fleet.bootAgent(host);
    const bad = deviceIn((await resultOf(fleet)).devices, drive.identity.serial);
    expect([bad.result, bad.tries.map(({ exitCode }) => exitCode)]).toEqual(["ERROR", [5, 5]]);
    expect([drive.holdsTenantData, drive.password]).toEqual([true, null]);
  });

  it("for which the policy names nothing is not erased", async () => {
    const host = fleet.host("generic");
    fleet.server.plan({
      ...eraseDisks,
      erase: { techniques: { ...none, ssd: ["scsi-format"], hdd: ["ata-sanitize-crypto"] } },
    });
    fleet.bootAgent(host);
    const { devices } = await resultOf(fleet);
    expect(devices.map(({ result: verdict, message }) => [verdict, message])).toEqual(
      devices.map(() => ["ERROR", expect.stringContaining("no technique of the policy")]),
    );
    expect(host.drives.slice(2).map((drive) => drive.accepted.length)).toEqual([0, 0]);
  });

  it("left locked by a security erase that was cut off is unlocked, and erased, by an agent of the next boot", async () => {
    const host = fleet.host("generic");
    const drive = driveOf(host, 2);
    if (!(drive instanceof DiskDrive)) throw new Error("not a disk");
    const erase = {
      techniques: {
        ...none,
        ssd: ["ata-secure-erase-enhanced"] as const,
        hdd: ["scsi-sanitize-crypto"] as const,
      },
    };
    // The host loses power between setting the password and the erase.
    host.script({ agent: { crashDuring: "erase_disks" } });
    drive.password = erasePassword;
    drive.lostPower();
    expect([drive.locked, drive.read(0)]).toEqual([true, null]);
    fleet.server.plan({
      ...eraseDisks,
      erase: {
        techniques: { ...erase.techniques, ssd: [...erase.techniques.ssd], hdd: [...erase.techniques.hdd] },
      },
    });
    fleet.bootAgent(host);
    await until("the crash", () => host.counters.agentCrashes === 1);
    fleet.server.plan({
      ...eraseDisks,
      attempt: 2,
      erase: {
        techniques: { ...erase.techniques, ssd: [...erase.techniques.ssd], hdd: [...erase.techniques.hdd] },
      },
    });
    fleet.bootAgent(host);
    expect(deviceIn((await resultOf(fleet)).devices, drive.identity.serial)).toMatchObject({
      result: "OK",
      technique: "ata-secure-erase-enhanced",
    });
    expect([drive.holdsTenantData, drive.password, drive.locked]).toEqual([false, null, false]);
  });

  it("that somebody else locked says so, and what to do", async () => {
    const host = fleet.host("generic");
    const drive = driveOf(host, 2);
    if (!(drive instanceof DiskDrive)) throw new Error("not a disk");
    drive.password = "tenant";
    drive.lostPower();
    fleet.server.plan(eraseDisks);
    fleet.bootAgent(host);
    expect(deviceIn((await resultOf(fleet)).devices, drive.identity.serial)).toMatchObject({
      result: "ERROR",
      message: expect.stringContaining("not Reclaim's: unlock the drive, or take it out"),
    });
    expect(drive.holdsTenantData).toBe(true);
  });

  it("whose sanitize still runs after a crash is joined, though its status does not name the operation", async () => {
    const host = fleet.host("generic");
    const drive = driveOf(host, 2);
    drive.faults.hangErase = true;
    fleet.server.heartbeatMs = 200;
    host.script({ agent: { crashDuring: "erase_disks" } });
    fleet.server.plan(eraseDisks);
    fleet.bootAgent(host);
    await until("the crash", () => host.counters.agentCrashes === 1);
    fleet.server.plan({ ...eraseDisks, attempt: 2 });
    fleet.bootAgent(host);
    await until("the successor", () => fleet.server.registered.length === 2);
    await until("the sanitize that it joined", () =>
      fleet.server.progress.some(
        ({ body }) =>
          body.attempt === 2 &&
          body.devices.some(({ serial, percent }) => serial === drive.identity.serial && percent > 0),
      ),
    );
    drive.faults.hangErase = false;
    const body = await resultOf(fleet);
    expect(body.result).toBe("OK");
    expect(deviceIn(body.devices, drive.identity.serial).tries[0]?.command).toContain("joined");
    expect([drive.accepted.length, drive.holdsTenantData]).toEqual([1, false]);
  });
});
