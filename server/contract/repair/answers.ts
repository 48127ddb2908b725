// What people read of repairs: operators of every host, a repair tenant of those that it may hold or holds (docs/repair.md#the-page-repair).
import { z } from "zod";
import { gateNames, gateStatuses } from "@/server/domain/gates/gate-names";
import { issueCategories } from "@/server/domain/repair/health-issue";
import { leaseEnds } from "@/server/domain/repair/lease";
import { repairers, repairOutcomes } from "@/server/domain/repair/repairs";
import { list, record, tone } from "@/server/contract/define";

/** As it was reported. `category` null: whoever asked for the repair named none. */
const issue = record({
  category: z.enum(issueCategories).nullable(),
  summary: z.string(),
  details: z.string(),
});
export type RepairIssue = z.infer<typeof issue>;

const outcome = z.enum(repairOutcomes);

const place = {
  hostId: z.string(),
  /** Its name. */
  host: z.string(),
  site: z.string(),
  rack: z.string().nullable(),
  sku: z.string().nullable(),
};

/** Repairs of the host that ended: all, and those of the last days that make a repeat offender. */
const repaired = record({ total: z.number(), recent: z.number(), offender: z.boolean() });

/** Where the host is, in a word; for a tenant of a host that another one has, only that it is in use. */
const standing = { state: z.string(), tone };

/** Whether the reader can claim it now; where not, why. `short`: why nobody can, in a few words for a column; null: a repair tenant can. `expectedAt`: when its cleaning is expected to end; null: nobody can tell, or it is not being cleaned. */
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
  /** Since when it asks for a repair. */
  since: z.date(),
  repaired,
  claim,
});
export type QueueRow = z.infer<typeof queueRow>;

export const repairQueue = record({
  rows: list(queueRow),
  nextCursor: z.string().nullable(),
  total: z.number(),
  /** Of all in the queue. */
  claimable: z.number(),
});
export type RepairQueue = z.infer<typeof repairQueue>;

export const heldRow = record({
  ...place,
  instanceId: z.string(),
  instance: z.string(),
  /** NICo's word. */
  status: z.string(),
  /** Of the repair tenant; a tenant reads only its own. */
  tenant: z.string(),
  claimedAt: z.date(),
  /** The host's label, word for word; null: it has none, so the release would say that nothing was completed. */
  repairStatus: z.string().nullable(),
  outcome,
  ticket: z.string().nullable(),
  note: z.string().nullable(),
  /** As it was at the claim; null: not recorded. */
  issue: issue.nullable(),
  /** Whether the host still asks for the repair: only then the release ends one. */
  requested: z.boolean(),
  reported: z.boolean(),
  repaired,
  release: record({ allowed: z.boolean(), reason: z.string().nullable() }),
});
export type HeldRow = z.infer<typeof heldRow>;

/** One repair, from claim to release, or from the take of a repair system outside to its return. `outcome` null: it goes on, or how it ended was not recorded. */
export const repairLine = record({
  id: z.string(),
  hostId: z.string(),
  host: z.string(),
  by: z.enum(repairers),
  /** Of the repair tenant; null for another tenant, and where a repair system repaired. */
  tenant: z.string().nullable(),
  /** Name of the repair system; null for a tenant, and where a tenant repaired. */
  system: z.string().nullable(),
  claimedAt: z.date(),
  releasedAt: z.date().nullable(),
  outcome: outcome.nullable(),
  /** How the lease of the repair system ended; null: a repair tenant repaired. */
  leaseEnd: z.enum(leaseEnds).nullable(),
  ticket: z.string().nullable(),
  note: z.string().nullable(),
  issue: issue.nullable(),
  /** What the release said is wrong then; null: nothing. */
  newIssue: z.string().nullable(),
});
export type RepairLine = z.infer<typeof repairLine>;

const counts = { completed: z.number(), failed: z.number(), none: z.number(), unrecorded: z.number() };

export const repairOutcomesAnswer = record({
  days: z.number(),
  /** Every day, in UTC, the oldest first. */
  perDay: list(record({ day: z.string(), ...counts })),
  ...counts,
  /** Median time between claim and release; null: none ended. */
  medianHeldMs: z.number().nullable(),
  /** Newest first. */
  rows: list(repairLine),
  nextCursor: z.string().nullable(),
});
export type RepairOutcomes = z.infer<typeof repairOutcomesAnswer>;

export const offenderRow = record({
  ...place,
  ...standing,
  /** Within the days of the rule, newest first. */
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
  /** Null for a tenant where a person of the provider wrote it, but for those that ask for the repair. */
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
  /** It stands until a person does something. */
  stopped: z.boolean(),
  gates: list(gate),
  /** `devices`: how many it treated, and of those how many succeeded; null: it treats none. */
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
  /** Null for a tenant of a host that another one has. */
  stateSince: z.date().nullable(),
  /** Null: it does not ask for a repair. */
  asks: record({ issue, since: z.date(), requested: z.boolean(), reported: z.boolean() }).nullable(),
  /** Since when it is repaired while its tenant keeps it; null: it is not, or the reader may not know. */
  onlineSince: z.date().nullable(),
  /** Those that ask for a repair. */
  repairAlerts: list(alert),
  /** Who may claim it: in a sentence. */
  claim,
  claimWords: z.string(),
  /** The repair that is under way; null: nobody has the host for a repair, or another tenant has it. */
  held: repairLine.nullable(),
  earlier: list(repairLine),
  repaired,
  /** What follows is null where the reader may not know it: of a host that another tenant has. */
  labels: z.record(z.string(), z.string()).readonly().nullable(),
  alerts: list(alert).nullable(),
  /** The newest; null also: the host had none. */
  reclamation: reclamation.nullable(),
  /** Newest first, since that reclamation began. */
  states: list(record({ state: z.string(), tone, at: z.date() })).nullable(),
});
export type RepairHost = z.infer<typeof repairHost>;
