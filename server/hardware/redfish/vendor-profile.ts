// What the standard leaves open and vendors do differently. Everything else is the same code for all vendors.
import type { StorageUnit } from "@/server/hardware/redfish/resources/resources";
import type { StepMaker } from "@/server/hardware/redfish/steps/step-code";
import type { StepClient } from "@/server/hardware/redfish/steps/step-client";

/** A vendor-specific setting that controls the configuration lockdown. */
export interface LockdownSetting {
  /** The resource with the setting, from the manager's links; null if this manager has none. */
  readonly resource: (manager: unknown) => string | null;
  readonly attribute: string;
  readonly on: string;
  readonly off: string;
}

/** A vendor's job queue, beside the standard's tasks. */
export interface JobQueue {
  readonly service: string;
  readonly jobs: string;
}

export interface VendorProfile {
  /** Name of the hardware type, as stored with hosts. */
  readonly name: string;
  /** Does this firmware inventory id stand for what is running, rather than for a backup or an earlier version? */
  readonly firmwareInForce: (id: string) => boolean;
  /** The BIOS setting, and its value, that clears the TPM at the next restart and is then reset by the firmware. Null: none is known. */
  readonly tpmClear: { readonly attribute: string; readonly value: string } | null;
  /** The manager has vendor-specific links, which the members below follow. */
  readonly ownManagerLinks: boolean;
  readonly lockdown: LockdownSetting | null;
  /** The job queue, from the manager's links; null if there is none. */
  readonly jobQueue: (manager: unknown) => JobQueue | null;
  /** Deletes one job by the path of its task and reads back that it is gone; null if jobs cannot be deleted. Throws what stops a step. */
  readonly deleteJob: ((session: StepClient, task: string) => Promise<void>) | null;
  /** Is this storage unit a RAID-like device that hides its member drives, so that only its own controller can erase them? */
  readonly isBootCard: (unit: StorageUnit) => boolean;
  /** The BIOS setting with the hash of the setup password, empty if there is none. Null: none is known, so the BMC does not tell. */
  readonly uefiPasswordHash: string | null;
  /** Accounts are fixed slots, which can be emptied but not deleted. */
  readonly accountSlots: boolean;
  /** Clean steps that only this vendor's BMC has, by full name. */
  readonly steps: ReadonlyMap<string, StepMaker>;
}

/** A BMC that follows the standard. */
export const genericProfile: VendorProfile = {
  name: "redfish",
  firmwareInForce: () => true,
  tpmClear: null,
  ownManagerLinks: false,
  lockdown: null,
  jobQueue: () => null,
  deleteJob: null,
  isBootCard: () => false,
  uefiPasswordHash: null,
  accountSlots: false,
  steps: new Map(),
};
