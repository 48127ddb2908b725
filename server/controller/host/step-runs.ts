// The runs of a reclamation's clean steps and the attempt that is under way, as this decision changes them.
import type { AttemptWrite } from "@/server/controller/host/decision";
import { noProgress } from "@/server/domain/host-record/reclamation";
import type { AttemptView, StepView } from "@/server/domain/host-record/reclamation";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export type AttemptVerdict = "aborted" | "failed" | "lost" | "succeeded";

/** What an attempt that begins has of its own. */
export interface AttemptBegin {
  readonly bootEpoch: number;
  readonly nowMs: number;
  readonly deadlineAtMs: number | null;
  readonly message: string | null;
  readonly timeLimitMs?: number;
  /** Of the attempts before it, for the agent. */
  readonly journal?: AttemptView["journal"];
  /** Serials of the drives that it may erase. */
  readonly drives?: readonly string[];
}

export class StepRuns {
  #rows: Mutable<StepView>[];
  #attempt: AttemptView | null;
  readonly #writes: AttemptWrite[] = [];
  readonly #changed = new Set<string>();
  /** Of a list that another one replaced in this very decision, those that had changed. */
  readonly #replaced: StepView[] = [];

  constructor(rows: readonly StepView[], attempt: AttemptView | null) {
    this.#rows = rows.map((row) => ({ ...row }));
    this.#attempt = attempt;
  }

  /** Each row shows what `patch` has changed since it was read. */
  get rows(): readonly StepView[] {
    return this.#rows;
  }
  get running(): StepView | null {
    return this.#rows.find(({ status }) => status === "running") ?? null;
  }
  /** The newest attempt of the step that runs, or ran last. */
  get attempt(): AttemptView | null {
    return this.#attempt;
  }
  get writes(): readonly AttemptWrite[] {
    return this.#writes;
  }
  get changed(): readonly StepView[] {
    return [...this.#replaced, ...this.#rows.filter(({ id }) => this.#changed.has(id))];
  }

  patch({ id }: StepView, change: Partial<StepView>): void {
    const row = this.#rows.find((known) => known.id === id);
    if (row === undefined) throw new Error(`no run ${id} of a step belongs to this reclamation`);
    Object.assign(row, change);
    this.#changed.add(id);
  }

  /** Another list takes the place of the present one, of which what has changed is written all the same. */
  replace(rows: readonly StepView[]): void {
    this.#replaced.push(...this.#rows.filter(({ id }) => this.#changed.has(id)));
    this.clear();
    this.#rows = rows.map((row) => ({ ...row }));
    for (const { id } of rows) this.#changed.add(id);
  }

  /** Of a new reclamation: it has none yet, and those of the one before it are not its own. */
  clear(): void {
    this.#rows = [];
    this.#attempt = null;
  }

  /** Begins the next attempt of a step. */
  begin(row: StepView, { bootEpoch, nowMs, journal = [], drives, ...change }: AttemptBegin): number {
    const attempt = row.attempt + 1;
    this.patch(row, {
      ...change,
      status: "running",
      attempt,
      startedAtMs: row.startedAtMs ?? nowMs,
      endedAtMs: null,
    });
    const stepRunId = row.id;
    const write = { stepRunId, attempt, bootEpoch, verdict: null, message: null, ended: false };
    this.#writes.push(drives === undefined ? write : { ...write, drives });
    this.#attempt = {
      stepRunId,
      attempt,
      bootEpoch,
      report: null,
      verdict: null,
      progress: noProgress,
      journal,
    };
    return attempt;
  }

  /** The boot in which an attempt of a step was begun, where this decision knows it. */
  bootOf({ id }: StepView): number | null {
    return this.#attempt?.stepRunId === id ? this.#attempt.bootEpoch : null;
  }

  /** Ends the newest attempt of a step. What becomes of the step is said by `patch`. */
  end(row: StepView, verdict: AttemptVerdict, message: string, bootEpoch: number): void {
    this.#writes.push({
      stepRunId: row.id,
      attempt: row.attempt,
      bootEpoch: this.bootOf(row) ?? bootEpoch,
      verdict,
      message,
      ended: true,
    });
    if (this.#attempt?.stepRunId === row.id) this.#attempt = { ...this.#attempt, verdict };
  }

  /** An attempt that was given up is followed all the same: its result came late. */
  reopen(row: StepView): void {
    this.patch(row, { status: "running", endedAtMs: null });
    if (this.#attempt !== null) this.#attempt = { ...this.#attempt, verdict: null };
  }
}
