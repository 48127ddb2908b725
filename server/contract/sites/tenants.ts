// Tenants, and what each may do at every site (docs/adr/0098-tenants-by-site.md).
import { z } from "zod";
import { tenantEntry } from "@/server/domain/sites/document";
import { act, list, nothing, read, reason, record } from "@/server/contract/define";

const tenantAt = record({
  siteId: z.string(),
  site: z.string(),
  /** May hold hosts at the site. */
  networkAllocation: z.boolean(),
  /** May repair hosts at the site. */
  targetedInstanceCreation: z.boolean(),
  /** Open instances of the tenant at the site. */
  instances: z.number(),
});

const tenantLine = record({
  tenantId: z.string(),
  /** Identifies the tenant in addresses. */
  org: z.string(),
  name: z.string(),
  /** Null if not disabled. */
  disabledAt: z.date().nullable(),
  /** Maximum number of instances; null if unlimited. */
  instanceQuota: z.number().nullable(),
  /** Open instances, those on gone hosts included. */
  instances: z.number(),
  /** People who can sign in for the tenant; disabled ones are not counted. */
  people: z.number(),
  /** One entry for every site. */
  sites: list(tenantAt),
  createdAt: z.date(),
});
export type TenantLine = z.infer<typeof tenantLine>;

const tenantOrg = z.strictObject({ org: tenantEntry.shape.org });
const instanceQuota = tenantEntry.shape.instanceQuota.unwrap();
const madeTenant = record({ org: z.string() });

export const tenants = {
  list: read({
    title: "the tenants: users, instances, and rights at each site",
    right: "tenant.read",
    input: nothing,
    output: list(tenantLine),
  }),
  create: act({
    title: "creates a tenant, without rights at any site yet",
    right: "tenant.manage",
    action: "tenant.create",
    input: tenantOrg.extend({ name: tenantEntry.shape.name, instanceQuota: instanceQuota.default(null) }),
    output: madeTenant,
  }),
  change: act({
    title: "changes the name or the quota of a tenant; omitted fields stay unchanged",
    right: "tenant.manage",
    action: "tenant.change",
    input: tenantOrg.extend({
      name: tenantEntry.shape.name.optional(),
      instanceQuota: instanceQuota.optional(),
    }),
    output: madeTenant,
  }),
  setGrants: act({
    title: "changes the rights of a tenant at a site; omitted rights stay unchanged",
    right: "tenant.manage",
    action: "tenant.setGrants",
    input: tenantOrg.extend({
      /** Name of the site. */
      site: z.string().trim().min(1).max(128),
      networkAllocation: z.boolean().optional(),
      targetedInstanceCreation: z.boolean().optional(),
      reason,
    }),
    output: record({ org: z.string(), site: z.string(), changed: z.boolean() }),
  }),
  disable: act({
    title: "disables a tenant: its users cannot sign in and it gets no hosts; its instances stay",
    right: "tenant.manage",
    action: "tenant.disable",
    input: tenantOrg.extend({ reason }),
    output: madeTenant,
  }),
  enable: act({
    title: "enables a disabled tenant",
    right: "tenant.manage",
    action: "tenant.enable",
    input: tenantOrg.extend({ reason }),
    output: madeTenant,
  }),
};
