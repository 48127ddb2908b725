// Commits the decisions about a batch of hosts: one fenced statement, all of a host or nothing (docs/design/datapath.md#commit).
import { jsonText } from "@/server/db/hot/json-text";
import { named } from "@/server/db/hot/pool";
import type { HotDatabase } from "@/server/db/hot/pool";

/** Rows of a list in the payload, typed, and joined to the hosts whose fence held. */
const rows = (list: string, columns: string): string =>
  `jsonb_to_recordset($2::jsonb -> '${list}') AS i(host_id uuid, ${columns}) JOIN fenced f ON f.host_id = i.host_id`;
const at = (column: string): string => `to_timestamp(${column} / 1000.0)`;

// Hosts are taken in the order of their ids, as by the other statements that come often and are about many: two that meet wait for each other, and make no deadlock.
const statement = named<{ host_id: string }, [string, string]>(
  "commit_hosts",
  `
  WITH input AS (
    SELECT * FROM jsonb_to_recordset($2::jsonb -> 'runs') AS i(
      host_id uuid, generation text, wake_seq text, strict boolean, expect_evidence_seq text, keep_lease boolean,
      state text, entered int, context jsonb, wait_reason text, last_error text, due_ms float8, limit_ms float8, boot_epoch int,
      allocatable boolean, touched_set boolean, touched boolean, maintenance_set boolean, maintenance boolean, maintenance_by text, maintenance_reason text,
      reclamation_id uuid, instance_id uuid, tenant_id uuid, clean_step text, clean_begins boolean, clean_set boolean, clean_percent float8, clean_message text, command_set boolean, command jsonb, command_epoch int, erasing_set boolean, erasing boolean, boot_held boolean, boot_proven boolean)
  ), fenced AS (
    UPDATE host_run r SET
      state = i.state, state_version = r.state_version + i.entered,
      state_since = CASE WHEN i.entered > 0 THEN now() ELSE r.state_since END,
      context = i.context, wait_reason = i.wait_reason, last_error = i.last_error, limit_at = ${at("i.limit_ms")},
      due_at = CASE
        WHEN r.wake_seq <> i.wake_seq::bigint THEN now() -- safety: commit: a signal that came meanwhile wakes
        ELSE ${at("i.due_ms")} END,
      lease_owner = CASE WHEN i.keep_lease THEN r.lease_owner END,
      lease_until = CASE WHEN i.keep_lease THEN r.lease_until END,
      boot_epoch = i.boot_epoch,
      maintenance = CASE WHEN i.maintenance_set THEN i.maintenance ELSE r.maintenance END,
      maintenance_by = CASE WHEN i.maintenance_set THEN i.maintenance_by ELSE r.maintenance_by END,
      maintenance_reason = CASE WHEN i.maintenance_set THEN i.maintenance_reason ELSE r.maintenance_reason END,
      touched = CASE WHEN i.touched_set THEN i.touched ELSE r.touched END,
      allocatable = i.allocatable AND NOT (CASE WHEN i.touched_set THEN i.touched ELSE r.touched END) AND NOT (CASE WHEN i.maintenance_set THEN i.maintenance ELSE r.maintenance END) AND (r.allocatable OR (i.state = 'Ready' AND r.state <> 'Ready')),
      reclamation_id = i.reclamation_id, instance_id = i.instance_id, tenant_id = i.tenant_id,
      clean_step = i.clean_step,
      clean_percent = CASE WHEN i.clean_step IS NULL THEN NULL WHEN i.clean_set THEN i.clean_percent WHEN i.clean_begins THEN NULL ELSE r.clean_percent END,
      clean_message = CASE WHEN i.clean_step IS NULL THEN NULL WHEN i.clean_set THEN i.clean_message WHEN i.clean_begins THEN NULL ELSE r.clean_message END,
      command = CASE WHEN i.command_set THEN i.command ELSE r.command END,
      command_epoch = CASE WHEN i.command_set THEN i.command_epoch ELSE r.command_epoch END,
      erasing = CASE WHEN i.erasing_set THEN i.erasing ELSE r.erasing END, boot_held = i.boot_held
    FROM (SELECT * FROM input ORDER BY host_id) i
    WHERE r.host_id = i.host_id
      AND r.generation = i.generation::bigint -- safety: commit: generation
      AND r.lease_owner = $1::uuid -- safety: commit: lease owner
      AND r.lease_until > clock_timestamp() -- safety: commit: lease not over
      AND (i.expect_evidence_seq IS NULL OR r.evidence_seq = i.expect_evidence_seq::bigint) -- safety: commit: evidence has not moved
      AND (NOT i.strict OR r.wake_seq = i.wake_seq::bigint) -- safety: commit: nothing came meanwhile, where that matters
    RETURNING r.host_id, r.generation, r.state_version, r.evidence_seq
  ), ended AS (
    UPDATE reclamation c SET ended_at = now(), outcome = i.outcome, message = coalesce(i.message, c.message)
    FROM ${rows("ended", "id uuid, outcome text, message text")} WHERE c.id = i.id
  ), reclamations AS (
    INSERT INTO reclamation AS c (id, host_id, host_serial, kind, instance_id, tenant_id, requested_by, request_id, started_at, queued_at, admitted_at, limit_at,
      stopped_at, stopped_cause, stopped_in, message, ended_at, outcome, policy_version, policy_key, policy, devices, content, content_read, plan, plan_epoch, runbook_id, runbook_name, bulk_id, paused_ms, paused_at)
    SELECT i.id, i.host_id, i.host_serial, i.kind, i.instance_id, i.tenant_id, i.requested_by, i.request_id, now(), ${at("i.queued_ms")}, ${at("i.admitted_ms")}, ${at("i.limit_ms")},
      ${at("i.stopped_ms")}, i.stopped_cause, i.stopped_in, i.message, CASE WHEN i.outcome IS NULL THEN NULL ELSE now() END, i.outcome, i.policy_version, i.policy_key, i.policy, i.devices, i.content, i.content_read, i.plan, i.plan_epoch,
      i.runbook_id, i.runbook_name, i.bulk_id, i.paused_ms, ${at("i.paused_at_ms")}
    FROM ${rows(
      "reclamations",
      `id uuid, host_serial text, kind text, instance_id uuid, tenant_id uuid, requested_by uuid, request_id text, queued_ms float8, admitted_ms float8, limit_ms float8,
      stopped_ms float8, stopped_cause text, stopped_in text, message text, outcome text, policy_version int, policy_key text, policy jsonb, devices jsonb, content jsonb, content_read jsonb, plan jsonb, plan_epoch int,
      runbook_id uuid, runbook_name text, bulk_id uuid, paused_ms bigint, paused_at_ms float8, is_new boolean`,
    )}
    WHERE i.is_new
  ), reclamation_changes AS (
    UPDATE reclamation c SET queued_at = ${at("i.queued_ms")}, admitted_at = ${at("i.admitted_ms")}, limit_at = ${at("i.limit_ms")}, stopped_at = ${at("i.stopped_ms")},
      stopped_cause = i.stopped_cause, stopped_in = i.stopped_in, message = i.message, ended_at = CASE WHEN i.outcome IS NULL THEN NULL ELSE now() END, outcome = i.outcome,
      -- A document that is written is stored anew, its parts in the TOAST table too: those that are as they were stay where they are.
      devices = CASE WHEN i.devices_set THEN i.devices ELSE c.devices END, content = CASE WHEN i.content_set THEN i.content ELSE c.content END, content_read = i.content_read,
      plan = CASE WHEN i.plan_set THEN i.plan ELSE c.plan END, plan_epoch = i.plan_epoch, paused_ms = i.paused_ms, paused_at = ${at("i.paused_at_ms")}
    FROM ${rows(
      "reclamations",
      `id uuid, queued_ms float8, admitted_ms float8, limit_ms float8, stopped_ms float8, stopped_cause text, stopped_in text, message text, outcome text,
      devices_set boolean, devices jsonb, content_set boolean, content jsonb, content_read jsonb, plan_set boolean, plan jsonb, plan_epoch int, paused_ms bigint, paused_at_ms float8, is_new boolean`,
    )}
    WHERE NOT i.is_new AND c.id = i.id
  ), history AS (
    INSERT INTO state_history (host_id, version, state, reason, reclamation_id, generation, controller_id)
    SELECT i.host_id, f.state_version - i.entered + i.n, i.state, i.reason, i.reclamation_id, f.generation, $1::uuid
    FROM ${rows("history", "n int, entered int, state text, reason text, reclamation_id uuid")}
  ), steps AS (
    INSERT INTO step_run AS t (id, reclamation_id, host_id, plan_epoch, position, interface, step, "where", priority, priority_source, args, abortable, time_limit_ms, proves, status, attempt, max_attempts, started_at, ended_at, deadline_at, message)
    SELECT i.id, i.reclamation_id, i.host_id, i.plan_epoch, i.position, i.interface, i.step, i."where", i.priority, i.priority_source, i.args, i.abortable, i.time_limit_ms, i.proves, i.status, i.attempt, i.max_attempts,
      ${at("i.started_ms")}, ${at("i.ended_ms")}, ${at("i.deadline_ms")}, i.message
    FROM ${rows(
      "steps",
      `id uuid, reclamation_id uuid, plan_epoch int, position int, interface text, step text, "where" text, priority int, priority_source text, args jsonb, abortable boolean, time_limit_ms int, proves text[], status text, attempt int, max_attempts int,
      started_ms float8, ended_ms float8, deadline_ms float8, message text`,
    )}
    ON CONFLICT (id) DO UPDATE SET status = excluded.status, attempt = excluded.attempt, max_attempts = excluded.max_attempts, started_at = excluded.started_at,
      ended_at = excluded.ended_at, deadline_at = excluded.deadline_at, time_limit_ms = excluded.time_limit_ms, message = excluded.message
  ), attempts AS (
    INSERT INTO step_attempt AS a (step_run_id, attempt, boot_epoch, started_at, ended_at, verdict, message, erase_ends)
    SELECT i.step_run_id, i.attempt, i.boot_epoch, now(), CASE WHEN i.ended THEN now() END, i.verdict, i.message, i.erase_ends
    FROM ${rows("attempts", "step_run_id uuid, attempt int, boot_epoch int, ended boolean, verdict text, message text, erase_ends jsonb")}
    ON CONFLICT (step_run_id, attempt) DO UPDATE SET ended_at = excluded.ended_at, verdict = excluded.verdict, message = excluded.message
      WHERE a.report_hash IS NULL OR excluded.verdict IS DISTINCT FROM 'lost'
  ), devices AS (
    INSERT INTO device_result (reclamation_id, host_id, step_run_id, attempt, plan_epoch, serial, model, media, technique, standard, level, technique_table, verdict, reason, report)
    SELECT i.reclamation_id, i.host_id, i.step_run_id, i.attempt, i.plan_epoch, i.serial, i.model, i.media, i.technique, i.standard, i.level, i.technique_table, i.verdict, i.reason, i.report
    FROM ${rows("devices", "reclamation_id uuid, step_run_id uuid, attempt int, plan_epoch int, serial text, model text, media text, technique text, standard text, level text, technique_table int, verdict text, reason text, report jsonb")}
  ), gates AS (
    INSERT INTO gate AS g (reclamation_id, gate, status, reason, evidence, generation, evidence_seq)
    SELECT i.reclamation_id, i.gate, i.status, i.reason, i.evidence, f.generation, f.evidence_seq
    FROM ${rows("gates", "reclamation_id uuid, gate text, status text, reason text, evidence jsonb")}
    ON CONFLICT (reclamation_id, gate) DO UPDATE SET status = excluded.status, reason = excluded.reason, evidence = excluded.evidence, generation = excluded.generation,
      evidence_seq = excluded.evidence_seq, evaluated_at = now()
  ), debts AS (
    INSERT INTO debt (id, chassis_serial, drive_serials, instance_id, tenant_id)
    SELECT i.id, i.chassis_serial, i.drive_serials, i.instance_id, i.tenant_id FROM ${rows("debts", "id uuid, chassis_serial text, drive_serials text[], instance_id uuid, tenant_id uuid")}
  ), cleared AS (
    UPDATE debt d SET cleared_at = now(), cleared_by = i.reclamation_id, cleared_note = i.note
    FROM ${rows("cleared", "chassis_serial text, reclamation_id uuid, note text")} WHERE d.chassis_serial = i.chassis_serial AND d.cleared_at IS NULL
  ), instances AS (
    UPDATE instance n SET ended_at = CASE WHEN i.ended THEN now() ELSE n.ended_at END, ready_at = CASE WHEN i.ready THEN now() ELSE n.ready_at END, updated_at = now()
    FROM ${rows("instances", "id uuid, ended boolean, ready boolean")} WHERE n.id = i.id
  ), resources AS (
    UPDATE network_resource w SET released_at = now() FROM ${rows("instances", "id uuid, ended boolean")} WHERE i.ended AND w.instance_id = i.id AND w.released_at IS NULL
  ), instance_history AS (
    INSERT INTO instance_status_history (instance_id, status, message) SELECT i.id, i.status, i.message FROM ${rows("instance_history", "id uuid, status text, message text")}
  ), windows AS (
    INSERT INTO boot_window (host_id, boot_epoch, generation, expires_at) SELECT i.host_id, i.boot_epoch, f.generation, ${at("i.expires_ms")}
    FROM ${rows("windows", "boot_epoch int, expires_ms float8")}
    ON CONFLICT (host_id, boot_epoch) DO UPDATE SET expires_at = excluded.expires_at, generation = excluded.generation
  ), proven AS (
    UPDATE boot_window w SET reset_done_at = now() FROM input i JOIN fenced f ON f.host_id = i.host_id
    WHERE i.boot_proven AND w.host_id = i.host_id AND w.boot_epoch = i.boot_epoch AND w.reset_done_at IS NULL
  ), effects AS (
    INSERT INTO effect (id, host_id, generation, kind, request, request_hash) SELECT i.id, i.host_id, f.generation, i.kind, i.request, i.request_hash
    FROM ${rows("effects", "id uuid, kind text, request jsonb, request_hash text")}
  ), read AS (
    UPDATE effect e SET read_at = now() FROM ${rows("read", "id uuid")} WHERE e.id = i.id
  ), consumed AS (
    DELETE FROM signal g USING ${rows("consumed", "id bigint")} WHERE g.id = i.id
  ), hosts AS (
    UPDATE host h SET bmc_links = coalesce(i.links, h.bmc_links), manufacturer = coalesce(i.manufacturer, h.manufacturer), model = coalesce(i.model, h.model), power_state = i.power_state, power_read_at = now(),
      macs = (SELECT coalesce(array_agg(DISTINCT m), '{}') FROM unnest(h.macs || i.macs) m),
      serial = coalesce(h.serial, i.serial), system_uuid = coalesce(h.system_uuid, i.system_uuid), network_interfaces = coalesce(i.network_interfaces, h.network_interfaces)
    FROM ${rows("hosts", "links jsonb, manufacturer text, model text, power_state text, macs text[], serial text, system_uuid uuid, network_interfaces text[]")}
    WHERE h.id = i.host_id AND (i.links IS NOT NULL OR h.power_state IS DISTINCT FROM i.power_state)
  ), ports AS (
    INSERT INTO node_port (id, host_id, address) SELECT gen_random_uuid(), i.host_id, m FROM ${rows("hosts", "macs text[]")} CROSS JOIN unnest(i.macs) m
    ON CONFLICT (address) DO NOTHING
  ), inventories AS (
    INSERT INTO host_inventory AS v (host_id, source, boot_epoch, body, left_out) SELECT i.host_id, 'bmc', i.boot_epoch, i.body, coalesce(i.left_out, '{}')
    FROM ${rows("inventories", "boot_epoch int, body jsonb, left_out text[]")}
    -- A reading of the drives alone keeps the rest; one that shows what was known writes no document anew.
    ON CONFLICT (host_id, source) DO UPDATE SET body = CASE WHEN v.body || excluded.body = v.body THEN v.body ELSE v.body || excluded.body END, left_out = CASE WHEN excluded.body ? 'firmware' THEN excluded.left_out ELSE v.left_out END, boot_epoch = excluded.boot_epoch, collected_at = now()
  ), erases AS (
    INSERT INTO chassis_erase AS x (chassis_serial, erase_until) SELECT i.chassis_serial, ${at("i.until_ms")} FROM ${rows("erases", "chassis_serial text, until_ms float8")}
    ON CONFLICT (chassis_serial) DO UPDATE SET
      erase_until = greatest(x.erase_until, excluded.erase_until) -- safety: commit: an erase outlives its host → erase_until = excluded.erase_until
  ), refusals AS (
    INSERT INTO intent_refusal (host_id, intent, reason, request_id) SELECT i.host_id, i.intent, i.reason, i.request_id FROM ${rows("refusals", "intent text, reason text, request_id text")}
  ), deleted AS (
    DELETE FROM host h USING ${rows("deleted", "gone boolean")} WHERE h.id = i.host_id
  ), feed AS (
    INSERT INTO feed (host_id, tenant_id, what) SELECT i.host_id, i.tenant_id, 'host' FROM ${rows("feed", "tenant_id uuid")}
  )
  SELECT host_id FROM fenced`,
);

