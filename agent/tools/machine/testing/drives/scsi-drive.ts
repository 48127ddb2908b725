// A SAS drive with state and bytes that answers sg3_utils' commands (SBC-4, SANITIZE).
import {
  eraseWith,
  type Faults,
  type ProgramAnswer,
  type TestDrive,
} from "@/agent/tools/machine/testing/drives/drive";
import { Medium } from "@/agent/tools/machine/testing/drives/medium";
import { diskFiles, diskLinks, smartAnswer } from "@/agent/tools/machine/testing/drives/disk-files";
import { programs } from "@/agent/tools/machine/program/paths";

export interface ScsiOptions {
  readonly name: string;
  readonly serial: string;
  readonly now: () => number;
  readonly blocks?: number;
  /** Lines of `sg_opcodes --compact` besides the mandatory ones; null: the drive does not know the command. */
  readonly opcodes?: readonly string[] | null;
}

const durationMs = 5_000;

/** Fixed format, with progress if given. */
function sense(key: number, code: number, progress?: number): Uint8Array {
  const bytes = Buffer.alloc(18);
  bytes[0] = 0x70;
  bytes[2] = key;
  bytes[7] = 10;
  bytes.writeUInt16BE(code, 12);
  if (progress === undefined) return bytes;
  bytes[15] = 0x80;
  bytes.writeUInt16BE(Math.min(0xffff, progress), 16);
  return bytes;
}

export class ScsiDrive implements TestDrive {
  readonly faults: Faults & { sanitizeFails?: boolean } = {};
  readonly medium: Medium;
  state: "idle" | "running" | "failed" = "idle";
  #left: "zeros" | "noise" = "zeros";
  #startedAt = 0;

  constructor(readonly options: ScsiOptions) {
    this.medium = new Medium(options.blocks ?? 4096, options.serial);
  }

  get tenantBlocks(): number {
    return this.medium.tenantBlocks;
  }

  get blockDevices(): ReadonlyMap<string, Medium> {
    return new Map(this.faults.gone === true ? [] : [[`/dev/${this.options.name}`, this.medium]]);
  }

  get files(): Readonly<Record<string, string | Uint8Array>> {
    const { name, serial } = this.options;
    const { blocks } = this.medium;
    if (this.faults.gone === true) return {};
    return diskFiles({ name, serial, rotational: true, vendor: "SEAGATE", model: "ST4000", blocks });
  }

  get links(): Readonly<Record<string, string>> {
    return this.faults.gone === true ? {} : diskLinks(this.options.name, "end_device-0:0");
  }

  fault(access: "read" | "write"): string | null {
    this.#advance();
    if (this.faults.gone === true) return "ENXIO";
    if (this.state !== "idle") return "EIO";
    return access === "write" && this.faults.readOnly === true ? "EIO" : null;
  }

  powerLoss(ms: number): void {
    this.#startedAt += ms;
  }

  #advance(): void {
    if (this.state !== "running" || this.faults.stalls === true) return;
    if (this.options.now() - this.#startedAt < durationMs) return;
    this.state = this.faults.sanitizeFails === true ? "failed" : "idle";
    if (this.state === "idle") eraseWith(this.faults, this.medium, this.#left);
  }

  run(program: string, args: readonly string[]): ProgramAnswer | null {
    const path = `/dev/${this.options.name}`;
    if (!args.includes(path) && !args.includes(`of=${path}`)) return null;
    const erases: readonly string[] = [programs.dd, programs.sgSanitize];
    if (this.faults.vanishesInErase === true && erases.includes(program)) this.faults.gone = true;
    if (this.faults.gone === true)
      return { exitCode: 15, stderr: `${path}: open error: No such device or address\n` };
    this.#advance();
    const head = `    SEAGATE   ST4000            2.5+   peripheral_type: disk [0x0]\n`;
    switch (program) {
      case programs.smartctl:
        return smartAnswer;
      case programs.sgOpcodes:
        return this.#opcodes();
      case programs.sgRequests:
        return { stdout: this.#sense() };
      case programs.sgSanitize:
        this.state = "running";
        this.#left = args.includes("--crypto") ? "noise" : "zeros";
        this.#startedAt = this.options.now();
        return { stdout: head };
      case programs.dd:
        if (this.faults.readOnly === true || this.state !== "idle")
          return { exitCode: 1, stderr: `dd: error writing '${path}': Input/output error\n` };
        eraseWith(this.faults, this.medium, "zeros");
        return {};
      default:
        return null;
    }
  }

  #opcodes(): ProgramAnswer {
    const { opcodes = null } = this.options;
    if (opcodes === null)
      return { exitCode: 9, stderr: "Report supported operation codes: Illegal request, Invalid opcode\n" };
    return { stdout: [" 00        Test Unit Ready", " 12        Inquiry", ...opcodes, ""].join("\n") };
  }

  #sense(): Uint8Array {
    if (this.state === "failed") return sense(3, 0x3103);
    if (this.state === "idle") return sense(0, 0);
    const share = (this.options.now() - this.#startedAt) / durationMs;
    return sense(2, 0x041b, Math.floor((this.faults.stalls === true ? 0.01 : share) * 65_536));
  }
}
