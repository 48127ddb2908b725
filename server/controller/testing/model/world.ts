// The world of the property test: the tables of the data path, and the machine behind them with what its drives really hold.
import type { Command, ResultBody } from "@/server/domain/agents/protocol";
import type { NetworkWanted } from "@/server/domain/network/network-protocol";
import { noLimits } from "@/server/domain/cleaning/queue/admission";
import { defaultPolicy } from "@/server/domain/cleaning/policy";
import type { Policy } from "@/server/domain/cleaning/policy";
import type { StepOverride } from "@/server/domain/cleaning/plan/priorities";
import type { Mark } from "@/server/domain/database/high-water";
import type { GateResult } from "@/server/domain/gates/gate-rule";
import type { HardwareInventory, StorageDevice } from "@/server/domain/inventory/inventory";
import { noPlatformFacts } from "@/server/domain/inventory/platform";
import type { PlatformFacts } from "@/server/domain/inventory/platform";
import type { SkuComponents } from "@/server/domain/inventory/sku";
import { emptyContext } from "@/server/domain/lifecycle/context";
import type { RunContext } from "@/server/domain/lifecycle/context";
import type { Signal } from "@/server/domain/lifecycle/signals";
import type { State } from "@/server/domain/lifecycle/states";
import type { NetworkAck } from "@/server/domain/host-record/host";
import type { GateException } from "@/server/domain/gates/exceptions";
import type { Disposition } from "@/server/domain/sanitization/dispositions";
import type { UnresolvedStorage } from "@/server/domain/sanitization/known-devices";
import type { JournalEvent } from "@/server/domain/sanitization/device-result";
import type { EffectKind } from "@/server/domain/host-record/effect";
import type { SkuCandidate } from "@/server/domain/host-record/view";
import type {
  AttemptProgress,
  Outcome,
  ReclamationView,
  StepView,
} from "@/server/domain/host-record/reclamation";
import { allDrives, nvme1, sku } from "@/server/controller/testing/hardware";

/** `host_run`. Numbers stand for bigints. */
export interface RunRow {
  readonly hostId: string;
  state: State;
  stateVersion: number;
  stateSinceMs: number;
  context: RunContext;
  dueAtMs: number | null;
  wakeSeq: number;
  leaseOwner: string | null;
  leaseUntilMs: number;
  generation: number;
  bootEpoch: number;
  allocatable: boolean;
  touched: boolean;
  touchUncovered: boolean;
  evidenceSeq: number;
  maintenance: boolean;
  maintenanceBy: "failure" | "person" | null;
  maintenanceReason: string | null;
  lastError: string | null;
  reclamationId: string | null;
  command: Command | null;
  commandEpoch: number | null;
  erasing: boolean;
  bootHeld: boolean;
  /** A repair system outside has the host. */
  outsideLease: boolean;
}

export interface AttemptRow {
  readonly stepRunId: string;
  readonly attempt: number;
  readonly bootEpoch: number;
  report: ResultBody | null;
  verdict: string | null;
  progress: AttemptProgress;
  journal: JournalEvent[];
}

export interface StepRow {
  readonly reclamationId: string;
  readonly planEpoch: number;
  view: StepView;
}

export interface ReclamationRow {
  view: ReclamationView;
  outcome: Outcome | null;
  ended: boolean;
  gates: readonly GateResult[];
}

export interface EffectRow {
  readonly id: string;
  readonly kind: EffectKind;
  readonly generation: number;
  readonly request: Readonly<Record<string, unknown>>;
  status: "written" | "permitted" | "done" | "failed" | "unknown";
  phase: string | null;
  /** The host's reset mark, as stored with the permit. */
  resetMark: string | null;
  /** For a boot: its reading of the drives before its restart. */
  drives?: object;
  value: unknown;
  error: { kind: string; message: string } | null;
  settledAtMs: number | null;
  readonly quietMs: number;
  read: boolean;
}

