// Where vendors differ in what the standard leaves open. Everything else is the same code for all.
import type { StorageUnit } from "@/server/hardware/redfish/resources/resources";
import type { StepMaker } from "@/server/hardware/redfish/steps/step-code";
import type { Talk } from "@/server/hardware/redfish/steps/talk";

/** A setting of the vendor's own that holds the configuration lockdown. */
export interface LockdownSetting {
  /** The resource with the setting, by the manager's links; null where this manager has none. */
  readonly resource: (manager: unknown) => string | null;
  readonly attribute: string;
  readonly on: string;
  readonly off: string;
}

/** A queue of jobs that the vendor keeps beside the standard's tasks. */
export interface JobQueue {
  readonly service: string;
  readonly jobs: string;
}

export interface VendorProfile {
  /** Name of the hardware type, as hosts carry it. */
  readonly name: string;
  /** Does this id of a firmware inventory stand for what runs now, rather than for a backup or an earlier version? */
  readonly firmwareInForce: (id: string) => boolean;
  /** The BIOS setting that clears the TPM at the next restart, and its value that does; the firmware sets it back. Null: none is known. */
  readonly tpmClear: { readonly attribute: string; readonly value: string } | null;
  /** Its manager has links of the vendor's own that the members below follow. */
  readonly ownManagerLinks: boolean;
  readonly lockdown: LockdownSetting | null;
  /** Where the job queue is, by the manager's links; null where there is none. */
  readonly jobQueue: (manager: unknown) => JobQueue | null;
  /** Deletes one job, by the path of its task, and reads back that it is gone; null where jobs cannot be deleted. Throws what stops a step. */
  readonly deleteJob: ((talk: Talk, task: string) => Promise<void>) | null;
  /** Is this storage unit a RAID-like device that hides its member drives, which only its own controller can erase? */
  readonly isBootCard: (unit: StorageUnit) => boolean;
  /** Accounts are slots that can be emptied but not deleted. */
  readonly accountSlots: boolean;
  /** Clean steps that only this vendor's BMC has, by full name. */
  readonly steps: ReadonlyMap<string, StepMaker>;
}

/** A BMC that keeps to the standard. */
export const genericProfile: VendorProfile = {
  name: "redfish",
  firmwareInForce: () => true,
  tpmClear: null,
  ownManagerLinks: false,
  lockdown: null,
  jobQueue: () => null,
  deleteJob: null,
  isBootCard: () => false,
  accountSlots: false,
  steps: new Map(),
};
