// The people who can sign in, for those who manage them.
import { sql } from "kysely";
import { isRole, roleTable } from "@/server/domain/access/roles";
import type { PersonLine } from "@/server/contract/access/people";
import { queryRows } from "@/server/db/sql";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { sessionSeconds } from "@/server/usecases/access/sign-out";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

export async function listPeople(
  { database }: Backend,
  actor: Actor,
): Promise<Outcome<readonly PersonLine[]>> {
  const scope = scopeOf(actor, "person.read");
  if (!scope.ok) return scope;
  const rows = await queryRows(
    database,
    sql<Omit<PersonLine, "roleWords">>`
    SELECT p.id::text AS "personId", p.name, p.email, p.role, t.org, p.disabled_at AS "disabledAt", p.created_at AS "createdAt",
      greatest(s.used_at, a.used_at) AS "lastUsedAt", coalesce(s.open, 0) AS sessions, coalesce(a.valid, 0) AS tokens,
      (SELECT count(*)::int FROM passkey k WHERE k.person_id = p.id) AS passkeys, p.reset_by <> '{}' AS "wasReset"
    FROM person p LEFT JOIN tenant t ON t.id = p.tenant_id
    LEFT JOIN LATERAL (
      SELECT max(used_at) AS used_at, count(*) FILTER (WHERE epoch = p.session_epoch AND used_at > now() - ${sessionSeconds} * interval '1 second'
        AND NOT EXISTS (SELECT 1 FROM ended_session e WHERE e.session_id = session.id))::int AS open
      FROM session WHERE person_id = p.id) s ON true
    LEFT JOIN LATERAL (
      SELECT max(last_used_at) AS used_at, count(*) FILTER (WHERE expires_at IS NULL OR expires_at > now())::int AS valid
      FROM api_token WHERE person_id = p.id) a ON true
    ORDER BY p.disabled_at IS NOT NULL, t.org NULLS FIRST, p.name, p.email`,
  );
  return done(
    rows.map((row) => ({ ...row, roleWords: isRole(row.role) ? roleTable[row.role].words : row.role })),
  );
}
