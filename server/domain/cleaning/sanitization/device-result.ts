// The agent's report about one device that a step treated (docs/design/sanitization.md#device-result).
import { z } from "zod";
import { deviceStatus } from "@/server/domain/cleaning/failures/status";
import { texts } from "@/server/domain/json";
import { byteCount, storageDevice } from "@/server/domain/hosts/inventory/inventory";
import { fingerprint } from "@/server/domain/cleaning/sanitization/content";
import { canaryMask, eraseProbe } from "@/server/domain/cleaning/sanitization/probe";
import { techniques } from "@/server/domain/cleaning/sanitization/techniques";

const text = z.string().max(2000);

/** The command of a try that an earlier attempt sent. Its start is unknown. */
export const joinedCommand = "(sent by an earlier attempt; joined)";

/** One command sent to a device, verbatim, with the device's answer. */
export const deviceTry = z.strictObject({
  technique: z.enum(techniques),
  command: text,
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  exitCode: z.int(),
  /** The device's own completion status, such as `SSTAT 1h, SCDW10 2h`. */
  status: text,
  /** The status in its standard's codes. Left out if the tool reports none, and by agents of the previous release. */
  code: deviceStatus.optional(),
  /** True if the device's own status says that exactly this operation completed. */
  completed: z.boolean(),
  /** The technique that the status log reports as completed instead. Left out if it reports none, and by agents of the previous release. */
  logged: z.enum(techniques).optional(),
});
export type DeviceTry = z.infer<typeof deviceTry>;

/** A technique of the policy that was not sent because the device does not offer it. */
export const passedOver = z.strictObject({ technique: z.enum(techniques), why: text });
export type PassedOver = z.infer<typeof passedOver>;

/** Why a device was not erased when no command's answer says so: it could not be read first, it offers no command, it makes no progress … */
export const deviceProblems = [
  "unreadable",
  "locked",
  "noTechnique",
  "hidesSectors",
  "noFallback",
  "hangs",
  "notRecorded",
] as const;
export type DeviceProblem = (typeof deviceProblems)[number];

/** `media-verification`: read while the drive kept its media for verification, before they were deallocated, and once more afterwards. */
export const verificationKinds = [
  "markers-and-digests",
  "digests",
  "media-verification",
  "status-only",
] as const;

/** Result of reading back, which can refute an erase but never prove one. */
export const verification = z.strictObject({
  kind: z.enum(verificationKinds),
  samples: z.int().min(0),
  bytes: byteCount,
  seed: z.string().max(128),
  markersWritten: z.int().min(0),
  markersFound: z.int().min(0),
  mismatches: z.int().min(0),
  result: z.enum(["passed", "failed", "impossible"]),
});
export type Verification = z.infer<typeof verification>;

/** For a device that reports nothing but its status. */
export const nothingReadBack: Verification = {
  kind: "status-only",
  samples: 0,
  bytes: "0",
  seed: "",
  markersWritten: 0,
  markersFound: 0,
  mismatches: 0,
  result: "impossible",
};

export const deviceResult = z.strictObject({
  ...storageDevice.omit({ removable: true }).shape,
  tries: z.array(deviceTry).max(64),
  /** In the policy's order. Left out if empty, and by agents of the previous release. */
  passedOver: z.array(passedOver).max(64).optional(),
  /** The technique that the agent relies on: the last completed try. Absent if none completed. */
  technique: z.enum(techniques).optional(),
  verification: verification.optional(),
  /** The drive's content after its erase; only if the command requested it. */
  fingerprint: fingerprint.optional(),
  /** Only if the command requested canaries and an erase was verified. */
  probe: eraseProbe.optional(),
  tool: z.strictObject({ name: text, version: text }),
  healthBefore: text.optional(),
  healthAfter: text.optional(),
  result: z.enum(["OK", "ERROR"]),
  message: text,
  /** Left out by agents of the previous release, like the two below. */
  problem: z.enum(deviceProblems).optional(),
  /** For `hangs`: for how long. */
  problemSeconds: z.number().min(0).optional(),
  /** The agent was told to treat the device but does not see it. */
  missing: z.literal(true).optional(),
});
export type DeviceResult = z.infer<typeof deviceResult>;

/** A line of the journal that reaches the server before and after a command is sent (docs/design/sanitization.md#an-agent-that-restarts-during-an-erase). */
export const journalEvent = z.strictObject({
  serial: z.string().min(1).max(128),
  model: z.string().min(1).max(256),
  event: z.enum(["about-to-send", "sent", "observed"]),
  technique: z.enum(techniques),
  /** Seed of the sample offsets and the digest key, so that a later attempt can repeat the comparison. */
  seed: z.string().max(128).optional(),
  /** Keyed digests of the sampled blocks, base64url, in order of offset. */
  digests: texts(2000, /^[^]{0,64}$/, "of at most 64 characters").optional(),
  status: text.optional(),
  /** Which canaries of the remnant probe are on the drive. */
  canaries: canaryMask.optional(),
  at: z.iso.datetime(),
});
export type JournalEvent = z.infer<typeof journalEvent>;
