// A port as the document that clients write: sent with `POST`, changed with JSON patch.
import { z } from "zod";
import { formatIssue } from "@/server/domain/schema-text";
import { macAddress, portFields } from "@/server/domain/hosts/nodes/node-values";
import type { PortFields } from "@/server/domain/hosts/nodes/node-values";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";
import { flagOf, schemaFault } from "@/server/surfaces/machine/ironic/wire/schema";

const document = z.strictObject({
  address: macAddress,
  name: z.string().nullable().default(null),
  description: z.string().nullable().default(null),
  extra: z.record(z.string(), z.json()).default({}),
  local_link_connection: z.record(z.string(), z.json()).default({}),
  physical_network: z.string().nullable().default(null),
  pxe_enabled: flagOf.default(true),
  is_smartnic: flagOf.default(false),
  portgroup_uuid: z.string().nullable().default(null),
});

/** The roots of the paths that a patch may change. */
export const patchablePort: ReadonlySet<string> = new Set(document.keyof().options);

export const portDocument = (fields: PortFields): Readonly<Record<string, unknown>> => ({
  address: fields.address,
  name: fields.name,
  description: fields.description,
  extra: fields.extra,
  local_link_connection: fields.localLinkConnection,
  physical_network: fields.physicalNetwork,
  pxe_enabled: fields.pxeEnabled,
  is_smartnic: fields.isSmartnic,
  portgroup_uuid: null,
});

/** Throws 400. */
export function readPortDocument(value: unknown): PortFields {
  const result = document.safeParse(value, { error: formatIssue });
  if (!result.success) throw schemaFault("port", result.error);
  const {
    local_link_connection: localLinkConnection,
    physical_network: physicalNetwork,
    pxe_enabled: pxeEnabled,
    is_smartnic: isSmartnic,
    portgroup_uuid: group,
    ...rest
  } = result.data;
  if (group !== null) throw fault(400, `Portgroup ${group.slice(0, 100)} could not be found.`);
  const fields = portFields.safeParse(
    {
      ...rest,
      name: rest.name === "" ? null : rest.name,
      localLinkConnection,
      physicalNetwork,
      pxeEnabled,
      isSmartnic,
    },
    { error: formatIssue },
  );
  if (!fields.success) throw schemaFault("port", fields.error);
  return fields.data;
}
