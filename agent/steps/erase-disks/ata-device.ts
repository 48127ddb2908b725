// A SATA disk as an erasable device: sanitize, or the security erase with a throw-away password (design: sanitization.md, SATA; ACS-4).
import type { StorageDevice } from "@/server/domain/inventory/inventory";
import type { Technique } from "@/server/domain/sanitization/techniques";
import type { EraseStatus, ErasableDevice, Outcome } from "@/agent/steps/erasable-device";
import { atRest, healthOf, statusOf, wholeDisk } from "@/agent/steps/erase-disks/disk-facts";
import { failed } from "@/agent/steps/erase-nvme/nvme-facts";
import type { Chance } from "@/agent/surroundings";
import type { Answer, AtaIdentity, Disk, Tools } from "@/agent/tools/tools";
import type { Area } from "@/agent/verification/area";

export class AtaDevice implements ErasableDevice {
  readonly bus = "ata";
  readonly tool: { readonly name: string; readonly version: string };
  #identity: AtaIdentity | null = null;
  #password: string | null = null;

  constructor(
    private readonly tools: Tools,
    private readonly chance: Chance,
    private readonly disk: Disk,
    readonly facts: StorageDevice,
  ) {
    this.tool = { name: "hdparm", version: tools.versions.hdparm };
  }

  async prepare(): Promise<Outcome<readonly Area[]>> {
    let answer = await this.tools.ata.identify(this.disk.path);
    if (answer.value?.security.frozen) {
      await this.tools.disks.unfreeze();
      answer = await this.tools.ata.identify(this.disk.path);
    }
    if (answer.value === null) return failed("identify it", answer);
    if (answer.value.security.locked) return { ok: false, problem: "locked by an ATA password that is not known" };
    this.#identity = answer.value;
    return { ok: true, value: [wholeDisk(this.disk)] };
  }

  refusal(technique: Technique): string | null {
    const identity = this.#identity;
    const offers = {
      "ata-sanitize-crypto": identity?.sanitize.crypto,
      "ata-sanitize-block": identity?.sanitize.block,
      "ata-secure-erase-enhanced": identity?.security.supported && identity.security.enhancedErase && !identity.security.frozen,
      "ata-secure-erase": identity?.security.supported && !identity.security.frozen,
      overwrite: true,
    } satisfies Partial<Record<Technique, boolean | undefined>>;
    const known = Object.entries(offers).find(([name]) => name === technique);
    if (!known) return `${technique}: not for a SATA disk`;
    return known[1] ? null : `${technique}: not offered by hdparm -I${identity?.security.frozen ? " (security frozen)" : ""}`;
  }

  async readStatus(): Promise<Outcome<EraseStatus>> {
    if (this.#identity === null) {
      const identity = await this.tools.ata.identify(this.disk.path);
      if (identity.value === null) return failed("identify it", identity);
      this.#identity = identity.value;
    }
    if (!this.#identity.sanitize.crypto && !this.#identity.sanitize.block) return { ok: true, value: atRest };
    const answer = await this.tools.ata.sanitizeStatus(this.disk.path);
    if (answer.value === null) return failed("read its sanitize status", answer);
    return { ok: true, value: statusOf(answer, answer.value, { crypto: "ata-sanitize-crypto", block: "ata-sanitize-block" }) };
  }

  async send(technique: Technique): Promise<{ answer: Answer<true>; over: boolean }> {
    const { ata, disks } = this.tools;
    const { path } = this.disk;
    if (technique === "ata-sanitize-crypto") return { answer: await ata.sanitize(path, "crypto"), over: false };
    if (technique === "ata-sanitize-block") return { answer: await ata.sanitize(path, "block"), over: false };
    if (technique === "overwrite") return { answer: await disks.overwrite(path), over: true };
    const password = Buffer.from(this.chance.bytes(12)).toString("hex");
    const locked = await ata.setPassword(path, password);
    if (locked.value !== true) return { answer: locked, over: true };
    const erased = await ata.secureErase(path, password, technique === "ata-secure-erase-enhanced");
    // A completed erase takes the password off by itself; after a failed one the disk must not stay locked.
    const identity = await ata.identify(path);
    if (identity.value?.security.enabled !== false) this.#password = password;
    if (erased.value !== true) await this.renew();
    return { answer: erased, over: true };
  }

  async renew(): Promise<Outcome<readonly string[]>> {
    if (this.#password === null) return { ok: true, value: [] };
    const answer = await this.tools.ata.disableSecurity(this.disk.path, this.#password);
    if (answer.value !== true) return failed("take the throw-away password off", answer);
    this.#password = null;
    return { ok: true, value: [] };
  }

  health(): Promise<string | undefined> {
    return healthOf(this.tools.disks, this.disk.path);
  }
}
