// The world of the property test: the database, and the machine behind it. With the reads and writes that every part of the model uses.
import { must } from "@/server/controller/testing/model/violation";
import type { BundleState } from "@/server/domain/attestation/measurement";
import type { Policy } from "@/server/domain/cleaning/policy/policy";
import type { StepOverride } from "@/server/domain/cleaning/plan/priorities";
import type { Mark } from "@/server/domain/database/high-water";
import type { PlatformFacts } from "@/server/domain/hosts/inventory/platform";
import type { SkuComponents } from "@/server/domain/hosts/inventory/sku";
import type { Signal } from "@/server/domain/lifecycle/signals";
import type { GateException } from "@/server/domain/reclamations/gates/exceptions";
import type { Disposition } from "@/server/domain/cleaning/sanitization/dispositions";
import type { SkuCandidate } from "@/server/domain/hosts/record/view";
import type { Machine } from "@/server/controller/testing/model/machine-state";
import type { DebtRow, HostTables, InstanceRow, RunRow } from "@/server/controller/testing/model/tables";

/** `database_state`, as far as it matters; `confirmed`: a server has recently compared it with its mark. */
export interface DatabaseRow {
  epoch: number;
  sequence: number;
  stopped: boolean;
  confirmed: boolean;
}

/** Everything in the database that a backup brings back. */
export type Backup = Pick<
  World,
  | "host"
  | "instances"
  | "debts"
  | "dispositions"
  | "exceptions"
  | "overrides"
  | "hostAutomatedClean"
  | "retired"
  | "bundles"
  | "policy"
  | "policyVersion"
  | "eraseLeftUntilMs"
  | "personMaintenance"
  | "database"
>;

export interface World {
  nowMs: number;
  ids: number;
  demo: boolean;
  policyVersion: number;
  policy: Policy;
  sku: { readonly name: string; readonly components: SkuComponents } | null;
  skuAssigned: boolean;
  /** SKUs that a host without one may match. */
  skus: readonly SkuCandidate[];
  host: HostTables | null;
  readonly machine: Machine;
  database: DatabaseRow;
  /** The servers' own high-water mark, outside the database. */
  mark: Mark;
  backup: Backup | null;
  instances: InstanceRow[];
  debts: DebtRow[];
  /** Approved rows of `gate_exception`. */
  exceptions: (GateException & { readonly reclamationId: string; readonly planEpoch: number })[];
  /** Rows of `drive_disposition` that still apply. */
  dispositions: Disposition[];
  /** Overrides of the one site, SKU and host. */
  overrides: StepOverride[];
  hostAutomatedClean: boolean | null;
  /** The host is retired: not allocated again until somebody reverts that. */
  retired: boolean;
  /** The image that is served now, and by image what two people made of its measurements. */
  image: number;
  bundles: Readonly<Record<number, BundleState>>;
  /** What the BMC offers when it is asked. */
  platform: PlatformFacts;
  /** By reclamation: the steps that an override had set to priority 0 when its newest plan was made. */
  readonly disabledIn: Map<string, ReadonlySet<string>>;
  /** `chassis_erase` of the one chassis. */
  eraseLeftUntilMs: number | null;
  /** A person set maintenance, and none has ended it. */
  personMaintenance: boolean;
  /** Signals that were sent but not stored yet. */
  readonly late: Signal[];
  /** What happened, to tell whether the test explores anything. */
  readonly seen: Set<string>;
}

export const newId = (world: World): string =>
  `00000000-0000-4000-8000-${String((world.ids += 1)).padStart(12, "0")}`;

export const openInstance = (world: World): InstanceRow | null =>
  world.instances.find((row) => !row.ended && row.hostId === world.host?.run.hostId) ?? null;
export const openDebts = (world: World): readonly DebtRow[] =>
  world.debts.filter((debt) => debt.clearedBy === null);

/** Stores a signal and wakes the host, as `db/hot/signal.ts` does in one statement. */
export function storeSignal(host: HostTables, world: World, signal: Signal): void {
  host.signals.push({ id: (world.ids += 1), signal });
  wake(host.run, world.nowMs);
}

export function wake(run: RunRow, nowMs: number): void {
  run.dueAtMs = Math.min(run.dueAtMs ?? nowMs, nowMs);
  run.wakeSeq += 1;
}

/** Records that the restart of that boot is done. */
export function provenRestart({ machine }: World, host: HostTables, bootEpoch: number): void {
  must(machine.resets > machine.resetsBefore, "a boot counts only if the machine was restarted for it");
  const window = host.windows.find((row) => row.bootEpoch === bootEpoch);
  if (window !== undefined) window.resetDone = true;
}
