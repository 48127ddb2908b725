// A node's record as its fields, from which a change starts.
import type { Reader } from "@/server/db/prisma";
import { emptyFields, nodeFields, nodeNameOf } from "@/server/domain/hosts/nodes/node-values";
import type { NodeFields } from "@/server/domain/hosts/nodes/node-values";

export interface StoredNode {
  readonly siteId: string;
  readonly fields: NodeFields;
  readonly bmc: {
    readonly address: string | null;
    readonly username: string | null;
    readonly hasPassword: boolean;
  };
  readonly conductorGroup: string;
  readonly maintenance: boolean;
  /** Id of the open instance on the host. */
  readonly instanceId: string | null;
  /** When it was last changed, in ms; null if never. */
  readonly updatedMs: number | null;
}

/** Null if there is no such host. A host that no Ironic client has touched has the fields that it was enrolled with. */
export async function readRecord(reader: Reader, hostId: string): Promise<StoredNode | null> {
  const row = await reader.host.findUnique({
    where: { id: hostId },
    include: { record: true, run: { select: { maintenance: true, instanceId: true } } },
    omit: { bmcSession: true, bmcLinks: true },
  });
  if (row === null || row.run === null) return null;
  const { record } = row;
  const fields = nodeFields.parse({
    ...emptyFields,
    name: nodeNameOf(row),
    description: row.description,
    owner: row.owner,
    lessee: row.lessee,
    resourceClass: row.resourceClass,
    protected: row.protected,
    protectedReason: row.protectedReason,
    retired: row.retired,
    retiredReason: row.retiredReason,
    automatedClean: row.automatedClean,
    hardwareType: row.hardwareType,
    ...(record === null
      ? {}
      : {
          shard: record.shard,
          instanceName: record.instanceName,
          parentNode: record.parentNode,
          disablePowerOff: record.disablePowerOff,
          properties: record.properties,
          extra: record.extra,
          instanceInfo: record.instanceInfo,
          networkData: record.networkData,
          driverInfo: record.driverInfo,
          interfaces: record.interfaces,
        }),
  });
  return {
    siteId: row.siteId,
    fields,
    bmc: { address: row.bmcAddress, username: row.bmcUsername, hasPassword: row.bmcPassword !== null },
    conductorGroup: record?.conductorGroup ?? "",
    maintenance: row.run.maintenance,
    instanceId: row.run.instanceId,
    updatedMs: row.updatedAt?.getTime() ?? null,
  };
}
