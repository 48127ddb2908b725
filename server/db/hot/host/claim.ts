// Leases due hosts and returns all that their handlers see, in one statement (docs/design/datapath.md#claim).
import { z } from "zod";
import { named } from "@/server/db/hot/pool";
import type { HotDatabase } from "@/server/db/hot/pool";
import type { PlanRecord } from "@/server/domain/cleaning/plan";
import { clockIsHeard } from "@/server/db/hot/fleet/listening";
import { keyedPolicy, knownPolicyKeys } from "@/server/db/hot/host/policy-cache";
import { overrideScopes } from "@/server/domain/cleaning/priorities";
import type { StepArgs } from "@/server/domain/cleaning/steps/step";
import type { HardwareManager, ResultBody } from "@/server/domain/agents/protocol";
import { brakeDimensions } from "@/server/domain/cleaning/brake";
import { gateNames } from "@/server/domain/gates/gate-names";
import type { HardwareInventory, StorageDevice } from "@/server/domain/inventory/inventory";
import { noPlatformFacts } from "@/server/domain/inventory/platform";
import type { PlatformFacts } from "@/server/domain/inventory/platform";
import type { SkuComponents } from "@/server/domain/inventory/sku";
import { storedContext } from "@/server/domain/lifecycle/context";
import { signal } from "@/server/domain/lifecycle/signals";
import { allStates, isState } from "@/server/domain/lifecycle/states";
import type { State } from "@/server/domain/lifecycle/states";
import type { ContentRecord } from "@/server/domain/sanitization/content";
import type { JournalEvent } from "@/server/domain/sanitization/device-result";
import { disposition } from "@/server/domain/sanitization/dispositions";
import type { DeviceList, UnresolvedStorage } from "@/server/domain/sanitization/known-devices";

const ms = (column: string): string => `floor(extract(epoch from ${column}) * 1000)`;

/** The idle states, and the busiest one, need no inventory: it is the largest part of a view. */
const withoutInventory =
  "('Ready', 'Assigned/Ready', 'WaitingForCleanup/HostCleanup', 'Enroll', 'Verifying')";

/** Where a plan may be made, or a place in the queue be given, in this very decision. From elsewhere a host comes to such a state first. */
const planning =
  "('Manageable', 'Assigned/WaitingForNetworkReconfig', 'WaitingForCleanup/Queued', 'WaitingForCleanup/Init', 'WaitingForCleanup/BootingAgent', 'ManualCleaning/Queued')";

/** Serials of all drives that its inventories list: with one that somebody owes, or that was stated to be removed from a host, the host owes a sanitization. */
const listedSerials =
  "ARRAY(SELECT v ->> 'serial' FROM host_inventory i, jsonb_array_elements(i.body -> 'storage') v WHERE i.host_id = r.host_id)";

/** What PostgreSQL takes as a UUID without fail: what a BMC says of itself may be anything. */
const uuidShape = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$";

/** Hosts that are this version's to act on: in a state that it knows, and not among those whose records it could not read. */
const understood = (except: string): string =>
  `state IN (${allStates()
    .map((name) => `'${name}'`)
    .join(", ")}) AND host_id <> ALL(${except}::uuid[])`;

/*
 * A row lock reads the newest version of a row, but everything else in the statement reads its snapshot. A signal that is
 * stored between the two would raise the `wake_seq` that we see without being among the signals that we see, and be lost.
 * So `seen` takes the counters from the snapshot, and a host that another controller worked on in between is left for the next claim.
 */
// The view is `json`, not `jsonb`: it is only written out, and building the sorted binary form first cost a quarter of the statement's time.
const statement = named<
  { view: unknown; late_ms: number },
  [string, number, number, readonly string[], readonly string[]]
