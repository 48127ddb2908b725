// The JSON view of a leased host in SQL: `r` is its row, `h` the host, `s` its site, `u` its SKU, `p` and `k` the site's policy and its key, `n` its open instance.
import { judgedBy } from "@/server/db/measurement-judged";
import { confirmedNames } from "@/server/db/hot/host/confirmed-names";
import { otherByteOrderSql } from "@/server/domain/hosts/inventory/system-uuid";
import { memoryKinds } from "@/server/domain/hosts/device-memory/device-memory";
import { assurance } from "@/server/db/hot/host/assurance-query";
import { componentsInForce, firmwareInForce, rolloutIsOpen } from "@/server/db/firmware-in-force";
import { literals, members, ms } from "@/server/db/hot/host/columns";
import { drivesElsewhere, listedSerials, neverCounting } from "@/server/db/hot/host/drives-elsewhere";
import { readyWatch } from "@/server/db/hot/host/watch-query";
import { allStates, isClaimable } from "@/server/domain/lifecycle/states";
import { effectView } from "@/server/domain/hosts/record/effect";
import { hostFacts, instanceView, networkAck, siteFacts } from "@/server/domain/hosts/record/host";
import {
  attemptView,
  deviceVerdict,
  reclamationView,
  stepView,
} from "@/server/domain/hosts/record/reclamation";
import { runView } from "@/server/domain/hosts/record/run";
import {
  assuranceStates,
  exceptionStates,
  gateStates,
  matchingStates,
  partStates,
  planningStates,
  statesWithoutInventory,
} from "@/server/domain/hosts/record/scope";
import { agentInventory, agentView, brakeView, stepOverride } from "@/server/domain/hosts/record/view";

const withoutInventory = literals(statesWithoutInventory);
const planning = literals(planningStates);
const matching = literals(matchingStates);
const comparing = literals(partStates);
const assuring = literals(assuranceStates);
const excepting = literals(exceptionStates);
const waiting = literals(allStates().filter(isClaimable));
const gating = literals(gateStates);

/** Text that PostgreSQL certainly accepts as a UUID. A BMC may report anything. */
const uuidShape = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$";

/** A policy by its key, with its text only if this process does not know it ($4 lists the known keys). */
const keyedPolicy = (key: string, text: string): string =>
  `json_build_object('policyKey', ${key}, 'policy', CASE WHEN ${key} = ANY($4::text[]) THEN NULL ELSE ${text}::text END)`;

/** A list; empty if there are no rows. */
const list = (rows: string): string => `coalesce((${rows}), '[]')`;

const reclamation = `
  SELECT json_build_object(
    ${members(reclamationView, "c", ["content", "planMade", "policy", "policySetBy"])},
    'policySetBy', (SELECT q.name FROM site_policy y JOIN person q ON q.id = y.created_by
      WHERE y.site_id = r.site_id AND y.version = c.policy_version),
    'content', c.content, 'contentRead', c.content_read,
    'planMade', c.plan_epoch > 0,
    'policy', ${keyedPolicy("c.policy_key", "c.policy")})
  FROM reclamation c WHERE c.host_id = r.host_id AND c.ended_at IS NULL`;

/** The plan in force. */
const openPlan = `reclamation c JOIN step_run t ON t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch`;

const steps = list(`
  SELECT json_agg(json_build_object(${members(stepView, "t")}) ORDER BY t.position)
  FROM ${openPlan} WHERE c.host_id = r.host_id AND c.ended_at IS NULL`);

