// Random bytes in place of a program's output: nothing breaks, and nothing passes for a valid answer.
import { describe, expect, inject, it } from "vitest";
import type { ExecuteCommand } from "@/server/domain/agents/protocol";
import { eraseDisks } from "@/agent/steps/erase-disks/erase-disks";
import { eraseNvme } from "@/agent/steps/erase-nvme/erase-nvme";
import type { Step } from "@/agent/steps/step";
import type { Ran } from "@/agent/tools/machine/program/run-tool";
import { AtaDrive } from "@/agent/tools/machine/testing/drives/ata-drive";
import { Bench } from "@/agent/tools/machine/testing/drives/bench";
import type { TestDrive } from "@/agent/tools/machine/testing/drives/drive";
import { NvmeDrive, type NvmeOptions } from "@/agent/tools/machine/testing/drives/nvme-drive";
import { ScsiDrive } from "@/agent/tools/machine/testing/drives/scsi-drive";
import {
  readExtent,
  readIdentity,
  readNativeMax,
  readRealMax,
  readSanitizeStatus,
} from "@/agent/tools/machine/disks/ata-output";
import { readOpcodes, readSense, sanitizeOf } from "@/agent/tools/machine/disks/scsi-output";
import {
  readController,
  readCreated,
  readHealth,
  readList,
  readNamespace,
  readNamespaces,
  readSanitizeLog,
} from "@/agent/tools/machine/nvme/nvme-output";
import { readModules } from "@/agent/tools/machine/parts/memory-output";
import { readGpus, readNvlinks, readRemaps } from "@/agent/tools/machine/parts/nvidia-output";
import {
  readCardFirmware,
  readDeviceSerial,
  readPciNames,
  readProductData,
} from "@/agent/tools/machine/parts/pci-output";
import { machineTools } from "@/agent/tools/machine/machine-tools";
import { readSettings } from "@/agent/tools/machine/mst-tools";
import { readCpus, readMemory } from "@/agent/tools/machine/system-tools";
import { printing, recorded, treeOf } from "@/agent/tools/machine/testing/recorded";
import { readTpmState } from "@/agent/tools/machine/tpm-tools";
import { bytesFrom, numbersFrom } from "@/agent/verification/stream";

declare module "vitest" {
  interface ProvidedContext {
    /** Number of inputs; undefined: a cheap share. */
    fuzz: number | undefined;
  }
}

const readers: readonly ((output: Uint8Array) => unknown)[] = [
  ...[readList, readNamespaces, readCreated, readController, readNamespace, readSanitizeLog, readHealth],
  ...[readIdentity, readSanitizeStatus, readOpcodes, readCpus, readMemory, readSettings, readTpmState],
  ...[readExtent, readNativeMax, readRealMax],
  ...[readGpus, readRemaps, readNvlinks, readModules, readPciNames, readCardFirmware],
  ...[readProductData, readDeviceSerial],
  (output) => {
    const sense = readSense(output);
    return sense === null ? null : sanitizeOf(sense);
  },
];
/** Readers that recognize a structure by its length, so any bytes of that length are one; what they say is checked by read-back. */
const byLength = new Set<unknown>([readController, readHealth, readSanitizeLog, readNamespace]);

const below = numbersFrom("fuzz", "outputs");
/** Random bytes, cut from one long row: making new ones for each input would take most of the time. */
const noise = bytesFrom("fuzz", "noise", 1024 * 1024);
const randomBytes = (length: number): Uint8Array => {
  const at = below(noise.length - length);
  return noise.subarray(at, at + length);
};
/** `FUZZ=1000000 npx vitest run --project unit agent/tools/machine/fuzz.test.ts` for that many of each kind. */
const inputs = inject("fuzz") ?? 20_000;
/** For whole steps, whose drives cost more than a reader. */
const stepInputs = inject("fuzz") ?? 3_000;
const limitMs = 3_600_000;

