// What a tenant may do at a site besides its role: a provider admin gives it, site by site (docs/sites.md#tenants).
import { roleTable } from "@/server/domain/access/roles";
import type { Role } from "@/server/domain/access/roles";

/** `networkAllocation`: hold hosts of the site at all. `targetedInstanceCreation`: repair them, so name one and end its repair. */
export const tenantGrants = ["networkAllocation", "targetedInstanceCreation"] as const;
export type TenantGrantKind = (typeof tenantGrants)[number];

/** Who asks about hosts that it does not hold. */
export interface Targeting {
  readonly role: Role;
  /** Sites at which its tenant has the capability `targetedInstanceCreation`. */
  readonly targetedAt: readonly string[];
}

/** Whether a tenant may repair hosts of a site: see them, label them, name one, end its repair. The provider's people are no tenant. Pure. */
export const mayRepairAt = ({ role, targetedAt }: Targeting, siteId: string): boolean =>
  roleTable[role].ofTenant && targetedAt.includes(siteId);

/** What counts of a tenant when it asks for a host. */
export interface ClaimStanding {
  readonly disabled: boolean;
  readonly allocatedAt: readonly string[];
  readonly targetedAt: readonly string[];
}

/** What a tenant asks for. `siteId` of an exact host: null where there is none of the id; of any host: undefined where it names no site. */
export type AskedHost =
  | { readonly kind: "exact"; readonly siteId: string | null }
  | { readonly kind: "any"; readonly siteId: string | undefined };

/** `unknown`: the answer for a host that is not there, also where it is at a site at which the tenant may name none. */
export type ClaimRefusal = "disabled" | "notCapable" | "unknown" | "noAllocation";

/** Why a tenant may not have what it asks for, whatever is free; null: it may. Pure. */
export function claimGrantRefusal(
  asked: AskedHost,
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

/** A tenant that asks for the labels of a host, or writes them: who reads them may change them, and what is noted of a host may tell of its tenant. */
export interface LabelAsker {
  readonly tenantId: string | null;
  readonly targetedAt: readonly string[];
}

export type LabelRefusal = "notCapable" | "unknown" | "heldByAnother";

/**
 * Why somebody may not know and change the labels of a host; null: may. Of a site at which a tenant may repair nothing it knows the hosts that it
 * holds, and any other is answered like none. Pure.
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
