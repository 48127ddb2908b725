// What the console reads about hosts: rows of the list, the head of a page, inventory and acts.
import { z } from "zod";
import { healthMark, markMembers } from "@/server/contract/answers/health";
import { bootDevices, bootModes } from "@/server/domain/hosts/boot-settings";
import { seenCertificate } from "@/server/domain/hardware/certificate";
import { cleaningActionNames, hostActionNames } from "@/server/domain/hosts/host-actions";
import { nextStep } from "@/server/domain/hosts/next-steps";
import { unaccountedDrive } from "@/server/domain/sanitization/unaccounted";
import { hostFailure } from "@/server/contract/answers/failures";
import { queuePlace } from "@/server/contract/answers/queue";
import { shownGoneWays, leftoverLine } from "@/server/contract/answers/leftovers";
import { list, record, state, tone } from "@/server/contract/define";

export const hostRow = record({
  hostId: z.string(),
  name: z.string(),
  state,
  tone,
  /** Something acts on the host now, so its mark may move. */
  live: z.boolean(),
  stateSince: z.date(),
  /** 0: over the limit from the start; null: no limit. */
  limitMs: z.number().nullable(),
  overLimit: z.boolean(),
  /** Its reclamation is over its total time limit. */
  overdue: z.boolean(),
  /** The step's message, why it waits, or what went wrong; null where the state needs no words. */
  detail: z.string().nullable(),
  /** `detail` for a list, which may cut it: it begins with what happened. */
  brief: z.string().nullable(),
  /** Of a failed host: the group of its failure, by cause and by the model at which it happened. */
  failure: record({ words: z.string(), model: z.string() }).nullable(),
  /** `interface.step` that runs now. */
  step: z.string().nullable(),
  percent: z.number().nullable(),
  health: healthMark,
  /** The tenant that has the host, or had it last in the running reclamation. */
  tenantName: z.string().nullable(),
  /** No machine stands behind it. */
  fake: z.boolean(),
  site: z.string(),
  rack: z.string().nullable(),
  slot: z.string().nullable(),
  sku: z.string().nullable(),
  lastReadyAt: z.date().nullable(),
  allocatable: z.boolean(),
  /** Rises with every state; a row with a lower one is older. */
  stateVersion: z.string(),
});
export type HostRow = z.infer<typeof hostRow>;

/** One that a text may mean. */
export const hostMatch = record({ id: z.string(), name: z.string(), stateVersion: z.string() });
export type HostMatch = z.infer<typeof hostMatch>;

export const filterProblem = record({
  message: z.string(),
  /** Where in the filter's text, from 0. */
  position: z.number(),
});
export type FilterProblem = z.infer<typeof filterProblem>;

/** Hosts that failed for the same cause at the same model; those over the limit of their state; the others. */
export const hostCauseGroup = record({
  words: z.string(),
  count: z.number(),
  /** A term that finds them; null: no term does. */
  filter: z.string().nullable(),
});
export type HostCauseGroup = z.infer<typeof hostCauseGroup>;

export const hostList = record({
  rows: list(hostRow),
  nextCursor: z.string().nullable(),
  /** All that match, counted with the first page only; null on later pages. */
  total: z.number().nullable(),
  /** All that match, by cause, most hosts first: with the first page only, where they were asked for. */
  groups: list(hostCauseGroup).nullable(),
  /** What in the filter was not understood; then `rows` is empty. */
  problem: filterProblem.nullable(),
});
export type HostList = z.infer<typeof hostList>;

/** What a person asked of the cleaning under way and that is not over. */
export const askedOfCleaning = record({
  /** Before `since` it waits for the running step to end. */
  hold: record({
    byName: z.string(),
    reason: z.string(),
    since: z.date().nullable(),
    until: z.date().nullable(),
  }).nullable(),
  abort: record({ byName: z.string(), at: z.date() }).nullable(),
});
export type AskedOfCleaning = z.infer<typeof askedOfCleaning>;

