// Every field of a node: the version that introduced it, its source, and how it is written and sorted (docs/api-ironic.md#what-the-fields-say).
import { lastErrorOf } from "@/server/surfaces/machine/ironic/nodes/last-error";
import type { NodeRow, Part } from "@/server/usecases/hosts/nodes/reading/node-columns";
import type { NodeSortKey } from "@/server/usecases/hosts/nodes/reading/node-filter";
import { driverInfo, interfaceTexts } from "@/server/surfaces/machine/ironic/nodes/node-drivers";
import {
  faultOf,
  powerTarget,
  powerWord,
  provisionOf,
} from "@/server/usecases/hosts/nodes/reading/node-text";
import { maskedInstanceInfo, maskedText } from "@/server/domain/hosts/nodes/masking";
import { nodeNameOf, interfaceNames, type InterfaceName } from "@/server/domain/hosts/nodes/node-values";
import { driverOf } from "@/server/surfaces/machine/ironic/drivers/driver-table";
import type { Microversion } from "@/server/surfaces/machine/ironic/wire/version";

export interface View {
  readonly baseUrl: string;
  readonly version: Microversion;
}

/** The JSON text of a field: constant, or made from a row. */
export type Writer = string | ((row: NodeRow) => string);

export interface NodeField {
  readonly name: string;
  readonly since: Microversion;
  readonly part: Part;
  /** What sorting by the field sorts by; null: it is not sortable. */
  readonly sort: NodeSortKey | null;
  readonly writer: (view: View) => Writer;
}

const text = (value: string | null | undefined): string => (value == null ? "null" : JSON.stringify(value));
const flag = (value: boolean | null | undefined): string =>
  value == null ? "null" : value ? "true" : "false";
const time = (value: string | null | undefined): string =>
  value == null ? "null" : `"${value.replace(" ", "T")}+00:00"`;
const json = (value: string | null | undefined, empty: string): string => value ?? empty;

type Write = (row: NodeRow) => string;

const list = (name: string, since: Microversion, sort: NodeSortKey | null, write: Write): NodeField => ({
  name,
  since,
  part: "list",
  sort,
  writer: () => write,
});
const record = (name: string, since: Microversion, sort: NodeSortKey | null, write: Write): NodeField => ({
  name,
  since,
  part: "record",
  sort,
  writer: () => write,
});
const work = (name: string, since: Microversion, write: Write): NodeField => ({
  name,
  since,
  part: "work",
  sort: null,
  writer: () => write,
});

/** A field that Reclaim has no data for. It sorts as a constant. */
const constant = (
  name: string,
  since: Microversion,
  value: "null" | "false" | "{}",
  sort: NodeSortKey | null = "constant",
): NodeField => ({ name, since, part: "list", sort, writer: () => value });

const linked = (name: string, since: Microversion, path: string): NodeField => ({
  name,
  since,
  part: "list",
  sort: null,
  writer:
    ({ baseUrl }) =>
    ({ id }) =>
      `[{"href":"${baseUrl}/v1/nodes/${id}${path}","rel":"self"},{"href":"${baseUrl}/nodes/${id}${path}","rel":"bookmark"}]`,
});

const interfaceSince: Readonly<Partial<Record<InterfaceName, Microversion>>> = {
  network_interface: 20,
  storage_interface: 33,
  rescue_interface: 38,
  bios_interface: 40,
  firmware_interface: 86,
};
const interfaceField = (name: InterfaceName): NodeField =>
  record(name, interfaceSince[name] ?? 31, null, (row) => interfaceTexts(row)[name] ?? "null");

const provisionState =
  (version: Microversion) =>
  (row: NodeRow): string => {
    const { state } = provisionOf(row);
    // "available" came with 1.2. Before that the state was null.
    return state === "available" && version < 2 ? "null" : text(state);
  };

/** Ironic stores what ran last in the driver's internal info, and here what that has proved: the only field of a service's own words that no client writes. */
function driverInternalInfo(row: NodeRow): string {
  const parts: string[] = [];
  if (row.standing !== undefined) parts.push(`"reclaim_standing":${text(row.standing)}`);
  if (row.steps_json != null)
    parts.push(`"clean_steps":${row.steps_json},"clean_step_index":${row.running_index ?? "null"}`);
  if (row.agent_version != null) parts.push(`"agent_version":${text(row.agent_version)}`);
  if (row.agent_seen != null) parts.push(`"agent_last_heartbeat":"${row.agent_seen.replace(" ", "T")}"`);
  return `{${parts.join(",")}}`;
}

