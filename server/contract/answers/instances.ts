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
