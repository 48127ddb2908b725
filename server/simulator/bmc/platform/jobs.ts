// The jobs of one simulated BMC. Each takes its hardware time, and takes effect the first time somebody looks after its end.
import type { HardwareTime } from "@/server/simulator/hardware-time";
import type { HostFaults } from "@/server/simulator/faults";
import type { JobEffect, JobMemory } from "@/server/simulator/bmc/platform/memory";

export interface Job extends JobMemory {
  state: JobMemory["state"];
  startedAt: number;
}

const maxKept = 32;

export class Jobs {
  #list: Job[] = [];

  readonly #time: HardwareTime;
  readonly #faults: HostFaults;
  /** Does what the job is for or, if it fails, undoes it; false if it could not. */
  readonly #perform: (effect: JobEffect, fails: boolean) => boolean;
  /** Whether what the job is for is still in progress, whatever its usual time. */
  readonly #busy: (effect: JobEffect) => boolean;
  readonly #changed: () => void;

  constructor(
    time: HardwareTime,
    faults: HostFaults,
    perform: (effect: JobEffect, fails: boolean) => boolean,
    busy: (effect: JobEffect) => boolean,
    changed: () => void,
  ) {
    this.#time = time;
    this.#faults = faults;
    this.#perform = perform;
    this.#busy = busy;
    this.#changed = changed;
  }

  /** `waits`: until the host's next restart. A scripted fault affects each job that is ordered. */
  order(id: string, name: string, hardwareMs: number, effect: JobEffect, waits: boolean): Job {
    const fault = this.#faults.jobs;
    const fails = (fault?.fails ?? 0) > 0;
    if (fault && fails) this.#faults.jobs = { ...fault, fails: (fault.fails ?? 1) - 1 };
    const job: Job = {
      id,
      name,
      state: waits ? "waiting" : "running",
      hardwareMs,
      fails,
      hangs: fault?.hangs ?? false,
      messageId: (fails ? fault?.messageId : undefined) ?? "Base.1.8.Job",
      effect,
      orderedAt: new Date().toISOString(),
      startedAt: this.#time.now(),
    };
    this.#list = [
      ...this.#list.filter(
        (row) =>
          row.state === "waiting" ||
          row.state === "running" ||
          this.#list.indexOf(row) >= this.#list.length - maxKept,
      ),
      job,
    ];
    this.#changed();
    return job;
  }

  /** All jobs; those whose time has passed are ended first. */
  list(): readonly Job[] {
    for (const job of this.#list) {
      if (
        job.state !== "running" ||
        job.hangs ||
        this.#time.now() - job.startedAt < this.#time.scaled(job.hardwareMs) ||
        this.#busy(job.effect)
      )
        continue;
      job.state = this.#perform(job.effect, job.fails) && !job.fails ? "completed" : "failed";
      this.#changed();
    }
    return this.#list;
  }

  percent({ state, startedAt, hardwareMs, hangs }: Job): number {
    if (state === "waiting") return 0;
    if (state !== "running") return 100;
    const total = this.#time.scaled(hardwareMs);
    return hangs ? 1 : Math.min(99, Math.floor((100 * (this.#time.now() - startedAt)) / Math.max(1, total)));
  }

  /** The host restarts, so waiting jobs start now. */
  restart(): void {
    for (const job of this.#list) {
      if (job.state !== "waiting") continue;
      job.state = "running";
      job.startedAt = this.#time.now();
    }
    this.#changed();
  }

  remove(id: string): void {
    this.#list = this.#list.filter((job) => job.id !== id);
    this.#changed();
  }

  clear(): void {
    this.#list = [];
    this.#changed();
  }

  memory(): JobMemory[] {
    return this.#list.map(({ startedAt: _startedAt, ...job }) => job);
  }

  /** A job that was running starts its time again. */
  recall(jobs: readonly JobMemory[]): void {
    this.#list = jobs.map((job) => ({ ...job, startedAt: this.#time.now() }));
  }
}
