// The model's claim: what the statement in `db/hot/host/claim.ts` does and reads, on the model's tables.
import type { AttemptView, ReclamationView, StepView } from "@/server/domain/hosts/record/reclamation";
import type { EffectView } from "@/server/domain/hosts/record/effect";
import type { RunView } from "@/server/domain/hosts/record/run";
import {
  exceptionStates,
  gateStates,
  matchingStates,
  planningStates,
  statesWithoutInventory,
} from "@/server/domain/hosts/record/scope";
import type { AgentView, HostView } from "@/server/domain/hosts/record/view";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import { isClaimable } from "@/server/domain/lifecycle/states";
import type { State } from "@/server/domain/lifecycle/states";
import { quietHost, quietRun } from "@/server/controller/testing/host-view";
import { assuranceOf } from "@/server/controller/testing/model/assurance";
import { measurementOf } from "@/server/controller/testing/model/attestation";
import type { EffectRow, HostTables, RunRow } from "@/server/controller/testing/model/tables";
import { openDebts, openInstance } from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";

const leaseMs = 60_000;

const withoutInventory: ReadonlySet<State> = new Set(statesWithoutInventory);
const planning: ReadonlySet<State> = new Set(planningStates);
const matching: ReadonlySet<State> = new Set(matchingStates);
const gating: ReadonlySet<State> = new Set(gateStates);
const excepting: ReadonlySet<State> = new Set(exceptionStates);

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

function viewOf(world: World, host: HostTables): HostView {
  const { run } = host;
  const reclamation = host.reclamations.find((row) => !row.ended)?.view ?? null;
  const steps = reclamation === null ? [] : stepsOf(host, reclamation);
  const agent = host.sessions.find((session) => session.bootEpoch === run.bootEpoch) ?? null;
  const newest = host.sessions.at(-1);
  const instance = openInstance(world);
  return {
    nowMs: world.nowMs,
    run: runOf(run),
    host: {
      ...quietHost,
      model: null,
      sku: world.sku,
      skuAssigned: world.skuAssigned,
      automatedClean: world.hostAutomatedClean,
      retired: world.retired,
    },
    site: {
      demo: world.demo,
      policyVersion: world.policyVersion,
      policyKey: String(world.policyVersion),
      policy: world.policy,
    },
    reclamation,
    steps,
    lastReady: lastReadyOf(host, instance !== null),
    elsewhere: gating.has(run.state) ? [] : null,
    watch: isClaimable(run.state) && instance !== null ? watchOf(host) : null,
    attempt: attemptOf(host, steps),
    deviceVerdicts: reclamation === null ? [] : verdictsOf(host, reclamation),
    agent: agent === null ? null : agentOf(host, agent),
    bootRefusal: null,
    rollout: null,
    measurement: measurementOf(world, host),
    lastAgent: newest === undefined ? null : agentOf(host, newest),
    overrides: planning.has(run.state) ? [...world.overrides] : null,
    brakes: planning.has(run.state) ? [] : null,
    parts: { known: null, accepted: [] },
    skus: matching.has(run.state) && !world.skuAssigned ? [...world.skus] : null,
    assurance: assuranceOf(host),
    image: null,
    ...foundOf(world, host),
    instance:
      instance === null
        ? null
        : {
            id: instance.id,
            tenantId: "tenant",
            network: null,
            releaseRequestedMs: instance.releaseRequestedMs,
            repairRelease: false,
          },
    acks: [...host.acks],
    resourcesHeld: instance?.resourcesHeld ?? 0,
    debts: debtsOf(world, host),
    exceptions: excepting.has(run.state)
      ? world.exceptions.filter(({ reclamationId }) => reclamationId === reclamation?.id)
      : null,
    told: null,
    signals: host.signals.map(({ id, signal }) => ({ id: String(id), signal })),
    effects: host.effects.filter((row) => !row.read).map(effectOf),
  };
}

const runOf = (run: RunRow): RunView => ({
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
});

/** The steps of its newest plan. */
const stepsOf = (host: HostTables, { id, planEpoch }: ReclamationView): readonly StepView[] =>
  host.steps
    .filter((row) => row.reclamationId === id && row.planEpoch === planEpoch)
    .map((row) => row.view)
    .sort((a, b) => a.position - b.position);