>(
  "claim_hosts",
  `
  WITH due AS (
    SELECT host_id, due_at, generation FROM host_run
    WHERE due_at <= now()
      AND (lease_owner IS NULL OR lease_until < now()) -- safety: claim: not what another controller has leased
      AND ${understood("$5")}
      AND ( -- safety: gap: nobody is judged before it is moved
        ${clockIsHeard}
      )
      AND database_is_current() -- safety: restore: no host is decided on
    ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED
  ), seen AS (
    SELECT s.host_id, s.generation, s.wake_seq, s.evidence_seq FROM host_run s JOIN due ON due.host_id = s.host_id
  ), r AS (
    UPDATE host_run u SET lease_owner = $1::uuid, lease_until = clock_timestamp() + $3 * interval '1 millisecond', generation = u.generation + 1
    FROM due JOIN seen ON seen.host_id = due.host_id
    WHERE u.host_id = due.host_id
      AND seen.generation = due.generation -- safety: claim: of the generation that was seen
    RETURNING u.*, due.due_at AS woken_at, seen.wake_seq AS seen_wake_seq, seen.evidence_seq AS seen_evidence_seq
  )
  SELECT greatest(0, ${ms("now()")} - ${ms("r.woken_at")})::float8 AS late_ms, json_build_object(
    'nowMs', ${ms("now()")},
    'run', json_build_object(
      'hostId', r.host_id, 'siteId', r.site_id, 'name', r.name, 'state', r.state, 'stateSinceMs', ${ms("r.state_since")}, 'context', r.context,
      'generation', r.generation::text,
      'wakeSeq', r.seen_wake_seq::text, -- safety: claim: signals and wake sequence of one snapshot → 'wakeSeq', r.wake_seq::text,
      'evidenceSeq', r.seen_evidence_seq::text, -- safety: claim: evidence and its sequence of one snapshot → 'evidenceSeq', r.evidence_seq::text,
      'bootEpoch', r.boot_epoch,
      'maintenance', r.maintenance, 'maintenanceBy', r.maintenance_by, 'maintenanceReason', r.maintenance_reason, 'lastError', r.last_error,
      'allocatable', r.allocatable, 'touched', r.touched, 'touchedReason', r.touched_reason, 'erasing', r.erasing, 'cleanPercent', r.clean_percent, 'reclamationId', r.reclamation_id),
    'host', json_build_object('serial', h.serial, 'systemUuid', h.system_uuid, 'hardwareType', h.hardware_type, 'model', nullif(concat_ws(' ', h.manufacturer, h.model), ''), 'networkInterfaces', to_json(h.network_interfaces),
      'skuAssigned', h.sku_id IS NOT NULL, 'automatedClean', h.automated_clean, 'retired', h.retired, 'sku', CASE WHEN u.id IS NULL THEN NULL ELSE json_build_object('name', u.name, 'components', u.components) END),
    'site', json_build_object('demo', s.demo, 'policyVersion', s.policy_version, 'policyKey', k.policy_key, 'policy', json_build_object('policyKey', k.policy_key, 'policy', CASE WHEN k.policy_key = ANY($4::text[]) THEN NULL ELSE p.body::text END)),
    'reclamation', (SELECT json_build_object('id', c.id, 'kind', c.kind, 'instanceId', c.instance_id, 'tenantId', c.tenant_id, 'requestedBy', c.requested_by, 'requestId', c.request_id,
        'startedAtMs', ${ms("c.started_at")}, 'queuedAtMs', ${ms("c.queued_at")}, 'admittedAtMs', ${ms("c.admitted_at")}, 'limitAtMs', ${ms("c.limit_at")},
        'stoppedAtMs', ${ms("c.stopped_at")}, 'stoppedCause', c.stopped_cause, 'stoppedIn', c.stopped_in, 'message', c.message,
        'policyVersion', c.policy_version, 'policyKey', c.policy_key, 'policy', json_build_object('policyKey', c.policy_key, 'policy', CASE WHEN c.policy_key = ANY($4::text[]) THEN NULL ELSE c.policy::text END), 'devices', c.devices, 'content', c.content, 'contentRead', c.content_read, 'plan', c.plan, 'planMade', c.plan_epoch > 0, 'planEpoch', c.plan_epoch,
        'runbookId', c.runbook_id, 'runbookName', c.runbook_name, 'bulkId', c.bulk_id, 'pausedMs', c.paused_ms, 'pausedAtMs', ${ms("c.paused_at")})
      FROM reclamation c WHERE c.host_id = r.host_id AND c.ended_at IS NULL),
    'lastReady', CASE WHEN r.state = 'Ready' AND r.touched THEN (SELECT json_build_object('devices', c.devices, 'content', c.content, 'contentRead', c.content_read) FROM reclamation c WHERE c.id = r.reclamation_id AND c.outcome = 'ready') END,
    'steps', coalesce((SELECT json_agg(json_build_object('id', t.id, 'position', t.position, 'interface', t.interface, 'step', t.step, 'where', t.where,
        'args', t.args, 'abortable', t.abortable, 'timeLimitMs', t.time_limit_ms, 'priority', t.priority, 'prioritySource', t.priority_source, 'proves', to_json(t.proves), 'status', t.status, 'attempt', t.attempt, 'maxAttempts', t.max_attempts,
        'startedAtMs', ${ms("t.started_at")}, 'endedAtMs', ${ms("t.ended_at")}, 'deadlineAtMs', ${ms("t.deadline_at")}, 'message', t.message) ORDER BY t.position)
      FROM reclamation c JOIN step_run t ON t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch WHERE c.host_id = r.host_id AND c.ended_at IS NULL), '[]'),
    'attempt', (SELECT json_build_object('stepRunId', a.step_run_id, 'attempt', a.attempt, 'bootEpoch', a.boot_epoch, 'report', a.report, 'verdict', a.verdict,
        'progress', json_build_object('ends', a.erase_ends, 'reportedAtMs', ${ms("a.progress_at")}, 'movedAtMs', ${ms("a.moved_at")}),
        'journal', CASE WHEN t.status = 'planned' THEN coalesce((SELECT json_agg(e) FROM step_attempt b, jsonb_array_elements(b.journal) e WHERE b.step_run_id = t.id), '[]') ELSE '[]' END)
      FROM reclamation c JOIN step_run t ON t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch AND t.attempt > 0 AND t.status NOT IN ('succeeded', 'excepted')
        JOIN step_attempt a ON a.step_run_id = t.id AND a.attempt = t.attempt
      WHERE c.host_id = r.host_id AND c.ended_at IS NULL ORDER BY t.position LIMIT 1),
    'deviceVerdicts', coalesce((SELECT json_agg(json_build_object('serial', v.serial, 'model', v.model, 'verdict', v.verdict, 'reason', v.reason)) FROM (
        SELECT DISTINCT ON (d.serial, d.model) d.serial, d.model, d.verdict, d.reason FROM reclamation c
          JOIN device_result d ON d.reclamation_id = c.id AND d.plan_epoch = c.plan_epoch
        WHERE c.host_id = r.host_id AND c.ended_at IS NULL ORDER BY d.serial, d.model, d.id DESC) v), '[]'),
    'lastAgent', (SELECT json_build_object('bootEpoch', g.boot_epoch, 'lastSeenMs', ${ms("g.last_seen_at")}, 'registeredMs', ${ms("g.registered_at")}, 'agentVersion', g.agent_version, 'hardwareManagers', g.hardware_managers,
        'afterReset', coalesce(g.registered_at >= w.reset_done_at, false), 'contested', w.contested_at IS NOT NULL)
      FROM agent_session g LEFT JOIN boot_window w ON w.host_id = g.host_id AND w.boot_epoch = g.boot_epoch WHERE g.host_id = r.host_id ORDER BY g.boot_epoch DESC LIMIT 1),
    'overrides', CASE WHEN r.state IN ${planning} THEN (SELECT coalesce(json_agg(json_build_object('scope', o.scope, 'interface', o.interface, 'step', o.step, 'priority', o.priority)), '[]')
      FROM step_override o WHERE o.scope_id IN (r.site_id, r.host_id, h.sku_id)) END,
    'brakes', CASE WHEN r.state IN ${planning} THEN (SELECT coalesce(json_agg(json_build_object('id', b.id, 'dimension', b.dimension, 'value', b.value, 'message', b.message)), '[]')
      FROM brake b WHERE b.site_id = r.site_id AND b.lifted_at IS NULL) END,
    'image', CASE WHEN r.state IN ${planning} THEN coalesce(
        (SELECT i.version FROM agent_session g JOIN boot_window w ON w.host_id = g.host_id AND w.boot_epoch = g.boot_epoch JOIN agent_image i ON i.id = w.image_id
          WHERE g.host_id = r.host_id AND g.boot_epoch = r.boot_epoch AND g.expires_at > now()),
        (SELECT i.version FROM agent_image i WHERE i.site_id = r.site_id AND i.status = 'current')) END,
    'inventory', CASE WHEN r.state IN ${withoutInventory} THEN '{"bmc": null, "agent": null}' ELSE json_build_object(
        'bmc', (SELECT json_build_object('storage', b.storage, 'unresolved', b.unresolved, 'earlier', b.earlier, 'platform', b.platform)
          FROM host_inventory i, jsonb_to_record(i.body) AS b(storage jsonb, unresolved jsonb, earlier jsonb, platform jsonb) WHERE i.host_id = r.host_id AND i.source = 'bmc'),
        'agent', (SELECT json_build_object('bootEpoch', i.boot_epoch, 'collectedMs', ${ms("i.collected_at")}, 'body', i.body) FROM host_inventory i WHERE i.host_id = r.host_id AND i.source = 'agent')) END,
    'instance', (SELECT json_build_object('id', n.id, 'tenantId', n.tenant_id, 'releaseRequestedMs', ${ms("n.release_requested_at")}) FROM instance n WHERE n.host_id = r.host_id AND n.ended_at IS NULL),
    'acks', coalesce((SELECT json_agg(json_build_object('interface', a.interface, 'version', a.version, 'sha256', a.sha256, 'extensionServices', a.extension_services)) FROM network_ack a WHERE a.host_id = r.host_id), '[]'),
    'resourcesHeld', (SELECT count(*) FROM network_resource w WHERE w.host_id = r.host_id AND w.released_at IS NULL),
    'debts', json_build_object(
        'count', CASE WHEN r.state IN ${withoutInventory} THEN (SELECT count(*) FROM debt d WHERE d.cleared_at IS NULL AND d.chassis_serial = h.serial)
          ELSE (SELECT count(*) FROM (SELECT d.id FROM debt d WHERE d.cleared_at IS NULL AND d.chassis_serial = h.serial
            UNION SELECT d.id FROM debt d WHERE d.cleared_at IS NULL AND d.drive_serials && l.serials
            UNION SELECT x.id FROM drive_disposition x WHERE x.withdrawn_at IS NULL AND x.key = ANY(l.serials)) owed) END,
        'driveSerials', (SELECT coalesce(json_agg(DISTINCT x.serial), '[]') FROM debt d, unnest(d.drive_serials) x(serial) WHERE d.chassis_serial = h.serial AND d.cleared_at IS NULL)),
    'dispositions', CASE WHEN r.state NOT IN ${withoutInventory} THEN (SELECT coalesce(json_agg(json_build_object('id', x.id, 'key', x.key, 'model', x.model, 'slot', x.slot, 'kind', x.kind, 'reason', x.reason, 'by', x.by_name,
        'at', to_char(x.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY x.at), '[]') FROM drive_disposition x WHERE x.chassis_serial = h.serial AND x.withdrawn_at IS NULL) END,
    'told', CASE WHEN r.state = 'Verifying' THEN (SELECT json_build_object(
        'serialOf', (SELECT o.name FROM host o WHERE o.serial = t.serial AND o.id <> r.host_id),
        'systemUuidOf', (SELECT o.name FROM host o WHERE o.system_uuid = CASE WHEN t.uuid ~* '${uuidShape}' THEN t.uuid::uuid END AND o.id <> r.host_id),
        'eraseUntilMs', (SELECT ${ms("x.erase_until")} FROM chassis_erase x WHERE x.chassis_serial = t.serial AND x.erase_until > now()),
        'ports', (SELECT coalesce(json_agg(q.address ORDER BY q.address), '[]') FROM node_port q WHERE q.host_id = r.host_id),
        'systemPath', (SELECT n.driver_info ->> 'redfish_system_id' FROM node_record n WHERE n.host_id = r.host_id))
      FROM (SELECT e.result #>> '{value,system,serial}' AS serial, e.result #>> '{value,system,uuid}' AS uuid FROM effect e
        WHERE e.host_id = r.host_id AND e.read_at IS NULL AND e.kind = 'verify' ORDER BY e.created_at DESC, e.id DESC LIMIT 1) t) END,
    'signals', coalesce((SELECT json_agg(json_build_object('id', g.id::text, 'signal', json_build_object('kind', g.kind, 'payload', g.payload)) ORDER BY g.id) FROM signal g WHERE g.host_id = r.host_id), '[]'),
    'effects', coalesce((SELECT json_agg(json_build_object('id', e.id, 'kind', e.kind, 'status', e.status, 'generation', e.generation::text, 'request', e.request, 'result', e.result, 'settledAtMs', ${ms("e.settled_at")}) ORDER BY e.created_at, e.id)
      FROM effect e WHERE e.host_id = r.host_id AND e.read_at IS NULL), '[]')
  ) AS view
  FROM r JOIN host h ON h.id = r.host_id JOIN site s ON s.id = r.site_id JOIN site_policy p ON p.site_id = s.id AND p.version = s.policy_version LEFT JOIN sku u ON u.id = h.sku_id
    CROSS JOIN LATERAL (SELECT concat_ws('/', p.site_id, p.version, p.xmin) AS policy_key) k
    -- OFFSET: both places that ask for them share one look.
    CROSS JOIN LATERAL (SELECT CASE WHEN r.state IN ${withoutInventory} THEN '{}' ELSE ${listedSerials} END AS serials OFFSET 0) l`,
);

