// What a clean step is: one row of the catalogue (docs/clean-steps.md).
import type { z } from "zod";
import { eraseLimitMs } from "@/server/domain/cleaning/erase-time";
import type { Policy } from "@/server/domain/cleaning/policy";
import type { GateName } from "@/server/domain/gates/gate-names";
import type { InfinibandDevice, StorageDevice } from "@/server/domain/inventory/inventory";
import { noPlatformFacts } from "@/server/domain/inventory/platform";
import type { PlatformBaseline, PlatformFacts } from "@/server/domain/inventory/platform";
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
  /** Behind a controller that hides it from the host: no step of the agent treats it. */
  readonly outOfBand?: true;
}

/** What is known of a host when its plan is made. */
export interface KnownHardware {
  readonly hardwareType: string;
  readonly storage: readonly KnownDrive[];
  readonly infiniband: readonly InfinibandDevice[];
  /** What its BMC offers besides, as last read. */
  readonly platform: PlatformFacts;
  /** What its SKU wants of BIOS, firmware and BMC; null: it asks nothing of them. */
  readonly baseline: PlatformBaseline | null;
}

/** A host of which nothing was reported. */
export const nothingKnown: KnownHardware = {
  hardwareType: "",
  storage: [],
  infiniband: [],
  platform: noPlatformFacts,
  baseline: null,
};

/** Arguments of one execution, by name; checked against `CleanStep.args` before anything runs. */
export type StepArgs = Readonly<Record<string, z.core.util.JSONType>>;

export interface StepArg {
  readonly name: string;
  /** For people, a sentence with its unit. */
  readonly description: string;
  readonly required: boolean;
  readonly schema: z.ZodType;
}

export interface CleanStep {
  readonly interface: StepInterface;
  readonly step: string;
  /** What it does, one line for people. */
  readonly summary: string;
  /** Default; 0 means never automatically, only by hand. */
  readonly priority: number;
  /** May be stopped while it runs; any other is waited for. */
  readonly abortable: boolean;
  readonly args: readonly StepArg[];
  readonly where: "agent" | "controller";
  /** The lifecycle state shown while it runs in an automated plan; by hand it is `ManualCleaning/RunningStep`. */
  readonly state: State;
  readonly proves: readonly GateName[];
  readonly failureCause: FailureCause;
  /** Whether the technique may be one that cannot be stopped: power actions are refused meanwhile. */
  readonly erases: boolean;
  /** Writes to the agent's drives without sanitizing them: never after they were erased (`orderFaults`). */
  readonly writes: boolean;
  /** It restarts the host: an agent that is needed afterwards is of a later boot. */
  readonly restarts: boolean;
  /** Performed by the controller itself and not by hardware: `hold`, `wait` and the power actions, under any interface. */
  readonly reserved: boolean;
  /** Longest that one attempt may take that tells of no progress, in ms. */
  readonly timeLimitMs: (policy: TimePolicy, args: StepArgs, known: KnownHardware) => number;
  /** What it usually takes on real hardware, in ms; for estimates, and only where this host's own history has none. Null: a person decides. */
  readonly expectedMs: (known: KnownHardware, args: StepArgs) => number | null;
  /** The devices that it must treat; a result that lacks one is no success. */
  readonly devices: (known: KnownHardware, args: StepArgs) => readonly StorageDevice[];
  /** Whether this hardware has something for it. */
  readonly applies: (known: KnownHardware) => boolean;
}

/** A step by its full name, as in an override, a log line, or `cleanStep`: `deploy.erase_nvme`. */
export const stepName = (step: { readonly interface: string; readonly step: string }): string =>
  `${step.interface}.${step.step}`;

/** The part of a policy that time limits follow. */
export type TimePolicy = Pick<Policy, "times" | "sanitization">;

type Given = Pick<CleanStep, "interface" | "step" | "summary" | "where" | "state" | "failureCause"> &
  Partial<CleanStep>;

const second = 1_000;

/** A row with what most steps have in common: by hand only, no arguments, no devices, for every host. */
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
