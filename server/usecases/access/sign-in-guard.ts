// What keeps a flood of sign-ins from everything else: few passwords are hashed at a time, few wait, known limits are not asked for again,
// and refusals are logged together. One per process, for the console and the Ironic API.
import { availableParallelism } from "node:os";
import { Places } from "@/server/usecases/access/places";
import type { PlacesOptions } from "@/server/usecases/access/places";
import { perProcess } from "@/server/process/process-state";

/** The places are for what looks at a password: what is counted, read and hashed for it. */
export interface GuardOptions extends PlacesOptions {
  /** The longest that a sign-in waits for its place: those before it may wait for a database that does not answer. */
  readonly waitMs: number;
  readonly now: () => number;
}

/** How long a limit that was reached is not asked for again, and refusals of one kind are logged as one. */
const quietMs = 60_000;
const mostRemembered = 10_000;
/** Refusals that are logged one by one in a minute, whoever they are of; beyond it they are counted and logged together. */
const mostLogged = 60;

/** Logs a refusal that stands for so many. */
export type LogRefusals = (attempts: number) => Promise<void>;

/** What gives the place back; `full`: too many wait already; `late`: none was free in time. */
type SignInPlace = (() => void) | "full" | "late";

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

  /** See `Places`: people at their own address first. */
  async enter(isOwn: boolean): Promise<SignInPlace> {
    const leaving = new AbortController();
    const timer = setTimeout(() => leaving.abort(), this.#waitMs);
    try {
      return (await this.#places.enter(isOwn, leaving.signal)) ?? (leaving.signal.aborted ? "late" : "full");
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whether one of these was found over its limit within the last minute. */
  isOver(subjects: readonly string[]): boolean {
    const now = this.#now();
    return subjects.some((subject) => (this.#over.get(subject) ?? Number.NEGATIVE_INFINITY) > now);
  }

  setOver(subject: string): void {
    remember(this.#over, subject, this.#now() + quietMs);
  }

  /** Logs the first refusal of a kind at once, and those of the next minute together; `kind` names a limit or a name. */
  async refuse(kind: string, log: LogRefusals): Promise<void> {
    const now = this.#now();
    if (now - this.#budget.since >= quietMs) this.#budget = { since: now, used: 0 };
    const last = this.#logged.get(kind) ?? Number.NEGATIVE_INFINITY;
    if (now - last >= quietMs && this.#budget.used < mostLogged) {
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

  /** Logs what is held back. What the log does not take is lost: it was refused all the same. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const held = [...this.#held.values()];
    this.#held.clear();
    for (const { attempts, log } of held) await log(attempts).catch(() => undefined);
  }
}

function remember(map: Map<string, number>, key: string, value: number): void {
  map.delete(key); // so that it becomes the newest
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > mostRemembered && oldest !== undefined) map.delete(oldest);
}

/** Half of the processor at most is for passwords: the rest is everybody else's. */
const hashedAtOnce = (): number => Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2)));

export const signInGuard = (): SignInGuard =>
  perProcess(
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
