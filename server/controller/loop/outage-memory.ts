// What a controller knows of an outage of the database: when it began to matter, and what shows that it is over. For /readyz, and to log it once.
import type { Outage } from "@/server/db/outage";

/** An outage that nothing has shown for this long is over, although nothing has shown its end either. */
const forgottenMs = 10_000;

export class OutageMemory {
  #last: { readonly outage: Outage; readonly at: number; over: boolean } | null = null;
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** An error showed this outage. Returns whether it is a new one, to be logged. */
  met(outage: Outage): boolean {
    const isNew = this.#recent()?.outage.message !== outage.message;
    this.#last = { outage, at: this.#now(), over: false };
    return isNew;
  }

  /** The database answered a claim. That ends an outage of the connection, and not one in which it refuses to write. */
  answered(): void {
    if (this.#last?.outage.endsWith === "answer") this.#last.over = true;
  }

  /** The database stored a decision. */
  stored(): void {
    if (this.#last !== null) this.#last.over = true;
  }

  /** In words; null: there is none now. */
  get message(): string | null {
    const last = this.#recent();
    return last === null || last.over ? null : last.outage.message;
  }

  #recent() {
    return this.#last !== null && this.#now() - this.#last.at < forgottenMs ? this.#last : null;
  }
}
