// A person as the acts on people read one, with a lock and the facts that the rules need.
import { sql } from "kysely";
import { isRole } from "@/server/domain/access/roles";
import type { PersonStatus } from "@/server/domain/access/people";
import { queryRows } from "@/server/db/sql";
import type { Transaction } from "@/server/db/prisma";
import type { AuditFacts } from "@/server/db/audit";
import type { Target } from "@/server/usecases/define-act";

export interface PersonState {
  readonly personId: string;
  readonly email: string;
  readonly name: string;
  readonly org: string | null;
  readonly standing: PersonStatus;
  /** Number of other provider admins who can sign in. */
  readonly otherAdmins: number;
}

/** Serializes changes of people: who is the last provider admin, and whether an email address is taken, depends on all of them. */
export const lockPeople = (tx: Transaction) =>
  queryRows(tx, sql`SELECT pg_advisory_xact_lock(hashtextextended('people', 0))::text`);

/** Throws on a stored role that this release does not know. */
export async function findPerson(tx: Transaction, personId: string): Promise<Target<PersonState> | null> {
  await lockPeople(tx);
  const row = await tx.person.findUnique({ where: { id: personId }, include: { tenant: true } });
  if (row === null) return null;
  const { role, tenantId } = row;
  if (!isRole(role)) throw new Error(`the person ${personId} has the unknown role ${role}`);
  const otherAdmins = await tx.person.count({
    where: { role: "provider-admin", disabledAt: null, NOT: { id: personId } },
  });
  return {
    id: personId,
    belongs: { tenantId, personId },
    value: {
      personId,
      email: row.email,
      name: row.name,
      org: row.tenant?.org ?? null,
      standing: { role, tenantId, disabled: row.disabledAt !== null },
      otherAdmins,
    },
  };
}

/** A person's facts for the audit log. */
export const personFacts = ({
  email,
  name,
  org,
  standing,
}: Omit<PersonState, "otherAdmins" | "personId">): AuditFacts => ({
  email,
  name,
  role: standing.role,
  org,
  disabled: standing.disabled,
});
