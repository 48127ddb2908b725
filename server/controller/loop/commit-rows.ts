// Turns decisions into the rows of the commit statement.
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { CommitPayload } from "@/server/db/hot/host/commit";
import { techniqueTableVersion } from "@/server/domain/sanitization/techniques";
import type { ContentRecord } from "@/server/domain/sanitization/content";
import type { DeviceResult } from "@/server/domain/sanitization/device-result";
import type { Decision } from "@/server/controller/host/decision";
import type { HostView } from "@/server/domain/host-record/view";

export interface Decided {
  readonly view: HostView;
  readonly decision: Decision;
}

type Rows = { [K in keyof CommitPayload]: object[] };

const empty = (): Rows => ({
  runs: [],
  history: [],
  ended: [],
  refusals: [],
  reclamations: [],
  steps: [],
  attempts: [],
  devices: [],
  gates: [],
  debts: [],
  cleared: [],
  instances: [],
  instance_history: [],
  windows: [],
  effects: [],
  read: [],
  consumed: [],
  hosts: [],
  inventories: [],
  erases: [],
  deleted: [],
  feed: [],
});

/** Identifies what a request asked for, so that a look-up compares like with like. */
export function requestHash(kind: string, request: unknown): string {
  return createHash("sha256")
    .update(canonicalize({ kind, request }) ?? "")
    .digest("hex");
}

/** The payload for a batch; `newId` gives ids to rows that the decision did not name. */
export function commitRows(batch: readonly Decided[], newId: () => string): CommitPayload {
  const rows = empty();
  for (const item of batch) addHost(rows, item, newId);
  return rows;
}

/** An attempt is given up that had brought no report when the host was claimed. */
const endsUnheard = ({ view, decision }: Decided): boolean =>
  decision.attempts.some(({ ended, verdict }) => ended && (verdict === "lost" || verdict === "aborted")) &&
  (view.attempt?.report ?? null) === null;

/** The host's own row: what the fence compares, and what it becomes. */
export function runRow({ view, decision }: Decided) {
  const { run } = decision;
  const leavesReady = view.run.state === "Ready" && run.state !== "Ready";
  // Nothing lets a Ready host into allocation but what it becomes Ready by, and a person who ends its maintenance.
  const staysOut =
    view.run.state === "Ready" && run.state === "Ready" && !run.allocatable && run.instanceId === null;
  const touched_set = run.touched !== view.run.touched;
  const maintenance_set =
    run.maintenance !== view.run.maintenance || run.maintenanceBy !== view.run.maintenanceBy;
  return {
    host_id: view.run.hostId,
    generation: view.run.generation,
    wake_seq: view.run.wakeSeq,
    // What a claim, a person's maintenance or a report, written since our claim, must not be overwritten by: all raise wake_seq.
    strict:
      /* safety: fence: a claim that came while Ready was left */ (leavesReady && run.instanceId === null) ||
      /* safety: fence: a Ready host that a person let in meanwhile */ staysOut ||
      /* safety: fence: maintenance that a person set meanwhile */ maintenance_set ||
      touched_set ||
      /* safety: fence: a report that came while its attempt was given up */ endsUnheard({ view, decision }),
    expect_evidence_seq: decision.expectEvidenceSeq,
    keep_lease: decision.effects.length > 0,
    state: run.state,
    entered: decision.entered.length,
    context: run.context,
    wait_reason: run.waitReason,
    last_error: run.lastError,
    due_ms: run.dueAtMs,
    limit_ms: run.limitAtMs,
    boot_epoch: run.bootEpoch,
    allocatable: run.allocatable,
    touched_set,
    touched: run.touched,
    maintenance_set,
    maintenance: run.maintenance,
    maintenance_by: run.maintenanceBy,
    maintenance_reason: run.maintenanceReason,
    reclamation_id: run.reclamationId,
    instance_id: run.instanceId,
    tenant_id: run.tenantId,
    clean_step: run.cleanStep,
    clean_begins: decision.attempts.some((attempt) => !attempt.ended),
    clean_set: run.cleanProgress !== undefined,
    clean_percent: run.cleanProgress?.percent ?? null,
    clean_message: run.cleanProgress?.message.slice(0, 2000) ?? null,
    command_set: run.command !== undefined,
    command: run.command ?? null,
    command_epoch: run.commandEpoch,
    erasing_set: run.erasing !== view.run.erasing,
    erasing: run.erasing,
    boot_held: run.bootHeld,
    boot_proven: decision.bootProven,
  };
}

