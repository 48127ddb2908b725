// The model's commit: what the statement in `db/hot/host/commit.ts` does, on the model's tables.
import { noProgress } from "@/server/domain/hosts/record/reclamation";
import { runReplaced } from "@/server/domain/hosts/record/run";
import type { HostView } from "@/server/domain/hosts/record/view";
import type { Decision } from "@/server/controller/host/decision";
import { runRow } from "@/server/controller/loop/commit-rows";
import { must } from "@/server/controller/testing/model/violation";
import type { HostTables, RunRow } from "@/server/controller/testing/model/tables";
import { openDebts, provenRestart } from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";

type CommitRow = ReturnType<typeof runRow>;

/** The commit statement. False: the fence was lost or evidence moved, and nothing was written. */
export function commit(world: World, controller: string, view: HostView, decision: Decision): boolean {
  const host = world.host;
  const row = runRow({ view, decision });
  if (host === null || host.run.hostId !== row.hostId) return false;
  if (!passesFence(world, controller, host.run, row)) return false;
  must(!host.run.outsideLease, "no controller writes of a host that a repair system has");
  // A trigger refuses the whole commit.
  if (row.state === "Ready" && host.run.state !== "Ready" && world.database.stopped) return false;
  writeRun(world, host.run, row);
  for (const { state } of decision.entered)
    host.history.push({ version: (host.run.stateVersion += 1), state, reclamationId: row.reclamationId });
  writeReclamation(host, decision, row.reclamationId);
  writeSteps(host, decision, row.reclamationId);
  writeTenancy(world, host, decision, row.reclamationId);
  writeWindow(world, host, row, decision.bootWindowMs);
  writeEffects(host, decision);
  host.signals = host.signals.filter(({ id }) => !decision.consumed.includes(String(id)));
  writeFound(host, decision);
  writeMatch(world, decision);
  if (decision.eraseLeftUntilMs !== null)
    world.eraseLeftUntilMs = Math.max(world.eraseLeftUntilMs ?? 0, decision.eraseLeftUntilMs);
  if (decision.deleteHost) {
    // As the trigger `exception_outlives_host` does.
    if (host.run.context.exceptedUntil !== undefined)
      world.debts.push({ driveSerials: [], instanceId: "", clearedBy: null });
    world.retired = false;
    // Whoever decommissioned the host takes it out of its rack.
    if (host.run.state === "Decommissioned") Object.assign(world.machine, { agent: null, waiting: false });
    world.host = null;
  }
  return true;
}

/** The lease is the controller's own, and nothing came that the decision should have seen. */
function passesFence(world: World, controller: string, run: RunRow, row: CommitRow): boolean {
  if (
    String(run.generation) !== row.generation ||
    run.leaseOwner !== controller ||
    run.leaseUntilMs <= world.nowMs
  )
    return false;
  if (row.expectEvidenceSeq !== null && String(run.evidenceSeq) !== row.expectEvidenceSeq) return false;
  return !(row.strict && isWoken(run, row));
}

const isWoken = (run: RunRow, row: CommitRow): boolean => String(run.wakeSeq) !== row.wakeSeq;

/** Fields that are always replaced. */
const replaced = Object.keys(runReplaced.shape);

function replacedOf(row: object): object {
  const fields: Record<string, unknown> = {};
  for (const field of replaced) if (Object.hasOwn(row, field)) fields[field] = Reflect.get(row, field);
  return fields;
}

function writeRun(world: World, run: RunRow, row: CommitRow): void {
  const wasReady = run.state === "Ready";
  if (row.maintenanceSet)
    Object.assign(run, {
      maintenance: row.maintenance,
      maintenanceBy: row.maintenanceBy,
      maintenanceReason: row.maintenanceReason,
    });
  if (row.touchedSet) run.touched = row.touched;
  run.allocatable =
    row.allocatable &&
    !run.maintenance &&
    !run.touched &&
    (run.allocatable || (row.state === "Ready" && !wasReady));
  if (row.entered > 0) run.stateSinceMs = world.nowMs;
  Object.assign(run, replacedOf(row), { dueAtMs: isWoken(run, row) ? world.nowMs : row.dueAtMs });
  if (!row.keepLease) run.leaseOwner = null;
  if (row.commandSet) Object.assign(run, { command: row.command, commandEpoch: row.commandEpoch });
  if (row.erasingSet) run.erasing = row.erasing;
}

/** The boot window of the decision's epoch: opened or extended, and its restart proven. */
function writeWindow(world: World, host: HostTables, row: CommitRow, expiresMs: number | null): void {
  const { bootEpoch } = host.run;
  const known = host.windows.find((window) => window.bootEpoch === bootEpoch);
  if (expiresMs !== null && known !== undefined) known.expiresMs = expiresMs;
  if (expiresMs !== null && known === undefined)
    host.windows.push({ bootEpoch, expiresMs, consumed: false, resetDone: false, contested: false });
  if (row.bootProven) provenRestart(world, host, bootEpoch);
}

