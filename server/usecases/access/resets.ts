// Who could have signed in as another person, because they set that person's password or passkeys. Two accounts that may be the same person must not
// decide for each other (docs/adr/0113-passkeys.md).
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { Actor } from "@/server/usecases/actor";

/** Ids of people who reset the person's password or passkeys, or set the first password if it has not been changed. */
export async function resettersOf(reader: SqlReader, personId: string): Promise<readonly string[]> {
  const [row] = await queryRows(
    reader,
    sql<{ by: readonly string[] }>`
    SELECT array_remove(reset_by || first_password_by, NULL)::text[] AS by FROM person WHERE id = ${personId}::uuid`,
  );
  return row?.by ?? [];
}

/** Everybody whom a reset by this actor could let in: the actor, and whoever could have signed in as the actor. Empty for the local machine. */
export async function letInBy(reader: SqlReader, { kind, personId }: Actor): Promise<readonly string[]> {
  if (kind === "local") return [];
  return [personId, ...(await resettersOf(reader, personId))];
}