/** What a person may ask of a host. */
export const hostAction = record({
  intent: z.enum([...hostActionNames, ...cleaningActionNames]),
  words: z.string(),
  /** What will happen, in one sentence. */
  consequence: z.string(),
  danger: z.boolean(),
  allowed: z.boolean(),
  /** Why not; null when allowed. */
  reason: z.string().nullable(),
});
export type HostAction = z.infer<typeof hostAction>;

export const stage = record({
  name: z.string(),
  status: z.enum(["done", "now", "todo", "skipped"]),
  tone,
  tookMs: z.number().nullable(),
  since: z.date().nullable(),
});
export type Stage = z.infer<typeof stage>;

export const reclamationHead = record({
  id: z.string(),
  /** `R-42` */
  number: z.string(),
  kind: z.string(),
  startedAt: z.date(),
  limitAt: z.date().nullable(),
  stoppedAt: z.date().nullable(),
  stoppedCause: z.string().nullable(),
  message: z.string().nullable(),
  endedAt: z.date().nullable(),
  outcome: z.string().nullable(),
  tenantName: z.string().nullable(),
  instanceId: z.string().nullable(),
  /** In the queue from, and until; null: it never was, or still is. */
  queuedAt: z.date().nullable(),
  admittedAt: z.date().nullable(),
  /** Time on hold or waiting for people, which its limit leaves out; while such a wait is on, it counts from `pausedAt`. */
  pausedMs: z.number(),
  pausedAt: z.date().nullable(),
  /** Of a manual cleaning. */
  runbookName: z.string().nullable(),
  /** The act on many hosts that asked for it. */
  bulkId: z.string().nullable(),
});
export type ReclamationHead = z.infer<typeof reclamationHead>;

