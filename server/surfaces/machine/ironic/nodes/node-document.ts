// A node as the document that clients write: fields with Ironic's names, as `POST` sends them and JSON patch changes them.
import { z } from "zod";
import { formatIssue } from "@/server/domain/schema-text";
import { emptyFields, interfaceNames, nodeFields } from "@/server/domain/hosts/nodes/node-values";
import type { InterfaceName, NodeBmc, NodeFields } from "@/server/domain/hosts/nodes/node-values";
import type { StoredNode } from "@/server/usecases/hosts/nodes/read-record";
import { driverByName, driverOf } from "@/server/surfaces/machine/ironic/drivers/driver-table";
import { shownDriverInfo, takeBmc } from "@/server/surfaces/machine/ironic/nodes/driver-info";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";
import { flagOf, schemaFault } from "@/server/surfaces/machine/ironic/wire/schema";

const text = z.string().nullable();
const object = z.record(z.string(), z.json());

/** Fields of a document. Omitted ones have the defaults of a new node. */
const document = z.strictObject({
  name: text.default(null),
  driver: z.string(),
  driver_info: object.default({}),
  properties: object.default({}),
  extra: object.default({}),
  instance_info: object.default({}),
  network_data: object.default({}),
  automated_clean: flagOf.nullable().default(null),
  protected: flagOf.default(false),
  protected_reason: text.default(null),
  retired: flagOf.default(false),
  retired_reason: text.default(null),
  description: text.default(null),
  owner: text.default(null),
  lessee: text.default(null),
  resource_class: text.default(null),
  conductor_group: text.default(null).transform((group) => group ?? ""),
  chassis_uuid: text.default(null),
  shard: text.default(null),
  instance_name: text.default(null),
  parent_node: text.default(null),
  disable_power_off: flagOf.default(false),
  maintenance: flagOf.default(false),
  instance_uuid: text.default(null),
  bios_interface: text.default(null),
  boot_interface: text.default(null),
  console_interface: text.default(null),
  deploy_interface: text.default(null),
  firmware_interface: text.default(null),
  inspect_interface: text.default(null),
  management_interface: text.default(null),
  network_interface: text.default(null),
  power_interface: text.default(null),
  raid_interface: text.default(null),
  rescue_interface: text.default(null),
  storage_interface: text.default(null),
  vendor_interface: text.default(null),
});
export type NodeDocument = Readonly<Record<keyof z.output<typeof document>, unknown>>;

/** The roots of the paths that a patch may change. */
export const patchable: ReadonlySet<string> = new Set(document.keyof().options);

export interface NodeTarget {
  readonly fields: NodeFields;
  readonly bmc: NodeBmc;
  readonly conductorGroup: string;
  readonly maintenance: boolean;
}

/** The document that a patch is applied to. */
export function documentOf(stored: StoredNode): NodeDocument {
  const { fields } = stored;
  const interfaces = (name: InterfaceName) => fields.interfaces[name] ?? null;
  return {
    name: fields.name,
    driver: driverOf(fields.hardwareType)?.name ?? fields.hardwareType,
    driver_info: shownDriverInfo(stored),
    properties: fields.properties,
    extra: fields.extra,
    instance_info: fields.instanceInfo,
    network_data: fields.networkData,
    automated_clean: fields.automatedClean,
    protected: fields.protected,
    protected_reason: fields.protectedReason,
    retired: fields.retired,
    retired_reason: fields.retiredReason,
    description: fields.description,
    owner: fields.owner,
    lessee: fields.lessee,
    resource_class: fields.resourceClass,
    conductor_group: stored.conductorGroup,
    chassis_uuid: null,
    shard: fields.shard,
    instance_name: fields.instanceName,
    parent_node: fields.parentNode,
    disable_power_off: fields.disablePowerOff,
    maintenance: stored.maintenance,
    instance_uuid: stored.instanceId,
    bios_interface: interfaces("bios_interface"),
    boot_interface: interfaces("boot_interface"),
    console_interface: interfaces("console_interface"),
    deploy_interface: interfaces("deploy_interface"),
    firmware_interface: interfaces("firmware_interface"),
    inspect_interface: interfaces("inspect_interface"),
    management_interface: interfaces("management_interface"),
    network_interface: interfaces("network_interface"),
    power_interface: interfaces("power_interface"),
    raid_interface: interfaces("raid_interface"),
    rescue_interface: interfaces("rescue_interface"),
    storage_interface: interfaces("storage_interface"),
    vendor_interface: interfaces("vendor_interface"),
  };
}

