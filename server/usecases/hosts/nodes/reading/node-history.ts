// A node's history: every clean step that ran, every state that it was in, and what people asked of it. It is never deleted by age.
import { named } from "@/server/db/hot/pool";
import type { HotPool } from "@/server/usecases/backend";

export interface HistoryRow {
  readonly uuid: string;
  /** UTC, in ISO format. */
  readonly created_at: string;
  readonly severity: "ERROR" | "INFO";
  readonly kind: "step" | "state" | "verb";
  /** Name of the step, the state or the act. */
  readonly what: string;
  readonly message: string | null;
  /** For a step: `running`, `succeeded`, `failed`, `excepted`, or `planned` between two attempts. */
  readonly status: string | null;
  readonly attempt: number | null;
  readonly most_attempts: number | null;
  /** How long the step has run or ran. */
  readonly seconds: number | null;
  /** Name of the controller that wrote the state; null if it is gone. */
  readonly conductor: string | null;
  /** Id and name of the person. */
  readonly user_id: string | null;
  readonly user_name: string | null;
}

/*
 * A state has no id of its own. Its permanent id is a UUID of version 8 from the first twelve digits of its host's id and its version.
 */
const rows = `
  SELECT left(s.host_id::text, 13) || '-8000-8000-' || lpad(to_hex(s.version), 12, '0') AS uuid, s.at, CASE WHEN s.state LIKE 'Failed/%' THEN 'ERROR' ELSE 'INFO' END AS severity, 'state' AS kind, s.state AS what,
    s.reason AS message, NULL AS status, NULL::int AS attempt, NULL::int AS most_attempts, NULL::float8 AS seconds, c.name AS conductor, NULL AS user_id, NULL AS user_name
  FROM state_history s LEFT JOIN controller c ON c.id = s.controller_id WHERE s.host_id = $1::uuid
  UNION ALL
  SELECT t.id::text, t.started_at, CASE t.status WHEN 'failed' THEN 'ERROR' ELSE 'INFO' END, 'step', t.interface || '.' || t.step,
    t.message, t.status, t.attempt, t.max_attempts, extract(epoch FROM coalesce(t.ended_at, now()) - t.started_at)::float8, NULL, NULL, NULL
  FROM step_run t WHERE t.host_id = $1::uuid AND t.started_at IS NOT NULL
  UNION ALL
  SELECT e.id::text, e.at, 'INFO', 'verb', e.action, NULL, NULL, NULL, NULL, NULL, NULL, e.actor_id, e.actor_name
  FROM audit_event e WHERE e.target_id = $1::uuid::text AND e.target_kind = 'host' AND e.outcome = 'done' AND e.actor_kind IN ('person', 'token')`;

const columns = `uuid, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS') || '+00:00' AS created_at, severity, kind, what, message, status, attempt, most_attempts, seconds, conductor, user_id, user_name`;

export const historyOrders = ["created_at", "severity", "uuid"] as const;
export type HistoryOrder = (typeof historyOrders)[number];

const keyOf = { created_at: "at", severity: "severity, at", uuid: "uuid" } as const satisfies Record<
  HistoryOrder,
  string
>;

type Page = ReturnType<typeof named<HistoryRow, [hostId: string, marker: string | null, limit: number]>>;

/** Rows after the marker; ties are broken by id. */
function page(order: HistoryOrder, descending: boolean): Page {
  const keys = [...keyOf[order].split(", "), ...(order === "uuid" ? [] : ["uuid"])];
  const sorted = keys.map((key) => `${key}${descending ? " DESC" : ""}`).join(", ");
  return named(
    `ironic_history_${order}${descending ? "_desc" : ""}`,
    `
    WITH h AS MATERIALIZED (${rows}), m AS (SELECT ${keys.join(", ")} FROM h WHERE uuid = $2::text)
    SELECT ${columns} FROM h WHERE $2::text IS NULL OR (${keys.join(", ")}) ${descending ? "<" : ">"} (SELECT ${keys.join(", ")} FROM m) ORDER BY ${sorted} LIMIT $3::int`,
  );
}

const pages = Object.fromEntries(
  historyOrders.flatMap((order) => [
    [`${order} asc`, page(order, false)],
    [`${order} desc`, page(order, true)],
  ]),
);
const one = named<HistoryRow, [string, string]>(
  "ironic_history_one",
  `WITH h AS (${rows}) SELECT ${columns} FROM h WHERE uuid = $2::text`,
);

/** @param marker id of the last row of the previous page; an unknown id returns no rows */
export async function readHistory(
  pool: HotPool,
  hostId: string,
  {
    order,
    descending,
    marker,
    limit,
  }: {
    readonly order: HistoryOrder;
    readonly descending: boolean;
    readonly marker: string | null;
    readonly limit: number;
  },
): Promise<readonly HistoryRow[]> {
  const read = pages[`${order} ${descending ? "desc" : "asc"}`];
  if (read === undefined) throw new Error(`no order ${order}`);
  return read(pool, hostId, marker, limit);
}

/** Null if the node has no such row. */
export async function readHistoryRow(
  pool: HotPool,
  hostId: string,
  uuid: string,
): Promise<HistoryRow | null> {
  return (await one(pool, hostId, uuid.toLowerCase()))[0] ?? null;
}
