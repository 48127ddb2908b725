// Rollout of a new agent image: to a few hosts, then a percentage, then all, and when it may continue (docs/cleaning.md#new-agent-images).
import { z } from "zod";

/** How far a candidate is rolled out. A percentage is neither 0 nor 100. */
export const rollout = z.discriminatedUnion("stage", [
  z.strictObject({ stage: z.literal("few"), hosts: z.int().min(1).max(100) }),
  z.strictObject({ stage: z.literal("share"), percent: z.number().min(1).max(99) }),
  z.strictObject({ stage: z.literal("all") }),
]);
export type Rollout = Readonly<z.infer<typeof rollout>>;

export const rolloutStages = ["few", "share", "all"] as const satisfies readonly Rollout["stage"][];

export interface RolledOut {
  readonly id: string;
  readonly rollout: Rollout;
  /** A brake is on it. */
  readonly braked: boolean;
}

/** A host requesting its boot script. */
export interface BootingHost {
  readonly id: string;
  /** Result of the candidate's last boot on this host; null: it never booted it. */
  readonly had: "cameUp" | "didNot" | "under way" | null;
}

/** `ifRoom`: the candidate, if one of the few slots is free. */
export type ImageChoice = "current" | "candidate" | "ifRoom";

/**
 * A host's position in the rollout of this image, from 0 to below 100. Stable for an image, and different between images, so that it is not always the same
 * hosts that go first. FNV-1a with murmur3's finalizer, which spreads ids that differ in one digit. Pure.
 */
export function positionOf(imageId: string, hostId: string): number {
  let hash = 0x811c9dc5;
  for (const letter of `${imageId} ${hostId}`)
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32) * 100;
}

/**
 * The image that a host boots. Under a brake every host gets the current image. A host on which the candidate did not come up does not get it again;
 * one on which it came up keeps it while the percentage grows. Pure.
 */
export function chooseImage(host: BootingHost, candidate: RolledOut | null): ImageChoice {
  if (candidate === null || candidate.braked || host.had === "didNot") return "current";
  if (host.had !== null) return "candidate";
  switch (candidate.rollout.stage) {
    case "few":
      return "ifRoom";
    case "share":
      return positionOf(candidate.id, host.id) < candidate.rollout.percent ? "candidate" : "current";
    case "all":
      return "candidate";
  }
}

/** "5 hosts", "20 % of the hosts", "all hosts". */
export function formatRollout(rollout: Rollout): string {
  switch (rollout.stage) {
    case "few":
      return rollout.hosts === 1 ? "1 host" : `${rollout.hosts} hosts`;
    case "share":
      return `${rollout.percent} % of the hosts`;
    case "all":
      return "all hosts";
  }
}

const sizeOf = (rollout: Rollout): number =>
  rollout.stage === "few" ? rollout.hosts : rollout.stage === "share" ? rollout.percent : 0;

function isWider(from: Rollout, to: Rollout): boolean {
  const step = rolloutStages.indexOf(to.stage) - rolloutStages.indexOf(from.stage);
  return step > 0 || (step === 0 && sizeOf(to) > sizeOf(from));
}

export interface RolloutFacts {
  readonly rollout: Rollout;
  readonly braked: boolean;
  /** Number of hosts on which it came up. */
  readonly cameUp: number;
}

const brakedText = "A brake is on this image: lift it once its cause is fixed, or withdraw the image.";

/** Why a candidate may not be rolled out this far; null: it may. Pure. */
export function widenRefusal({ rollout, braked, cameUp }: RolloutFacts, to: Rollout): string | null {
  if (!isWider(rollout, to))
    return `The image is rolled out to ${formatRollout(rollout)}; ${formatRollout(to)} would not be more. To undo the rollout, withdraw the image.`;
  if (rolloutStages.indexOf(to.stage) - rolloutStages.indexOf(rollout.stage) > 1)
    return "An image goes to a few hosts, then to a percentage, then to all.";
  if (braked) return brakedText;
  return cameUp === 0 ? "It has not come up on any host yet." : null;
}

/** Why a candidate may not become the current image; null: it may. Pure. */
export function currentRefusal({ rollout, braked, cameUp }: RolloutFacts): string | null {
  if (rollout.stage !== "all")
    return `The image is rolled out to ${formatRollout(rollout)}; roll it out to all first.`;
  if (braked) return brakedText;
  return cameUp === 0 ? "It has not come up on any host yet." : null;
}
