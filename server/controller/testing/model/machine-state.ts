// The model's machine as it is at one moment: its drives with what they really hold, the agent, and the state of BMC and ports.
import type { NetworkWanted } from "@/server/domain/hosts/network/network-protocol";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";
import type { Lie } from "@/server/controller/testing/model/agent/work";

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
  /** `technique`: of the command that it runs; null: its BMC's. */
  erasing: { untilMs: number; reclamationId: string; technique: Technique | null } | null;
  /** An NVMe drive without sanitize. */
  formats: boolean;
  /**
   * How its status lies. `idle`: it says so while it erases. `running`: it says so for ever. One that says that an erase is done which it never did has
   * the behaviour `keeps`.
   */
  says: "truth" | "idle" | "running";
  /** `fails`: reports a failure. `keeps`: reports success, and read-back shows that it is not. */
  behaviour: "honest" | "fails" | "keeps";
}

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
    readonly sinceMs: number;
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
  /** A drive was written to since the host became Ready; the drives that its BMC had listed. */
  writtenInReady: boolean;
  readyDrives: string;
  tellsResets: boolean;
  /** How often it had been reset when the restart of a boot was last permitted. */
  resetsBefore: number;
  /** When it was last reset. */
  resetAtMs: number;
  /** How often its reset mark was read, and how far the BMC's clock is ahead. */
  readings: number;
  clockMs: number;
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
  faults: ("failed" | "lostBefore" | "lostAfter" | "ignored")[];
  /** How the BMC lists its drives the next times. */
  listingFaults: ("error" | "short" | "unnamed" | "one serial")[];
}
