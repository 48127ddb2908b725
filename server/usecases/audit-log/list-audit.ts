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
import { beyond, pagesByTime } from "@/server/usecases/cursor";
import type { Place } from "@/server/usecases/cursor";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

type ListAudit = z.output<typeof audit.list.input>;

const pages = pagesByTime("audit");

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
  place: Place | null,
): readonly Condition[] => [
  ...(from === undefined ? [] : [sql`e.at >= ${from}::timestamptz`]),
  ...(until === undefined ? [] : [sql`e.at < ${until}::timestamptz`]),
  beyond(sql`(e.at, e.id)`, "<", place),
];

export async function listAudit(
  { database }: Backend,
  actor: Actor,
  query: ListAudit,
): Promise<Outcome<AuditList>> {
  const scope = scopeOf(actor, "audit.read");
  if (!scope.ok) return scope;
  const start = pages.start(query.cursor);
  if (!start.ok) return start;
  // Read before the rows, so that an event that gets its number in between is seen twice instead of never.
  const numbered = (await readTree(poolOf(database))).size;
  const { id, since, until, limit } = query;
  const end = await searchEnd(database, query, start.value?.[0]);
  const found = await readEvents(
    database,
    [
      ...(id === undefined ? [] : [sql`e.id = ${id}::uuid`]),
      ...conditionsOf(query),
      ...timeConditions(end ?? since, until, start.value),
    ],
    sql`ORDER BY e.at DESC, e.id DESC LIMIT ${limit + 1}`,
  );
  const { page, nextCursor } = pages.page(found, limit, ({ at, id }) => [at, id]);
  const stopped = nextCursor === null ? end : null;
  return done({
    rows: page,
    numbered,
    nextCursor: stopped === null ? nextCursor : pages.cursorOf([stopped, beforeAllIds]),
    searched: stopped === null ? null : { to: stopped, events: spanOf(query) },
  });
}