/** All rows of one enrolled host, which are deleted with it. */
export interface HostTables {
  readonly run: RunRow;
  signals: { readonly id: number; readonly signal: Signal }[];
  effects: EffectRow[];
  reclamations: ReclamationRow[];
  steps: StepRow[];
  attempts: AttemptRow[];
  verdicts: {
    reclamationId: string;
    planEpoch: number;
    serial: string;
    model: string;
    verdict: "sanitized" | "failed";
    reason: string;
  }[];
  records: RecordRow[];
  acks: NetworkAck[];
  sessions: { readonly bootEpoch: number; readonly registeredMs: number; lastSeenMs: number }[];
  windows: {
    readonly bootEpoch: number;
    expiresMs: number;
    consumed: boolean;
    resetDone: boolean;
    contested: boolean;
  }[];
  bmcInventory: readonly StorageDevice[] | null;
  bmcEarlier: readonly StorageDevice[];
  bmcUnresolved: readonly UnresolvedStorage[];
  platform: PlatformFacts;
  agentInventory: { bootEpoch: number; collectedMs: number; body: HardwareInventory } | null;
  history: { readonly version: number; readonly state: State; readonly reclamationId: string | null }[];
}

export interface InstanceRow {
  readonly id: string;
  readonly hostId: string;
  releaseRequestedMs: number | null;
  ended: boolean;
  resourcesHeld: number;
}

/** `procedure_record` of a full AC drain, and its approval. */
export interface RecordRow {
  readonly id: string;
  readonly reclamationId: string;
  readonly recordedAtMs: number;
  /** The number of drive results at that time. */
  readonly afterResult: number;
  decision: "approved" | "rejected" | null;
  voided: boolean;
}

export interface DebtRow {
  readonly driveSerials: readonly string[];
  readonly instanceId: string;
  clearedBy: string | null;
}

/** Places that the model distinguishes on a drive. Their values: 0 is erased, 1 is a tenant's, 2 was written by somebody else since the erase. */
export const places = 4;

/** A drive, and what is really on it. */
export interface Drive {
  readonly device: StorageDevice;
  present: boolean;
  /** The BMC does not list it; the agent sees it at its port but reads no serial number. */
  nameless: boolean;
  /** Behind a controller that shows the host no drives: only the BMC lists and erases it. */
  hidden: boolean;
  bytes: number[];
  /** The reclamation whose step erased it last. */
  erasedIn: string | null;
  erasing: { untilMs: number; reclamationId: string } | null;
  /** `fails`: reports a failure. `keeps`: reports success, and read-back shows that it is not. */
  behaviour: "honest" | "fails" | "keeps";
}

/** How an agent lies in its report. In each case nothing was erased, and the report shows that something is wrong. */
export const lies = [
  "no devices",
  "fewer devices",
  "technique without level",
  "technique below minimum",
  "exception only",
  "status only",
  "not read back",
  "mismatches",
  "markers found",
  "impossible to sample",
  "device twice",
  "other model",
  "media of its own",
  "not completed",
  "other technique last",
  "step error",
  "no technique",
  "no content",
] as const;
export type Lie = (typeof lies)[number];

/** The program on the host, once it has booted our image. */
export interface Agent {
  /** The boot of the session that it registered with; null before that. */
  epoch: number | null;
  /** The boot of the token that it fetched when it booted. */
  readonly tokenEpoch: number;
  readonly finished: Set<string>;
  /** A tenant's system that reports whatever is wanted, and does nothing. */
  readonly hostile?: true;
  working: {
    readonly commandId: string;
    readonly stepRunId: string;
    readonly attempt: number;
    readonly step: string;
    readonly reclamationId: string;
    readonly lie: Lie | null;
  } | null;
}

