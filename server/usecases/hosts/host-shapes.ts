// What the console reads about hosts: rows of the list, the head of a page, inventory and acts.
import type { NextStep } from "@/server/domain/hosts/next-steps";
import type { HostActionName } from "@/server/domain/hosts/host-actions";
import type { IntentKind } from "@/server/domain/lifecycle/signals";
import type { UnaccountedDrive } from "@/server/domain/sanitization/unaccounted";
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
  /** Its reclamation is over its total time limit. */
  readonly overdue: boolean;
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

export const hostViewNames = ["needPerson", "comingBack", "overLimit", "overdue", "ready", "inUse", "all"] as const;
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
  readonly intent: IntentKind | HostActionName;
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
  /** By how much its open reclamation is over its total time limit; null: it is not. */
  readonly overdueMs: number | null;
  /** What it does or what went wrong. */
  readonly says: string;
  readonly waitsFor: string;
  /** Null: nothing to do. */
  readonly checkNext: string | null;
  /** Where that leads: acts, tabs, pages and documents, in order. */
  readonly next: readonly NextStep[];
  readonly step: string | null;
  readonly percent: number | null;
  readonly allocatable: boolean;
  readonly maintenance: { readonly reason: string | null; readonly by: string | null } | null;
  /** What a person stated in place of the check after the last maintenance; null: nothing since the host last began a reclamation. */
  readonly untouched: { readonly byName: string; readonly reason: string; readonly at: Date } | null;
  readonly reclamation: ReclamationHead | null;
  /** Who has it now. */
  readonly instance: { readonly id: string; readonly name: string; readonly tenantName: string; readonly releaseRequestedAt: Date | null } | null;
  readonly debts: readonly { readonly id: string; readonly since: Date; readonly drives: number; readonly serials: readonly string[]; readonly instanceId: string | null; readonly tenantName: string | null }[];
  readonly actions: readonly HostAction[];
  /** Drives that are owed or expected and not there, each with what was stated of it. */
  readonly unaccounted: readonly UnaccountedDrive[];
  /** The inventory that a person had read again here, while the host stands where it was asked for. */
  readonly inspection: { readonly askedAt: Date; readonly readAt: Date | null; readonly message: string | null } | null;
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

export interface HostInventoryView {
  /** The devices that the running or last reclamation treats; empty before its plan. */
  readonly known: readonly { readonly serial: string; readonly model: string; readonly media: string; readonly slot: string | null; readonly capacityBytes: string; readonly sources: readonly string[] }[];
  readonly missing: readonly { readonly serial: string; readonly model: string; readonly knownBy: string }[];
  readonly excluded: readonly { readonly serial: string; readonly model: string; readonly reason: string }[];
  /** Was missing, and a person's statement answers for it: in words. */
  readonly answered: readonly { readonly serial: string; readonly model: string; readonly words: string }[];
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
