// Builds a handler's view of a host for table tests: name a state, and only what matters to the case.
import { noLimits } from "@/server/domain/cleaning/queue/admission";
import { plainPolicy } from "@/server/testing/test-policy";
import type { Policy } from "@/server/domain/cleaning/policy/policy";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import { emptyContext } from "@/server/domain/lifecycle/context";
import type { ProvenContext, RunContext } from "@/server/domain/lifecycle/context";
import type { Signal } from "@/server/domain/lifecycle/signals";
import { topLevel } from "@/server/domain/lifecycle/states";
import type { State } from "@/server/domain/lifecycle/states";
import { readingOf } from "@/server/controller/inventory/bmc-storage";
import { decide } from "@/server/controller/decide/decide";
import type { DecideOptions } from "@/server/controller/decide/decide";
import type { Decision } from "@/server/controller/host/decision";
import type { EffectKind, EffectView } from "@/server/domain/hosts/record/effect";
import type { RunView } from "@/server/domain/hosts/record/run";
import type { HostView } from "@/server/domain/hosts/record/view";
import { chassisSerial, interfaces, sku, systemUuid } from "@/server/controller/testing/hardware";

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
  memoryDevices: { epoch: 3, why: null, devices: [] },
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
  confirmed: { serials: [], systemUuids: [] },
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
    measurement: null,
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
    site: { ...demoSite, policy: { ...plainPolicy(), admission: noLimits }, ...site },
    reclamation: null,
    lastReady: null,
    watch: null,
    elsewhere: [],
    steps: [],
    attempt: null,
    deviceVerdicts: [],
    agent: null,
    lastAgent: changes.agent ?? null,
    bootRefusal: null,
    overrides: [],
    brakes: [],
    skus: null,
    parts: { known: null, accepted: [] },
    rollout: null,
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

export const demoSite = { demo: true, policyVersion: 1, policyKey: "site/1" };

export function withTimes(changes: Partial<Policy["times"]>): Policy {
  const policy = plainPolicy();
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