export interface Machine {
  readonly drives: Drive[];
  /** A one-time boot into our image is set. */
  override: boolean;
  /** A person set its disk as the boot device of every boot; a later setting replaces it. */
  bootsDisk: boolean;
  agent: Agent | null;
  /** The firmware waits in a script of the boot server and asks again. */
  waiting: boolean;
  /** A tenant's system is running, whichever drive it was started from. */
  foreign: boolean;
  /** Something other than our agent wrote to a drive, or one was changed, since a person's maintenance began. */
  touched: boolean;
  /** How often it was reset; `tellsResets`: its BMC reports that. */
  resets: number;
  tellsResets: boolean;
  /** How often its reset mark was read, and how far the BMC's clock was set back. */
  readings: number;
  clockBackMs: number;
  /** The firmware asks the network before its disks. */
  networkFirst: boolean;
  memory: { tenant: boolean; askedIn: string | null; overwrittenIn: string | null; drainedIn: string | null };
  infiniband: { tenant: boolean; resetIn: string | null };
  /** The network that each interface really is on. */
  readonly ports: Map<
    string,
    { network: NetworkWanted["network"]; services: "none" | "running" | "terminated" }
  >;
  /** The newest request to the network controller. */
  asked: NetworkWanted | null;
  /** Tests that passed, by reclamation. */
  readonly passed: Map<string, readonly string[]>;
  /** BIOS settings that wait for a restart, and those in force, by the reclamation that wrote them. */
  bios: { pendingIn: string | null; appliedIn: string | null };
  /** How long an erase by the BMC takes. */
  bmcEraseMs: number;
  /** How the BMC and the network controller answer the next requests. */
  faults: ("failed" | "lostBefore" | "lostAfter")[];
  /** How the BMC lists its drives the next times. */
  listingFaults: ("error" | "short" | "unnamed" | "one serial")[];
}

/** `database_state`, as far as it matters; `confirmed`: a server has recently compared it with its mark. */
export interface DatabaseRow {
  epoch: number;
  sequence: number;
  stopped: boolean;
  confirmed: boolean;
}

/** Everything in the database that a backup brings back. */
export type Backup = Pick<
  World,
  | "host"
  | "instances"
  | "debts"
  | "dispositions"
  | "exceptions"
  | "overrides"
  | "hostAutomatedClean"
  | "retired"
  | "policy"
  | "policyVersion"
  | "eraseLeftUntilMs"
  | "personMaintenance"
  | "database"
>;

export interface World {
  nowMs: number;
  ids: number;
  demo: boolean;
  policyVersion: number;
  policy: Policy;
  sku: { readonly name: string; readonly components: SkuComponents } | null;
  skuAssigned: boolean;
  /** SKUs that a host without one may match. */
  skus: readonly SkuCandidate[];
  host: HostTables | null;
  readonly machine: Machine;
  database: DatabaseRow;
  /** The servers' own high-water mark, outside the database. */
  mark: Mark;
  backup: Backup | null;
  instances: InstanceRow[];
  debts: DebtRow[];
  /** Approved rows of `gate_exception`. */
  exceptions: (GateException & { readonly reclamationId: string; readonly planEpoch: number })[];
  /** Rows of `drive_disposition` that still apply. */
  dispositions: Disposition[];
  /** Overrides of the one site, SKU and host. */
  overrides: StepOverride[];
  hostAutomatedClean: boolean | null;
  /** The host is retired: not allocated again until somebody reverts that. */
  retired: boolean;
  /** What the BMC offers when it is asked. */
  platform: PlatformFacts;
  /** By reclamation: the steps that an override had set to priority 0 when its newest plan was made. */
  readonly disabledIn: Map<string, ReadonlySet<string>>;
  /** `chassis_erase` of the one chassis. */
  eraseLeftUntilMs: number | null;
  /** A person set maintenance, and none has ended it. */
  personMaintenance: boolean;
  /** Signals that were sent but not stored yet. */
  readonly late: Signal[];
  /** What happened, to tell whether the test explores anything. */
  readonly seen: Set<string>;
}

export const newId = (world: World): string =>
  `00000000-0000-4000-8000-${String((world.ids += 1)).padStart(12, "0")}`;

