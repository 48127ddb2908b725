// An instance in NICo's format. What we do not manage for a tenant (VPCs, SSH keys, scripts) is null or empty; what we do not know is left out.
import { onlineRepairLabels } from "@/server/domain/repair/online-repair";
import type { StatusLine } from "@/server/usecases/instances/instance-pages";
import { readLabels } from "@/server/usecases/instances/labels";
import type { InstanceWithHistory } from "@/server/usecases/instances/tenant-instances";

export const statusDetail = (line: Omit<StatusLine, "instanceId">) => ({
  status: line.status,
  message: line.message,
  created: line.at.toISOString(),
  updated: line.at.toISOString(),
});

const ofRepair = new Set<string>(Object.values(onlineRepairLabels));

/** NICo accepts ten labels; any more are visible only in Reclaim. Those of an online repair are never left out, because NICo's clients look for them. */
export function nicoLabels(labels: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(readLabels(labels));
  const first = entries.filter(([name]) => ofRepair.has(name));
  const others = entries.filter(([name]) => !ofRepair.has(name));
  return Object.fromEntries([...first, ...others].slice(0, 10));
}

export function instanceView(row: InstanceWithHistory) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    tenantId: row.tenantId,
    ...(row.siteId === null ? {} : { siteId: row.siteId }),
    instanceTypeId: row.skuId,
    ...(row.vpcId === null ? {} : { vpcId: row.vpcId }),
    machineId: row.hostId,
    operatingSystemId: null,
    networkSecurityGroupId: null,
    networkSecurityGroupInherited: false,
    controllerInstanceId: row.id,
    ipxeScript: null,
    alwaysBootWithCustomIpxe: false,
    phoneHomeEnabled: false,
    userData: null,
    labels: nicoLabels(row.labels),
    isUpdatePending: false,
    serialConsoleUrl: null,
    interfaces: [],
    infinibandInterfaces: [],
    nvLinkInterfaces: [],
    dpuExtensionServiceDeployments: [],
    sshKeyGroupIds: [],
    sshKeyGroups: [],
    tpmEkCertificate: null,
    status: row.status,
    statusHistory: row.history.map(statusDetail),
    deprecations: [],
    created: row.createdAt.toISOString(),
    updated: row.updatedAt.toISOString(),
  };
}
