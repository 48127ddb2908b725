// What went wrong, as data: created where it is known, stored with the state and attempt it ended, and turned into text by one table (docs/adr/0063-causes.md).
import { z } from "zod";
import { deviceStatus } from "@/server/domain/cleaning/failures/status";

/** Each key has one row in `causes/table`. A key is never reused with another meaning, because records keep it. */
export const causeKeys = [
  // Drives.
  "eraseRefused",
  "eraseFailed",
  "eraseHangs",
  "contentLeft",
  "notReadBack",
  "driveUnreadable",
  "driveLocked",
  "noTechnique",
  "driveHidesSectors",
  "noFallback",
  "levelTooLow",
  "notErased",
  "contentNotRecorded",
  "driveNotReported",
  "driveMissing",
  "driveSilent",
  "contentChanged",
  "remnantFound",
  "notProbed",
  // Steps of the agent and the BMC.
  "infinibandFailed",
  "memoryOverwriteFailed",
  "tpmNotCleared",
  "testsFailed",
  "testsNotRun",
  "jobFailed",
  "stepFailed",
  "stepTimeout",
  "planImpossible",
  "aborted",
  // The agent.
  "agentSilent",
  "agentRestarted",
  "agentNeverRegistered",
  "agentOutdated",
  "agentChanged",
  "agentConflict",
  "bootContested",
  "notMeasured",
  "eraseVoided",
  // The BMC.
  "bmcSilent",
  "bmcCredential",
  "bmcRefused",
  "bmcUnsupported",
  "bmcError",
  "bmcIgnored",
  "bmcGarbled",
  "bmcOtherHost",
  "bmcCertificate",
  "drivesNotListed",
  "resetNotConfirmed",
  // The network.
  "networkNotConfigured",
  "networkRefused",
  "networkFails",
  "networkSilent",
  "releaseOverdue",
  "alertHoldsRelease",
  // The record.
  "gateUnsatisfied",
  "databaseRestored",
  "leftoversRemain",
  "recordBroken",
  /** Text only: for anything the table lacks, and for records of earlier releases. */
  "other",
] as const;
export type CauseKey = (typeof causeKeys)[number];

export const causeDevice = z.object({
  kind: z.enum(["drive", "bmc", "infiniband", "firmware", "agent", "network"]),
  serial: z.string().exactOptional(),
  model: z.string().exactOptional(),
  slot: z.string().exactOptional(),
  firmware: z.string().exactOptional(),
});
export type CauseDevice = z.infer<typeof causeDevice>;

export const cause = z.object({
  key: z.enum(causeKeys),
  device: causeDevice.exactOptional(),
  /** Of the erase command that the cause is about. */
  technique: z.string().exactOptional(),
  status: deviceStatus.exactOptional(),
  /** `interface.step`. */
  step: z.string().exactOptional(),
  /** Other values in the sentence: counts, durations in s, names. */
  facts: z.record(z.string(), z.union([z.string(), z.number()])).exactOptional(),
  /** The machine's answer, verbatim; for `other`, the sentence itself. */
  raw: z.string(),
});
export type Cause = z.infer<typeof cause>;
/** The first cause is what the host stopped for. */
export type Causes = readonly [Cause, ...Cause[]];

/** For a message that is only text. */
export const otherCause = (text: string): Cause => ({ key: "other", raw: text });

/** More than this adds nothing. */
const maxStored = 32;
const longestRaw = 4_000;

/** Bounded for storage, whatever a device answered. Pure. */
export const storable = (causes: Causes): readonly Cause[] =>
  causes.slice(0, maxStored).map((each) => ({ ...each, raw: each.raw.slice(0, longestRaw) }));

const stored = z.array(z.unknown());

/** Reads stored causes; those unknown to this version are left out. Null: none is known, so the record is text only. Pure. */
export function readCauses(value: unknown): Causes | null {
  const list = stored.safeParse(value).data ?? [];
  const [first, ...others] = list.flatMap((each) => cause.safeParse(each).data ?? []);
  return first === undefined ? null : [first, ...others];
}
