// The clean steps that we can perform, one row each (design: cleaning.md, Clean steps and Default catalogue).
import type { GateName } from "@/server/domain/gates/gate-names";
import type { InfinibandDevice, StorageDevice } from "@/server/domain/inventory/inventory";
import type { FailureCause, State } from "@/server/domain/lifecycle/states";

export const stepInterfaces = ["power", "management", "deploy", "bios", "raid", "firmware", "vendor"] as const;
export type StepInterface = (typeof stepInterfaces)[number];

/** What is known of a host when its plan is made. */
export interface KnownHardware {
  readonly storage: readonly StorageDevice[];
  readonly infiniband: readonly InfinibandDevice[];
}

export interface CleanStep {
  readonly interface: StepInterface;
  readonly step: string;
  /** Default; 0 means never automatically, only by hand. */
  readonly priority: number;
  readonly abortable: boolean;
  readonly where: "agent" | "controller";
  /** The lifecycle state shown while it runs. */
  readonly state: State;
  readonly proves: readonly GateName[];
  readonly failureCause: FailureCause;
  /** Whether the technique may be one that cannot be stopped: power actions are refused meanwhile. */
  readonly erases: boolean;
  /** The devices that it must treat; a result that lacks one is no success. */
  readonly devices: (known: KnownHardware) => readonly StorageDevice[];
  /** Whether this hardware has something for it. */
  readonly applies: (known: KnownHardware) => boolean;
}

const nvme = (known: KnownHardware): readonly StorageDevice[] => known.storage.filter((d) => d.transport === "nvme" && !d.removable);
const disks = (known: KnownHardware): readonly StorageDevice[] => known.storage.filter((d) => (d.transport === "sata" || d.transport === "sas") && !d.removable);
const none = (): readonly StorageDevice[] => [];

export const cleanSteps: readonly CleanStep[] = [
  { interface: "deploy", step: "erase_nvme", priority: 90, abortable: false, where: "agent", state: "WaitingForCleanup/HostCleanup", proves: ["storageSanitized"], failureCause: "NVMECleanFailed", erases: true, devices: nvme, applies: (known) => nvme(known).length > 0 },
  { interface: "deploy", step: "erase_disks", priority: 86, abortable: false, where: "agent", state: "WaitingForCleanup/HostCleanup", proves: ["storageSanitized"], failureCause: "HDDCleanFailed", erases: true, devices: disks, applies: (known) => disks(known).length > 0 },
  { interface: "deploy", step: "verify_mem_overwrite", priority: 60, abortable: false, where: "agent", state: "WaitingForCleanup/HostCleanup", proves: ["memoryOverwritten"], failureCause: "MemOverwriteFailed", erases: false, devices: none, applies: () => true },
  { interface: "deploy", step: "reset_infiniband", priority: 50, abortable: false, where: "agent", state: "WaitingForCleanup/HostCleanup", proves: ["infinibandClean"], failureCause: "IbCleanFailed", erases: false, devices: none, applies: (known) => known.infiniband.some((device) => !device.dpu) },
];

/** The step of that interface and name, or null: an unknown step is an error of the caller. */
export function findCleanStep(stepInterface: string, step: string): CleanStep | null {
  return cleanSteps.find((row) => row.interface === stepInterface && row.step === step) ?? null;
}
