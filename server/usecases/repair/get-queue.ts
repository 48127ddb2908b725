// The queue of repairs: hosts that ask for a repair and are not being repaired, the longest waiting first (docs/repair.md#the-page-repair).
import { sql } from "kysely";
import type { RepairQueue } from "@/server/contract/repair/answers";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { decodePlace, encodePlace } from "@/server/usecases/cursor";
import { allocationStop, tenantStop } from "@/server/usecases/database/allocation-stop";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import {
  claimsOf,
  countQueue,
  inQueue,
  readQueueRecords,
  toQueueRow,
} from "@/server/usecases/repair/queue-rows";
import { atSites, repairScope } from "@/server/usecases/repair/repair-scope";

const list = "repairQueue";

export async function getRepairQueue(
  { database }: Backend,
  actor: Actor,
  { cursor, limit }: { readonly cursor: string | null; readonly limit: number },
): Promise<Outcome<RepairQueue>> {
  const scope = repairScope(actor);
  if (!scope.ok) return scope;
  const visible = sql`${inQueue} AND ${atSites(scope.value)}`;
  let where = visible;
  if (cursor !== null) {
    const place = decodePlace(cursor, list);
    if (place === null) return refused("invalid", "This cursor does not belong to this list.", "cursor");
    where = sql`${visible} AND (q.since, h.id) > (${place.at}::timestamptz, ${place.id}::uuid)`;
  }
  const [records, counted, stop] = await Promise.all([
    readQueueRecords(database, where, {
      asking: true,
      after: sql`ORDER BY q.since, h.id LIMIT ${limit + 1}`,
    }),
    countQueue(database, visible),
    allocationStop(database),
  ]);
  const page = records.slice(0, limit);
  const claims = await claimsOf(database, page, scope.value, stop === null ? null : tenantStop);
  const last = page.at(-1);
  return done({
    rows: page.flatMap((record, index) => {
      const claim = claims[index];
      return claim === undefined ? [] : [toQueueRow(record, claim, scope.value)];
    }),
    nextCursor: records.length > limit && last?.since != null ? encodePlace(list, last.since, last.id) : null,
    ...counted,
  });
}