/** A host just enrolled, on a chassis like `machine`. */
export function enroll(world: World): void {
  world.personMaintenance = false;
  const hostId = newId(world);
  const leftMs =
    world.eraseLeftUntilMs !== null && world.eraseLeftUntilMs > world.nowMs ? world.eraseLeftUntilMs : null;
  const run: RunRow = {
    hostId,
    state: "Enroll",
    stateVersion: 1,
    stateSinceMs: world.nowMs,
    context: { ...emptyContext(), eraseUntil: leftMs === null ? null : new Date(leftMs).toISOString() },
    dueAtMs: null,
    wakeSeq: 0,
    leaseOwner: null,
    leaseUntilMs: 0,
    generation: 0,
    bootEpoch: 0,
    allocatable: false,
    touched: false,
    touchUncovered: true,
    evidenceSeq: 0,
    maintenance: false,
    maintenanceBy: null,
    maintenanceReason: null,
    lastError: null,
    reclamationId: null,
    command: null,
    commandEpoch: null,
    erasing: leftMs !== null,
    bootHeld: false,
    outsideLease: false,
  };
  world.host = {
    run,
    signals: [],
    effects: [],
    reclamations: [],
    steps: [],
    attempts: [],
    verdicts: [],
    records: [],
    acks: [],
    sessions: [],
    windows: [],
    bmcInventory: null,
    bmcEarlier: [],
    bmcUnresolved: [],
    platform: noPlatformFacts,
    agentInventory: null,
    history: [{ version: 1, state: "Enroll", reclamationId: null }],
  };
}

/** Untouched drives. The last one lies on the shelf, and no system knows of it. */
const newDrives = (): Drive[] =>
  [...allDrives, { ...nvme1, serial: "SPARE" }].map((device) => ({
    device,
    present: device.serial !== "SPARE",
    nameless: false,
    hidden: false,
    bytes: Array.from({ length: places }, () => 0),
    erasedIn: null,
    erasing: null,
    behaviour: "honest",
  }));

/** A new site with one host in Enroll. */
export function newWorld(): World {
  const world: World = {
    nowMs: Date.UTC(2026, 10, 1),
    ids: 0,
    demo: true,
    policyVersion: 1,
    policy: { ...defaultPolicy(), admission: noLimits },
    sku,
    skuAssigned: true,
    skus: [],
    host: null,
    machine: {
      drives: newDrives(),
      override: false,
      bootsDisk: false,
      agent: null,
      waiting: false,
      foreign: false,
      touched: false,
      resets: 1,
      tellsResets: true,
      readings: 0,
      clockBackMs: 0,
      networkFirst: false,
      memory: { tenant: false, askedIn: null, overwrittenIn: null, drainedIn: null },
      infiniband: { tenant: false, resetIn: null },
      ports: new Map(),
      asked: null,
      passed: new Map(),
      bios: { pendingIn: null, appliedIn: null },
      bmcEraseMs: 15_000,
      faults: [],
      listingFaults: [],
    },
    database: { epoch: 1, sequence: 1, stopped: false, confirmed: true },
    mark: { epoch: 1, sequence: 1 },
    backup: null,
    instances: [],
    debts: [],
    dispositions: [],
    exceptions: [],
    overrides: [],
    hostAutomatedClean: null,
    retired: false,
    platform: noPlatformFacts,
    disabledIn: new Map(),
    eraseLeftUntilMs: null,
    personMaintenance: false,
    late: [],
    seen: new Set(),
  };
  enroll(world);
  return world;
}

export const openInstance = (world: World): InstanceRow | null =>
  world.instances.find((row) => !row.ended && row.hostId === world.host?.run.hostId) ?? null;
export const openDebts = (world: World): readonly DebtRow[] =>
  world.debts.filter((debt) => debt.clearedBy === null);

/** Stores a signal and wakes the host, as `db/hot/signal.ts` does in one statement. */
export function storeSignal(host: HostTables, world: World, signal: Signal): void {
  host.signals.push({ id: (world.ids += 1), signal });
  wake(host.run, world.nowMs);
}

export function wake(run: RunRow, nowMs: number): void {
  run.dueAtMs = Math.min(run.dueAtMs ?? nowMs, nowMs);
  run.wakeSeq += 1;
}

/** Records that the restart of that boot is done. */
export function provenRestart(host: HostTables, bootEpoch: number): void {
  const window = host.windows.find((row) => row.bootEpoch === bootEpoch);
  if (window !== undefined) window.resetDone = true;
}
