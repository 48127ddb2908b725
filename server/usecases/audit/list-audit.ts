// The audit log, newest first, for those who may read all of it.
import type { z } from "zod";
import type { audit, AuditList } from "@/server/contract/access/audit";
import type { Database } from "@/server/db/prisma";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { decodeCursor, encodeCursor } from "@/server/usecases/cursor";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

type ListAudit = z.output<typeof audit.list.input>;

/** Names of the hosts among the targets. */
async function hostNames(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const hosts = await database.host.findMany({
    where: { id: { in: [...new Set(ids)] } },
    select: { id: true, name: true },
  });
  return new Map(hosts.map(({ id, name }) => [id, name]));
}

/** The place in the list: time and id of its last event. Null: no cursor of this list. */
function placeOf(cursor: string): { readonly at: Date; readonly id: string } | null {
  const [time = "", id = ""] = decodeCursor(cursor, "audit") ?? [];
  const at = new Date(time);
  return Number.isNaN(at.getTime()) || !/^[0-9a-f-]{36}$/.test(id) ? null : { at, id };
}

/** What one request looks at: without an index that fits the filter, one that matches nothing would read the whole log. */
export const mostSearched = 50_000;
const beforeAllIds = "00000000-0000-0000-0000-000000000000";

/** The time of the last event to look at; null: all are, because few are left or an index finds those of one target. */
async function searchEnd(
  database: Database,
  { id, targetId, actor, action, outcome, since, until }: ListAudit,
  from: Date | undefined,
): Promise<Date | null> {
  const isIndexed = id !== undefined || targetId !== undefined;
  if (isIndexed || (actor === undefined && action === undefined && outcome === undefined)) return null;
  const [event] = await database.auditEvent.findMany({
    where: {
      at: {
        ...(since === undefined ? {} : { gte: since }),
        ...(until === undefined ? {} : { lt: until }),
        ...(from === undefined ? {} : { lte: from }),
      },
    },
    orderBy: { at: "desc" },
    skip: mostSearched - 1,
    take: 1,
    select: { at: true },
  });
  return event?.at ?? null;
}

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
  const { id, targetId, outcome, action, since, until, limit } = query;
  const end = await searchEnd(database, query, place?.at);
  const from = end ?? since;
  const found = await database.auditEvent.findMany({
    where: {
      ...(id === undefined ? {} : { id }),
      ...(targetId === undefined ? {} : { targetId }),
      ...(outcome === undefined ? {} : { outcome }),
      ...(action === undefined ? {} : { action: action.endsWith(".") ? { startsWith: action } : action }),
      at: { ...(from === undefined ? {} : { gte: from }), ...(until === undefined ? {} : { lt: until }) },
      AND: [
        query.actor === undefined ? {} : { OR: [{ actorId: query.actor }, { actorName: query.actor }] },
        place === null ? {} : { OR: [{ at: { lt: place.at } }, { at: place.at, id: { lt: place.id } }] },
      ],
    },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: limit + 1,
  });
  const rows = found.slice(0, limit);
  const names = await hostNames(
    database,
    rows.flatMap(({ targetKind, targetId: target }) => (targetKind === "host" ? (target ?? []) : [])),
  );
  const last = found.length > limit ? rows.at(-1) : undefined;
  const stopped = last === undefined ? end : null;
  const next = last ?? (stopped === null ? undefined : { at: stopped, id: beforeAllIds });
  return done({
    rows: rows.map(({ tenantId: _, bodyHash: __, ...row }) => ({
      ...row,
      targetName: names.get(row.targetId ?? "") ?? null,
    })),
    nextCursor: next === undefined ? null : encodeCursor("audit", [next.at.toISOString(), next.id]),
    searched: stopped === null ? null : { to: stopped, events: mostSearched },
  });
}
