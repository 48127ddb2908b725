// What a clean step is to the agent, and what it is given while it runs.
import type { ExecuteCommand } from "@/server/domain/agents/protocol";
import type { DeviceResult, JournalEvent } from "@/agent/steps/results";
import type { Chance, Clock, Log } from "@/agent/surroundings";
import type { Tools } from "@/agent/tools/tools";

export interface DeviceProgress {
  readonly serial: string;
  readonly percent: number;
  readonly status: string;
  /** What the drive itself expects to need, in ms; 0: it does not erase. Null: it may, and does not tell. */
  readonly remainingMs: number | null;
}

/** The step's way to the server. Nothing here waits for the network but `acknowledge`. */
export interface Reporter {
  /** Adds to what the next report carries. */
  note(update: {
    readonly device?: DeviceProgress;
    readonly message?: string;
    readonly journal?: readonly JournalEvent[];
    readonly unstoppable?: boolean;
    /** Of a step that has no devices to tell of. */ readonly percent?: number;
  }): void;
  /** Whether a drive erases, and for how long: as `DeviceProgress.remainingMs`, of a drive of which nothing else is told now. */
  erases(serial: string, remainingMs: number | null): void;
  /** Returns once the server has stored everything noted so far. `goOn` is false when it refused, or asks to abort: then nothing may be sent to a device. */
  acknowledge(): Promise<{ readonly goOn: boolean }>;
}

export interface StepContext {
  readonly command: ExecuteCommand;
  readonly tools: Tools;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly reporter: Reporter;
  /** Devices that an earlier attempt of this very step run erased and verified in this boot: an erase that is finished is not repeated. */
  readonly finished: readonly DeviceResult[];
  /** Fires when the step is to stop. What cannot be stopped is waited for; nothing new begins. */
  readonly aborted: AbortSignal;
}

export interface StepOutcome {
  readonly result: "OK" | "ERROR";
  readonly message: string;
  readonly devices: readonly DeviceResult[];
}

/** How a step is performed; `server/domain/cleaning/steps` declares it. */
export interface Step {
  readonly interface: string;
  readonly step: string;
  run(context: StepContext): Promise<StepOutcome>;
}
