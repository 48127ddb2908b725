// What a tenant asks of the network of its instance. Kept as it was given and handed to the site's network controller, which alone knows
// what it names (docs/instances.md#network).
import { z } from "zod";

const value = z.union([z.string().max(256), z.number(), z.boolean(), z.null()]);

export const tenantNetwork = z.strictObject({
  vpcId: z.uuid("must be the id of a network"),
  /** NICo's interfaces: each as a flat object. */
  interfaces: z
    .array(z.record(z.string().max(64), value))
    .max(64, "at most 64 interfaces")
    .default([]),
});
export type TenantNetwork = z.output<typeof tenantNetwork>;
