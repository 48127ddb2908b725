// Builds a handler's view of a host for table tests: name a state, and only what matters to the case.
import { noLimits } from "@/server/domain/cleaning/queue/admission";
import { defaultPolicy } from "@/server/domain/cleaning/policy";
import type { Policy } from "@/server/domain/cleaning/policy";
import type { NetworkWanted } from "@/server/domain/network/network-protocol";
import type { StorageDevice } from "@/server/domain/inventory/inventory";
import { noPlatformFacts } from "@/server/domain/inventory/platform";
import { emptyContext } from "@/server/domain/lifecycle/context";
import type { ProvenContext, RunContext } from "@/server/domain/lifecycle/context";
import type { Signal } from "@/server/domain/lifecycle/signals";
import { topLevel } from "@/server/domain/lifecycle/states";
import type { State } from "@/server/domain/lifecycle/states";
import { wantedDigest } from "@/server/domain/network/wanted-digest";
import { freezeDevices } from "@/server/domain/sanitization/known-devices";
import { nothingKnown } from "@/server/domain/cleaning/steps/step";
import { cleanSteps } from "@/server/domain/cleaning/steps/catalogue";
import { readingOf } from "@/server/controller/inventory/bmc-storage";
import type { ReadingPhase } from "@/server/controller/inventory/bmc-storage";
import { newReclamation } from "@/server/controller/host/new-reclamation";
import { decide } from "@/server/controller/decide/decide";
import type { DecideOptions } from "@/server/controller/decide/decide";
import type { Decision } from "@/server/controller/host/decision";
import { noProgress } from "@/server/domain/host-record/reclamation";
import type { EffectKind, EffectView } from "@/server/domain/host-record/effect";
import type { InstanceView } from "@/server/domain/host-record/host";
import type { AttemptView, ReclamationView, StepView } from "@/server/domain/host-record/reclamation";
import type { RunView } from "@/server/domain/host-record/run";
import type { AgentView, HostView } from "@/server/domain/host-record/view";
import type { ContentRecord } from "@/server/domain/sanitization/content";
import {
  allDrives,
  chassisSerial,
  fingerprintOf,
  interfaces,
  inventoryOf,
  sku,
  systemUuid,
} from "@/server/controller/testing/hardware";

/** The database's clock in every view, unless a case sets another. */
export const now = Date.UTC(2026, 10, 1, 12);
export const minute = 60_000;

export const hostId = "00000000-0000-4000-8000-000000000001";
export const instanceId = "00000000-0000-4000-8000-000000000002";
export const tenantId = "00000000-0000-4000-8000-000000000003";
export const reclamationId = "00000000-0000-4000-8000-000000000004";
export const stepId = (position: number): string => `00000000-0000-4000-8000-00000000010${position}`;

export const by = { personId: null, name: "operator", requestId: "req-1" };

export interface ViewChanges extends Partial<
  Omit<HostView, "run" | "signals" | "effects" | "site" | "host">
> {
  readonly run?: Partial<RunView>;
  readonly host?: Partial<HostView["host"]>;
  readonly site?: Partial<HostView["site"]>;
  readonly context?: Partial<RunContext>;
  readonly signals?: readonly Signal[];
  readonly effects?: readonly EffectView[];
  /** The BMC's drives were not read since this reclamation began, or since cleaning ended. */
  readonly drivesUnread?: true;
}

/** A reading of the BMC's drives as this state needs it, which most cases have. */
function drivesRead(
  state: State,
  { reclamation: row, drivesUnread, run }: ViewChanges,
  proven: ProvenContext,
): ProvenContext {
  if (drivesUnread === true || row === undefined || row === null || proven.storageRead !== undefined)
    return proven;
  const [after, readAt] = [topLevel(state) === "BomValidating", new Date(now - minute).toISOString()];
  const storageRead = { of: readingOf(row, after ? "after" : "before"), readAt, retryAt: null, failures: 0 };
  return {
    ...proven,
    storageRead,
    ...(after && proven.outOfBand === undefined
      ? { outOfBand: { epoch: run?.bootEpoch ?? 3, readAt, drives: [] } }
      : {}),
  };
}

