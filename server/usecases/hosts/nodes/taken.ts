// Uniqueness of a node's values, and existence of what it names.
import { sql } from "kysely";
import { onlySystem } from "@/server/domain/hardware/bmc-system";
import { hostAt } from "@/server/usecases/hosts/host-at";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { Problem } from "@/server/usecases/problem";

interface NodeNames {
  /** For a new node. */
  readonly id?: string;
  readonly name?: string | null | undefined;
  readonly bmcAddress?: string | null | undefined;
  /** System of the service at the address; empty for the only one. */
  readonly bmcSystem?: string;
  readonly instanceName?: string | null | undefined;
  readonly parentNode?: string | null | undefined;
}

interface TakenRow {
  readonly same_id: boolean;
  readonly same_name: boolean;
  /** The host that the BMC belongs to. */
  readonly bmc_of: string | null;
  readonly same_instance: boolean;
  readonly parent_there: boolean;
}

/** The first conflict with a host other than `hostId`, or null. Checked before the write, because a failed statement aborts the transaction. */
export async function taken(
  tx: SqlReader,
  hostId: string,
  {
    id,
    name = null,
    bmcAddress = null,
    bmcSystem = onlySystem,
    instanceName = null,
    parentNode = null,
  }: NodeNames,
): Promise<Problem | null> {
  const conflict = (field: string, detail: string): Problem => ({ code: "conflict", field, detail });
  const [found] = await queryRows(
    tx,
    sql<TakenRow>`
    SELECT EXISTS (SELECT FROM host h WHERE h.id = ${id ?? null}::uuid) AS same_id, EXISTS (SELECT FROM host h WHERE h.name = ${name}::text AND h.id <> ${hostId}::uuid) AS same_name,
      ${hostAt({ hostId, bmcAddress, bmcSystem })} AS bmc_of,
      EXISTS (SELECT FROM node_record n WHERE n.instance_name = ${instanceName}::text AND n.host_id <> ${hostId}::uuid) AS same_instance,
      EXISTS (SELECT FROM host h WHERE h.id = ${parentNode}::uuid AND h.id <> ${hostId}::uuid) AS parent_there`,
  );
  if (found === undefined) throw new Error("a statement without a table gave no row");
  if (found.same_id) return conflict("uuid", `A node with UUID ${hostId} already exists.`);
  if (found.same_name) return conflict("name", `A node with name ${name ?? ""} already exists.`);
  // Not a 409: Ironic has no such rule, and its clients retry a 409, which would never succeed here.
  if (found.bmc_of !== null)
    return {
      code: "invalid",
      ...(bmcSystem === onlySystem
        ? {
            field: "driver_info.redfish_address",
            detail: `The BMC address ${bmcAddress ?? ""} is that of node ${found.bmc_of}. Of several nodes behind one address name the system of each as driver_info/redfish_system_id.`,
          }
        : {
            field: "driver_info.redfish_system_id",
            detail: `System ${bmcSystem} at the BMC address ${bmcAddress ?? ""} is node ${found.bmc_of}.`,
          }),
    };
  if (found.same_instance)
    return conflict("instance_name", `A node with instance name ${instanceName ?? ""} already exists.`);
  return parentNode === null || found.parent_there
    ? null
    : { code: "invalid", field: "parent_node", detail: `Node ${parentNode} could not be found.` };
}
