// The columns that nodes are read from, in three parts, so that a list reads only what its fields need.
import { hostStandingSql } from "@/server/db/host-standing";
import type { Inspection } from "@/server/domain/lifecycle/ironic-projection";

/** `list` is always read; `record` is the rest of the host; `work` is the state of its cleaning. */
export type Part = "list" | "record" | "work";

/** Part `list`. Times are UTC in PostgreSQL's format: `2026-11-21 14:30:00.123`. */
interface ListColumns {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly commanded: boolean;
  readonly inspection: Inspection | null;
  /** Kinds of pending signals, in order, separated by commas. */
  readonly pending: string | null;
  readonly reclaiming: boolean;
  readonly released: boolean;
  readonly instance_id: string | null;
  readonly maintenance: boolean;
  readonly power_state: string | null;
}

/** Part `record`; columns that end in `_json` hold JSON text. */
interface RecordColumns {
  readonly driver: string;
  /** The power intent that the BMC has not confirmed yet. */
  readonly power_asked: string | null;
  readonly boot_mode: string | null;
  readonly secure_boot: boolean | null;
  readonly inspected_from: string | null;
  readonly inspected_at: string | null;
  readonly created_at: string;
  readonly updated_at: string | null;
  readonly provision_updated_at: string | null;
  readonly last_error: string | null;
  readonly failed_step: string | null;
  readonly failed_list: boolean | null;
  readonly maintenance_reason: string | null;
  readonly maintenance_by: string | null;
  readonly reservation: string | null;
  readonly automated_clean: boolean | null;
  readonly traits_json: string;
  readonly description: string | null;
  readonly owner: string | null;
  readonly lessee: string | null;
  readonly resource_class: string | null;
  readonly protected: boolean;
  readonly protected_reason: string | null;
  readonly retired: boolean;
  readonly retired_reason: string | null;
  readonly bmc_address: string | null;
  readonly bmc_username: string | null;
  readonly has_password: boolean;
  readonly driver_info_json: string | null;
  readonly properties_json: string | null;
  readonly extra_json: string | null;
  readonly instance_info_json: string | null;
  readonly network_data_json: string | null;
  readonly interfaces_json: string | null;
  readonly instance_name: string | null;
  readonly conductor_group: string | null;
  readonly chassis_uuid: string | null;
  readonly shard: string | null;
  readonly parent_node: string | null;
  readonly disable_power_off: boolean | null;
}

/** Part `work`. */
interface WorkColumns {
  /** What is proven of the host. */
  readonly standing: string;
  readonly agent_version: string | null;
  readonly agent_seen: string | null;
  /** An array of the plan's steps, and the running one; null if nothing is being cleaned. */
  readonly steps_json: string | null;
  readonly running_json: string | null;
  readonly running_index: number | null;
}

export type NodeRow = ListColumns & Partial<RecordColumns> & Partial<WorkColumns>;

/** Ironic's driver name for fake hardware. */
export const fakeDriver = "fake-hardware";

/** Name of the controller that has the lease of the host now. */
export const holderSql =
  "(SELECT k.name FROM controller k WHERE k.id = r.lease_owner AND r.lease_until > now())";

const ofFailed = (columns: string): string =>
  `CASE WHEN r.state LIKE 'Failed/%' THEN (${columns} WHERE c.host_id = h.id AND c.ended_at IS NULL LIMIT 1) END`;

/** Read only for failed hosts. */
const failureColumns = `
  ${ofFailed(`SELECT (SELECT t.interface || '.' || t.step FROM step_run t WHERE t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch AND t.status = 'failed' ORDER BY t.position LIMIT 1) FROM reclamation c`)} AS failed_step,
  ${ofFailed("SELECT c.kind = 'manualCleaning' AND c.plan_epoch = 0 FROM reclamation c")} AS failed_list`;

const utc = (column: string): string => `(${column} AT TIME ZONE 'UTC')::text`;

const step = `json_build_object('interface', t.interface, 'step', t.step, 'priority', t.priority, 'abortable', t.abortable, 'requires_ramdisk', t."where" = 'agent', 'args', t.args)`;

/** A step that only waits does not occupy the agent, as in Ironic: it can be aborted. */
const commanded =
  "coalesce(r.command IS NOT NULL AND r.command_epoch = r.boot_epoch OR r.clean_step LIKE '%.wait', false)";
/** Reads the context of few hosts only. */
const inspection = `CASE WHEN (r.state = 'Manageable' OR r.state LIKE 'ManualCleaning/%' OR r.state LIKE 'Failed/%') AND r.context ? 'inspection' AND r.context #>> '{inspection,readAt}' IS NULL
    AND (r.state = 'Manageable' OR r.context -> 'inspection' ? 'agent')
  THEN CASE WHEN r.state LIKE 'Failed/%' OR r.context #>> '{inspection,message}' IS NOT NULL THEN 'failed' ELSE 'running' END END`;
