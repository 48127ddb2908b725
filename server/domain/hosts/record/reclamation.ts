// The open reclamation of a host, the steps of its plan, and their attempts.
import { z } from "zod";
import type { ResultBody } from "@/server/domain/agents/protocol";
import type { PlanRecord } from "@/server/domain/cleaning/plan/plan";
import type { Policy } from "@/server/domain/cleaning/policy/policy";
import type { StepArgs } from "@/server/domain/cleaning/steps/step";
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";
import {
  bigint,
  flag,
  int,
  json,
  list,
  oneOf,
  someOf,
  state,
  text,
  time,
  trusted,
  uuid,
} from "@/server/domain/hosts/record/column";
import type { Frozen } from "@/server/domain/hosts/record/column";
import type { ContentRecord } from "@/server/domain/cleaning/sanitization/content";
import { mediaKinds } from "@/server/domain/hosts/inventory/inventory";
import type { DeviceResult, JournalEvent } from "@/server/domain/cleaning/sanitization/device-result";
import type { DeviceList } from "@/server/domain/cleaning/sanitization/known-devices";
import type { PlatformRecord } from "@/server/domain/hosts/platform/judge";
import { levels, standards, techniques } from "@/server/domain/cleaning/sanitization/techniques";

/**
 * `manualCleaning` ends in Manageable and proves nothing (docs/adr/0014-cleaning.md).
 * `decommission` takes the host out of the fleet (docs/adr/0059-decommission.md).
 */
export const reclamationKinds = [
  "release",
  "repairRelease",
  "onboarding",
  "recheck",
  "manualCleaning",
  "decommission",
] as const;
export type ReclamationKind = (typeof reclamationKinds)[number];

/** `cleaned`: a manual cleaning ran to its end. */
export const outcomes = [
  "ready",
  "handedToRepair",
  "abandoned",
  "forceDeleted",
  "cleaned",
  "decommissioned",
] as const;
export type Outcome = (typeof outcomes)[number];

/** Written when the reclamation begins, and never again. */
export const reclamationBegun = z.object({
  id: uuid(),
  kind: oneOf(reclamationKinds),
  instanceId: uuid().nullable(),
  tenantId: uuid().nullable(),
  requestedBy: uuid().nullable(),
  requestId: text().nullable(),
  policyVersion: int(),
  policyKey: text().nullable(),
  runbookId: uuid().nullable(),
  runbookName: text().nullable(),
  /** The bulk act that requested it. */
  bulkId: uuid().nullable(),
});

/** Written with each change. */
export const reclamationChanges = z.object({
  queuedAtMs: time().nullable(),
  admittedAtMs: time().nullable(),
  limitAtMs: time().nullable(),
  stoppedAtMs: time().nullable(),
  stoppedCause: text().nullable(),
  stoppedIn: state().nullable(),
  message: text().nullable(),
  planEpoch: int(),
  /** Time on hold or waiting for people, which does not count towards `limitAtMs`. `pausedAtMs`: start of the current wait. */
  pausedMs: bigint(),
  pausedAtMs: time().nullable(),
});

/** Large, so written only when changed (docs/adr/0001-host-row-as-queue.md). */
export const reclamationDocuments = z.object({
  devices: json(trusted<DeviceList>()).nullable(),
  /** Null before a plan is made, and in a manual cleaning. */
  content: trusted<ContentRecord>().nullable(),
  /** The inputs of the latest plan; null before there is one. */
  plan: json(trusted<PlanRecord>()).nullable(),
  /** The platform as the BMC showed it after the plan, compared with its baseline; null: not read. */
  platform: json(trusted<PlatformRecord>()).nullable(),
});

export const reclamationView = z.object({
  ...reclamationBegun.shape,
  ...reclamationChanges.shape,
  ...reclamationDocuments.shape,
  startedAtMs: time(),
  /** Name of who set its policy; null: not recorded. */
  policySetBy: z.string().nullable().default(null),
  planMade: z.boolean(),
  /** A copy of the policy in force when the reclamation began. */
  policy: trusted<Policy>(),
});
export type ReclamationView = Readonly<z.infer<typeof reclamationView>>;

export const stepStatuses = ["planned", "running", "succeeded", "failed", "excepted"] as const;
export type StepStatus = (typeof stepStatuses)[number];
export const stepPlaces = ["agent", "controller"] as const;

/** A step as planned. */
export const stepPlanned = z.object({
  id: uuid(),
  position: int(),
  interface: text(),
  step: text(),
  where: oneOf(stepPlaces),
  args: json(trusted<StepArgs>()),
  abortable: flag(),
  priority: int(),
  prioritySource: text(),
  proves: someOf(gateNames),
});

/** What changes while it runs. */
export const stepChanges = z.object({
  status: oneOf(stepStatuses),
  attempt: int(),
  maxAttempts: int(),
  startedAtMs: time().nullable(),
  endedAtMs: time().nullable(),
  deadlineAtMs: time().nullable(),
  /** Maximum time of one attempt; null: a plan of an earlier version. */
  timeLimitMs: int().nullable(),
  message: text().nullable(),
});

export const stepView = z.object({ ...stepPlanned.shape, ...stepChanges.shape });
export type StepView = Frozen<z.infer<typeof stepView>>;

/** An agent's reports on an attempt, with durations turned into times at receipt. */
export const attemptProgress = z.object({
  /** When each drive is expected to finish, by serial number; null: unknown for that drive. */
  ends: z.record(z.string(), z.number().nullable()),
  reportedAtMs: z.number().nullable(),
  movedAtMs: z.number().nullable(),
});
export type AttemptProgress = Frozen<z.infer<typeof attemptProgress>>;

/** No reports yet, so nothing is known about its drives. */
export const noProgress: AttemptProgress = { ends: {}, reportedAtMs: null, movedAtMs: null };

export const attemptVerdicts = ["succeeded", "failed", "lost", "aborted"] as const;
export type AttemptVerdict = (typeof attemptVerdicts)[number];

/** The latest attempt of the current or next step. */
export const attemptView = z.object({
  stepRunId: uuid(),
  attempt: int(),
  bootEpoch: int(),
  report: json(trusted<ResultBody>()).nullable(),
  verdict: text().nullable(),
  progress: attemptProgress,
  /** Journal lines of all attempts of this step. */
  journal: list(trusted<JournalEvent>()),
});
export type AttemptView = Frozen<z.infer<typeof attemptView>>;

/** How one drive was judged: made by the judge (`domain/cleaning/sanitization/judge.ts`), stored in `device_result` as it is. */
export const judgedDevice = z.object({
  serial: text(),
  model: text(),
  media: oneOf(mediaKinds),
  technique: oneOf(techniques).nullable(),
  standard: oneOf(standards),
  level: oneOf(levels),
  /** Version of the table of techniques. */
  techniqueTable: int(),
  verdict: oneOf(["sanitized", "failed"]),
  reason: text(),
  report: json(trusted<DeviceResult>()),
});
export type JudgedDevice = Readonly<z.infer<typeof judgedDevice>>;

/** What a gate needs of it: the newest one of each drive in the present plan. */
export const deviceVerdict = judgedDevice.pick({ serial: true, model: true, verdict: true, reason: true });
export type DeviceVerdict = Readonly<z.infer<typeof deviceVerdict>>;
