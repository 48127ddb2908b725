// What the controller may ask of hardware; every vendor and adapter is behind these (docs/design/hardware.md#interfaces).
import type { BootChange, BootSettings } from "@/server/domain/hosts/boot-settings";
import type { Leftover } from "@/server/domain/decommission/leftovers";
import type { z } from "zod";
import type { KnownHardware, StepArgs } from "@/server/domain/cleaning/steps/step";
import type { DeviceResult } from "@/server/domain/sanitization/device-result";
import type { StorageDevice } from "@/server/domain/inventory/inventory";
import type { SeenCertificate } from "@/server/domain/hardware/certificate";
import type { BiosAttributes } from "@/server/domain/inventory/bios";
import type { BmcSettings } from "@/server/domain/inventory/bmc-settings";
import type { PlatformFacts, StorageFacts } from "@/server/domain/inventory/platform";
import type { UnresolvedStorage } from "@/server/domain/sanitization/known-devices";
import type { NetworkWanted } from "@/server/domain/network/network-protocol";
import type { Neighbour } from "@/server/domain/enrolment/neighbour";
import type { SiteTrust } from "@/server/domain/site/authorities";

/** Where a BMC is and how to sign in. `links` are paths found once by following links from the service root. */
export interface BmcTarget {
  readonly hostId: string;
  readonly address: string;
  readonly username: string;
  readonly password: string;
  readonly links: BmcLinks | null;
  /** SHA-256 of the one certificate that it may show; null: `trust` decides. */
  readonly certificate?: string | null;
  /** What its site asks for; left out: the authorities of the system decide. */
  readonly trust?: SiteTrust;
  /** As last read; null before its first reading. */
  readonly powerState: PowerState | null;
  /** Whose BMC it must be: compared with what answers at the address before anything is changed. Null until the host was verified. */
  readonly identity?: { readonly serial: string; readonly systemUuid: string } | null;
  /** The other hosts whose systems are behind the address: what belongs to the service is theirs, too. */
  readonly neighbours?: readonly Neighbour[];
  /** Which system behind the address it is, where somebody said it; left out: the one that there is. */
  readonly system?: {
    readonly path: string | null;
    readonly systemUuid: string | null;
    readonly serial: string | null;
  };
}

/** Paths learned at `Verifying`; nothing is assumed about them. Stored with the host. */
export interface BmcLinks {
  readonly system: string;
  readonly manager: string;
  readonly resetAction: string;
  readonly resetTypes: readonly string[];
  readonly bootTargets: readonly string[];
  /** What BootSourceOverrideEnabled may be; left out where the BMC does not tell. */
  readonly bootEnabled?: readonly string[];
  /** Where the boot source is written, if not at the system: its settings for the next restart. */
  readonly pendingBoot?: string;
  readonly sessions: string | null;
  /** The BMC tells no serial of its system: the system UUID alone says whose it is. */
  readonly noSerial?: true;
}

export const powerStates = ["on", "off", "poweringOn", "poweringOff", "unknown"] as const;
export type PowerState = (typeof powerStates)[number];

export type BootSource = "uefiHttp" | "pxe" | "none";

/** What one GET of the system tells. */
export interface SystemReading {
  readonly power: PowerState;
  readonly bootOverride: {
    readonly source: BootSource | "disk" | "other";
    readonly enabled: boolean;
    /** Set by us for every boot, because the BMC takes none for one boot only: to be taken away again. */
    readonly continuous?: boolean;
  };
  readonly serial: string;
  readonly uuid: string;
  readonly manufacturer: string;
  readonly model: string;
  /** Moves on with every reset of the host and with nothing else (`LastResetTime`); null: this BMC tells of none. */
  readonly resetMark: string | null;
}

/** A system, and how it starts. */
export interface SystemWithBoot extends SystemReading {
  readonly settings: BootSettings;
}

/** A restart that is known to have happened, and by what (docs/adr/0020-a-boot-is-proven.md). */
export interface ProvenRestart {
  readonly system: SystemReading;
  /** `resetMark`: the BMC's own mark moved on. `powerOff`: the host was read as off and then switched on. */
  readonly proof: "resetMark" | "powerOff";
}

export interface RestartWanted {
  /** As read right before, after the boot source was set. */
  readonly before: SystemReading;
  /** A full power cycle rather than a reset. */
  readonly powerCycle: boolean;
  /** Not by the BMC's mark: a restart that went by it could not be confirmed. */
  readonly offAndOn: boolean;
}

