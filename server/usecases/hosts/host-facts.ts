// The facts that intents are decided on, from the database: one set of columns for a single host and for many.
import { readAgainFact } from "@/server/domain/reclamations/gates/platform";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { z } from "zod";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { drivesAreHeard } from "@/server/domain/agents/protocol";
import { eraseProtectedUntilMs } from "@/server/domain/cleaning/erase-time";
import { interruptionFacts } from "@/server/domain/cleaning/interruptions";
import type { InterruptionFacts } from "@/server/domain/cleaning/interruptions";
import { cleaningContext, emptyCleaning } from "@/server/domain/lifecycle/context";
import type { IntentFacts } from "@/server/domain/lifecycle/intents";
import { isState, storedState } from "@/server/domain/lifecycle/states";
import type { StoredState } from "@/server/domain/lifecycle/states";

export interface HostFacts extends IntentFacts {
  readonly hostId: string;
  readonly siteId: string;
  readonly stateVersion: string;
  /** Tenant of the open instance on the host. */
  readonly tenantId: string | null;
  readonly instanceName: string | null;
  /** Kinds of pending signals, which the controller has not read yet. */
  readonly pending: readonly string[];
}

/** The column `cleaning` of a query on `host_run r`; null unless the host is being cleaned or has failed. */
export const cleaningColumn = sql`
  CASE WHEN r.state LIKE 'WaitingForCleanup/%' OR r.state LIKE 'ManualCleaning/%' OR r.state LIKE 'Failed/%' THEN json_build_object(
    'open', EXISTS (SELECT 1 FROM reclamation c WHERE c.host_id = r.host_id AND c.ended_at IS NULL),
    'running', (SELECT json_build_object('interface', t.interface, 'step', t.step, 'where', t."where", 'abortable', t.abortable)
      FROM reclamation c JOIN step_run t ON t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch AND t.status = 'running' WHERE c.host_id = r.host_id AND c.ended_at IS NULL ORDER BY t.position LIMIT 1),
    'nowMs', extract(epoch FROM now()) * 1000,
    'agentSeenMs', (SELECT extract(epoch FROM g.last_seen_at) * 1000 FROM agent_session g WHERE g.host_id = r.host_id AND g.boot_epoch = r.boot_epoch),
    'agentFreshMs', (SELECT (coalesce(c.policy, p.body)->'times'->>'agentFreshMs')::float8 FROM site t JOIN site_policy p ON p.site_id = t.id AND p.version = t.policy_version
      LEFT JOIN reclamation c ON c.host_id = r.host_id AND c.ended_at IS NULL WHERE t.id = r.site_id),
    'erasing', r.erasing, 'context', r.context->'cleaning') END AS cleaning`;

const cleaningRow = z
  .object({
    open: z.boolean(),
    running: z
      .object({
        interface: z.string(),
        step: z.string(),
        where: z.enum(["agent", "controller"]),
        abortable: z.boolean(),
      })
      .nullable(),
    nowMs: z.number(),
    agentSeenMs: z.number().nullable(),
    agentFreshMs: z.number(),
    erasing: z.boolean(),
    context: cleaningContext.nullable(),
  })
  .nullable();

/** `IntentFacts.cleaning` from that column. Throws on data that this version does not understand. */
export function toCleaningFacts(state: StoredState, column: unknown): InterruptionFacts | null {
  const found = cleaningRow.parse(column);
  return found === null
    ? null
    : interruptionFacts({ state, ...found, cleaning: found.context ?? emptyCleaning() });
}

/**
 * The column `erase` of a query on `host_run r`; null unless the host is erasing. The same facts as in the controller
 * (`Draft.eraseMayRunUntilMs`): the devices' estimates, else the step's deadline, and an erase left over from an ended reclamation.
 */
