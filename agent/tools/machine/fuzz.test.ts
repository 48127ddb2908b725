// Bytes without sense in place of what a program prints: nothing breaks, and nothing passes for an answer.
import { expect, it } from "vitest";
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
import { machineTools } from "@/agent/tools/machine/machine-tools";
import { readSettings } from "@/agent/tools/machine/mst-tools";
import { readCpus, readMemory } from "@/agent/tools/machine/system-tools";
import { printing, recorded, treeOf } from "@/agent/tools/machine/testing/recorded";
import { readAuthorizations } from "@/agent/tools/machine/tpm-tools";
import { bytesFrom, numbersFrom } from "@/agent/verification/stream";

const readers: readonly ((output: Uint8Array) => unknown)[] = [
  ...[readList, readNamespaces, readCreated, readController, readNamespace, readSanitizeLog, readHealth],
  ...[readIdentity, readSanitizeStatus, readOpcodes, readCpus, readMemory, readSettings, readAuthorizations],
  ...[readExtent, readNativeMax, readRealMax],
  (output) => {
    const sense = readSense(output);
    return sense === null ? null : sanitizeOf(sense);
  },
];
/** Those that read a structure by its length: any bytes of that length are one, and what they say is checked by reading back. */
const byLength = new Set<unknown>([readController, readHealth, readSanitizeLog, readNamespace]);

const below = numbersFrom("fuzz", "outputs");
/** Random bytes, cut out of one long row: made anew for each input they would take most of the time. */
const noise = bytesFrom("fuzz", "noise", 1024 * 1024);
const randomBytes = (length: number): Uint8Array => {
  const at = below(noise.length - length);
  return noise.subarray(at, at + length);
};
const inputs = 1_000_000;

it("random bytes, and recorded output with bytes changed, break no reader", () => {
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
});

it("random output of every program is no answer of any tool", async () => {
  const files = treeOf({ "/sys/block/sda/size": "131072\n" });
  const passed: string[] = [];
  for (let round = 0; round < 200; round += 1) {
    const length = [below(64), 512, 4096][round % 3] ?? 0;
    const bytes = Uint8Array.from({ length }, () => 128 + below(128));
    const { nvme, ata, scsi, disks, tpm, system, mst } = await machineTools(printing(bytes), files);
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
      ...[scsi.format("/dev/sda"), disks.health("/dev/sda"), disks.unfreeze(), tpm.authorizations()],
      ...[system.cpus(), system.testNic("eth0"), mst.query("0000:1a:00.0"), mst.reset("0000:1a:00.0")],
    ]);
    passed.push(...answers.filter(({ value }) => value !== null).map(({ command }) => command));
  }
  expect(passed).toEqual([]);
});
