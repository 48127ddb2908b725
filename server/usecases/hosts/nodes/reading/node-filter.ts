// The filters and sort keys of node lists as SQL.
import { fakeDriver, holderSql } from "@/server/usecases/hosts/nodes/reading/node-columns";
import {
  faultSql,
  mayBeUnknown,
  powerSql,
  statesOfWord,
} from "@/server/usecases/hosts/nodes/reading/node-text";
import { fakeHardwareType } from "@/server/domain/hosts/fake/fake-type";
import { allStates } from "@/server/domain/lifecycle/states";

/** Restrictions of a list; omitted members do not restrict it. */
export interface NodeFilter {
  readonly instanceId?: string;
  readonly chassisId?: string;
  /** Whether an instance holds the node. */
  readonly associated?: boolean;
  readonly maintenance?: boolean;
  /** Ironic's word for the state. */
  readonly provisionState?: string;
  readonly driver?: string;
  readonly resourceClass?: string;
  readonly fault?: string;
  readonly conductorGroup?: string;
  readonly conductor?: string;
  readonly owner?: string;
  readonly descriptionContains?: string;
  readonly retired?: boolean;
  readonly lessee?: string;
  /** Matches owner or lessee. */
  readonly project?: string;
  readonly shards?: readonly string[];
  readonly sharded?: boolean;
  readonly parentNode?: string;
  readonly instanceName?: string;
  /** Child nodes are listed only on request. */
  readonly withChildren?: boolean;
}

interface Condition {
  readonly sql: (place: string) => string;
  /** Whether it needs `node_record n`. */
  readonly ofRecord?: boolean;
  /** The bound value; defaults to the filter's own. */
  readonly value?: (given: string) => unknown;
}

/** Driver name for a host's hardware type. */
const driverSql = `CASE h.hardware_type WHEN '${fakeHardwareType}' THEN '${fakeDriver}' ELSE h.hardware_type END`;

const equals = (column: string, ofRecord = false): Condition => ({
  sql: (place) => `${column} = ${place}`,
  ofRecord,
});
const isId = (column: string, ofRecord: boolean): Condition => ({
  sql: (place) => `${column} = ${place}::uuid`,
  ofRecord,
});

const conditions: Readonly<Record<Exclude<keyof NodeFilter, "provisionState" | "withChildren">, Condition>> =
  {
    instanceId: isId("i.id", false),
    chassisId: isId("n.chassis_uuid", true),
    associated: equals("(i.id IS NOT NULL)"),
    maintenance: equals("r.maintenance"),
    driver: equals(driverSql),
    resourceClass: equals("h.resource_class"),
    fault: equals(faultSql),
    conductorGroup: {
      sql: (place) => `lower(coalesce(n.conductor_group, '')) = ${place}`,
      ofRecord: true,
      value: (given) => given.toLowerCase(),
    },
    conductor: equals(holderSql),
    owner: equals("h.owner"),
    descriptionContains: { sql: (place) => `position(${place} IN coalesce(h.description, '')) > 0` },
    retired: equals("h.retired"),
    lessee: equals("h.lessee"),
    project: { sql: (place) => `(h.owner = ${place} OR h.lessee = ${place})` },
    shards: { sql: (place) => `n.shard = ANY(${place}::text[])`, ofRecord: true },
    sharded: equals("(n.shard IS NOT NULL)", true),
    parentNode: isId("n.parent_node", true),
    instanceName: equals("n.instance_name", true),
  };

const noChildren =
  "NOT EXISTS (SELECT 1 FROM node_record x WHERE x.host_id = h.id AND x.parent_node IS NOT NULL)";

/** The conditions of a filter, and whether any needs `node_record n`. `bind` returns the placeholder of a value. */
export function conditionsOf(
  filter: NodeFilter,
  bind: (value: unknown) => string,
): { readonly all: string[]; readonly needsRecord: boolean } {
  const all: string[] = [];
  let needsRecord = false;
  const given: ReadonlyMap<string, unknown> = new Map(Object.entries(filter));
  for (const [name, { sql, ofRecord, value }] of Object.entries(conditions)) {
    const wanted = given.get(name);
    if (wanted === undefined) continue;
    all.push(sql(bind(value !== undefined && typeof wanted === "string" ? value(wanted) : wanted)));
    needsRecord ||= ofRecord === true;
  }
  const { provisionState: word } = filter;
  // A pending signal changes the word, so those rows are examined individually.
  if (word !== undefined)
    all.push(
      `(((r.state = ANY(${bind(statesOfWord(word))}::text[])${mayBeUnknown(word) ? ` OR r.state <> ALL(${bind(allStates())}::text[])` : ""}) AND p.word = ${bind(word)}) OR EXISTS (SELECT 1 FROM signal s WHERE s.host_id = h.id))`,
    );
  if (filter.withChildren !== true && filter.parentNode === undefined) all.push(noChildren);
  return { all, needsRecord };
}

/** When the host last changed state; null before the first change. */
const provisionUpdated = "CASE WHEN r.state_version > 1 THEN r.state_since END";

/** The sort keys of lists, with their expressions. */
export const nodeSorts = {
  /** Order of enrolment. */
  enrolled: "h.created_at",
  uuid: "h.id",
  name: "h.name",
  instanceId: "i.id",
  power: powerSql,
  provision: "p.word",
  maintenance: "r.maintenance",
  driver: driverSql,
  createdAt: "h.created_at",
  updatedAt: `greatest(h.updated_at, ${provisionUpdated})`,
  provisionUpdatedAt: provisionUpdated,
  lastError: "r.last_error",
  maintenanceReason: "r.maintenance_reason",
  fault: faultSql,
  holder: holderSql,
  conductorGroup: "n.conductor_group",
  chassisId: "n.chassis_uuid",
  resourceClass: "h.resource_class",
  automatedClean: "h.automated_clean",
  protected: "h.protected",
  protectedReason: "h.protected_reason",
  owner: "h.owner",
  description: "h.description",
  retired: "h.retired",
  retiredReason: "h.retired_reason",
  lessee: "h.lessee",
  shard: "n.shard",
  parentNode: "n.parent_node",
  disablePowerOff: "n.disable_power_off",
  instanceName: "n.instance_name",
  /** For keys that are equal on all nodes. */
  constant: "''::text",
} as const;
export type NodeSortKey = keyof typeof nodeSorts;