const state = z.string().transform((value, context): State => {
  if (isState(value)) return value;
  context.addIssue(`state ${value} is not known to this version`);
  return z.NEVER;
});

/** Documents that were validated when they came in are taken as they are. */
const trusted = <T>() => z.custom<T>((value) => typeof value === "object" && value !== null);
const count = z.number();
const time = z.number().nullable();

/** When the content was read last is a column of its own: it changes in each final boot, and the rest only with an erase. */
const content = {
  content: trusted<Omit<ContentRecord, "read">>().nullable(),
  contentRead: trusted<NonNullable<ContentRecord["read"]>>().nullable(),
};
const withRead = (
  stored: Omit<ContentRecord, "read"> | null,
  read: ContentRecord["read"],
): ContentRecord | null => (stored === null ? null : { ...stored, read });

const viewRow = z
  .object({
    nowMs: z.number(),
    run: z.object({
      hostId: z.string(),
      siteId: z.string(),
      name: z.string(),
      state,
      stateSinceMs: z.number(),
      context: storedContext,
      generation: z.string(),
      wakeSeq: z.string(),
      evidenceSeq: z.string(),
      bootEpoch: z.number(),
      maintenance: z.boolean(),
      maintenanceBy: z.enum(["failure", "person"]).nullable(),
      maintenanceReason: z.string().nullable(),
      lastError: z.string().nullable(),
      allocatable: z.boolean(),
      touched: z.boolean(),
      touchedReason: z.string().nullable(),
      erasing: z.boolean(),
      cleanPercent: z.number().nullable(),
      reclamationId: z.string().nullable(),
    }),
    host: z.object({
      serial: z.string().nullable(),
      systemUuid: z.string().nullable(),
      hardwareType: z.string(),
      model: z.string().nullable(),
      networkInterfaces: z.array(z.string()),
      skuAssigned: z.boolean(),
      automatedClean: z.boolean().nullable(),
      retired: z.boolean(),
      sku: z.object({ name: z.string(), components: trusted<SkuComponents>() }).nullable(),
    }),
    site: z.object({
      demo: z.boolean(),
      policyVersion: z.number(),
      policyKey: z.string(),
      policy: keyedPolicy,
    }),
    reclamation: z
      .object({
        id: z.string(),
        kind: z.enum(["release", "repairRelease", "onboarding", "recheck", "manualCleaning"]),
        instanceId: z.string().nullable(),
        tenantId: z.string().nullable(),
        requestedBy: z.string().nullable(),
        requestId: z.string().nullable(),
        startedAtMs: z.number(),
        queuedAtMs: time,
        admittedAtMs: time,
        limitAtMs: time,
        stoppedAtMs: time,
        stoppedCause: z.string().nullable(),
        stoppedIn: state.nullable(),
        message: z.string().nullable(),
        policyVersion: z.number(),
        policyKey: z.string().nullable(),
        policy: keyedPolicy,
        devices: trusted<DeviceList>().nullable(),
        ...content,
        plan: trusted<PlanRecord>().nullable(),
        planMade: z.boolean(),
        planEpoch: z.number(),
        runbookId: z.string().nullable(),
        runbookName: z.string().nullable(),
        bulkId: z.string().nullable(),
        pausedMs: z.number(),
        pausedAtMs: time,
      })
      .transform(({ contentRead, ...row }) => ({ ...row, content: withRead(row.content, contentRead) }))
      .nullable(),
    lastReady: z
      .object({ devices: trusted<DeviceList>().nullable(), ...content })
      .transform(({ contentRead, ...row }) => ({ ...row, content: withRead(row.content, contentRead) }))
      .nullable(),
    steps: z.array(
      z.object({
        id: z.string(),
        position: z.number(),
        interface: z.string(),
        step: z.string(),
        where: z.enum(["agent", "controller"]),
        args: trusted<StepArgs>(),
        abortable: z.boolean(),
        timeLimitMs: z.number().nullable(),
        priority: z.number(),
        prioritySource: z.string(),
        proves: z.array(z.enum(gateNames)),
        status: z.enum(["planned", "running", "succeeded", "failed", "excepted"]),
        attempt: z.number(),
        maxAttempts: z.number(),
        startedAtMs: time,
        endedAtMs: time,
        deadlineAtMs: time,
        message: z.string().nullable(),
      }),
    ),
    attempt: z
      .object({
        stepRunId: z.string(),
        attempt: z.number(),
        bootEpoch: z.number(),
        report: trusted<ResultBody>().nullable(),
        verdict: z.string().nullable(),
        progress: z.object({ ends: z.record(z.string(), time), reportedAtMs: time, movedAtMs: time }),
        journal: z.array(trusted<JournalEvent>()),
      })
      .nullable(),
    deviceVerdicts: z.array(
      z.object({
        serial: z.string(),
        model: z.string(),
        verdict: z.enum(["sanitized", "failed"]),
        reason: z.string(),
      }),
    ),
    lastAgent: z
      .object({
        bootEpoch: z.number(),
        lastSeenMs: z.number(),
        registeredMs: z.number(),
        agentVersion: z.string(),
        hardwareManagers: z.array(trusted<HardwareManager>()),
        afterReset: z.boolean(),
        contested: z.boolean(),
      })
      .nullable(),
    overrides: z
      .array(
        z.object({
          scope: z.enum(overrideScopes),
          interface: z.string(),
          step: z.string(),
          priority: z.number(),
        }),
      )
      .nullable(),
    brakes: z
      .array(
        z.object({
          id: z.string(),
          dimension: z.enum(brakeDimensions),
          value: z.string(),
          message: z.string(),
        }),
      )
      .nullable(),
    image: z.string().nullable(),
    inventory: z.object({
      // An inventory of an earlier version has the drives alone.
      bmc: z
        .object({
          storage: z.array(trusted<StorageDevice>()).nullable(),
          unresolved: z.array(trusted<UnresolvedStorage>()).nullable(),
          earlier: z.array(trusted<StorageDevice>()).nullable(),
          platform: trusted<PlatformFacts>().nullable(),
        })
        .nullable(),
      agent: z
        .object({ bootEpoch: z.number(), collectedMs: z.number(), body: trusted<HardwareInventory>() })
        .nullable(),
    }),
    instance: z.object({ id: z.string(), tenantId: z.string(), releaseRequestedMs: time }).nullable(),
    acks: z.array(
      z.object({
        interface: z.string(),
        version: z.number(),
        sha256: z.string(),
        extensionServices: z.enum(["none", "running", "terminated"]),
      }),
    ),
    resourcesHeld: count,
    debts: z.object({ count, driveSerials: z.array(z.string()) }),
    dispositions: z.array(disposition).nullable(),
    told: z
      .object({
        serialOf: z.string().nullable(),
        systemUuidOf: z.string().nullable(),
        eraseUntilMs: time,
        ports: z.array(z.string()),
        systemPath: z.string().nullable(),
      })
      .nullable(),
    signals: z.array(z.object({ id: z.string(), signal })),
    effects: z.array(
      z.object({
        id: z.string(),
        kind: z.enum([
          "verify",
          "bootAgent",
          "lookBoot",
          "bootDisk",
          "readSystem",
          "network",
          "step",
          "power",
        ]),
        status: z.enum(["written", "permitted", "done", "failed", "unknown"]),
        generation: z.string(),
        request: z.unknown(),
        result: z.unknown(),
        settledAtMs: time,
      }),
    ),
  })
  .transform(({ inventory: { bmc, agent }, ...view }) => ({
    ...view,
    inventory: {
      bmc: bmc?.storage ?? null,
      bmcUnresolved: bmc?.unresolved ?? [],
      bmcEarlier: bmc?.earlier ?? [],
      agent,
    },
    platform: { ...noPlatformFacts, ...bmc?.platform },
    agent: view.lastAgent?.bootEpoch === view.run.bootEpoch ? view.lastAgent : null,
  }));

