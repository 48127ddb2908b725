// The host's row of the queue, as this decision changes it: its state, what is said of it, its boot, and what its agent is told.
import type { Command } from "@/server/domain/agents/protocol";
import type { Causes } from "@/server/domain/causes/cause";
import type { State } from "@/server/domain/lifecycle/states";
import { runKept } from "@/server/domain/host-record/run";
import { pick } from "@/server/domain/pick";
import type { RunKept, RunWrite } from "@/server/domain/host-record/run";
import type { HostView } from "@/server/domain/host-record/view";

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

  /** The row's fields as they are by now, those that another part of the draft changes as they were read. */
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
  /** `undefined`: as it was. */
  get command(): Command | null | undefined {
    return this.#command;
  }
  /** Of a step of the controller; `undefined`: as it was. */
  get progress(): RunWrite["cleanProgress"] {
    return this.#progress;
  }

  /** `causes`: of a failed state. */
  enter(state: State, reason: string, nowMs: number, causes: Causes | null = null): void {
    this.#change({ state });
    this.#enteredMs = nowMs;
    this.#entered.push(causes === null ? { state, reason } : { state, reason, causes });
  }

  /** What people read as the last error; null: there is none any more. */
  setError(message: string | null): void {
    this.#change({ lastError: message });
  }

  /** Gives the agent its next command, or takes back the one that it has. */
  setCommand(command: Command | null): void {
    this.#command = command;
  }

  setProgress(progress: NonNullable<RunWrite["cleanProgress"]>): void {
    this.#progress = progress;
  }

  setAllocatable(allocatable: boolean): void {
    this.#change({ allocatable });
  }

  /** A person's maintenance is not replaced by a failure's. */
  beginMaintenance(reason: string): void {
    if (this.#kept.maintenance) return;
    this.#change({ maintenance: true, maintenanceBy: "failure", maintenanceReason: reason.slice(0, 500) });
  }

  /** Maintenance that a failure set is over; a person's stays. */
  endMaintenanceOfFailure(): void {
    if (this.#kept.maintenanceBy !== "failure") return;
    this.#change({ maintenance: false, maintenanceBy: null, maintenanceReason: null });
  }

  /**
   * The next boot. What is read in it or a later one is read after whatever somebody did to the host.
   * @param showsAll it can be seen from then on, or is erased
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

  /** The restart of this boot was looked up and is done. */
  setBootProven(): void {
    this.#bootProven = true;
  }

  #change(changed: Partial<RunKept>): void {
    this.#kept = { ...this.#kept, ...changed };
  }
}
