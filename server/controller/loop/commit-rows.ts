// Turns decisions into the rows of the commit statement.
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { standingOf } from "@/server/domain/assurance/standing";
import type { Standing } from "@/server/domain/assurance/standing";
import { storable } from "@/server/domain/cleaning/failures/cause";
import { isFake } from "@/server/domain/hosts/fake/fake-type";
import type { Outcome } from "@/server/domain/hosts/record/reclamation";
import { emptyLists } from "@/server/domain/hosts/record/written";
import type { CommitLists, CommitPayload } from "@/server/domain/hosts/record/written";
import { isClaimable } from "@/server/domain/lifecycle/states";
import type { ContentRecord } from "@/server/domain/cleaning/sanitization/content";
import type { DeviceResult } from "@/server/domain/cleaning/sanitization/device-result";
import type { Decision } from "@/server/controller/host/decision";
import type { HostView } from "@/server/domain/hosts/record/view";

export type CertificateRow = Omit<CommitPayload["certificates"][number], "hostId">;

export interface Decided {
  readonly view: HostView;
  readonly decision: Decision;
  /** Only if this decision makes the host Ready, and then with what its reclamation proved. */
  readonly certificate?: CertificateRow;
  readonly standing?: Standing;
}

/** Hash of a request, so that a look-up compares like with like. */
export function requestHash(kind: string, request: unknown): string {
  return createHash("sha256")
    .update(canonicalize({ kind, request }) ?? "")
    .digest("hex");
}

/** The payload for a batch; `newId` makes ids for rows that the decision did not name. */
export function commitRows(batch: readonly Decided[], newId: () => string): CommitPayload {
  const rows = emptyLists();
  for (const item of batch) addHost(rows, item, newId);
  return rows;
}

/** Gives up an attempt that had not reported when the host was claimed. */
const endsUnheard = ({ view, decision }: Decided): boolean =>
  decision.attempts.some(({ ended, verdict }) => ended && (verdict === "lost" || verdict === "aborted")) &&
  (view.attempt?.report ?? null) === null;

/** The host's own row: what the fence compares, and the new values. */
export function runRow({ view, decision }: Decided): CommitPayload["runs"][number] {
  const { run } = decision;
  const { command, cleanProgress } = run;
  // Spread as a whole: leaving out two fields took a tenth of a decision's time. Fields that are not columns are not written.
  const leavesClaimable = isClaimable(view.run.state) && run.state !== view.run.state;
  // A Ready host enters allocation only by becoming Ready, or when a person ends its maintenance.
  const staysOut =
    view.run.state === "Ready" && run.state === "Ready" && !run.allocatable && run.instanceId === null;
  const touchedSet = run.touched !== view.run.touched;
  const maintenanceSet =
    run.maintenance !== view.run.maintenance || run.maintenanceBy !== view.run.maintenanceBy;
  return {
    ...run,
    hostId: view.run.hostId,
    generation: view.run.generation,
    wakeSeq: view.run.wakeSeq,
    // Protects a claim, a person's maintenance or a report written since our claim from being overwritten; each of them raises wake_seq.
    strict:
      (leavesClaimable && run.instanceId === null) ||
      staysOut ||
      maintenanceSet ||
      touchedSet ||
      endsUnheard({ view, decision }),
    expectEvidenceSeq: decision.expectEvidenceSeq,
    keepLease: decision.effects.length > 0,
    entered: decision.entered.length,
    touchedSet,
    maintenanceSet,
    erasingSet: run.erasing !== view.run.erasing,
    commandSet: command !== undefined,
    command: command ?? null,
    cleanBegins: decision.attempts.some((attempt) => !attempt.ended),
    cleanSet: cleanProgress !== undefined,
    cleanPercent: cleanProgress?.percent ?? null,
    cleanMessage: cleanProgress?.message.slice(0, 2000) ?? null,
    bootProven: decision.bootProven,
  };
}

/** Reclamations, debts and erases are stored by it. Throws for a host that was never verified, which has none of them. */
function serialOf({ run, host }: HostView): string {
  if (host.serial === null) throw new Error(`the serial of host ${run.hostId} is not known in ${run.state}`);
  return host.serial;
}

