// Claim, commit, permit and settle of the model: what the statements in `db/hot/` do, on the tables of the model.
import { noProgress } from "@/server/domain/host-record/reclamation";
import type { AgentView, HostView } from "@/server/domain/host-record/view";
import type { Decision } from "@/server/controller/host/decision";
import { runReplaced } from "@/server/domain/host-record/run";
import { planningStates, statesWithoutInventory } from "@/server/domain/host-record/scope";
import { noPlatformFacts } from "@/server/domain/inventory/platform";
import type { State } from "@/server/domain/lifecycle/states";
import { runRow } from "@/server/controller/loop/commit-rows";
import { chassisSerial, interfaces, systemUuid } from "@/server/controller/testing/hardware";
import { quietRun } from "@/server/controller/testing/host-view";
import { openInstance, standingDebts } from "@/server/controller/testing/model/world";
import type { EffectRow, HostTables, World } from "@/server/controller/testing/model/world";

export const leaseMs = 60_000;
/** Time limit of an effect; a permit prolongs the lease by this and 15 s (`permitEffects`). */
export const effectMs = 45_000;

const withoutInventory: ReadonlySet<State> = new Set(statesWithoutInventory);
const planning: ReadonlySet<State> = new Set(planningStates);

/** Leases the host if it is due and free; null when it is not. */
export function claim(world: World, controller: string): HostView | null {
  const host = world.host;
  if (host === null || world.database.stopped || !world.database.confirmed) return null;
  const { run } = host;
  if (run.dueAtMs === null || run.dueAtMs > world.nowMs) return null;
  if (run.leaseOwner !== null && run.leaseUntilMs >= world.nowMs) return null;
  run.leaseOwner = controller;
  run.leaseUntilMs = world.nowMs + leaseMs;
  run.generation += 1;
  return viewOf(world, host);
}

/** Drives that were stated to be removed and that an inventory lists all the same: each is owed. */
function returnedDrives(world: World, { run, bmcInventory, agentInventory }: HostTables): number {
  const listed = new Set(
    [...(bmcInventory ?? []), ...(agentInventory?.body.storage ?? [])].map(({ serial }) => serial),
  );
  return withoutInventory.has(run.state) ? 0 : world.dispositions.filter(({ key }) => listed.has(key)).length;
}

