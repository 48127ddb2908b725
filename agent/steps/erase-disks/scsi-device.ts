// A SAS disk as an erasable device: sanitize, if REPORT SUPPORTED OPERATION CODES lists it (docs/design/sanitization.md#sata-and-sas; SBC-4).
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";
import type { EraseStatus, ErasableDevice, Outcome } from "@/agent/steps/erasable-device";
import { DiskDevice } from "@/agent/steps/erase-disks/disk-device";
import {
  atRest,
  scsiRefusal,
  statusOf,
  wholeDisk,
  type ScsiSupport,
} from "@/agent/steps/erase-disks/disk-facts";
import { failed, notRead } from "@/agent/steps/erase-nvme/nvme-facts";
import type { Answer } from "@/agent/tools/tools";
import type { Area } from "@/agent/verification/area";

export class ScsiDevice extends DiskDevice implements ErasableDevice {
  readonly bus = "scsi";
  readonly tool = { name: "sg3_utils", version: this.tools.versions.sg3utils };
  #supported: ScsiSupport | null = null;

  async prepare(): Promise<Outcome<readonly Area[]>> {
    const supported = await this.#ask();
    return supported.ok ? { ok: true, value: [wholeDisk(this.disk)] } : supported;
  }

  async #ask(): Promise<Outcome<ScsiSupport>> {
    const answer = await this.tools.scsi.supported(this.disk.path);
    if (answer.value === null) return failed("ask which commands it supports", answer);
    this.#supported = answer.value;
    return { ok: true, value: answer.value };
  }

  refusal(technique: Technique): string | null {
    return scsiRefusal(this.#supported, technique);
  }

  async readStatus(): Promise<Outcome<EraseStatus>> {
    const supported =
      this.#supported === null ? await this.#ask() : { ok: true as const, value: this.#supported };
    if (!supported.ok) return supported;
    if (!supported.value.sanitizeCrypto && !supported.value.sanitizeBlock) return { ok: true, value: atRest };
    const answer = await this.tools.scsi.sanitizeStatus(this.disk.path);
    if (answer.value === null) return notRead("read its sanitize status", answer);
    return {
      ok: true,
      value: {
        ...statusOf(answer, answer.value, { crypto: "scsi-sanitize-crypto", block: "scsi-sanitize-block" }),
        tellsEnd: false,
      },
    };
  }

  async send(technique: Technique): Promise<{ answer: Answer<true>; over: boolean }> {
    const { scsi, disks } = this.tools;
    const { path } = this.disk;
    if (technique === "scsi-sanitize-crypto")
      return { answer: await scsi.sanitize(path, "crypto"), over: false };
    if (technique === "scsi-sanitize-block")
      return { answer: await scsi.sanitize(path, "block"), over: false };
    return { answer: await disks.overwrite(path), over: true };
  }

  renew(): Promise<Outcome<readonly string[]>> {
    return Promise.resolve({ ok: true, value: [] });
  }
}
