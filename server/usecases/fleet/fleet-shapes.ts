// What the fleet page shows. A number that is not known is null, never 0.
import type { State } from "@/server/domain/lifecycle/states";
import type { Tone } from "@/server/domain/lifecycle/state-table";

/** Hosts of a site by what they do; each host is in exactly one. */
export interface SiteCounts {
  readonly ready: number;
  /** The provider's own: enrolled, being verified, manageable, in manual cleaning. */
  readonly provider: number;
  readonly working: number;
  readonly waiting: number;
  readonly overLimit: number;
  readonly failed: number;
  readonly inUse: number;
}

export interface FleetCause {
  /** A failure's cause, or the state whose limit is over. */
  readonly label: string;
  readonly words: string;
  readonly kind: "failed" | "overLimit";
  readonly count: number;
  readonly cumulativePercent: number;
  /** For the hosts page. */
  readonly filter: string;
}

export interface HourOfReturns {
  readonly hour: Date;
  readonly released: number;
  readonly returned: number;
}

export interface StepDuration {
  readonly step: string;
  readonly runs: number;
  readonly p5Ms: number;
  readonly p25Ms: number;
  readonly p50Ms: number;
  readonly p75Ms: number;
  readonly p95Ms: number;
}

export interface WaitingHost {
  readonly hostId: string;
  readonly name: string;
  readonly state: State;
  readonly tone: Tone;
  readonly since: Date;
  readonly says: string;
  readonly checkNext: string;
}

export interface FleetSummary {
  readonly at: Date;
  readonly hosts: number;
  readonly counts: SiteCounts;
  readonly sites: readonly { readonly id: string; readonly name: string; readonly hosts: number; readonly counts: SiteCounts }[];
  readonly ready: { readonly count: number; readonly allocatable: number; readonly filter: string };
  readonly comingBack: { readonly count: number; readonly filter: string };
  readonly needPerson: { readonly count: number; readonly failed: number; readonly overLimit: number; readonly filter: string };
  /** Hosts whose reclamation is over its total time limit, whatever they do. */
  readonly overdue: { readonly count: number; readonly filter: string };
  /** Of the trips that ended in Ready in the last 24 h, from acceptance of the release; nulls without any. */
  readonly timeToReady: { readonly p50Ms: number | null; readonly p95Ms: number | null; readonly returns: number; readonly weekAgo: { readonly p50Ms: number; readonly p95Ms: number; readonly returns: number } | null; readonly p50ByHourMs: readonly (number | null)[] };
  readonly causes: readonly FleetCause[];
  /** 24 hours, oldest first; the last is the running one. */
  readonly returnsPerHour: readonly HourOfReturns[];
  readonly stepDurations: readonly StepDuration[];
  readonly waitingLongest: readonly WaitingHost[];
  readonly waitingTotal: number;
  /** Finds them all on the hosts page. */
  readonly waitingFilter: string;
  /** Erases that run now by when their devices say that they end, per half hour; `unknown` gave no estimate. */
  readonly capacity: { readonly buckets: readonly { readonly until: Date; readonly hosts: number }[]; readonly unknown: number };
}