it(
  "random bytes, and recorded output with bytes changed, break no reader",
  () => {
    const samples = [...recorded.values()].map(({ stdout }) => stdout).filter(({ length }) => length > 0);
    const changed = samples.map((sample) => Uint8Array.from(sample));
    const understood: unknown[] = [];
    for (let count = 0; count < inputs; count += 1) {
      const reader = readers[count % readers.length];
      if (reader === undefined) throw new Error("no reader");
      if (count % 4 === 0) {
        const bytes = randomBytes(below(48));
        const value = reader(bytes);
        if (value !== null && !byLength.has(reader))
          understood.push([readers.indexOf(reader), value, bytes.toString()]);
        continue;
      }
      const at = below(changed.length);
      const bytes = changed[at];
      const sample = samples[at];
      if (bytes === undefined || sample === undefined) throw new Error("no sample");
      const place = below(bytes.length);
      bytes[place] = below(256);
      reader(count % 8 === 1 ? bytes.subarray(0, place) : bytes);
      bytes[place] = sample[place] ?? 0;
    }
    expect(understood).toEqual([]);
  },
  limitMs,
);

it("random output of every program is no answer of any tool", async () => {
  const files = treeOf({ "/sys/block/sda/size": "131072\n" });
  const passed: string[] = [];
  for (let round = 0; round < 200; round += 1) {
    const length = [below(64), 512, 4096][round % 3] ?? 0;
    const bytes = Uint8Array.from({ length }, () => 128 + below(128));
    const { nvme, ata, scsi, disks, tpm, system, mst, parts } = await machineTools(printing(bytes), files);
    const answers = await Promise.all([
      ...[nvme.list(), nvme.namespaces("/dev/nvme0", "all"), nvme.create("/dev/nvme0", 1, 0)],
      ...[nvme.attach("/dev/nvme0", 1, 1), nvme.remove("/dev/nvme0", 1), nvme.format("/dev/nvme0", 1, 1)],
      ...(length === 512 ? [] : [nvme.sanitizeLog("/dev/nvme0"), nvme.health("/dev/nvme0")]),
      ...(length === 4096 ? [] : [nvme.identify("/dev/nvme0"), nvme.identifyNamespace("/dev/nvme0", 1)]),
      ...(length === 0 ? [] : [nvme.sanitize("/dev/nvme0", 2), disks.overwrite("/dev/sda"), tpm.clear()]),
      ...[ata.identify("/dev/sda"), ata.sanitize("/dev/sda", "block"), ata.sanitizeStatus("/dev/sda")],
      ...[
        ata.secureErase("/dev/sda", "p", true),
        ata.unlock("/dev/sda", "p"),
        ata.disableSecurity("/dev/sda", "p"),
      ],
      ...[scsi.supported("/dev/sda"), scsi.sanitize("/dev/sda", "block"), scsi.sanitizeStatus("/dev/sda")],
      ...[disks.health("/dev/sda"), disks.unfreeze(), tpm.state(), tpm.ownerKey()],
      ...[parts.pci(), parts.gpus(), parts.memory()],
      ...[system.cpus(), system.testNic("eth0"), mst.query("0000:1a:00.0"), mst.reset("0000:1a:00.0")],
    ]);
    passed.push(...answers.filter(({ value }) => value !== null).map(({ command }) => command));
  }
  expect(passed).toEqual([]);
});

/** What the server expects: a drive that is not found, or has another identity, is missing. */
const expected = (model: string): ExecuteCommand["devices"][number] => ({
  ...{ serial: "FUZZ", model, media: "nvme", transport: "nvme", capacityBytes: "0", removable: false },
});