/** Reclamations, debts and erases hang on it. Throws for a host that was never verified, which can have none of them. */
function serialOf({ run, host }: HostView): string {
  if (host.serial === null) throw new Error(`the serial of host ${run.hostId} is not known in ${run.state}`);
  return host.serial;
}

/** Its large documents are named only where they changed: what is written again, the database stores again. */
function reclamationRow(view: HostView, { row, isNew, outcome }: NonNullable<Decision["reclamation"]>) {
  const known = isNew ? null : view.reclamation;
  const changed = {
    devices: row.devices !== known?.devices,
    plan: row.plan !== known?.plan,
    content: contentChanged(known?.content ?? null, row.content),
  };
  const { read = null, ...content } = row.content ?? {};
  return {
    host_id: view.run.hostId,
    id: row.id,
    host_serial: serialOf(view),
    kind: row.kind,
    instance_id: row.instanceId,
    tenant_id: row.tenantId,
    requested_by: row.requestedBy,
    request_id: row.requestId,
    queued_ms: row.queuedAtMs,
    admitted_ms: row.admittedAtMs,
    limit_ms: row.limitAtMs,
    stopped_ms: row.stoppedAtMs,
    stopped_cause: row.stoppedCause,
    stopped_in: row.stoppedIn,
    message: row.message,
    outcome,
    policy_version: row.policyVersion,
    policy_key: row.policyKey,
    policy: isNew ? row.policy : null,
    devices_set: changed.devices,
    devices: changed.devices ? row.devices : null,
    plan_set: changed.plan,
    plan: changed.plan ? row.plan : null,
    plan_epoch: row.planEpoch,
    content_set: changed.content,
    content: changed.content && row.content !== null ? content : null,
    content_read: read,
    runbook_id: row.runbookId,
    runbook_name: row.runbookName,
    bulk_id: row.bulkId,
    paused_ms: row.pausedMs,
    paused_at_ms: row.pausedAtMs,
    is_new: isNew,
  };
}

/** Whether more changed than when the content was read last, which has a column of its own. By identity: what is copied counts as changed. */
const contentChanged = (known: ContentRecord | null, content: ContentRecord | null): boolean =>
  known?.drives !== content?.drives || known?.secret !== content?.secret || known?.since !== content?.since;

/** The attempt's report holds it as it came, and the reclamation as it is compared. */
const withoutFingerprint = ({ fingerprint: _, ...report }: DeviceResult): Omit<DeviceResult, "fingerprint"> =>
  report;

