// New firmware for the hosts of a SKU, in stages: which hosts may take it now (docs/adr/0148-firmware-rollouts.md).
import { formatCounted } from "@/server/domain/numbers";
import { z } from "zod";

/**
 * Why firmware cannot be fetched from an address; null: it can. The words are without the address, which may hold a password. Pure.
 */
export function fileAddressFault(address: string): string | null {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    return "must be an http:// or https:// address: Reclaim reads each file and compares it before it is written";
  return url.username === "" && url.password === ""
    ? null
    : "must contain no user and no password: the address is kept and shown";
}

const fileAddress = z
  .string()
  .max(2048)
  .superRefine((address, context) => {
    const fault = fileAddressFault(address);
    if (fault !== null) context.addIssue({ code: "custom", message: fault });
  });

/** A component of firmware with the version that is wanted, and the file that has it. */
export const firmwareImage = z.strictObject({
  component: z.string().min(1).max(256),
  version: z.string().min(1).max(128),
  url: fileAddress,
  checksum: z.string().regex(/^[0-9a-f]{64}$/, "the SHA-256 of the image, 64 hexadecimal digits"),
  /** Seconds to wait after its update. */
  wait: z.int().min(0).max(3600).exactOptional(),
});
export type FirmwareImage = Readonly<z.infer<typeof firmwareImage>>;

/** How many hosts have been let in when the stage is full. */
export const rolloutStage = z.union([
  z.strictObject({ hosts: z.int().min(1).max(1_000_000) }),
  z.strictObject({ percent: z.number().gt(0).max(100) }),
]);
export type RolloutStage = Readonly<z.infer<typeof rolloutStage>>;

/** The last stage is all hosts, so that a finished rollout leaves none behind. */
export const rolloutStages = z
  .array(rolloutStage)
  .min(1)
  .max(16)
  .refine((stages) => {
    const last = stages.at(-1);
    return last !== undefined && "percent" in last && last.percent === 100;
  }, "the last stage must be 100 %");

/** "1 host", "10 %". Pure. */
export const stageText = (stage: RolloutStage): string =>
  "percent" in stage ? `${stage.percent} %` : `${formatCounted(stage.hosts, "host")}`;

/** "1", "10%", "100%": a stage as people write it; null: none. Pure. */
export function readStage(text: string): RolloutStage | null {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(%?)\s*$/.exec(text);
  const number = Number(match?.[1] ?? Number.NaN);
  return rolloutStage.safeParse(match?.[2] === "%" ? { percent: number } : { hosts: number }).data ?? null;
}

/**
 * `pending`: has not the new firmware, and is not about to get it. `running`: was let in and is on its way back. `failed`: was let in and stopped.
 * `done`: was Ready with it.
 */
export const rolloutHostStates = ["pending", "running", "failed", "done"] as const;
export type RolloutHostState = (typeof rolloutHostStates)[number];

/** `waits`: for another person's approval. `rejected`: by that person; it takes no host and is over. */
export const rolloutStates = ["waits", "rejected", "running", "paused", "finished", "aborted"] as const;
export type RolloutState = (typeof rolloutStates)[number];

/** How many hosts may have been let in when this stage and those before it are open. Pure. */
export const placesAt = (stages: readonly RolloutStage[], stage: number, hosts: number): number =>
  Math.max(
    0,
    ...stages
      .slice(0, stage + 1)
      .map((row) => ("percent" in row ? Math.ceil((row.percent * hosts) / 100) : Math.min(row.hosts, hosts))),
  );

export interface RolloutFacts {
  readonly stages: readonly RolloutStage[];
  readonly stage: number;
  readonly paused: boolean;
  readonly maxFailures: number;
  /** Hosts of the SKU. */
  readonly hosts: number;
  /** Hosts that were let in. */
  readonly taken: number;
  /** Of these, hosts that stopped since the rollout was started or resumed. */
  readonly failed: number;
}

/** A host whose plan waits for the rollout. */
export interface WaitingForFirmware {
  readonly hostId: string;
  /** It was let in before. */
  readonly taken: boolean;
  /** Its BMC takes updates. */
  readonly canUpdate: boolean;
}

export interface RolloutDecision {
  /** Too many hosts failed: it pauses by itself. */
  readonly pauses: boolean;
  readonly hosts: readonly { readonly hostId: string; readonly takes: boolean }[];
}

/** Which of the waiting hosts take the new firmware, first come, first served; the others keep the SKU's. Pure. */
export function decideRollout(facts: RolloutFacts, waiting: readonly WaitingForFirmware[]): RolloutDecision {
  const pauses = !facts.paused && facts.failed >= facts.maxFailures;
  // safety: rollout: no host is let in while it is paused
  if (facts.paused || pauses)
    return { pauses, hosts: waiting.map(({ hostId, taken }) => ({ hostId, takes: taken })) };
  let places = placesAt(facts.stages, facts.stage, facts.hosts) - facts.taken;
  const hosts = waiting.map(({ hostId, taken, canUpdate }) => {
    // safety: rollout: no more hosts than the stage allows, and none that cannot be updated
    if (taken || !canUpdate || places <= 0) return { hostId, takes: taken };
    places -= 1;
    return { hostId, takes: true };
  });
  return { pauses, hosts };
}

/** Named components with their new versions, in place of those of the SKU. Pure. */
export function withImages(
  over: readonly { readonly component: string; readonly version: string }[],
  images: readonly FirmwareImage[],
): { readonly component: string; readonly version: string }[] {
  const wanted = new Map(images.map(({ component, version }) => [component, version]));
  return over.map(({ component, version }) => ({ component, version: wanted.get(component) ?? version }));
}

/** Why this cannot be rolled out over what a SKU names; null: it can. Pure. */
export function rolloutRefusal(
  sku: string,
  over: readonly { readonly component: string; readonly version: string }[],
  images: readonly FirmwareImage[],
): string | null {
  const known = new Map(over.map(({ component, version }) => [component, version]));
  const unknown = images.filter(({ component }) => !known.has(component));
  // safety: rollout: every host has a version to keep
  if (unknown.length > 0)
    return `The baseline of ${sku} does not name ${unknown.map(({ component }) => component).join(", ")}: a host that waits would have no version to keep. Capture the baseline first.`;
  const names = images.map(({ component }) => component);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length > 0) return `${twice.join(", ")} is named twice.`;
  return images.every(({ component, version }) => known.get(component) === version)
    ? `The baseline of ${sku} already names these versions.`
    : null;
}
