// What a node is at, as far as verbs are decided by it: Ironic's word for its state, and what else forbids one.
import { named } from "@/server/db/hot/pool";
import type { ProvisionState } from "@/server/domain/lifecycle/ironic-projection";
import type { HotPool } from "@/server/usecases/backend";
import { columnsOf, fromOf, pendingOf } from "@/server/usecases/nodes/reading/node-columns";
import { provisionOf, type ProvisionRow } from "@/server/usecases/nodes/reading/node-words";

type StandingRow = ProvisionRow & {
  readonly maintenance: boolean;
  readonly retired: boolean;
  readonly protected: boolean;
  readonly reachable: boolean;
  readonly keep_on: boolean;
  readonly driver: string;
};

export interface Standing {
  readonly provision: ProvisionState;
  readonly instanceId: string | null;
  readonly maintenance: boolean;
  readonly retired: boolean;
  /** Its instance may not be given up. */
  readonly protected: boolean;
  /** Address and account of its BMC are known, or it needs none. */
  readonly reachable: boolean;
  /** `disable_power_off` of its record. */
  readonly keepOn: boolean;
  readonly driver: string;
}

const read = named<StandingRow, [string]>(
  "ironic_standing",
  `
  SELECT ${columnsOf.list}, ${pendingOf.one}, h.retired, h.protected, h.hardware_type AS driver, coalesce(n.disable_power_off, false) AS keep_on,
    h.hardware_type = 'fake' OR (h.bmc_address IS NOT NULL AND h.bmc_username IS NOT NULL AND h.bmc_password IS NOT NULL) AS reachable
  FROM ${fromOf(new Set(), true)} WHERE h.id = $1::uuid`,
);

/** Null where the node was deleted meanwhile. Throws on a state that this version does not know. */
export async function readStanding(pool: HotPool, hostId: string): Promise<Standing | null> {
  const [row] = await read(pool, hostId);
  if (row === undefined) return null;
  const { maintenance, retired, reachable, driver } = row;
  return {
    provision: provisionOf(row),
    instanceId: row.instance_id,
    maintenance,
    retired,
    protected: row.protected,
    reachable,
    keepOn: row.keep_on,
    driver,
  };
}
