// What the console reads about bulk acts.
import { z } from "zod";
import { bulkIntents } from "@/server/domain/hosts/bulk-intents";
import { added, list, record, state, tone } from "@/server/contract/define";

export const bulkStatuses = [
  "can",
  "cannot",
  "asked",
  "refused",
  "refusedLater",
  "running",
  "failed",
  "ended",
  "accepted",
] as const;
export type BulkStatus = (typeof bulkStatuses)[number];

export const bulkReason = record({
  reason: z.string(),
  count: z.number(),
  /** Names of the first few hosts. */
  hosts: list(z.string()),
});
export type BulkReason = z.infer<typeof bulkReason>;

export const bulkPreview = record({
  /** Pass this to `bulk.start`. */
  id: z.string(),
  intent: z.enum(bulkIntents),
  total: z.number(),
  can: z.number(),
  cannot: z.number(),
  /** Why some hosts cannot, most hosts first, at most 20. */
  reasons: list(bulkReason),
  /** Whether it erases: the console asks for a typed confirmation. */
  erases: z.boolean(),
  /** How many stopped reclamations of the hosts that can would end as abandoned. */
  abandons: z.number(),
  /** Ready hosts in allocation before and after, of each SKU and site that loses any; most lost first. */
  ready: added(
    list(record({ site: z.string(), sku: z.string().nullable(), now: z.number(), after: z.number() })),
  ),
  /** Whether the console asks to type the number of hosts: it erases, removes, or takes many Ready hosts or the last of a SKU. */
  isLarge: added(z.boolean()),
});
export type BulkPreview = z.infer<typeof bulkPreview>;

export const bulkHead = record({
  id: z.string(),
  intent: z.enum(bulkIntents),
  words: z.string(),
  runbookName: z.string().nullable(),
  reason: z.string().nullable(),
  steps: list(z.string()),
  filter: z.string().nullable(),
  total: z.number(),
  createdAt: z.date(),
  createdByName: z.string(),
  /** Null if only previewed. */
  startedAt: z.date().nullable(),
  /** When the last host was asked or refused; null while some are pending. */
  askedAllAt: z.date().nullable(),
});
export type BulkHead = z.infer<typeof bulkHead>;

export const bulkRuns = record({
  runs: list(bulkHead),
  /** Bulk acts that this version does not understand. */
  unreadable: list(record({ id: z.string(), createdAt: z.date(), createdByName: z.string() })),
});
export type BulkRuns = z.infer<typeof bulkRuns>;

export const bulkHost = record({
  hostId: z.string(),
  name: z.string(),
  status: z.enum(bulkStatuses),
  tone,
  /** Why the host was refused, its failure, its outcome, or the step that runs. */
  message: z.string().nullable(),
  /** Null if the host is gone. */
  state: state.nullable(),
  step: z.string().nullable(),
  percent: z.number().nullable(),
  reclamationId: z.string().nullable(),
  /** `R-42` */
  reclamationNumber: z.string().nullable(),
  outcome: z.string().nullable(),
});
export type BulkHost = z.infer<typeof bulkHost>;

export const bulkProgress = record({
  ...bulkHead.unwrap().shape,
  counts: z.record(z.enum(bulkStatuses), z.number()).readonly(),
  /** Nothing about this bulk act will change any more. */
  over: z.boolean(),
  hosts: list(bulkHost),
  nextCursor: z.string().nullable(),
});
export type BulkProgress = z.infer<typeof bulkProgress>;
