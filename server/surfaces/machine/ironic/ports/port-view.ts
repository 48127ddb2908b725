// A port in Ironic's format (docs/api-ironic.md#ports).
import { maskSecrets } from "@/server/domain/hosts/nodes/masking";
import type { PortRow } from "@/server/usecases/hosts/nodes/reading/node-ports";
import { linksTo } from "@/server/surfaces/machine/ironic/wire/links";
import type { Microversion } from "@/server/surfaces/machine/ironic/wire/version";

const since: Readonly<Record<string, Microversion>> = {
  local_link_connection: 19,
  pxe_enabled: 19,
  portgroup_uuid: 24,
  physical_network: 34,
  is_smartnic: 53,
  name: 88,
  description: 97,
};

export const portFieldSince = (field: string): Microversion => since[field] ?? 1;

/** All fields of a port that the version has. */
export function portView(
  row: PortRow,
  baseUrl: string,
  version: Microversion,
): Readonly<Record<string, unknown>> {
  const all: Record<string, unknown> = {
    uuid: row.id,
    address: row.address,
    node_uuid: row.hostId,
    extra: maskSecrets(row.extra),
    internal_info: {},
    local_link_connection: row.localLinkConnection,
    pxe_enabled: row.pxeEnabled,
    portgroup_uuid: null,
    physical_network: row.physicalNetwork,
    is_smartnic: row.isSmartnic,
    name: row.name,
    description: row.description,
    created_at: row.createdAt.toISOString().replace("Z", "+00:00"),
    updated_at: row.updatedAt?.toISOString().replace("Z", "+00:00") ?? null,
    links: linksTo(baseUrl, `ports/${row.id}`),
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => version >= portFieldSince(name)));
}

export const portFieldNames: ReadonlySet<string> = new Set([
  "uuid",
  "address",
  "node_uuid",
  "extra",
  "internal_info",
  "local_link_connection",
  "pxe_enabled",
  "portgroup_uuid",
  "physical_network",
  "is_smartnic",
  "name",
  "description",
  "created_at",
  "updated_at",
  "links",
]);