export const nodeFields: readonly NodeField[] = [
  list("uuid", 1, "uuid", ({ id }) => `"${id}"`),
  list("name", 5, "name", (row) => text(nodeNameOf(row))),
  list("instance_uuid", 1, "instanceId", ({ instance_id }) =>
    instance_id === null ? "null" : `"${instance_id}"`,
  ),
  list("power_state", 1, "power", ({ power_state }) => text(powerWord(power_state))),
  {
    name: "provision_state",
    since: 1,
    part: "list",
    sort: "provision",
    writer: ({ version }) => provisionState(version),
  },
  list("maintenance", 1, "maintenance", ({ maintenance }) => flag(maintenance)),
  list("target_provision_state", 1, null, (row) => text(provisionOf(row).target)),
  record("target_power_state", 1, null, (row) => text(powerTarget(row))),
  record("driver", 1, "driver", ({ driver }) =>
    text(driver === undefined ? null : (driverOf(driver)?.name ?? driver)),
  ),
  record("created_at", 1, "createdAt", ({ created_at }) => time(created_at)),
  record("updated_at", 1, "updatedAt", ({ updated_at }) => time(updated_at)),
  record("provision_updated_at", 1, "provisionUpdatedAt", ({ provision_updated_at }) =>
    time(provision_updated_at),
  ),
  record("last_error", 1, "lastError", (row) => text(lastErrorOf(row))),
  record("maintenance_reason", 1, "maintenanceReason", ({ maintenance_reason }) => text(maintenance_reason)),
  record("fault", 42, "fault", (row) => text(faultOf(row))),
  record("reservation", 1, "holder", ({ reservation }) => text(reservation)),
  record("conductor", 49, "holder", ({ reservation }) => text(reservation)),
  record("conductor_group", 46, "conductorGroup", ({ conductor_group }) => text(conductor_group ?? "")),
  record("chassis_uuid", 1, "chassisId", ({ chassis_uuid }) => text(chassis_uuid)),
  record("driver_info", 1, null, driverInfo),
  record("properties", 1, null, ({ properties_json }) => json(properties_json, "{}")),
  record("extra", 1, null, ({ extra_json }) => maskedText(json(extra_json, "{}"))),
  record("instance_info", 1, null, ({ instance_info_json }) =>
    maskedInstanceInfo(json(instance_info_json, "{}")),
  ),
  work("driver_internal_info", 3, driverInternalInfo),
  work("clean_step", 7, ({ running_json }) => json(running_json, "{}")),
  record("resource_class", 21, "resourceClass", ({ resource_class }) => text(resource_class)),
  record("traits", 37, null, ({ traits_json }) => json(traits_json, "[]")),
  record("automated_clean", 47, "automatedClean", ({ automated_clean }) => flag(automated_clean)),
  record("protected", 48, "protected", (row) => flag(row.protected)),
  record("protected_reason", 48, "protectedReason", ({ protected_reason }) => text(protected_reason)),
  record("owner", 50, "owner", ({ owner }) => text(owner)),
  record("description", 51, "description", ({ description }) => text(description)),
  record("retired", 61, "retired", ({ retired }) => flag(retired)),
  record("retired_reason", 61, "retiredReason", ({ retired_reason }) => text(retired_reason)),
  record("lessee", 65, "lessee", ({ lessee }) => text(lessee)),
  record("network_data", 66, null, ({ network_data_json }) => json(network_data_json, "{}")),
  record("shard", 82, "shard", ({ shard }) => text(shard)),
  record("parent_node", 83, "parentNode", ({ parent_node }) => text(parent_node)),
  record("disable_power_off", 95, "disablePowerOff", ({ disable_power_off }) =>
    flag(disable_power_off ?? false),
  ),
  record("instance_name", 104, "instanceName", ({ instance_name }) => text(instance_name)),
  ...interfaceNames.map(interfaceField),
  constant("console_enabled", 1, "false"),
  record("inspection_started_at", 6, null, ({ inspected_from }) => time(inspected_from)),
  record("inspection_finished_at", 6, null, ({ inspected_at }) => time(inspected_at)),
  constant("raid_config", 12, "{}", null),
  constant("target_raid_config", 12, "{}", null),
  constant("deploy_step", 44, "{}", null),
  constant("service_step", 87, "{}", null),
  constant("allocation_uuid", 52, "null"),
  record("boot_mode", 75, null, ({ boot_mode }) => text(boot_mode)),
  record("secure_boot", 75, null, ({ secure_boot }) => flag(secure_boot)),
  constant("health", 109, "null"),
  linked("links", 1, ""),
  linked("ports", 1, "/ports"),
  linked("states", 14, "/states"),
  linked("portgroups", 24, "/portgroups"),
  linked("volume", 32, "/volume"),
];

export const fieldsByName: ReadonlyMap<string, NodeField> = new Map(
  nodeFields.map((field) => [field.name, field]),
);

/** The fields of a list that names none. */
export const listFields = [
  "instance_uuid",
  "maintenance",
  "power_state",
  "provision_state",
  "uuid",
  "name",
  "links",
] as const;
