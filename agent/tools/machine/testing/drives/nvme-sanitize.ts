// The sanitize operation of an NVMe test drive: NVMe Base Specification 2.1, clause 8.1.24, with the media verification state of TP4152.
import { eraseWith, type Faults, type ProgramAnswer } from "@/agent/tools/machine/testing/drives/drive";
import type { Medium } from "@/agent/tools/machine/testing/drives/medium";
import { sanitizeLogBytes } from "@/agent/tools/machine/testing/drives/nvme-bytes";
import { refuse } from "@/agent/tools/machine/testing/drives/nvme-status";

export interface SanitizeFaults extends Faults {
  /** Each sanitize ends as failed. */
  sanitizeFails?: boolean;
  /** A sanitize is accepted and nothing happens: the log stays as it was. */
  ignoresSanitize?: boolean;
  /** Nothing is erased, and what is deallocated reads as zeros; only the media verification state shows it. */
  onlyDeallocates?: boolean;
  /** A sanitize with EMVS is refused, although SANICAP has Verification Support. */
  holdRefused?: boolean;
  /** The drive does not wait in the media verification state. */
  holdCanceled?: boolean;
  /** No block can be read in the media verification state. */
  holdUnreadable?: boolean;
  /** In the media verification state the data appears to be gone; afterwards the tenant's bytes are back. */
  holdLies?: boolean;
  /** In the media verification state another sanitize is refused. */
  holdBars?: boolean;
  /** The media verification state does not survive a loss of power. */
  holdEndsWithPower?: boolean;
  /** Exit Media Verification State is refused. */
  exitRefused?: boolean;
  /** Exit Media Verification State is accepted, and nothing happens. */
  exitIgnored?: boolean;
  /** The deallocation after the media verification state fails. */
  deallocationFails?: boolean;
}

export type SanitizeIs = "idle" | "running" | "completed" | "failed" | "mediaVerification" | "deallocating";

/** SOS of SSTAT, and SANS of SSI. */
const codes = {
  idle: { sstat: 0, sans: 0 },
  completed: { sstat: 1, sans: 0 },
  running: { sstat: 2, sans: 1 },
  failed: { sstat: 3, sans: 2 },
  mediaVerification: { sstat: 2, sans: 5 },
  deallocating: { sstat: 2, sans: 6 },
} satisfies Record<SanitizeIs, unknown>;

const verificationSupport = 8;
/** EMVS and AUSE of Command Dword 10. */
const holdBit = 1 << 10;
const unrestrictedBit = 1 << 3;
/** MVCNCLD of SSTAT. */
const canceledBit = 1 << 9;

interface Around {
  readonly sanicap: number;
  readonly durationMs: number;
  readonly now: () => number;
  readonly faults: SanitizeFaults;
  readonly media: () => readonly Medium[];
}

export class NvmeSanitize {
  state: SanitizeIs = "idle";
  /** AUSE of the last sanitize: whether its failed state may be left without another sanitize. */
  unrestricted = false;
  #action = 0;
  #held = false;
  #canceled = false;
  #startedAt = 0;
  readonly #around: Around;

  constructor(around: Around) {
    this.#around = around;
  }

  /** Sets the state that another host left: sanitized, with the media verification state requested, or in the middle of it. */
  leave(state: SanitizeIs, action: number): void {
    this.state = state;
    this.#action = action;
    this.#held = state === "mediaVerification";
    this.#canceled = false;
    this.#startedAt = this.#around.now();
  }

  /** Advances the state to the present time. */
  advance(): void {
    const { faults, now, durationMs } = this.#around;
    if (faults.stalls === true || now() - this.#startedAt < durationMs) return;
    if (this.state === "deallocating")
      this.state = faults.deallocationFails === true ? "failed" : "completed";
    if (this.state !== "running") return;
    if (faults.sanitizeFails === true) {
      this.state = "failed";
      return;
    }
    this.#canceled = this.#held && faults.holdCanceled === true;
    this.state = this.#held && !this.#canceled ? "mediaVerification" : "completed";
    if (faults.onlyDeallocates !== true || this.state === "completed") this.#erase();
  }

  #erase(): void {
    const { faults, media } = this.#around;
    for (const medium of media()) eraseWith(faults, medium, this.#action === 4 ? "noise" : "zeros");
  }

  #deallocate(): void {
    const { faults, media, now } = this.#around;
    this.state = "deallocating";
    this.#startedAt = now();
    if (faults.onlyDeallocates === true) this.#erase();
    if (faults.holdLies === true) for (const medium of media()) medium.restore();
  }

  powerLoss(ms: number): void {
    this.#startedAt += ms;
    if (this.state !== "mediaVerification" || this.#around.faults.holdEndsWithPower !== true) return;
    this.#canceled = true;
    this.#deallocate();
  }

  /** Why a sanitize prevents a block from being read or written; null: it does not. */
  fault(access: "read" | "write"): "EIO" | null {
    const held = this.state === "mediaVerification";
    const allowed = held
      ? access === "read" && this.#around.faults.holdUnreadable !== true
      : this.state === "idle" || this.state === "completed";
    return allowed ? null : "EIO";
  }

  /** The answer to other commands that change something (clause 8.1.24.4); null: they are allowed. */
  restriction(): ProgramAnswer | null {
    if (this.state === "failed") return refuse("failed");
    return this.state === "idle" || this.state === "completed" ? null : refuse("inProgress");
  }

  /** Log page 81h. */
  log(): Uint8Array {
    const { sanicap, durationMs, now, faults } = this.#around;
    const share = (now() - this.#startedAt) / durationMs;
    const progress = faults.stalls === true ? 0.01 : Math.min(share, 0.999);
    const { sstat, sans } = codes[this.state];
    return sanitizeLogBytes({
      sprog: this.state === "running" ? Math.floor(progress * 65_536) : 0xffff,
      sstat: sstat | (this.#canceled ? canceledBit : 0),
      scdw10: this.#action | (this.unrestricted ? unrestrictedBit : 0) | (this.#held ? holdBit : 0),
      ssi: (sanicap & verificationSupport) === 0 ? 0 : sans,
    });
  }

  /** The Sanitize command, given its Command Dword 10. */
  command(dword10: number): ProgramAnswer {
    const { sanicap, faults } = this.#around;
    const action = dword10 & 7;
    if (this.state === "running" || this.state === "deallocating") return refuse("inProgress");
    // Exit Failure Mode (1) is for an unrestricted failure, Exit Media Verification State (5) for that state.
    if (action === 5) {
      if (this.state !== "mediaVerification" || faults.exitRefused === true) return refuse("field");
      if (faults.exitIgnored !== true) this.#deallocate();
      return {};
    }
    if (action === 1) {
      if (!this.unrestricted) return refuse(this.state === "failed" ? "failed" : "field");
      this.state = "idle";
      return {};
    }
    if (this.state === "mediaVerification" && faults.holdBars === true) return refuse("inProgress");
    const capability = { 4: 1, 2: 2, 3: 4 }[action] ?? 0;
    if ((sanicap & capability) === 0) return refuse(sanicap === 0 ? "opcode" : "field");
    const hold = (dword10 & holdBit) !== 0;
    if (hold && ((sanicap & verificationSupport) === 0 || faults.holdRefused === true))
      return refuse("field");
    if (faults.ignoresSanitize === true) return {};
    this.unrestricted = (dword10 & unrestrictedBit) !== 0;
    this.leave("running", action);
    this.#held = hold;
    return {};
  }
}
