// What the controller may ask of hardware. Every vendor and adapter is behind these interfaces (docs/design/hardware.md#interfaces).
import type { BmcResetLook } from "@/server/domain/hardware/bmc-reset";
import type { BmcCheck } from "@/server/domain/hardware/bmc-report";
import type { ConfirmedNames } from "@/server/domain/hosts/record/host";
import type { BootChange, BootSettings } from "@/server/domain/hosts/boot-settings";
import type { MarkClock } from "@/server/domain/hosts/reset-mark";
import type { Leftover } from "@/server/domain/hosts/decommission/leftovers";
import type { z } from "zod";
import type { KnownHardware, StepArgs } from "@/server/domain/cleaning/steps/step";
import type { DeviceResult } from "@/server/domain/cleaning/sanitization/device-result";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type { ReadyReading } from "@/server/domain/hosts/ready-watch/reading";
import type { SeenCertificate } from "@/server/domain/hardware/certificate";
import type { BiosAttributes } from "@/server/domain/hosts/inventory/bios";
import type { HealthReading } from "@/server/domain/repair/health/bmc/component";
import type { LogMarks, LogReadings } from "@/server/domain/repair/health/bmc/log";
import type { PartsReport } from "@/server/domain/hosts/parts/part";
import type { BmcSettings } from "@/server/domain/hosts/inventory/bmc-settings";
import type { PlatformQuery, PlatformReading } from "@/server/domain/hosts/platform/reading";
import type { PlatformFacts, StorageFacts } from "@/server/domain/hosts/inventory/platform";
import type { UnresolvedStorage } from "@/server/domain/cleaning/sanitization/known-devices";
import type { NetworkWanted } from "@/server/domain/hosts/network/network-protocol";
import type { Neighbour } from "@/server/domain/hosts/enrolment/neighbour";
import type { SiteTrust } from "@/server/domain/sites/authorities";

/** Where a BMC is and how to sign in. `links` are the paths that were found by following links from the service root. */
export interface BmcTarget {
  readonly hostId: string;
  readonly address: string;
  readonly username: string;
  readonly password: string;
  readonly links: BmcLinks | null;
  /** SHA-256 of the only certificate that the BMC may show; null: `trust` decides. */
  readonly certificate?: string | null;
  /** What the site requires of certificates; omitted: the system's authorities decide. */
  readonly trust?: SiteTrust;
  /** PEM of the site's authorities for components that measure themselves; null or omitted: nobody vouches for any. */
  readonly componentAuthorities?: string | null;
  /** As last read; null before the first reading. */
  readonly powerState: PowerState | null;
  /** Whose BMC it must be: compared with the machine at the address before anything is changed. Null until the host was verified. */
  readonly identity?: {
    readonly serial: string;
    readonly systemUuid: string;
    /** What a person confirmed that its BMC calls it, too (docs/machine-names.md); omitted: nothing. */
    readonly confirmed?: ConfirmedNames;
  } | null;
  /** The other hosts whose systems are behind this address. They share whatever belongs to the service. */
  readonly neighbours?: readonly Neighbour[];
  /** Which system behind the address is this host's, if somebody named it; omitted: the only one. */
  readonly system?: {
    readonly path: string | null;
    readonly systemUuid: string | null;
    readonly serial: string | null;
  };
}

/** Paths learned at `Verifying`, with no assumptions about them. Stored with the host. */
export interface BmcLinks {
  readonly system: string;
  readonly manager: string;
  readonly resetAction: string;
  readonly resetTypes: readonly string[];
  readonly bootTargets: readonly string[];
  /** Allowed values of BootSourceOverrideEnabled; omitted if the BMC does not list them. */
  readonly bootEnabled?: readonly string[];
  /** The resource to which the boot source is written if that is not the system: its settings for the next restart. */
  readonly pendingBoot?: string;
  readonly sessions: string | null;
  /** The BMC reports no serial number for its system, so only the system UUID identifies it. */
  readonly noSerial?: true;
}

export const powerStates = ["on", "off", "poweringOn", "poweringOff", "unknown"] as const;
export type PowerState = (typeof powerStates)[number];

export type BootSource = "uefiHttp" | "pxe" | "none";

