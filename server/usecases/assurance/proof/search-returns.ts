// Searches returns, and counts them by standing.
import { sql } from "kysely";
import type { z } from "zod";
import type { proof, ReturnLine, Tally } from "@/server/contract/assurance/proof";
import type { Database } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import { isUuid } from "@/server/domain/uuid";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { beyond, pagesByTime } from "@/server/usecases/cursor";
import { matchText } from "@/server/usecases/assurance/proof/match-text";
import { readReturns } from "@/server/usecases/assurance/proof/return-lines";
import { conditionsOf, returns } from "@/server/usecases/assurance/proof/returns-sql";
import type { Selection } from "@/server/usecases/assurance/proof/returns-sql";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import type { Scope } from "@/server/usecases/read";

const pages = pagesByTime("proof");

type SearchRequest = Omit<z.output<typeof proof.search.input>, "cursor" | "limit" | "direction">;

/** A tenant that does not exist is an error, not an empty list: a typing mistake must not read as "nothing was returned". */
export async function tenantIdOf(
  database: Database,
  scope: Scope,
  given: string | undefined,
): Promise<Outcome<string | null>> {
  if (given === undefined) return done(null);
  const [row] = await queryRows(
    database,
    sql<{
      id: string;
    }>`SELECT t.id::text FROM tenant t WHERE lower(t.org) = lower(${given}) OR lower(t.name) = lower(${given}) OR t.id = ${isUuid(given) ? given : null}::uuid
      ORDER BY (lower(t.org) = lower(${given})) DESC, t.id LIMIT 1`,
  );
  const hidden = scope.kind === "tenant" && row?.id !== scope.tenantId;
  return row === undefined || hidden ? notFound("tenant", given) : done(row.id);
}

/** Resolves the names in a selection. */
export async function selectionOf(
  database: Database,
  scope: Scope,
  { text, tenant, ...rest }: SearchRequest,
): Promise<Outcome<Selection>> {
  const tenantId = await tenantIdOf(database, scope, tenant);
  if (!tenantId.ok) return tenantId;
  const matches = await matchText(database, scope, text);
  return matches.ok ? done({ ...rest, tenantId: tenantId.value, matches: matches.value }) : matches;
}

export async function countReturns(database: Database, scope: Scope, selection: Selection): Promise<Tally> {
  const rows = await queryRows(
    database,
    sql<{ standing: string; count: number }>`
    SELECT r.standing, count(*)::int AS count FROM ${returns} WHERE ${conditionsOf(scope, selection)} GROUP BY r.standing`,
  );
  const of = (standing: string) => rows.find((row) => row.standing === standing)?.count ?? 0;
  const known = {
    proven: of("proven"),
    provenWithExceptions: of("provenWithExceptions"),
    notSanitized: of("notSanitized"),
    notChecked: of("notChecked"),
  };
  const all = rows.reduce((sum, { count }) => sum + count, 0);
  const { proven, provenWithExceptions, notSanitized, notChecked } = known;
  // A standing of another release counts as no proof.
  return {
    returns: all,
    ...known,
    notProven: all - proven - provenWithExceptions - notSanitized - notChecked,
  };
}

export async function searchReturns(
  { database }: Backend,
  actor: Actor,
  { cursor, limit, direction: _direction, ...asked }: z.output<typeof proof.search.input>,
): Promise<
  Outcome<{
    readonly rows: readonly ReturnLine[];
    readonly nextCursor: string | null;
    readonly tally: Tally | null;
  }>
> {
  const scope = scopeOf(actor, "certificate.read");
  if (!scope.ok) return scope;
  const start = pages.start(cursor);
  if (!start.ok) return start;
  const selection = await selectionOf(database, scope.value, asked);
  if (!selection.ok) return selection;
  const where = conditionsOf(scope.value, selection.value);
  const after = sql`${where} AND ${beyond(sql`(r.at, r.id)`, "<", start.value)}`;
  const [found, tally] = await Promise.all([
    readReturns(database, scope.value, after, limit + 1),
    cursor === null ? countReturns(database, scope.value, selection.value) : null,
  ]);
  const { page, nextCursor } = pages.page(found, limit, ({ line }) => [line.at, line.id]);
  return done({ rows: page.map(({ line }) => line), tally, nextCursor });
}

/** What a pack of the selection would have. A signed file's size is read without the file. */
export async function countFiles(
  { database }: Backend,
  actor: Actor,
  asked: z.output<typeof proof.files.input>,
): Promise<Outcome<{ readonly certificates: number; readonly bytes: number }>> {
  const scope = scopeOf(actor, "certificate.read");
  if (!scope.ok) return scope;
  const selection = await selectionOf(database, scope.value, asked);
  if (!selection.ok) return selection;
  const kind = scope.value.kind === "tenant" ? "receipt" : "certificate";
  const [row] = await queryRows(
    database,
    sql<{ certificates: number; bytes: string }>`
    SELECT count(*)::int AS certificates, coalesce(sum(octet_length(k.bundle)), 0)::text AS bytes
    FROM ${returns} JOIN certificate k ON k.reclamation_id = r.reclamation_id AND k.kind = ${kind} AND k.bundle IS NOT NULL
    WHERE ${conditionsOf(scope.value, selection.value)}`,
  );
  return done({ certificates: row?.certificates ?? 0, bytes: Number(row?.bytes ?? 0) });
}
