// What the console shows of admission: who waits and why, the limits, and the brakes.
import type { BrakeDimension } from "@/server/domain/cleaning/brake";

export interface LimitLine {
  readonly name: "atWork" | "bootsPerMinute" | "perPowerDomain" | "tenantReleasesPerHour";
  readonly words: string;
  /** Null: none. */
  readonly limit: number | null;
  /** How much of it is used; for segments, domains and tenants by the one that uses most. Null where nothing is counted. */
  readonly used: number | null;
}

export interface QueueLine {
  readonly hostId: string;
  readonly name: string;
  readonly model: string | null;
  /** From 1, in order of release; null while a brake holds it back. */
  readonly place: number | null;
  readonly since: Date;
  readonly tenant: string | null;
  readonly reason: string;
  /** A brake keeps it from having a place. */
  readonly braked: boolean;
}

/** A page of one site's queue. */
export interface QueueHosts {
  readonly hosts: readonly QueueLine[];
  readonly nextCursor: string | null;
}

/** Where one host stands. */
export interface QueuePlace extends Pick<QueueLine, "place" | "reason" | "braked"> {
  /** All that wait at its site. */
  readonly of: number;
}

export interface BrakeLine {
  readonly id: string;
  readonly site: string;
  readonly dimension: BrakeDimension;
  readonly value: string;
  readonly failed: number;
  readonly started: number;
  readonly message: string;
  readonly engagedAt: Date;
  /** Hosts that it holds back now. */
  readonly holds: number;
  readonly liftedAt: Date | null;
  readonly liftedBy: string | null;
}

export interface SiteQueue {
  readonly siteId: string;
  readonly site: string;
  readonly atWork: number;
  /** Of the policy that the limits are from. */
  readonly policyVersion: number;
  readonly limits: readonly LimitLine[];
  readonly waiting: number;
}

export interface QueuePage {
  readonly at: Date;
  readonly sites: readonly SiteQueue[];
  /** In force first, then those of the last day. */
  readonly brakes: readonly BrakeLine[];
}
