// Who may have signed in as a person, because they set its password or its passkeys: two accounts that may be one person do not decide for each other
// (docs/adr/0113-passkeys.md).
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { Actor } from "@/server/usecases/actor";

/** Ids of who reset the password or passkeys of a person, or gave the first password, which still stands. */
export async function resettersOf(reader: SqlReader, personId: string): Promise<readonly string[]> {
  const [row] = await queryRows(
    reader,
    sql<{ by: readonly string[] }>`
    SELECT array_remove(reset_by || first_password_by, NULL)::text[] AS by FROM person WHERE id = ${personId}::uuid`,
  );
  return row?.by ?? [];
}

/** Whom a reset by this actor lets in: the actor, and who may have signed in as the actor. Nobody for who has the server's machine. */
export async function letInBy(reader: SqlReader, { kind, personId }: Actor): Promise<readonly string[]> {
  if (kind === "local") return [];
  return [personId, ...(await resettersOf(reader, personId))];
}
