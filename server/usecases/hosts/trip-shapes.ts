// What the console reads about one trip of a host: step runs with their devices, the time axis, gates, and the trips of the past.
import type { VoidedErase } from "@/server/domain/sanitization/voided";
import type { GateName, GateStatus } from "@/server/domain/gates/gate-names";
import type { StepArgs } from "@/server/domain/cleaning/steps/step";
import type { State } from "@/server/domain/lifecycle/states";
import type { Tone } from "@/server/domain/lifecycle/state-table";
import type { AskedOfCleaning, ReclamationHead } from "@/server/usecases/hosts/host-shapes";

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
  /** Why what earlier plans of it erased counts no more, oldest first. */
  readonly voided: readonly VoidedErase[];
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
