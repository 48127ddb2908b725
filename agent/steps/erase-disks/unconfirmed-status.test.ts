// Disks whose controller answers for them: a status that nothing confirms is unknown, and a drive that may be erasing is sent nothing more
// (docs/adr/0022-durations-travel.md).
import { describe, expect, it } from "vitest";
import { eraseDisks } from "@/agent/steps/erase-disks/erase-disks";
import { lookAtDrives } from "@/agent/steps/look";
import type { JournalEvent } from "@/agent/steps/results";
import { only } from "@/agent/testing/one-drive";
import { machineTools } from "@/agent/tools/machine/machine-tools";
import { AtaDrive, type AtaOptions } from "@/agent/tools/machine/testing/drives/ata-drive";
import { Bench } from "@/agent/tools/machine/testing/drives/bench";
import { ScsiDrive } from "@/agent/tools/machine/testing/drives/scsi-drive";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";

const techniques: Technique[] = [
  "ata-sanitize-block",
  "scsi-sanitize-block",
  "scsi-sanitize-crypto",
  "ata-secure-erase",
  "overwrite",
];
const policy = { techniques: { nvme: [], ssd: techniques, hdd: techniques, "raid-kit": [] } };
const idle =
  "\n/dev/sda:\nIssuing SANITIZE_STATUS command\nSanitize status:\n    State:    SD0 Sanitize Idle\n";
const noRegisters =
  "SG_IO: bad/missing sense data, sb[]:  f0 00 0b 04 51 40 00 0a 80 00 00 00 00 00 00 00 00 00 00 00\n";
const sanitizing = "SG_IO: bad/missing sense data, sb[]:  70 00 02 00 00 00 00 0a 00 00 00 00 04 1b 00 00\n";
const bytes = (text: string) => Buffer.from(text);

function benchWith(options: Partial<AtaOptions> = {}) {
  const bench = new Bench();
  const drive = bench.add(
    new AtaDrive({
      name: "sda",
      serial: "SATA1",
      now: bench.now,
      sanitize: 0x8000,
      security: true,
      ...options,
    }),
  );
  return { bench, drive };
}

/** Answers every question about the sanitize with idle. */
const saysIdle = (bench: Bench, stderr = "") => {
  bench.spoil = (ran) =>
    /--sanitize-status/.test(ran.command) ? { ...ran, exitCode: 0, stdout: bytes(idle), stderr } : ran;
};

const sent = ({ commands }: Bench) =>
  commands.filter((command) => /--sanitize-(?!status)|--security-(?:set|erase)|\bof=/.test(command));

describe("a SATA disk behind a controller that passes no registers on", () => {
  it("is sent nothing where hdparm says so on stderr", async () => {
    const { bench } = benchWith();
    saysIdle(bench, noRegisters);
    const device = only(await bench.erase(eraseDisks, policy));
    expect(device).toMatchObject({
      result: "ERROR",
      message: expect.stringContaining("the controller does not pass the drive's status on"),
    });
    expect(sent(bench)).toEqual([]);
    expect(bench.remaining.get("SATA1")).toBeNull();
  });

  it("is sent nothing more where its status reads idle right after it took a sanitize", async () => {
    const { bench, drive } = benchWith();
    drive.faults.stalls = true;
    saysIdle(bench);
    const device = only(await bench.erase(eraseDisks, policy));
    expect(device).toMatchObject({
      result: "ERROR",
      problem: "hangs",
      message: expect.stringContaining("never said that it runs"),
    });
    expect(sent(bench)).toHaveLength(1);
    expect(bench.remaining.get("SATA1")).toBeNull();
  });

  it("is sent nothing more after a refusal that its status does not confirm", async () => {
    const { bench } = benchWith();
    bench.spoil = (ran) =>
      /--sanitize-block-erase/.test(ran.command)
        ? { ...ran, stderr: noRegisters }
        : /--sanitize-status/.test(ran.command) && sent(bench).length > 0
          ? { ...ran, stderr: noRegisters }
          : ran;
    expect(only(await bench.erase(eraseDisks, policy))).toMatchObject({ result: "ERROR", problem: "hangs" });
    expect(sent(bench)).toHaveLength(1);
    expect(bench.remaining.get("SATA1")).toBeNull();
  });

  it("is not erased again by the next agent while it cannot be read", async () => {
    const { bench, drive } = benchWith();
    const told: JournalEvent[] = [];
    bench.pausing = () => {
      throw new Error("the power is gone");
    };
    drive.faults.stalls = true;
    await expect(bench.erase(eraseDisks, policy, {}, told)).rejects.toThrow("the power is gone");
    bench.pausing = () => undefined;
    saysIdle(bench);
    const before = sent(bench).length;
    const device = only(await bench.erase(eraseDisks, policy, { journal: told, attempt: 2 }, told));
    expect(device).toMatchObject({ result: "ERROR", problem: "hangs" });
    expect(device.message).toContain("may still be erasing");
    expect(sent(bench)).toHaveLength(before);
    expect(bench.remaining.get("SATA1")).toBeNull();
  });

  it("is unknown, not idle, to a server that waits for its erase", async () => {
    const { bench, drive } = benchWith();
    drive.faults.stalls = true;
    drive.state = "running";
    saysIdle(bench);
    const tools = await machineTools(bench.run, bench.files, bench.open);
    expect(await lookAtDrives({ tools })).toMatchObject([
      { serial: "SATA1", state: "unknown", remainingMs: null },
    ]);
    drive.state = "idle";
    expect(await lookAtDrives({ tools })).toMatchObject([{ serial: "SATA1", state: "idle", remainingMs: 0 }]);
  });
});

