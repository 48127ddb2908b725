// What the console reads about acts on many hosts.
import type { BulkIntent } from "@/server/domain/hosts/bulk-intents";
import type { State } from "@/server/domain/lifecycle/states";
import type { Tone } from "@/server/domain/lifecycle/state-table";

/** Where one host of an act stands. `can` and `cannot` are of the preview; the others of the act once it was started. */
export const bulkStatuses = ["can", "cannot", "asked", "refused", "refusedLater", "running", "failed", "ended", "accepted"] as const;
export type BulkStatus = (typeof bulkStatuses)[number];

export interface BulkReason {
  readonly reason: string;
  readonly count: number;
  /** Names of the first few hosts. */
  readonly hosts: readonly string[];
}

export interface BulkPreview {
  /** Give it to `bulk.start`. */
  readonly id: string;
  readonly intent: BulkIntent;
  readonly total: number;
  readonly can: number;
  readonly cannot: number;
  /** Why some cannot, most hosts first, at most 20. */
  readonly reasons: readonly BulkReason[];
  /** Whether it erases: the console asks for a typed confirmation. */
  readonly erases: boolean;
  /** Of the hosts that can: stopped reclamations that end as abandoned. */
  readonly abandons: number;
}

export interface BulkHead {
  readonly id: string;
  readonly intent: BulkIntent;
  readonly words: string;
  readonly runbookName: string | null;
  readonly reason: string | null;
  readonly steps: readonly string[];
  readonly filter: string | null;
  readonly total: number;
  readonly createdAt: Date;
  readonly createdByName: string;
  /** Null: it was only previewed. */
  readonly startedAt: Date | null;
  /** When the last host was asked or refused; null: some wait yet. */
  readonly askedAllAt: Date | null;
}

export interface BulkHost {
  readonly hostId: string;
  readonly name: string;
  readonly status: BulkStatus;
  readonly tone: Tone;
  /** Why it was refused, its failure, its outcome, or the step that runs. */
  readonly message: string | null;
  /** Null: the host is gone. */
  readonly state: State | null;
  readonly step: string | null;
  readonly percent: number | null;
  readonly reclamationId: string | null;
  /** `R-42` */
  readonly reclamationNumber: string | null;
  readonly outcome: string | null;
}

export interface BulkProgress extends BulkHead {
  readonly counts: Readonly<Record<BulkStatus, number>>;
  /** Nothing of it will change any more. */
  readonly over: boolean;
  readonly hosts: readonly BulkHost[];
  readonly nextCursor: string | null;
}
