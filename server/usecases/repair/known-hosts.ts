// Of which hosts somebody reads more than a summary: the provider's people of all, a repair tenant of those in the queue and in its own hands.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Database } from "@/server/db/prisma";
import type { Actor } from "@/server/usecases/actor";
import { holdsForRepair, inQueue, isForeign, readQueueRecords } from "@/server/usecases/repair/queue-rows";
import { atSites, repairScope } from "@/server/usecases/repair/repair-scope";
import type { RepairScope } from "@/server/usecases/repair/repair-scope";

/** Of a host `h`, the reports `q` that ask for a repair of it, and the instance `i` that is open on it. */
export const knownToRepair = (scope: RepairScope): RawBuilder<unknown> =>
  scope.kind === "all"
    ? sql`true`
    : sql`(true
        AND ((q.host_id IS NOT NULL AND ${inQueue} AND ${atSites(scope)}) OR (i.tenant_id = ${scope.tenantId}::uuid AND ${holdsForRepair})) -- safety: repair: a tenant knows hosts of the queue and its own
      )`;

/** Whether somebody reads what a host does and did: not of one that another tenant has. */
export async function readsForRepair(database: Database, actor: Actor, hostId: string): Promise<boolean> {
  const scope = repairScope(actor);
  if (!scope.ok) return false;
  const where = sql`h.id = ${hostId}::uuid AND ${knownToRepair(scope.value)}`;
  const [record] = await readQueueRecords(database, where, { asking: false });
  return record !== undefined && !isForeign(record, scope.value);
}
