// What the console reads about hosts: rows of the list, the head of a page, and its tabs.
import type { GateName, GateStatus } from "@/server/domain/gates/gate-names";
import type { IntentKind } from "@/server/domain/lifecycle/signals";
import type { StepArgs } from "@/server/domain/cleaning/steps/step";
import type { State } from "@/server/domain/lifecycle/states";
import type { QueuePlace } from "@/server/usecases/queue/queue-shapes";
import type { Tone } from "@/server/domain/lifecycle/state-table";

export interface HostRow {
  readonly hostId: string;
  readonly name: string;
  readonly state: State;
  readonly tone: Tone;
  /** Something acts on the host now, so its mark may move. */
  readonly live: boolean;
  readonly stateSince: Date;
  /** 0: over the limit from the start; null: no limit. */
  readonly limitMs: number | null;
  readonly overLimit: boolean;
  /** The step's message, why it waits, or what went wrong; null where the state needs no words. */
  readonly detail: string | null;
  /** `interface.step` that runs now. */
  readonly step: string | null;
  readonly percent: number | null;
  readonly health: { readonly words: string; readonly tone: Tone };
  /** The tenant that has the host, or had it last in the running reclamation. */
  readonly tenantName: string | null;
  /** No machine stands behind it. */
  readonly fake: boolean;
  readonly site: string;
  readonly rack: string | null;
  readonly slot: string | null;
  readonly sku: string | null;
  readonly lastReadyAt: Date | null;
  readonly allocatable: boolean;
  /** Rises with every state; a row with a lower one is older. */
  readonly stateVersion: string;
}

/** One that a text may mean. */
export interface HostMatch {
  readonly id: string;
  readonly name: string;
  readonly stateVersion: string;
}

export interface HostList {
  readonly rows: readonly HostRow[];
  readonly nextCursor: string | null;
  /** All that match, counted with the first page only; null on later pages. */
  readonly total: number | null;
  /** What in the filter was not understood; then `rows` is empty. */
  readonly problem: FilterProblem | null;
}

export interface FilterProblem {
  readonly message: string;
  /** Where in the filter's text, from 0. */
  readonly position: number;
}

export const hostViewNames = ["needPerson", "comingBack", "overLimit", "ready", "inUse", "all"] as const;
export type HostViewName = (typeof hostViewNames)[number];

export interface HostView {
  readonly name: HostViewName;
  readonly words: string;
  readonly filter: string;
  readonly count: number;
}

/** What a person asked of the cleaning under way and that is not over. */
export interface AskedOfCleaning {
  /** Before `since` it waits for the running step to end. */
  readonly hold: { readonly byName: string; readonly reason: string; readonly since: Date | null; readonly until: Date | null } | null;
  readonly abort: { readonly byName: string; readonly at: Date } | null;
}

/** What a person may ask of a host. */
export interface HostAction {
  readonly intent: IntentKind | "setMaintenance" | "clearMaintenance";
  readonly words: string;
  /** What will happen, in one sentence. */
  readonly consequence: string;
  readonly danger: boolean;
  readonly allowed: boolean;
  /** Why not; null when allowed. */
  readonly reason: string | null;
}

export interface Stage {
  readonly name: string;
  readonly status: "done" | "now" | "todo" | "skipped";
  readonly tone: Tone;
  readonly tookMs: number | null;
  readonly since: Date | null;
}

export interface ReclamationHead {
  readonly id: string;
  /** `R-42` */
  readonly number: string;
  readonly kind: string;
  readonly startedAt: Date;
  readonly limitAt: Date | null;
  readonly stoppedAt: Date | null;
  readonly stoppedCause: string | null;
  readonly message: string | null;
  readonly endedAt: Date | null;
  readonly outcome: string | null;
  readonly tenantName: string | null;
  readonly instanceId: string | null;
  /** In the queue from, and until; null: it never was, or still is. */
  readonly queuedAt: Date | null;
  readonly admittedAt: Date | null;
  /** Time on hold or waiting for people, which its limit leaves out; while such a wait is on, it counts from `pausedAt`. */
  readonly pausedMs: number;
  readonly pausedAt: Date | null;
  /** Of a manual cleaning. */
  readonly runbookName: string | null;
  /** The act on many hosts that asked for it. */
  readonly bulkId: string | null;
}

