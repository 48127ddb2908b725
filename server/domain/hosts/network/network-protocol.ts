// The protocol between the site's network controller and the server, `/network/v1` and the controller's own side (docs/api.md#the-network-controllers-side).
import { z } from "zod";
import { tenantNetwork } from "@/server/domain/hosts/network/tenant-network";

/** Version of the wanted network. The database stores it in four bytes. */
const version = z.int().min(1).max(2_147_483_647);

/** What an interface reports about the tenant's extension services. */
export const extensionServiceStates = ["none", "running", "terminated"] as const;

/** `POST /network/v1/acknowledgements`, by the site's network controller, with a token bound to adapter and site. */
export const networkAcknowledgement = z.strictObject({
  host: z.string().min(1).max(128),
  /** The DPU, DPA interface or switch port that applied it. */
  interface: z.string().min(1).max(64),
  version,
  /** Over the canonical JSON (RFC 8785) of the applied configuration, which must equal the wanted one. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  extensionServices: z.enum(extensionServiceStates),
});
export type NetworkAcknowledgement = z.infer<typeof networkAcknowledgement>;

/** `PUT {network controller}/hosts/{host id}/network`: the wanted state, versioned. */
export const networkWanted = z.object({
  host: z.string(),
  version,
  network: z.enum(["tenant", "admin", "quarantine"]),
  tenant: z.string().nullable(),
  interfaces: z.array(z.string().max(64)).min(1),
  extensionServices: z.boolean(),
  /** For a tenant's network: which of its networks, as named by the tenant. Left out: the tenant's default network. */
  attachment: tenantNetwork.exactOptional(),
});
export type NetworkWanted = z.infer<typeof networkWanted>;
