// The host's row in the queue, as this decision changes it: its state, its messages, its boot, and the command for its agent.
import type { Command } from "@/server/domain/agents/protocol";
import type { Causes } from "@/server/domain/cleaning/failures/cause";
import type { State } from "@/server/domain/lifecycle/states";
import { runKept } from "@/server/domain/hosts/record/run";
import { pick } from "@/server/domain/pick";
import type { RunKept, RunWrite } from "@/server/domain/hosts/record/run";
import type { HostView } from "@/server/domain/hosts/record/view";

type Entered = { readonly state: State; readonly reason: string; readonly causes?: Causes };

const keptFields = runKept.keyof().options;

export class RunChanges {
  #kept: RunKept;
  #enteredMs: number;
  readonly #entered: Entered[] = [];
  #bootWindowMs: number | null = null;
  #bootProven = false;
  #command: Command | null | undefined = undefined;
  #progress: RunWrite["cleanProgress"] = undefined;

  constructor(run: HostView["run"]) {
    this.#kept = pick(run, keptFields);
    this.#enteredMs = run.stateSinceMs;
  }

  /** The row as it is now; fields that other parts of the draft change are as they were read. */
  get kept(): RunKept {
    return this.#kept;
  }
  get enteredMs(): number {
    return this.#enteredMs;
  }
  /** States entered by this decision, in order. */
  get entered(): readonly Entered[] {
    return this.#entered;
  }
  get bootWindowMs(): number | null {
    return this.#bootWindowMs;
  }
  get bootProven(): boolean {
    return this.#bootProven;
  }
  /** `undefined`: unchanged. */
  get command(): Command | null | undefined {
    return this.#command;
  }
  /** Progress of a controller's step; `undefined`: unchanged. */
  get progress(): RunWrite["cleanProgress"] {
    return this.#progress;
  }

  /** `causes`: only for a failed state. */
  enter(state: State, reason: string, nowMs: number, causes: Causes | null = null): void {
    this.#change({ state });
    this.#enteredMs = nowMs;
    this.#entered.push(causes === null ? { state, reason } : { state, reason, causes });
  }

  /** The last error that people see; null clears it. */
  setError(message: string | null): void {
    this.#change({ lastError: message });
  }

  /** Gives the agent its next command, or withdraws the present one. */
  setCommand(command: Command | null): void {
    this.#command = command;
  }

  setProgress(progress: NonNullable<RunWrite["cleanProgress"]>): void {
    this.#progress = progress;
  }

  setAllocatable(allocatable: boolean): void {
    this.#change({ allocatable });
  }

  /** A failure does not replace a person's maintenance. */
  beginMaintenance(reason: string): void {
    if (this.#kept.maintenance) return;
    this.#change({ maintenance: true, maintenanceBy: "failure", maintenanceReason: reason.slice(0, 500) });
  }

  /** Ends maintenance that a failure set; a person's stays. */
  endMaintenanceOfFailure(): void {
    if (this.#kept.maintenanceBy !== "failure") return;
    this.#change({ maintenance: false, maintenanceBy: null, maintenanceReason: null });
  }

  /**
   * Orders the next boot. What is read in it or a later one is newer than whatever somebody did to the host.
   * @param showsAll whatever was done to the host is visible from then on, or is erased
   */
  nextBoot(showsAll: boolean): void {
    const { bootEpoch, maintenance, touched } = this.#kept;
    this.#change({ bootEpoch: bootEpoch + 1, touched: (maintenance || !showsAll) && touched });
    this.#command = null;
  }

  /** Until when an agent of this boot may register. */
  setBootWindow(untilMs: number): void {
    this.#bootWindowMs = untilMs;
  }

  /** The restart of this boot was looked up and confirmed. */
  setBootProven(): void {
    this.#bootProven = true;
  }

  #change(changed: Partial<RunKept>): void {
    this.#kept = { ...this.#kept, ...changed };
  }
}
