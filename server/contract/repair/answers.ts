// What people read about repairs: operators about every host, a repair tenant about hosts that it may claim or holds (docs/repair.md#the-page-repair).
import { z } from "zod";
import { gateNames, gateStatuses } from "@/server/domain/reclamations/gates/gate-names";
import { issueCategories } from "@/server/domain/repair/health-issue";
import { leaseEnds } from "@/server/domain/repair/leases/lease";
import { repairers, repairOutcomes } from "@/server/domain/repair/repairs";
import { added, list, record, tone } from "@/server/contract/define";

/** As reported. `category` is null if whoever requested the repair named none. */
const issue = record({
  category: z.enum(issueCategories).nullable(),
  summary: z.string(),
  details: z.string(),
});
export type RepairIssue = z.infer<typeof issue>;

const outcome = z.enum(repairOutcomes);

const place = {
  hostId: z.string(),
  /** Name of the host. */
  host: z.string(),
  site: z.string(),
  rack: z.string().nullable(),
  sku: z.string().nullable(),
};

/** Ended repairs of the host: all, and those within the days that the repeat-offender rule counts. */
const repaired = record({ total: z.number(), recent: z.number(), offender: z.boolean() });

/** State of the host in a word. A tenant reads only "in use" or "being cleaned" of a host that another tenant has. */
const standing = { state: z.string(), tone };

/**
 * Whether the reader can claim the host now, and if not, why. `short`: why nobody can, in a few words for a column; null if a repair tenant can.
 * `expectedAt`: when its cleaning is expected to end; null if unknown, or if the host is not being cleaned.
 */
const claim = record({
  allowed: z.boolean(),
  reason: z.string().nullable(),
  short: z.string().nullable(),
  expectedAt: z.date().nullable(),
});

export const queueRow = record({
  ...place,
  ...standing,
  issue,
  /** Since when the host has asked for a repair. */
  since: z.date(),
  /** A repair was requested, which a release can end; a tenant reported an issue. */
  requested: added(z.boolean()),
  reported: added(z.boolean()),
  repaired,
  claim,
});
export type QueueRow = z.infer<typeof queueRow>;

export const repairQueue = record({
  rows: list(queueRow),
  nextCursor: z.string().nullable(),
  total: z.number(),
  /** How many hosts in the whole queue can be claimed. */
  claimable: z.number(),
});
export type RepairQueue = z.infer<typeof repairQueue>;

export const heldRow = record({
  ...place,
  instanceId: z.string(),
  instance: z.string(),
  /** NICo's word. */
  status: z.string(),
  /** The repair tenant; a tenant reads only its own. */
  tenant: z.string(),
  claimedAt: z.date(),
  /** The host's label, verbatim; null if it has none, in which case a release would report that nothing was completed. */
  repairStatus: z.string().nullable(),
  outcome,
  ticket: z.string().nullable(),
  note: z.string().nullable(),
  /** The issue at the time of the claim; null if not recorded. */
  issue: issue.nullable(),
  /** Whether the host still asks for the repair: only then does the release end one. */
  requested: z.boolean(),
  reported: z.boolean(),
  repaired,
  release: record({ allowed: z.boolean(), reason: z.string().nullable() }),
});
export type HeldRow = z.infer<typeof heldRow>;

/** One repair, from claim to release, or from an external repair system's take to its return. `outcome` is null while in progress, or if not recorded. */
export const repairLine = record({
  id: z.string(),
  hostId: z.string(),
  host: z.string(),
  by: z.enum(repairers),
  /** The repair tenant; null for another tenant, and if a repair system did the repair. */
  tenant: z.string().nullable(),
  /** Name of the repair system; null for a tenant, and if a tenant did the repair. */
  system: z.string().nullable(),
  claimedAt: z.date(),
  releasedAt: z.date().nullable(),
  outcome: outcome.nullable(),
  /** How the repair system's lease ended; null if a repair tenant did the repair. */
  leaseEnd: z.enum(leaseEnds).nullable(),
  ticket: z.string().nullable(),
  note: z.string().nullable(),
  issue: issue.nullable(),
  /** A new problem that the release reported; null if none. */
  newIssue: z.string().nullable(),
});
export type RepairLine = z.infer<typeof repairLine>;

const counts = { completed: z.number(), failed: z.number(), none: z.number(), unrecorded: z.number() };

export const repairOutcomesAnswer = record({
  days: z.number(),
  /** One entry per day (UTC), oldest first. */
  perDay: list(record({ day: z.string(), ...counts })),
  ...counts,
  /** Median time between claim and release; null if none ended. */
  medianHeldMs: z.number().nullable(),
  /** Newest first. */
  rows: list(repairLine),
  nextCursor: z.string().nullable(),
});
export type RepairOutcomes = z.infer<typeof repairOutcomesAnswer>;

export const offenderRow = record({
  ...place,
  ...standing,
  /** Repairs within the days of the rule, newest first. */
  repairs: list(repairLine),
});
export type OffenderRow = z.infer<typeof offenderRow>;

export const repairOffenders = record({
  repairs: z.number(),
  days: z.number(),
  rows: list(offenderRow),
});
export type RepairOffenders = z.infer<typeof repairOffenders>;

const alert = record({
  id: z.string(),
  target: z.string().nullable(),
  since: z.date(),
  classifications: list(z.string()),
  /** For a tenant, null if a person of the provider wrote it, except in alerts that ask for the repair. */
  message: z.string().nullable(),
});
export type RepairAlert = z.infer<typeof alert>;

const gate = record({
  gate: z.enum(gateNames),
  status: z.union([z.enum(gateStatuses), z.literal("open")]),
  reason: z.string().nullable(),
});

const reclamation = record({
  number: z.string(),
  kind: z.string(),
  startedAt: z.date(),
  endedAt: z.date().nullable(),
  /** It is stopped until a person acts. */
  stopped: z.boolean(),
  gates: list(gate),
  /** `devices`: how many the step treated, and how many of them succeeded; null if it treats none. */
  steps: list(
    record({
      step: z.string(),
      status: z.enum(["planned", "running", "succeeded", "failed", "excepted"]),
      startedAt: z.date().nullable(),
      endedAt: z.date().nullable(),
      devices: record({ total: z.number(), succeeded: z.number() }).nullable(),
    }),
  ),
});

export const repairHost = record({
  ...place,
  ...standing,
  /** Null for a tenant if another tenant has the host. */
  stateSince: z.date().nullable(),
  /** Null if it does not ask for a repair. */
  asks: record({ issue, since: z.date(), requested: z.boolean(), reported: z.boolean() }).nullable(),
  /** Start of the online repair; null if there is none, or if the reader may not know. */
  onlineSince: z.date().nullable(),
  /** Alerts that ask for a repair. */
  repairAlerts: list(alert),
  /** `formatClaim` says in a sentence who may claim it. */
  claim,
  claimWords: z.string(),
  /** The repair in progress; null if nobody has the host for a repair, or if another tenant has it. */
  held: repairLine.nullable(),
  earlier: list(repairLine),
  repaired,
  /** The members below are null if the reader may not know them, because another tenant has the host. */
  labels: z.record(z.string(), z.string()).readonly().nullable(),
  alerts: list(alert).nullable(),
  /** The newest reclamation; also null if the host had none. */
  reclamation: reclamation.nullable(),
  /** Since that reclamation began, newest first. */
  states: list(record({ state: z.string(), tone, at: z.date() })).nullable(),
});
export type RepairHost = z.infer<typeof repairHost>;
