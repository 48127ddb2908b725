// Capacity: why machines left and came back, and what there is (docs/repair.md#capacity).
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
  /** Of the provider's people; null: not to be known. */
  host: z.string().nullable(),
  site: z.string().nullable(),
  /** Whose capacity; null: the provider's. */
  tenant: z.string().nullable(),
  instanceId: z.string().nullable(),
  /** Its name; null: none, or it is not known any more. */
  instance: z.string().nullable(),
  ticket: z.string().nullable(),
  notice: z.string().nullable(),
  /** It had been announced. */
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
  /** Of the machine's record. */
  createdAt: z.date(),
  /** When it went into production for the tenant that has it. */
  handedOverAt: z.date().nullable(),
  hardware: z.string().nullable(),
  sku: z.string().nullable(),
  /** Null: nobody said or read it. */
  gpus: z.number().nullable(),
  /** The tenant's organisation that has it. */
  account: z.string().nullable(),
  region: z.string().nullable(),
});
export type CapacityNode = z.infer<typeof capacityNode>;

export const capacity = {
  events: read({
    title: "why machines left and came back, oldest first; pass the last id to get the next page",
    right: "capacity.read",
    input: z.strictObject({
      /** Id of the last event that is known; left out: from the beginning. */
      after: z.guid("must be the id of an event").optional(),
      /** `newest`: the newest first, and after the last id those before it. To poll, ask for the oldest first. */
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
      /** Id of the last machine of the page before. */
      after: hostId.optional(),
      limit: z.int().min(1).max(1000).default(200),
    }),
    output: list(capacityNode),
  }),
};
