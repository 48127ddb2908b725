// Which changes to people and their roles are allowed (docs/adr/0057-people-tokens-sessions.md). Pure.
import { roleTable } from "@/server/domain/access/roles";
import type { Role } from "@/server/domain/access/roles";

/** What the rules need to know about a person. */
export interface PersonStatus {
  readonly role: Role;
  readonly tenantId: string | null;
  readonly disabled: boolean;
}

interface PersonRefusal {
  readonly code: "invalid" | "forbidden" | "notAllowedNow";
  readonly field: "role" | "org" | "personId";
  readonly message: string;
}

/** Whether a role and a tenant go together; null: they do. Pure. */
export function personStatusFault({
  role,
  tenantId,
}: Pick<PersonStatus, "role" | "tenantId">): PersonRefusal | null {
  const { ofTenant, words } = roleTable[role];
  if (ofTenant === (tenantId !== null)) return null;
  return {
    code: "invalid",
    field: "org",
    message: ofTenant
      ? `The role ${words} needs an organization.`
      : `The role ${words} belongs to the provider: leave the organization out.`,
  };
}

const isAdmin = ({ role, disabled }: PersonStatus): boolean => role === "provider-admin" && !disabled;

interface ChangeOfPerson {
  /** Who makes the change. */
  readonly actorId: string;
  readonly personId: string;
  readonly before: PersonStatus;
  readonly after: PersonStatus;
  /** Other provider admins who can sign in. */
  readonly otherAdmins: number;
}

/** Why this change to a person is not allowed; null: it is. Pure. */
export function changeRefusal({
  actorId,
  personId,
  before,
  after,
  otherAdmins,
}: ChangeOfPerson): PersonRefusal | null {
  const isMoved = before.role !== after.role || before.tenantId !== after.tenantId;
  const isSwitched = before.disabled !== after.disabled;
  // safety: access: nobody changes their own rights
  if (actorId === personId && (isMoved || isSwitched))
    return {
      code: "forbidden",
      field: "role",
      message: "You cannot change your own role or disable yourself. Ask another provider admin.",
    };
  // safety: access: the last provider admin stays
  if (isAdmin(before) && !isAdmin(after) && otherAdmins === 0)
    return {
      code: "notAllowedNow",
      field: "personId",
      message: "This is the last provider admin who can sign in. Create another one first.",
    };
  return personStatusFault(after);
}

/** Length limits of a password that a person chooses, in characters. */
export const minPassword = 12;
export const maxPassword = 1024;
