// What the console reads about hosts: rows of the list, the head of a page, and acts.
import { watchedParts } from "@/server/domain/hosts/ready-watch/reading";
import { z } from "zod";
import { standings } from "@/server/domain/assurance/standing";
import { healthMark, markMembers } from "@/server/contract/repair/health-answers";
import { bootDevices, bootModes } from "@/server/domain/hosts/boot-settings";
import { seenCertificate } from "@/server/domain/hardware/certificate";
import { cleaningActionNames, hostActionNames } from "@/server/domain/hosts/host-actions";
import { advisedActs } from "@/server/domain/hosts/advice/advice";
import { replaceDriveTicket } from "@/server/domain/hosts/advice/replace-drive";
import { nextStep } from "@/server/domain/hosts/next-steps";
import { unaccountedDrive } from "@/server/domain/cleaning/sanitization/unaccounted";
import { hostFailure } from "@/server/contract/cleaning/failures-answers";
import { queuePlace } from "@/server/contract/cleaning/queue-answers";
import { shownGoneWays, leftoverLine } from "@/server/contract/hosts/leftovers";
import { added, list, record, state, tone } from "@/server/contract/define";

export const hostRow = record({
  hostId: z.string(),
  name: z.string(),
  state,
  tone,
  /** What is proven of it, by its newest reclamation. */
  standing: z.enum(standings),
  /** Something is acting on the host now, so its mark may be animated. */
  live: z.boolean(),
  stateSince: z.date(),
  /** 0 if the host is over the limit from the start; null if there is no limit. */
  limitMs: z.number().nullable(),
  overLimit: z.boolean(),
  /** The host's reclamation is over its total limit. */
  overdue: z.boolean(),
  /** The step's message, why the host waits, or what went wrong; null if the state needs no explanation. */
  detail: z.string().nullable(),
  /** `detail` for a list, which may truncate it: it begins with what happened. */
  brief: z.string().nullable(),
  /** For a failed host: its group of failures, by cause and by the model that failed. */
  failure: record({ words: z.string(), model: z.string() }).nullable(),
  /** The step in progress, as `interface.step`. */
  step: z.string().nullable(),
  percent: z.number().nullable(),
  health: healthMark,
  /** The tenant that has the host, or that had it before the current reclamation. */
  tenantName: z.string().nullable(),
  /** A record without a machine. */
  fake: z.boolean(),
  site: z.string(),
  rack: z.string().nullable(),
  slot: z.string().nullable(),
  sku: z.string().nullable(),
  lastReadyAt: z.date().nullable(),
  allocatable: z.boolean(),
  /** Increases with every state; a row with a lower value is older. */
  stateVersion: z.string(),
});
export type HostRow = z.infer<typeof hostRow>;

/** A host that a text may refer to. */
export const hostMatch = record({ id: z.string(), name: z.string(), stateVersion: z.string() });
export type HostMatch = z.infer<typeof hostMatch>;

export const filterProblem = record({
  message: z.string(),
  /** Offset in the filter's text, from 0. */
  position: z.number(),
});
export type FilterProblem = z.infer<typeof filterProblem>;

/** Hosts that failed for the same cause at the same model, hosts over the limit of their state, or the others. */
export const hostCauseGroup = record({
  words: z.string(),
  count: z.number(),
  /** A term that matches them; null if no term does. */
  filter: z.string().nullable(),
});
export type HostCauseGroup = z.infer<typeof hostCauseGroup>;

export const hostList = record({
  rows: list(hostRow),
  nextCursor: z.string().nullable(),
  /** Total number of matches; null except on the first page. */
  total: z.number().nullable(),
  /** All matches by cause, most hosts first; only on the first page and if requested. */
  groups: list(hostCauseGroup).nullable(),
  /** The part of the filter that was not understood; `rows` is then empty. */
  problem: filterProblem.nullable(),
});
export type HostList = z.infer<typeof hostList>;

/** What people have asked of the current cleaning and is not done yet. */
export const askedOfCleaning = record({
  /** `since` is null while the hold waits for the running step to end. */
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
  /** Why not; null if allowed. */
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
  /** What it proved; null while it is in progress. */
  standing: z.enum(standings).nullable(),
  tenantName: z.string().nullable(),
  instanceId: z.string().nullable(),
  /** When it entered and left the queue; null if it never was in it, or still is. */
  queuedAt: z.date().nullable(),
  admittedAt: z.date().nullable(),
  /** Time on hold or waiting for people, which does not count towards the limit. A wait in progress counts from `pausedAt`. */
  pausedMs: z.number(),
  pausedAt: z.date().nullable(),
  /** Of a manual cleaning. */
  runbookName: z.string().nullable(),
  /** The bulk act that asked for it. */
  bulkId: z.string().nullable(),
});
export type ReclamationHead = z.infer<typeof reclamationHead>;

