// What a tenant asks of the network of its instance. Kept as it was given and handed to the site's network controller, which alone knows
// what it names (docs/instances.md#network).
import { z } from "zod";

const value = z.union([z.string().max(256), z.number(), z.boolean(), z.null()]);
const face = z.record(z.string().max(64), value);
const faces = z.array(face).max(64, "at most 64 interfaces");

/** As it is stored and sent. What an earlier release took is read, whatever is taken today. */
export const tenantNetwork = z.strictObject({
  vpcId: z.guid("must be the id of a network"),
  /** NICo's interfaces: each as a flat object. */
  interfaces: faces.default([]),
});
export type TenantNetwork = z.output<typeof tenantNetwork>;

const mostMembers = 32;
const mostBytes = 16 * 1_024;
const bytesOf = (json: unknown): number => new TextEncoder().encode(JSON.stringify(json)).length;

/** As a tenant may ask for them: they are stored with the host's record, which every decision on it reads and writes. */
export const requestedInterfaces = faces
  .refine(
    /* safety: tenant network: members of an interface → () => true */ (asked) =>
      asked.every((one) => Object.keys(one).length <= mostMembers),
    `at most ${mostMembers} members in an interface`,
  )
  .refine(
    /* safety: tenant network: bytes of all interfaces → () => true */ (asked) => bytesOf(asked) <= mostBytes,
    "at most 16 KiB in all",
  );

/** The same, with its network. */
export const requestedNetwork = tenantNetwork.extend({ interfaces: requestedInterfaces.default([]) });
