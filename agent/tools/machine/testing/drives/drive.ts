// What every test drive has: a path in sysfs, answers to programs, and blocks that are opened directly.
import type { Medium } from "@/agent/tools/machine/testing/drives/medium";

/** A program's output about a drive. */
export interface ProgramAnswer {
  readonly exitCode?: number;
  readonly stdout?: string | Uint8Array;
  readonly stderr?: string;
}

export interface TestDrive {
  /** Number of blocks that hold what the tenant wrote. */
  readonly tenantBlocks: number;
  readonly faults: Faults;
  /** Null: this program, or this command of it, does not know the device. */
  run(program: string, args: readonly string[]): ProgramAnswer | null;
  /** Block devices by their kernel names. */
  readonly blockDevices: ReadonlyMap<string, Medium>;
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly links: Readonly<Record<string, string>>;
  /** Why a block cannot be read or written now, as the kernel's error code; null: it can. */
  fault(access: "read" | "write", block: number): string | null;
  /** The host was without power for this long; the drive's own work was paused. */
  powerLoss(ms: number): void;
}

/** Faults that a drive of any kind can have. */
export interface Faults {
  /** Every erase reports success and keeps the bytes. */
  lies?: boolean;
  /** An erase reports success and reaches only this share of the blocks. */
  reach?: number;
  /** Writes are refused. */
  readOnly?: boolean;
  /** The drive is gone. */
  gone?: boolean;
  /** The drive disappears as soon as it is told to erase. */
  vanishesInErase?: boolean;
  /** Progress stops. */
  stalls?: boolean;
}

/** Erases as far as the drive's faults allow. */
export function eraseWith(faults: Faults, medium: Medium, left: "zeros" | "noise"): void {
  if (faults.lies === true) return;
  medium.erase(left, Math.floor(medium.blocks * (faults.reach ?? 1)));
}