/** What one GET of the system returns. */
export interface SystemReading {
  readonly power: PowerState;
  readonly bootOverride: {
    readonly source: BootSource | "disk" | "other";
    readonly enabled: boolean;
    /** We set it for every boot, because the BMC does not support one boot only. It must be removed again. */
    readonly continuous?: boolean;
  };
  readonly serial: string;
  readonly uuid: string;
  readonly manufacturer: string;
  readonly model: string;
  /** Changes with every reset of the host and with nothing else (`LastResetTime`); null: this BMC does not report it. */
  readonly resetMark: string | null;
  /** When the mark was read. Without it the mark proves no restart. */
  readonly markClock?: MarkClock | null | undefined;
}

/** A system and its boot settings. */
export interface SystemWithBoot extends SystemReading {
  readonly settings: BootSettings;
}

/** A restart that is proven to have happened, and how (docs/adr/0020-a-boot-is-proven.md). */
export interface ProvenRestart {
  readonly system: SystemReading;
  /** `resetMark`: the BMC's own mark changed. `powerOff`: the host was read as off and then switched on. */
  readonly proof: "resetMark" | "powerOff";
}

export interface RestartTarget {
  /** Read immediately before, after the boot source was set. */
  readonly before: SystemReading;
  /** A full power cycle rather than a reset. */
  readonly powerCycle: boolean;
  /** Do not rely on the BMC's reset mark: an earlier restart that did could not be confirmed. */
  readonly offAndOn: boolean;
  /** Nothing but a reset that the mark can prove; otherwise nothing is sent. */
  readonly resetOnly?: boolean;
}

/** The drives of a host as its BMC reports them. */
export interface BmcStorage {
  readonly system: SystemReading;
  readonly storage: readonly StorageDevice[];
  /** What may hold data but is not one of these drives. */
  readonly unresolved: readonly UnresolvedStorage[];
  readonly platform: StorageFacts;
  /** What was asked of the platform; null or omitted: nothing was. */
  readonly reading?: PlatformReading | null;
}

export interface BmcInventory extends BmcStorage {
  readonly macs: readonly string[];
  readonly firmware: readonly { readonly component: string; readonly version: string }[];
  readonly platform: PlatformFacts;
  /** Boot settings, each part null if the BMC does not report it; null: the adapter does not read them. */
  readonly boot: BootSettings | null;
  /** Writable settings, without secrets and without values that belong to one host; null: the BMC offers none. */
  readonly bios: BiosAttributes | null;
  /** The BMC settings that a baseline can name; null: the adapter does not read them. */
  readonly bmcSettings: BmcSettings | null;
  /** GPUs, network cards and memory modules; omitted: the adapter does not read them. */
  readonly parts?: PartsReport;
}

/**
 * Why a call to hardware did not do what was asked. `rejected`: the BMC understood the request and will never do it.
 * `ignored`: it accepted the request, but for most of the time that the change may take the state read back was unchanged; `failed` if
 * that wait was cut short.
 * `untrusted`: the certificate is not the expected one, and nothing was sent.
 * `otherHost`: another machine answers at the address, and nothing was changed.
 * `message` names method, path, status and the BMC's own text.
 */
export interface HardwareError {
  readonly kind:
    | "unreachable"
    | "refused"
    | "unsupported"
    | "rejected"
    | "ignored"
    | "otherHost"
    | "untrusted"
    | "failed";
  readonly message: string;
  /** True if it is unknown whether the request took effect: look up the state instead of sending it again. */
  readonly unknownOutcome: boolean;
  /** HTTP status of the BMC's answer; none if there was no answer, or if the adapter does not speak HTTP. */
  readonly status?: number | null;
  /** The time of the call was over before the BMC had the time that its request is given: it tells nothing about the BMC. */
  readonly ownLimit?: true;
  /** Ids of the messages in a BMC's answer, such as `Base.1.12.ActionNotSupported`. */
  readonly messageIds?: readonly string[];
}

export type HardwareResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: HardwareError };

/** Asked immediately before each request that changes hardware. Without it the request is not sent (docs/design/datapath.md#effects). */
export type Permit = (
  /** The request ends this long after it was asked for, at the latest; omitted: when the call does. */
  requestMs?: number,
) => Promise<boolean>;

export interface CallOptions {
  /** Limit of the whole call, including all of its requests, waits and read-backs. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Somebody says that the account was fixed: try a credential that the BMC refused once more. */
  readonly retryCredential?: boolean;
  /**
   * Nobody is waiting for this call. If its credential is refused, only other background calls stop using it, for an hour.
   */
  readonly background?: boolean;
  /** Asked immediately before every request that changes something. */
  readonly permit?: Permit;
  /** Extends a call that still gets answers by another `timeoutMs`; false: another process has taken over the host. */
  readonly prolong?: () => Promise<boolean>;
}

