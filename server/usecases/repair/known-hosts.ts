// Which hosts a reader sees in more detail than a summary: the provider's people all, a repair tenant those in the queue and those that it holds.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Database } from "@/server/db/prisma";
import type { Actor } from "@/server/usecases/actor";
import { holdsForRepair, inQueue, isForeign, readQueueRecords } from "@/server/usecases/repair/queue-rows";
import { atSites, repairScope } from "@/server/usecases/repair/repair-scope";
import type { RepairScope } from "@/server/usecases/repair/repair-scope";

/** Condition on a host `h`, the reports `q` that ask for its repair, and its open instance `i`. */
export const knownToRepair = (scope: RepairScope): RawBuilder<unknown> =>
  scope.kind === "all"
    ? sql`true`
    : sql`(true
        AND ((q.host_id IS NOT NULL AND ${inQueue} AND ${atSites(scope)}) OR (i.tenant_id = ${scope.tenantId}::uuid AND ${holdsForRepair})) -- safety: repair: a tenant knows hosts of the queue and its own
      )`;

/** Whether the reader may see what a host does and did: not for a host that another tenant has. */
export async function readsForRepair(database: Database, actor: Actor, hostId: string): Promise<boolean> {
  const scope = repairScope(actor);
  if (!scope.ok) return false;
  const where = sql`h.id = ${hostId}::uuid AND ${knownToRepair(scope.value)}`;
  const [record] = await readQueueRecords(database, where, { asking: false });
  return record !== undefined && !isForeign(record, scope.value);
}