/** What a reclamation that this decision ends has proved. Of a machine that becomes Ready, its certificate says it. */
export const standingAtEnd = (
  { view, standing }: Decided,
  { kind, outcome }: { readonly kind: string; readonly outcome: Outcome },
): Standing => {
  const unproven = standingOf({
    ...{ kind, outcome, fake: isFake(view.host) },
    ...{ gates: [], drives: [], missing: 0, skuHasDrives: true },
  });
  return outcome === "ready" && unproven === "notProven" ? (standing ?? unproven) : unproven;
};

/** Large documents are included only if they changed, because the database would store them again. */
function reclamationRow(
  item: Decided,
  { row, isNew, outcome }: NonNullable<Decision["reclamation"]>,
): CommitPayload["reclamations"][number] {
  const { view } = item;
  const known = isNew ? null : view.reclamation;
  const changed = {
    devices: row.devices !== known?.devices,
    plan: row.plan !== known?.plan,
    platform: row.platform !== known?.platform,
    content: contentChanged(known?.content ?? null, row.content),
  };
  const { startedAtMs: _started, planMade: _made, policySetBy: _setBy, ...fields } = row;
  return {
    ...fields,
    hostId: view.run.hostId,
    hostSerial: serialOf(view),
    isNew,
    outcome,
    standing: outcome === null ? null : standingAtEnd(item, { kind: row.kind, outcome }),
    policy: isNew ? row.policy : null,
    devicesSet: changed.devices,
    devices: changed.devices ? row.devices : null,
    planSet: changed.plan,
    plan: changed.plan ? row.plan : null,
    platformSet: changed.platform,
    platform: changed.platform ? row.platform : null,
    contentSet: changed.content,
    content: changed.content && row.content !== null ? withoutReading(row.content) : null,
    contentRead: row.content?.read ?? null,
  };
}

const withoutReading = ({ read: _, ...content }: ContentRecord): Omit<ContentRecord, "read"> => content;

/** Whether more changed than the time of the last reading, which has its own column. Compared by identity: a copy counts as changed. */
const contentChanged = (known: ContentRecord | null, content: ContentRecord | null): boolean =>
  known?.drives !== content?.drives || known?.secret !== content?.secret || known?.since !== content?.since;

/** The fingerprint is already in the attempt's report as it came, and in the reclamation as it is compared. */
const withoutFingerprint = ({ fingerprint: _, ...report }: DeviceResult): Omit<DeviceResult, "fingerprint"> =>
  report;

function addHost(rows: CommitLists, item: Decided, newId: () => string): void {
  const { view, decision } = item;
  const { hostId } = view.run;
  const entered = decision.entered.length;
  const { reclamationId } = decision.run;
  rows.runs.push(runRow(item));
  decision.entered.forEach(({ state, reason, causes }, index) =>
    rows.history.push({
      hostId,
      n: index + 1,
      entered,
      state,
      reason: reason.slice(0, 2000),
      causes: causes === undefined ? null : storable(causes),
      reclamationId,
    }),
  );
  const { endedBefore } = decision;
  if (endedBefore !== null)
    rows.ended.push({
      hostId,
      ...endedBefore,
      standing: standingAtEnd(item, { kind: "", outcome: endedBefore.outcome }),
    });
  if (decision.reclamation !== null) rows.reclamations.push(reclamationRow(item, decision.reclamation));
  for (const { intent, reason, requestId } of decision.refused)
    rows.refusals.push({ hostId, intent, reason: reason.slice(0, 2000), requestId });
  addSteps(rows, item);
  addTenancy(rows, item, newId);
  for (const gate of decision.gates) rows.gates.push({ hostId, reclamationId, ...gate });
  if (decision.bootWindowMs !== null)
    rows.windows.push({ hostId, bootEpoch: decision.run.bootEpoch, expiresAtMs: decision.bootWindowMs });
  for (const { id, kind, request } of decision.effects)
    rows.effects.push({ hostId, id, kind, request, requestHash: requestHash(kind, request) });
  for (const id of decision.readEffects) rows.read.push({ hostId, id });
  for (const id of decision.consumed) rows.consumed.push({ hostId, id });
  addHardware(rows, item);
  if (item.certificate !== undefined) rows.certificates.push({ hostId, ...item.certificate });
  if (decision.deleteHost) rows.deleted.push({ hostId });
  rows.feed.push({ hostId, tenantId: decision.run.tenantId ?? view.instance?.tenantId ?? null });
}

