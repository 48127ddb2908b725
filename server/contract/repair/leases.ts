// Who has a host: Reclaim, a tenant, or an external repair system with a lease (docs/repair.md#who-has-the-host).
import { z } from "zod";
import { hostOwner, repairSystem } from "@/server/contract/repair/lease-answers";
import { act, hostId, list, moment, nothing, read, reason, record } from "@/server/contract/define";
import { systemName, ticketText } from "@/server/domain/repair/leases/lease";

const withToken = record({ id: z.string(), name: z.string(), token: z.string() });

export const leases = {
  get: read({
    title: "who has a host now, and which repair systems had it before",
    right: "host.read",
    input: z.strictObject({ hostId }),
    output: hostOwner,
  }),
  give: act({
    title: "hands a host over to a repair system: Reclaim sends it nothing until it is returned",
    right: "host.lease",
    action: "host.giveLease",
    input: z.strictObject({
      hostId,
      system: systemName,
      reason,
      ticket: ticketText.optional(),
      /** When the host is expected back. After that it is shown as overdue, and nothing else happens. */
      until: moment.optional(),
      /** Acknowledges that the repair system may get the data on the drives. */
      mayHoldData: z.boolean().default(false),
    }),
    output: record({ id: z.string() }),
  }),
  break: act({
    title: "breaks the lease of a repair system that does not return the host; its writes are then refused",
    right: "host.breakLease",
    action: "host.breakLease",
    /** `leaseId`: the lease that the person saw. */
    input: z.strictObject({ hostId, leaseId: z.guid("must be the id of a lease"), reason }),
    output: record({ accepted: z.literal(true) }),
  }),
  systems: read({
    title: "the repair systems that may take hosts over HTTP",
    right: "site.read",
    input: nothing,
    output: list(repairSystem),
  }),
  addSystem: act({
    title: "creates a repair system with its token, which is returned only once",
    right: "site.apply",
    action: "repairSystem.add",
    input: z.strictObject({
      name: systemName,
      /** Name of the site whose hosts it may take; null for every site. */
      site: z.string().trim().min(1).max(128).nullable(),
    }),
    output: withToken,
  }),
  renewSystem: act({
    title: "replaces the token of a repair system; the old one stops working at once, leases stay",
    right: "site.apply",
    action: "repairSystem.renew",
    input: z.strictObject({ name: systemName }),
    output: withToken,
  }),
  removeSystem: act({
    title: "removes a repair system that has no host; its token is refused at once",
    right: "site.apply",
    action: "repairSystem.remove",
    input: z.strictObject({ name: systemName }),
    output: record({ name: z.string() }),
  }),
};
