// The audit log, newest first, for those who may read all of it.
import { sql } from "kysely";
import type { z } from "zod";
import type { audit, AuditList } from "@/server/contract/audit-log/audit-log";
import { readTree } from "@/server/db/audit-log/sequencer";
import { poolOf } from "@/server/db/prisma";
import type { Database } from "@/server/db/prisma";
import type { Actor } from "@/server/usecases/actor";
import { conditionsOf, readEvents } from "@/server/usecases/audit-log/search-events";
import type { Condition } from "@/server/usecases/audit-log/search-events";
import type { Backend } from "@/server/usecases/backend";
import { decodeCursor, encodeCursor } from "@/server/usecases/cursor";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

type ListAudit = z.output<typeof audit.list.input>;

/** The cursor's position: time and id of the last event. Null if the cursor is not from this list. */
function placeOf(cursor: string): { readonly at: Date; readonly id: string } | null {
  const [time = "", id = ""] = decodeCursor(cursor, "audit") ?? [];
  const at = new Date(time);
  return Number.isNaN(at.getTime()) || !/^[0-9a-f-]{36}$/.test(id) ? null : { at, id };
}

/** How many events one request examines: without a suitable index, a filter that matches nothing would read the whole log. */
export const maxSearched = 50_000;
/** A text search reads every event in full, which takes ten times as long as a comparison. */
export const maxSearchedForText = 20_000;
const beforeAllIds = "00000000-0000-0000-0000-000000000000";

const spanOf = ({ text }: ListAudit): number => (text === undefined ? maxSearched : maxSearchedForText);

/** Time of the last event to examine; null for all, because few are left or because an index covers one target. */
async function searchEnd(database: Database, query: ListAudit, from: Date | undefined): Promise<Date | null> {
  const { id, targetId, since, until } = query;
  const isIndexed = id !== undefined || targetId !== undefined;
  if (isIndexed || conditionsOf(query).length === 0) return null;
  const [event] = await database.auditEvent.findMany({
    where: {
      at: {
        ...(since === undefined ? {} : { gte: since }),
        ...(until === undefined ? {} : { lt: until }),
        ...(from === undefined ? {} : { lte: from }),
      },
    },
    orderBy: { at: "desc" },
    skip: spanOf(query) - 1,
    take: 1,
    select: { at: true },
  });
  return event?.at ?? null;
}

const timeConditions = (
  from: Date | undefined,
  until: Date | undefined,
  place: { readonly at: Date; readonly id: string } | null,
): readonly Condition[] => [
  ...(from === undefined ? [] : [sql`e.at >= ${from}::timestamptz`]),
  ...(until === undefined ? [] : [sql`e.at < ${until}::timestamptz`]),
  ...(place === null ? [] : [sql`(e.at, e.id) < (${place.at}::timestamptz, ${place.id}::uuid)`]),
];

export async function listAudit(
  { database }: Backend,
  actor: Actor,
  query: ListAudit,
): Promise<Outcome<AuditList>> {
  const scope = scopeOf(actor, "audit.read");
  if (!scope.ok) return scope;
  const place = query.cursor === null ? null : placeOf(query.cursor);
  if (query.cursor !== null && place === null)
    return refused("invalid", "This cursor does not belong to this list.", "cursor");
  // Read before the rows, so that an event that gets its number in between is seen twice instead of never.
  const numbered = (await readTree(poolOf(database))).size;
  const { id, since, until, limit } = query;
  const end = await searchEnd(database, query, place?.at);
  const found = await readEvents(
    database,
    [
      ...(id === undefined ? [] : [sql`e.id = ${id}::uuid`]),
      ...conditionsOf(query),
      ...timeConditions(end ?? since, until, place),
    ],
    sql`ORDER BY e.at DESC, e.id DESC LIMIT ${limit + 1}`,
  );
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  const stopped = last === undefined ? end : null;
  const next = last ?? (stopped === null ? undefined : { at: stopped, id: beforeAllIds });
  return done({
    rows,
    numbered,
    nextCursor: next === undefined ? null : encodeCursor("audit", [next.at.toISOString(), next.id]),
    searched: stopped === null ? null : { to: stopped, events: spanOf(query) },
  });
}