const attempt = `
  SELECT json_build_object(
    ${members(attemptView, "a", ["progress", "journal"])},
    'progress', json_build_object(
      'ends', a.erase_ends, 'reportedAtMs', ${ms("a.progress_at")}, 'movedAtMs', ${ms("a.moved_at")}),
    'journal', CASE WHEN t.status = 'planned' THEN ${list(`
      SELECT json_agg(e) FROM step_attempt b, jsonb_array_elements(b.journal) e WHERE b.step_run_id = t.id`)}
      ELSE '[]' END)
  FROM ${openPlan} AND t.attempt > 0 AND t.status NOT IN ('succeeded', 'excepted')
    JOIN step_attempt a ON a.step_run_id = t.id AND a.attempt = t.attempt
  WHERE c.host_id = r.host_id AND c.ended_at IS NULL ORDER BY t.position LIMIT 1`;

const resultMembers = "d.id, d.serial, d.model, d.technique, d.verdict, d.reason";

const ofPlan = (hostId: string): string => `
  SELECT ${resultMembers}
  FROM reclamation c JOIN device_result d ON d.reclamation_id = c.id AND d.plan_epoch = c.plan_epoch
  WHERE c.host_id = ${hostId} AND c.ended_at IS NULL`;

/** A recheck without a plan erases nothing, so it relies on what this host erased last. */
const ofRecheck = `
  SELECT ${resultMembers}
  FROM reclamation c CROSS JOIN LATERAL jsonb_path_query(c.devices, '$.expected[*]') x(drive)
    JOIN device_result d ON d.serial = x.drive ->> 'serial' AND d.model = x.drive ->> 'model'
  WHERE c.host_id = r.host_id AND c.ended_at IS NULL AND c.kind = 'recheck' AND c.plan_epoch = 0
    AND d.host_id = c.host_id`;

const newestVerdicts = (rows: string): string =>
  list(`
  SELECT json_agg(json_build_object(${members(deviceVerdict, "v")})) FROM (
    SELECT DISTINCT ON (d.serial, d.model) d.serial, d.model,
      CASE
        WHEN d.technique IN ${neverCounting} THEN 'failed' -- safety: claim: a stored result by what never counts
        ELSE d.verdict END AS verdict,
      CASE WHEN d.verdict = 'sanitized' AND d.technique IN ${neverCounting}
        THEN 'erased by ' || d.technique || ', which never counts' ELSE d.reason END AS reason
    FROM (${rows}) d ORDER BY d.serial, d.model, d.id DESC) v`);

const deviceVerdicts = newestVerdicts(`${ofPlan("r.host_id")} UNION ALL ${ofRecheck}`);

/** The same for the plan in force of a host that the SQL names: what people decide about. */
export const verdictsOfOpenPlan = (hostId: string): string => newestVerdicts(ofPlan(hostId));

const lastAgent = `
  SELECT json_build_object(
    ${members(agentView, "g", ["afterReset", "contested"])},
    'afterReset', coalesce(g.registered_at >= w.reset_done_at, false),
    'contested', w.contested_at IS NOT NULL)
  FROM agent_session g LEFT JOIN boot_window w ON w.host_id = g.host_id AND w.boot_epoch = g.boot_epoch
  WHERE g.host_id = r.host_id ORDER BY g.boot_epoch DESC LIMIT 1`;

const overrides = list(`
  SELECT json_agg(json_build_object(${members(stepOverride, "o", ["setBy"])},
    'setBy', (SELECT q.name FROM person q WHERE q.id = o.changed_by))) FROM step_override o
  WHERE o.scope_id IN (r.site_id, r.host_id, h.sku_id)`);

/** A SKU of another product cannot match. All of that product are read: leaving one out could make the match of another look unique. */
const skus = list(`
  SELECT json_agg(json_build_object('id', k.id, 'name', k.name, 'version', k.xmin::text, 'components', k.components,
    'hasPriorities', EXISTS (SELECT FROM step_override o WHERE o.scope_id = k.id)) ORDER BY k.name)
  FROM sku k WHERE k.components ->> 'product' = (
    SELECT i.body #>> '{system,product}' FROM host_inventory i WHERE i.host_id = r.host_id AND i.source = 'agent')`);

