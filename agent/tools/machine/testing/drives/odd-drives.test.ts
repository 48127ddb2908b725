// Unusual hardware of real machines, with the real tool code: two paths to one drive, a RAID kit, hidden sectors of each kind, and techniques that report
// success and erase nothing.
import { describe, expect, it } from "vitest";
import { eraseDisks } from "@/agent/steps/erase-disks/erase-disks";
import { eraseNvme } from "@/agent/steps/erase-nvme/erase-nvme";
import { listNvmeDrives } from "@/agent/steps/erase-nvme/find-nvme-devices";
import { eraseRaidKit } from "@/agent/steps/erase-raid-kit/erase-raid-kit";
import { machineTools } from "@/agent/tools/machine/machine-tools";
import { AtaDrive, type AtaOptions } from "@/agent/tools/machine/testing/drives/ata-drive";
import { Bench } from "@/agent/tools/machine/testing/drives/bench";
import { NvmeDrive } from "@/agent/tools/machine/testing/drives/nvme-drive";
import { NvmePath } from "@/agent/tools/machine/testing/drives/nvme-path";
import { ScsiDrive } from "@/agent/tools/machine/testing/drives/scsi-drive";
import {
  levelOf,
  standards,
  techniques,
  type Technique,
} from "@/server/domain/cleaning/sanitization/techniques";

const policyOf = (...wanted: Technique[]) => ({
  techniques: { nvme: wanted, ssd: wanted, hdd: wanted, "raid-kit": wanted },
});
const erasing =
  / sanitize .*--sanact|nvme format|delete-ns|--sanitize-(?:crypto|block)|--security-erase|dd |sg_sanitize (?!--version)|passthru/;

describe("two controllers of one NVMe subsystem", () => {
  function subsystem() {
    const bench = new Bench();
    const drive = bench.add(
      new NvmeDrive({ name: "nvme0", serial: "REAL1", now: bench.now, sanicap: 2, oacs: 2 }),
    );
    bench.add(new NvmePath(drive, "nvme1"));
    return { bench, drive };
  }

  it("are two drives of one serial number, which the server takes for none", async () => {
    const { bench } = subsystem();
    const found = await listNvmeDrives(await machineTools(bench.run, bench.files, bench.open));
    expect(found.ok && found.value.map(({ path, facts }) => [path, facts.serial])).toEqual([
      ["/dev/nvme0", "REAL1"],
      ["/dev/nvme1", "REAL1"],
    ]);
  });

  it("are never erased with success: the sanitize of one is in the way of the other's", async () => {
    const { bench } = subsystem();
    const { outcome } = await bench.erase(eraseNvme, policyOf("nvme-sanitize-block"));
    expect(outcome.result).toBe("ERROR");
    expect(outcome.message).toContain("Sanitize In Progress");
    expect(outcome.devices.map(({ result }) => result).sort()).toEqual(["ERROR", "OK"]);
  });
});

describe("a RAID kit", () => {
  function kit() {
    const bench = new Bench();
    const model = "M.2 NVMe 2-Bay RAID Kit";
    const drive = bench.add(
      new NvmeDrive({ name: "nvme0", serial: "KIT1", now: bench.now, sanicap: 2, oacs: 2, model }),
    );
    return { bench, drive };
  }

  it("is no drive of the NVMe step, and nothing is sent to it", async () => {
    const { bench, drive } = kit();
    const { outcome } = await bench.erase(
      eraseNvme,
      policyOf("nvme-sanitize-block", "nvme-format-user-data"),
    );
    expect(outcome.devices).toEqual([]);
    expect(bench.commands.filter((command) => erasing.test(command))).toEqual([]);
    expect(drive.tenantBlocks).toBe(4096);
  });

  it("whose drives cannot be listed fails its own step: a set that may lack a drive is none", async () => {
    const { bench, drive } = kit();
    const { outcome } = await bench.erase(eraseRaidKit, policyOf("raid-kit-format"));
    expect(outcome).toMatchObject({ result: "ERROR", message: expect.stringContaining("mnv_cli") });
    expect(bench.commands.filter((command) => erasing.test(command))).toEqual([]);
    expect(drive.tenantBlocks).toBe(4096);
  });
});

