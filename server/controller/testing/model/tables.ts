// The tables of the model's data path: the rows of an enrolled host, of its instances and of their debts.
import type { MarkReading } from "@/server/domain/hosts/reset-mark";
import type { Command, ResultBody } from "@/server/domain/agents/protocol";
import type { GateResult } from "@/server/domain/reclamations/gates/gate-rule";
import type { HardwareInventory, StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type { PlatformFacts } from "@/server/domain/hosts/inventory/platform";
import type { RunContext } from "@/server/domain/lifecycle/context";
import type { Signal } from "@/server/domain/lifecycle/signals";
import type { State } from "@/server/domain/lifecycle/states";
import type { NetworkAck } from "@/server/domain/hosts/record/host";
import type { UnresolvedStorage } from "@/server/domain/cleaning/sanitization/known-devices";
import type { JournalEvent } from "@/server/domain/cleaning/sanitization/device-result";
import type { EffectKind } from "@/server/domain/hosts/record/effect";
import type {
  AttemptProgress,
  Outcome,
  ReclamationView,
  StepView,
} from "@/server/domain/hosts/record/reclamation";

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
  before: MarkReading | null;
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
  /** `host_measurement`: the boot of the newest quote, and the image that booted; null: none of ours. */
  measured: { bootEpoch: number; program: number | null } | null;
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