/** A disposition that was taken in before covers the same changes again only if a person states it again. */
const parts = `json_build_object(
  'known', (SELECT p.known FROM host_parts p WHERE p.host_id = r.host_id),
  'accepted', ${list(`
    SELECT json_agg(json_build_object('id', x.id, 'evidence', x.evidence))
    FROM part_disposition x JOIN approval a ON a.id = x.approval_id
    WHERE x.host_id = r.host_id AND x.taken_at IS NULL AND a.voided_at IS NULL
      AND a.decision = 'approved' -- safety: claim: a changed part stands once another person signed it
    `)})`;

const brakes = list(`
  SELECT json_agg(json_build_object(${members(brakeView, "b")})) FROM brake b
  WHERE b.site_id = r.site_id AND b.lifted_at IS NULL AND b.asks = '{}'`);

/** The open rollout of the host's SKU, and whether it decided about the plan that is made next. */
const rollout = `
  SELECT json_build_object('id', x.id, 'decided', EXISTS (
    SELECT FROM firmware_rollout_host t JOIN reclamation c ON c.id = t.reclamation_id AND c.plan_epoch = t.plan_epoch
    WHERE t.rollout_id = x.id AND t.host_id = r.host_id AND c.host_id = r.host_id AND c.ended_at IS NULL))
  FROM firmware_rollout x JOIN approval a ON a.id = x.approval_id
  WHERE x.sku_id = u.id AND ${rolloutIsOpen}`;

/** The image of the running agent, or else the one that the site boots. */
const image = `coalesce(
  (SELECT i.version FROM agent_session g
      JOIN boot_window w ON w.host_id = g.host_id AND w.boot_epoch = g.boot_epoch
      JOIN agent_image i ON i.id = w.image_id
    WHERE g.host_id = r.host_id AND g.boot_epoch = r.boot_epoch AND g.expires_at > now()),
  (SELECT i.version FROM agent_image i WHERE i.site_id = r.site_id AND i.status = 'current'))`;

/** Of an agent's inventory: its devices with memory of their own. */
const memoryDevicesPath = `$.parts.found[*] ? (${memoryKinds.map((kind) => `@.kind == "${kind}"`).join(" || ")})`;

const inventory = `json_build_object(
  'bmc', (SELECT json_build_object(
      'storage', b.storage, 'unresolved', b.unresolved, 'earlier', b.earlier, 'platform', b.platform)
    FROM host_inventory i,
      jsonb_to_record(i.body) AS b(storage jsonb, unresolved jsonb, earlier jsonb, platform jsonb)
    WHERE i.host_id = r.host_id AND i.source = 'bmc'),
  'memoryDevices', CASE WHEN r.state IN ${planning} THEN
    (SELECT jsonb_path_exists(i.body, '${memoryDevicesPath}') FROM host_inventory i
      WHERE i.host_id = r.host_id AND i.source = 'agent') END,
  'bmcParts', CASE WHEN r.state IN ${comparing} THEN
    (SELECT i.body -> 'parts' FROM host_inventory i WHERE i.host_id = r.host_id AND i.source = 'bmc') END,
  'agent', (SELECT json_build_object(${members(agentInventory, "i", ["body"])},
      'body', CASE WHEN r.state IN ${comparing} THEN i.body ELSE i.body - 'parts' END) FROM host_inventory i
    WHERE i.host_id = r.host_id AND i.source = 'agent'))`;