/** `softOff` asks the host's operating system to shut down. For `softOff` and `nmi` the read-back proves only that the BMC accepted the request. */
export type ResetKind = "on" | "forceRestart" | "powerCycle" | "forceOff" | "softOff" | "nmi";

export interface PowerInterface {
  /** One GET of the system. */
  read(target: BmcTarget, options: CallOptions): Promise<HardwareResult<SystemReading>>;
  /** Sends the reset and reads the state back; an answer alone proves nothing. `powerCycle` falls back to off and on if the BMC has no such action. */
  reset(target: BmcTarget, kind: ResetKind, options: CallOptions): Promise<HardwareResult<SystemReading>>;
  /** Restarts the host, or switches it on, so that nothing that ran before still runs, and proves it. Without proof it is not a success. */
  restart(
    target: BmcTarget,
    wanted: RestartTarget,
    options: CallOptions,
  ): Promise<HardwareResult<ProvenRestart>>;
}

export interface ManagementInterface {
  /**
   * Sets a boot source for the next boot only (or none) and reads it back. If the BMC refuses that permanently, falls back to another kind of
   * network boot; `bootOverride` of the reading tells which.
   */
  setBootOnce(
    target: BmcTarget,
    source: BootSource,
    options: CallOptions,
  ): Promise<HardwareResult<SystemReading>>;
  /** The host's boot settings. This and the next are omitted for a host without a machine. */
  readBoot?(target: BmcTarget, options: CallOptions): Promise<HardwareResult<SystemWithBoot>>;
  /** Changes boot settings for a person and reads them back. If the BMC does not offer a part, the result is `unsupported` and nothing is sent. */
  changeBoot?(
    target: BmcTarget,
    change: BootChange,
    options: CallOptions,
  ): Promise<HardwareResult<SystemWithBoot>>;
}

export interface InventoryInterface {
  /** The certificate that the BMC shows, read before anything is sent; null: no TLS. Omitted for a host without a machine. */
  certificate?(target: BmcTarget, options: CallOptions): Promise<HardwareResult<SeenCertificate | null>>;
  /** Opens a session, follows all links and reads the identity. The first call of `Verifying`. */
  discover(
    target: BmcTarget,
    options: CallOptions,
  ): Promise<HardwareResult<{ readonly links: BmcLinks; readonly system: SystemReading }>>;
  /** Drives, NICs and firmware. A part that the BMC does not offer is left out with a reason, never made up. */
  collect(
    target: BmcTarget,
    options: CallOptions,
  ): Promise<HardwareResult<{ readonly inventory: BmcInventory; readonly leftOut: readonly string[] }>>;
  /** The drives, the identity of their system, and what `query` asks of the platform. An incomplete list of drives is an error. */
  storage(
    target: BmcTarget,
    options: CallOptions,
    query?: PlatformQuery | null,
  ): Promise<HardwareResult<BmcStorage>>;
  /** What a host that waits in Ready is compared in, and the identity of its system. An incomplete list is an error. */
  watch(
    target: BmcTarget,
    options: CallOptions,
  ): Promise<HardwareResult<{ readonly system: SystemReading; readonly watched: ReadyReading }>>;
}

/** What a BMC says of the health of its machine. It changes nothing (docs/bmc-health.md). */
export interface HealthInterface {
  /**
   * Every part with what could not be read of it, the logs from their bookmarks on, and the identity of the system. An error only if nothing could be
   * read.
   */
  read(
    target: BmcTarget,
    marks: LogMarks,
    options: CallOptions,
  ): Promise<
    HardwareResult<{
      readonly system: SystemReading;
      readonly health: HealthReading;
      readonly logs: LogReadings;
    }>
  >;
}

export interface NetworkInterfaceAdapter {
  /** Sends a versioned wanted state to the site's network controller, which acknowledges it per interface at `/network/v1`. */
  want(wanted: NetworkWanted, options: CallOptions): Promise<HardwareResult<{ readonly sha256: string }>>;
}

