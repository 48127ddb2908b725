// The actor for a person's id, read from the database, so that a changed role or an ended session counts within seconds.
import { isRole, roleTable } from "@/server/domain/access/roles";
import type { Database } from "@/server/db/prisma";
import type { Actor } from "@/server/usecases/actor";
import { accessKey } from "@/server/usecases/access/access-changes";
import { perDatabase } from "@/server/usecases/timed-cache";

/** Maximum age of a cached session. */
export const actorAgeMs = 2_000;

export interface KnownPerson {
  readonly actor: Omit<Actor, "kind">;
  readonly sessionEpoch: number;
}

const cacheOf = perDatabase<KnownPerson | null>("sessionPersons", { ttlMs: actorAgeMs, max: 10_000 });

interface PersonRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly tenantId: string | null;
  readonly sessionEpoch: number;
  readonly disabledAt: Date | null;
  readonly tenant: {
    readonly org: string;
    readonly disabledAt: Date | null;
    readonly grants: readonly { readonly siteId: string }[];
  } | null;
}

export const personColumns = {
  id: true,
  name: true,
  email: true,
  role: true,
  tenantId: true,
  sessionEpoch: true,
  disabledAt: true,
  tenant: {
    select: {
      org: true,
      disabledAt: true,
      grants: { where: { kind: "targetedInstanceCreation" }, select: { siteId: true } },
    },
  },
} as const;

/** Null if the person or their tenant is disabled, or the row is invalid: an unknown role, or a tenant's role without a tenant. They cannot sign in. */
export function knownPerson(row: PersonRow): KnownPerson | null {
  // safety: access: a disabled person is nobody
  if (row.disabledAt !== null) return null;
  // safety: access: nobody of a disabled tenant
  if (row.tenant !== null && row.tenant.disabledAt !== null) return null;
  if (!isRole(row.role)) return null;
  if (roleTable[row.role].ofTenant !== (row.tenantId !== null)) return null;
  return {
    actor: {
      personId: row.id,
      name: row.name,
      email: row.email,
      role: row.role,
      tenantId: row.tenantId,
      org: row.tenant?.org ?? null,
      targetedAt: row.tenant?.grants.map(({ siteId }) => siteId) ?? [],
    },
    sessionEpoch: row.sessionEpoch,
  };
}

/** Null if the person is gone, or if their sessions were ended after this one began. */
export async function readSessionActor(
  database: Database,
  personId: string,
  sessionEpoch: number,
): Promise<Actor | null> {
  const known = await cacheOf(database).get(accessKey(personId), async () => {
    const row = await database.person.findUnique({ where: { id: personId }, select: personColumns });
    return row === null ? null : knownPerson(row);
  });
  return known === null || known.sessionEpoch !== sessionEpoch ? null : { ...known.actor, kind: "person" };
}