export interface HostDetail {
  readonly id: string;
  readonly name: string;
  /** No machine stands behind it. */
  readonly fake: boolean;
  readonly manufacturer: string | null;
  readonly model: string | null;
  /** Null before its BMC was read. */
  readonly serial: string | null;
  readonly bmcAddress: string | null;
  readonly powerState: string | null;
  readonly powerReadAt: Date | null;
  readonly site: string;
  readonly rack: string | null;
  readonly slot: string | null;
  readonly sku: string | null;
  readonly state: State;
  readonly tone: Tone;
  readonly label: string;
  readonly live: boolean;
  readonly since: Date;
  readonly limitMs: number | null;
  readonly overLimit: boolean;
  /** What it does or what went wrong. */
  readonly says: string;
  readonly waitsFor: string;
  /** Null: nothing to do. */
  readonly checkNext: string | null;
  readonly step: string | null;
  readonly percent: number | null;
  readonly allocatable: boolean;
  readonly maintenance: { readonly reason: string | null; readonly by: string | null } | null;
  readonly reclamation: ReclamationHead | null;
  /** Who has it now. */
  readonly instance: { readonly id: string; readonly name: string; readonly tenantName: string; readonly releaseRequestedAt: Date | null } | null;
  readonly debts: readonly { readonly id: string; readonly since: Date; readonly drives: number; readonly instanceId: string | null; readonly tenantName: string | null }[];
  readonly actions: readonly HostAction[];
  /** Its place while it is queued for cleaning. */
  readonly queue: QueuePlace | null;
  readonly asked: AskedOfCleaning;
  /** Read while a hold or an abort waits for the step that runs; null when none does. */
  readonly stepEnds: { readonly step: string; readonly erases: boolean; readonly expectedAt: Date | null; readonly latestAt: Date | null } | null;
  /** Clean by hand, hold, resume, abort: each asks for more than a click. */
  readonly cleaningActions: readonly HostAction[];
  readonly traits: readonly string[];
  /** Whether it is cleaned by itself; null: as its site says. */
  readonly automatedClean: boolean | null;
  readonly stages: readonly Stage[];
  readonly counts: { readonly gatesHold: number; readonly gates: number; readonly reclamations: number };
  readonly stateVersion: string;
}

export interface DeviceTryLine {
  readonly technique: string;
  readonly status: string;
  readonly command: string;
  readonly attempt: number;
  readonly completed: boolean;
  readonly startedAt: Date;
  readonly tookMs: number;
}

export interface DeviceLine {
  readonly slot: string | null;
  readonly serial: string;
  readonly model: string;
  readonly firmware: string | null;
  readonly media: string;
  readonly tone: Tone;
  readonly result: string;
  readonly percent: number | null;
  readonly technique: string | null;
  readonly level: string | null;
  readonly verification: string;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly tries: readonly DeviceTryLine[];
}

export interface StepRunLine {
  readonly id: string;
  readonly planEpoch: number;
  readonly position: number;
  readonly interface: string;
  /** `interface.step` */
  readonly step: string;
  readonly status: "planned" | "running" | "succeeded" | "failed" | "excepted";
  readonly tone: Tone;
  readonly result: string;
  readonly message: string | null;
  readonly proves: readonly string[];
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly priority: number;
  /** default, site, sku, host; `manual` in a manual cleaning. */
  readonly prioritySource: string;
  readonly where: string;
  readonly args: StepArgs;
  /** May be stopped while it runs; any other is waited for. */
  readonly abortable: boolean;
  readonly restarts: boolean;
  readonly erases: boolean;
  /** Longest that one attempt may take; null: a plan of an earlier version. */
  readonly timeLimitMs: number | null;
  /** When the running attempt is over its limit. */
  readonly deadlineAt: Date | null;
  /** What it usually takes, from runs on this host or its SKU, else from the catalogue; null: a person decides, or it is over. */
  readonly expectedMs: number | null;
  /** Of a running step: by the devices' own estimates, else by what it usually takes. */
  readonly expectedEndAt: Date | null;
  readonly devices: readonly DeviceLine[];
}

