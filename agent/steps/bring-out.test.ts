// A drive whose last sanitize failed: brought out of that state, then given the erase that counts, with the real tool code.
import { describe, expect, it, vi } from "vitest";
import type { JournalEvent } from "@/agent/steps/results";
import { eraseDisks } from "@/agent/steps/erase-disks/erase-disks";
import { eraseNvmeBy, only } from "@/agent/testing/one-drive";
import { AtaDrive } from "@/agent/tools/machine/testing/drives/ata-drive";
import { Bench } from "@/agent/tools/machine/testing/drives/bench";
import {
  NvmeDrive,
  type NvmeFaults,
  type NvmeOptions,
} from "@/agent/tools/machine/testing/drives/nvme-drive";
import { ScsiDrive } from "@/agent/tools/machine/testing/drives/scsi-drive";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";

/** A drive as an earlier failed sanitize left it. */
function failedDrive(options: Partial<NvmeOptions> = {}, faults: NvmeFaults = {}) {
  const bench = new Bench();
  const drive = bench.add(
    new NvmeDrive({ name: "nvme0", serial: "REAL1", now: bench.now, sanicap: 2, oacs: 2, ...options }),
  );
  Object.assign(drive.faults, faults);
  drive.leave("failed");
  return { bench, drive };
}
const sent = (bench: Bench) =>
  bench.commands.flatMap(
    (command) => / (sanitize|format) .*(?:--sanact=|-s )(\d)/.exec(command)?.slice(1, 3).join(" ") ?? [],
  );

