// What a person reads about instances.
import { z } from "zod";
import { standings } from "@/server/domain/assurance/standing";
import { nicoInstanceStatuses } from "@/server/domain/lifecycle/projections";
import { issueCategories } from "@/server/domain/repair/health-issue";
import { skuContents } from "@/server/domain/hosts/inventory/sku";
import { added, list, record, tone } from "@/server/contract/define";

/** NICo's words for an open instance, and our own for an ended one. */
export const instanceStatuses = [...nicoInstanceStatuses, "Terminated"] as const;
export type InstanceStatus = (typeof instanceStatuses)[number];

export const instanceRow = record({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  labels: z.record(z.string(), z.string()).readonly(),
  /** Id of the network that the tenant named; null for the tenant's default network. */
  vpcId: z.string().nullable(),
  status: z.enum(instanceStatuses),
  tone,
  tenantId: z.string(),
  tenantOrg: z.string(),
  tenantName: z.string(),
  createdAt: z.date(),
  readyAt: z.date().nullable(),
  releaseRequestedAt: z.date().nullable(),
  endedAt: z.date().nullable(),
  /** Where the host is, in words that a tenant may see. What it does after its return is not disclosed. */
  hostWords: z.string().nullable(),
  /** The last message to the tenant while its host is prepared or given back. */
  message: z.string().nullable(),
  /** What alerts of the host say to its tenant, while it has the host. */
  notices: list(record({ message: z.string(), since: z.date() })),
  site: z.string().nullable(),
  sku: z.string().nullable(),
  /** Null for tenants. */
  host: record({ id: z.string(), name: z.string() }).nullable(),
  /** The reclamation after the release, for readers who may see the host; null for tenants. `gone`: the host left the fleet, its record stays. */
  reclamation: record({
    id: z.string(),
    number: z.string(),
    hostId: z.string(),
    gone: z.boolean(),
  }).nullable(),
  /** When the last step that erases drives succeeded, and when every gate held. Null if not yet, or never. */
  erasedAt: z.date().nullable(),
  verifiedAt: z.date().nullable(),
  /** `active`: the host is being repaired while its tenant keeps it. `allowed`: this person may start or end that. */
  onlineRepair: record({
    active: record({
      since: z.date(),
      /** Null if it was described in other words. */
      issue: record({
        category: z.enum(issueCategories),
        summary: z.string(),
        details: z.string(),
      }).nullable(),
      /** What the tenant allowed if the repair fails; null if it did not say. */
      allowDeletion: z.boolean().nullable(),
    }).nullable(),
    allowed: z.boolean(),
    reason: z.string().nullable(),
  }),
  edit: record({ allowed: z.boolean(), reason: z.string().nullable() }),
  release: record({ allowed: z.boolean(), reason: z.string().nullable() }),
});
export type InstanceRow = z.infer<typeof instanceRow>;

/** An instance that a text may refer to. */
export const instanceMatch = record({
  id: z.string(),
  name: z.string(),
  /** The tenant's organisation, as in the paths of NICo's API. */
  org: z.string(),
  /** The instance has not ended. */
  open: z.boolean(),
});
export type InstanceMatch = z.infer<typeof instanceMatch>;

export const instanceList = record({
  rows: list(instanceRow),
  nextCursor: z.string().nullable(),
  /** Only with the first page. */
  total: z.number().nullable(),
});
export type InstanceList = z.infer<typeof instanceList>;

export const instanceHistoryLine = record({ status: z.string(), message: z.string(), at: z.date() });
export type InstanceHistoryLine = z.infer<typeof instanceHistoryLine>;

export const releaseResult = record({ id: z.string(), ok: z.boolean(), message: z.string() });
export type ReleaseResult = z.infer<typeof releaseResult>;

/** Hosts of one SKU at one site. */
const offeredKind = record({
  siteId: z.string(),
  site: z.string(),
  skuId: z.string(),
  sku: z.string(),
  /** How many can be claimed now. */
  free: z.number(),
  /** What a machine of the SKU is made of; null if the stored SKU cannot be read. */
  contents: added(skuContents.nullable()),
});
export type OfferedKind = z.infer<typeof offeredKind>;