/** A claimed host as its row says; the controller's `HostView` is this shape. */
export type ClaimedHost = z.infer<typeof viewRow>;

export type Claim =
  | { readonly ok: true; readonly lateMs: number; readonly view: ClaimedHost }
  /** A row that this version does not understand: the host stays where it is, and says so. */
  | { readonly ok: false; readonly hostId: string; readonly generation: string; readonly message: string };

const fenceOf = z.object({ run: z.object({ hostId: z.string(), generation: z.string() }) });

/** Leases up to `most` due hosts for `leaseMs` under `controllerId`, none of `except`; each gets a new generation. */
export async function claimHosts(
  database: HotDatabase,
  controllerId: string,
  most: number,
  leaseMs: number,
  except: readonly string[] = [],
): Promise<readonly Claim[]> {
  const rows = await statement(database, controllerId, most, leaseMs, knownPolicyKeys(), except);
  return rows.map((row): Claim => {
    const parsed = viewRow.safeParse(row.view);
    if (parsed.success) return { ok: true, lateMs: row.late_ms, view: parsed.data };
    const fence = fenceOf.parse(row.view);
    return {
      ok: false,
      hostId: fence.run.hostId,
      generation: fence.run.generation,
      message: z.prettifyError(parsed.error),
    };
  });
}

const next = named<{ in_ms: number | null }, [readonly string[]]>(
  "next_due",
  `
  SELECT greatest(0, ${ms("due_at")} - ${ms("now()")})::float8 AS in_ms FROM host_run
  WHERE due_at IS NOT NULL AND (lease_owner IS NULL OR lease_until < now()) AND ${understood("$1")} AND ${clockIsHeard} AND database_is_current()
  ORDER BY due_at LIMIT 1`,
);

/** In how many ms the next unleased host is due, none of `except`; null when none is. */
export async function nextDueInMs(
  database: HotDatabase,
  except: readonly string[] = [],
): Promise<number | null> {
  return (await next(database, except))[0]?.in_ms ?? null;
}
