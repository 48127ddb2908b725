// What a tenant requests of its instance's network. It is stored as given and passed to the site's network controller, which alone knows
// what the names mean (docs/instances.md#network).
import { z } from "zod";

const value = z.union([z.string().max(256), z.number(), z.boolean(), z.null()]);
const face = z.record(z.string().max(64), value);
const faces = z.array(face).max(64, "at most 64 interfaces");

/** As stored and sent. What an earlier release accepted is still read, whatever is accepted today. */
export const tenantNetwork = z.strictObject({
  vpcId: z.guid("must be the id of a network"),
  /** NICo's interfaces, each as a flat object. */
  interfaces: faces.default([]),
});
export type TenantNetwork = z.output<typeof tenantNetwork>;

const maxMembers = 32;
const maxBytes = 16 * 1_024;
const bytesOf = (json: unknown): number => new TextEncoder().encode(JSON.stringify(json)).length;

/** What a tenant may request. It is limited because it is stored with the host's record, which every decision reads and writes. */
export const requestedInterfaces = faces
  .refine(
    (asked) => asked.every((one) => Object.keys(one).length <= maxMembers),
    `at most ${maxMembers} members in an interface`,
  )
  .refine((asked) => bytesOf(asked) <= maxBytes, "at most 16 KiB in all");

/** A requested network with these interfaces. */
export const requestedNetwork = tenantNetwork.extend({ interfaces: requestedInterfaces.default([]) });