function viewOf(world: World, host: HostTables): HostView {
  const { run } = host;
  const reclamation = host.reclamations.find((row) => !row.ended)?.view ?? null;
  const steps =
    reclamation === null
      ? []
      : host.steps
          .filter((row) => row.reclamationId === reclamation.id && row.planEpoch === reclamation.planEpoch)
          .map((row) => row.view)
          .sort((a, b) => a.position - b.position);
  const current = steps.find(
    (step) => step.attempt > 0 && step.status !== "succeeded" && step.status !== "excepted",
  );
  const attempt =
    current === undefined
      ? undefined
      : host.attempts.find((row) => row.stepRunId === current.id && row.attempt === current.attempt);
  const verdicts = new Map(
    host.verdicts
      .filter((row) => row.reclamationId === reclamation?.id && row.planEpoch === reclamation.planEpoch)
      .map((row) => [`${row.serial} ${row.model}`, row]),
  );
  const agent = host.sessions.find((session) => session.bootEpoch === run.bootEpoch) ?? null;
  const newest = host.sessions.at(-1);
  const instance = openInstance(world);
  const debts = standingDebts(world);
  return {
    nowMs: world.nowMs,
    run: {
      hostId: run.hostId,
      ...quietRun,
      state: run.state,
      stateSinceMs: run.stateSinceMs,
      context: run.context,
      generation: String(run.generation),
      wakeSeq: String(run.wakeSeq),
      evidenceSeq: String(run.evidenceSeq),
      bootEpoch: run.bootEpoch,
      maintenance: run.maintenance,
      maintenanceBy: run.maintenanceBy,
      maintenanceReason: run.maintenanceReason,
      lastError: run.lastError,
      allocatable: run.allocatable,
      touched: run.touched,
      erasing: run.erasing,
      reclamationId: run.reclamationId,
    },
    host: {
      serial: chassisSerial,
      systemUuid,
      hardwareType: "dell",
      model: null,
      networkInterfaces: [...interfaces],
      sku: world.sku,
      skuAssigned: world.skuAssigned,
      automatedClean: world.hostAutomatedClean,
      retired: false,
    },
    site: {
      demo: world.demo,
      policyVersion: world.policyVersion,
      policyKey: String(world.policyVersion),
      policy: world.policy,
    },
    reclamation,
    steps,
    lastReady:
      run.state === "Ready" && run.touched
        ? (host.reclamations.find((row) => row.view.id === run.reclamationId && row.outcome === "ready")
            ?.view ?? null)
        : null,
    attempt:
      attempt === undefined
        ? null
        : {
            ...attempt,
            journal:
              current?.status === "planned"
                ? host.attempts
                    .filter((row) => row.stepRunId === attempt.stepRunId)
                    .flatMap((row) => row.journal)
                : [],
          },
    deviceVerdicts: [...verdicts.values()].map(({ serial, model, verdict, reason }) => ({
      serial,
      model,
      verdict,
      reason,
    })),
    agent: agent === null ? null : agentOf(host, agent),
    lastAgent: newest === undefined ? null : agentOf(host, newest),
    overrides: planning.has(run.state) ? [...world.overrides] : null,
    brakes: planning.has(run.state) ? [] : null,
    image: null,
    platform: withoutInventory.has(run.state) ? noPlatformFacts : host.platform,
    inventory: withoutInventory.has(run.state)
      ? { bmc: null, agent: null }
      : {
          bmc: host.bmcInventory,
          bmcEarlier: host.bmcEarlier,
          bmcUnresolved: host.bmcUnresolved,
          agent: host.agentInventory,
        },
    instance:
      instance === null
        ? null
        : { id: instance.id, tenantId: "tenant", releaseRequestedMs: instance.releaseRequestedMs },
    acks: [...host.acks],
    resourcesHeld: instance?.resourcesHeld ?? 0,
    dispositions: withoutInventory.has(run.state) ? null : [...world.dispositions],
    debts: {
      count: debts.length + returnedDrives(world, host),
      driveSerials: [...new Set(debts.flatMap((debt) => debt.driveSerials))],
    },
    told: null,
    signals: host.signals.map(({ id, signal }) => ({ id: String(id), signal })),
    effects: host.effects
      .filter((row) => !row.read)
      .map((row) => ({
        id: row.id,
        kind: row.kind,
        status: row.status,
        generation: String(row.generation),
        request: row.request,
        settledAtMs: row.settledAtMs,
        result:
          row.phase === null && row.value === undefined && row.error === null
            ? null
            : {
                ...(row.phase === null ? {} : { phase: row.phase }),
                ...(row.resetMark === null ? {} : { resetMark: row.resetMark }),
                ...(row.error === null ? { value: row.value ?? null } : { error: row.error }),
              },
      })),
  };
}

function agentOf({ windows }: HostTables, session: HostTables["sessions"][number]): AgentView {
  const window = windows.find((row) => row.bootEpoch === session.bootEpoch);
  return {
    ...session,
    agentVersion: "1.0.0",
    hardwareManagers: [],
    afterReset: window?.resetDone === true,
    contested: window?.contested === true,
  };
}

/** The fields that the row becomes, whatever it was. */
const replacedOf = (row: object): object =>
  Object.fromEntries(Object.entries(row).filter(([field]) => field in runReplaced.shape));