/** A step that an override disabled in this plan. */
export interface DisabledStepLine {
  readonly step: string;
  /** The scope of the override. */
  readonly source: string;
  readonly proves: readonly string[];
  readonly devices: number;
}

export interface TimelineBar {
  readonly from: Date;
  /** Null: goes on. */
  readonly to: Date | null;
  readonly words: string;
  readonly tone: Tone | null;
}

export interface TimelineLane {
  readonly name: string;
  readonly bars: readonly TimelineBar[];
}

export interface ReclamationDetail extends AskedOfCleaning {
  readonly reclamation: ReclamationHead;
  /** The current plan's; those of plans that were restarted have a lower `planEpoch`. */
  readonly stepRuns: readonly StepRunLine[];
  readonly disabled: readonly DisabledStepLine[];
  /** Hardware managers that the plan was made with, as `name version`. */
  readonly managers: readonly string[];
  /** Who asked for it; null: nobody, such as an onboarding by a program that is gone. */
  readonly requestedByName: string | null;
  /** `planned`: what is expected of the steps that did not begin, one lane each; empty while it is held or stopped, and after a step that waits for a person. */
  readonly timeline: { readonly from: Date; readonly to: Date | null; readonly lanes: readonly TimelineLane[]; readonly planned: readonly TimelineLane[] };
  /** Of the newest boot; `total` is null when there are more lines than were read. */
  readonly log: { readonly bootEpoch: number | null; readonly total: number | null; readonly lines: readonly { readonly at: Date; readonly text: string }[] };
}

export interface GateLine {
  readonly gate: GateName;
  readonly meaning: string;
  /** `open`: not evaluated yet in this reclamation. */
  readonly status: GateStatus | "open";
  readonly reason: string;
  readonly evidence: unknown;
  readonly generation: string | null;
  readonly evidenceSeq: string | null;
  readonly evaluatedAt: Date | null;
}

export interface HistoryLine {
  readonly version: string;
  readonly state: State;
  readonly tone: Tone;
  readonly at: Date;
  /** Until the next state; null for the present one. */
  readonly tookMs: number | null;
  readonly reason: string | null;
  readonly reclamationNumber: string | null;
}

export interface HostHistory {
  readonly reclamations: readonly ReclamationHead[];
  readonly states: readonly HistoryLine[];
  /** Give it as `before` for older states; null at the beginning. */
  readonly nextBefore: string | null;
}

export interface HostInventoryView {
  /** The devices that the running or last reclamation treats; empty before its plan. */
  readonly known: readonly { readonly serial: string; readonly model: string; readonly media: string; readonly slot: string | null; readonly capacityBytes: string; readonly sources: readonly string[] }[];
  readonly missing: readonly { readonly serial: string; readonly model: string; readonly knownBy: string }[];
  readonly excluded: readonly { readonly serial: string; readonly model: string; readonly reason: string }[];
  /** The newest inventory of each source, as it came. */
  readonly found: readonly { readonly source: string; readonly collectedAt: Date; readonly bootEpoch: number; readonly leftOut: readonly string[]; readonly body: unknown }[];
  /** What the SKU wants against what the agent found last. */
  readonly components: readonly { readonly what: string; readonly wanted: string; readonly found: string; readonly same: boolean }[];
}

export interface HostActPreview {
  readonly total: number;
  readonly can: number;
  /** At most 50, with the reason of each. */
  readonly cannot: readonly { readonly hostId: string; readonly name: string; readonly reason: string }[];
}
