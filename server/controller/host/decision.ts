// What one decision about one host writes, in one statement: all of it or nothing. Its parts are the rows of the commit
// (docs/adr/0040-the-host-record-once.md).
import type { Causes } from "@/server/domain/cleaning/failures/cause";
import type { GateResult } from "@/server/domain/reclamations/gates/gate-rule";
import type { SeenCertificate } from "@/server/domain/hardware/certificate";
import type { BiosAttributes } from "@/server/domain/hosts/inventory/bios";
import type { BmcSettings } from "@/server/domain/hosts/inventory/bmc-settings";
import type { PowerState } from "@/server/hardware/interfaces";
import type { SkuCandidate } from "@/server/domain/hosts/record/view";
import type { RunWrite } from "@/server/domain/hosts/record/run";
import type { BmcReading, Written } from "@/server/domain/hosts/record/written";
import type { Outcome, ReclamationView, StepView } from "@/server/domain/hosts/record/reclamation";

export type EffectRequest = Written<"effects", "request" | "requestHash"> & {
  readonly request: Readonly<Record<string, unknown>>;
  /** For how long after it is done the host need not be looked at, because what follows wakes it. 0: at once, as after any other outcome. */
  readonly quietMs: number;
};

export type AttemptWrite = Written<"attempts", "eraseEnds"> & {
  /** For an attempt that begins: serials of the drives that it may erase. No drive has an estimate yet. */
  readonly drives?: readonly string[];
};

type Known<T> = { readonly [K in keyof T]: NonNullable<T[K]> };
type HostRow = Written<"hosts", "skuId" | "skuVersion">;
/** What may be unknown when a host is enrolled. */
type Learned = "networkInterfaces" | "serial" | "systemUuid";

/** A complete reading of the BMC: the host's row and its inventory. */
export type HostPatch = Known<
  Omit<HostRow, Learned | "hardwareType" | "links" | "certificateSeen" | "bmcCertificate">
> &
  Pick<HostRow, "links"> &
  Readonly<Required<Omit<BmcReading, "earlier" | "parts">>> &
  Pick<BmcReading, "parts"> & {
    /** Null: everything was known. `hardwareType` is null if a person gave it. */
    readonly learned: (Known<Pick<HostRow, Learned>> & Pick<HostRow, "hardwareType">) | null;
    readonly leftOut: readonly string[];
    /** Null: the BMC reports none. */
    readonly bios: BiosAttributes | null;
    readonly bmcSettings: BmcSettings | null;
  };

/** The drives alone, read again; replaces the earlier reading. */
export type StoragePatch = Readonly<Omit<BmcReading, "firmware" | "macs" | "parts">>;

export interface Decision {
  readonly run: RunWrite;
  /** States entered, in order; each is one row of history and one version. */
  readonly entered: readonly (Pick<Written<"history">, "reason" | "state"> & {
    /** Only for a failed state. */ readonly causes?: Causes;
  })[];
  readonly reclamation: {
    readonly row: ReclamationView;
    readonly isNew: boolean;
    readonly outcome: Outcome | null;
  } | null;
  /** A reclamation that another one replaced in this decision. */
  readonly endedBefore: Written<"ended", "standing"> | null;
  readonly steps: readonly StepView[];
  readonly attempts: readonly AttemptWrite[];
  readonly deviceResults: readonly Written<"devices", "planEpoch" | "reclamationId">[];
  readonly probes: readonly Written<"probes", "bootEpoch" | "reclamationId">[];
  readonly gates: readonly GateResult[];
  readonly newDebt: Written<"debts", "chassisSerial" | "id"> | null;
  readonly clearDebts: string | null;
  readonly endInstance: string | null;
  /** Why a claimed host was not handed over: it was read, and is not what was proven. */
  readonly readyChanged: string | null;
  readonly instanceReady: string | null;
  readonly instanceHistory: readonly Written<"instanceHistory">[];
  readonly bootWindowMs: number | null;
  /** The restart of this boot was looked up and confirmed: its window is open for registration. */
  readonly bootProven: boolean;
  readonly effects: readonly EffectRequest[];
  readonly readEffects: readonly string[];
  readonly consumed: readonly string[];
  readonly host: HostPatch | null;
  readonly storage: StoragePatch | null;
  /** Parts that the host is verified with, if they are not the ones that were known. */
  readonly parts: Written<"parts", "bootEpoch"> | null;
  /** The SKU that the host gets if it still has none and the SKU is unchanged. */
  readonly matchedSku: Pick<SkuCandidate, "id" | "version"> | null;
  /** As read from the BMC by an effect that this decision read. */
  readonly power: PowerState | null;
  /** The certificate that the BMC showed to an effect that this decision read, and the fingerprint that it must show from now on (null: unchanged). */
  readonly certificate: { readonly seen: SeenCertificate; readonly pin: string | null } | null;
  readonly deleteHost: boolean;
  /** Until when an erase that the deleted host leaves behind may continue; kept by chassis serial. */
  readonly eraseLeftUntilMs: number | null;
  /** Set where the decision relies on the evidence, such as on entering Ready: the statement writes nothing if evidence moved since the claim. */
  readonly expectEvidenceSeq: string | null;
  /** Intents that were read and refused, with the reason: one row each, so that the requester is told. */
  readonly refused: readonly Written<"refusals">[];
}
