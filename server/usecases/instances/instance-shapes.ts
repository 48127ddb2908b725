// What a person reads about instances.

import type { NicoInstanceStatus } from "@/server/domain/lifecycle/projections";

/** NICo's words for an instance that is there, and our own for one that has ended. */
export type InstanceStatus = NicoInstanceStatus | "Terminated";

export interface InstanceRow {
  readonly id: string;
  readonly name: string;
  readonly status: InstanceStatus;
  readonly tone: "neutral" | "working" | "waiting" | "good" | "failed" | "attention";
  readonly tenantId: string;
  readonly tenantOrg: string;
  readonly tenantName: string;
  readonly createdAt: Date;
  readonly readyAt: Date | null;
  readonly releaseRequestedAt: Date | null;
  readonly endedAt: Date | null;
  /** Where the host is, in words that a tenant may see; what it does after its return is not told. */
  readonly hostWords: string | null;
  readonly site: string | null;
  readonly sku: string | null;
  /** Null for tenants. */
  readonly host: { readonly id: string; readonly name: string } | null;
  readonly release: { readonly allowed: boolean; readonly reason: string | null };
}

/** One that a text may mean. */
export interface InstanceMatch {
  readonly id: string;
  readonly name: string;
  /** Of its tenant, as the NICo surface has it in its paths. */
  readonly org: string;
  /** It has not ended. */
  readonly open: boolean;
}

export interface InstanceList {
  readonly rows: readonly InstanceRow[];
  readonly nextCursor: string | null;
  /** With the first page only. */
  readonly total: number | null;
}

export interface InstanceHistoryLine {
  readonly status: string;
  readonly message: string;
  readonly at: Date;
}

export interface ReleaseResult {
  readonly id: string;
  readonly ok: boolean;
  readonly message: string;
}
