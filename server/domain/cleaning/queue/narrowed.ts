// A brake that holds back a part of its group only, and the rest of the group goes on (docs/cleaning.md#the-brake).
import { z } from "zod";

/**
 * What a brake can be narrowed to: what is known of a host before it begins. An image is chosen at the next boot, and steps with the next plan, so
 * neither can tell which hosts may begin.
 */
export const partDimensions = ["driveFirmware", "model"] as const;
export type PartDimension = (typeof partDimensions)[number];

export interface Part {
  readonly dimension: PartDimension;
  readonly value: string;
}

export const part = z.strictObject({
  dimension: z.enum(partDimensions),
  value: z.string().min(1).max(500),
});

/** As stored; null: the brake holds its whole group. What this release cannot read, or names no part, is no part: the whole group is held. */
export const narrowedTo = z
  .array(part)
  .min(1)
  .nullable()
  .catch(null)
  .transform((parts): readonly Part[] | null => parts);

/** What a host is known to have. */
export interface PartFacts {
  readonly has: Readonly<Record<PartDimension, readonly string[]>>;
  /** Of these not everything is known: the host may have any other value, too. */
  readonly unknown: readonly PartDimension[];
}

/** Whether a host of a brake's group is in the part that the brake still holds. A host of which nobody knows is in it. Pure. */
export function isInPart(parts: readonly Part[] | null, { has, unknown }: PartFacts): boolean {
  // safety: admission: a brake that names no part holds its whole group
  if (parts === null || parts.length === 0) return true;
  return parts.some(({ dimension, value }) => {
    // safety: admission: a host whose value is unknown is held by part, too
    if (unknown.includes(dimension) || has[dimension].length === 0) return true;
    return has[dimension].includes(value);
  });
}

interface ListedDrive {
  readonly serial: string;
  readonly firmware?: string | undefined;
}

/** The drives of a host, by who lists them. */
export interface DriveLists {
  /** Null: the agent made no list, or only one that is too old. */
  readonly agent: readonly ListedDrive[] | null;
  /** Null: the BMC was never read. */
  readonly bmc: readonly ListedDrive[] | null;
  /** Of the reclamation. */
  readonly expected: readonly ListedDrive[];
  /** How many drives the agent or the BMC sees without being able to name them. */
  readonly unnamed: number;
}

/**
 * Whether the firmware of all drives is known, by the names that brakes have: the agent lists each drive that anybody lists, with its firmware. A BMC may
 * call the same drive otherwise. Pure.
 */
export function isFirmwareKnown({ agent, bmc, expected, unnamed }: DriveLists): boolean {
  // safety: admission: who was not asked for its drives tells no firmware
  if (agent === null || bmc === null) return false;
  // safety: admission: a drive without a name has no known firmware
  if (unnamed > 0) return false;
  const told = new Set(agent.map(({ serial }) => serial));
  return (
    agent.length > 0 &&
    agent.every(({ firmware }) => firmware !== undefined && firmware !== "") &&
    [...bmc, ...expected].every(({ serial }) => serial !== "" && told.has(serial))
  );
}

/** Whether a value is one that a brake can be narrowed to. Pure. */
export const isPart = (one: { readonly dimension: string; readonly value: string }): one is Part =>
  partDimensions.some((dimension) => dimension === one.dimension);
