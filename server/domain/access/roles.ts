// Who there is (docs/design/product.md#people).

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
  /** Belongs to a tenant, and is let near nothing of another. */
  readonly ofTenant: boolean;
}

export const roleTable = {
  operator: { words: "operator", ofTenant: false },
  "provider-admin": { words: "provider admin", ofTenant: false },
  "tenant-admin": { words: "tenant admin", ofTenant: true },
  "repair-tenant-admin": { words: "repair tenant admin", ofTenant: true },
  auditor: { words: "auditor", ofTenant: false },
} satisfies Record<Role, RoleRow>;

/** Narrows a stored string. A role that this version does not know has no rights, so it is an error and never a default. */
export function isRole(value: string): value is Role {
  return Object.hasOwn(roleTable, value);
}
