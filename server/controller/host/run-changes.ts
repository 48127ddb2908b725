// The host's row of the queue, as this decision changes it: its state, what is said of it, its boot, and what its agent is told.
import type { Command } from "@/server/domain/agents/protocol";
import type { State } from "@/server/domain/lifecycle/states";
import type { RunWrite } from "@/server/domain/host-record/run";
import type { HostView } from "@/server/domain/host-record/view";

export class RunChanges {
  #state: State;
  #enteredMs: number;
  readonly #entered: { readonly state: State; readonly reason: string }[] = [];
  #lastError: string | null;
  #maintenance: boolean;
  #maintenanceBy: "failure" | "person" | null;
  #maintenanceReason: string | null;
  #allocatable: boolean;
  #touched: boolean;
  #bootEpoch: number;
  #bootWindowMs: number | null = null;
  #bootProven = false;
  #command: Command | null | undefined = undefined;
  #progress: RunWrite["cleanProgress"] = undefined;

  constructor(run: HostView["run"]) {
    this.#state = run.state;
    this.#enteredMs = run.stateSinceMs;
    this.#lastError = run.lastError;
    this.#maintenance = run.maintenance;
    this.#maintenanceBy = run.maintenanceBy;
    this.#maintenanceReason = run.maintenanceReason;
    this.#allocatable = run.allocatable;
    this.#touched = run.touched;
    this.#bootEpoch = run.bootEpoch;
  }

  get state(): State {
    return this.#state;
  }
  get enteredMs(): number {
    return this.#enteredMs;
  }
  /** States entered by this decision, in order. */
  get entered(): readonly { readonly state: State; readonly reason: string }[] {
    return this.#entered;
  }
  get lastError(): string | null {
    return this.#lastError;
  }
  get maintenance(): boolean {
    return this.#maintenance;
  }
  get maintenanceBy(): "failure" | "person" | null {
    return this.#maintenanceBy;
  }
  get maintenanceReason(): string | null {
    return this.#maintenanceReason;
  }
  get allocatable(): boolean {
    return this.#allocatable;
  }
  /** Somebody may have worked on the host since it was read. */
  get touched(): boolean {
    return this.#touched;
  }
  get bootEpoch(): number {
    return this.#bootEpoch;
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

  enter(state: State, reason: string, nowMs: number): void {
    this.#state = state;
    this.#enteredMs = nowMs;
    this.#entered.push({ state, reason });
  }

  /** What people read as the last error; null: there is none any more. */
  setError(message: string | null): void {
    this.#lastError = message;
  }

  /** Gives the agent its next command, or takes back the one that it has. */
  setCommand(command: Command | null): void {
    this.#command = command;
  }

  setProgress(progress: NonNullable<RunWrite["cleanProgress"]>): void {
    this.#progress = progress;
  }

  setAllocatable(allocatable: boolean): void {
    this.#allocatable = allocatable;
  }

  /** A person's maintenance is not replaced by a failure's. */
  beginMaintenance(reason: string): void {
    if (this.#maintenance) return;
    this.#maintenance = true;
    this.#maintenanceBy = "failure";
    this.#maintenanceReason = reason.slice(0, 500);
  }

  /** Maintenance that a failure set is over; a person's stays. */
  endMaintenanceOfFailure(): void {
    if (this.#maintenanceBy !== "failure") return;
    this.#maintenance = false;
    this.#maintenanceBy = null;
    this.#maintenanceReason = null;
  }

  /** The next boot. What is read in it or a later one is read after whatever somebody did to the host. */
  nextBoot(): void {
    this.#bootEpoch += 1;
    if (!this.#maintenance) this.#touched = false;
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
}
