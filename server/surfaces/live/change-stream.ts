// One person's live changes as server-sent events: at most two per host and second, with positions to resume from.
import type { Changes } from "@/server/usecases/hosts/follow-changes";

/** Between two batches: two per second. */
export const sendEveryMs = 500;

interface Clock {
  readonly nowMs: () => number;
  /** Returns a function that cancels it. */
  readonly later: (ms: number, work: () => void) => () => void;
}

export const realClock: Clock = {
  nowMs: () => performance.now(),
  later: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

interface ChangeStreamOptions {
  /** Where the stream begins. */
  readonly from: string;
  /** Accepts a piece of text; false if the reader is too slow to take more now. */
  readonly send: (text: string) => boolean;
  readonly clock: Clock;
}

/**
 * Collects changes and sends one event per host. Only the last event of a batch carries its position, so a connection that breaks in between
 * resumes from the previous batch: some changes arrive twice, but none is lost.
 */
export class ChangeStream {
  readonly #options: ChangeStreamOptions;
  readonly #pending = new Set<string>();
  #position: string;
  #sentPosition: string;
  #sentAtMs = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(options: ChangeStreamOptions) {
    this.#options = options;
    this.#position = options.from;
    this.#sentPosition = options.from;
  }

  add({ position, hostIds }: Changes): void {
    this.#position = position;
    for (const hostId of hostIds) this.#pending.add(hostId);
    if (this.#pending.size > 0) this.#plan();
  }

  /** Keeps the connection alive and, while nothing visible happens, the position current. */
  heartbeat(): void {
    if (this.#pending.size > 0) return;
    const moved = this.#position !== this.#sentPosition;
    if (this.#options.send(moved ? `id: ${this.#position}\n\n` : ": still here\n\n"))
      this.#sentPosition = this.#position;
  }

  close(): void {
    this.#cancel?.();
    this.#pending.clear();
  }

  #plan(): void {
    if (this.#cancel !== undefined) return;
    const waitMs = this.#sentAtMs + sendEveryMs - this.#options.clock.nowMs();
    if (waitMs <= 0) this.#flush();
    else this.#cancel = this.#options.clock.later(waitMs, () => this.#flush());
  }

  #flush(): void {
    this.#cancel = undefined;
    this.#sentAtMs = this.#options.clock.nowMs();
    const hosts = [...this.#pending];
    const text = hosts
      .map(
        (hostId, index) =>
          `event: change\n${index === hosts.length - 1 ? `id: ${this.#position}\n` : ""}data: ${JSON.stringify({ hostId })}\n\n`,
      )
      .join("");
    if (this.#options.send(text)) {
      this.#pending.clear();
      this.#sentPosition = this.#position;
    } else this.#plan(); // a slow reader gets fewer, larger batches
  }
}

/** The start of a stream: how soon to reconnect, its position, and whether changes may have been missed. */
export function opening(position: string, reset: boolean): string {
  return `retry: 2000\n\n${reset ? `event: reset\nid: ${position}\ndata: {}\n\n` : `id: ${position}\n\n`}`;
}