export const eraseColumn = sql`
  CASE WHEN r.erasing THEN json_build_object('nowMs', extract(epoch FROM now()) * 1000, 'left', r.context->>'eraseUntil', 'sinceMs', extract(epoch FROM r.state_since) * 1000, 'attempt', (
    SELECT json_build_object('ends', a.erase_ends, 'reportedAtMs', extract(epoch FROM a.progress_at) * 1000, 'movedAtMs', extract(epoch FROM a.moved_at) * 1000, 'deadlineAtMs', extract(epoch FROM t.deadline_at) * 1000)
    FROM reclamation c JOIN step_run t ON t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch AND t.attempt > 0 AND t.status NOT IN ('succeeded', 'excepted')
      JOIN step_attempt a ON a.step_run_id = t.id AND a.attempt = t.attempt
    WHERE c.host_id = r.host_id AND c.ended_at IS NULL ORDER BY t.position LIMIT 1),
    'policy', (SELECT json_build_object('maxMs', q.body->'times'->'eraseStepMs', 'noProgressMs', q.body->'sanitization'->'erase'->'noProgressTimeoutMs', 'freshMs', q.body->'times'->'agentFreshMs')
      FROM (SELECT coalesce((SELECT c.policy FROM reclamation c WHERE c.host_id = r.host_id AND c.ended_at IS NULL), p.body) AS body
        FROM site t JOIN site_policy p ON p.site_id = t.id AND p.version = t.policy_version WHERE t.id = r.site_id) q),
    'agent', (SELECT json_build_object('version', g.agent_version, 'seenMs', extract(epoch FROM g.last_seen_at) * 1000) FROM agent_session g WHERE g.host_id = r.host_id AND g.boot_epoch = r.boot_epoch)) END AS erase`;

const time = z.number().nullable();
const eraseRow = z
  .object({
    nowMs: z.number(),
    left: z.string().nullable(),
    sinceMs: z.number(),
    attempt: z
      .object({ ends: z.record(z.string(), time), reportedAtMs: time, movedAtMs: time, deadlineAtMs: time })
      .nullable(),
    policy: z.object({ maxMs: z.number(), noProgressMs: z.number(), freshMs: z.number() }),
    agent: z.object({ version: z.string(), seenMs: z.number() }).nullable(),
  })
  .nullable();

const none = { erasing: false, eraseUntilMs: null, drivesHeard: false };
const nothingTold = { ends: {}, reportedAtMs: null, movedAtMs: null, deadlineAtMs: null };

/** From that column: whether and until when an erase may be running, and whether an agent can be asked. */
export function toEraseFacts(column: unknown): {
  readonly erasing: boolean;
  readonly eraseUntilMs: number | null;
  readonly drivesHeard: boolean;
} {
  const found = eraseRow.parse(column);
  if (found === null) return none;
  const { attempt, policy, agent, left, nowMs } = found;
  const eraseUntilMs = eraseProtectedUntilMs({
    ...(attempt ?? nothingTold),
    ...policy,
    leftUntilMs: left === null ? null : Date.parse(left),
    stateSinceMs: found.sinceMs,
  });
  if (eraseUntilMs <= nowMs) return none;
  const agentSeen = agent === null ? null : { version: agent.version, seenMs: agent.seenMs };
  return {
    erasing: true,
    eraseUntilMs,
    drivesHeard: drivesAreHeard({
      nowMs,
      agent: agentSeen,
      reportedAtMs: attempt?.reportedAtMs ?? null,
      agentFreshMs: policy.freshMs,
    }),
  };
}

export interface FactsRow {
  readonly host_id: string;
  readonly site_id: string;
  readonly name: string;
  readonly state: string;
  readonly state_version: bigint;
  readonly maintenance: boolean;
  readonly maintenance_by: string | null;
  /** Tenant of the open instance on the host. */
  readonly tenant_id: string | null;
  readonly instance_name: string | null;
  readonly instance_open: boolean;
  readonly release_requested: boolean;
  readonly reclamation_open: boolean;
  readonly allocatable: boolean;
  /** Kinds of pending signals, which the controller has not read yet. */
  readonly pending: readonly string[];
  /** From `cleaningColumn`. */
  readonly cleaning: unknown;
  /** From `eraseColumn`. */
  readonly erase: unknown;
  readonly inspection_failed: boolean;
  readonly retired: boolean;
  readonly protected: boolean;
  readonly deletion_prevented: boolean;
  readonly online_repair: boolean;
  /** Name of the repair system that has the host. */
  readonly leased_to: string | null;
  readonly gates_may_pass: boolean;
}