export const hostDetail = record({
  id: z.string(),
  name: z.string(),
  /** No machine stands behind it. */
  fake: z.boolean(),
  manufacturer: z.string().nullable(),
  model: z.string().nullable(),
  /** Null before its BMC was read. */
  serial: z.string().nullable(),
  systemUuid: z.string().nullable(),
  bmcAddress: z.string().nullable(),
  /** Path of its system behind the address, as it was enrolled or found; null: not known yet. */
  bmcSystem: z.string().nullable(),
  /** Other hosts whose systems are behind the same address. */
  bmcOthers: list(z.string()),
  bmcUsername: z.string().nullable(),
  /** How it starts, as its BMC said last; null: it was not read, or is set to what this release has no word for. */
  boot: record({
    devices: list(z.enum(bootDevices)).nullable(),
    device: z.enum(bootDevices).nullable(),
    persistent: z.boolean(),
    mode: z.enum(bootModes).nullable(),
    secureBoot: z.boolean().nullable(),
  }).nullable(),
  /** What the BMC showed last; null: nothing yet, or its address is http. */
  certificate: record({
    ...seenCertificate.shape,
    /** It is the one that the BMC must show. */
    pinned: z.boolean(),
    /** Somebody confirmed another one. */
    changed: z.boolean(),
    /** The BMC is talked to, as the site's settings are now. */
    accepted: z.boolean(),
  }).nullable(),
  /** The network that it waits for, and what the network controller answered last; null: it waits for none. */
  network: record({
    wanted: z.string(),
    version: z.number(),
    /** When the controller took the request; null: it has not. */
    acceptedAt: z.date().nullable(),
    /** Of failed requests in a row. */
    failures: z.number(),
    /** When it is asked again by itself; null: it is not. */
    retryAt: z.date().nullable(),
    /** What it answered last, where it failed. */
    answer: z.string().nullable(),
  }).nullable(),
  powerState: z.string().nullable(),
  powerReadAt: z.date().nullable(),
  /** False: its BMC cannot be asked now, so what it told is stale. */
  bmcAnswers: z.boolean(),
  site: z.string(),
  rack: z.string().nullable(),
  slot: z.string().nullable(),
  segment: z.string().nullable(),
  powerDomain: z.string().nullable(),
  /** What people and programs noted about it. */
  labels: z.record(z.string(), z.string()).readonly(),
  sku: z.string().nullable(),
  state,
  tone,
  label: z.string(),
  live: z.boolean(),
  since: z.date(),
  limitMs: z.number().nullable(),
  overLimit: z.boolean(),
  /** By how much its open reclamation is over its total time limit; null: it is not. */
  overdueMs: z.number().nullable(),
  /** What it does or what went wrong. */
  says: z.string(),
  /** What went wrong, from its causes; null: nothing did, or only a text tells of it (`says`). */
  failure: hostFailure.nullable(),
  waitsFor: z.string(),
  /** Null: nothing to do. */
  checkNext: z.string().nullable(),
  /** Where that leads: acts, tabs, pages and documents, in order. */
  next: list(nextStep),
  step: z.string().nullable(),
  percent: z.number().nullable(),
  allocatable: z.boolean(),
  /** When the first exception expires on which it rests: then it leaves allocation. Null: it rests on none. */
  exceptedUntil: z.date().nullable(),
  maintenance: record({ reason: z.string().nullable(), by: z.string().nullable() }).nullable(),
  /** What a person stated in place of the check after the last maintenance; null: nothing since the host last began a reclamation. */
  untouched: record({ byName: z.string(), reason: z.string(), at: z.date() }).nullable(),
  reclamation: reclamationHead.nullable(),
  /** Its decommission, while it is under way or stopped. */
  leaving: record({
    byName: z.string(),
    reason: z.string(),
    at: z.date(),
    keepAccount: z.boolean(),
    leftovers: list(leftoverLine),
  }).nullable(),
  /** Records of hosts with its serial number that have left the fleet, newest first: the machine was here before. */
  earlier: list(record({ id: z.string(), name: z.string(), how: z.enum(shownGoneWays), goneAt: z.date() })),
  /** Who has it now. */
  instance: record({
    id: z.string(),
    name: z.string(),
    tenantName: z.string(),
    releaseRequestedAt: z.date().nullable(),
  }).nullable(),
  debts: list(
    record({
      id: z.string(),
      since: z.date(),
      drives: z.number(),
      serials: list(z.string()),
      instanceId: z.string().nullable(),
      tenantName: z.string().nullable(),
    }),
  ),
  actions: list(hostAction),
  /** Drives that are owed or expected and not there, each with what was stated of it. */
  unaccounted: list(unaccountedDrive),
  /** The inventory that a person had read again here, while the host stands where it was asked for. */
  inspection: record({
    askedAt: z.date(),
    readAt: z.date().nullable(),
    message: z.string().nullable(),
  }).nullable(),
  /** Its place while it is queued for cleaning. */
  queue: queuePlace.nullable(),
  asked: askedOfCleaning,
  /** Read while a hold or an abort waits for the step that runs; null when none does. */
  stepEnds: record({
    step: z.string(),
    erases: z.boolean(),
    expectedAt: z.date().nullable(),
    latestAt: z.date().nullable(),
  }).nullable(),
  /** Clean manually, hold, resume, abort: each asks for more than a click. */
  cleaningActions: list(hostAction),
  traits: list(z.string()),
  /** Whether it is cleaned by itself; null: as its site says. */
  automatedClean: z.boolean().nullable(),
  stages: list(stage),
  /** `alerts`: how many are shown. */
  health: record({ ...markMembers, alerts: z.number() }),
  counts: record({ gatesHold: z.number(), gates: z.number(), reclamations: z.number() }),
  stateVersion: z.string(),
});
export type HostDetail = z.infer<typeof hostDetail>;

export const hostActPreview = record({
  total: z.number(),
  can: z.number(),
  /** At most 50, with the reason of each. */
  cannot: list(record({ hostId: z.string(), name: z.string(), reason: z.string() })),
});
export type HostActPreview = z.infer<typeof hostActPreview>;