export const hostDetail = record({
  id: z.string(),
  name: z.string(),
  /** A record without a machine. */
  fake: z.boolean(),
  manufacturer: z.string().nullable(),
  model: z.string().nullable(),
  /** Null until the BMC was read. */
  serial: z.string().nullable(),
  systemUuid: z.string().nullable(),
  bmcAddress: z.string().nullable(),
  /** Path of the host's system on the BMC, as enrolled or discovered; null if not known yet. */
  bmcSystem: z.string().nullable(),
  /** Other hosts whose systems are behind the same BMC address. */
  bmcOthers: list(z.string()),
  bmcUsername: z.string().nullable(),
  /** Boot settings as the BMC last reported them; null if not read, or set to something that this release has no word for. */
  boot: record({
    devices: list(z.enum(bootDevices)).nullable(),
    device: z.enum(bootDevices).nullable(),
    persistent: z.boolean(),
    mode: z.enum(bootModes).nullable(),
    secureBoot: z.boolean().nullable(),
  }).nullable(),
  /** The certificate that the BMC last showed; null if none yet, or if its address is http. */
  certificate: record({
    ...seenCertificate.shape,
    /** It is the certificate that the BMC must show. */
    pinned: z.boolean(),
    /** It is not the certificate that was confirmed. */
    changed: z.boolean(),
    /** Reclaim connects to the BMC with the site's current settings. */
    accepted: z.boolean(),
  }).nullable(),
  /** The network that the host waits for, and the network controller's last answer; null if it waits for none. */
  network: record({
    wanted: z.string(),
    version: z.number(),
    /** When the controller accepted the request; null if it has not. */
    acceptedAt: z.date().nullable(),
    /** Consecutive failed requests. */
    failures: z.number(),
    /** When the request is retried automatically; null if it is not. */
    retryAt: z.date().nullable(),
    /** The last answer, if it was a failure. */
    answer: z.string().nullable(),
  }).nullable(),
  powerState: z.string().nullable(),
  powerReadAt: z.date().nullable(),
  /** False if the BMC does not answer now, so that what it last reported is stale. */
  bmcAnswers: z.boolean(),
  site: z.string(),
  rack: z.string().nullable(),
  slot: z.string().nullable(),
  segment: z.string().nullable(),
  powerDomain: z.string().nullable(),
  /** Set by people and programs. */
  labels: z.record(z.string(), z.string()).readonly(),
  sku: z.string().nullable(),
  state,
  tone,
  /** What is proven of it, by its newest reclamation. */
  standing: z.enum(standings),
  label: z.string(),
  live: z.boolean(),
  since: z.date(),
  limitMs: z.number().nullable(),
  overLimit: z.boolean(),
  /** How far its open reclamation is over the total limit; null if it is not. */
  overdueMs: z.number().nullable(),
  /** What the host does, or what went wrong. */
  says: z.string(),
  /** What went wrong, from its causes; null if nothing did, or if only text describes it (`says`). */
  failure: hostFailure.nullable(),
  /** Null where a cause is known: that is what it waits for. */
  waitsFor: z.string().nullable(),
  /** Null if there is nothing to do. */
  checkNext: z.string().nullable(),
  /** Links for `checkNext`: acts, tabs, pages and documents, in order. */
  next: list(nextStep),
  /** What to do first, by what was tried already; null if no act is better than the others. */
  advised: added(z.enum(advisedActs).nullable()),
  /** The ticket that `replaceDrive` opens, while a drive is to be replaced; otherwise null. */
  replaceDrive: added(replaceDriveTicket.nullable()),
  step: z.string().nullable(),
  percent: z.number().nullable(),
  allocatable: z.boolean(),
  /** When the first exception that the host relies on expires, which ends its allocatability; null if it relies on none. */
  exceptedUntil: z.date().nullable(),
  maintenance: record({ reason: z.string().nullable(), by: z.string().nullable() }).nullable(),
  /** A person's statement in place of the check after the last maintenance; null if there was none since the host's last reclamation began. */
  untouched: record({ byName: z.string(), reason: z.string(), at: z.date() }).nullable(),
  /** What is compared while it waits in Ready; null in other states, and without a machine (docs/adr/0121-ready-lasts.md). */
  readyWatch: record({
    /** The last good reading since it became Ready; null: none yet. */
    readAt: z.date().nullable(),
    watched: z.array(z.enum(watchedParts)),
    notWatched: list(record({ part: z.enum(watchedParts), why: z.string() })),
    /** Since when it cannot be compared, and why; null: it can. */
    failing: record({ since: z.date(), why: z.string() }).nullable(),
  }).nullable(),
  reclamation: reclamationHead.nullable(),
  /** Its decommission, while in progress or stopped. */
  leaving: record({
    byName: z.string(),
    reason: z.string(),
    at: z.date(),
    keepAccount: z.boolean(),
    leftovers: list(leftoverLine),
  }).nullable(),
  /** Earlier records of hosts with the same serial number that left the fleet, newest first. */
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
  /** Drives that are owed or expected but missing, each with what was stated about it. */
  unaccounted: list(unaccountedDrive),
  /** A new inventory that a person asked for, as long as the host stays in the state where it was asked for. */
  inspection: record({
    askedAt: z.date(),
    readAt: z.date().nullable(),
    message: z.string().nullable(),
  }).nullable(),
  /** Its place, while queued for cleaning. */
  queue: queuePlace.nullable(),
  asked: askedOfCleaning,
  /** Set while a hold or an abort waits for the running step; null if none does. */
  stepEnds: record({
    step: z.string(),
    erases: z.boolean(),
    expectedAt: z.date().nullable(),
    latestAt: z.date().nullable(),
  }).nullable(),
  /** Clean manually, hold, resume, abort: each needs more than one click. */
  cleaningActions: list(hostAction),
  traits: list(z.string()),
  /** Whether the host is cleaned automatically; null: as its site says. */
  automatedClean: z.boolean().nullable(),
  stages: list(stage),
  /** `alerts` counts those that are shown. */
  health: record({ ...markMembers, alerts: z.number() }),
  /** `gates` that apply, and how many of them are satisfied; `gateWords` says what the others are. */
  counts: record({
    ...{ gatesHold: z.number(), gates: z.number() },
    gateWords: z.string(),
    reclamations: z.number(),
  }),
  stateVersion: z.string(),
});
export type HostDetail = z.infer<typeof hostDetail>;

export const hostActPreview = record({
  total: z.number(),
  can: z.number(),
  /** At most 50, each with its reason. */
  cannot: list(record({ hostId: z.string(), name: z.string(), reason: z.string() })),
});
export type HostActPreview = z.infer<typeof hostActPreview>;
