// Capacity: why machines left and came back, and which there are (docs/repair.md#capacity).
import { z } from "zod";
import { hostId, list, read, record } from "@/server/contract/define";
import { capacityReasons } from "@/server/domain/break-fix/capacity";

export const capacityEvent = record({
  id: z.string(),
  at: z.date(),
  direction: z.enum(["added", "removed"]),
  reason: z.enum(capacityReasons),
  reasonWords: z.string(),
  /** The machine's stable id. */
  hostId: z.string(),
  /** Only for the provider's people; null for others. */
  host: z.string().nullable(),
  site: z.string().nullable(),
  /** Whose capacity changed; null for the provider's. */
  tenant: z.string().nullable(),
  instanceId: z.string().nullable(),
  /** Name of the instance; null if there is none, or if it is no longer known. */
  instance: z.string().nullable(),
  ticket: z.string().nullable(),
  notice: z.string().nullable(),
  /** It was announced in advance. */
  planned: z.boolean(),
});
export type CapacityEvent = z.infer<typeof capacityEvent>;

export const capacityNode = record({
  /** The machine's stable id. */
  hostId: z.string(),
  host: z.string().nullable(),
  healthy: z.boolean(),
  inUse: z.boolean(),
  instanceId: z.string().nullable(),
  /** When the machine's record was created. */
  createdAt: z.date(),
  /** When it went into production for the tenant that has it. */
  handedOverAt: z.date().nullable(),
  hardware: z.string().nullable(),
  sku: z.string().nullable(),
  /** Null if it was neither entered nor read. */
  gpus: z.number().nullable(),
  /** Organisation of the tenant that has it. */
  account: z.string().nullable(),
  region: z.string().nullable(),
});
export type CapacityNode = z.infer<typeof capacityNode>;

export const capacity = {
  events: read({
    title: "why machines left and came back, oldest first; pass the last id to get the next page",
    right: "capacity.read",
    input: z.strictObject({
      /** Id of the last event that the caller has; defaults to the beginning. */
      after: z.guid("must be the id of an event").optional(),
      /** With `newest`, the newest come first, and `after` continues with older ones. For polling, use `oldest`. */
      order: z.enum(["oldest", "newest"]).default("oldest"),
      hostId: hostId.optional(),
      site: z.string().trim().min(1).max(128).optional(),
      limit: z.int().min(1).max(1000).default(200),
    }),
    output: list(capacityEvent),
  }),
  nodes: read({
    title: "machines with health, use, account and hardware; a tenant sees the ones it holds",
    right: "capacity.read",
    input: z.strictObject({
      /** Id of the last machine of the previous page. */
      after: hostId.optional(),
      limit: z.int().min(1).max(1000).default(200),
    }),
    output: list(capacityNode),
  }),
};
