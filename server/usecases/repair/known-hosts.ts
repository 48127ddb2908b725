// Of which hosts somebody reads more than a summary: the provider's people of all, a repair tenant of those in the queue and in its own hands.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { holdsForRepair, inQueue } from "@/server/usecases/repair/queue-rows";
import { atSites } from "@/server/usecases/repair/repair-scope";
import type { RepairScope } from "@/server/usecases/repair/repair-scope";

/** Of a host `h`, the reports `q` that ask for a repair of it, and the instance `i` that is open on it. */
export const knownToRepair = (scope: RepairScope): RawBuilder<unknown> =>
  scope.kind === "all"
    ? sql`true`
    : sql`(true
        AND ((q.host_id IS NOT NULL AND ${inQueue} AND ${atSites(scope)}) OR (i.tenant_id = ${scope.tenantId}::uuid AND ${holdsForRepair})) -- safety: repair: a tenant knows hosts of the queue and its own
      )`;
