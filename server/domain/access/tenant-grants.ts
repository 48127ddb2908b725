// What a tenant may do at a site in addition to its role. A provider admin grants it per site (docs/sites.md#tenants).
import { roleTable } from "@/server/domain/access/roles";
import type { Role } from "@/server/domain/access/roles";

/** `networkAllocation`: hold hosts of the site at all. `targetedInstanceCreation`: repair them, which includes claiming one by id and ending its repair. */
export const tenantGrants = ["networkAllocation", "targetedInstanceCreation"] as const;
export type TenantGrantKind = (typeof tenantGrants)[number];

/** Somebody who asks about hosts they do not hold. */
export interface Targeting {
  readonly role: Role;
  /** Sites at which the tenant has the capability `targetedInstanceCreation`. */
  readonly targetedAt: readonly string[];
}

/** Whether a tenant may repair hosts of a site: see them, label them, claim one by id, end its repair. Always false for the provider's people. Pure. */
export const mayRepairAt = ({ role, targetedAt }: Targeting, siteId: string): boolean =>
  roleTable[role].ofTenant && targetedAt.includes(siteId);

/** What a tenant's request for a host depends on. */
export interface ClaimStanding {
  readonly disabled: boolean;
  readonly allocatedAt: readonly string[];
  readonly targetedAt: readonly string[];
}

/** What a tenant requests. `siteId` of an exact host: null if no host has the id. Of any host: undefined if the request names no site. */
export type RequestedHost =
  | { readonly kind: "exact"; readonly siteId: string | null }
  | { readonly kind: "any"; readonly siteId: string | undefined };

/** `unknown`: the answer for a host that does not exist, and for one at a site where the tenant may not claim by id. */
export type ClaimRefusal = "disabled" | "notCapable" | "unknown" | "noAllocation";

/** Why a tenant may not have what it requests, regardless of what is free; null: it may. Pure. */
export function claimGrantRefusal(
  asked: RequestedHost,
  { disabled, targetedAt, allocatedAt }: ClaimStanding,
): ClaimRefusal | null {
  // safety: claim: no host for a disabled tenant
  if (disabled) return "disabled";
  const { kind, siteId } = asked;
  if (kind === "exact") {
    // safety: claim: an exact host needs the capability
    if (targetedAt.length === 0) return "notCapable";
    // safety: claim: the capability at the host's site
    if (!targetedAt.some((id) => id === siteId)) return "unknown";
  }
  const isAllocated = siteId === undefined ? allocatedAt.length > 0 : allocatedAt.some((id) => id === siteId);
  // safety: claim: a network allocation at the site
  if (!isAllocated) return "noAllocation";
  return null;
}

/** A tenant that reads or writes the labels of a host. Whoever reads labels may change them, and labels may reveal something about the host's tenant. */
export interface LabelAsker {
  readonly tenantId: string | null;
  readonly targetedAt: readonly string[];
}

export type LabelRefusal = "notCapable" | "unknown" | "heldByAnother";

/**
 * Why somebody may not read and change the labels of a host; null: they may. At a site where a tenant may repair nothing, it knows only the hosts it
 * holds; any other host is answered as if it did not exist. Pure.
 * @param asker null: the provider's people
 * @param host null: there is none
 */
export function labelGrantRefusal(
  asker: LabelAsker | null,
  host: { readonly siteId: string; readonly heldBy: string | null } | null,
): LabelRefusal | null {
  // safety: labels: a tenant without the capability
  if (asker !== null && asker.targetedAt.length === 0) return "notCapable";
  if (host === null) return "unknown";
  if (asker === null) return null;
  const holds = asker.tenantId !== null && host.heldBy === asker.tenantId;
  // safety: labels: of a host at a site without the capability
  if (!asker.targetedAt.includes(host.siteId)) return holds ? "notCapable" : "unknown";
  // safety: labels: of a host that another tenant has
  if (host.heldBy !== null && !holds) return "heldByAnother";
  return null;
}
