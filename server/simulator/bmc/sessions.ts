// The sessions of one simulated BMC: a small number, ended by DELETE, by idling, or when the BMC loses them.
import { randomBytes } from "node:crypto";

const idleMs = 30 * 60_000;

export class Sessions {
  readonly #byToken = new Map<string, { readonly id: string; usedAt: number }>();
  #next = 1;

  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Null if there are too many. */
  open(): { readonly id: string; readonly token: string } | null {
    const now = Date.now();
    for (const [token, session] of this.#byToken)
      if (now - session.usedAt > idleMs) this.#byToken.delete(token);
    if (this.#byToken.size >= this.#most) return null;
    const id = String(this.#next);
    this.#next += 1;
    const token = randomBytes(16).toString("hex");
    this.#byToken.set(token, { id, usedAt: now });
    return { id, token };
  }

  /** Whether the token is valid; using it keeps the session alive. */
  use(token: string): boolean {
    const session = this.#byToken.get(token);
    if (!session || Date.now() - session.usedAt > idleMs) return false;
    session.usedAt = Date.now();
    return true;
  }

  close(id: string): boolean {
    for (const [token, session] of this.#byToken) if (session.id === id) return this.#byToken.delete(token);
    return false;
  }

  loseAll(): void {
    this.#byToken.clear();
  }

  ids(): string[] {
    return [...this.#byToken.values()].map(({ id }) => id);
  }
}