const reclaiming =
  "EXISTS (SELECT 1 FROM reclamation c WHERE c.host_id = h.id AND c.ended_at IS NULL AND c.kind NOT IN ('manualCleaning', 'decommission'))";

/** What determines Ironic's word for a state, in addition to the facts of intents. */
export const provisionColumns = `${commanded} AS commanded, ${reclaiming} AS reclaiming, ${inspection} AS inspection`;

/** The facts that determine the word, in the order of `provisionTable`: four digits, and the status of an inspection if there is one. */
const facts = `concat(${[commanded, reclaiming, "i.release_requested_at IS NOT NULL", "i.id IS NOT NULL"].map((fact) => `(${fact})::int`).join(", ")}, ${inspection})`;

/** `p.word` is the provision state from the `provisionTable` at `place`, also for a state of another release. Pending signals are not included. */
export const wordFrom = (place: string): string =>
  `CROSS JOIN LATERAL (SELECT coalesce(${place}::jsonb ->> r.state, ${place}::jsonb ->> (r.state || '|' || ${facts}), CASE WHEN r.state LIKE 'Failed/%' THEN ${place}::jsonb ->> 'Failed/*' ELSE ${place}::jsonb ->> ('*|' || ${facts}) END) AS word) p`;

/**
 * The column `pending`. For many nodes, all signals are read once and grouped by host: they are short-lived, so there are few, and the plan does not
 * depend on the planner's estimate of their number.
 */
export const pendingOf = {
  one: "(SELECT string_agg(s.kind, ',' ORDER BY s.id) FROM signal s WHERE s.host_id = h.id) AS pending",
  many: "(SELECT jsonb_object_agg(s.host_id, s.kinds) FROM (SELECT x.host_id, string_agg(x.kind, ',' ORDER BY x.id) AS kinds FROM signal x GROUP BY x.host_id) s) ->> h.id::text AS pending",
} as const;

/** Columns by part, without `pending`; their aliases are the members of `NodeRow`. */
export const columnsOf: Readonly<Record<Part, string>> = {
  list: `h.id::text AS id, h.name, r.state, ${provisionColumns},
    i.release_requested_at IS NOT NULL AS released, i.id::text AS instance_id, r.maintenance, h.power_state`,
  record: `h.hardware_type AS driver, r.context #>> '{power,intent}' AS power_asked, r.context #>> '{bootSettings,mode}' AS boot_mode, (r.context #>> '{bootSettings,secureBoot}')::boolean AS secure_boot,
    ${utc("(r.context #>> '{inspection,askedAt}')::timestamptz")} AS inspected_from, ${utc("(r.context #>> '{inspection,readAt}')::timestamptz")} AS inspected_at, ${utc("h.created_at")} AS created_at, ${utc("greatest(h.updated_at, CASE WHEN r.state_version > 1 THEN r.state_since END)")} AS updated_at,
    ${utc("CASE WHEN r.state_version > 1 THEN r.state_since END")} AS provision_updated_at, r.last_error, ${failureColumns}, r.maintenance_reason, r.maintenance_by,
    ${holderSql} AS reservation, h.automated_clean, array_to_json(h.traits)::text AS traits_json,
    h.description, h.owner, h.lessee, h.resource_class, h.protected, h.protected_reason, h.retired, h.retired_reason,
    h.bmc_address, h.bmc_username, h.bmc_password IS NOT NULL AS has_password,
    n.driver_info::text AS driver_info_json, n.properties::text AS properties_json, n.extra::text AS extra_json, n.instance_info::text AS instance_info_json,
    n.network_data::text AS network_data_json, n.interfaces::text AS interfaces_json, n.instance_name, n.conductor_group, n.chassis_uuid::text AS chassis_uuid, n.shard,
    n.parent_node::text AS parent_node, n.disable_power_off`,
  work: `${hostStandingSql} AS standing, g.agent_version, ${utc("g.last_seen_at")} AS agent_seen, w.steps::text AS steps_json, w.running::text AS running_json, w.running_index`,
};

/** The tables of these columns, and of the columns of filters and sort keys. */
export const fromOf = (parts: ReadonlySet<Part>, withRecord: boolean): string =>
  [
    "host h JOIN host_run r ON r.host_id = h.id LEFT JOIN instance i ON i.host_id = h.id AND i.ended_at IS NULL",
    ...(withRecord || parts.has("record") ? ["LEFT JOIN node_record n ON n.host_id = h.id"] : []),
    ...(parts.has("work")
      ? [
          "LEFT JOIN agent_session g ON g.host_id = h.id AND g.boot_epoch = r.boot_epoch",
          `LEFT JOIN LATERAL (SELECT json_agg(${step} ORDER BY t.position) AS steps, json_agg(${step}) FILTER (WHERE t.status = 'running') -> 0 AS running,
            (min(t.position) FILTER (WHERE t.status = 'running') - min(t.position))::int AS running_index
            FROM reclamation c JOIN step_run t ON t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch WHERE c.host_id = h.id AND c.ended_at IS NULL) w ON true`,
        ]
      : []),
  ].join(" ");
