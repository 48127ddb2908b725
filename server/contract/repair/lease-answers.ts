// What people read about who has a host, and about the external repair systems that may take one (docs/repair.md#who-has-the-host).
import { z } from "zod";
import { list, record } from "@/server/contract/define";
import { leaseEnds, leaseStates } from "@/server/domain/repair/leases/lease";

const lease = record({
  id: z.string(),
  system: z.string(),
  state: z.enum(leaseStates),
  takenAt: z.date(),
  /** The system itself, or the person who handed the host over. */
  takenBy: z.string(),
  until: z.date().nullable(),
  reason: z.string(),
  ticket: z.string().nullable(),
  /** The holder's last note, and when it was written. */
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
  /** Who has the host, in words. */
  words: z.string(),
  /** The lease in force; null if Reclaim or a tenant has the host. */
  lease: lease.nullable(),
  /** The last 20 ended leases, newest first. */
  earlier: list(lease),
  /** Names of the systems that the reader may hand the host to. */
  systems: list(z.string()),
  /** Why the host cannot be handed over now; null if it can, or if the reader may not. */
  refusal: z.string().nullable(),
  /** Its drives may hold a tenant's data, which must be acknowledged to hand the host over. */
  mayHoldData: z.boolean(),
  mayGive: z.boolean(),
  mayBreak: z.boolean(),
});
export type HostOwner = z.infer<typeof hostOwner>;

export const repairSystem = record({
  id: z.string(),
  name: z.string(),
  /** Null for hosts of every site. */
  site: z.string().nullable(),
  createdAt: z.date(),
  createdBy: z.string(),
  lastUsedAt: z.date().nullable(),
  /** Hosts that it has now, and how many of them are overdue. */
  hosts: z.number(),
  overdue: z.number(),
});
export type RepairSystem = z.infer<typeof repairSystem>;
