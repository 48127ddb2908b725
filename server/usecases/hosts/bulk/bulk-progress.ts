// Progress of a bulk act: counts by status, and its hosts in pages by name.
import { sql } from "kysely";
import { z } from "zod";
import type { RawBuilder } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { standing, toBulkHead, toBulkHost } from "@/server/usecases/hosts/bulk/bulk-rows";
import type { BulkHostRow } from "@/server/usecases/hosts/bulk/bulk-rows";
import { pick } from "@/server/domain/pick";
import { bulkStatuses } from "@/server/contract/hosts/bulk-answers";
import type { BulkHead, BulkProgress, BulkRuns, BulkStatus } from "@/server/contract/hosts/bulk-answers";
import { pagesOf } from "@/server/usecases/cursor";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import { readEach } from "@/server/usecases/readable";
import { perDatabase } from "@/server/usecases/timed-cache";

export type BulkCounts = Readonly<Record<BulkStatus, number>>;

/** Shared by everybody who watches the same act: unlike a page, the counts cover all of its hosts. */
const cacheOf = perDatabase<BulkCounts>("bulkCounts", { ttlMs: 1_000, max: 50 });

const all = (id: string): RawBuilder<unknown> => sql`SELECT * FROM bulk_act_host WHERE bulk_id = ${id}::uuid`;

function readCounts(database: Database, { id, intent }: BulkHead): Promise<BulkCounts> {
  return cacheOf(database).get(id, async () => {
    const rows = await queryRows(
      database,
      sql<{
        status: string;
        hosts: number;
      }>`SELECT status, count(*)::int AS hosts FROM (${standing(id, intent, all(id))}) x GROUP BY status`,
    );
    const found = new Map(rows.map(({ status, hosts }) => [status, hosts]));
    const count = (status: BulkStatus): number => found.get(status) ?? 0;
    return {
      can: count("can"),
      cannot: count("cannot"),
      asked: count("asked"),
      refused: count("refused"),
      refusedLater: count("refusedLater"),
      running: count("running"),
      failed: count("failed"),
      ended: count("ended"),
      accepted: count("accepted"),
    };
  });
}

export interface BulkProgressQuery {
  readonly id: string;
  /** Only hosts with these statuses; empty means all. */
  readonly statuses: readonly BulkStatus[];
  readonly cursor: string | null;
  /** 0 to 1000; 0 returns counts only. */
  readonly limit: number;
}

/** Name and id of a host. */
type Key = [string, string];
const pages = pagesOf<Key>("bulk", z.tuple([z.string(), z.guid()]));

/** One page by name. Without a filter by status, only the page's own hosts are looked up. */
async function readPage(
  database: Database,
  { id, intent }: BulkHead,
  { statuses, limit }: BulkProgressQuery,
  after: Key | null,
): Promise<readonly BulkHostRow[]> {
  const behind = after === null ? sql`true` : sql`(name, host_id) > (${after[0]}, ${after[1]}::uuid)`;
  const most = sql`ORDER BY name, host_id LIMIT ${limit + 1}`;
  const rest = sql`SELECT * FROM bulk_act_host WHERE bulk_id = ${id}::uuid AND ${behind}`;
  if (statuses.length === 0 || statuses.length === bulkStatuses.length)
    return queryRows(
      database,
      sql<BulkHostRow>`SELECT * FROM (${standing(id, intent, sql`${rest} ${most}`)}) x ORDER BY name, host_id`,
    );
  return queryRows(
    database,
    sql<BulkHostRow>`SELECT * FROM (${standing(id, intent, rest)}) x WHERE status = ANY(${[...statuses]}) ${most}`,
  );
}

export async function bulkProgress(
  { database }: Backend,
  actor: Actor,
  query: BulkProgressQuery,
): Promise<Outcome<BulkProgress>> {
  const scope = scopeOf(actor, "host.list");
  if (!scope.ok) return scope;
  const start = pages.start(query.cursor);
  if (!start.ok) return start;
  const row = await database.bulkAct.findUnique({ where: { id: query.id } });
  if (row === null) return notFound("act", query.id);
  const head = toBulkHead(row);
  const limit = Math.min(1000, Math.max(0, Math.trunc(query.limit)));
  const [counts, records] = await Promise.all([
    readCounts(database, head),
    limit === 0 ? [] : readPage(database, head, { ...query, limit }, start.value),
  ]);
  const { page, nextCursor } = pages.page(records.map(toBulkHost), limit, (host) => [host.name, host.hostId]);
  return done({
    ...head,
    counts,
    over: head.askedAllAt !== null && counts.can === 0 && counts.asked === 0 && counts.running === 0,
    hosts: page,
    nextCursor,
  });
}

const listed = 50;

/** Started acts, newest first. */
export async function listBulk({ database }: Backend, actor: Actor): Promise<Outcome<BulkRuns>> {
  const scope = scopeOf(actor, "host.list");
  if (!scope.ok) return scope;
  const rows = await database.bulkAct.findMany({
    where: { startedAt: { not: null } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: listed,
  });
  const { values, unread } = await readEach(rows, toBulkHead);
  return done({
    runs: values,
    unreadable: unread.map((row) => pick(row, ["id", "createdAt", "createdByName"])),
  });
}
