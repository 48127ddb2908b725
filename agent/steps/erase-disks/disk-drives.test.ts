// SATA and SAS drives with state and bytes that answer the real tool code: what a good one does, and every way in which a bad one must not pass.
import { describe, expect, it } from "vitest";
import { eraseDisks } from "@/agent/steps/erase-disks/erase-disks";
import { only } from "@/agent/testing/one-drive";
import { Bench } from "@/agent/tools/machine/testing/drives/bench";
import { AtaDrive, type AtaFaults, type AtaOptions } from "@/agent/tools/machine/testing/drives/ata-drive";
import { ScsiDrive, type ScsiOptions } from "@/agent/tools/machine/testing/drives/scsi-drive";
import type { Faults } from "@/agent/tools/machine/testing/drives/drive";
import { programs } from "@/agent/tools/machine/program/paths";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";

const ata: readonly Technique[] = [
  "ata-sanitize-crypto",
  "ata-sanitize-block",
  "ata-secure-erase-enhanced",
  "ata-secure-erase",
  "overwrite",
];
const sas: readonly Technique[] = ["scsi-sanitize-crypto", "scsi-sanitize-block", "scsi-format", "overwrite"];
const erase = (bench: Bench, techniques: readonly Technique[]) =>
  bench.erase(eraseDisks, {
    techniques: { nvme: [], ssd: [...techniques], hdd: [...techniques], "raid-kit": [] },
  });

describe("SATA", () => {
  function benchWith(options: Partial<AtaOptions> = {}, faults: AtaFaults = {}) {
    const bench = new Bench();
    const drive = bench.add(new AtaDrive({ name: "sda", serial: "SATA1", now: bench.now, ...options }));
    Object.assign(drive.faults, faults);
    return { bench, drive };
  }

  it.each([
    [{ sanitize: 0x2000 }, "ata-sanitize-crypto"],
    [{ sanitize: 0x8000 }, "ata-sanitize-block"],
    [{ security: true }, "ata-secure-erase-enhanced"],
    [{}, "overwrite"],
  ] as const)("%o is erased by %s, and no password stays", async (options, technique) => {
    const { bench, drive } = benchWith(options);
    expect(only(await erase(bench, ata))).toMatchObject({ result: "OK", technique });
    expect(drive.tenantBlocks).toBe(0);
    expect(drive.password).toBeNull();
  });

  it.each<[string, Partial<AtaOptions>, AtaFaults, RegExp]>([
    ["lies about a sanitize", { sanitize: 0xa000 }, { lies: true }, /still there/],
    ["lies about a secure erase", { security: true }, { lies: true }, /still there/],
    ["lies about an overwrite", {}, { lies: true }, /still there/],
    ["is half erased", { security: true }, { reach: 0.5 }, /still there/],
    ["is half overwritten", {}, { reach: 0.5 }, /still there/],
    ["vanishes in a sanitize", { sanitize: 0x8000 }, { vanishesInErase: true }, /No such file|not erased/],
    ["vanishes in a secure erase", { security: true }, { vanishesInErase: true }, /not erased/],
    ["is read-only", {}, { readOnly: true }, /not erased/],
    ["hangs", { sanitize: 0x8000 }, { stalls: true }, /no progress for/],
  ])("%s: it does not pass", async (_what, options, faults, message) => {
    const { bench, drive } = benchWith(options, faults);
    const { outcome } = await erase(bench, ata);
    expect(outcome.result).toBe("ERROR");
    expect(outcome.message).toMatch(message);
    expect(drive.tenantBlocks).toBeGreaterThan(0);
  });

  it("frozen, is unfrozen by a suspend", async () => {
    const { bench, drive } = benchWith({ security: true });
    drive.frozen = true;
    expect(only(await erase(bench, ["ata-secure-erase"]))).toMatchObject({ result: "OK" });
    expect(bench.commands.some((command) => command.startsWith(programs.rtcwake))).toBe(true);
  });

  it("frozen for good, is refused for it", async () => {
    const { bench, drive } = benchWith({ security: true }, { staysFrozen: true });
    drive.frozen = true;
    const device = only(await erase(bench, ["ata-secure-erase-enhanced", "ata-secure-erase"]));
    expect(device).toMatchObject({ result: "ERROR", problem: "noTechnique" });
    expect(device.message).toContain("security frozen");
    expect(drive.tenantBlocks).toBe(4096);
  });

  it("locked by somebody else, is refused with a way on, after one try", async () => {
    const { bench, drive } = benchWith({ security: true });
    drive.password = "theirs";
    drive.powerLoss(0);
    expect(only(await erase(bench, ata))).toMatchObject({ result: "ERROR", problem: "locked" });
    expect(bench.commands.filter((command) => command.includes("--security-unlock"))).toHaveLength(1);
    expect(drive.tenantBlocks).toBe(4096);
  });

  it("locked by an erase of ours that lost its power, is opened and erased", async () => {
    const { bench, drive } = benchWith({ security: true });
    drive.password = "reclaim";
    drive.powerLoss(0);
    expect(only(await erase(bench, ata)).result).toBe("OK");
    expect(drive).toMatchObject({ password: null, locked: false, tenantBlocks: 0 });
  });

  it("with a hidden area, is not overwritten, nor erased in normal mode", async () => {
    const { bench, drive } = benchWith({ hidden: 512, security: true });
    const device = only(await erase(bench, ["ata-secure-erase", "overwrite"]));
    expect(device).toMatchObject({ result: "ERROR", problem: "hidesSectors" });
    expect(device.message).toContain("4096 of 4608 sectors can be addressed");
    expect(drive.tenantBlocks).toBe(4608);
  });

  it("with a hidden area, is erased by what reaches it", async () => {
    const { bench, drive } = benchWith({ hidden: 512, sanitize: 0x8000 });
    expect(only(await erase(bench, ata))).toMatchObject({ result: "OK", technique: "ata-sanitize-block" });
    expect(drive.tenantBlocks).toBe(0);
  });

  it("whose sanitize fails, goes on to nothing that could be read back", async () => {
    const { bench, drive } = benchWith({ sanitize: 0x8000 }, { sanitizeFails: true });
    expect((await erase(bench, ["ata-sanitize-block", "overwrite"])).outcome.result).toBe("ERROR");
    expect(drive.state).toBe("failed");
  });
});

