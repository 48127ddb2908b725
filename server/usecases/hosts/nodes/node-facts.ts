// The facts that decide on changes of a node record, read with a lock in one statement.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { ironicProvision } from "@/server/domain/lifecycle/ironic-projection";
import type { NodeFacts } from "@/server/domain/hosts/nodes/node-rules";
import type { Transaction } from "@/server/db/prisma";
import type { Target } from "@/server/usecases/define-act";
import { factsColumns, factsFrom, toIntentFacts } from "@/server/usecases/hosts/host-facts";
import type { FactsRow } from "@/server/usecases/hosts/host-facts";
import type { IntentFacts } from "@/server/domain/lifecycle/intents";

interface LockedRow extends FactsRow {
  readonly protected: boolean;
  readonly updated_at: Date | null;
  readonly bmc_address: string | null;
  readonly bmc_has_password: boolean;
  readonly hardware_type: string;
}

export interface LockedNode extends NodeFacts {
  readonly hostId: string;
  readonly name: string;
  readonly state: IntentFacts["state"];
  readonly intent: IntentFacts;
  /** When the record was last changed, in ms; null if never. */
  readonly updatedMs: number | null;
  readonly bmcAddress: string | null;
  readonly bmcHasPassword: boolean;
  readonly hardwareType: string;
}

/** Locks the host's row and its run, in the order in which the controller's commit writes them. Null if there is none. */
export async function lockNode(tx: Transaction, hostId: string): Promise<Target<LockedNode> | null> {
  const [row] = await queryRows(
    tx,
    sql<LockedRow>`
    SELECT ${factsColumns}, h.protected, h.updated_at, h.bmc_address, h.bmc_password IS NOT NULL AS bmc_has_password, h.hardware_type FROM ${factsFrom} JOIN host h ON h.id = r.host_id
    WHERE r.host_id = ${hostId}::uuid FOR UPDATE OF r, h`,
  );
  if (row === undefined) return null;
  const intent = toIntentFacts(row);
  const provision = ironicProvision(intent.state, {
    pending: row.pending,
    releaseRequested: row.release_requested,
    instanceOpen: row.instance_open,
    reclamationOpen: row.reclamation_open,
    agentWorking: false,
  });
  return {
    id: hostId,
    belongs: { tenantId: row.tenant_id },
    value: {
      hostId,
      name: row.name,
      state: intent.state,
      intent,
      provision,
      maintenance: row.maintenance,
      instanceOpen: row.instance_open,
      protected: row.protected,
      updatedMs: row.updated_at?.getTime() ?? null,
      bmcAddress: row.bmc_address,
      bmcHasPassword: row.bmc_has_password,
      hardwareType: row.hardware_type,
    },
  };
}
