// What the console shows of agent images: what a site boots now, what it tries, and what was before.
import { z } from "zod";
import { imageKind } from "@/server/domain/cleaning/agent-image";
import { rollout } from "@/server/domain/cleaning/image-rollout";
import { list, record } from "@/server/contract/define";

export const imageStatuses = ["candidate", "current", "replaced", "withdrawn"] as const;
export type ImageStatus = (typeof imageStatuses)[number];

export const imageLine = record({
  id: z.string(),
  version: z.string(),
  url: z.string(),
  /** Of `initrd.img`; null: not told. */
  sha256: z.string().nullable(),
  /** Hosts check its signatures before they start it. */
  signed: z.boolean(),
  kind: imageKind,
  status: z.enum(imageStatuses),
  /** How far it is, or was when it ended. */
  rollout,
  createdAt: z.date(),
  createdBy: z.string().nullable(),
  changedAt: z.date(),
  changedBy: z.string().nullable(),
});
export type ImageLine = z.infer<typeof imageLine>;

/** Of an image in use: hosts, each counted once. */
export const imageUse = record({
  /** Were given it at a boot. */
  given: z.number(),
  /** An agent of it registered. */
  cameUp: z.number(),
  /** Stand in a failed state since they booted it. */
  failed: z.number(),
  /** The filter of the hosts page that finds those whose newest boot was given it. */
  filter: z.string(),
});
export type ImageUse = z.infer<typeof imageUse>;

export const candidateLine = record({
  ...imageLine.unwrap().shape,
  use: imageUse,
  /** The message of the brake that is on it. */
  braked: z.string().nullable(),
  /** Why it may not become the current image; null: it may. */
  currentRefusal: z.string().nullable(),
});
export type CandidateLine = z.infer<typeof candidateLine>;

export const siteImages = record({
  siteId: z.string(),
  site: z.string(),
  /** Null: the site boots the configured image. */
  current: record({ ...imageLine.unwrap().shape, use: imageUse }).nullable(),
  candidate: candidateLine.nullable(),
  /** Replaced and withdrawn ones, newest first, at most 20. */
  past: list(imageLine),
});
export type SiteImages = z.infer<typeof siteImages>;

export const imagesPage = record({
  /** What sites without an image of their own boot. */
  configuredUrl: z.string(),
  sites: list(siteImages),
});
export type ImagesPage = z.infer<typeof imagesPage>;