describe("a command whose tool still waits in the kernel after it was killed", () => {
  const stillRuns = (bench: Bench, pattern: RegExp) => {
    bench.spoil = (ran) =>
      pattern.test(ran.command)
        ? { ...ran, exitCode: 124, stderr: "killed, and not over yet", over: false }
        : ran;
  };

  it.each<[string, Partial<AtaOptions>, RegExp]>([
    ["a secure erase", { security: true }, /--security-erase/],
    ["a password for one", { security: true }, /--security-set-pass/],
    ["a sanitize", { sanitize: 0x8000 }, /--sanitize-block-erase/],
  ])("%s: the drive may be erasing, and is sent nothing more", async (_what, options, pattern) => {
    const bench = new Bench();
    bench.add(new AtaDrive({ name: "sda", serial: "SATA1", now: bench.now, ...options }));
    stillRuns(bench, pattern);
    const { outcome, journal } = await erase(bench, ata);
    expect(only({ outcome, journal })).toMatchObject({
      ...{ result: "ERROR", problem: "hangs", tries: [{ completed: false, exitCode: 124 }] },
      message: expect.stringContaining("it may go on"),
    });
    expect(bench.remaining.get("SATA1")).toBeNull();
    // Its health is read for the record, but no erase, status or password command is sent.
    const at = bench.commands.findIndex((command) => pattern.test(command));
    expect(bench.commands.slice(at + 1).filter((command) => !command.startsWith(programs.smartctl))).toEqual(
      [],
    );
    expect(journal.some(({ event }) => event === "observed")).toBe(false);
  });
});

describe("SAS", () => {
  const crypto = " 48,3      Sanitize, cryptographic erase";
  const format = " 04        Format Unit";
  function benchWith(options: Partial<ScsiOptions> = {}, faults: Faults & { sanitizeFails?: boolean } = {}) {
    const bench = new Bench();
    const drive = bench.add(new ScsiDrive({ name: "sdb", serial: "SAS1", now: bench.now, ...options }));
    Object.assign(drive.faults, faults);
    return { bench, drive };
  }

  it.each([
    [[crypto], "scsi-sanitize-crypto"],
    [[format], "overwrite"],
    [null, "overwrite"],
  ] as const)("%o is erased by %s", async (opcodes, technique) => {
    const { bench, drive } = benchWith({ opcodes });
    expect(only(await erase(bench, sas))).toMatchObject({ result: "OK", technique });
    expect(drive.tenantBlocks).toBe(0);
  });

  it.each<[string, readonly string[] | null, Faults & { sanitizeFails?: boolean }, RegExp]>([
    ["lies about a sanitize", [crypto], { lies: true }, /still there/],
    ["lies about an overwrite", [format], { lies: true }, /still there/],
    ["is half overwritten", null, { reach: 0.5 }, /still there/],
    ["vanishes in an overwrite", null, { vanishesInErase: true }, /not erased/],
    ["is read-only", null, { readOnly: true }, /not erased/],
    ["fails its sanitize", [crypto], { sanitizeFails: true }, /31h\/03h/],
    ["hangs", [crypto], { stalls: true }, /no progress for/],
  ])("%s: it does not pass", async (_what, opcodes, faults, message) => {
    const { bench, drive } = benchWith({ opcodes }, faults);
    const { outcome } = await erase(bench, sas);
    expect(outcome.result).toBe("ERROR");
    expect(outcome.message).toMatch(message);
    expect(drive.tenantBlocks).toBeGreaterThan(0);
  });

  it("is never sent FORMAT UNIT, though the policy names nothing else and the drive offers it", async () => {
    const { bench, drive } = benchWith({ opcodes: [format] });
    const device = only(await erase(bench, ["scsi-format"]));
    expect(device).toMatchObject({ result: "ERROR", problem: "noTechnique" });
    expect(drive.tenantBlocks).toBeGreaterThan(0);
  });
});

it("one bad drive among good ones fails the step, and says which", async () => {
  const bench = new Bench();
  const { now } = bench;
  bench.add(new AtaDrive({ name: "sda", serial: "GOOD", now }));
  bench.add(new AtaDrive({ name: "sdb", serial: "BAD", now })).faults.lies = true;
  const { outcome } = await erase(bench, ata);
  expect(outcome.result).toBe("ERROR");
  expect(outcome.devices.map(({ serial, result }) => [serial, result])).toEqual([
    ["GOOD", "OK"],
    ["BAD", "ERROR"],
  ]);
});

it("knows no program that reports success and erases nothing, and none by a search path", () => {
  for (const path of Object.values(programs)) {
    expect(path).toMatch(/^\/(usr|opt)\//);
    expect(path).not.toMatch(/busybox|shred|blkdiscard|wipefs/);
  }
});
