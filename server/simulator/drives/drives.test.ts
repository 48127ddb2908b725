// Simulated drives: bytes that really exist, and are really gone after an erase.
import { describe, expect, it } from "vitest";
import { Content } from "@/server/simulator/drives/content";
import { DiskDrive } from "@/server/simulator/drives/disk-drive";
import type { DriveIdentity } from "@/server/simulator/drives/drive";
import { NvmeDrive } from "@/server/simulator/drives/nvme-drive";
import { hardwareTime, type HardwareTime } from "@/server/simulator/hardware-time";

const identity: DriveIdentity = {
  serial: "S1",
  model: "M",
  manufacturer: "X",
  firmware: "1",
  wwn: "eui.1",
  slot: "0",
  capacityBytes: 1_000_000_000n,
};
const instant = hardwareTime(100_000);

/** A clock that moves only when told to. */
function manualTime(): HardwareTime & { pass(ms: number): void } {
  let now = 0;
  return {
    instant: false,
    scaled: (ms) => ms,
    now: () => now,
    wait: () => Promise.resolve(),
    pass: (ms) => (now += ms),
  };
}

const nvme = (
  time: HardwareTime = instant,
  layout = [
    { share: 0.5, attached: true },
    { share: 0.25, attached: false },
  ],
) =>
  new NvmeDrive(
    identity,
    time,
    42,
    { oacs: 0x1e, fna: 4, sanicap: 3, seconds: { crypto: 10, block: 20, overwrite: 30, format: 5 } },
    layout,
  );

const bytesOf = (drive: NvmeDrive, count = 200) =>
  Array.from({ length: count }, (_, block) => drive.read(1, block)?.toString("hex"));

describe("content", () => {
  it("is the same every time, other for every block and key, and mostly not constant", () => {
    const content = new Content(512, { kind: "tenant", key: 1 });
    const other = new Content(512, { kind: "tenant", key: 2 });
    const blocks = Array.from({ length: 1_000 }, (_, block) => content.read(block).toString("hex"));
    expect(Array.from({ length: 1_000 }, (_, block) => content.read(block).toString("hex"))).toEqual(blocks);
    const written = blocks.filter((block) => !/^0+$/.test(block));
    expect(written.length).toBeGreaterThan(700);
    expect(written.length).toBeLessThan(900);
    expect(new Set(written).size).toBe(written.length);
    expect(
      blocks.filter((block, index) => block === other.read(index).toString("hex") && !/^0+$/.test(block)),
    ).toEqual([]);
  });

  it("keeps what is written until it is replaced", () => {
    const content = new Content(512, { kind: "zeros" });
    content.write(7, Buffer.alloc(512, 9));
    expect(content.read(7).every((byte) => byte === 9)).toBe(true);
    content.replace({ kind: "zeros" });
    expect(content.read(7).every((byte) => byte === 0)).toBe(true);
  });
});

describe("an NVMe drive", () => {
  it("takes its time to sanitize, shows progress, and cannot be read meanwhile", () => {
    const time = manualTime();
    const drive = nvme(time);
    const before = bytesOf(drive);
    expect(drive.sanitize(4)).toBeNull();
    time.pass(5_000);
    expect(drive.lastErase()).toMatchObject({ state: "running", progress: 0.5, code: 4 });
    expect([drive.read(1, 0), drive.write(1, 0, Buffer.alloc(512)), drive.sanitize(2)]).toEqual([
      null,
      false,
      expect.stringContaining("In Progress"),
    ]);
    expect(drive.holdsTenantData).toBe(true);
    time.pass(5_000);
    expect(drive.lastErase()).toMatchObject({ state: "completed" });
    const after = bytesOf(drive);
    expect(after.filter((block, index) => block === before[index])).toEqual([]);
    expect(drive.contents().map((content) => content.holdsTenantData)).toEqual([false, false]);
  });

  it("reads zeros after a block erase, on every namespace", () => {
    const drive = nvme();
    drive.sanitize(2);
    expect(drive.lastErase().state).toBe("completed");
    drive.attach(2);
    expect([drive.read(1, 5), drive.read(2, 5)].every((block) => block?.every((byte) => byte === 0))).toBe(
      true,
    );
  });

  it("keeps everything when it lies, and when it fails", () => {
    for (const fault of ["lieErase", "failErase"] as const) {
      const drive = nvme();
      const before = bytesOf(drive);
      drive.faults[fault] = true;
      expect(drive.sanitize(4)).toBeNull();
      expect(drive.lastErase().state).toBe(fault === "lieErase" ? "completed" : "failed");
      expect(bytesOf(drive)).toEqual(before);
    }
  });

  it("hangs until the fault is cleared", () => {
    const drive = nvme();
    drive.faults.hangErase = true;
    drive.sanitize(4);
    expect(drive.lastErase().state).toBe("running");
    drive.faults.hangErase = false;
    expect(drive.lastErase().state).toBe("completed");
  });

  it("does not format a detached namespace, and formats one without touching another", () => {
    const drive = nvme();
    expect(drive.format(2, 1)).toContain("Invalid Field");
    expect(drive.format(1, 1)).toBeNull();
    expect(drive.erasing).toBe(false);
    expect(drive.contents().map((content) => content.holdsTenantData)).toEqual([false, true]);
  });

  it("refuses what it does not offer", () => {
    const drive = nvme();
    drive.faults.noCrypto = true;
    expect(
      [drive.sanitize(4), drive.sanitize(3), drive.sanitize(9), drive.format(1, 2)].every(
        (answer) => answer !== null,
      ),
    ).toBe(true);
    expect(drive.create(10_000_000_000, 0)).toContain("Invalid Field");
    expect(drive.remove(9)).toContain("Invalid Namespace");
    expect(drive.accepted).toEqual([]);
  });
});

describe("a disk", () => {
  const disk = (transport: "sata" | "sas", sanitizeBlock = true) =>
    new DiskDrive(identity, instant, 3, {
      transport,
      rotational: false,
      sanitizeCrypto: true,
      sanitizeBlock,
      seconds: { crypto: 1, block: 1, overwrite: 1, format: 1 },
    });

  it("erases, and refuses what it does not offer", () => {
    const drive = disk("sas", false);
    expect(drive.erase("block")).toBe(false);
    const before = drive.read(3);
    expect(drive.erase("crypto")).toBe(true);
    expect(drive.lastErase().state).toBe("completed");
    expect(drive.holdsTenantData).toBe(false);
    expect(before && drive.read(3)?.equals(before)).toBe(false);
  });

  it("has an end", () => {
    const drive = disk("sata");
    expect([
      drive.read(drive.blocks),
      drive.write(-1, Buffer.alloc(512)),
      drive.read(drive.blocks - 1)?.length,
    ]).toEqual([null, false, 512]);
  });
});
