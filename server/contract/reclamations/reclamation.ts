// What the console reads about one reclamation: step runs with their devices, the timeline, gates, and the host's history.
import { z } from "zod";
import { cleanupSummary } from "@/server/domain/cleaning/cleanup-summary";
import { evidenceSubjects } from "@/server/domain/reclamations/gates/evidence-text";
import { gateNames, gateStatuses } from "@/server/domain/reclamations/gates/gate-names";
import { testResultKinds } from "@/server/domain/reclamations/gates/test-results";
import { voidedErase } from "@/server/domain/cleaning/sanitization/voided";
import { askedOfCleaning, reclamationHead } from "@/server/contract/hosts/hosts-answers";
import { list, record, state, tone } from "@/server/contract/define";

export const deviceTryLine = record({
  technique: z.string(),
  /** The device's answer, verbatim. */
  status: z.string(),
  /** Status code by the device's standard, and its meaning; null if the tool reported none. */
  code: z.string().nullable(),
  /** Why a technique that was sent did not count, in one sentence; null if the device reports that it completed. */
  refused: z.string().nullable(),
  command: z.string(),
  exitCode: z.number(),
  attempt: z.number(),
  completed: z.boolean(),
  startedAt: z.date(),
  tookMs: z.number(),
});
export type DeviceTryLine = z.infer<typeof deviceTryLine>;

/** A technique of the policy that was not sent, because the drive does not offer it. */
export const passedOverLine = record({ technique: z.string(), why: z.string() });
export type PassedOverLine = z.infer<typeof passedOverLine>;

export const deviceLine = record({
  slot: z.string().nullable(),
  serial: z.string(),
  model: z.string(),
  firmware: z.string().nullable(),
  media: z.string(),
  tone,
  result: z.string(),
  percent: z.number().nullable(),
  technique: z.string().nullable(),
  level: z.string().nullable(),
  verification: z.string(),
  startedAt: z.date().nullable(),
  endedAt: z.date().nullable(),
  tries: list(deviceTryLine),
  /** Techniques that the policy names before or beside the one that was sent, in its order. */
  passedOver: list(passedOverLine),
});
export type DeviceLine = z.infer<typeof deviceLine>;

export const stepRunLine = record({
  id: z.string(),
  planEpoch: z.number(),
  position: z.number(),
  interface: z.string(),
  /** `interface.step` */
  step: z.string(),
  status: z.enum(["planned", "running", "succeeded", "failed", "excepted"]),
  tone,
  result: z.string(),
  message: z.string().nullable(),
  proves: list(z.string()),
  attempt: z.number(),
  maxAttempts: z.number(),
  startedAt: z.date().nullable(),
  endedAt: z.date().nullable(),
  priority: z.number(),
  /** default, site, sku, host; `manual` in a manual cleaning. */
  prioritySource: z.string(),
  where: z.string(),
  args: z.record(z.string(), z.json()).readonly(),
  /** May be stopped while it runs; Reclaim waits for any other step to end. */
  abortable: z.boolean(),
  restarts: z.boolean(),
  erases: z.boolean(),
  /** Time limit of one attempt; null in a plan of an earlier version. */
  timeLimitMs: z.number().nullable(),
  /** When the running attempt exceeds its limit. */
  deadlineAt: z.date().nullable(),
  /** How long the step usually takes, from runs on this host or its SKU, else from the catalogue; null if a person decides, or if it is over. */
  expectedMs: z.number().nullable(),
  /** For a running step: by the devices' own estimates, else by how long it usually takes. */
  expectedEndAt: z.date().nullable(),
  devices: list(deviceLine),
});
export type StepRunLine = z.infer<typeof stepRunLine>;

/** A step that an override disabled in this plan. */
export const disabledStepLine = record({
  step: z.string(),
  /** Scope of the override. */
  source: z.string(),
  proves: list(z.string()),
  devices: z.number(),
});
export type DisabledStepLine = z.infer<typeof disabledStepLine>;

export const timelineBar = record({
  from: z.date(),
  /** Null while it continues. */
  to: z.date().nullable(),
  words: z.string(),
  tone: tone.nullable(),
});
export type TimelineBar = z.infer<typeof timelineBar>;

export const timelineLane = record({ name: z.string(), bars: list(timelineBar) });
export type TimelineLane = z.infer<typeof timelineLane>;

export const reclamationDetail = record({
  ...askedOfCleaning.unwrap().shape,
  reclamation: reclamationHead,
  /** Those of the current plan; step runs of restarted plans have a lower `planEpoch`. */
  stepRuns: list(stepRunLine),
  disabled: list(disabledStepLine),
  /** Why erases of its earlier plans no longer count, oldest first. */
  voided: list(voidedErase.readonly()),
  /** Hardware managers that the plan was made with, as `name version`. */
  managers: list(z.string()),
  /** The plan as NICo's `CleanupMachineCompleted`. A name is absent if none of its steps was planned, or not all are over. */
  cleanup: cleanupSummary.readonly(),
  /** Who asked for it; null if nobody did, such as an onboarding by a program that is gone. */
  requestedByName: z.string().nullable(),
  /** `planned`: expected times of steps that have not started, one lane each; empty on hold or when stopped, and after a step that waits for a person. */
  timeline: record({
    from: z.date(),
    to: z.date().nullable(),
    lanes: list(timelineLane),
    planned: list(timelineLane),
  }),
  /** Tests that the site requires, with the recorded result of the last run. */
  tests: list(record({ name: z.string(), result: z.enum(testResultKinds) })),
  /** Log of the newest boot; `total` is null if there are more lines than were read. */
  log: record({
    bootEpoch: z.number().nullable(),
    total: z.number().nullable(),
    lines: list(record({ at: z.date(), text: z.string() })),
  }),
});
export type ReclamationDetail = z.infer<typeof reclamationDetail>;

export const gateLine = record({
  gate: z.enum(gateNames),
  meaning: z.string(),
  /** `open`: not evaluated yet in this reclamation. */
  status: z.union([z.enum(gateStatuses), z.literal("open")]),
  reason: z.string(),
  /** For an open gate: progress of what it will rest on; null if nothing is recorded yet. */
  soFar: record({ done: z.boolean(), failed: z.boolean(), words: z.string() }).nullable(),
  /** The evidence in words, each sentence with what shows more of it. */
  sentences: list(record({ words: z.string(), subject: z.enum(evidenceSubjects) })),
  /** Serial numbers of the drives that the evidence names. */
  drives: list(z.string()),
  evidence: z.unknown(),
  generation: z.string().nullable(),
  evidenceSeq: z.string().nullable(),
  evaluatedAt: z.date().nullable(),
});
export type GateLine = z.infer<typeof gateLine>;

export const historyLine = record({
  version: z.string(),
  state,
  tone,
  at: z.date(),
  /** Time until the next state; null for the current one. */
  tookMs: z.number().nullable(),
  reason: z.string().nullable(),
  reclamationNumber: z.string().nullable(),
});
export type HistoryLine = z.infer<typeof historyLine>;

export const hostHistory = record({
  reclamations: list(reclamationHead),
  states: list(historyLine),
  /** Pass this as `before` to get older states; null at the beginning. */
  nextBefore: z.string().nullable(),
});
export type HostHistory = z.infer<typeof hostHistory>;