/** The drives of a host as its BMC tells them. */
export interface BmcStorage {
  readonly system: SystemReading;
  readonly storage: readonly StorageDevice[];
  /** What may hold data and is none of these. */
  readonly unresolved: readonly UnresolvedStorage[];
  readonly platform: StorageFacts;
}

export interface BmcInventory extends BmcStorage {
  readonly macs: readonly string[];
  readonly firmware: readonly { readonly component: string; readonly version: string }[];
  readonly platform: PlatformFacts;
  /** How the host starts, each part null where the BMC does not say it; null: the adapter reads none. */
  readonly boot: BootSettings | null;
  /** Settings that can be written, without secrets and what is one host's own; null: the BMC offers none. */
  readonly bios: BiosAttributes | null;
  /** What a baseline may say of the BMC; null: the adapter reads none. */
  readonly bmcSettings: BmcSettings | null;
}

/**
 * Why a call to hardware did not do what was asked. `rejected`: it understood the request and will not do it, whenever it is asked.
 * `ignored`: it accepted the request, and what is read afterwards is unchanged, for most of the time that it may take; `failed` where the look
 * was cut short.
 * `untrusted`: the certificate is not the one that it must show, and nothing was sent.
 * `otherHost`: another machine answers at the address, and nothing was changed.
 * `message` names method, path, status and the BMC's own text.
 */
export interface HardwareError {
  readonly kind:
    "unreachable" | "refused" | "unsupported" | "rejected" | "ignored" | "otherHost" | "untrusted" | "failed";
  readonly message: string;
  /** True when it is unknown whether the request took effect: it must be looked up, not sent again. */
  readonly unknownOutcome: boolean;
  /** HTTP status of the BMC's answer; none where it gave no answer, or speaks no HTTP. */
  readonly status?: number | null;
  /** Ids of the messages in a BMC's answer, such as `Base.1.12.ActionNotSupported`. */
  readonly messageIds?: readonly string[];
}

export type HardwareResult<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: HardwareError };

/** Asked for right before each request that changes hardware; refusing it stops the request (docs/design/datapath.md#effects). */
export type Permit = () => Promise<boolean>;

export interface CallOptions {
  /** Limit of the whole call with all its requests, waits and readings back. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** A person says that the account was put right: a credential that the BMC refused is tried once more. */
  readonly retryCredential?: boolean;
  /** Nobody asked for the call: a credential that is refused to it is not taken for refused by the calls of others, and not tried again by its like for an hour. */
  readonly background?: boolean;
  /** Called immediately before every request that changes something. */
  readonly permit?: Permit;
  /** Gives a call that gets answers and is not at its end another `timeoutMs`; false: the host is another process's by now. */
  readonly prolong?: () => Promise<boolean>;
}

/** `softOff`: the host's own system is asked to shut down; what is read back says only that the request was taken. `nmi`: the same. */
export type ResetKind = "on" | "forceRestart" | "powerCycle" | "forceOff" | "softOff" | "nmi";

export interface PowerInterface {
  /** One GET of the system. */
  read(target: BmcTarget, options: CallOptions): Promise<HardwareResult<SystemReading>>;
  /** Sends the reset and reads the state back; an answer alone proves nothing. `powerCycle` falls back to off and on where the BMC has no such action. */
  reset(target: BmcTarget, kind: ResetKind, options: CallOptions): Promise<HardwareResult<SystemReading>>;
  /** Restarts the host, or switches it on, so that nothing that ran before still does, and proves it; what cannot be proven is no success. */
  restart(
    target: BmcTarget,
    wanted: RestartWanted,
    options: CallOptions,
  ): Promise<HardwareResult<ProvenRestart>>;
}

export interface ManagementInterface {
  /**
   * Sets a boot source for the next boot only (or none), and reads it back. Where the BMC refuses that for good, the next way to a boot
   * from the network: `bootOverride` of the reading tells which.
   */
  setBootOnce(
    target: BmcTarget,
    source: BootSource,
    options: CallOptions,
  ): Promise<HardwareResult<SystemReading>>;
  /** How the host starts. Left out, as the next: nothing stands behind the host. */
  readBoot?(target: BmcTarget, options: CallOptions): Promise<HardwareResult<SystemWithBoot>>;
  /** Changes that for a person, part by part, and reads it back. What the BMC does not offer is unsupported, and nothing is sent then. */
  changeBoot?(
    target: BmcTarget,
    change: BootChange,
    options: CallOptions,
  ): Promise<HardwareResult<SystemWithBoot>>;
}

