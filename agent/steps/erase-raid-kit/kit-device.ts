// A drive in a bay of an M.2 RAID kit as an erasable device: the kit's virtual disks are deleted, then the drive is formatted by passthrough
// (docs/design/sanitization.md#raid-kit).
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";
import type { EraseStatus, ErasableDevice, Outcome } from "@/agent/steps/erasable-device";
import { notRead, statusOfFormat } from "@/agent/steps/erase-nvme/nvme-facts";
import type { Answer, KitMember, Tools } from "@/agent/tools/tools";
import type { Area } from "@/agent/verification/area";

/** The facts in inventory and results. */
export function kitFacts({ bay, serial, model, firmware, capacityBytes }: KitMember): StorageDevice {
  return {
    serial: serial.trim(),
    model: model.trim(),
    firmware,
    media: "raid-kit",
    transport: "nvme",
    slot: `kit bay ${bay}`,
    capacityBytes: String(capacityBytes),
    removable: false,
  };
}

/** Why a drive of a kit does not support a technique; null: passthrough offers it. */
export const kitRefusal = (technique: Technique): string | null =>
  technique === "raid-kit-format" ? null : `${technique}: not for a drive of a RAID kit`;

/** One kit. Both its drives share its virtual disks, which are deleted once. */
export class Kit {
  #freed: Promise<Answer<true> | null> | null = null;

  constructor(
    readonly tools: Tools,
    readonly path: string,
  ) {}

  /** Deletes every virtual disk and checks again. Null if none is left, else the answer that says why. */
  freed(): Promise<Answer<true> | null> {
    this.#freed ??= this.#free();
    return this.#freed;
  }

  async #free(): Promise<Answer<true> | null> {
    const { kit } = this.tools;
    const refused = (answer: Answer<unknown>, status = answer.status): Answer<true> => ({
      ...answer,
      exitCode: answer.exitCode === 0 ? 1 : answer.exitCode,
      status,
      value: null,
    });
    const found = await kit.volumes(this.path);
    if (found.value === null) return refused(found);
    for (const volume of found.value) {
      const answer = await kit.removeVolume(this.path, volume);
      if (answer.value !== true) return refused(answer);
    }
    const left = found.value.length === 0 ? found : await kit.volumes(this.path);
    if (left.value === null) return refused(left);
    return left.value.length === 0
      ? null
      : refused(left, `virtual disk ${left.value.join(", ")} is still there after its deletion`);
  }
}

export class KitDevice implements ErasableDevice {
  readonly bus = "raid-kit";
  readonly tool: { readonly name: string; readonly version: string };
  readonly facts: StorageDevice;

  readonly #kit: Kit;
  readonly #member: KitMember;

  constructor(kit: Kit, member: KitMember) {
    this.#kit = kit;
    this.#member = member;

    this.facts = kitFacts(member);
    this.tool = { name: "mnv_cli", version: kit.tools.versions.mnvCli };
  }

  /** Passthrough reaches the drive's blocks, whatever virtual disk covers them. */
  prepare(): Promise<Outcome<readonly Area[]>> {
    return this.areas();
  }

  areas(): Promise<Outcome<readonly Area[]>> {
    const { bay, capacityBytes, blockBytes } = this.#member;
    return Promise.resolve({
      ok: true,
      value: [
        {
          target: { kind: "kit", kit: this.#kit.path, bay },
          blocks: Number(capacityBytes / BigInt(blockBytes)),
          blockBytes,
        },
      ],
    });
  }

  refusal(technique: Technique): string | null {
    return kitRefusal(technique);
  }

  /** The Format Progress Indicator is all that it reports: whether a format is running, not whose it is. */
  async readStatus(): Promise<Outcome<EraseStatus>> {
    const answer = await this.#kit.tools.kit.formatLeft(this.#kit.path, this.#member.bay);
    if (answer.value === null) return notRead("read its format status", answer);
    return { ok: true, value: statusOfFormat(answer.value, answer.status) };
  }

  async send(): Promise<{ answer: Answer<true>; over: boolean }> {
    const held = await this.#kit.freed();
    return {
      answer: held ?? (await this.#kit.tools.kit.format(this.#kit.path, this.#member.bay)),
      over: true,
    };
  }

  /** The kit itself creates virtual disks on its empty drives at the next restart. */
  renew(): Promise<Outcome<readonly string[]>> {
    return Promise.resolve({ ok: true, value: [] });
  }

  async health(): Promise<string | undefined> {
    const { value } = await this.#kit.tools.kit.health(this.#kit.path, this.#member.bay);
    return value === null
      ? undefined
      : `critical warning ${value.criticalWarning}, ${value.percentageUsed} % used`;
  }
}