describe("in place of what the programs print during a whole step", () => {
  const nvme = (more: Partial<NvmeOptions>) => (bench: Bench) =>
    bench.add(new NvmeDrive({ name: "nvme0", serial: "FUZZ", now: bench.now, ...more }));
  /** Each kind once as it should be, and once keeping a tenant's bytes while reporting success. */
  const kinds: readonly (readonly [string, string, Step, (bench: Bench) => TestDrive])[] = [
    [
      "sanitize",
      "QEMU NVMe Ctrl",
      eraseNvme,
      nvme({ sanicap: 7, oacs: 2, durationMs: 1_000, namespaces: new Map([[1, 64]]) }),
    ],
    [
      "sanitize with media verification",
      "QEMU NVMe Ctrl",
      eraseNvme,
      nvme({ sanicap: 0xf, oacs: 2, durationMs: 1_000, namespaces: new Map([[1, 64]]) }),
    ],
    [
      "format",
      "QEMU NVMe Ctrl",
      eraseNvme,
      nvme({
        sanicap: 0,
        namespaces: new Map([
          [1, 64],
          [6, 64],
          [3, -64],
        ]),
      }),
    ],
    [
      "SATA",
      "QEMUSATA",
      eraseDisks,
      (bench) =>
        bench.add(
          new AtaDrive({
            name: "sda",
            serial: "FUZZ",
            blocks: 64,
            now: bench.now,
            sanitize: 0xa000,
            security: true,
          }),
        ),
    ],
    [
      "SAS",
      "ST4000",
      eraseDisks,
      (bench) =>
        bench.add(
          new ScsiDrive({
            name: "sda",
            serial: "FUZZ",
            blocks: 64,
            now: bench.now,
            opcodes: [" 48,2      Sanitize, block erase"],
          }),
        ),
    ],
  ];
  const techniques = {
    nvme: ["nvme-sanitize-block", "nvme-sanitize-crypto", "nvme-format-user-data"],
    ssd: ["ata-sanitize-block", "ata-secure-erase-enhanced", "scsi-sanitize-block", "overwrite"],
    hdd: ["scsi-sanitize-block", "overwrite"],
    "raid-kit": [],
  } satisfies ExecuteCommand["erase"]["techniques"];

  /** Leaves three of four outputs as they are, so that a step gets far enough to be misled. */
  const spoiled = (ran: Ran): Ran => {
    switch (below(12)) {
      case 0:
        return { ...ran, exitCode: 0, stdout: randomBytes(below(600)), stderr: "" };
      case 1:
        return { ...ran, exitCode: 0, stdout: ran.stdout.subarray(0, below(ran.stdout.length + 1)) };
      case 2: {
        const stdout = Uint8Array.from(ran.stdout);
        if (stdout.length > 0) stdout[below(stdout.length)] = below(256);
        return { ...ran, exitCode: 0, stdout, stderr: "" };
      }
      default:
        return ran;
    }
  };

  it.each(kinds)(
    "of a drive erased by %s: nothing breaks, and nothing passes that still has a block",
    async (_what, model, step, make) => {
      let outputs = 0;
      const bad: string[] = [];
      const passed = { honest: 0, lying: 0 };
      for (let round = 0; outputs < stepInputs / kinds.length; round += 1) {
        const bench = new Bench();
        const drive = make(bench);
        drive.faults.lies = round % 2 === 0;
        bench.spoil = (ran) => {
          outputs += 1;
          return spoiled(ran);
        };
        const settings = { samplesPerDevice: 8, markersPerDevice: 4, noProgressTimeoutMs: 5_000 };
        const { outcome } = await bench.erase(
          step,
          { techniques, ...settings },
          { devices: [expected(model)] },
        );
        if (outcome.result !== "OK") continue;
        passed[drive.faults.lies ? "lying" : "honest"] += 1;
        if (drive.tenantBlocks > 0)
          bad.push(`${round}: ${JSON.stringify(outcome)} ${bench.commands.join("; ")}`);
      }
      expect(bad.slice(0, 3)).toEqual([]);
      expect(passed.lying).toBe(0);
      // If honest drives can pass, the lying ones were really judged.
      expect(passed.honest).toBeGreaterThan(0);
    },
    limitMs,
  );
});