function addSteps(rows: CommitLists, { view, decision }: Decided): void {
  const { hostId } = view.run;
  const { reclamationId } = decision.run;
  const planEpoch = decision.reclamation?.row.planEpoch ?? view.reclamation?.planEpoch ?? 0;
  for (const step of decision.steps) rows.steps.push({ ...step, hostId, reclamationId, planEpoch });
  // Only the last write of an attempt counts, because one statement may touch a row only once.
  const attempts = new Map(
    decision.attempts.map((attempt) => [`${attempt.stepRunId}:${attempt.attempt}`, attempt]),
  );
  for (const { drives = [], ...attempt } of attempts.values())
    rows.attempts.push({
      ...attempt,
      hostId,
      eraseEnds: Object.fromEntries(drives.map((serial) => [serial, null])),
    });
  for (const device of decision.deviceResults)
    rows.devices.push({
      ...device,
      hostId,
      reclamationId,
      planEpoch,
      report: withoutFingerprint(device.report),
    });
  if (reclamationId !== null)
    for (const probe of decision.probes)
      rows.probes.push({ ...probe, hostId, reclamationId, bootEpoch: decision.run.bootEpoch });
}

function addTenancy(rows: CommitLists, { view, decision }: Decided, newId: () => string): void {
  const { hostId } = view.run;
  if (decision.newDebt !== null)
    rows.debts.push({ ...decision.newDebt, hostId, id: newId(), chassisSerial: serialOf(view) });
  if (decision.clearDebts !== null)
    rows.cleared.push({
      hostId,
      chassisSerial: serialOf(view),
      reclamationId: decision.run.reclamationId,
      note: decision.clearDebts,
    });
  if (decision.endInstance !== null)
    rows.instances.push({ hostId, id: decision.endInstance, ended: true, ready: false });
  if (decision.instanceReady !== null)
    rows.instances.push({ hostId, id: decision.instanceReady, ended: false, ready: true });
  for (const row of decision.instanceHistory) rows.instanceHistory.push({ hostId, ...row });
}

const nothingLearned = { serial: null, systemUuid: null, networkInterfaces: null, hardwareType: null };
/** For a reading of the drives alone. */
const drivesAlone = { leftOut: null, bios: null, bmcSettings: null };
/** For a reading of the power alone, or a matched SKU. */
const unread = { links: null, manufacturer: null, model: null, macs: [], ...nothingLearned };

function addHardware(rows: CommitLists, { view, decision }: Decided): void {
  const { hostId } = view.run;
  const { bootEpoch } = decision.run;
  const { matchedSku } = decision;
  const { certificate } = decision;
  // A certificate trusted at first contact is pinned once the BMC's identity is accepted (docs/adr/0051-certificates-of-bmcs.md).
  const pin = decision.host?.learned ? certificate?.pin : null;
  const shown = { certificateSeen: certificate?.seen ?? null, bmcCertificate: pin ?? null };
  const sku = { skuId: matchedSku?.id ?? null, skuVersion: matchedSku?.version ?? null };
  if (decision.host !== null) {
    const { learned, leftOut, storage, unresolved, platform, firmware, bios, bmcSettings, parts, ...row } =
      decision.host;
    rows.hosts.push({ hostId, ...row, ...(learned ?? nothingLearned), ...sku, ...shown });
    const body = {
      storage,
      earlier: [],
      unresolved,
      platform,
      firmware,
      macs: row.macs,
      parts: parts ?? null,
    };
    rows.inventories.push({ hostId, bootEpoch, body, leftOut, bios, bmcSettings });
  } else {
    if (decision.storage !== null)
      rows.inventories.push({ hostId, bootEpoch, body: decision.storage, ...drivesAlone });
    if (decision.power !== null || matchedSku !== null || certificate !== null)
      rows.hosts.push({ ...unread, ...sku, ...shown, hostId, powerState: decision.power });
  }
  if (decision.parts !== null) rows.parts.push({ hostId, bootEpoch, ...decision.parts });
  if (decision.eraseLeftUntilMs !== null)
    rows.erases.push({ hostId, chassisSerial: serialOf(view), eraseUntilMs: decision.eraseLeftUntilMs });
}
