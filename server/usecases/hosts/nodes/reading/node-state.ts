// The facts of a node that verbs are checked against: the facts of its host, Ironic's word for its state, and what else forbids one.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import { ironicProvision, waitsForAgent } from "@/server/domain/lifecycle/ironic-projection";
import type { Inspection, ProvisionState } from "@/server/domain/lifecycle/ironic-projection";
import type { CleanTarget } from "@/server/usecases/cleaning/start-cleaning";
import type { Target } from "@/server/usecases/define-act";
import { offersNmi } from "@/server/usecases/hosts/one/read-boot-settings";
import { factsColumns, factsFrom, toHostFacts } from "@/server/usecases/hosts/host-facts";
import type { FactsRow } from "@/server/usecases/hosts/host-facts";
import type { FoundNode, NodeIdent } from "@/server/usecases/hosts/nodes/reading/find-node";
import { provisionColumns } from "@/server/usecases/hosts/nodes/reading/node-columns";

type StandingRow = FactsRow & {
  readonly instance_id: string | null;
  readonly commanded: boolean;
  readonly inspection: Inspection | null;
  readonly inspect_interface: string | null;
  readonly reclaiming: boolean;
  readonly open_kind: string | null;
  readonly traits: readonly string[];
  readonly protected: boolean;
  readonly reachable: boolean;
  readonly of_failure: boolean;
  readonly keep_on: boolean;
  readonly soft_power: boolean;
  readonly nmi: boolean;
  readonly boot_settings: unknown;
  readonly driver: string;
};

export interface NodeState extends FoundNode {
  /** For acts, so that they do not read the host again. */
  readonly host: Target<CleanTarget>;
  readonly provision: ProvisionState;
  /** Kind of the open reclamation; null: none is open. */
  readonly openKind: string | null;
  readonly instanceId: string | null;
  readonly maintenance: boolean;
  /** A failure set it, so a request that leads out of the failure ends it. */
  readonly maintenanceOfFailure: boolean;
  readonly retired: boolean;
  /** Its instance may not be released. */
  readonly protected: boolean;
  /** Address and account of its BMC are known, or it needs none. */
  readonly reachable: boolean;
  /** `disable_power_off` of its record. */
  readonly keepOn: boolean;
  /** Its BMC can ask the operating system to shut down, or does not report what it can do. */
  readonly softPower: boolean;
  /** Its BMC can send an NMI, or does not report what it can do. */
  readonly nmi: boolean;
  /** As stored; readers parse it with `knownBootSettings`. */
  readonly storedBoot: unknown;
  readonly driver: string;
  /** As set; null for the driver's default. */
  readonly inspectInterface: string | null;
}

/** Null if there is none with this id or name. */
export async function readNodeState(
  database: Database,
  { kind, text }: NodeIdent,
): Promise<NodeState | null> {
  const [row] = await queryRows(
    database,
    sql<StandingRow>`
    SELECT ${factsColumns}, i.id::text AS instance_id, ${sql.raw(provisionColumns)},
      (SELECT c.kind FROM reclamation c WHERE c.host_id = r.host_id AND c.ended_at IS NULL LIMIT 1) AS open_kind, h.traits, h.protected, coalesce(r.maintenance_by = 'failure', false) AS of_failure, h.hardware_type AS driver,
      coalesce(n.disable_power_off, false) AS keep_on,
      h.hardware_type = 'fake' OR coalesce(h.bmc_links -> 'resetTypes' ? 'GracefulShutdown' OR h.bmc_links -> 'resetTypes' = '[]', false) AS soft_power,
      ${offersNmi} AS nmi, r.context -> 'bootSettings' AS boot_settings, n.interfaces ->> 'inspect_interface' AS inspect_interface,
      h.hardware_type = 'fake' OR (h.bmc_address IS NOT NULL AND h.bmc_username IS NOT NULL AND h.bmc_password IS NOT NULL) AS reachable
    FROM ${factsFrom} JOIN host h ON h.id = r.host_id LEFT JOIN node_record n ON n.host_id = h.id
    WHERE ${kind === "uuid" ? sql`h.id = ${text}::uuid` : sql`h.name = ${text}`}`,
  );
  if (row === undefined) return null;
  const facts = toHostFacts(row);
  return {
    hostId: row.host_id,
    name: row.name,
    host: {
      id: row.host_id,
      belongs: { tenantId: row.tenant_id },
      value: { ...facts, traits: row.traits },
    },
    provision: ironicProvision(facts.state, {
      pending: facts.pending,
      releaseRequested: facts.releaseRequested,
      instanceOpen: facts.instanceOpen,
      reclamationOpen: row.reclaiming,
      agentWorking: waitsForAgent(facts.state, row.commanded),
      inspection: row.inspection,
    }),
    openKind: row.open_kind,
    instanceId: row.instance_id,
    maintenance: row.maintenance,
    maintenanceOfFailure: row.of_failure,
    retired: row.retired,
    protected: row.protected,
    reachable: row.reachable,
    keepOn: row.keep_on,
    softPower: row.soft_power,
    nmi: row.nmi,
    storedBoot: row.boot_settings,
    driver: row.driver,
    inspectInterface: row.inspect_interface,
  };
}