/** The progress of a controller step. */
export type StepProgress =
  /** The state was read back and is as wanted. `devices`: the result per drive, for a step that erases drives. */
  | { readonly kind: "done"; readonly message: string; readonly devices: readonly DeviceResult[] }
  /** A BMC job is in progress: `check` is called again with `handle`. */
  | {
      readonly kind: "running";
      readonly handle: z.core.util.JSONType;
      readonly percent: number | null;
      readonly message: string;
      /** It does not answer at present, which is expected. */
      readonly silent?: true;
    }
  /** The change takes effect at a restart: the controller restarts the host into the agent and then calls `check` with `handle`. */
  | { readonly kind: "restart"; readonly handle: z.core.util.JSONType; readonly message: string }
  /**
   * It ended without the wanted state; `message` carries the BMC's own text. `recovery`: before a retry the host is switched off,
   * its BMC restarted, and the host booted again. `final`: its argument does not fit this machine, so it is not attempted again.
   */
  | {
      readonly kind: "failed";
      readonly message: string;
      readonly recovery?: "powerCycle";
      readonly final?: true;
    };

export interface StepKnown extends Pick<KnownHardware, "platform" | "baseline" | "images"> {
  /** The site writes firmware again whatever its version says; left out: it does not. */
  readonly reflash?: true;
}

export interface StepCall {
  readonly target: BmcTarget;
  readonly args: StepArgs;
  /** What the step's code needs besides what it reads itself. Stored with every check of a job, so keep it small. */
  readonly known: StepKnown;
}

/** The code of one clean step that the controller performs (declared in `server/domain/cleaning/steps`). Both functions may run again after a crash. */
export interface StepCode {
  /** Reads first, then sends what is missing. Asks for the permit before each request that changes something. */
  begin(call: StepCall, options: CallOptions): Promise<HardwareResult<StepProgress>>;
  /**
   * Reads the progress. A step with several parts, such as two firmware updates, sends the next part here, with the
   * permit; other steps change nothing here.
   */
  check(
    call: StepCall,
    handle: z.core.util.JSONType,
    options: CallOptions,
  ): Promise<HardwareResult<StepProgress>>;
}

/** What is left on a BMC when its host leaves the fleet (docs/decommission.md#leftovers). */
export interface LeftoversInterface {
  /** Changes nothing. A part that cannot be read is listed as such. */
  look(target: BmcTarget, options: CallOptions): Promise<HardwareResult<readonly Leftover[]>>;
  /** Removes everything except the account it is signed in with, and reads again: the result is what is still there. */
  remove(target: BmcTarget, options: CallOptions): Promise<HardwareResult<readonly Leftover[]>>;
  /** Must come last: this account can do nothing on the BMC afterwards. `sent`: it was requested before, with an unknown outcome. */
  removeOwnAccount(
    target: BmcTarget,
    sent: boolean,
    options: CallOptions,
  ): Promise<HardwareResult<readonly Leftover[]>>;
}

/** Restarts a BMC at a person's request (docs/hardware.md#reset-bmc). */
export interface BmcResetInterface {
  /**
   * Asks the BMC to restart, once. `record` is told what proves the restart immediately before the request is sent; it is not sent if that answers false.
   */
  begin(
    target: BmcTarget,
    record: (before: { readonly type: string; readonly before: z.core.util.JSONType }) => Promise<boolean>,
    options: CallOptions,
  ): Promise<HardwareResult<null>>;
  /** Whether it has restarted since; changes nothing. `before`: for the next look. */
  look(
    target: BmcTarget,
    before: z.core.util.JSONType,
    options: CallOptions,
  ): Promise<HardwareResult<{ readonly look: BmcResetLook; readonly before: z.core.util.JSONType }>>;
}

/** A hardware type binds one implementation to each interface. Adding a vendor is one folder and one line in the registry. */
export interface HardwareType {
  readonly name: string;
  /** There is no machine: address and credential are empty. */
  readonly withoutBmc?: boolean;
  readonly power: PowerInterface;
  readonly management: ManagementInterface;
  readonly inventory: InventoryInterface;
  /** Omitted for a host without a machine, whose health nobody can read. */
  readonly health?: HealthInterface;
  /** Checks the BMC with reads alone, whatever it answers (docs/hardware.md#checks). Omitted for a host without a machine. */
  readonly check?: (
    target: BmcTarget,
    options: CallOptions & { readonly acceptFirst: boolean },
  ) => Promise<readonly BmcCheck[]>;
  /** Omitted for a host without a machine. */
  readonly bmcReset?: BmcResetInterface;
  /** Omitted for a host without a machine, which can leave nothing behind. */
  readonly leftovers?: LeftoversInterface;
  /** By full name, such as `bios.recommit`. A step that is missing here is unsupported on this hardware. */
  readonly steps: ReadonlyMap<string, StepCode>;
}
