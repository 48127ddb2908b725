// What the controller may ask of hardware; every vendor and adapter is behind these (docs/design/hardware.md#interfaces).
import type { z } from "zod";
import type { KnownHardware, StepArgs } from "@/server/domain/cleaning/steps/step";
import type { DeviceResult } from "@/server/domain/sanitization/device-result";
import type { StorageDevice } from "@/server/domain/inventory/inventory";
import type { SeenCertificate } from "@/server/domain/hardware/certificate";
import type { PlatformFacts, StorageFacts } from "@/server/domain/inventory/platform";
import type { UnresolvedStorage } from "@/server/domain/sanitization/known-devices";
import type { NetworkWanted } from "@/server/domain/agents/protocol";

/** Where a BMC is and how to sign in. `links` are paths found once by following links from the service root. */
export interface BmcTarget {
  readonly hostId: string;
  readonly address: string;
  readonly username: string;
  readonly password: string;
  readonly links: BmcLinks | null;
  /** SHA-256 of the one certificate that it may show; null: the authorities of the system decide. */
  readonly certificate?: string | null;
  /** As last read; null before its first reading. */
  readonly powerState: PowerState | null;
  /** Whose BMC it must be: compared with what answers at the address before anything is changed. Null until the host was verified. */
  readonly identity?: { readonly serial: string; readonly systemUuid: string } | null;
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
  readonly sessions: string | null;
}

export const powerStates = ["on", "off", "poweringOn", "poweringOff", "unknown"] as const;
export type PowerState = (typeof powerStates)[number];

export type BootSource = "uefiHttp" | "pxe" | "none";

/** What one GET of the system tells. */
export interface SystemReading {
  readonly power: PowerState;
  readonly bootOverride: { readonly source: BootSource | "other"; readonly enabled: boolean };
  readonly serial: string;
  readonly uuid: string;
  readonly manufacturer: string;
  readonly model: string;
  /** Moves on with every reset of the host and with nothing else (`LastResetTime`); null: this BMC tells of none. */
  readonly resetMark: string | null;
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
}

/**
 * Why a call to hardware did not do what was asked. `rejected`: it understood the request and will not do it, whenever it is asked.
 * `untrusted`: the certificate is not the one that it must show, and nothing was sent.
 * `otherHost`: another machine answers at the address, and nothing was changed.
 * `message` names method, path, status and the BMC's own text.
 */
export interface HardwareError {
  readonly kind:
    "unreachable" | "refused" | "unsupported" | "rejected" | "otherHost" | "untrusted" | "failed";
  readonly message: string;
  /** True when it is unknown whether the request took effect: it must be looked up, not sent again. */
  readonly unknownOutcome: boolean;
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
  /** Called immediately before every request that changes something. */
  readonly permit?: Permit;
}

export type ResetKind = "on" | "forceRestart" | "powerCycle" | "forceOff";

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
  /** Sets a boot source for the next boot only (or none), and reads it back. */
  setBootOnce(
    target: BmcTarget,
    source: BootSource,
    options: CallOptions,
  ): Promise<HardwareResult<SystemReading>>;
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

/** A hardware type binds one implementation to each interface. Adding a vendor is one folder and one line in the registry. */
export interface HardwareType {
  readonly name: string;
  /** Nothing stands behind it: it works without an address and a credential, which are empty then. */
  readonly withoutBmc?: boolean;
  readonly power: PowerInterface;
  readonly management: ManagementInterface;
  readonly inventory: InventoryInterface;
  /** By full name, such as `bios.recommit`; one that is not here is unsupported on this hardware. */
  readonly steps: ReadonlyMap<string, StepCode>;
}
