// The provider, tenants and their accounts in NICo's format (docs/api.md#tenants-and-accounts).
import type { NicoInstanceStatus } from "@/server/domain/lifecycle/projections";
import type { TenantAccount } from "@/server/usecases/sites/tenants/tenant-accounts";

/** There is one provider: the operator of this server. */
export const providerId = "5ec1a100-0000-4000-8000-000000000001";

/** The provider's name if no organisation is provider and tenant in one. */
const unnamedProvider = "provider";

/** @param serviceAccountOrg the organisation that is both */
export const providerOrg = (serviceAccountOrg: string | undefined): string =>
  serviceAccountOrg ?? unnamedProvider;

export const tenantView = ({ tenantId, org, name, createdAt, targetedAt }: TenantAccount) => ({
  id: tenantId,
  org,
  orgDisplayName: name,
  created: createdAt.toISOString(),
  updated: createdAt.toISOString(),
  capabilities: { targetedInstanceCreation: targetedAt.length > 0 },
});

/** Statuses without a count of their own in NICo count towards the total. Networks belong to the site's network controller, so they have no counts. */
export function statsView(instances: ReadonlyMap<string, number>) {
  const count = (status: NicoInstanceStatus) => instances.get(status) ?? 0;
  return {
    instance: {
      total: [...instances.values()].reduce((sum, each) => sum + each, 0),
      pending: count("Pending"),
      provisioning: count("Provisioning"),
      ready: count("Ready"),
      repairing: count("Repairing"),
      terminating: count("Terminating"),
      error: count("Error"),
    },
  };
}

/** By site, as in later versions of NICo. `global` is true if the tenant has it at every existing site. */
function siteCapabilities({ targetedAt, sites }: TenantAccount) {
  const everywhere = sites > 0 && targetedAt.length === sites;
  return [
    { scope: "global", targetedInstanceCreation: everywhere },
    ...(everywhere || targetedAt.length === 0
      ? []
      : [{ scope: "limited", siteIds: targetedAt, targetedInstanceCreation: true }]),
  ];
}

/** A tenant's account with the provider has the tenant's id: there is exactly one for each. */
export function accountView(account: TenantAccount, serviceAccountOrg: string | undefined) {
  const created = account.createdAt.toISOString();
  const [status, message] = account.disabled
    ? (["Error", "The tenant is disabled"] as const)
    : (["Ready", "The tenant was created"] as const);
  return {
    id: account.tenantId,
    infrastructureProviderId: providerId,
    infrastructureProviderOrg: providerOrg(serviceAccountOrg),
    tenantId: account.tenantId,
    tenantOrg: account.org,
    allocationCount: account.allocations,
    status,
    statusHistory: [{ status, message, created, updated: created }],
    created,
    updated: created,
    siteCapabilities: siteCapabilities(account),
  };
}