const debts = `json_build_object(
  'count', CASE WHEN r.state IN ${withoutInventory}
    THEN (SELECT count(*) FROM debt d WHERE d.cleared_at IS NULL AND d.chassis_serial = h.serial)
    ELSE (SELECT count(*) FROM (
      SELECT d.id FROM debt d WHERE d.cleared_at IS NULL AND d.chassis_serial = h.serial
      UNION SELECT d.id FROM debt d WHERE d.cleared_at IS NULL AND d.drive_serials && l.serials
      UNION SELECT x.id FROM drive_disposition x WHERE x.withdrawn_at IS NULL AND x.key = ANY(l.serials)
      UNION SELECT x.id FROM gate_exception x JOIN approval a ON a.id = x.approval_id
        WHERE x.drive_serial = ANY(l.serials) AND a.decision = 'approved'
          AND NOT EXISTS (SELECT 1 FROM device_result d WHERE d.serial = x.drive_serial AND d.model = x.drive_model
            AND d.verdict = 'sanitized' AND d.technique NOT IN ${neverCounting} AND d.at > a.decided_at)) owed)
    END,
  'driveSerials', ${list(`
    SELECT json_agg(DISTINCT x.serial) FROM debt d, unnest(d.drive_serials) x(serial)
    WHERE d.chassis_serial = h.serial AND d.cleared_at IS NULL`)})`;

const dispositions = list(`
  SELECT json_agg(json_build_object('id', x.id, 'key', x.key, 'model', x.model, 'slot', x.slot, 'kind', x.kind,
    'reason', x.reason, 'by', x.by_name,
    'at', to_char(x.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'signature', CASE WHEN x.approval_id IS NULL THEN 'one' ELSE 'signed' END, 'signedBy', a.decided_by_name) ORDER BY x.at)
  FROM drive_disposition x LEFT JOIN approval a ON a.id = x.approval_id
  WHERE x.chassis_serial = h.serial AND x.withdrawn_at IS NULL
    AND (x.approval_id IS NULL OR a.decision = 'approved' AND a.voided_at IS NULL) -- safety: claim: a statement stands once another person signed it
  `);

const exceptions = list(`
  SELECT json_agg(json_build_object('id', x.id, 'gate', x.gate, 'evidence', a.evidence, 'validUntilMs', ${ms("a.valid_until")},
    'device', CASE WHEN x.drive_serial IS NOT NULL THEN json_build_object('serial', x.drive_serial, 'model', x.drive_model) END,
    'reason', a.reason, 'by', a.asked_by_name, 'askedAtMs', ${ms("a.asked_at")},
    'approvedBy', a.decided_by_name, 'approvedAtMs', ${ms("a.decided_at")}) ORDER BY a.asked_at, x.id)
  FROM reclamation c JOIN gate_exception x ON x.reclamation_id = c.id JOIN approval a ON a.id = x.approval_id
  WHERE c.host_id = r.host_id AND c.ended_at IS NULL
    AND a.decision = 'approved' AND a.voided_at IS NULL -- safety: claim: an exception stands once another person approved it
  `);

const toldUuid = `CASE WHEN t.uuid ~* '${uuidShape}' THEN t.uuid::uuid END`;

/** The other host of which a person confirmed one of these names. */
const confirmedOf = (kind: string, values: string): string => `
  (SELECT o.name FROM host_name c JOIN host o ON o.id = c.host_id
    WHERE c.confirmed_at IS NOT NULL AND c.kind = '${kind}' AND c.value IN (${values}) AND c.host_id <> r.host_id LIMIT 1)`;