it.each(["ata-sanitize-block", "ata-secure-erase"] as const)(
  "a disk that refuses %s because it is erasing is waited for",
  async (technique) => {
    const { bench, drive } = benchWith();
    const pattern = technique === "ata-secure-erase" ? /--security-set-pass/ : /--sanitize-block-erase/;
    bench.spoil = (ran) => {
      if (!pattern.test(ran.command)) return ran;
      drive.faults.stalls = true;
      drive.state = "running";
      return { ...ran, stdout: new Uint8Array(), stderr: sanitizing };
    };
    const own = { techniques: { ...policy.techniques, ssd: [technique], hdd: [technique] } };
    expect(only(await bench.erase(eraseDisks, own))).toMatchObject({ result: "ERROR", problem: "hangs" });
    expect(sent(bench)).toHaveLength(1);
    expect(bench.remaining.get("SATA1")).toBeNull();
  },
);

it("a disk that refuses because it is erasing, and then says idle, is sent nothing more while it cannot be read", async () => {
  const { bench, drive } = benchWith();
  bench.spoil = (ran) => {
    if (/--sanitize-status/.test(ran.command))
      return { ...ran, exitCode: 0, stdout: bytes(idle), stderr: "" };
    if (!/--sanitize-block-erase/.test(ran.command)) return ran;
    drive.faults.stalls = true;
    drive.state = "running";
    return { ...ran, stdout: new Uint8Array(), stderr: sanitizing };
  };
  expect(only(await bench.erase(eraseDisks, policy))).toMatchObject({ result: "ERROR", problem: "hangs" });
  expect(sent(bench)).toHaveLength(1);
  expect(bench.remaining.get("SATA1")).toBeNull();
});

it("a disk whose status question is answered with an erase in progress is running", async () => {
  const { bench } = benchWith();
  bench.spoil = (ran) =>
    /--sanitize-status/.test(ran.command) ? { ...ran, stdout: new Uint8Array(), stderr: sanitizing } : ran;
  const tools = await machineTools(bench.run, bench.files, bench.open);
  expect(await lookAtDrives({ tools })).toMatchObject([{ serial: "SATA1", state: "erasing" }]);
});

it("a fast SAS disk that is over at the first look is proven by what is read back", async () => {
  const bench = new Bench();
  const drive = bench.add(
    new ScsiDrive({
      name: "sdb",
      serial: "SAS1",
      now: bench.now,
      opcodes: [" 48,3      Sanitize, cryptographic erase"],
    }),
  );
  bench.spoil = (ran) => {
    if (/sg_sanitize/.test(ran.command)) bench.nowMs += 60_000;
    return ran;
  };
  expect(only(await bench.erase(eraseDisks, policy))).toMatchObject({
    result: "OK",
    technique: "scsi-sanitize-crypto",
  });
  expect(drive.tenantBlocks).toBe(0);
});
