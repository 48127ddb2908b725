// An NVMe drive that answers nvme-cli's commands, with its state and its bytes: NVMe Base Specification 2.1, sanitize operations (clause 8.1.24) and namespace management.
import {
  controllerBytes,
  namespaceBytes,
  sanitizeLogBytes,
} from "@/agent/tools/machine/testing/drives/nvme-bytes";
import {
  eraseWith,
  type Faults,
  type Said,
  type TestDrive,
} from "@/agent/tools/machine/testing/drives/drive";
import { Medium } from "@/agent/tools/machine/testing/drives/medium";
import { programs } from "@/agent/tools/machine/program/paths";

/** In the words of nvme-cli 2.3. */
const statuses = {
  opcode:
    "Invalid Command Opcode: A reserved coded value or an unsupported value in the command opcode field(0x4001)",
  field:
    "Invalid Field in Command: A reserved coded value or an unsupported value in a defined field(0x4002)",
  namespace: "Invalid Namespace or Format: The namespace or the format of that namespace is invalid(0x400b)",
  failed:
    "Sanitize Failed: The most recent sanitize operation failed and no recovery actions has been successfully completed(0x401c)",
  inProgress:
    "Sanitize In Progress: The requested function is prohibited while a sanitize operation is in progress(0x401d)",
  writeProtected:
    "Namespace is Write Protected: The command is prohibited while the namespace is write protected(0x4020)",
} as const;
const refuse = (status: keyof typeof statuses): Said => ({
  exitCode: 1,
  stderr: `NVMe status: ${statuses[status]}\n`,
});

export interface NvmeFaults extends Faults {
  /** Each sanitize ends as failed. */
  sanitizeFails?: boolean;
  /** A sanitize is taken, and nothing happens: the log stays as it was. */
  ignoresSanitize?: boolean;
  /** A format is refused. */
  formatRefused?: boolean;
}

/** The sanitize state machine. */
export type SanitizeIs = "idle" | "running" | "completed" | "failed" | "mediaVerification";

interface Namespace {
  readonly medium: Medium;
  /** Of the kernel's name, nvme0n<this>; null: detached. */
  instance: number | null;
}

export interface NvmeOptions {
  readonly name: string;
  readonly serial: string;
  readonly now: () => number;
  /** Blocks by namespace id, in the order in which they are attached; negative: detached. */
  readonly namespaces?: ReadonlyMap<number, number>;
  readonly sanicap?: number;
  readonly fna?: number;
  /** Another one than that which was recorded. */
  readonly model?: string;
  readonly oacs?: number;
  readonly durationMs?: number;
}

export class NvmeDrive implements TestDrive {
  readonly faults: NvmeFaults = {};
  readonly namespaces = new Map<number, Namespace>();
  /** Namespaces that were deleted: their bytes are out of reach, and not gone. */
  readonly #deleted: Medium[] = [];
  sanitize: SanitizeIs = "idle";
  /** AUSE of the last sanitize: whether its failure may be left without another one. */
  unrestricted = false;
  #action = 0;
  #startedAt = 0;

  constructor(readonly options: NvmeOptions) {
    for (const [id, blocks] of options.namespaces ?? new Map([[1, 4096]])) {
      const medium = new Medium(Math.abs(blocks), `${options.serial} namespace ${id}`);
      this.namespaces.set(id, { medium, instance: null });
      if (blocks > 0) this.#attach(id);
    }
  }

  get path(): string {
    return `/dev/${this.options.name}`;
  }

  get #media(): readonly Medium[] {
    return [...this.#deleted, ...[...this.namespaces.values()].map(({ medium }) => medium)];
  }

  get tenantBlocks(): number {
    return this.#media.reduce((sum, medium) => sum + medium.tenantBlocks, 0);
  }

  get blockDevices(): ReadonlyMap<string, Medium> {
    const shown = [...this.namespaces.values()].flatMap(({ medium, instance }) =>
      instance === null ? [] : ([[`/dev/${this.options.name}n${instance}`, medium]] as const),
    );
    return new Map(this.faults.gone === true ? [] : shown);
  }

  get files(): Readonly<Record<string, string>> {
    if (this.faults.gone === true) return {};
    const folder = `/sys/class/nvme/${this.options.name}`;
    const ids = [...this.namespaces].flatMap(([id, { instance }]) =>
      instance === null ? [] : ([[`${folder}/${this.options.name}n${instance}/nsid`, `${id}\n`]] as const),
    );
    return { [`${folder}/transport`]: "pcie\n", ...Object.fromEntries(ids) };
  }

  readonly links = {};

