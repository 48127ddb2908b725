// What every drive of a test has: a path in sysfs, answers to programs, and blocks that are opened directly.
import type { Medium } from "@/agent/tools/machine/testing/drives/medium";

/** What a program printed about a drive. */
export interface Said {
  readonly exitCode?: number;
  readonly stdout?: string | Uint8Array;
  readonly stderr?: string;
}

export interface TestDrive {
  /** How many blocks hold what the tenant wrote. */
  readonly tenantBlocks: number;
  readonly faults: Faults;
  /** Null: this program, or this command of it, knows no such device. */
  run(program: string, args: readonly string[]): Said | null;
  /** Block devices by the names that the kernel gave them. */
  readonly blockDevices: ReadonlyMap<string, Medium>;
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly links: Readonly<Record<string, string>>;
  /** Why a block cannot be read or written now, as the kernel's error code; null: it can. */
  fault(access: "read" | "write", block: number): string | null;
  /** The host was without power for this long; what the drive does by itself waits. */
  powerLoss(ms: number): void;
}

/** What can be wrong with a drive of any kind. */
export interface Faults {
  /** Every erase reports success, and keeps the bytes. */
  lies?: boolean;
  /** An erase reports success, and reaches this share of the blocks. */
  reach?: number;
  /** Writes are refused. */
  readOnly?: boolean;
  /** Not there any more. */
  gone?: boolean;
  /** Not there any more as soon as it is told to erase. */
  vanishesInErase?: boolean;
  /** Progress stays where it is. */
  stalls?: boolean;
}

/** Erases as the faults of a drive let it. */
export function eraseWith(faults: Faults, medium: Medium, left: "zeros" | "noise"): void {
  if (faults.lies === true) return;
  medium.erase(left, Math.floor(medium.blocks * (faults.reach ?? 1)));
}
