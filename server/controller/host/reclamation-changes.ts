// The host's reclamation, as this decision begins, changes or ends it: the rows of one reclamation in each decision.
import type { Decision } from "@/server/controller/host/decision";
import type { Outcome, ReclamationView } from "@/server/domain/host-record/reclamation";

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
  /** How it ended in this decision; null: it goes on. */
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

  /** A stopped one before it ends `abandoned`. */
  begin(row: ReclamationView): void {
    if (this.#row !== null)
      this.#endedBefore = { id: this.#row.id, outcome: "abandoned", message: `replaced by ${row.kind}` };
    this.#row = row;
    this.#isNew = true;
    this.#changed = true;
    this.#outcome = null;
  }

  /** @throws when there is none */
  patch(change: Partial<ReclamationView>): void {
    if (this.#row === null) throw new Error("there is no reclamation to change");
    this.#row = { ...this.#row, ...change };
    this.#changed = true;
  }

  end(outcome: Outcome, message: string | null): void {
    if (this.#row === null) return;
    this.patch(message === null ? {} : { message });
    this.#outcome = outcome;
  }
}