/** Other hosts with the serial or UUID that the BMC reported most recently. */
const told = `
  SELECT json_build_object(
    'serialOf', coalesce((SELECT o.name FROM host o WHERE o.serial = t.serial AND o.id <> r.host_id), ${confirmedOf("serial", "t.serial")}),
    'systemUuidOf', coalesce((SELECT o.name FROM host o
      WHERE o.system_uuid IN (${toldUuid}, ${otherByteOrderSql(toldUuid)}) AND o.id <> r.host_id LIMIT 1),
      ${confirmedOf("uuid", `(${toldUuid})::text, (${otherByteOrderSql(toldUuid)})::text`)}),
    'eraseUntilMs', (SELECT ${ms("x.erase_until")} FROM chassis_erase x
      WHERE x.chassis_serial = t.serial AND x.erase_until > now()),
    'portsOfOthers', ${list(`SELECT json_agg(q.address ORDER BY q.address) FROM jsonb_array_elements_text(coalesce(t.macs, '[]')) m(address)
      JOIN node_port q ON q.address = m.address AND q.host_id <> r.host_id`)},
    'ports', ${list(`SELECT json_agg(q.address ORDER BY q.address) FROM node_port q WHERE q.host_id = r.host_id`)},
    'hardwareTypeOpen', h.hardware_type_open,
    'systemPath', nullif(h.bmc_system, ''))
  FROM (
    SELECT coalesce(nullif(trim(e.result #>> '{value,system,serial}'), ''), h.expected_serial) AS serial, e.result #>> '{value,system,uuid}' AS uuid,
      e.result #> '{value,macs}' AS macs FROM effect e
    WHERE e.host_id = r.host_id AND e.read_at IS NULL AND e.kind = 'verify'
    ORDER BY e.created_at DESC, e.id DESC LIMIT 1) t`;

/** Judged now: what is stored may be from before a bundle changed. */
const measurement = `
  SELECT json_build_object(
    'tpmEpoch', CASE WHEN t.activated_at IS NOT NULL THEN t.boot_epoch END,
    'ownKey', t.activated_at IS NOT NULL AND t.key_digest IS NOT DISTINCT FROM t.accepted_digest,
    'tpmProblem', CASE WHEN t.boot_epoch = r.boot_epoch THEN t.problem END,
    'bootEpoch', m.boot_epoch, 'problem', m.problem,
    'state', CASE WHEN m.measured_at IS NOT NULL THEN j.state ELSE m.state END,
    'bundle', (SELECT json_build_object('id', b.id, 'name', b.name, 'state', b.state) FROM attestation_bundle b WHERE b.id = j.id))
  FROM host_tpm t LEFT JOIN host_measurement m ON m.host_id = t.host_id
    LEFT JOIN LATERAL ${judgedBy("h", "m.pcrs")} j ON m.measured_at IS NOT NULL
  WHERE t.host_id = r.host_id`;

const signals = list(`
  SELECT json_agg(json_build_object('id', g.id::text,
    'signal', json_build_object('kind', g.kind, 'payload', g.payload)) ORDER BY g.id)
  FROM signal g WHERE g.host_id = r.host_id`);

const effects = list(`
  SELECT json_agg(json_build_object(${members(effectView, "e")}) ORDER BY e.created_at, e.id)
  FROM effect e WHERE e.host_id = r.host_id AND e.read_at IS NULL`);