/** One list per table; each row carries its `host_id`. Built by `controller/loop/commit-rows.ts`. */
export interface CommitPayload {
  readonly runs: readonly object[];
  readonly history: readonly object[];
  readonly ended: readonly object[];
  readonly refusals: readonly object[];
  readonly reclamations: readonly object[];
  readonly steps: readonly object[];
  readonly attempts: readonly object[];
  readonly devices: readonly object[];
  readonly gates: readonly object[];
  readonly debts: readonly object[];
  readonly cleared: readonly object[];
  readonly instances: readonly object[];
  readonly instance_history: readonly object[];
  readonly windows: readonly object[];
  readonly effects: readonly object[];
  readonly read: readonly object[];
  readonly consumed: readonly object[];
  readonly hosts: readonly object[];
  readonly inventories: readonly object[];
  readonly erases: readonly object[];
  readonly deleted: readonly object[];
  readonly feed: readonly object[];
}

/**
 * Runs the statement for a batch. Returns the hosts whose fence held and whose rows are written; of every other host in the
 * batch nothing is. Throws when the database refuses a row (such as a Ready host with an unsatisfied gate): then nothing is written at all.
 */
export async function commitHosts(
  database: HotDatabase,
  controllerId: string,
  payload: CommitPayload,
): Promise<ReadonlySet<string>> {
  const written = await statement(database, controllerId, jsonText(payload));
  return new Set(written.map((row) => row.host_id));
}
