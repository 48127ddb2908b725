// A SATA drive with state and bytes that answers hdparm's commands (ACS-4: sanitize and security feature sets).
import {
  eraseWith,
  type Faults,
  type ProgramAnswer,
  type TestDrive,
} from "@/agent/tools/machine/testing/drives/drive";
import { Medium } from "@/agent/tools/machine/testing/drives/medium";
import { diskFiles, diskLinks, smartAnswer } from "@/agent/tools/machine/testing/drives/disk-files";
import { recorded } from "@/agent/tools/machine/testing/recorded";
import { programs } from "@/agent/tools/machine/program/paths";

export interface AtaFaults extends Faults {
  /** A suspend does not end the freeze. */
  staysFrozen?: boolean;
  sanitizeFails?: boolean;
}

export interface AtaOptions {
  readonly name: string;
  readonly serial: string;
  readonly now: () => number;
  readonly blocks?: number;
  readonly rotational?: boolean;
  /** Bits of word 59 besides bit 12: 2000h crypto scramble, 8000h block erase; 0: no sanitize. */
  readonly sanitize?: number;
  readonly security?: boolean;
  /** Number of hidden sectors. */
  readonly hidden?: number;
  /** By default a Host Protected Area (ACS-3). `dcoUntold`: an overlay that is locked, so that hdparm prints an error. */
  readonly hiddenBy?: "hpa" | "amax" | "dco" | "dcoUntold";
}

const durationMs = 5_000;
/** How hdparm reports that a drive refused: on stderr, with exit code 0. */
const refused: ProgramAnswer = {
  stderr: "SG_IO: bad/missing sense data, sb[]:  70 00 0b 00 00 00 00 0a 04 41 40 01 00 00\n",
};

export class AtaDrive implements TestDrive {
  readonly faults: AtaFaults = {};
  readonly medium: Medium;
  frozen = false;
  password: string | null = null;
  locked = false;
  state: "idle" | "running" | "completed" | "failed" = "idle";
  #left: "zeros" | "noise" = "zeros";
  #startedAt = 0;

  constructor(readonly options: AtaOptions) {
    this.medium = new Medium((options.blocks ?? 4096) + (options.hidden ?? 0), options.serial);
  }

