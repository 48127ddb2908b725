// Security events as people read them, newest first.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { z } from "zod";
import type { security, SecurityEventLine } from "@/server/contract/access/security-events";
import type { Database } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import {
  findSecurityEventKind,
  securityEventKinds,
  securityEventNames,
} from "@/server/domain/access/security-events/kinds";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { beyond, pagesByTime } from "@/server/usecases/cursor";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

type Search = z.output<typeof security.list.input>;

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly hostId: string | null;
  readonly hostName: string | null;
  readonly hostIsHere: boolean;
  readonly site: string | null;
  readonly address: string;
  readonly others: "addresses" | "hosts" | null;
  readonly tried: readonly string[];
  readonly paths: readonly string[];
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly count: number;
  readonly acknowledgedAt: Date | null;
  readonly acknowledgedBy: string | null;
  readonly note: string | null;
}

/** A kind of another release. */
const unknownKind = {
  sentence: "Another release of Reclaim wrote this event.",
  whatToDo: "Read the release notes of that release.",
  severity: "high",
} as const;

function lineOf({ acknowledgedAt, acknowledgedBy, note, ...row }: Row): SecurityEventLine {
  const kind = findSecurityEventKind(row.kind);
  return {
    ...row,
    ...(kind === null ? { title: row.kind, ...unknownKind } : securityEventKinds[kind]),
    acknowledged:
      acknowledgedAt === null ? null : { at: acknowledgedAt, by: acknowledgedBy ?? "somebody", note },
  };
}

/** The host's current name, if it still has a record. */
const readLines = async (
  database: Database,
  conditions: readonly RawBuilder<unknown>[],
  limit: number,
): Promise<readonly SecurityEventLine[]> =>
  (
    await queryRows(
      database,
      sql<Row>`
    SELECT e.id::text, e.kind, e.host_id::text AS "hostId", coalesce(h.name, e.host_name) AS "hostName", h.id IS NOT NULL AS "hostIsHere", t.name AS site,
      e.address, e.others, e.tried, e.paths, e.first_at AS "firstAt", e.last_at AS "lastAt", e.count::float8 AS count,
      e.acknowledged_at AS "acknowledgedAt", e.acknowledged_by AS "acknowledgedBy", e.note
    FROM security_event e LEFT JOIN host h ON h.id = e.host_id LEFT JOIN site t ON t.id = e.site_id
    WHERE ${sql.join([sql`true`, ...conditions], sql` AND `)}
    ORDER BY e.last_at DESC, e.id DESC LIMIT ${limit}`,
    )
  ).map(lineOf);

const conditionsOf = ({
  kind,
  host,
  address,
  open,
  since,
  until,
}: Search): readonly RawBuilder<unknown>[] => [
  ...(kind === undefined ? [] : [sql`e.kind = ${kind}::text`]),
  ...(host === undefined
    ? []
    : [sql`(e.host_id::text = ${host}::text OR e.host_name = ${host}::text OR h.name = ${host}::text)`]),
  ...(address === undefined ? [] : [sql`e.address = ${address}::text`]),
  ...(open === true ? [sql`e.acknowledged_at IS NULL`] : []),
  ...(since === undefined ? [] : [sql`e.last_at >= ${since}::timestamptz`]),
  ...(until === undefined ? [] : [sql`e.last_at < ${until}::timestamptz`]),
];

const pages = pagesByTime("security");

export async function listSecurityEvents(
  { database }: Backend,
  actor: Actor,
  query: Search,
): Promise<Outcome<{ readonly rows: readonly SecurityEventLine[]; readonly nextCursor: string | null }>> {
  const scope = scopeOf(actor, "security.read");
  if (!scope.ok) return scope;
  const { cursor, limit } = query;
  const start = pages.start(cursor);
  if (!start.ok) return start;
  const found = await readLines(
    database,
    [...conditionsOf(query), beyond(sql`(e.last_at, e.id)`, "<", start.value)],
    limit + 1,
  );
  const { page, nextCursor } = pages.page(found, limit, ({ lastAt, id }) => [lastAt, id]);
  return done({ rows: page, nextCursor });
}

export async function getSecurityEvent(
  { database }: Backend,
  actor: Actor,
  { id }: { readonly id: string },
): Promise<Outcome<SecurityEventLine>> {
  const scope = scopeOf(actor, "security.read");
  if (!scope.ok) return scope;
  const [line] = await readLines(database, [sql`e.id = ${id}::uuid`], 1);
  return line === undefined ? notFound("security event", id) : done(line);
}

const high: readonly string[] = securityEventNames.filter(
  (name) => securityEventKinds[name].severity === "high",
);

export async function countOpenSecurityEvents(
  { database }: Backend,
  actor: Actor,
): Promise<Outcome<{ readonly open: number; readonly high: number }>> {
  const scope = scopeOf(actor, "security.read");
  if (!scope.ok) return scope;
  const [row] = await queryRows(
    database,
    sql<{ open: number; high: number }>`
    SELECT count(*)::int AS open, (count(*) FILTER (WHERE kind = ANY(${[...high]}::text[])))::int AS high FROM security_event WHERE acknowledged_at IS NULL`,
  );
  return done(row ?? { open: 0, high: 0 });
}