/** Nobody looks while the host waits: what its reclamation left is all there is to compare with. */
const watchOf = ({ run, bmcInventory, bmcUnresolved }: HostTables): HostView["watch"] => ({
  last: null,
  agentRestarts: run.state === "Ready",
  readySinceMs: run.stateSinceMs,
  orderedMark: run.context.resetMark ?? null,
  orderedReadAt: run.context.markClock?.readAt ?? null,
  inventory:
    bmcInventory === null
      ? null
      : {
          drives: bmcInventory.map(({ serial, model }) => ({ serial, model })),
          unnamed: bmcUnresolved.map(({ key }) => key),
        },
  elsewhere: [],
});

/** The reclamation that made a host Ready, if it was claimed or somebody may have touched the host since. */
function lastReadyOf({ run, reclamations }: HostTables, claimed: boolean): ReclamationView | null {
  if (run.state !== "Ready" || !(run.touched || claimed)) return null;
  return (
    reclamations.find((row) => row.view.id === run.reclamationId && row.outcome === "ready")?.view ?? null
  );
}

/** The newest attempt of the first step that has begun and not succeeded. */
function attemptOf(host: HostTables, steps: readonly StepView[]): AttemptView | null {
  const current = steps.find(
    (step) => step.attempt > 0 && step.status !== "succeeded" && step.status !== "excepted",
  );
  const ofStep = host.attempts.filter((row) => row.stepRunId === current?.id);
  const attempt = ofStep.find((row) => row.attempt === current?.attempt);
  if (attempt === undefined) return null;
  const journal = current?.status === "planned" ? ofStep.flatMap((row) => row.journal) : [];
  return { ...attempt, journal };
}

/** The newest verdict on each device; for a recheck without a plan, those of the host's last erase. */
export function verdictsOf(
  host: HostTables,
  { id, planEpoch, kind, devices }: ReclamationView,
): HostView["deviceVerdicts"] {
  const rests = kind === "recheck" && planEpoch === 0;
  const expected = new Set((devices?.expected ?? []).map(({ serial, model }) => `${serial} ${model}`));
  const newest = new Map(
    host.verdicts
      .filter((row) =>
        rests
          ? expected.has(`${row.serial} ${row.model}`)
          : row.reclamationId === id && row.planEpoch === planEpoch,
      )
      .map((row) => [`${row.serial} ${row.model}`, row]),
  );
  return [...newest.values()].map(({ serial, model, verdict, reason }) => ({
    serial,
    model,
    verdict,
    reason,
  }));
}

/** What was found in the host and stated about it; claims in some states do not read it. */
function foundOf(world: World, host: HostTables): Pick<HostView, "platform" | "inventory" | "dispositions"> {
  if (withoutInventory.has(host.run.state))
    return { platform: noPlatformFacts, inventory: { bmc: null, agent: null }, dispositions: null };
  const { platform, bmcInventory: bmc, bmcEarlier, bmcUnresolved, agentInventory: agent } = host;
  return {
    platform,
    inventory: { bmc, bmcEarlier, bmcUnresolved, agent },
    dispositions: [...world.dispositions],
  };
}

function debtsOf(world: World, host: HostTables): HostView["debts"] {
  const debts = openDebts(world);
  return {
    count: debts.length + returnedDrives(world, host) + exceptedDrives(world, host),
    driveSerials: [...new Set(debts.flatMap((debt) => debt.driveSerials))],
  };
}

/** Drives that an exception let through are still owed. */
function exceptedDrives(world: World, { run, bmcInventory, agentInventory }: HostTables): number {
  const listed = new Set(
    [...(bmcInventory ?? []), ...(agentInventory?.body.storage ?? [])].map(({ serial }) => serial),
  );
  return withoutInventory.has(run.state)
    ? 0
    : world.exceptions.filter(({ device }) => device !== null && listed.has(device.serial)).length;
}

/** Drives stated as removed that an inventory still lists: each is owed. */
function returnedDrives(world: World, { run, bmcInventory, agentInventory }: HostTables): number {
  const listed = new Set(
    [...(bmcInventory ?? []), ...(agentInventory?.body.storage ?? [])].map(({ serial }) => serial),
  );
  return withoutInventory.has(run.state) ? 0 : world.dispositions.filter(({ key }) => listed.has(key)).length;
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

function effectOf(row: EffectRow): EffectView {
  const { id, kind, status, request, settledAtMs } = row;
  return {
    id,
    kind,
    status,
    generation: String(row.generation),
    request,
    settledAtMs,
    result: resultOf(row),
  };
}

function resultOf({ phase, value, error, before }: EffectRow): object | null {
  if (phase === null && value === undefined && error === null) return null;
  return {
    ...(phase === null ? {} : { phase }),
    ...(before?.resetMark == null ? {} : before),
    ...(error === null ? { value: value ?? null } : { error }),
  };
}
