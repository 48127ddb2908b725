// The queue of repairs: hosts that ask for a repair and are not being repaired, the longest waiting first (docs/repair.md#the-page-repair).
import { sql } from "kysely";
import type { RepairQueue } from "@/server/contract/repair/answers";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { beyond, pagesByTime } from "@/server/usecases/cursor";
import { allocationStop, tenantStop } from "@/server/usecases/database/allocation-stop";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import {
  claimsOf,
  countQueue,
  inQueue,
  readQueueRecords,
  toQueueRow,
} from "@/server/usecases/repair/queue-rows";
import { atSites, repairScope } from "@/server/usecases/repair/repair-scope";

const pages = pagesByTime("repairQueue");

export async function getRepairQueue(
  { database }: Backend,
  actor: Actor,
  { cursor, limit }: { readonly cursor: string | null; readonly limit: number },
): Promise<Outcome<RepairQueue>> {
  const scope = repairScope(actor);
  if (!scope.ok) return scope;
  const visible = sql`${inQueue} AND ${atSites(scope.value)}`;
  const start = pages.start(cursor);
  if (!start.ok) return start;
  const where = sql`${visible} AND ${beyond(sql`(q.since, h.id)`, ">", start.value)}`;
  const [records, counted, stop] = await Promise.all([
    readQueueRecords(database, where, {
      asking: true,
      after: sql`ORDER BY q.since, h.id LIMIT ${limit + 1}`,
    }),
    countQueue(database, visible),
    allocationStop(database),
  ]);
  // Each has a time: only hosts for which somebody asks are read.
  const { page, nextCursor } = pages.page(records, limit, ({ since, id }) => [since ?? new Date(0), id]);
  const claims = await claimsOf(database, page, scope.value, stop === null ? null : tenantStop);
  return done({
    rows: page.flatMap((record, index) => {
      const claim = claims[index];
      return claim === undefined ? [] : [toQueueRow(record, claim, scope.value)];
    }),
    nextCursor,
    ...counted,
  });
}
