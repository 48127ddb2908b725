// Conductors: the running controllers. One is alive as long as its session holds its lock (docs/design/datapath.md#takeover-and-sweep).
import { aliveController } from "@/server/db/hot/fleet/lease";
import { named } from "@/server/db/hot/pool";
import type { HotPool } from "@/server/usecases/backend";
import type { FleetScope } from "@/server/domain/access/access";

export interface ConductorRow {
  readonly hostname: string;
  readonly alive: boolean;
  readonly startedAt: Date;
}

const conductors = named<ConductorRow, []>(
  "ironic_conductors",
  `
  SELECT c.name AS hostname, bool_or(${aliveController("c")}) AS alive, max(c.started_at) AS "startedAt" FROM controller c GROUP BY c.name ORDER BY c.name`,
);

/** By name. One that was restarted under the same name is listed once. */
export const readConductors = (pool: HotPool, _scope: FleetScope): Promise<readonly ConductorRow[]> =>
  conductors(pool);