function addHost(rows: Rows, { view, decision }: Decided, newId: () => string): void {
  const host_id = view.run.hostId;
  const { run } = decision;
  const entered = decision.entered.length;
  const reclamation_id = run.reclamationId;
  rows.runs.push(runRow({ view, decision }));
  decision.entered.forEach((row, index) =>
    rows.history.push({
      host_id,
      n: index + 1,
      entered,
      state: row.state,
      reason: row.reason.slice(0, 2000),
      reclamation_id,
    }),
  );
  if (decision.endedBefore !== null) rows.ended.push({ host_id, ...decision.endedBefore });
  if (decision.reclamation !== null) rows.reclamations.push(reclamationRow(view, decision.reclamation));
  const plan_epoch = decision.reclamation?.row.planEpoch ?? view.reclamation?.planEpoch ?? 0;
  for (const step of decision.steps) {
    rows.steps.push({
      host_id,
      id: step.id,
      reclamation_id,
      plan_epoch,
      position: step.position,
      interface: step.interface,
      step: step.step,
      where: step.where,
      priority: step.priority,
      priority_source: step.prioritySource,
      args: step.args,
      abortable: step.abortable,
      time_limit_ms: step.timeLimitMs,
      proves: step.proves,
      status: step.status,
      attempt: step.attempt,
      max_attempts: step.maxAttempts,
      started_ms: step.startedAtMs,
      ended_ms: step.endedAtMs,
      deadline_ms: step.deadlineAtMs,
      message: step.message,
    });
  }
  // The last word about an attempt counts: one statement may touch a row only once.
  const attempts = new Map(
    decision.attempts.map((attempt) => [`${attempt.stepRunId}:${attempt.attempt}`, attempt]),
  );
  for (const attempt of attempts.values()) {
    rows.attempts.push({
      host_id,
      step_run_id: attempt.stepRunId,
      attempt: attempt.attempt,
      boot_epoch: attempt.bootEpoch,
      ended: attempt.ended,
      verdict: attempt.verdict,
      message: attempt.message,
      erase_ends: Object.fromEntries((attempt.drives ?? []).map((serial) => [serial, null])),
    });
  }
  for (const device of decision.deviceResults) {
    rows.devices.push({
      host_id,
      reclamation_id,
      step_run_id: device.stepRunId,
      attempt: device.attempt,
      plan_epoch,
      serial: device.serial,
      model: device.model,
      media: device.media,
      technique: device.report.technique ?? null,
      standard: device.standard,
      level: device.level,
      technique_table: techniqueTableVersion,
      verdict: device.verdict,
      reason: device.reason,
      report: withoutFingerprint(device.report),
    });
  }
  for (const gate of decision.gates)
    rows.gates.push({
      host_id,
      reclamation_id,
      gate: gate.gate,
      status: gate.status,
      reason: gate.reason,
      evidence: gate.evidence,
    });
  if (decision.newDebt !== null) {
    rows.debts.push({
      host_id,
      id: newId(),
      chassis_serial: serialOf(view),
      drive_serials: decision.newDebt.driveSerials,
      instance_id: decision.newDebt.instanceId,
      tenant_id: decision.newDebt.tenantId,
    });
  }
  if (decision.clearDebts !== null)
    rows.cleared.push({ host_id, chassis_serial: serialOf(view), reclamation_id, note: decision.clearDebts });
  if (decision.endInstance !== null)
    rows.instances.push({ host_id, id: decision.endInstance, ended: true, ready: false });
  if (decision.instanceReady !== null)
    rows.instances.push({ host_id, id: decision.instanceReady, ended: false, ready: true });
  for (const row of decision.instanceHistory)
    rows.instance_history.push({ host_id, id: row.instanceId, status: row.status, message: row.message });
  if (decision.bootWindowMs !== null)
    rows.windows.push({ host_id, boot_epoch: run.bootEpoch, expires_ms: decision.bootWindowMs });
  for (const effect of decision.effects)
    rows.effects.push({
      host_id,
      id: effect.id,
      kind: effect.kind,
      request: effect.request,
      request_hash: requestHash(effect.kind, effect.request),
    });
  for (const id of decision.readEffects) rows.read.push({ host_id, id });
  for (const id of decision.consumed) rows.consumed.push({ host_id, id });
  if (decision.host !== null) {
    const {
      links,
      manufacturer,
      model,
      powerState,
      macs,
      storage,
      firmware,
      platform,
      leftOut,
      unresolved,
      learned,
    } = decision.host;
    rows.hosts.push({
      host_id,
      links,
      manufacturer,
      model,
      power_state: powerState,
      macs,
      serial: learned?.serial ?? null,
      system_uuid: learned?.systemUuid ?? null,
      network_interfaces: learned?.networkInterfaces ?? null,
    });
    rows.inventories.push({
      host_id,
      boot_epoch: run.bootEpoch,
      body: { storage, firmware, macs, platform, unresolved, earlier: [] },
      left_out: leftOut,
    });
  }
  if (decision.host === null && decision.storage !== null)
    rows.inventories.push({ host_id, boot_epoch: run.bootEpoch, body: decision.storage, left_out: null });
  if (decision.host === null && decision.power !== null)
    rows.hosts.push({
      host_id,
      links: null,
      manufacturer: null,
      model: null,
      power_state: decision.power,
      macs: [],
    });
  for (const { intent, reason, requestId } of decision.refused)
    rows.refusals.push({ host_id, intent, reason: reason.slice(0, 2000), request_id: requestId });
  if (decision.eraseLeftUntilMs !== null)
    rows.erases.push({ host_id, chassis_serial: serialOf(view), until_ms: decision.eraseLeftUntilMs });
  if (decision.deleteHost) rows.deleted.push({ host_id, gone: true });
  rows.feed.push({ host_id, tenant_id: run.tenantId ?? view.instance?.tenantId ?? null });
}
