// What the console shows of agent images: what a site boots now, the candidate, and earlier ones.
import { z } from "zod";
import { imageKind } from "@/server/domain/cleaning/images/agent-image";
import { rollout } from "@/server/domain/cleaning/images/image-rollout";
import { list, record } from "@/server/contract/define";

export const imageStatuses = ["candidate", "current", "replaced", "withdrawn"] as const;
export type ImageStatus = (typeof imageStatuses)[number];

export const imageLine = record({
  id: z.string(),
  version: z.string(),
  url: z.string(),
  /** Digest of `initrd.img`; null if not given. */
  sha256: z.string().nullable(),
  /** Hosts check the image's signatures before they start it. */
  signed: z.boolean(),
  kind: imageKind,
  status: z.enum(imageStatuses),
  /** Progress of the rollout, or how far it came. */
  rollout,
  createdAt: z.date(),
  createdBy: z.string().nullable(),
  changedAt: z.date(),
  changedBy: z.string().nullable(),
});
export type ImageLine = z.infer<typeof imageLine>;

/** For an image in use: numbers of hosts, each counted once. */
export const imageUse = record({
  /** Hosts that were given the image at a boot. */
  given: z.number(),
  /** Hosts where an agent of the image registered. */
  cameUp: z.number(),
  /** Hosts in a failed state since they booted the image. */
  failed: z.number(),
  /** Filter for the hosts page: hosts that were given the image at their newest boot. */
  filter: z.string(),
});
export type ImageUse = z.infer<typeof imageUse>;

export const candidateLine = record({
  ...imageLine.unwrap().shape,
  use: imageUse,
  /** Message of the brake on the image. */
  braked: z.string().nullable(),
  /** Why it may not become the current image; null if it may. */
  currentRefusal: z.string().nullable(),
});
export type CandidateLine = z.infer<typeof candidateLine>;

export const siteImages = record({
  siteId: z.string(),
  site: z.string(),
  /** Null if the site boots the configured image. */
  current: record({ ...imageLine.unwrap().shape, use: imageUse }).nullable(),
  candidate: candidateLine.nullable(),
  /** Replaced and withdrawn images, newest first, at most 20. */
  past: list(imageLine),
});
export type SiteImages = z.infer<typeof siteImages>;

export const imagesPage = record({
  /** Booted by sites without an image of their own. */
  configuredUrl: z.string(),
  sites: list(siteImages),
});
export type ImagesPage = z.infer<typeof imagesPage>;
