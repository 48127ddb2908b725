// An NVMe controller with all its namespaces as an erasable device (docs/design/sanitization.md#nvme).
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";
import type { EraseStatus, ErasableDevice, Outcome } from "@/agent/steps/erasable-device";
import { renewNamespaces } from "@/agent/steps/erase-nvme/renew-namespaces";
import {
  failed,
  notRead,
  statusOfFormat,
  managesNamespaces,
  nvmeRefusal,
  sanitizeActions,
  sanitizeState,
  techniqueOfAction,
  verifiesMedia,
} from "@/agent/steps/erase-nvme/nvme-facts";
import type { Answer, NvmeController, Tools } from "@/agent/tools/tools";
import type { Area } from "@/agent/verification/area";

/** The facts in inventory and results, from `nvme id-ctrl` and `nvme list-ns --all`. */
export function nvmeFacts(
  identity: NvmeController,
  namespaces: readonly number[],
  capacityBytes: bigint,
): StorageDevice {
  return {
    serial: identity.sn.trim(),
    model: identity.mn.trim(),
    firmware: identity.fr.trim(),
    media: "nvme",
    transport: "nvme",
    capacityBytes: String(capacityBytes),
    namespaces: [...namespaces],
    removable: false,
  };
}

export class NvmeDevice implements ErasableDevice {
  readonly bus = "nvme";
  readonly tool: { readonly name: string; readonly version: string };
  #areas: readonly Area[] = [];

  readonly #tools: Tools;
  readonly #controller: string;
  readonly #identity: NvmeController;

  constructor(
    tools: Tools,
    controller: string,
    identity: NvmeController,
    readonly facts: StorageDevice,
  ) {
    this.#tools = tools;
    this.#controller = controller;
    this.#identity = identity;

    this.tool = { name: "nvme-cli", version: tools.versions.nvme };
  }

  async prepare(): Promise<Outcome<readonly Area[]>> {
    const areas = await this.areas();
    if (areas.ok) this.#areas = areas.value;
    return areas;
  }

  async areas(): Promise<Outcome<readonly Area[]>> {
    const { nvme } = this.#tools;
    const [all, attached] = await Promise.all([
      nvme.namespaces(this.#controller, "all"),
      nvme.namespaces(this.#controller, "attached"),
    ]);
    if (all.value === null) return failed("list its namespaces", all);
    if (attached.value === null) return failed("list its attached namespaces", attached);
    for (const namespace of all.value) {
      if (attached.value.includes(namespace)) continue;
      const answer = await nvme.attach(this.#controller, namespace, this.#identity.cntlid);
      if (answer.value !== true) return failed(`attach namespace ${namespace}`, answer);
    }
    const areas: Area[] = [];
    for (const namespace of all.value) {
      const answer = await nvme.identifyNamespace(this.#controller, namespace);
      const format = answer.value?.formats[answer.value.format];
      if (answer.value === null || !format) return failed(`identify namespace ${namespace}`, answer);
      areas.push({
        target: { kind: "nvme", controller: this.#controller, namespace },
        blocks: answer.value.nsze,
        blockBytes: format.dataBytes,
      });
    }
    return { ok: true, value: areas };
  }

  refusal(technique: Technique): string | null {
    return nvmeRefusal(this.#identity, technique);
  }

  async readStatus(): Promise<Outcome<EraseStatus>> {
    if (this.#identity.sanicap === 0) return this.#formatStatus();
    const answer = await this.#tools.nvme.sanitizeLog(this.#controller);
    if (answer.value === null) return notRead("read its sanitize status", answer);
    const { sprog, sstat, scdw10, estimateSeconds } = answer.value;
    // Reserved in drives without Verification Support, so its value there means nothing.
    const ssi = verifiesMedia(this.#identity) ? (answer.value.ssi ?? 0) : 0;
    const sans = ssi & 0xf;
    const technique = techniqueOfAction(scdw10 & 7);
    const estimate =
      technique === null ? null : estimateSeconds[sanitizeActions[technique]?.estimate ?? "block"];
    const state = sanitizeState({ sstat, ssi });
    return {
      ok: true,
      value: {
        state,
        technique,
        percent:
          state === "completed" || state === "mediaVerification"
            ? 100
            : state === "running"
              ? (sprog / 65_536) * 100
              : 0,
        text: answer.status,
        code: { bus: "nvmeSanitize", sstat: sstat & 7, ...(sans === 0 ? {} : { sans }) },
        estimateMs: estimate === null ? null : estimate * 1000,
      },
    };
  }

  /** For a controller without sanitize: the Format Progress Indicator shows whether a format is still running. */
  async #formatStatus(): Promise<Outcome<EraseStatus>> {
    const left: number[] = [];
    const listed = await this.#tools.nvme.namespaces(this.#controller, "all");
    if (listed.value === null) return notRead("list its namespaces", listed);
    for (const namespace of listed.value) {
      const answer = await this.#tools.nvme.identifyNamespace(this.#controller, namespace);
      if (answer.value === null) return notRead(`identify namespace ${namespace}`, answer);
      left.push(answer.value.fpiPercentLeft);
    }
    const most = Math.max(0, ...left);
    return { ok: true, value: statusOfFormat(most, `FPI ${most}`) };
  }

  holds(technique: Technique): boolean {
    return verifiesMedia(this.#identity) && sanitizeActions[technique] !== undefined;
  }

  async send(technique: Technique, hold = false): Promise<{ answer: Answer<true>; over: boolean }> {
    const action = sanitizeActions[technique];
    const { nvme } = this.#tools;
    if (action) {
      const send = hold ? nvme.sanitizeAndHold : nvme.sanitize;
      return { answer: await send(this.#controller, action.sanact), over: false };
    }
    const ses = technique === "nvme-format-crypto" ? 2 : 1;
    const answers: Answer<true>[] = [];
    for (const { target } of this.#areas) {
      if (target.kind !== "nvme") continue;
      const answer = await this.#tools.nvme.format(this.#controller, target.namespace, ses);
      answers.push(answer);
      if (answer.value !== true) break;
    }
    const last = answers.at(-1);
    if (!last)
      return {
        answer: { command: "nvme format", exitCode: 1, status: "no namespace", value: null },
        over: true,
      };
    return {
      answer: {
        ...last,
        command: answers.map(({ command }) => command).join("; "),
        status: answers.map(({ status }) => status).join("; "),
      },
      over: true,
    };
  }

  /** Exit Failure Mode: refused after a sanitize in restricted mode, which all of ours are. */
  async leaveFailure(): Promise<Answer<true> | null> {
    return this.#identity.sanicap === 0 ? null : this.#tools.nvme.sanitize(this.#controller, 1);
  }

  /** A sanitize that holds the media ends only after this command, whoever requested it. */
  async leaveMediaVerification(): Promise<Answer<true>> {
    return this.#tools.nvme.exitMediaVerification(this.#controller);
  }

  get renewsNamespaces(): boolean {
    return managesNamespaces(this.#identity);
  }

  async renew(): Promise<Outcome<readonly string[]>> {
    if (!managesNamespaces(this.#identity)) return { ok: true, value: [] };
    return renewNamespaces(this.#tools.nvme, this.#controller, this.#identity);
  }

  async health(): Promise<string | undefined> {
    const answer = await this.#tools.nvme.health(this.#controller);
    if (answer.value === null) return undefined;
    const { criticalWarning, percentageUsed, mediaErrors } = answer.value;
    return `critical warning ${criticalWarning}, ${percentageUsed} % used, ${mediaErrors} media errors`;
  }
}