export interface InventoryInterface {
  /** What the BMC shows before anything is sent to it; null: it has no TLS. Left out: nothing stands behind the host. */
  certificate?(target: BmcTarget, options: CallOptions): Promise<HardwareResult<SeenCertificate | null>>;
  /** Opens a session, follows all links, and reads identity. The first call of `Verifying`. */
  discover(
    target: BmcTarget,
    options: CallOptions,
  ): Promise<HardwareResult<{ readonly links: BmcLinks; readonly system: SystemReading }>>;
  /** Drives, NICs and firmware. A part that the BMC does not offer is left out with its reason, never made up. */
  collect(
    target: BmcTarget,
    options: CallOptions,
  ): Promise<HardwareResult<{ readonly inventory: BmcInventory; readonly leftOut: readonly string[] }>>;
  /** The drives alone, and whose they are. All of them or an error: a list that may lack one is none. */
  storage(target: BmcTarget, options: CallOptions): Promise<HardwareResult<BmcStorage>>;
}

export interface NetworkInterfaceAdapter {
  /** Asks the site's network controller for a versioned wanted state; it acknowledges per interface at `/network/v1`. */
  want(wanted: NetworkWanted, options: CallOptions): Promise<HardwareResult<{ readonly sha256: string }>>;
}

/** Where a step of the controller stands. */
export type StepProgress =
  /** The state was read back and is as wanted. `devices`: what a step that erases drives did, by drive. */
  | { readonly kind: "done"; readonly message: string; readonly devices: readonly DeviceResult[] }
  /** A job of the BMC is under way: `check` is called again with `handle`. */
  | {
      readonly kind: "running";
      readonly handle: z.core.util.JSONType;
      readonly percent: number | null;
      readonly message: string;
    }
  /** What was written takes effect at a restart: the controller restarts the host into the agent and then calls `check` with `handle`. */
  | { readonly kind: "restart"; readonly handle: z.core.util.JSONType; readonly message: string }
  /**
   * It ended, and not as wanted: `message` carries the BMC's own text. `recovery`: before the step is tried again the host is switched
   * off, its BMC restarted, and the host booted anew.
   */
  | { readonly kind: "failed"; readonly message: string; readonly recovery?: "powerCycle" };

export type StepKnown = Pick<KnownHardware, "platform" | "baseline">;

export interface StepCall {
  readonly target: BmcTarget;
  readonly args: StepArgs;
  /** What its code rests on besides what it reads itself: written down with every look at a job, so no more than that. */
  readonly known: StepKnown;
}

/** The code of one clean step that the controller performs (`server/domain/cleaning/steps` declares it). Both may be repeated after a crash. */
export interface StepCode {
  /** Looks first, then sends what is missing. Asks for the permit before each request that changes something. */
  begin(call: StepCall, options: CallOptions): Promise<HardwareResult<StepProgress>>;
  /**
   * Looks how it stands. A step of several parts, such as two firmware updates, sends the next part here, with the
   * permit; any other changes nothing.
   */
  check(
    call: StepCall,
    handle: z.core.util.JSONType,
    options: CallOptions,
  ): Promise<HardwareResult<StepProgress>>;
}

/** What is left on a BMC when its host leaves the fleet (docs/decommission.md#leftovers). */
export interface LeftoversInterface {
  /** Changes nothing. A part that cannot be read is a line of its own. */
  look(target: BmcTarget, options: CallOptions): Promise<HardwareResult<readonly Leftover[]>>;
  /** Removes all but the account by which it is called, and reads it again: what it returns is what is still there. */
  remove(target: BmcTarget, options: CallOptions): Promise<HardwareResult<readonly Leftover[]>>;
  /** Comes last: nothing can be asked of the BMC by this account afterwards. `sent`: it was asked for before, and nobody knows what became of it. */
  removeOwnAccount(
    target: BmcTarget,
    sent: boolean,
    options: CallOptions,
  ): Promise<HardwareResult<readonly Leftover[]>>;
}

/** A hardware type binds one implementation to each interface. Adding a vendor is one folder and one line in the registry. */
export interface HardwareType {
  readonly name: string;
  /** Nothing stands behind it: it works without an address and a credential, which are empty then. */
  readonly withoutBmc?: boolean;
  readonly power: PowerInterface;
  readonly management: ManagementInterface;
  readonly inventory: InventoryInterface;
  /** Left out: nothing can be left behind, because nothing stands behind it. */
  readonly leftovers?: LeftoversInterface;
  /** By full name, such as `bios.recommit`; one that is not here is unsupported on this hardware. */
  readonly steps: ReadonlyMap<string, StepCode>;
}
