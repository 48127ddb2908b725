// The host's reclamation, as this decision begins, changes or ends it. Each decision writes the rows of one reclamation.
import type { Decision } from "@/server/controller/host/decision";
import { summarizeCleanup } from "@/server/domain/cleaning/cleanup-summary";
import type { Outcome, ReclamationView, StepView } from "@/server/domain/hosts/record/reclamation";
import type { FailureCause, State } from "@/server/domain/lifecycle/states";

interface Stopped {
  readonly atMs: number;
  readonly cause: FailureCause;
  readonly in: State;
  readonly message: string;
}

export class ReclamationChanges {
  #row: ReclamationView | null;
  #isNew = false;
  #changed = false;
  #outcome: Outcome | null = null;
  #endedBefore: Decision["endedBefore"] = null;

  constructor(row: ReclamationView | null) {
    this.#row = row;
  }

  get row(): ReclamationView | null {
    return this.#row;
  }
  /** How it ended in this decision; null: it did not end. */
  get outcome(): Outcome | null {
    return this.#outcome;
  }
  get endedBefore(): Decision["endedBefore"] {
    return this.#endedBefore;
  }
  get written(): Decision["reclamation"] {
    return this.#row !== null && this.#changed
      ? { row: this.#row, isNew: this.#isNew, outcome: this.#outcome }
      : null;
  }

  /** An earlier one that had stopped ends as `abandoned`. */
  begin(row: ReclamationView): void {
    if (this.#row !== null)
      this.#endedBefore = { id: this.#row.id, outcome: "abandoned", message: `replaced by ${row.kind}` };
    this.#row = row;
    this.#isNew = true;
    this.#changed = true;
    this.#outcome = null;
  }

  /** @throws if there is none */
  patch(change: Partial<ReclamationView>): void {
    if (this.#row === null) throw new Error("there is no reclamation to change");
    this.#row = { ...this.#row, ...change };
    this.#changed = true;
  }

  /** Stops the reclamation without ending it; it can be resumed. */
  stop(stopped: Stopped, runs: readonly StepView[]): void {
    if (this.#row === null) return;
    const { atMs, cause, message } = stopped;
    const stoppedIn = this.#row.stoppedIn ?? stopped.in;
    this.patch({ stoppedAtMs: atMs, stoppedCause: cause, stoppedIn, message });
    this.#keepCleanup(runs);
  }

  end(outcome: Outcome, message: string | null, runs: readonly StepView[]): void {
    if (this.#row === null) return;
    this.patch(message === null ? {} : { message });
    this.#keepCleanup(runs);
    this.#outcome = outcome;
  }

  /** Later releases may report steps under other names, so the summary made by this one is kept (docs/adr/0014-cleaning.md). */
  #keepCleanup(runs: readonly StepView[]): void {
    const plan = this.#row?.plan ?? null;
    if (plan !== null) this.patch({ plan: { ...plan, cleanup: summarizeCleanup(runs) } });
  }
}
