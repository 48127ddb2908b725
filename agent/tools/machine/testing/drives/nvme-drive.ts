// An NVMe drive with state and bytes that answers nvme-cli's commands: NVMe Base Specification 2.1, sanitize operations (clause 8.1.24) and namespace
// management.
import { controllerBytes, namespaceBytes } from "@/agent/tools/machine/testing/drives/nvme-bytes";
import { eraseWith, type ProgramAnswer, type TestDrive } from "@/agent/tools/machine/testing/drives/drive";
import { Medium } from "@/agent/tools/machine/testing/drives/medium";
import {
  NvmeSanitize,
  type SanitizeFaults,
  type SanitizeIs,
} from "@/agent/tools/machine/testing/drives/nvme-sanitize";
import { refuse } from "@/agent/tools/machine/testing/drives/nvme-status";
import { programs } from "@/agent/tools/machine/program/paths";

export interface NvmeFaults extends SanitizeFaults {
  /** A format is refused. */
  formatRefused?: boolean;
}

interface Namespace {
  readonly medium: Medium;
  /** The number in the kernel's name, nvme0n<this>; null: detached. */
  instance: number | null;
}

export interface NvmeOptions {
  readonly name: string;
  readonly serial: string;
  readonly now: () => number;
  /** Blocks by namespace id, in the order of attachment; negative: detached. */
  readonly namespaces?: ReadonlyMap<number, number>;
  readonly sanicap?: number;
  readonly fna?: number;
  /** Replaces the recorded model. */
  readonly model?: string;
  readonly oacs?: number;
  readonly durationMs?: number;
}

export class NvmeDrive implements TestDrive {
  readonly faults: NvmeFaults = {};
  readonly namespaces = new Map<number, Namespace>();
  /** Deleted namespaces: their bytes are out of reach, but not gone. */
  readonly #deleted: Medium[] = [];
  readonly sanitize: NvmeSanitize;

  constructor(readonly options: NvmeOptions) {
    this.sanitize = new NvmeSanitize({
      sanicap: options.sanicap ?? 0,
      durationMs: options.durationMs ?? 10_000,
      now: options.now,
      faults: this.faults,
      media: () => this.#media,
    });
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

  /** The kernel assigns the next free number, whatever the id. */
  #attach(id: number): void {
    const namespace = this.namespaces.get(id);
    const taken = new Set([...this.namespaces.values()].map(({ instance }) => instance));
    let free = 1;
    while (taken.has(free)) free += 1;
    if (namespace !== undefined) namespace.instance ??= free;
  }

  /** Sets the state that another host left. */
  leave(state: SanitizeIs, action = 2): void {
    this.sanitize.leave(state, action);
  }

  powerLoss(ms: number): void {
    this.sanitize.powerLoss(ms);
  }

  fault(access: "read" | "write"): string | null {
    this.sanitize.advance();
    if (this.faults.gone === true) return "ENXIO";
    return access === "write" && this.faults.readOnly === true ? "EIO" : this.sanitize.fault(access);
  }

  run(program: string, [verb = "", path = "", ...args]: readonly string[]): ProgramAnswer | null {
    if (program !== programs.nvme || path !== this.path) return null;
    if (this.faults.gone === true) return { exitCode: 1, stderr: `${path}: No such file or directory\n` };
    this.sanitize.advance();
    const valueOf = (option: string) => Number(args[args.indexOf(option) + 1]);
    return this.#ask(verb, args, valueOf("-n")) ?? this.#change(verb, args, { id: valueOf("-n"), valueOf });
  }

  #ask(verb: string, args: readonly string[], id: number): ProgramAnswer | null {
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
        return (options.sanicap ?? 0) === 0 ? refuse("field") : { stdout: this.sanitize.log() };
      default:
        return null;
    }
  }

  #change(
    verb: string,
    args: readonly string[],
    { id, valueOf }: { readonly id: number; readonly valueOf: (option: string) => number },
  ): ProgramAnswer | null {
    if (this.faults.vanishesInErase === true && ["sanitize", "admin-passthru", "format"].includes(verb))
      this.faults.gone = true;
    if (verb === "sanitize")
      return this.sanitize.command(numberIn(args, "--sanact=") | (args.includes("--ause") ? 8 : 0));
    if (verb === "admin-passthru" && args.includes("--opcode=0x84")) {
      const said = this.sanitize.command(numberIn(args, "--cdw10="));
      const stderr = "Admin Command Sanitize is Success and result: 0x00000000\n";
      return (said.exitCode ?? 0) === 0 ? { stderr } : said;
    }
    const restricted = this.sanitize.restriction();
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
        // SES 0 formats nothing that was written, but reports the same.
        return { stdout: `Success formatting namespace:${id}\n` };
      default:
        return null;
    }
  }
}

const numberIn = (args: readonly string[], option: string): number =>
  Number(args.find((arg) => arg.startsWith(option))?.slice(option.length));