describe("a SATA drive with hidden sectors", () => {
  const benchWith = (options: Partial<AtaOptions>) => {
    const bench = new Bench();
    const drive = bench.add(
      new AtaDrive({ name: "sda", serial: "SATA1", now: bench.now, hidden: 512, ...options }),
    );
    return { bench, drive };
  };

  it.each([
    ["hpa", "4096 of 4608 sectors can be addressed, the others are hidden (HPA or AMAX)"],
    ["amax", "4096 of 4608 sectors can be addressed, the others are hidden (HPA or AMAX)"],
    ["dco", "4096 of 4608 sectors can be addressed, the others are hidden (DCO)"],
    ["dcoUntold", "hdparm --dco-identify does not tell whether sectors are hidden (DCO)"],
  ] as const)("%s: what does not reach them is not sent", async (hiddenBy, message) => {
    const { bench, drive } = benchWith({ hiddenBy, security: true });
    const { outcome } = await bench.erase(eraseDisks, policyOf("ata-secure-erase", "overwrite"));
    expect(outcome).toMatchObject({ result: "ERROR", devices: [{ problem: "hidesSectors" }] });
    expect(outcome.message).toContain(message);
    expect(bench.commands.filter((command) => erasing.test(command))).toEqual([]);
    expect(drive.tenantBlocks).toBe(4608);
  });

  it.each(
    (["hpa", "amax", "dco"] as const).flatMap((hiddenBy) =>
      (["ata-sanitize-block", "ata-secure-erase-enhanced"] as const).map(
        (technique) => [hiddenBy, technique] as const,
      ),
    ),
  )("%s: %s reaches them", async (hiddenBy, technique) => {
    const { bench, drive } = benchWith({ hiddenBy, sanitize: 0x8000, security: true });
    const { outcome } = await bench.erase(eraseDisks, policyOf("overwrite", technique));
    expect(outcome).toMatchObject({ result: "OK", devices: [{ technique }] });
    expect(drive.tenantBlocks).toBe(0);
  });

  it("is of no technique, and not of hidden sectors, where the policy names none that those are in the way of", async () => {
    const { bench } = benchWith({ hiddenBy: "hpa" });
    const { outcome } = await bench.erase(eraseDisks, policyOf("ata-sanitize-block"));
    expect(outcome).toMatchObject({ result: "ERROR", devices: [{ problem: "noTechnique" }] });
  });
});

describe("a technique that reports success and erases nothing", () => {
  const never = techniques.filter((technique) =>
    standards.every((standard) => levelOf(technique, standard) === "none"),
  );
  it("is each of those that were seen to", () => {
    // SES 0; FORMAT UNIT of a disk that need not write; and what only unlinks blocks or namespaces. BusyBox's shred is not a technique at all.
    expect(never).toEqual(["nvme-format-none", "delete-namespace", "blkdiscard", "scsi-format"]);
  });

  const drives = {
    nvme: (now: () => number) =>
      new NvmeDrive({ name: "nvme0", serial: "D1", now, sanicap: 7, oacs: 0x10a, fna: 4 }),
    sata: (now: () => number) =>
      new AtaDrive({ name: "sda", serial: "D1", now, sanitize: 0xa000, security: true }),
    sas: (now: () => number) =>
      new ScsiDrive({
        name: "sdb",
        serial: "D1",
        now,
        opcodes: [" 04        Format Unit", " 42        Unmap"],
      }),
  };
  it.each(
    never.flatMap((technique) =>
      (["nvme", "sata", "sas"] as const).map((kind) => [technique, kind] as const),
    ),
  )("%s of a policy is sent to no drive: %s", async (technique, kind) => {
    const bench = new Bench();
    const drive = bench.add(drives[kind](bench.now));
    const { outcome } = await bench.erase(kind === "nvme" ? eraseNvme : eraseDisks, policyOf(technique));
    expect(outcome).toMatchObject({ result: "ERROR", devices: [{ problem: "noTechnique", tries: [] }] });
    expect(bench.commands.join("\n")).not.toMatch(
      / format |delete-ns|sg_format|blkdiscard|shred|sg_unmap|dd /,
    );
    expect(drive.tenantBlocks).toBe(4096);
  });
});
