// What a handler sees of one host: all that the claim returned, and nothing else.
import type { NetworkAck } from "@/server/domain/network/acknowledged";
import type { HardwareManager, ResultBody } from "@/server/domain/agents/protocol";
import type { BrakeDimension } from "@/server/domain/cleaning/brake";
import type { EraseFacts } from "@/server/domain/cleaning/erase-time";
import type { PlanRecord } from "@/server/domain/cleaning/plan";
import type { Policy } from "@/server/domain/cleaning/policy";
import type { StepOverride } from "@/server/domain/cleaning/priorities";
import type { StepArgs } from "@/server/domain/cleaning/steps/step";
import type { GateName } from "@/server/domain/gates/gate-names";
import type { HardwareInventory, StorageDevice } from "@/server/domain/inventory/inventory";
import type { PlatformFacts } from "@/server/domain/inventory/platform";
import type { SkuComponents } from "@/server/domain/inventory/sku";
import type { RunContext } from "@/server/domain/lifecycle/context";
import type { Signal } from "@/server/domain/lifecycle/signals";
import type { State } from "@/server/domain/lifecycle/states";
import type { Disposition } from "@/server/domain/sanitization/dispositions";
import type { DeviceList, UnresolvedStorage } from "@/server/domain/sanitization/known-devices";
import type { ContentRecord } from "@/server/domain/sanitization/content";
import type { JournalEvent } from "@/server/domain/sanitization/device-result";

export interface RunView {
  readonly hostId: string;
  readonly siteId: string;
  readonly name: string;
  readonly state: State;
  readonly stateSinceMs: number;
  readonly context: RunContext;
  readonly generation: string;
  readonly wakeSeq: string;
  readonly evidenceSeq: string;
  readonly bootEpoch: number;
  readonly maintenance: boolean;
  readonly maintenanceBy: "failure" | "person" | null;
  readonly maintenanceReason: string | null;
  readonly lastError: string | null;
  readonly allocatable: boolean;
  /** Somebody may have touched the machine since the boot was ordered in which its content was read. */
  readonly touched: boolean;
  /** What it was, in words; null: maintenance. */
  readonly touchedReason: string | null;
  readonly erasing: boolean;
  /** How far the running step is, as shown; null: it has not told. */
  readonly cleanPercent: number | null;
  /** The newest reclamation, ended or not. */
  readonly reclamationId: string | null;
}

export interface HostFacts {
  /** Null until its BMC was read. */
  readonly serial: string | null;
  readonly systemUuid: string | null;
  readonly hardwareType: string;
  /** Manufacturer and model as its BMC says; null before it was verified. */
  readonly model: string | null;
  readonly networkInterfaces: readonly string[];
  readonly sku: { readonly name: string; readonly components: SkuComponents } | null;
  readonly skuAssigned: boolean;
  /** The host's own setting, which wins over the site's; null: as the site says. */
  readonly automatedClean: boolean | null;
  /** Not to be allocated again. */
  readonly retired: boolean;
}

/** What is known of the serial and the system UUID in the newest reading of a BMC, and the ports that people gave the host. */
export interface ToldIdentity {
  /** Names of other hosts that are of this serial, of this system UUID. */
  readonly serialOf: string | null;
  readonly systemUuidOf: string | null;
  /** Until when an erase may go on in the chassis of this serial, that a deleted host left running. */
  readonly eraseUntilMs: number | null;
  /** MACs of the host's ports. */
  readonly ports: readonly string[];
  /** Path of the system behind the BMC that somebody named; null: the one that is found. */
  readonly systemPath: string | null;
}

export interface SiteFacts {
  readonly demo: boolean;
  readonly policyVersion: number;
  /** Names this text of the policy for ever (`db/hot/host/policy-cache.ts`). */
  readonly policyKey: string;
  readonly policy: Policy;
}

/** `manualCleaning` leads to Manageable and proves nothing (docs/adr/0014-cleaning.md). */
export const reclamationKinds = [
  "release",
  "repairRelease",
  "onboarding",
  "recheck",
  "manualCleaning",
] as const;
export type ReclamationKind = (typeof reclamationKinds)[number];
/** `cleaned`: a manual cleaning ran to its end. */
export type Outcome = "ready" | "handedToRepair" | "abandoned" | "forceDeleted" | "cleaned";

/** The open reclamation; `policy` is the copy that was in force when it began. */
export interface ReclamationView {
  readonly id: string;
  readonly kind: ReclamationKind;
  readonly instanceId: string | null;
  readonly tenantId: string | null;
  readonly requestedBy: string | null;
  readonly requestId: string | null;
  readonly startedAtMs: number;
  readonly queuedAtMs: number | null;
  readonly admittedAtMs: number | null;
  readonly limitAtMs: number | null;
  readonly stoppedAtMs: number | null;
  readonly stoppedCause: string | null;
  readonly stoppedIn: State | null;
  readonly message: string | null;
  readonly policyVersion: number;
  readonly policyKey: string | null;
  readonly policy: Policy;
  readonly devices: DeviceList | null;
  /** Null before a plan is made, and in a manual cleaning. */
  readonly content: ContentRecord | null;
  readonly planMade: boolean;
  readonly planEpoch: number;
  /** What the newest plan was made with; null before it is made. */
  readonly plan: PlanRecord | null;
  readonly runbookId: string | null;
  readonly runbookName: string | null;
  /** The act on many hosts that asked for it. */
  readonly bulkId: string | null;
  /** Time on hold or waiting for people, which `limitAtMs` leaves out; `pausedAtMs`: such a wait is on. */
  readonly pausedMs: number;
  readonly pausedAtMs: number | null;
}