/** The commit statement. False: the fence was lost, or evidence moved, and nothing was written. */
export function commit(world: World, controller: string, view: HostView, decision: Decision): boolean {
  const host = world.host;
  const row = runRow({ view, decision });
  if (host === null || host.run.hostId !== row.hostId) return false;
  const { run } = host;
  if (
    String(run.generation) !== row.generation ||
    run.leaseOwner !== controller ||
    run.leaseUntilMs <= world.nowMs
  )
    return false;
  if (row.expectEvidenceSeq !== null && String(run.evidenceSeq) !== row.expectEvidenceSeq) return false;
  const woken = String(run.wakeSeq) !== row.wakeSeq;
  if (row.strict && woken) return false;
  // The trigger, which lets nothing of the commit through.
  if (row.state === "Ready" && run.state !== "Ready" && world.database.stopped) return false;

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
  Object.assign(run, replacedOf(row), { dueAtMs: woken ? world.nowMs : row.dueAtMs });
  if (!row.keepLease) run.leaseOwner = null;
  if (row.commandSet) Object.assign(run, { command: row.command, commandEpoch: row.commandEpoch });
  if (row.erasingSet) run.erasing = row.erasing;
  for (const entered of decision.entered)
    host.history.push({
      version: (run.stateVersion += 1),
      state: entered.state,
      reclamationId: row.reclamationId,
    });
  writeReclamation(host, decision, row.reclamationId);
  writeSteps(host, decision, row.reclamationId);
  writeTenancy(world, host, decision, row.reclamationId);
  if (decision.bootWindowMs !== null) {
    const window = host.windows.find((known) => known.bootEpoch === run.bootEpoch);
    if (window === undefined)
      host.windows.push({
        bootEpoch: run.bootEpoch,
        expiresMs: decision.bootWindowMs,
        consumed: false,
        resetDone: false,
        contested: false,
      });
    else window.expiresMs = decision.bootWindowMs;
  }
  if (row.bootProven) openWindow(host, run.bootEpoch);
  for (const effect of decision.effects)
    host.effects.push({
      ...effect,
      generation: run.generation,
      status: "written",
      phase: null,
      resetMark: null,
      value: undefined,
      error: null,
      settledAtMs: null,
      read: false,
    });
  for (const effect of host.effects) if (decision.readEffects.includes(effect.id)) effect.read = true;
  host.effects = host.effects.filter((effect) => !effect.read);
  host.signals = host.signals.filter(({ id }) => !decision.consumed.includes(String(id)));
  if (decision.host !== null)
    Object.assign(host, {
      bmcInventory: decision.host.storage,
      bmcEarlier: [],
      bmcUnresolved: decision.host.unresolved,
      platform: decision.host.platform,
    });
  else if (decision.storage !== null) {
    const { storage, earlier, unresolved, platform } = decision.storage;
    Object.assign(host, { bmcInventory: storage, bmcEarlier: earlier, bmcUnresolved: unresolved, platform });
  }
  if (decision.eraseLeftUntilMs !== null)
    world.eraseLeftUntilMs = Math.max(world.eraseLeftUntilMs ?? 0, decision.eraseLeftUntilMs);
  if (decision.deleteHost) world.host = null;
  return true;
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
  // Of one statement the parts do not see each other's rows: a debt written now is not cleared by it.
  if (decision.clearDebts !== null) for (const debt of standingDebts(world)) debt.clearedBy = reclamationId;
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

/** The permit right before a request. */
export function permit(
  world: World,
  controller: string,
  hostId: string,
  effect: EffectRow,
  power: boolean,
  phase: string,
  resetMark: string | null,
): boolean {
  const host = world.host;
  if (host === null || host.run.hostId !== hostId) return false;
  const { run } = host;
  if (
    run.generation !== effect.generation ||
    run.leaseOwner !== controller ||
    run.leaseUntilMs <= world.nowMs
  )
    return false;
  const askedFor =
    (run.context.cleaning.job?.restartEpoch ?? Infinity) <= Number(effect.request["bootEpoch"] ?? NaN);
  if (
    power &&
    (run.erasing ||
      host.steps.some(
        ({ view }) =>
          view.status === "running" &&
          !(view.where === "controller" && (askedFor || (view.step === "hold" && effect.kind === "power"))),
      ))
  )
    return false;
  run.leaseUntilMs = Math.max(run.leaseUntilMs, world.nowMs + effectMs + 15_000);
  effect.status = "permitted";
  effect.phase = phase;
  effect.resetMark = phase === "reset" && effect.kind === "bootAgent" ? resetMark : null;
  return true;
}

/** The restart of that boot is done. */
function openWindow(host: HostTables, bootEpoch: number): void {
  const window = host.windows.find((row) => row.bootEpoch === bootEpoch);
  if (window !== undefined) window.resetDone = true;
}

export interface Settled {
  readonly status: "done" | "failed" | "unknown";
  readonly value?: unknown;
  readonly error?: { kind: string; message: string };
}

/** Stores an outcome; one whose lease was lost changes nothing. */
export function settle(
  world: World,
  controller: string,
  hostId: string,
  effect: EffectRow,
  outcome: Settled,
  last: boolean,
): void {
  const host = world.host;
  if (host === null || host.run.hostId !== hostId) return;
  const { run } = host;
  if (run.generation !== effect.generation || run.leaseOwner !== controller) return;
  if (last) run.leaseOwner = null;
  run.dueAtMs = Math.min(
    run.dueAtMs ?? Infinity,
    world.nowMs + (outcome.status === "done" ? effect.quietMs : 0),
  );
  if (effect.settledAtMs !== null) return;
  if (effect.kind === "bootAgent" && outcome.status === "done")
    openWindow(host, Number(effect.request["bootEpoch"]));
  Object.assign(effect, {
    status: outcome.status,
    value: outcome.value,
    error: outcome.error ?? null,
    settledAtMs: world.nowMs,
  });
}

/** What the periodic work finds: leases that ran out, and (`takeOverDead`) those of dead controllers. */
export function sweep(world: World, dead: ReadonlySet<string>): void {
  const run = world.host?.run;
  if (run === undefined || run.leaseOwner === null) return;
  if (run.leaseUntilMs < world.nowMs || dead.has(run.leaseOwner))
    Object.assign(run, { leaseOwner: null, dueAtMs: world.nowMs });
}
