// The runs of a reclamation's clean steps: the one place where an attempt begins, succeeds, is retried or is given up, whoever performs it.
import type { AttemptWrite } from "@/server/controller/host/decision";
import { storable } from "@/server/domain/cleaning/failures/cause";
import type { Causes } from "@/server/domain/cleaning/failures/cause";
import { noProgress } from "@/server/domain/hosts/record/reclamation";
import type { AttemptView, StepView } from "@/server/domain/hosts/record/reclamation";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export type AttemptVerdict = "aborted" | "failed" | "lost" | "succeeded";

/** What is specific to an attempt that begins. */
export interface AttemptBegin {
  readonly deadlineAtMs: number | null;
  readonly message: string | null;
  readonly timeLimitMs?: number;
  /** The journal of the attempts before it, for the agent. */
  readonly journal?: AttemptView["journal"];
  /** Serials of the drives that it may erase. */
  readonly drives?: readonly string[];
}

/** What an attempt records of the host. */
export interface Moment {
  readonly nowMs: number;
  readonly bootEpoch: number;
}

/** Why an attempt is over; a handler's failure is one. */
export interface Why {
  readonly message: string;
  readonly causes: Causes | null;
}

export class StepRuns {
  #rows: Mutable<StepView>[];
  #attempt: AttemptView | null;
  readonly #writes: AttemptWrite[] = [];
  readonly #changed = new Set<string>();
  /** The changed rows of a list that was replaced in this decision. */
  readonly #replaced: StepView[] = [];

  readonly #moment: () => Moment;

  constructor(rows: readonly StepView[], attempt: AttemptView | null, moment: () => Moment) {
    this.#moment = moment;
    this.#rows = rows.map((row) => ({ ...row }));
    this.#attempt = attempt;
  }

  /** Each row includes what `patch` has changed. */
  get rows(): readonly StepView[] {
    return this.#rows;
  }
  get running(): StepView | null {
    return this.#rows.find(({ status }) => status === "running") ?? null;
  }
  /** The newest attempt of the step that is running or ran last. */
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

  /** Replaces the list; changes to the old one are still written. */
  replace(rows: readonly StepView[]): void {
    this.#replaced.push(...this.#rows.filter(({ id }) => this.#changed.has(id)));
    this.clear();
    this.#rows = rows.map((row) => ({ ...row }));
    for (const { id } of rows) this.#changed.add(id);
  }

  /** For a new reclamation, which has no steps yet. */
  clear(): void {
    this.#rows = [];
    this.#attempt = null;
  }

  /** Begins the next attempt of a step. */
  begin(row: StepView, { journal = [], drives, ...change }: AttemptBegin): number {
    const { bootEpoch, nowMs } = this.#moment();
    const attempt = row.attempt + 1;
    this.patch(row, {
      ...change,
      status: "running",
      attempt,
      startedAtMs: row.startedAtMs ?? nowMs,
      endedAtMs: null,
    });
    const stepRunId = row.id;
    const write = { stepRunId, attempt, bootEpoch, verdict: null, message: null, causes: null, ended: false };
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

  /** The boot in which the newest attempt of a step began; the present one if this decision does not know it. */
  bootOf({ id }: StepView): number {
    return this.#attempt?.stepRunId === id ? this.#attempt.bootEpoch : this.#moment().bootEpoch;
  }

  /** The newest attempt succeeded, and the step is over. */
  succeed(row: StepView, message: string): void {
    this.#end(row, "succeeded", { message, causes: null });
    this.patch(row, { status: "succeeded", endedAtMs: this.#moment().nowMs, message });
  }

  /** The newest attempt is over, and another one follows. `told`: the step's message until then. */
  retry(row: StepView, verdict: AttemptVerdict, why: Why, told = why.message): void {
    this.#end(row, verdict, why);
    this.patch(row, { status: "planned", message: told });
  }

  /** The newest attempt is over, and none follows unless a person asks for it. */
  giveUp(row: StepView, verdict: AttemptVerdict, why: Why): void {
    this.#end(row, verdict, why);
    this.fail(row, why.message);
  }

  /** The same between two attempts, or before the first one. */
  fail(row: StepView, message: string): void {
    this.patch(row, { status: "failed", endedAtMs: this.#moment().nowMs, message });
  }

  #end(row: StepView, verdict: AttemptVerdict, { message, causes }: Why): void {
    this.#writes.push({
      stepRunId: row.id,
      attempt: row.attempt,
      bootEpoch: this.bootOf(row),
      verdict,
      message,
      causes: causes === null ? null : storable(causes),
      ended: true,
    });
    if (this.#attempt?.stepRunId === row.id) this.#attempt = { ...this.#attempt, verdict };
  }

  /** Resumes an attempt that was given up, because its result came late. */
  reopen(row: StepView): void {
    this.patch(row, { status: "running", endedAtMs: null });
    if (this.#attempt !== null) this.#attempt = { ...this.#attempt, verdict: null };
  }
}
