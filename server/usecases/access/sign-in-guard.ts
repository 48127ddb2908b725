// Protects the server from a flood of sign-ins: few passwords are hashed at once, few attempts wait, limits that were reached are remembered,
// and refusals are logged in batches. One per process, shared by the console and the Ironic API.
import { availableParallelism } from "node:os";
import { Places } from "@/server/usecases/access/places";
import type { PlacesOptions } from "@/server/usecases/access/places";
import { perProcess } from "@/server/process/process-state";

/** The slots cover all work on a password: counting, reading and hashing. */
export interface GuardOptions extends PlacesOptions {
  /** Longest time that a sign-in waits for a slot: those ahead of it may be waiting for an unresponsive database. */
  readonly waitMs: number;
  readonly now: () => number;
}

/** How long a reached limit is remembered, and refusals of one kind are logged as one. */
const quietMs = 60_000;
const maxRemembered = 10_000;
/** Refusals logged individually per minute, over all kinds; the rest are counted and logged together. */
const maxLogged = 60;

/** Logs one refusal that represents several. */
export type LogRefusals = (attempts: number) => Promise<void>;

interface Held {
  attempts: number;
  log: LogRefusals;
}

export class SignInGuard {
  readonly #now: () => number;
  readonly #places: Places;
  readonly #waitMs: number;
  readonly #over = new Map<string, number>();
  readonly #logged = new Map<string, number>();
  readonly #held = new Map<string, Held>();
  #budget = { since: Number.NEGATIVE_INFINITY, used: 0 };
  #timer: NodeJS.Timeout | undefined;

  constructor({ now, waitMs, ...places }: GuardOptions) {
    this.#now = now;
    this.#waitMs = waitMs;
    this.#places = new Places(places);
  }

  /** See `Places`: people at a known address go first. Null: too many are waiting, or no slot was free in time. */
  async enter(isOwn: boolean): Promise<(() => void) | null> {
    const leaving = new AbortController();
    const timer = setTimeout(() => leaving.abort(), this.#waitMs);
    try {
      return await this.#places.enter(isOwn, leaving.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whether any of these was found over its limit within the last minute. */
  isOver(subjects: readonly string[]): boolean {
    const now = this.#now();
    return subjects.some((subject) => (this.#over.get(subject) ?? Number.NEGATIVE_INFINITY) > now);
  }

  setOver(subject: string): void {
    remember(this.#over, subject, this.#now() + quietMs);
  }

  /** Logs the first refusal of a kind at once, and those of the next minute together; `kind` is a limit or a name. */
  async refuse(kind: string, log: LogRefusals): Promise<void> {
    const now = this.#now();
    if (now - this.#budget.since >= quietMs) this.#budget = { since: now, used: 0 };
    const last = this.#logged.get(kind) ?? Number.NEGATIVE_INFINITY;
    if (now - last >= quietMs && this.#budget.used < maxLogged) {
      this.#budget.used += 1;
      remember(this.#logged, kind, now);
      return log(1);
    }
    const key = this.#held.has(kind) || now - last < quietMs ? kind : "others";
    const held = this.#held.get(key);
    if (held === undefined) this.#held.set(key, { attempts: 1, log });
    else Object.assign(held, { attempts: held.attempts + 1, log });
    this.#timer ??= setTimeout(() => void this.flush(), quietMs).unref();
  }

  /** Logs what is pending. A failed write loses only the log entry: the attempt was refused anyway. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const held = [...this.#held.values()];
    this.#held.clear();
    for (const { attempts, log } of held) await log(attempts).catch(() => undefined);
  }
}

function remember(map: Map<string, number>, key: string, value: number): void {
  map.delete(key); // so that it becomes the newest entry
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > maxRemembered && oldest !== undefined) map.delete(oldest);
}

/** At most half of the processor is for passwords, which leaves the rest for everything else. */
const hashedAtOnce = (): number => Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2)));

/** Limits sign-ins of the console and of the Ironic API together. */
export const signInGuard = perProcess(
  "signInGuard",
  () =>
    new SignInGuard({
      atOnce: hashedAtOnce(),
      waiting: 16,
      waitingFirst: 64,
      waitMs: 10_000,
      now: () => performance.now(),
    }),
);
