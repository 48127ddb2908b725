// What the console shows of agent images: what a site boots now, what it tries, and what was before.
import type { Rollout } from "@/server/domain/cleaning/image-rollout";

export type ImageStatus = "candidate" | "current" | "replaced" | "withdrawn";

export interface ImageLine {
  readonly id: string;
  readonly version: string;
  readonly url: string;
  /** Of `initrd.img`; null: not told. */
  readonly sha256: string | null;
  /** Hosts check its signatures before they start it. */
  readonly signed: boolean;
  readonly status: ImageStatus;
  /** How far it is, or was when it ended. */
  readonly rollout: Rollout;
  readonly createdAt: Date;
  readonly createdBy: string | null;
  readonly changedAt: Date;
  readonly changedBy: string | null;
}

/** Of an image in use: hosts, each counted once. */
export interface ImageUse {
  /** Were given it at a boot. */
  readonly given: number;
  /** An agent of it registered. */
  readonly cameUp: number;
  /** Stand in a failed state since they booted it. */
  readonly failed: number;
  /** The filter of the hosts page that finds those whose newest boot was given it. */
  readonly filter: string;
}

export interface CandidateLine extends ImageLine {
  readonly use: ImageUse;
  /** The message of the brake that is on it. */
  readonly braked: string | null;
  /** Why it may not become the current image; null: it may. */
  readonly currentRefusal: string | null;
}

export interface SiteImages {
  readonly siteId: string;
  readonly site: string;
  /** Null: the site boots the configured image. */
  readonly current: (ImageLine & { readonly use: ImageUse }) | null;
  readonly candidate: CandidateLine | null;
  /** Replaced and withdrawn ones, newest first, at most 20. */
  readonly past: readonly ImageLine[];
}

export interface ImagesPage {
  /** What sites without an image of their own boot. */
  readonly configuredUrl: string;
  readonly sites: readonly SiteImages[];
}
