// The filters of node lists: the version that brought each, its check, and its SQL (docs/api-ironic.md#nodes-reading).
import { driverSql } from "@/server/surfaces/machine/ironic/drivers/driver-table";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";
import { readFlag, readUuid, type Query } from "@/server/surfaces/machine/ironic/wire/query";
import { holderSql } from "@/server/surfaces/machine/ironic/nodes/node-columns";
import {
  faultSql,
  faults,
  provisionStates,
  statesOfWord,
} from "@/server/surfaces/machine/ironic/nodes/node-words";
import type { Microversion } from "@/server/surfaces/machine/ironic/wire/version";

/** Collects conditions; `bind` gives a value its place in the statement. */
export interface Conditions {
  readonly bind: (value: unknown) => string;
  readonly all: string[];
  /** Whether a condition is about `node_record n`. */
  needsRecord: boolean;
}

interface NodeFilter {
  readonly since: Microversion;
  readonly apply: (query: Query, name: string, conditions: Conditions) => void;
}

const filter = (since: Microversion, apply: NodeFilter["apply"]): NodeFilter => ({ since, apply });

const equals = (since: Microversion, column: string, ofRecord = false): NodeFilter =>
  filter(since, (query, name, conditions) => {
    conditions.all.push(`${column} = ${conditions.bind(query.get(name))}`);
    if (ofRecord) conditions.needsRecord = true;
  });

const flagged = (since: Microversion, column: string): NodeFilter =>
  filter(since, (query, name, { all, bind }) => void all.push(`${column} = ${bind(readFlag(query, name))}`));

const isUuid = (since: Microversion, column: string, ofRecord: boolean): NodeFilter =>
  filter(since, (query, name, conditions) => {
    conditions.all.push(`${column} = ${conditions.bind(readUuid(query, name))}::uuid`);
    if (ofRecord) conditions.needsRecord = true;
  });

export const nodeFilters: Readonly<Record<string, NodeFilter>> = {
  instance_uuid: isUuid(1, "i.id", false),
  chassis_uuid: isUuid(1, "n.chassis_uuid", true),
  associated: flagged(1, "(i.id IS NOT NULL)"),
  maintenance: flagged(1, "r.maintenance"),
  provision_state: filter(9, (query, name, { all, bind }) => {
    const word = query.get(name) ?? "";
    if (!provisionStates.has(word)) throw fault(400, `Provision state "${word.slice(0, 50)}" is not valid`);
    // What was accepted and not read yet changes the word: those rows are looked at one by one.
    all.push(
      `((r.state = ANY(${bind(statesOfWord(word))}::text[]) AND p.word = ${bind(word)}) OR EXISTS (SELECT 1 FROM signal s WHERE s.host_id = h.id))`,
    );
  }),
  driver: equals(16, driverSql),
  resource_class: equals(21, "h.resource_class"),
  fault: filter(42, (query, name, { all, bind }) => {
    const word = query.get(name) ?? "";
    if (!faults.some((one) => one === word))
      throw fault(
        400,
        `Unrecognized fault "${word.slice(0, 50)}" is specified, allowed faults are ${faults.join(", ")}`,
      );
    all.push(`${faultSql} = ${bind(word)}`);
  }),
  conductor_group: filter(46, (query, name, conditions) => {
    conditions.all.push(
      `lower(coalesce(n.conductor_group, '')) = ${conditions.bind((query.get(name) ?? "").toLowerCase())}`,
    );
    conditions.needsRecord = true;
  }),
  conductor: equals(49, holderSql),
  owner: equals(50, "h.owner"),
  description_contains: filter(
    51,
    (query, name, { all, bind }) =>
      void all.push(`position(${bind(query.get(name))} IN coalesce(h.description, '')) > 0`),
  ),
  retired: flagged(61, "h.retired"),
  lessee: equals(65, "h.lessee"),
  project: filter(65, (query, name, { all, bind }) => {
    const place = bind(query.get(name));
    all.push(`(h.owner = ${place} OR h.lessee = ${place})`);
  }),
  shard: filter(82, (query, name, conditions) => {
    conditions.all.push(`n.shard = ANY(${conditions.bind((query.get(name) ?? "").split(","))}::text[])`);
    conditions.needsRecord = true;
  }),
  sharded: filter(82, (query, name, conditions) => {
    conditions.all.push(`(n.shard IS NOT NULL) = ${conditions.bind(readFlag(query, name))}`);
    conditions.needsRecord = true;
  }),
  parent_node: isUuid(83, "n.parent_node", true),
  include_children: filter(83, (query, name, { all }) => {
    if (readFlag(query, name) !== true && !query.has("parent_node")) all.push(noChildren);
  }),
  instance_name: equals(104, "n.instance_name", true),
};

/** Children are listed only where they are asked for. */
const noChildren =
  "NOT EXISTS (SELECT 1 FROM node_record x WHERE x.host_id = h.id AND x.parent_node IS NOT NULL)";

/** Throws 406 for a filter that the version does not have, 400 for a value that is none. */
export function applyFilters(query: Query, version: Microversion, conditions: Conditions): void {
  for (const [name, { since, apply }] of Object.entries(nodeFilters)) {
    if (!query.has(name)) continue;
    if (version < since)
      throw fault(
        406,
        `Request not acceptable. The minimal required API version should be 1.${since}, because of the argument ${name}.`,
      );
    apply(query, name, conditions);
  }
  if (!query.has("include_children") && !query.has("parent_node")) conditions.all.push(noChildren);
}