  /** The kernel gives the next free number, whatever the id. */
  #attach(id: number): void {
    const namespace = this.namespaces.get(id);
    const taken = new Set([...this.namespaces.values()].map(({ instance }) => instance));
    let free = 1;
    while (taken.has(free)) free += 1;
    if (namespace !== undefined) namespace.instance ??= free;
  }

  /** As another host left it: sanitized, with the media verification state asked for, or in the middle of it. */
  leave(state: SanitizeIs, action = 2): void {
    this.sanitize = state;
    this.#action = action;
    this.#startedAt = this.options.now();
  }

  #advance(): void {
    if (this.sanitize !== "running" || this.faults.stalls === true) return;
    if (this.options.now() - this.#startedAt < (this.options.durationMs ?? 10_000)) return;
    if (this.faults.sanitizeFails === true) {
      this.sanitize = "failed";
      return;
    }
    for (const medium of this.#media) eraseWith(this.faults, medium, this.#action === 4 ? "noise" : "zeros");
    this.sanitize = "completed";
  }

  powerLoss(ms: number): void {
    this.#startedAt += ms;
  }

  fault(access: "read" | "write"): string | null {
    this.#advance();
    if (this.faults.gone === true) return "ENXIO";
    if (this.sanitize === "running" || this.sanitize === "failed") return "EIO";
    const writes = access === "write";
    return writes && (this.faults.readOnly === true || this.sanitize === "mediaVerification") ? "EIO" : null;
  }

  run(program: string, [verb = "", path = "", ...args]: readonly string[]): Said | null {
    if (program !== programs.nvme || path !== this.path) return null;
    if (this.faults.gone === true) return { exitCode: 1, stderr: `${path}: No such file or directory\n` };
    this.#advance();
    const valueOf = (option: string) => Number(args[args.indexOf(option) + 1]);
    return this.#ask(verb, args, valueOf("-n")) ?? this.#change(verb, args, { id: valueOf("-n"), valueOf });
  }

  #ask(verb: string, args: readonly string[], id: number): Said | null {
    const { options } = this;
    switch (verb) {
      case "id-ctrl":
        return { stdout: controllerBytes({ oacs: 0x10a, sanicap: 0, fna: 0, ...options }) };
      case "list-ns": {
        const ids = [...this.namespaces].filter(
          ([, { instance }]) => args.includes("--all") || instance !== null,
        );
        const list = ids.map(([nsid]) => ({ nsid })).sort((a, b) => a.nsid - b.nsid);
        return { stdout: `${JSON.stringify({ nsid_list: list }, null, 2)}\n` };
      }
      case "id-ns": {
        const namespace = this.namespaces.get(id);
        const told = namespace !== undefined && (args.includes("--force") || namespace.instance !== null);
        return { stdout: told ? namespaceBytes(namespace.medium.blocks) : new Uint8Array(4096) };
      }
      case "smart-log":
        return { stdout: new Uint8Array(512) };
      case "sanitize-log":
        return (options.sanicap ?? 0) === 0 ? refuse("field") : { stdout: this.#log() };
      default:
        return null;
    }
  }

  #log(): Uint8Array {
    const share = (this.options.now() - this.#startedAt) / (this.options.durationMs ?? 10_000);
    const progress = this.faults.stalls === true ? 0.01 : Math.min(share, 0.999);
    return sanitizeLogBytes({
      sprog: this.sanitize === "running" ? Math.floor(progress * 65_536) : 0xffff,
      sstat: { idle: 0, completed: 1, running: 2, failed: 3, mediaVerification: 2 }[this.sanitize],
      scdw10: this.#action | (this.unrestricted ? 8 : 0),
      ssi: this.sanitize === "mediaVerification" ? 5 : 0,
    });
  }

  /** What is refused while a sanitize runs or has failed (clause 8.1.24.4). */
  #restriction(): Said | null {
    if (this.sanitize === "running" || this.sanitize === "mediaVerification") return refuse("inProgress");
    return this.sanitize === "failed" ? refuse("failed") : null;
  }

  #change(
    verb: string,
    args: readonly string[],
    { id, valueOf }: { readonly id: number; readonly valueOf: (option: string) => number },
  ): Said | null {
    if (this.faults.vanishesInErase === true && ["sanitize", "format"].includes(verb))
      this.faults.gone = true;
    if (verb === "sanitize") return this.#sanitize(args);
    const restricted = this.#restriction();
    if (restricted !== null) return restricted;
    const namespace = this.namespaces.get(id);
    switch (verb) {
      case "attach-ns":
        if (namespace === undefined) return refuse("namespace");
        this.#attach(id);
        return { stdout: `attach-ns: Success, nsid:${id}\n` };
      case "delete-ns":
        if (namespace === undefined) return refuse("namespace");
        this.#deleted.push(namespace.medium);
        this.namespaces.delete(id);
        return { stdout: `delete-ns: Success, deleted nsid:${id}\n` };
      case "create-ns": {
        const medium = new Medium(valueOf("-s"), `created in ${this.options.serial}`);
        medium.erase("zeros");
        this.namespaces.set(1, { medium, instance: null });
        return { stdout: "create-ns: Success, created nsid:1\n" };
      }
      case "format":
        if (this.faults.formatRefused === true) return refuse("opcode");
        if (this.faults.readOnly === true) return refuse("writeProtected");
        if (namespace === undefined) return refuse("namespace");
        if (valueOf("-s") === 1 || valueOf("-s") === 2)
          eraseWith(this.faults, namespace.medium, valueOf("-s") === 2 ? "noise" : "zeros");
        // SES 0 formats nothing that was written, and reports the same.
        return { stdout: `Success formatting namespace:${id}\n` };
      default:
        return null;
    }
  }

  #sanitize(args: readonly string[]): Said {
    const action = Number(args.find((arg) => arg.startsWith("--sanact="))?.slice("--sanact=".length));
    if (this.sanitize === "running") return refuse("inProgress");
    // Exit Failure Mode (1) is for an unrestricted failure, Exit Media Verification State (5) for that state.
    if (action === 1 || action === 5) {
      const leaves = action === 5 ? this.sanitize === "mediaVerification" : this.unrestricted;
      if (!leaves) return refuse(this.sanitize === "failed" ? "failed" : "field");
      this.sanitize = action === 5 ? "completed" : "idle";
      return {};
    }
    if (this.sanitize === "mediaVerification") return refuse("inProgress");
    const capability = { 4: 1, 2: 2, 3: 4 }[action] ?? 0;
    if (((this.options.sanicap ?? 0) & capability) === 0)
      return refuse((this.options.sanicap ?? 0) === 0 ? "opcode" : "field");
    if (this.faults.ignoresSanitize === true) return {};
    this.unrestricted = args.includes("--ause");
    this.leave("running", action);
    return {};
  }
}
