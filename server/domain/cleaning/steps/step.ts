// The definition of a clean step: one row of the catalogue (docs/clean-steps.md).
import type { z } from "zod";
import { eraseLimitMs } from "@/server/domain/cleaning/erase-time";
import type { Policy } from "@/server/domain/cleaning/policy/policy";
import type { GateName } from "@/server/domain/reclamations/gates/gate-names";
import type { InfinibandDevice, StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import type { PlatformBaseline, PlatformFacts } from "@/server/domain/hosts/inventory/platform";
import type { FirmwareImage } from "@/server/domain/hosts/platform/rollout";
import type { FailureCause, State } from "@/server/domain/lifecycle/states";

export const stepInterfaces = [
  "power",
  "management",
  "deploy",
  "bios",
  "raid",
  "firmware",
  "vendor",
] as const;
export type StepInterface = (typeof stepInterfaces)[number];

/** A drive of the host. */
export interface KnownDrive extends StorageDevice {
  /** Behind a controller that hides it from the host, so no agent step treats it. */
  readonly outOfBand?: true;
}

/** What is known about a host when its plan is made. */
export interface KnownHardware {
  readonly hardwareType: string;
  readonly storage: readonly KnownDrive[];
  readonly infiniband: readonly InfinibandDevice[];
  /** The agent lists a GPU, an accelerator or an NVLink switch. */
  readonly memoryDevices?: boolean;
  /** What its BMC offers besides drives, as last read. */
  readonly platform: PlatformFacts;
  /** What its SKU requires of BIOS, firmware and BMC; null: nothing. */
  readonly baseline: PlatformBaseline | null;
  /** Files for the firmware that the baseline names; left out: none. */
  readonly images?: readonly FirmwareImage[];
  /** Whether the agent finds a TPM; null or omitted: it does not say. */
  readonly tpm?: boolean | null;
}

/** A host about which nothing was reported. */
export const nothingKnown: KnownHardware = {
  hardwareType: "",
  storage: [],
  infiniband: [],
  platform: noPlatformFacts,
  baseline: null,
};

/** Arguments of one execution, by name, checked against `CleanStep.args` before anything runs. */
export type StepArgs = Readonly<Record<string, z.core.util.JSONType>>;

export interface StepArg {
  readonly name: string;
  /** A sentence for people, with its unit. */
  readonly description: string;
  readonly required: boolean;
  readonly schema: z.ZodType;
}

export interface CleanStep {
  readonly interface: StepInterface;
  readonly step: string;
  /** What it does, in one line for people. */
  readonly summary: string;
  /** Default priority; 0: manual only. */
  readonly priority: number;
  /** Can be stopped while it runs. Otherwise Reclaim waits for it. */
  readonly abortable: boolean;
  readonly args: readonly StepArg[];
  readonly where: "agent" | "controller";
  /** Lifecycle state while it runs in an automated plan. In a manual cleaning the state is `ManualCleaning/RunningStep`. */
  readonly state: State;
  readonly proves: readonly GateName[];
  readonly failureCause: FailureCause;
  /** The technique may be one that cannot be stopped. Power actions are refused while it runs. */
  readonly erases: boolean;
  /** Writes to the agent's drives without sanitizing them, so it must not run after they were erased (`orderFaults`). */
  readonly writes: boolean;
  /** Restarts the host. A step that needs an agent afterwards needs one from a later boot. */
  readonly restarts: boolean;
  /** Performed by the controller and not by hardware: `hold`, `wait` and the power actions, under any interface. */
  readonly reserved: boolean;
  /** Maximum time of one attempt without progress, in ms. */
  readonly timeLimitMs: (policy: TimePolicy, args: StepArgs, known: KnownHardware) => number;
  /** Typical time on real hardware, in ms, for estimates if this host has no history of the step. Null: a person decides. */
  readonly expectedMs: (known: KnownHardware, args: StepArgs) => number | null;
  /** The devices that it must treat. A result that lacks one is not a success. */
  readonly devices: (known: KnownHardware, args: StepArgs) => readonly StorageDevice[];
  /** Whether the step has anything to do on this hardware. */
  readonly applies: (known: KnownHardware) => boolean;
}

/** Full name of a step, as in an override, a log line or `cleanStep`: `deploy.erase_nvme`. */
export const stepName = (step: { readonly interface: string; readonly step: string }): string =>
  `${step.interface}.${step.step}`;

/** The part of a policy that determines time limits. */
export type TimePolicy = Pick<Policy, "times" | "sanitization">;

type Given = Pick<CleanStep, "interface" | "step" | "summary" | "where" | "state" | "failureCause"> &
  Partial<CleanStep>;

const second = 1_000;

/** A step with the usual defaults: manual only, no arguments, no devices, applies to every host. */
export function cleanStep(row: Given): CleanStep {
  return {
    priority: 0,
    abortable: false,
    args: [],
    proves: [],
    erases: false,
    writes: false,
    restarts: false,
    reserved: false,
    timeLimitMs: (policy, args, known) =>
      row.erases === true ? eraseLimitMs(policy, row.devices?.(known, args) ?? []) : policy.times.otherStepMs,
    expectedMs: () => 30 * second,
    devices: () => [],
    applies: () => true,
    ...row,
  };
}