/** Throws 400 for an implementation that the driver does not have. `reset`: those of another driver are dropped instead. */
function interfacesOf(parsed: z.output<typeof document>, reset: boolean): NodeFields["interfaces"] {
  const driver = driverByName(parsed.driver);
  if (driver === undefined)
    throw fault(
      400,
      `Could not find the following driver(s) or hardware type(s): ${parsed.driver.slice(0, 100)}.`,
    );
  return Object.fromEntries(
    interfaceNames.flatMap((name) => {
      const wanted = parsed[name];
      if (wanted === null) return [];
      const enabled = driver.interfaces[name];
      if (enabled.includes(wanted)) return [[name, wanted]];
      if (reset) return [];
      throw fault(
        400,
        `Could not find the following interface in the enabled interfaces of driver ${driver.name}: ${name} '${wanted.slice(0, 100)}'. Valid interfaces are ${enabled.join(", ")}.`,
      );
    }),
  );
}

export interface Reading {
  /** The site's BMC networks. */
  readonly networks: readonly string[];
  /** The node before the change; null: a new node. */
  readonly before: StoredNode | null;
  /** Drop interfaces that the driver does not have, instead of throwing. */
  readonly resetInterfaces: boolean;
}

/** A document in the form that use cases take. Throws 400 for an unknown field, an invalid value, or a field that only Reclaim itself sets. */
export function readDocument(value: unknown, { networks, before, resetInterfaces }: Reading): NodeTarget {
  const result = document.safeParse(value, { error: formatIssue });
  if (!result.success) throw schemaFault("node", result.error);
  const doc = result.data;
  if (doc.chassis_uuid !== null)
    throw fault(400, `Chassis ${doc.chassis_uuid.slice(0, 100)} could not be found.`);
  if (doc.instance_uuid !== (before?.instanceId ?? null))
    throw fault(
      400,
      "instance_uuid says which instance holds the node; Reclaim sets it itself, when one is created and when it is released",
    );
  if (before !== null && doc.conductor_group !== before.conductorGroup)
    throw fault(400, "conductor_group names the site of the node, which does not change");
  if (before === null && doc.maintenance)
    throw fault(400, "maintenance can be set on a node that is there, and not while it is created");
  const interfaces = interfacesOf(doc, resetInterfaces);
  const { bmc, driverInfo } = takeBmc(doc.driver_info, {
    networks,
    hadPassword: before?.bmc.hasPassword ?? false,
    seenAddress: before?.bmc.address ?? null,
  });
  const fields = nodeFields.safeParse(
    {
      ...emptyFields,
      name: doc.name === "" ? null : doc.name,
      hardwareType: driverByName(doc.driver)?.hardwareType,
      driverInfo,
      interfaces,
      properties: doc.properties,
      extra: doc.extra,
      instanceInfo: doc.instance_info,
      networkData: doc.network_data,
      automatedClean: doc.automated_clean,
      protected: doc.protected,
      protectedReason: doc.protected ? doc.protected_reason : null,
      retired: doc.retired,
      retiredReason: doc.retired ? doc.retired_reason : null,
      description: doc.description,
      owner: doc.owner,
      lessee: doc.lessee,
      resourceClass: doc.resource_class,
      shard: doc.shard,
      instanceName: doc.instance_name,
      parentNode: doc.parent_node,
      disablePowerOff: doc.disable_power_off,
    },
    { error: formatIssue },
  );
  if (!fields.success) throw schemaFault("node", fields.error);
  if (
    !doc.protected &&
    doc.protected_reason !== null &&
    doc.protected_reason !== before?.fields.protectedReason
  )
    throw fault(400, "protected_reason needs protected to be true");
  if (!doc.retired && doc.retired_reason !== null && doc.retired_reason !== before?.fields.retiredReason)
    throw fault(400, "retired_reason needs retired to be true");
  return { fields: fields.data, bmc, conductorGroup: doc.conductor_group, maintenance: doc.maintenance };
}
