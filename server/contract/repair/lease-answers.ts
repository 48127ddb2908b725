// What people read of who has a host, and of the repair systems outside that may take one (docs/repair.md#who-has-the-host).
import { z } from "zod";
import { list, record } from "@/server/contract/define";
import { leaseEnds, leaseStates } from "@/server/domain/repair/lease";

const lease = record({
  id: z.string(),
  system: z.string(),
  state: z.enum(leaseStates),
  takenAt: z.date(),
  /** The system itself, or who handed the host over. */
  takenBy: z.string(),
  until: z.date().nullable(),
  reason: z.string(),
  ticket: z.string().nullable(),
  /** What its holder said last, and when. */
  note: z.string().nullable(),
  notedAt: z.date().nullable(),
  endedAt: z.date().nullable(),
  endedBy: z.string().nullable(),
  how: z.enum(leaseEnds).nullable(),
  endedReason: z.string().nullable(),
});
export type HostLease = z.infer<typeof lease>;

const owners = ["reclaim", "tenant", "repair-system"] as const;

export const hostOwner = record({
  owner: z.enum(owners),
  /** In words: who has it. */
  words: z.string(),
  /** In force; null: Reclaim or a tenant has the host. */
  lease: lease.nullable(),
  /** Those that ended, newest first; the last 20. */
  earlier: list(lease),
  /** Names of the systems that the person may hand the host to. */
  systems: list(z.string()),
  /** Why the host cannot be handed over now; null: it can, or the person may not. */
  refusal: z.string().nullable(),
  /** Its drives may hold a tenant's data, which a hand-over must say. */
  mayHoldData: z.boolean(),
  mayGive: z.boolean(),
  mayBreak: z.boolean(),
});
export type HostOwner = z.infer<typeof hostOwner>;

export const repairSystem = record({
  id: z.string(),
  name: z.string(),
  /** Null: hosts of every site. */
  site: z.string().nullable(),
  createdAt: z.date(),
  createdBy: z.string(),
  lastUsedAt: z.date().nullable(),
  /** Hosts that it has now, and of them those whose time is over. */
  hosts: z.number(),
  overdue: z.number(),
});
export type RepairSystem = z.infer<typeof repairSystem>;