function writeEffects(host: HostTables, decision: Decision): void {
  for (const effect of decision.effects)
    host.effects.push({
      ...effect,
      generation: host.run.generation,
      status: "written",
      phase: null,
      before: null,
      value: undefined,
      error: null,
      settledAtMs: null,
      read: false,
    });
  for (const effect of host.effects) if (decision.readEffects.includes(effect.id)) effect.read = true;
  host.effects = host.effects.filter((effect) => !effect.read);
}

/** Stores the BMC's reading: all of it, or its drives. */
function writeFound(host: HostTables, { host: all, storage: drives }: Decision): void {
  if (all !== null)
    Object.assign(host, {
      bmcInventory: all.storage,
      bmcEarlier: [],
      bmcUnresolved: all.unresolved,
      platform: all.platform,
    });
  else if (drives !== null)
    Object.assign(host, {
      bmcInventory: drives.storage,
      bmcEarlier: drives.earlier,
      bmcUnresolved: drives.unresolved,
      platform: drives.platform,
    });
}

/** Only if the host still has no SKU, and the SKU is as it was read. */
function writeMatch(world: World, { matchedSku }: Decision): void {
  const sku = world.skus.find(({ id, version }) => id === matchedSku?.id && version === matchedSku.version);
  if (sku === undefined || world.skuAssigned) return;
  Object.assign(world, { sku, skuAssigned: true });
  world.seen.add("SKU matched");
}

function writeReclamation(host: HostTables, decision: Decision, current: string | null): void {
  const before = decision.endedBefore;
  const replaced = before === null ? undefined : host.reclamations.find((row) => row.view.id === before.id);
  if (before !== null && replaced !== undefined)
    Object.assign(replaced, { ended: true, outcome: before.outcome });
  const change = decision.reclamation;
  if (change !== null) {
    const known = host.reclamations.find((row) => row.view.id === change.row.id);
    if (known === undefined)
      host.reclamations.push({
        view: { ...change.row },
        outcome: change.outcome,
        ended: change.outcome !== null,
        gates: [],
      });
    else
      Object.assign(known, {
        view: { ...change.row },
        outcome: change.outcome,
        ended: change.outcome !== null,
      });
  }
  const evaluated = host.reclamations.find((row) => row.view.id === current);
  if (decision.gates.length > 0 && evaluated !== undefined) evaluated.gates = decision.gates;
}

function writeSteps(host: HostTables, decision: Decision, reclamationId: string | null): void {
  const planEpoch =
    decision.reclamation?.row.planEpoch ??
    host.reclamations.find((row) => row.view.id === reclamationId)?.view.planEpoch ??
    0;
  for (const view of decision.steps) {
    const known = host.steps.find((row) => row.view.id === view.id);
    if (known === undefined)
      host.steps.push({ reclamationId: reclamationId ?? "", planEpoch, view: { ...view } });
    else known.view = { ...view };
  }
  for (const { stepRunId, attempt, bootEpoch, verdict, drives } of decision.attempts) {
    const known = host.attempts.find((row) => row.stepRunId === stepRunId && row.attempt === attempt);
    if (known === undefined)
      host.attempts.push({
        stepRunId,
        attempt,
        bootEpoch,
        report: null,
        verdict,
        progress: { ...noProgress, ends: Object.fromEntries((drives ?? []).map((serial) => [serial, null])) },
        journal: [],
      });
    else if (known.report === null || verdict !== "lost") known.verdict = verdict;
  }
  for (const { serial, model, verdict, reason } of decision.deviceResults)
    host.verdicts.push({ reclamationId: reclamationId ?? "", planEpoch, serial, model, verdict, reason });
}

function writeTenancy(
  world: World,
  host: HostTables,
  decision: Decision,
  reclamationId: string | null,
): void {
  // The parts of one statement do not see each other's rows: a debt written now is not cleared by it.
  if (decision.clearDebts !== null) for (const debt of openDebts(world)) debt.clearedBy = reclamationId;
  if (decision.newDebt !== null)
    world.debts.push({
      driveSerials: decision.newDebt.driveSerials,
      instanceId: decision.newDebt.instanceId,
      clearedBy: null,
    });
  const ended =
    decision.endInstance === null
      ? undefined
      : world.instances.find((row) => row.id === decision.endInstance && row.hostId === host.run.hostId);
  if (ended !== undefined) Object.assign(ended, { ended: true, resourcesHeld: 0 });
}