/** Everything that the gates ask of the run, proven in boots 2 and 3. */
export const allProven = {
  lastStepEpoch: 2,
  memoryStepEpoch: 2,
  cleaningSkipped: false,
  networkVersion: 2,
  sku: { epoch: 3, name: "R760", differences: 0, storage: null },
  tests: { epoch: 3, passed: 3, failed: [], skipped: [] },
};

/** A run without anything special. */
export const quietRun = {
  siteId: "site",
  name: "host-1",
  maintenance: false,
  maintenanceBy: null,
  maintenanceReason: null,
  lastError: null,
  touched: false,
  touchedReason: null,
  health: null,
  erasing: false,
  cleanPercent: null,
} satisfies Partial<RunView>;

/** One alert with this classification, as it is stored beside a run. */
export const alerted = (name: string, id = "FanFailed", more = 0): RunView["health"] => ({
  sources: ["monitor"],
  classifications: [name],
  alerts: [
    {
      id,
      target: null,
      sources: ["monitor"],
      inAlertSince: new Date(now).toISOString(),
      message: "fan 1 stands",
      classifications: [name],
    },
  ],
  more,
});

/** A host without anything special. */
export const quietHost = {
  serial: chassisSerial,
  systemUuid,
  expectedSerial: null,
  expectedSystemUuid: null,
  hardwareType: "dell",
  model: "Dell Inc. PowerEdge R750",
  networkInterfaces: [...interfaces],
  sku,
  skuAssigned: true,
  automatedClean: null,
  retired: false,
} satisfies HostView["host"];

/** A host of a demo site in `state`, on boot epoch 3, with nothing pending. */
export function hostView(state: State, changes: ViewChanges = {}): HostView {
  const { run, host, site, context: given, signals, effects, drivesUnread: _unread, ...rest } = changes;
  const context = { ...emptyContext(), ...given };
  return {
    nowMs: now,
    run: {
      hostId,
      ...quietRun,
      state,
      stateSinceMs: now - minute,
      context: { ...context, proven: drivesRead(state, changes, context.proven) },
      generation: "7",
      wakeSeq: "3",
      evidenceSeq: "5",
      bootEpoch: 3,
      allocatable: state === "Ready",
      reclamationId: changes.reclamation?.id ?? null,
      ...run,
    },
    host: { ...quietHost, ...host },
    site: { ...demoSite, policy: { ...defaultPolicy(), admission: noLimits }, ...site },
    reclamation: null,
    lastReady: null,
    steps: [],
    attempt: null,
    deviceVerdicts: [],
    agent: null,
    lastAgent: changes.agent ?? null,
    bootRefusal: null,
    overrides: [],
    brakes: [],
    skus: null,
    image: null,
    inventory: { bmc: null, agent: null },
    platform: noPlatformFacts,
    instance: null,
    acks: [],
    resourcesHeld: 0,
    debts: { count: 0, driveSerials: [] },
    dispositions: [],
    assurance: null,
    exceptions: [],
    told: null,
    signals: (signals ?? []).map((signal, index) => ({ id: String(index + 1), signal })),
    effects: effects ?? [],
    ...rest,
  };
}

const demoSite = { demo: true, policyVersion: 1, policyKey: "site/1" };

/** A release in progress, without a plan. */
export function reclamation(changes: Partial<ReclamationView> = {}): ReclamationView {
  const site = { ...demoSite, policy: defaultPolicy() };
  return {
    ...newReclamation({ nowMs: now - 10 * minute, site }, reclamationId, "release", by, null),
    instanceId,
    tenantId,
    ...changes,
  };
}

/** The same with a frozen device list and a plan. */
export function planned(changes: Partial<ReclamationView> = {}): ReclamationView {
  return reclamation({
    devices: freezeDevices(allDrives, allDrives, [], []),
    content: contentOf(),
    planMade: true,
    planEpoch: 1,
    plan: { managers: [], disabled: [] },
    ...changes,
  });
}

