// A SATA disk as an erasable device: sanitize, or the security erase (ACS-4, SECURITY ERASE UNIT).
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";
import type { EraseStatus, ErasableDevice, Outcome } from "@/agent/steps/erasable-device";
import { DiskDevice } from "@/agent/steps/erase-disks/disk-device";
import { ataRefusal, atRest, statusOf } from "@/agent/steps/erase-disks/disk-facts";
import { failed, notRead } from "@/agent/steps/erase-nvme/nvme-facts";
import type { Answer, AtaIdentity } from "@/agent/tools/tools";
import type { Area } from "@/agent/verification/area";

/**
 * SECURITY ERASE UNIT needs a password on the drive. It protects nothing, so it is the same on every drive: if an interrupted erase left a drive
 * locked, an agent of a later boot, or a person with `hdparm --security-unlock`, can open it.
 */
export const erasePassword = "reclaim";

export class AtaDevice extends DiskDevice implements ErasableDevice {
  readonly bus = "ata";
  readonly tool = { name: "hdparm", version: this.tools.versions.hdparm };
  #identity: AtaIdentity | null = null;

  async prepare(): Promise<Outcome<readonly Area[]>> {
    let answer = await this.tools.ata.identify(this.disk.path);
    if (answer.value?.security.frozen) {
      await this.tools.disks.unfreeze();
      answer = await this.tools.ata.identify(this.disk.path);
    }
    // One try per attempt: a drive accepts five wrong passwords, and then none until a power cycle.
    if (answer.value?.security.locked) {
      // safety: agent: a drive that our own erase left locked is unlocked
      await this.tools.ata.unlock(this.disk.path, erasePassword);
      answer = await this.tools.ata.identify(this.disk.path);
    }
    if (answer.value === null) return failed("identify it", answer);
    if (answer.value.security.locked)
      return {
        ok: false,
        kind: "locked",
        problem: "locked by an ATA password that is not Reclaim's: unlock the drive, or take it out",
      };
    this.#identity = answer.value;
    // Left by an interrupted erase of ours. If the password is a different one, the drive reports that when it refuses the erase.
    if (answer.value.security.enabled) await this.#takeOff();
    return this.areas();
  }

  refusal(technique: Technique): string | null {
    return ataRefusal(this.#identity, technique);
  }

  hiddenArea(): string | null {
    return this.#identity?.hiddenArea ?? null;
  }

  async readStatus(): Promise<Outcome<EraseStatus>> {
    if (this.#identity === null) {
      const identity = await this.tools.ata.identify(this.disk.path);
      if (identity.value === null) return failed("identify it", identity);
      this.#identity = identity.value;
    }
    if (!this.#identity.sanitize.crypto && !this.#identity.sanitize.block) return { ok: true, value: atRest };
    const answer = await this.tools.ata.sanitizeStatus(this.disk.path);
    if (answer.value === null) return notRead("read its sanitize status", answer);
    return {
      ok: true,
      value: statusOf(answer, answer.value, { crypto: "ata-sanitize-crypto", block: "ata-sanitize-block" }),
    };
  }

  async send(technique: Technique): Promise<{ answer: Answer<true>; over: boolean }> {
    const { ata, disks } = this.tools;
    const { path } = this.disk;
    if (technique === "ata-sanitize-crypto")
      return { answer: await ata.sanitize(path, "crypto"), over: false };
    if (technique === "ata-sanitize-block") return { answer: await ata.sanitize(path, "block"), over: false };
    if (technique === "overwrite") return { answer: await disks.overwrite(path), over: true };
    const set = await ata.setPassword(path, erasePassword);
    if (set.value !== true) return { answer: set, over: true };
    const erased = await ata.secureErase(path, erasePassword, technique === "ata-secure-erase-enhanced");
    // A completed erase removes the password itself; after a failed one the disk must not stay locked.
    // An erase that may still be running is sent nothing more.
    // safety: agent: no password stays on a drive
    if (erased.value !== true && erased.over !== false) await this.renew();
    return { answer: erased, over: true };
  }

  /** After any erase: also removes a password that an earlier one left. */
  async renew(): Promise<Outcome<readonly string[]>> {
    const identity = await this.tools.ata.identify(this.disk.path);
    if (identity.value?.security.enabled === false) return { ok: true, value: [] };
    const answer = await this.#takeOff();
    return answer.value === true ? { ok: true, value: [] } : failed("take its ATA password off", answer);
  }

  #takeOff(): Promise<Answer<true>> {
    return this.tools.ata.disableSecurity(this.disk.path, erasePassword);
  }
}
