// Who may do what: one table of roles and rights, for every surface (docs/security.md#people-and-tokens).
import { roleTable } from "@/server/domain/access/roles";
import type { Role } from "@/server/domain/access/roles";

export const rights = [
  /** What needs a person. Each reads the groups of kinds that they may see (domain/next). */
  "next.read",
  "fleet.read",
  "host.list",
  "host.read",
  /** Id, site, SKU, rack and status only: what a repair tenant sees of hosts it does not hold. */
  "host.summary",
  "host.manage",
  "host.provide",
  "host.retry",
  "host.restart",
  "host.clean",
  "host.interrupt",
  "host.power",
  "host.maintenance",
  /** Leases a host to an external repair system. */
  "host.lease",
  /** Ends the lease of a repair system that does not return the host. */
  "host.breakLease",
  /** Records what became of a drive that is owed and missing. */
  "host.dispose",
  "host.enroll",
  /** The host's record: names, properties, BMC, ports, protection, retirement. */
  "host.edit",
  /** The host's labels: notes by the provider, and by tenants that may claim an exact host. */
  "host.label",
  "host.delete",
  /** Takes a host out of the fleet for good, erased and proven, and accepts what is left on its BMC. */
  "host.decommission",
  "cleaning.read",
  /** Policy: step priorities, and whether hosts are cleaned automatically. */
  "cleaning.override",
  "runbook.write",
  "brake.lift",
  /** Adds an agent image, rolls it out and makes it current. */
  "image.rollOut",
  "image.withdraw",
  /** A site's settings as a document, with SKUs and tenants, and their versions. */
  "site.read",
  "site.apply",
  /** Creates, changes and deletes SKUs. Assigning one to a host takes `host.edit`. */
  "sku.write",
  /** Owner, note and snooze of a group of things that need a person, such as failures. */
  "failure.note",
  "instance.read",
  "instance.create",
  /** Name, description and labels, all written by the tenant. */
  "instance.edit",
  "instance.release",
  /** Tickets of hosts. Tenants: their own, and those of hosts they hold for repair. */
  "ticket.read",
  "ticket.open",
  "ticket.update",
  /** The *Repair* page: hosts that need a repair, and how repairs ended. */
  "repair.read",
  /** Maintenance notices. Tenants: those of the machines they have. */
  "notice.read",
  "notice.write",
  "notice.acknowledge",
  /** Machines, and why some left and came back. Tenants: their own. */
  "capacity.read",
  /** Webhooks. Tenants: their own. */
  "webhook.read",
  "webhook.write",
  /** Certificates. Tenants: their receipts. */
  "certificate.read",
  /** Evidence files. Tenants: those they uploaded. */
  "evidence.read",
  "evidence.write",
  /** Legal hold of an evidence file. */
  "evidence.hold",
  /** The steps after a backup was restored. */
  "database.afterRestore",
  /** Procedures, their records, and what is waiting for another person's decision. */
  "assurance.read",
  /** Procedures of one host, with their records. Tenants: for hosts they repair. */
  "assurance.readHost",
  /** Records that a procedure was carried out. Tenants: on hosts they repair. */
  "assurance.record",
  /** Signs off what another person recorded. */
  "assurance.sign",
  /** Requests exceptions, and withdraws them. */
  "assurance.askException",
  /** Decides on exceptions. */
  "assurance.except",
  /** Security events: what outsiders and machines tried. */
  "security.read",
  "security.acknowledge",
  /** The whole audit log: what everybody did, with their addresses. */
  "audit.read",
  /** Asks for a self-audit now. */
  "audit.selfCheck",
  /** Acknowledges faults that a self-audit found, so that they no longer alert. */
  "audit.acknowledge",
  /** Adds a new signing key to the audit log. */
  "audit.rotateKey",
  "search",
  "feed.read",
  /** People of the provider and of all tenants, with their roles. */
  "person.read",
  "person.manage",
  /** All tenants: what they may do at each site, and how much they hold. */
  "tenant.read",
  "tenant.manage",
  "token.read",
  "token.create",
  "token.revoke",
  "session.read",
  "session.end",
  /** The person's own password and passkeys. */
  "account.change",
  /** The person's own saved views of the hosts list. */
  "account.views",
] as const;
export type Right = (typeof rights)[number];

/** `own`: only what belongs to the actor's tenant (tokens, sessions and the account: to the actor). */
export type Reach = "any" | "own" | "none";

const any = "any";
const own = "own";
const none = "none";

/** Columns in the order operator, provider admin, tenant admin, repair tenant admin, auditor. */
const row = (
  operator: Reach,
  providerAdmin: Reach,
  tenantAdmin: Reach,
  repairTenantAdmin: Reach,
  auditor: Reach,
): Record<Role, Reach> => ({
  operator,
  "provider-admin": providerAdmin,
  "tenant-admin": tenantAdmin,
  "repair-tenant-admin": repairTenantAdmin,
  auditor,
});