/** The columns `deletion_prevented` and `online_repair` of a query on `host_run r`. */
export const deletionColumns = sql`coalesce(r.health @> '{"classifications": ["PreventInstanceDeletion"]}', false) AS deletion_prevented,
  coalesce(r.health @> '{"onlineRepair": true}', false) AS online_repair`;

/** Likewise, the name of the repair system that has the host. */
export const leasedColumn = sql`CASE WHEN r.outside_lease IS NOT NULL THEN (SELECT l.system_name FROM repair_lease l WHERE l.id = r.outside_lease) END AS leased_to`;

/** Likewise, whether the gates that stopped it may pass: an exception was approved, or a retry needs only to read and test the host again (`readsPlatformAgain`). */
export const gatesMayPassColumn = sql`CASE WHEN r.state = 'Failed/GateUnsatisfied' THEN r.context #>> '{trouble,0,facts,retry}' IS NOT DISTINCT FROM ${readAgainFact.retry} OR EXISTS (
  SELECT 1 FROM reclamation c JOIN gate_exception x ON x.reclamation_id = c.id JOIN approval a ON a.id = x.approval_id
  WHERE c.host_id = r.host_id AND c.ended_at IS NULL AND a.decision = 'approved' AND a.voided_at IS NULL AND a.valid_until > now()) ELSE false END AS gates_may_pass`;

/** Columns of `FactsRow`, from `factsFrom`. */
export const factsColumns = sql`
  r.host_id::text, r.site_id::text, r.name, r.state, r.state_version, r.maintenance, r.maintenance_by, r.allocatable, i.tenant_id::text, i.name AS instance_name,
  i.id IS NOT NULL AS instance_open, i.release_requested_at IS NOT NULL AS release_requested,
  EXISTS (SELECT 1 FROM reclamation c WHERE c.host_id = r.host_id AND c.ended_at IS NULL) AS reclamation_open,
  (r.context #>> '{inspection,message}') IS NOT NULL AS inspection_failed,
  ARRAY(SELECT s.kind FROM signal s WHERE s.host_id = r.host_id ORDER BY s.id) AS pending, (SELECT h.retired FROM host h WHERE h.id = r.host_id) AS retired,
  (SELECT h.protected FROM host h WHERE h.id = r.host_id) AS protected, ${deletionColumns}, ${leasedColumn}, ${gatesMayPassColumn}, ${cleaningColumn}, ${eraseColumn}`;

export const factsFrom = sql`host_run r LEFT JOIN instance i ON i.host_id = r.host_id AND i.ended_at IS NULL`;

/** The facts of a row. In a state that this version does not know, no intent is allowed. */
export function toIntentFacts(row: FactsRow): IntentFacts {
  const state = storedState(row.state);
  return {
    state,
    instanceOpen: row.instance_open,
    releaseRequested: row.release_requested,
    reclamationOpen: row.reclamation_open,
    allocatable: row.allocatable && isState(state),
    cleaning: toCleaningFacts(state, row.cleaning),
    inspectionFailed: row.inspection_failed,
    ...toEraseFacts(row.erase),
    retired: row.retired,
    protected: row.protected,
    deletionPrevented: row.deletion_prevented,
    onlineRepair: row.online_repair,
    leasedTo: row.leased_to,
    gatesMayPass: row.gates_may_pass,
  };
}

/** Likewise, with the identity of the host. */
export const toHostFacts = (row: FactsRow): HostFacts => ({
  ...toIntentFacts(row),
  hostId: row.host_id,
  siteId: row.site_id,
  stateVersion: String(row.state_version),
  tenantId: row.tenant_id,
  instanceName: row.instance_name,
  pending: row.pending,
});

/** Reads the facts for intents in one query. */
export async function readHostFacts(
  reader: SqlReader,
  which: RawBuilder<unknown>,
): Promise<HostFacts | null> {
  const [row] = await queryRows(
    reader,
    sql<FactsRow>`SELECT ${factsColumns} FROM ${factsFrom} WHERE ${which}`,
  );
  return row === undefined ? null : toHostFacts(row);
}
