// Inserts the rows of a new node in one statement, because clients create nodes by the hundred.
import { sql } from "kysely";
import { execute } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { NodeBmc, NodeFields } from "@/server/domain/hosts/nodes/node-values";
import { hostColumns, recordColumns } from "@/server/usecases/hosts/nodes/node-columns";

interface NewNode {
  readonly hostId: string;
  readonly siteId: string;
  readonly conductorGroup: string;
  readonly fields: NodeFields;
  readonly bmc: Pick<NodeBmc, "address" | "username">;
  /** Encrypted. */
  readonly password: Uint8Array | null;
  /** For a host whose identity is known from the start. */
  readonly identity: { readonly serial: string; readonly systemUuid: string } | null;
}

/**
 * Host, record, run and the first line of history. What a deleted node with the same UUID left behind stays: history, generations and boots continue after
 * it, so that none of its agent sessions or ordered effects is mistaken for the new node's. Throws if the database refuses.
 */
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
      INSERT INTO host (id, site_id, name, hardware_type, serial, system_uuid, bmc_address, bmc_system, bmc_username, bmc_password, automated_clean, description, owner, lessee, resource_class, protected, protected_reason, retired, retired_reason)
      VALUES (${hostId}::uuid, ${siteId}::uuid, ${h.name}, ${h.hardwareType}, ${identity?.serial ?? null}, ${identity?.systemUuid ?? null}::uuid, ${bmc.address}, ${h.bmcSystem}, ${bmc.username}, ${password === null ? null : Buffer.from(password)},
        ${h.automatedClean}, ${h.description}, ${h.owner}, ${h.lessee}, ${h.resourceClass}, ${h.protected}, ${h.protectedReason}, ${h.retired}, ${h.retiredReason})
      RETURNING id, site_id, name
    ), records AS (
      INSERT INTO node_record (host_id, conductor_group, shard, instance_name, parent_node, disable_power_off, properties, extra, instance_info, network_data, driver_info, interfaces)
      SELECT id, ${conductorGroup}, ${n.shard}::text, ${n.instanceName}::text, ${n.parentNode}::uuid, ${n.disablePowerOff}::boolean, ${json(n.properties)}::jsonb, ${json(n.extra)}::jsonb, ${json(n.instanceInfo)}::jsonb, ${json(n.networkData)}::jsonb,
        ${json(n.driverInfo)}::jsonb, ${json(n.interfaces)}::jsonb FROM hosts
    ), earlier AS (
      SELECT coalesce((SELECT max(s.version) FROM state_history s WHERE s.host_id = ${hostId}::uuid), 0) AS version,
        greatest((SELECT max(s.generation) + 1 FROM state_history s WHERE s.host_id = ${hostId}::uuid),
          (SELECT max(e.generation) + 1 FROM effect e WHERE e.host_id = ${hostId}::uuid), 0) AS generation,
        greatest((SELECT max(w.boot_epoch) + 1 FROM boot_window w WHERE w.host_id = ${hostId}::uuid), (SELECT max(g.boot_epoch) + 1 FROM agent_session g WHERE g.host_id = ${hostId}::uuid),
          (SELECT max(l.boot_epoch) + 1 FROM agent_log l WHERE l.host_id = ${hostId}::uuid), 0) AS boot_epoch
    ), history AS (
      INSERT INTO state_history (host_id, version, state, reason, generation) SELECT id, earlier.version + 1, 'Enroll', 'created', earlier.generation FROM hosts, earlier
    )
    INSERT INTO host_run (host_id, site_id, name, state, state_version, generation, boot_epoch)
    SELECT id, site_id, name, 'Enroll', earlier.version + 1, earlier.generation, earlier.boot_epoch FROM hosts, earlier`,
  );
}