export const accessTable = {
  "next.read": row(any, any, own, own, any),
  "fleet.read": row(any, any, none, none, any),
  "host.list": row(any, any, none, none, any),
  "host.read": row(any, any, none, none, any),
  "host.summary": row(any, any, none, any, any),
  "host.manage": row(any, any, none, none, none),
  "host.provide": row(any, any, none, none, none),
  "host.retry": row(any, any, none, none, none),
  "host.restart": row(any, any, none, none, none),
  "host.clean": row(any, any, none, none, none),
  /** Abort, hold, resume. */
  "host.interrupt": row(any, any, none, none, none),
  "host.power": row(any, any, none, none, none),
  "host.maintenance": row(any, any, none, none, none),
  "host.lease": row(any, any, none, none, none),
  "host.breakLease": row(none, any, none, none, none),
  "host.dispose": row(any, any, none, none, none),
  "host.enroll": row(any, any, none, none, none),
  "host.edit": row(any, any, none, none, none),
  /** Tenants also need the capability `targetedInstanceCreation` (usecases/hosts/labels). */
  "host.label": row(any, any, none, any, none),
  "host.delete": row(none, any, none, none, none),
  "host.decommission": row(any, any, none, none, none),
  "cleaning.read": row(any, any, none, none, any),
  "cleaning.override": row(none, any, none, none, none),
  "runbook.write": row(any, any, none, none, none),
  "brake.lift": row(any, any, none, none, none),
  "image.rollOut": row(none, any, none, none, none),
  "image.withdraw": row(any, any, none, none, none),
  "site.read": row(any, any, none, none, any),
  "site.apply": row(none, any, none, none, none),
  "sku.write": row(none, any, none, none, none),
  "failure.note": row(any, any, none, none, none),
  "instance.read": row(any, any, own, own, any),
  "instance.create": row(none, none, own, own, none),
  "instance.edit": row(none, none, own, own, none),
  "instance.release": row(any, any, own, own, none),
  "ticket.read": row(any, any, own, own, any),
  "ticket.open": row(any, any, own, own, none),
  "ticket.update": row(any, any, own, own, none),
  /** Tenants also need the capability `targetedInstanceCreation` (usecases/repair/repair-scope). */
  "repair.read": row(any, any, none, any, any),
  "notice.read": row(any, any, own, own, any),
  "notice.write": row(any, any, none, none, none),
  "notice.acknowledge": row(none, none, own, own, none),
  "capacity.read": row(any, any, own, own, any),
  "webhook.read": row(none, any, own, own, any),
  "webhook.write": row(none, any, own, own, none),
  "certificate.read": row(any, any, own, own, any),
  "evidence.read": row(any, any, none, own, any),
  "evidence.write": row(any, any, none, own, none),
  "evidence.hold": row(none, any, none, none, none),
  "database.afterRestore": row(none, any, none, none, none),
  "assurance.read": row(any, any, none, none, any),
  "assurance.readHost": row(any, any, none, own, any),
  "assurance.record": row(any, any, none, own, none),
  "assurance.sign": row(any, any, none, none, none),
  "assurance.askException": row(any, any, none, none, none),
  "assurance.except": row(none, any, none, none, none),
  "security.read": row(any, any, none, none, any),
  "security.acknowledge": row(any, any, none, none, none),
  "audit.read": row(none, any, none, none, any),
  "audit.selfCheck": row(none, any, none, none, none),
  "audit.acknowledge": row(none, any, none, none, none),
  "audit.rotateKey": row(none, any, none, none, none),
  search: row(any, any, own, own, any),
  "feed.read": row(any, any, own, own, any),
  "person.read": row(none, any, none, none, any),
  "person.manage": row(none, any, none, none, none),
  "tenant.read": row(any, any, none, none, any),
  "tenant.manage": row(none, any, none, none, none),
  "token.read": row(own, any, own, own, any),
  /** Never for somebody else: whoever holds a person's token acts as that person. */
  "token.create": row(own, own, own, own, own),
  "token.revoke": row(own, any, own, own, own),
  "session.read": row(own, any, own, own, any),
  "session.end": row(own, any, own, own, own),
  "account.change": row(own, own, own, own, own),
  "account.views": row(own, own, none, none, own),
} satisfies Record<Right, Record<Role, Reach>>;

/** Who asks. */
export interface Asker {
  readonly personId: string;
  readonly role: Role;
  /** Null for the provider's people. */
  readonly tenantId: string | null;
}

/** Owner of the thing: a tenant, a person, or the provider (both null). */
export interface Belonging {
  readonly tenantId: string | null;
  readonly personId?: string | null;
}

/** How far a right reaches for a role, before any target is known. */
export function reachOf(role: Role, right: Right): Reach {
  return accessTable[right][role];
}

/** Everything, whoever owns it. */
export interface FleetScope {
  readonly kind: "all";
}

/** Null for roles that may read nothing or only their own: for surfaces that only the provider may use. Pure. */
export const fleetScope = ({ role }: Pick<Asker, "role">, right: Right): FleetScope | null =>
  reachOf(role, right) === "any" ? { kind: "all" } : null;

export type AccessDecision = "allowed" | "forbidden" | "hidden";

/**
 * `forbidden`: the role never has the right. `hidden`: it has the right for its own things only, and this one is not its own, so the answer must
 * be the one for a thing that does not exist: a tenant must not learn which ids of other tenants exist. Pure.
 */
export function decide(asker: Asker, right: Right, target: Belonging): AccessDecision {
  switch (reachOf(asker.role, right)) {
    case "any":
      return "allowed";
    case "none":
      return "forbidden";
    case "own":
      return isOwn(asker, target) ? "allowed" : "hidden";
  }
}

function isOwn(asker: Asker, target: Belonging): boolean {
  if (target.personId !== undefined) return target.personId !== null && target.personId === asker.personId;
  return roleTable[asker.role].ofTenant && asker.tenantId !== null && asker.tenantId === target.tenantId;
}
