// What one decision about one host writes: everything of it in one statement, or nothing.
import type { GateResult } from "@/server/domain/gates/gate-rule";
import type { StorageDevice } from "@/server/domain/inventory/inventory";
import type { PlatformFacts } from "@/server/domain/inventory/platform";
import type { State } from "@/server/domain/lifecycle/states";
import type { UnresolvedStorage } from "@/server/domain/sanitization/known-devices";
import type { DeviceVerdict } from "@/server/domain/sanitization/judge";
import type { PowerState } from "@/server/hardware/interfaces";
import type { EffectKind } from "@/server/domain/host-record/effect";
import type { SkuCandidate } from "@/server/domain/host-record/view";
import type { RunWrite } from "@/server/domain/host-record/run";
import type {
  AttemptVerdict,
  Outcome,
  ReclamationView,
  StepView,
} from "@/server/domain/host-record/reclamation";

export interface EffectRequest {
  readonly id: string;
  readonly kind: EffectKind;
  readonly request: Readonly<Record<string, unknown>>;
  /** For how long after it is done nobody needs to look, because what follows wakes the host by itself. 0: at once, as after any other outcome. */
  readonly quietMs: number;
}

export interface AttemptWrite {
  readonly stepRunId: string;
  readonly attempt: number;
  readonly bootEpoch: number;
  readonly verdict: AttemptVerdict | null;
  readonly message: string | null;
  readonly ended: boolean;
  /** Of an attempt that begins: the serials of the drives that it may erase; of none of them is it known for how long. */
  readonly drives?: readonly string[];
}

export interface HostPatch {
  /** What the host did not say of itself when it was enrolled; null: all was known. */
  readonly learned: {
    readonly serial: string;
    readonly systemUuid: string;
    readonly networkInterfaces: readonly string[];
    /** Null: somebody gave it. */
    readonly hardwareType: string | null;
  } | null;
  readonly links: unknown;
  readonly manufacturer: string;
  readonly model: string;
  readonly powerState: string;
  readonly macs: readonly string[];
  readonly storage: readonly StorageDevice[];
  readonly firmware: unknown;
  readonly platform: PlatformFacts;
  readonly leftOut: readonly string[];
  readonly unresolved: readonly UnresolvedStorage[];
}

/** The drives alone, read again: what is kept of them in place of the earlier reading. */
export interface StoragePatch {
  readonly storage: readonly StorageDevice[];
  /** Listed by earlier readings since `manage`, and not by this one. */
  readonly earlier: readonly StorageDevice[];
  readonly unresolved: readonly UnresolvedStorage[];
  readonly platform: PlatformFacts;
}

export interface Decision {
  readonly run: RunWrite;
  /** States entered, in order; each is one row of history and one version. */
  readonly entered: readonly { readonly state: State; readonly reason: string }[];
  readonly reclamation: {
    readonly row: ReclamationView;
    readonly isNew: boolean;
    readonly outcome: Outcome | null;
  } | null;
  /** A reclamation that another one replaced in this very decision. */
  readonly endedBefore: {
    readonly id: string;
    readonly outcome: Outcome;
    readonly message: string | null;
  } | null;
  readonly steps: readonly StepView[];
  readonly attempts: readonly AttemptWrite[];
  readonly deviceResults: readonly (DeviceVerdict & {
    readonly stepRunId: string;
    readonly attempt: number;
    readonly standard: string;
  })[];
  readonly gates: readonly GateResult[];
  readonly newDebt: {
    readonly driveSerials: readonly string[];
    readonly instanceId: string;
    readonly tenantId: string;
  } | null;
  readonly clearDebts: string | null;
  readonly endInstance: string | null;
  readonly instanceReady: string | null;
  readonly instanceHistory: readonly {
    readonly instanceId: string;
    readonly status: string;
    readonly message: string;
  }[];
  readonly bootWindowMs: number | null;
  /** The restart of this boot was looked up and is done: its window is open for registration. */
  readonly bootProven: boolean;
  readonly effects: readonly EffectRequest[];
  readonly readEffects: readonly string[];
  readonly consumed: readonly string[];
  readonly host: HostPatch | null;
  readonly storage: StoragePatch | null;
  /** That the host gets, if it still has none and the SKU is still the same. */
  readonly matchedSku: Pick<SkuCandidate, "id" | "version"> | null;
  /** As read from the BMC by an effect that this decision read. */
  readonly power: PowerState | null;
  readonly deleteHost: boolean;
  /** Until when an erase may go on that the deleted host leaves behind; kept by chassis serial. */
  readonly eraseLeftUntilMs: number | null;
  /** Set when Ready is entered: the statement changes nothing if evidence moved since the claim. */
  readonly expectEvidenceSeq: string | null;
  /** Intents that were read and could not be followed, with the reason: one row each, so that whoever asked is told. */
  readonly refused: readonly {
    readonly intent: string;
    readonly reason: string;
    readonly requestId: string;
  }[];
}
