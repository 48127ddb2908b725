// The rows of a new node, in one statement: clients make nodes by the hundred.
import { sql } from "kysely";
import { execute } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { NodeBmc, NodeFields } from "@/server/domain/nodes/node-values";
import { hostColumns, recordColumns } from "@/server/usecases/nodes/node-columns";

interface NewNode {
  readonly hostId: string;
  readonly siteId: string;
  readonly conductorGroup: string;
  readonly fields: NodeFields;
  readonly bmc: Pick<NodeBmc, "address" | "username">;
  /** Sealed. */
  readonly password: Uint8Array | null;
  /** Of a host that says from the beginning what it is. */
  readonly identity: { readonly serial: string; readonly systemUuid: string } | null;
}

/** Host, record, run and the first line of its history. Throws what the database refuses. */
export async function insertNode(
  tx: SqlReader,
  { hostId, siteId, conductorGroup, fields, bmc, password, identity }: NewNode,
): Promise<void> {
  const h = hostColumns(hostId, fields);
  const n = recordColumns(fields);
  const json = JSON.stringify;
  await execute(
    tx,
    sql`
    WITH hosts AS (
      INSERT INTO host (id, site_id, name, hardware_type, serial, system_uuid, bmc_address, bmc_username, bmc_password, automated_clean, description, owner, lessee, resource_class, protected, protected_reason, retired, retired_reason)
      VALUES (${hostId}::uuid, ${siteId}::uuid, ${h.name}, ${h.hardwareType}, ${identity?.serial ?? null}, ${identity?.systemUuid ?? null}::uuid, ${bmc.address}, ${bmc.username}, ${password === null ? null : Buffer.from(password)},
        ${h.automatedClean}, ${h.description}, ${h.owner}, ${h.lessee}, ${h.resourceClass}, ${h.protected}, ${h.protectedReason}, ${h.retired}, ${h.retiredReason})
      RETURNING id, site_id, name
    ), records AS (
      INSERT INTO node_record (host_id, conductor_group, shard, instance_name, parent_node, disable_power_off, properties, extra, instance_info, network_data, driver_info, interfaces)
      SELECT id, ${conductorGroup}, ${n.shard}::text, ${n.instanceName}::text, ${n.parentNode}::uuid, ${n.disablePowerOff}::boolean, ${json(n.properties)}::jsonb, ${json(n.extra)}::jsonb, ${json(n.instanceInfo)}::jsonb, ${json(n.networkData)}::jsonb,
        ${json(n.driverInfo)}::jsonb, ${json(n.interfaces)}::jsonb FROM hosts
    ), history AS (
      INSERT INTO state_history (host_id, version, state, reason, generation) SELECT id, 1, 'Enroll', 'created', 0 FROM hosts
    )
    INSERT INTO host_run (host_id, site_id, name, state) SELECT id, site_id, name, 'Enroll' FROM hosts`,
  );
}
