// What a person reads about instances.
import { z } from "zod";
import { nicoInstanceStatuses } from "@/server/domain/lifecycle/projections";
import { issueCategories } from "@/server/domain/repair/health-issue";
import { list, record, tone } from "@/server/contract/define";

/** NICo's words for an instance that is there, and our own for one that has ended. */
export const instanceStatuses = [...nicoInstanceStatuses, "Terminated"] as const;
export type InstanceStatus = (typeof instanceStatuses)[number];

export const instanceRow = record({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  labels: z.record(z.string(), z.string()).readonly(),
  /** The network that its tenant named, by id; null: the tenant's default network. */
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
  /** Where the host is, in words that a tenant may see; what it does after its return is not told. */
  hostWords: z.string().nullable(),
  /** What the tenant was told last, while its host is prepared or given back. */
  message: z.string().nullable(),
  /** What alerts of its host say to its tenant, while it has the host. */
  notices: list(record({ message: z.string(), since: z.date() })),
  site: z.string().nullable(),
  sku: z.string().nullable(),
  /** Null for tenants. */
  host: record({ id: z.string(), name: z.string() }).nullable(),
  /** The reclamation after its release, for who may see the host; `gone`: the host has left the fleet, its record stays. Null for tenants. */
  reclamation: record({
    id: z.string(),
    number: z.string(),
    hostId: z.string(),
    gone: z.boolean(),
  }).nullable(),
  /** When the last step that erases its drives succeeded, and when every gate held. Null: not yet, or never. */
  erasedAt: z.date().nullable(),
  verifiedAt: z.date().nullable(),
  /** `active`: its host is repaired while its tenant keeps it. `allowed`: this person may begin that, or end it. */
  onlineRepair: record({
    active: record({
      since: z.date(),
      /** Null: whoever began it wrote it in other words. */
      issue: record({
        category: z.enum(issueCategories),
        summary: z.string(),
        details: z.string(),
      }).nullable(),
      /** What the tenant allowed for a repair that fails; null: it did not say. */
      allowDeletion: z.boolean().nullable(),
    }).nullable(),
    allowed: z.boolean(),
    reason: z.string().nullable(),
  }),
  edit: record({ allowed: z.boolean(), reason: z.string().nullable() }),
  release: record({ allowed: z.boolean(), reason: z.string().nullable() }),
});
export type InstanceRow = z.infer<typeof instanceRow>;

/** One that a text may mean. */
export const instanceMatch = record({
  id: z.string(),
  name: z.string(),
  /** Of its tenant, as the NICo surface has it in its paths. */
  org: z.string(),
  /** It has not ended. */
  open: z.boolean(),
});
export type InstanceMatch = z.infer<typeof instanceMatch>;

export const instanceList = record({
  rows: list(instanceRow),
  nextCursor: z.string().nullable(),
  /** With the first page only. */
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
  /** How many can be taken now. */
  free: z.number(),
});
export type OfferedKind = z.infer<typeof offeredKind>;

export const instanceOffer = record({
  /** Instances held, those being released included. */
  held: z.number(),
  /** How many the tenant may hold; null: no limit. */
  quota: z.number().nullable(),
  /** Whether it may name an exact host, at some site. */
  targeted: z.boolean(),
  /** Whether it has a network allocation at any site: without one it gets no host. */
  allocated: z.boolean(),
  kinds: list(offeredKind),
  /** Why no host can be taken at all; null: hosts can. */
  stopped: z.string().nullable(),
});
export type InstanceOffer = z.infer<typeof instanceOffer>;

// What becomes of a machine that a tenant gave up (docs/instances.md#after-a-release).

/** `open`: on its way. `proven`: every condition of its debt held. `unproven`: it left the fleet before. `nothing`: there was no machine behind it. */
export const receiptResults = ["open", "proven", "unproven", "nothing"] as const;
export type ReceiptResult = (typeof receiptResults)[number];

/** `never`: it did not come to that. */
const stepStates = ["done", "current", "ahead", "never"] as const;

const receiptStep = record({
  step: z.enum(["released", "offNetwork", "erased", "checked"]),
  state: z.enum(stepStates),
  /** What it is, and how far it is, in a sentence. */
  words: z.string(),
  /** When it was over. */
  at: z.date().nullable(),
});
export type ReceiptStep = z.infer<typeof receiptStep>;

/** `stated`: a person of the provider stated what became of a drive that nobody finds. `untreated`: the machine was proven without a result of it. */
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
  /** While it is erased, where the drive tells. */
  percent: z.number().nullable(),
  technique: z.string().nullable(),
  /** `clear` or `purge`, by the named standard and the version of the table of techniques. */
  level: z.string().nullable(),
  standard: z.string().nullable(),
  techniqueTable: z.number().nullable(),
  /** What reading it back showed. */
  verification: z.string().nullable(),
  /** What the provider stated. */
  statement: z.string().nullable(),
  at: z.date().nullable(),
});
export type ReceiptDrive = z.infer<typeof receiptDrive>;

const receiptCheck = record({
  gate: z.string(),
  meaning: z.string(),
  /** `notRequired`: the site does without it. `notChecked`: it could not be checked. */
  status: z.enum(["satisfied", "excepted", "notRequired", "notChecked"]),
});
export type ReceiptCheck = z.infer<typeof receiptCheck>;

export const instanceReceipt = record({
  /** Of this document; raised when a member changes its meaning. */
  format: z.literal(1),
  instance: record({
    id: z.string(),
    name: z.string(),
    createdAt: z.date(),
    releaseRequestedAt: z.date().nullable(),
    endedAt: z.date().nullable(),
  }),
  tenant: record({ org: z.string(), name: z.string() }),
  /** As its tenant knew it. */
  machine: record({ id: z.string(), site: z.string().nullable(), sku: z.string().nullable() }),
  result: z.enum(receiptResults),
  /** The result in a sentence. */
  says: z.string(),
  /** The provider has to check the machine before it continues. */
  attention: z.boolean(),
  provenAt: z.date().nullable(),
  /** By which the provider finds its record; null: none has begun. */
  reclamationId: z.string().nullable(),
  steps: list(receiptStep),
  drives: list(receiptDrive),
  /** Once it is proven. */
  checks: list(receiptCheck),
  /** What it does not prove. */
  limits: list(z.string()),
});
export type InstanceReceipt = z.infer<typeof instanceReceipt>;
