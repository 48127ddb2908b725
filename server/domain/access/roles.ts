// The roles (README.md#sign-in).

export const roles = [
  "operator",
  "provider-admin",
  "tenant-admin",
  "repair-tenant-admin",
  "auditor",
] as const;
export type Role = (typeof roles)[number];

interface RoleRow {
  readonly words: string;
  /** What the role may do, for people who assign it. The rights themselves are in `access.ts`. */
  readonly may: string;
  /** Belongs to a tenant, and may not reach anything of another tenant. */
  readonly ofTenant: boolean;
}

export const roleTable = {
  operator: {
    words: "operator",
    ofTenant: false,
    may: "see all hosts; enrol, manage, provide, retry, restart, power, decommission; set maintenance; clean manually, hold, abort; skip an erase wait; record a drive's disposition; record procedures and sign off what another person recorded; ask for exceptions; assign a SKU; write runbooks; lift a brake; withdraw an agent image; release any instance",
  },
  "provider-admin": {
    words: "provider admin",
    ofTenant: false,
    may: "all that an operator may; also make and change SKUs, set priorities of clean steps, switch automated cleaning on and off, change a site's limits, change settings and apply site documents, manage users of the provider and of all tenants, their sessions and tokens, roll out agent images, delete hosts, approve exceptions, put evidence on legal hold, read the audit log, restart allocation after a restore",
  },
  "tenant-admin": {
    words: "tenant admin",
    ofTenant: true,
    may: "create, name, label, see and release the tenant's own instances, within its quota",
  },
  "repair-tenant-admin": {
    words: "repair tenant admin",
    ofTenant: true,
    may: "the same, for a tenant that repairs hosts; also list all hosts in short over the NICo API, label them, choose a particular one where the tenant may, and record procedures on hosts that it holds",
  },
  auditor: {
    words: "auditor",
    ofTenant: false,
    may: "see everything, also the audit log; change nothing",
  },
} satisfies Record<Role, RoleRow>;

/** Narrows a stored string. A role unknown to this version has no rights, so it is an error and never falls back to a default. */
export function isRole(value: string): value is Role {
  return Object.hasOwn(roleTable, value);
}