export type StepStatus = "planned" | "running" | "succeeded" | "failed" | "excepted";

export interface StepView {
  readonly id: string;
  readonly position: number;
  readonly interface: string;
  readonly step: string;
  readonly where: "agent" | "controller";
  readonly args: StepArgs;
  readonly abortable: boolean;
  /** Longest that one attempt may take, in ms; null: a plan of an earlier version. */
  readonly timeLimitMs: number | null;
  readonly priority: number;
  readonly prioritySource: string;
  readonly proves: readonly GateName[];
  readonly status: StepStatus;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  readonly deadlineAtMs: number | null;
  readonly message: string | null;
}

/** The newest attempt of the step that runs or runs next. */
export interface AttemptView {
  readonly stepRunId: string;
  readonly attempt: number;
  readonly bootEpoch: number;
  readonly report: ResultBody | null;
  readonly verdict: string | null;
  readonly progress: AttemptProgress;
  /** Journal lines of all attempts of this step. */
  readonly journal: readonly JournalEvent[];
}

/** What its agent has told of an attempt, as anchored when it was received. */
export type AttemptProgress = Pick<EraseFacts, "ends" | "reportedAtMs" | "movedAtMs">;

/** Nothing was reported, and nothing is known of its drives. */
export const noProgress: AttemptProgress = { ends: {}, reportedAtMs: null, movedAtMs: null };

export interface DeviceVerdictView {
  readonly serial: string;
  readonly model: string;
  readonly verdict: "sanitized" | "failed";
  readonly reason: string;
}

/** A brake of the site that is in force (docs/cleaning.md#the-brake). */
export interface BrakeView {
  readonly id: string;
  readonly dimension: BrakeDimension;
  readonly value: string;
  readonly message: string;
}

/** An agent that registered in a boot that we ordered. */
export interface AgentView {
  readonly bootEpoch: number;
  readonly lastSeenMs: number;
  readonly registeredMs: number;
  readonly agentVersion: string;
  readonly hardwareManagers: readonly HardwareManager[];
  /** The restart of its boot was done before it registered. */
  readonly afterReset: boolean;
  /** Something asked too early in its boot, or a second one registered: nothing of it counts. */
  readonly contested: boolean;
}

export interface EffectView {
  readonly id: string;
  readonly kind: EffectKind;
  readonly status: "written" | "permitted" | "done" | "failed" | "unknown";
  readonly generation: string;
  readonly request: unknown;
  readonly result: unknown;
  /** When its outcome was stored; null while it is under way, or was lost. */
  readonly settledAtMs: number | null;
}

export const effectKinds = [
  "verify",
  "bootAgent",
  "lookBoot",
  "bootDisk",
  "readSystem",
  "network",
  "step",
  "power",
] as const;
export type EffectKind = (typeof effectKinds)[number];

export interface InstanceView {
  readonly id: string;
  readonly tenantId: string;
  readonly releaseRequestedMs: number | null;
}

export interface HostView {
  /** The database's clock when the host was claimed, in ms. */
  readonly nowMs: number;
  readonly run: RunView;
  readonly host: HostFacts;
  readonly site: SiteFacts;
  readonly reclamation: ReclamationView | null;
  /** What the newest reclamation knew when the host became Ready; null in every state but Ready. */
  readonly lastReady: { readonly devices: DeviceList | null; readonly content: ContentRecord | null } | null;
  readonly steps: readonly StepView[];
  readonly attempt: AttemptView | null;
  readonly deviceVerdicts: readonly DeviceVerdictView[];
  /** Of the newest boot. */
  readonly agent: AgentView | null;
  /** The newest one that ever registered, also of an earlier boot: what its hardware managers offer. */
  readonly lastAgent: AgentView | null;
  /** Priorities that people set for this host, its SKU and its site; null in states whose claim brings none. */
  readonly overrides: readonly StepOverride[] | null;
  /** Brakes in force; null in states whose claim brings none. */
  readonly brakes: readonly BrakeView[] | null;
  /** The agent image that runs on it, else the one that its site boots, by its version; null: the site has none but the configured one, or the claim brings none. */
  readonly image: string | null;
  readonly inventory: {
    readonly bmc: readonly StorageDevice[] | null;
    /** What else the BMC said of its storage, and drives that only earlier readings listed; left out: none. */
    readonly bmcUnresolved?: readonly UnresolvedStorage[];
    readonly bmcEarlier?: readonly StorageDevice[];
    readonly agent: {
      readonly bootEpoch: number;
      readonly collectedMs: number;
      readonly body: HardwareInventory;
    } | null;
  };
  /** What its BMC offers besides drives, as last read; `noPlatformFacts` in states whose claim brings no inventory. */
  readonly platform: PlatformFacts;
  readonly instance: InstanceView | null;
  readonly acks: readonly NetworkAck[];
  readonly resourcesHeld: number;
  /** Standing debts of this chassis or its drives, with the drive serials that they name. */
  readonly debts: { readonly count: number; readonly driveSerials: readonly string[] };
  /** What people stated of drives of this chassis that nobody finds; null in states whose claim brings no inventory. */
  readonly dispositions: readonly Disposition[] | null;
  /** What the fleet knows of the identity that the BMC told; null in states other than Verifying. */
  readonly told: ToldIdentity | null;
  readonly signals: readonly { readonly id: string; readonly signal: Signal }[];
  readonly effects: readonly EffectView[];
}