describe("an NVMe drive", () => {
  it("of ours is brought out by a sanitize, which counts for nothing, and erased by the next", async () => {
    const { bench, drive } = failedDrive();
    const device = only(await eraseNvmeBy(bench));
    expect(device).toMatchObject({
      result: "OK",
      technique: "nvme-sanitize-block",
      verification: { markersWritten: 8, result: "passed" },
    });
    // Exit Failure Mode is refused after a sanitize in restricted mode.
    expect(sent(bench)).toEqual(["sanitize 1", "sanitize 2", "sanitize 2"]);
    expect(device.tries.map(({ completed }) => completed)).toEqual([true, true]);
    expect(drive.tenantBlocks).toBe(0);
  });

  it("that another host left unrestricted, exits without an erase: its content is sampled, and erased once", async () => {
    const { bench, drive } = failedDrive();
    drive.sanitize.unrestricted = true;
    const { outcome, journal } = await eraseNvmeBy(bench);
    const device = only({ outcome, journal });
    expect(device).toMatchObject({ result: "OK", verification: { result: "passed" } });
    expect(device.verification?.samples).toBeGreaterThan(8);
    expect(sent(bench)).toEqual(["sanitize 1", "sanitize 2"]);
    expect(device.tries).toHaveLength(1);
    expect(journal.some(({ status = "" }) => status.includes("--sanact=1 answered 0"))).toBe(true);
    expect(drive.tenantBlocks).toBe(0);
  });

  it("is brought out by a sanitize that the policy does not name, where it names none: the format counts", async () => {
    const { bench } = failedDrive();
    const device = only(await eraseNvmeBy(bench, ["nvme-format-user-data"]));
    expect(device).toMatchObject({ result: "OK", technique: "nvme-format-user-data" });
    expect(sent(bench)).toEqual(["sanitize 1", "sanitize 2", "format 1"]);
  });

  it("whose policy no technique fits, is not touched", async () => {
    const { bench, drive } = failedDrive();
    const device = only(await eraseNvmeBy(bench, ["nvme-sanitize-crypto"]));
    expect(device).toMatchObject({ result: "ERROR", problem: "noTechnique" });
    expect(sent(bench)).toEqual([]);
    expect(drive.tenantBlocks).toBe(4096);
  });

  it.each([
    [true, ["sanitize 1", "sanitize 4", "sanitize 2"]],
    [false, ["sanitize 1", "sanitize 4"]],
  ])("that fails again, with fallback %s, stays a failure with each answer", async (fallback, commands) => {
    const { bench, drive } = failedDrive({ sanicap: 3 }, { sanitizeFails: true });
    const device = only(
      await eraseNvmeBy(bench, ["nvme-sanitize-crypto", "nvme-sanitize-block"], {}, [], fallback),
    );
    expect(device.result).toBe("ERROR");
    expect(device.message).toMatch(/its last sanitize failed, and it could not be brought out.*SSTAT 3h/);
    expect(sent(bench)).toEqual(commands);
    expect(drive.tenantBlocks).toBe(4096);
  });

  it("that hangs meanwhile, is one that hangs", async () => {
    const { bench } = failedDrive({}, { stalls: true });
    expect(only(await eraseNvmeBy(bench))).toMatchObject({ result: "ERROR", problem: "hangs" });
  });

  it("that lies about both, or about the second alone, is found out by the markers", async () => {
    const liar = failedDrive({}, { lies: true });
    const told = only(await eraseNvmeBy(liar.bench));
    expect(told).toMatchObject({ result: "ERROR", verification: { result: "failed", markersFound: 8 } });
    const second = failedDrive();
    second.bench.pausing = () => (second.drive.faults.lies = sent(second.bench).length > 2);
    expect(only(await eraseNvmeBy(second.bench))).toMatchObject({
      result: "ERROR",
      verification: { markersFound: 8 },
    });
  });

  it("is sent nothing before the server has stored that", async () => {
    const { bench } = failedDrive();
    bench.goOn = false;
    const device = only(await eraseNvmeBy(bench));
    expect(device).toMatchObject({ result: "ERROR", message: expect.stringContaining("stopped before") });
    expect(sent(bench)).toEqual(["sanitize 1"]);
  });

  it("that loses its power meanwhile, is waited for by the next agent, and erased anew", async () => {
    const { bench, drive } = failedDrive({ durationMs: 60_000 });
    const told: JournalEvent[] = [];
    bench.pausing = () => {
      if (bench.nowMs > Date.parse("2026-11-23T00:00:20Z")) throw new Error("no power");
    };
    await expect(eraseNvmeBy(bench, undefined, {}, told)).rejects.toThrow("no power");
    bench.pausing = () => undefined;
    bench.powerLoss(600_000);
    const device = only(await eraseNvmeBy(bench, undefined, { journal: told, attempt: 2 }));
    expect(device).toMatchObject({ result: "OK", verification: { markersWritten: 8 } });
    expect(device.tries[0]?.command).not.toContain("joined");
    expect(sent(bench)).toEqual(["sanitize 1", "sanitize 2", "sanitize 2"]);
    expect(drive.tenantBlocks).toBe(0);
  });

  it("whose Exit Failure Mode still waits in the kernel, is sent nothing more", async () => {
    const { bench } = failedDrive();
    bench.spoil = (ran) =>
      ran.command.includes("--sanact=1") ? { ...ran, exitCode: 124, stderr: "", over: false } : ran;
    expect(only(await eraseNvmeBy(bench))).toMatchObject({ result: "ERROR", problem: "hangs" });
    expect(sent(bench)).toEqual(["sanitize 1"]);
  });

  it("whose sanitize of an earlier attempt ends as failed, and which can be read, falls back as any", async () => {
    const bench = new Bench();
    const drive = bench.add(
      new NvmeDrive({ name: "nvme0", serial: "REAL1", now: bench.now, sanicap: 2, oacs: 2 }),
    );
    const told: JournalEvent[] = [];
    bench.pausing = () => {
      throw new Error("no power");
    };
    await expect(eraseNvmeBy(bench, undefined, {}, told)).rejects.toThrow("no power");
    drive.faults.sanitizeFails = true;
    bench.pausing = () => {
      if (sent(bench).length > 1) drive.faults.sanitizeFails = false;
    };
    const fault = vi.spyOn(drive, "fault").mockReturnValue(null);
    const device = only(await eraseNvmeBy(bench, undefined, { journal: told, attempt: 2 }));
    fault.mockRestore();
    expect(device.tries.map(({ completed }) => completed)).toEqual([false, true]);
    // No Exit Failure Mode, and no sanitize that would not count.
    expect(sent(bench)).toEqual(["sanitize 2", "sanitize 2"]);
    expect(device).toMatchObject({ result: "OK", verification: { markersWritten: 8 } });
  });

  it("whose sanitize of an earlier attempt ends as failed, is brought out in the next, against what was first on it", async () => {
    const bench = new Bench();
    const drive = bench.add(
      new NvmeDrive({
        name: "nvme0",
        serial: "REAL1",
        now: bench.now,
        sanicap: 2,
        oacs: 2,
        durationMs: 60_000,
      }),
    );
    const told: JournalEvent[] = [];
    bench.pausing = () => {
      if (bench.nowMs > Date.parse("2026-11-23T00:00:20Z")) throw new Error("no power");
    };
    await expect(eraseNvmeBy(bench, undefined, {}, told)).rejects.toThrow("no power");
    drive.faults.sanitizeFails = true;
    bench.pausing = () => {
      if (sent(bench).length > 2) drive.faults.sanitizeFails = false;
    };
    const device = only(await eraseNvmeBy(bench, undefined, { journal: told, attempt: 2 }));
    expect(device.tries.map(({ completed }) => completed)).toEqual([false, true, true]);
    expect(device).toMatchObject({ result: "OK", verification: { result: "passed" } });
    // More than the markers' own blocks, so it includes those that the first attempt sampled.
    expect(device.verification?.samples).toBeGreaterThan(8);
    expect(drive.tenantBlocks).toBe(0);
  });
});

describe("a disk", () => {
  const eraseDisk = (bench: Bench, techniques: Technique[]) =>
    bench.erase(eraseDisks, { techniques: { nvme: [], ssd: techniques, hdd: techniques, "raid-kit": [] } });

  it("of SATA in the state SD3 is brought out by a sanitize, and erased by the next", async () => {
    const bench = new Bench();
    const drive = bench.add(new AtaDrive({ name: "sda", serial: "SATA1", now: bench.now, sanitize: 0x8000 }));
    drive.state = "failed";
    const device = only(await eraseDisk(bench, ["ata-sanitize-block"]));
    expect(device).toMatchObject({ result: "OK", tries: [{ completed: true }, { completed: true }] });
    expect(drive.tenantBlocks).toBe(0);
  });

  it("of SAS that answers 31h/03h likewise", async () => {
    const bench = new Bench();
    const opcodes = [" 48,1      Sanitize, overwrite", " 48,2      Sanitize, block erase"];
    const drive = bench.add(new ScsiDrive({ name: "sdb", serial: "SAS1", now: bench.now, opcodes }));
    drive.state = "failed";
    const device = only(await eraseDisk(bench, ["scsi-sanitize-block"]));
    expect(device).toMatchObject({ result: "OK", tries: [{ completed: true }, { completed: true }] });
    expect(drive.tenantBlocks).toBe(0);
  });
});