/** All drives were fingerprinted when they were erased, and found unchanged in boot epoch 3. */
export function contentOf(changes: Partial<ContentRecord> = {}): ContentRecord {
  return {
    secret: "secret",
    since: "erase",
    drives: allDrives.map((device) => ({
      serial: device.serial,
      model: device.model,
      fingerprint: fingerprintOf(device),
    })),
    read: { epoch: 3, at: new Date(now).toISOString() },
    ...changes,
  };
}

/** The default plan; `changes` by step name. */
export function plan(changes: Readonly<Record<string, Partial<StepView>>> = {}): readonly StepView[] {
  const usual = cleanSteps.filter((step) =>
    ["erase_nvme", "erase_disks", "verify_mem_overwrite", "reset_infiniband"].includes(step.step),
  );
  return usual.map((step, index) => ({
    id: stepId(index + 1),
    position: index + 1,
    interface: step.interface,
    step: step.step,
    where: step.where,
    args: {},
    abortable: step.abortable,
    timeLimitMs: step.timeLimitMs(defaultPolicy(), {}, { ...nothingKnown, storage: allDrives }),
    priority: step.priority,
    prioritySource: "default",
    proves: step.proves,
    status: "planned",
    attempt: 0,
    maxAttempts: 2,
    startedAtMs: null,
    endedAtMs: null,
    deadlineAtMs: null,
    message: null,
    ...changes[step.step],
  }));
}

/** Every step of the plan succeeded. */
export function succeededPlan(): readonly StepView[] {
  return plan().map((step) => ({
    ...step,
    status: "succeeded",
    attempt: 1,
    startedAtMs: now - 9 * minute,
    endedAtMs: now - 5 * minute,
  }));
}

export const allSanitized: HostView["deviceVerdicts"] = allDrives.map(({ serial, model }) => ({
  serial,
  model,
  verdict: "sanitized",
  reason: "purge",
}));

export function attempt(changes: Partial<AttemptView> = {}): AttemptView {
  return {
    stepRunId: stepId(1),
    attempt: 1,
    bootEpoch: 3,
    report: null,
    verdict: null,
    progress: noProgress,
    journal: [],
    ...changes,
  };
}

/** Progress in which the only drive reported ends at this time. */
export const endsAt = (atMs: number | null): AttemptView["progress"] => ({
  ends: { NVME1: atMs },
  reportedAtMs: now - minute,
  movedAtMs: now - minute,
});

/** An agent of boot epoch 3, heard from 5 s ago. */
export function agent(changes: Partial<AgentView> = {}): AgentView {
  return {
    bootEpoch: 3,
    lastSeenMs: now - 5_000,
    registeredMs: now - 5 * minute,
    agentVersion: "1.0.0",
    hardwareManagers: [],
    afterReset: true,
    contested: false,
    ...changes,
  };
}

/** What BMC and agent found, in boot epoch 3. */
export function inventory(bootEpoch = 3, collectedMs = now - 5 * minute): HostView["inventory"] {
  return { bmc: allDrives, agent: { bootEpoch, collectedMs, body: inventoryOf(allDrives) } };
}

export function instance(changes: Partial<InstanceView> = {}): InstanceView {
  return {
    id: instanceId,
    tenantId,
    network: null,
    releaseRequestedMs: null,
    repairRelease: false,
    ...changes,
  };
}

/** The context of a host that requested a network, in version 2. */
export function networkContext(
  network: NetworkWanted["network"],
  changes: Partial<NonNullable<RunContext["network"]>> = {},
): NonNullable<RunContext["network"]> {
  const wanted: NetworkWanted = {
    host: hostId,
    version: 2,
    network,
    tenant: network === "tenant" ? tenantId : null,
    interfaces: [...interfaces],
    extensionServices: network === "tenant",
  };
  return {
    wanted,
    sha256: wantedDigest(wanted),
    askedAt: new Date(now - minute).toISOString(),
    retryAt: null,
    failures: 0,
    ...changes,
  };
}