  get #reachable(): number {
    return this.medium.blocks - (this.options.hidden ?? 0);
  }

  get tenantBlocks(): number {
    return this.medium.tenantBlocks;
  }

  get blockDevices(): ReadonlyMap<string, Medium> {
    return new Map(this.faults.gone === true ? [] : [[`/dev/${this.options.name}`, this.medium]]);
  }

  get files(): Readonly<Record<string, string | Uint8Array>> {
    const { name, serial, rotational = false } = this.options;
    if (this.faults.gone === true) return {};
    return diskFiles({ name, serial, rotational, vendor: "ATA", model: "QEMUSATA", blocks: this.#reachable });
  }

  get links(): Readonly<Record<string, string>> {
    return this.faults.gone === true ? {} : diskLinks(this.options.name, "ata1");
  }

  fault(access: "read" | "write"): string | null {
    this.#advance();
    if (this.faults.gone === true) return "ENXIO";
    if (this.locked || this.state === "running" || this.state === "failed") return "EIO";
    return access === "write" && this.faults.readOnly === true ? "EIO" : null;
  }

  /** A power cycle locks a drive with a password, and does not end a sanitize. */
  powerLoss(ms: number): void {
    this.#startedAt += ms;
    if (this.password !== null) this.locked = true;
    this.frozen = false;
  }

  #advance(): void {
    if (this.state !== "running" || this.faults.stalls === true) return;
    if (this.options.now() - this.#startedAt < durationMs) return;
    this.state = this.faults.sanitizeFails === true ? "failed" : "completed";
    if (this.state === "completed") eraseWith(this.faults, this.medium, this.#left);
  }

  run(program: string, args: readonly string[]): ProgramAnswer | null {
    const path = `/dev/${this.options.name}`;
    if (program === programs.rtcwake && this.faults.staysFrozen !== true) this.frozen = false;
    if (program === programs.dd && args.includes(`of=${path}`)) return this.#overwrite();
    if (!args.includes(path)) return null;
    if (this.faults.gone === true) return { exitCode: 2, stderr: `${path}: No such file or directory\n` };
    this.#advance();
    if (program === programs.smartctl) return smartAnswer;
    return program === programs.hdparm ? this.#hdparm(args) : null;
  }

  #overwrite(): ProgramAnswer {
    if (this.faults.vanishesInErase === true) this.faults.gone = true;
    const blocked = this.locked || this.state === "running" || this.state === "failed";
    if (this.faults.gone === true || this.faults.readOnly === true || blocked)
      return { exitCode: 1, stderr: `dd: error writing '/dev/${this.options.name}': Input/output error\n` };
    if (this.faults.lies !== true)
      this.medium.erase("zeros", Math.floor(this.#reachable * (this.faults.reach ?? 1)));
    return {};
  }

  #hdparm(args: readonly string[]): ProgramAnswer | null {
    const head = `\n/dev/${this.options.name}:\n`;
    if (args[0] === "--Istdout") return { stdout: `${head}${this.#words()}\n` };
    if (args[0] === "-N") return { stdout: `${head}${this.#maxSectors()}` };
    if (args[0] === "--dco-identify") return this.#overlay(head);
    if (args[0] === "--sanitize-status") return { stdout: `${head}${this.#status()}` };
    if (args[0] === "--yes-i-know-what-i-am-doing") return this.#sanitize(args[1] ?? "", head);
    return args[0] === "--user-master" ? this.#security(args[2] ?? "", args[3] ?? "", head) : null;
  }

  get #hiddenBy(): AtaOptions["hiddenBy"] {
    const { hidden, hiddenBy = "hpa" } = this.options;
    return hidden === undefined ? undefined : hiddenBy;
  }

  #maxSectors(): string {
    const hidden = this.medium.blocks !== this.#reachable;
    const name = this.#hiddenBy === "amax" ? "ACCESSIBLE MAX ADDRESS" : "HPA is";
    return ` max sectors   = ${this.#reachable}/${this.medium.blocks}, ${name} ${hidden ? "enabled" : "disabled"}\n`;
  }

  /** The output of hdparm 9.65, `dco_identify_print`. */
  #overlay(head: string): ProgramAnswer {
    if (this.#hiddenBy === "dcoUntold") return refused;
    const told = ["DCO Revision: 0x0002", `\tReal max sectors: ${this.medium.blocks}`, ""];
    return { stdout: `${head}${told.join("\n")}` };
  }

  #words(): string {
    const { options } = this;
    const printed = Buffer.from(recorded.get("/usr/sbin/hdparm --Istdout /dev/sdc")?.stdout ?? []).toString();
    const words = printed.trim().split("\n").slice(1).join(" ").trim().split(/\s+/);
    const put = (word: number, value: number) => (words[word] = value.toString(16).padStart(4, "0"));
    const bit = (is: boolean, place: number) => (is ? 1 << place : 0);
    const serial = options.serial.padEnd(20);
    for (let at = 0; at < 10; at += 1)
      put(10 + at, (serial.charCodeAt(2 * at) << 8) | serial.charCodeAt(2 * at + 1));
    put(59, (options.sanitize ?? 0) === 0 ? 0 : 0x1000 | (options.sanitize ?? 0));
    const by = this.#hiddenBy;
    put(82, 0x4021 | bit(by === "hpa", 10));
    put(83, (parseInt(words[83] ?? "0", 16) & ~0x800) | bit(by === "dco" || by === "dcoUntold", 11));
    if (by === "amax") put(119, 0x4100);
    put(100, this.#reachable & 0xffff);
    put(101, this.#reachable >>> 16);
    const security =
      bit(true, 0) | bit(this.password !== null, 1) | bit(this.locked, 2) | bit(this.frozen, 3);
    put(128, options.security === true ? security | bit(true, 5) : 0);
    const lines = Array.from({ length: 32 }, (_, line) => words.slice(line * 8, line * 8 + 8).join(" "));
    return lines.join("\n");
  }

  #status(): string {
    const states = {
      idle: "SD0 Sanitize Idle",
      completed: "SD0 Sanitize Idle\n    Last Sanitize Operation Completed Without Error",
      running: "SD2 Sanitize operation In Process\n    Progress: 0x1000 (6%)",
      failed: "SD3 Sanitize Operation Failed",
    };
    return `Issuing SANITIZE_STATUS command\nSanitize status:\n    State:    ${states[this.state]}\n`;
  }

  #sanitize(option: string, head: string): ProgramAnswer {
    if (this.faults.vanishesInErase === true) this.faults.gone = true;
    const wanted = option === "--sanitize-crypto-scramble" ? 0x2000 : 0x8000;
    if (((this.options.sanitize ?? 0) & wanted) === 0 || this.frozen || this.locked) return refused;
    this.state = "running";
    this.#left = wanted === 0x2000 ? "noise" : "zeros";
    this.#startedAt = this.options.now();
    const name = wanted === 0x2000 ? "SANITIZE_CRYPTO_SCRAMBLE" : "SANITIZE_BLOCK_ERASE";
    return { stdout: `${head}Issuing ${name} command\nOperation started in background\n` };
  }

  #security(option: string, password: string, head: string): ProgramAnswer {
    if (this.options.security !== true || (this.frozen && option !== "--security-unlock")) return refused;
    const isRight = this.password === password;
    switch (option) {
      case "--security-set-pass":
        if (this.locked) return refused;
        this.password = password;
        return { stdout: `security_password: "${password}"\n${head} Issuing SECURITY_SET_PASS command\n` };
      case "--security-unlock":
        if (!isRight) return refused;
        this.locked = false;
        return { stdout: `${head} Issuing SECURITY_UNLOCK command\n` };
      case "--security-disable":
        if (!isRight || this.locked) return refused;
        this.password = null;
        return { stdout: `${head} Issuing SECURITY_DISABLE command\n` };
      default:
        if (!isRight) return refused;
        if (this.faults.vanishesInErase === true) {
          this.faults.gone = true;
          return refused;
        }
        eraseWith(this.faults, this.medium, "zeros");
        this.password = null;
        this.locked = false;
        return { stdout: `${head} Issuing SECURITY_ERASE command\n` };
    }
  }
}
