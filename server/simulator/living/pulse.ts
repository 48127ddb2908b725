// Whether the living demo is alive: whether machines still come back, and if they do not, why (docs/demo.md#living-demo).
import { z } from "zod";
import type { Person } from "@/server/simulator/living/people";

const lookEveryMs = 30_000;
/** At the scenario's rate and the default speed, several machines come back within this time. */
const quietMs = 10 * 60_000;

const ended = z.object({ rows: z.array(z.object({ endedAt: z.string().nullable() })) });
const queue = z.object({
  brakes: z.array(
    z.object({ message: z.string(), liftedAt: z.string().nullable(), asks: z.array(z.string()) }),
  ),
});

export class Pulse {
  readonly #now: () => number;
  #newest = "";
  /** When a machine was last seen to have come back, or when the demo was switched on. */
  #movedAt: number;
  #looksAt = Number.NEGATIVE_INFINITY;
  #lookedAt: number;
  #why = "";

  constructor(now: () => number) {
    this.#now = now;
    this.#movedAt = now();
    this.#lookedAt = now();
  }

  /** Starts anew: what happened while the demo was off does not count. */
  reset(): void {
    this.#movedAt = this.#now();
    this.#lookedAt = this.#now();
  }

  /** At most every 30 s. Throws what the operator's requests throw. */
  async tick(operator: Person): Promise<void> {
    if (this.#now() < this.#looksAt) return;
    this.#looksAt = this.#now() + lookEveryMs;
    const { rows } = await operator.read("reclamations.list", { status: "ended", limit: 50 }, ended);
    const newest = rows.map(({ endedAt }) => endedAt ?? "").reduce((a, b) => (a > b ? a : b), "");
    if (newest > this.#newest) {
      this.#newest = newest;
      this.#movedAt = this.#now();
    }
    const { brakes } = await operator.read("queue.get", null, queue);
    const brake = brakes.find(({ liftedAt, asks }) => liftedAt === null && asks.length === 0);
    this.#why =
      brake === undefined
        ? "See Failures and Queue for what holds machines back."
        : `A brake holds them back: ${brake.message} Find the cause, then lift the brake on Queue.`;
    this.#lookedAt = this.#now();
  }

  /** What to tell whoever looks at the demo; null: it is alive. */
  get trouble(): string | null {
    const now = this.#now();
    const minutesSince = (at: number) => Math.floor((now - at) / 60_000);
    if (now - this.#lookedAt >= quietMs)
      return `The demo has had no answer from the server for ${minutesSince(this.#lookedAt)} minutes.`;
    return now - this.#movedAt < quietMs
      ? null
      : `No machine has come back for ${minutesSince(this.#movedAt)} minutes. ${this.#why}`;
  }
}