// `json`, not `jsonb`: it is only printed, and building the sorted binary form first took a quarter of the statement's time.
const view = `json_build_object(
  'nowMs', ${ms("now()")},
  'run', json_build_object(
    ${members(runView, "r", ["wakeSeq", "evidenceSeq"])},
    'wakeSeq', r.seen_wake_seq::text, -- safety: claim: signals and wake sequence of one snapshot → 'wakeSeq', r.wake_seq::text,
    'evidenceSeq', r.seen_evidence_seq::text -- safety: claim: evidence and its sequence of one snapshot → 'evidenceSeq', r.evidence_seq::text
  ),
  'host', json_build_object(
    ${members(hostFacts, "h", ["confirmed", "model", "skuAssigned", "sku"])},
    'confirmed', ${confirmedNames("r.host_id")},
    'model', nullif(concat_ws(' ', h.manufacturer, h.model), ''),
    'skuAssigned', h.sku_id IS NOT NULL,
    'sku', CASE WHEN u.id IS NULL THEN NULL ELSE json_build_object('name', u.name, 'components', ${componentsInForce}, 'images', coalesce(w.images, '[]')) END),
  'site', json_build_object(
    ${members(siteFacts, "s", ["policyKey", "policy"])},
    'policyKey', k.policy_key,
    'policy', ${keyedPolicy("k.policy_key", "p.body")}),
  'reclamation', (${reclamation}),
  'lastReady', CASE WHEN r.state = 'Ready' AND (r.touched OR n.id IS NOT NULL) THEN (
    SELECT json_build_object('devices', c.devices, 'content', c.content, 'contentRead', c.content_read, 'platform', c.platform)
    FROM reclamation c WHERE c.id = r.reclamation_id AND c.outcome = 'ready') END,
  'steps', ${steps},
  'attempt', (${attempt}),
  'deviceVerdicts', ${deviceVerdicts},
  'lastAgent', (${lastAgent}),
  'bootRefusal', (SELECT w.refusal FROM boot_window w WHERE w.host_id = r.host_id AND w.boot_epoch = r.boot_epoch),
  'overrides', CASE WHEN r.state IN ${planning} THEN ${overrides} END,
  'brakes', CASE WHEN r.state IN ${planning} THEN ${brakes} END,
  'skus', CASE WHEN r.state IN ${matching} AND h.sku_id IS NULL THEN ${skus} END,
  'parts', CASE WHEN r.state IN ${comparing} THEN ${parts} END,
  'rollout', CASE WHEN r.state IN ${planning} THEN (${rollout}) END,
  'image', CASE WHEN r.state IN ${planning} THEN ${image} END,
  'inventory', CASE WHEN r.state IN ${withoutInventory} THEN '{"bmc": null, "agent": null}' ELSE ${inventory} END,
  'instance', CASE WHEN n.id IS NOT NULL THEN json_build_object(${members(instanceView, "n")}) END,
  'acks', ${list(`SELECT json_agg(json_build_object(${members(networkAck, "a")})) FROM network_ack a WHERE a.host_id = r.host_id`)},
  'resourcesHeld', (SELECT count(*) FROM network_resource w WHERE w.host_id = r.host_id AND w.released_at IS NULL),
  'debts', ${debts},
  'dispositions', CASE WHEN r.state NOT IN ${withoutInventory} THEN ${dispositions} END,
  'assurance', CASE WHEN r.state IN ${assuring} THEN ${assurance} END,
  'exceptions', CASE WHEN r.state IN ${excepting} THEN ${exceptions} END,
  'elsewhere', CASE WHEN r.state IN ${gating} THEN ${drivesElsewhere("l.serials")} END,
  'watch', CASE WHEN r.state IN ${waiting} AND n.id IS NOT NULL THEN ${readyWatch} END,
  'told', CASE WHEN r.state = 'Verifying' THEN (${told}) END,
  'measurement', (${measurement}),
  'signals', ${signals},
  'effects', ${effects}
)`;

/** `SELECT` and `FROM` for the rows `r` of a claim. */
export const viewsOfLeasedHosts = `
  SELECT greatest(0, ${ms("now()")} - ${ms("r.woken_at")})::float8 AS late_ms, ${view} AS view
  FROM r JOIN host h ON h.id = r.host_id JOIN site s ON s.id = r.site_id
    JOIN site_policy p ON p.site_id = s.id AND p.version = s.policy_version
    LEFT JOIN sku u ON u.id = h.sku_id
    LEFT JOIN LATERAL ${firmwareInForce} w ON true
    -- At most one. A range, and in order: of the indexes of open instances, only the one by host serves that.
    LEFT JOIN LATERAL (
      SELECT * FROM instance o WHERE o.host_id BETWEEN r.host_id AND r.host_id AND o.ended_at IS NULL ORDER BY o.host_id LIMIT 1) n ON true
    CROSS JOIN LATERAL (SELECT concat_ws('/', p.site_id, p.version, p.xmin) AS policy_key) k
    -- OFFSET: both places that ask for them share one look.
    CROSS JOIN LATERAL (
      SELECT CASE WHEN r.state IN ${withoutInventory} THEN '{}' ELSE ${listedSerials} END AS serials OFFSET 0) l`;