/** An acknowledgement of what that context requests, by every interface. */
export function acksOf(context: NonNullable<RunContext["network"]>): HostView["acks"] {
  return context.wanted.interfaces.map((name) => ({
    interface: name,
    version: context.wanted.version,
    sha256: context.sha256 ?? "",
    extensionServices: "terminated",
  }));
}

/** An effect of the generation before this claim; if it ended, it did so just now. */
export function effect(
  kind: EffectKind,
  status: EffectView["status"],
  result: unknown = null,
  settledAtMs = now,
): EffectView {
  const ended = status === "done" || status === "failed" || status === "unknown";
  return {
    id: `effect-${kind}`,
    kind,
    status,
    generation: "6",
    request: {},
    result,
    settledAtMs: ended ? settledAtMs : null,
  };
}

/** The effect that reads the BMC's drives for that reclamation. */
export const drivesEffect = (
  phase: ReadingPhase,
  row: ReclamationView,
  status: EffectView["status"],
  result: unknown = null,
): EffectView => ({
  ...effect("verify", status, result),
  request: { only: "storage", of: readingOf(row, phase) },
});

/** The value of such a reading. */
export const drivesTold = (
  storage: readonly StorageDevice[],
  changes: Readonly<Record<string, unknown>> = {},
  serial = chassisSerial,
): { readonly value: unknown } => ({
  value: {
    system: {
      power: "on",
      bootOverride: { source: "none", enabled: false },
      serial,
      uuid: systemUuid,
      manufacturer: "Dell Inc.",
      model: "PowerEdge R760",
    },
    storage,
    unresolved: [],
    platform: noPlatformFacts,
    ...changes,
  },
});

export const failedEffect = (kind: EffectKind, message = "503 Service Unavailable"): EffectView =>
  effect(kind, "failed", { error: { kind: "failed", message } });

/** The value of a restart into an agent, proven by a reset mark that moved on. */
export const restarted = (
  before: string | null = "2026-11-01T10:00:00Z",
  after: string | null = "2026-11-01T12:00:00Z",
): { readonly value: object } => ({
  value: {
    power: "on",
    bootOverride: { source: "none", enabled: false },
    serial: chassisSerial,
    uuid: systemUuid,
    manufacturer: "Dell Inc.",
    model: "PowerEdge R760",
    resetMark: after,
    restart: { proof: "resetMark", before },
  },
});

export function systemRead(
  overrideEnabled: boolean,
  power: "on" | "off" | "poweringOn" = "on",
  resetMark: string | null = null,
): unknown {
  return {
    value: {
      resetMark,
      power,
      bootOverride: { source: overrideEnabled ? "uefiHttp" : "none", enabled: overrideEnabled },
      serial: chassisSerial,
      uuid: systemUuid,
      manufacturer: "Dell Inc.",
      model: "PowerEdge R760",
    },
  };
}

export function withTimes(changes: Partial<Policy["times"]>): Policy {
  const policy = defaultPolicy();
  return { ...policy, times: { ...policy.times, ...changes } };
}

/** Decides with ids that count up from `new-1`. */
export function decideOn(view: HostView, options: Omit<DecideOptions, "newId"> = {}): Decision {
  let ids = 0;
  return decide(view, { newId: () => `new-${(ids += 1)}`, ...options });
}

/** States entered, in order. */
export const path = (decision: Decision): readonly State[] => decision.entered.map((row) => row.state);

export const effectKindsOf = (decision: Decision): readonly EffectKind[] =>
  decision.effects.map((row) => row.kind);

const admin = networkContext("admin");
/** A host in the cleaning queue, with its agent and inventory, on the admin network. */
export const queued = {
  reclamation: reclamation(),
  acks: acksOf(admin),
  context: { network: admin, minEpoch: 3 },
  agent: agent(),
  inventory: inventory(),
} satisfies ViewChanges;
