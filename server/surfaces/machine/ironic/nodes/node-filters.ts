// The filters of node lists: the version that introduced each, and its check (docs/api-ironic.md#nodes-reading).
import type { NodeFilter } from "@/server/usecases/hosts/nodes/reading/node-filter";
import { faults, provisionStates } from "@/server/usecases/hosts/nodes/reading/node-text";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";
import { readFlag, readUuid, type Query } from "@/server/surfaces/machine/ironic/wire/query";
import type { Microversion } from "@/server/surfaces/machine/ironic/wire/version";

type OfKind<Kind> = {
  [Name in keyof NodeFilter]-?: NonNullable<NodeFilter[Name]> extends Kind ? Name : never;
}[keyof NodeFilter];

interface Argument {
  readonly since: Microversion;
  /** Throws 400 for an invalid value. */
  readonly read: (query: Query, name: string) => NodeFilter;
}

const argument = (since: Microversion, read: Argument["read"]): Argument => ({ since, read });
const text = (since: Microversion, member: OfKind<string>): Argument =>
  argument(since, (query, name) => ({ [member]: query.get(name) }));
const flag = (since: Microversion, member: OfKind<boolean>): Argument =>
  argument(since, (query, name) => ({ [member]: readFlag(query, name) }));
const id = (since: Microversion, member: OfKind<string>): Argument =>
  argument(since, (query, name) => ({ [member]: readUuid(query, name) }));

export const nodeFilters: Readonly<Record<string, Argument>> = {
  instance_uuid: id(1, "instanceId"),
  chassis_uuid: id(1, "chassisId"),
  associated: flag(1, "associated"),
  maintenance: flag(1, "maintenance"),
  provision_state: argument(9, (query, name) => {
    const word = query.get(name) ?? "";
    if (!provisionStates.has(word)) throw fault(400, `Provision state "${word.slice(0, 50)}" is not valid`);
    return { provisionState: word };
  }),
  driver: text(16, "driver"),
  resource_class: text(21, "resourceClass"),
  fault: argument(42, (query, name) => {
    const word = query.get(name) ?? "";
    if (!faults.some((one) => one === word))
      throw fault(
        400,
        `Unrecognized fault "${word.slice(0, 50)}" is specified, allowed faults are ${faults.join(", ")}`,
      );
    return { fault: word };
  }),
  conductor_group: text(46, "conductorGroup"),
  conductor: text(49, "conductor"),
  owner: text(50, "owner"),
  description_contains: text(51, "descriptionContains"),
  retired: flag(61, "retired"),
  lessee: text(65, "lessee"),
  project: text(65, "project"),
  shard: argument(82, (query, name) => ({ shards: (query.get(name) ?? "").split(",") })),
  sharded: flag(82, "sharded"),
  parent_node: id(83, "parentNode"),
  include_children: flag(83, "withChildren"),
  instance_name: text(104, "instanceName"),
};

/** Throws 406 for a filter that the version does not have, and 400 for an invalid value. */
export function readFilter(query: Query, version: Microversion): NodeFilter {
  const given = Object.entries(nodeFilters).filter(([name]) => query.has(name));
  return given.reduce<NodeFilter>((filter, [name, { since, read }]) => {
    if (version < since)
      throw fault(
        406,
        `Request not acceptable. The minimal required API version should be 1.${since}, because of the argument ${name}.`,
      );
    return { ...filter, ...read(query, name) };
  }, {});
}
