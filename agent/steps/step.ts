// A clean step as the agent sees it, and its context while it runs.
import type { ClearedDevice } from "@/server/domain/hosts/device-memory/device-memory";
import type { ExecuteCommand } from "@/server/domain/agents/protocol";
import type { DeviceResult, JournalEvent } from "@/agent/steps/results";
import type { RandomSource, Clock, Log } from "@/agent/surroundings";
import type { Tools } from "@/agent/tools/tools";

export interface DeviceProgress {
  readonly serial: string;
  readonly percent: number;
  readonly status: string;
  /** The drive's own estimate, in ms; 0: it is not erasing. Null: it may be, and does not report. */
  readonly remainingMs: number | null;
}

/** The step's connection to the server. Only `acknowledge` waits for the network. */
export interface Reporter {
  /** Adds to the next report. */
  note(update: {
    readonly device?: DeviceProgress;
    readonly message?: string;
    readonly journal?: readonly JournalEvent[];
    readonly unstoppable?: boolean;
    /** For a step without devices to report. */ readonly percent?: number;
  }): void;
  /** Whether a drive is erasing, and for how long: as `DeviceProgress.remainingMs`, when there is nothing else to report about it. */
  erases(serial: string, remainingMs: number | null): void;
  /**
   * Returns once the server has stored everything noted so far. If `goOn` is false, the server refused or asks to abort, and nothing may be sent to a
   * device.
   */
  acknowledge(): Promise<{ readonly goOn: boolean }>;
}

export interface StepContext {
  readonly command: ExecuteCommand;
  readonly tools: Tools;
  readonly clock: Clock;
  readonly chance: RandomSource;
  readonly log: Log;
  readonly reporter: Reporter;
  /** Devices that an earlier attempt of this step run erased and verified in this boot: a finished erase is not repeated. */
  readonly finished: readonly DeviceResult[];
  /** Fires when the step must stop. What cannot be stopped is waited for; nothing new starts. */
  readonly aborted: AbortSignal;
}

export interface StepOutcome {
  readonly result: "OK" | "ERROR";
  readonly message: string;
  readonly devices: readonly DeviceResult[];
  /** Of the step that clears the memory of devices. */
  readonly memory?: readonly ClearedDevice[];
}

/** How a step is performed; it is declared in `server/domain/cleaning/steps`. */
export interface Step {
  readonly interface: string;
  readonly step: string;
  run(context: StepContext): Promise<StepOutcome>;
}