export const instanceOffer = record({
  /** Instances that the tenant holds, those being released included. */
  held: z.number(),
  /** Maximum number of instances; null if unlimited. */
  quota: z.number().nullable(),
  /** Whether the tenant may name an exact host at some site. */
  targeted: z.boolean(),
  /** Whether the tenant has a network allocation at any site; without one it gets no host. */
  allocated: z.boolean(),
  kinds: list(offeredKind),
  /** Why no host can be claimed at all; null if hosts can. */
  stopped: z.string().nullable(),
});
export type InstanceOffer = z.infer<typeof instanceOffer>;

// What becomes of a machine that a tenant gave up (docs/instances.md#after-a-release).

/**
 * `open`: in progress. `proven`, `provenWithExceptions`, `notSanitized`: the standing of the reclamation that settled its debt. `unproven`: the machine
 * did not become Ready in it, or left the fleet first. `nothing`: there was no machine behind it.
 */
export const receiptResults = [
  "open",
  "proven",
  "provenWithExceptions",
  "notSanitized",
  "unproven",
  "nothing",
] as const;
export type ReceiptResult = (typeof receiptResults)[number];

/** `never`: the step was not reached and will not be. */
const stepStates = ["done", "current", "ahead", "never"] as const;

const receiptStep = record({
  step: z.enum(["released", "offNetwork", "erased", "checked"]),
  state: z.enum(stepStates),
  /** The step and its progress, in a sentence. */
  words: z.string(),
  /** When the step ended. */
  at: z.date().nullable(),
});
export type ReceiptStep = z.infer<typeof receiptStep>;

/** `stated`: the provider stated what became of a drive that nobody can find. `untreated`: the machine was proven without a result for the drive. */
export const receiptDriveStates = ["erased", "erasing", "waiting", "missing", "stated", "untreated"] as const;
export type ReceiptDriveState = (typeof receiptDriveStates)[number];

/** A drive that was in the machine when the tenant gave it up. */
const receiptDrive = record({
  serial: z.string(),
  model: z.string().nullable(),
  media: z.string().nullable(),
  /** A whole number, as text. */
  capacityBytes: z.string().nullable(),
  state: z.enum(receiptDriveStates),
  /** While it is being erased, if the drive reports progress. */
  percent: z.number().nullable(),
  technique: z.string().nullable(),
  /** `clear` or `purge`, by the named standard and version of the table of techniques. */
  level: z.string().nullable(),
  standard: z.string().nullable(),
  techniqueTable: z.number().nullable(),
  /** Result of reading it back. */
  verification: z.string().nullable(),
  /** What the provider stated. */
  statement: z.string().nullable(),
  at: z.date().nullable(),
});
export type ReceiptDrive = z.infer<typeof receiptDrive>;

const receiptCheck = record({
  gate: z.string(),
  meaning: z.string(),
  /** `notRequired`: it does not apply to this machine. `waived`: it applies, and the provider left it out. `notChecked`: it could not be checked. */
  status: z.enum(["satisfied", "excepted", "waived", "notRequired", "notChecked"]),
});
export type ReceiptCheck = z.infer<typeof receiptCheck>;

export const instanceReceipt = record({
  /** Format of this document; raised when the meaning of a member changes. */
  format: z.literal(2),
  instance: record({
    id: z.string(),
    name: z.string(),
    createdAt: z.date(),
    releaseRequestedAt: z.date().nullable(),
    endedAt: z.date().nullable(),
  }),
  tenant: record({ org: z.string(), name: z.string() }),
  /** As the tenant knew it. */
  machine: record({ id: z.string(), site: z.string().nullable(), sku: z.string().nullable() }),
  result: z.enum(receiptResults),
  /** Of the reclamation that settled the debt, as on every other page; null until it has ended. */
  standing: z.enum(standings).nullable(),
  /** The result in a sentence. */
  says: z.string(),
  /** The provider must look at the machine before it continues. */
  attention: z.boolean(),
  provenAt: z.date().nullable(),
  /** Identifies the provider's record; null if no reclamation began. */
  reclamationId: z.string().nullable(),
  steps: list(receiptStep),
  drives: list(receiptDrive),
  /** Empty until the debt is settled. */
  checks: list(receiptCheck),
  /** What the receipt does not prove. */
  limits: list(z.string()),
});
export type InstanceReceipt = z.infer<typeof instanceReceipt>;
