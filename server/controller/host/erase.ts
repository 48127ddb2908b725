// Whether, and until when, an erase may be running that no power action may interrupt.
import { eraseProtectedUntilMs } from "@/server/domain/cleaning/erase-time";
import type { Policy } from "@/server/domain/cleaning/policy/policy";
import { noProgress } from "@/server/domain/hosts/record/reclamation";
import type { HostView } from "@/server/domain/hosts/record/view";
import type { Memory } from "@/server/controller/host/memory";
import type { StepRuns } from "@/server/controller/host/step-runs";

/** What is known of the rest of the host. */
interface Facts {
  readonly view: HostView;
  readonly memory: Memory;
  readonly steps: StepRuns;
  readonly policy: Policy;
}

export class Erase {
  #running: boolean;
  readonly #facts: () => Facts;

  constructor(running: boolean, facts: () => Facts) {
    this.#running = running;
    this.#facts = facts;
  }

  /** A drive may be erasing. */
  get running(): boolean {
    return this.#running;
  }

  /** Set by a step that begins or ends. An erase left behind by an ended reclamation continues whatever a later step reports. */
  setByStep(running: boolean): void {
    this.#running = running || this.left;
  }

  /** Nothing is erasing any more, and nothing left behind is waited for. */
  over(): void {
    this.#running = false;
    this.#facts().memory.keep({ eraseUntil: null });
  }

  /** An erase was left behind that this host's own record does not know of. */
  foundUntil(untilMs: number): void {
    this.#running = true;
    this.#facts().memory.keep({ eraseUntil: new Date(untilMs).toISOString() });
  }

  get #leftUntilMs(): number | null {
    const { eraseUntil } = this.#facts().memory.context;
    return eraseUntil === null ? null : Date.parse(eraseUntil);
  }

  /** Whether an erase of an ended reclamation may still run; no step of a later one changes that. */
  get left(): boolean {
    const untilMs = this.#leftUntilMs;
    return this.#running && untilMs !== null && untilMs > this.#facts().view.nowMs;
  }

  /**
   * Until when an erase may still run that no agent reports: the devices' own estimate or else the step's deadline,
   * and what an ended reclamation left behind.
   */
  get mayRunUntilMs(): number | null {
    if (!this.#running) return null;
    const { steps, policy, view } = this.#facts();
    const step = steps.rows.find(({ status, id }) => status === "running" || id === steps.attempt?.stepRunId);
    return eraseProtectedUntilMs({
      deadlineAtMs: step?.deadlineAtMs ?? null,
      ...(steps.attempt?.progress ?? noProgress),
      maxMs: policy.times.eraseStepMs,
      noProgressMs: policy.sanitization.erase.noProgressTimeoutMs,
      leftUntilMs: this.#leftUntilMs,
      stateSinceMs: view.run.stateSinceMs,
    });
  }

  /** Until when an erase forbids power actions; null: none may be running. */
  get untilMs(): number | null {
    const untilMs = this.mayRunUntilMs;
    return untilMs !== null && untilMs > this.#facts().view.nowMs ? untilMs : null;
  }

  /**
   * The same for a host that is being deleted. Its agent is not told and may begin on another device until its next report is refused,
   * so a running step counts with its whole time limit. Null if nothing can be erasing any more.
   */
  get afterDeletionUntilMs(): number | null {
    const { steps, view } = this.#facts();
    const untilMs = !this.#running
      ? null
      : Math.max(this.mayRunUntilMs ?? 0, steps.running?.deadlineAtMs ?? 0);
    return untilMs === null || untilMs <= view.nowMs ? null : untilMs;
  }

  /** An erase continues whatever happens to its reclamation or plan, so its end is remembered. */
  remember(): void {
    const untilMs = this.mayRunUntilMs;
    // safety: boot: an erase outlives its reclamation
    if (untilMs !== null) this.#facts().memory.keep({ eraseUntil: new Date(untilMs).toISOString() });
  }
}
