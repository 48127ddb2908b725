// The one connection that shows others that a controller lives: it holds the controller's lock and listens
// (docs/design/datapath.md#takeover-and-sweep).
import { setTimeout as pause } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { announceController } from "@/server/db/hot/fleet/lease";
import { wakeChannel } from "@/server/db/hot/signal";

export interface ControllerSessionOptions {
  readonly pool: Pool;
  readonly controller: { readonly id: string; readonly name: string; readonly pid: number };
  /** Called when there may be work: another process signalled it, or the session was reopened. */
  readonly wake: () => void;
  readonly error: (message: string, error: unknown) => void;
}

const againMs = 1_000;
/** How often the connection is tested: a network may drop it silently. */
const askEveryMs = 5_000;
const answerLimitMs = 10_000;

/** Losing the session ends the controller's leases. Each connection is released once, and one task reopens the session, however often it is cut. */
export class ControllerSession {
  #end: ((error: Error | null) => void) | null = null;
  #opening: Promise<void> | null = null;
  #lostAt = performance.now();
  readonly #over = new AbortController();

  readonly #options: ControllerSessionOptions;

  constructor(options: ControllerSessionOptions) {
    this.#options = options;
  }

  get held(): boolean {
    return this.#end !== null;
  }

  /** How long there has been none; 0 while it is held. */
  get lostMs(): number {
    return this.held ? 0 : performance.now() - this.#lostAt;
  }

  /** Opens the session and keeps one open until `close`. Throws if the first cannot be opened. */
  async open(): Promise<void> {
    await this.#connect();
  }

  async close(): Promise<void> {
    this.#over.abort();
    this.#end?.(null);
    await this.#opening;
  }

  async #connect(): Promise<void> {
    const client = await this.#options.pool.connect();
    let ended = false;
    const end = (error: Error | null): void => {
      if (ended) return;
      ended = true;
      clearInterval(asking);
      client.release(true);
      if (this.#end !== end) return;
      this.#end = null;
      this.#lostAt = performance.now();
      if (error !== null) this.#options.error("the controller's session ended", error);
      this.#reopen();
    };
    client.on("error", end);
    client.on("end", () => end(new Error("the connection was closed")));
    client.on("notification", () => this.#options.wake());
    const asking = setInterval(
      () =>
        void isAnswering(client).then((answers) => {
          if (!answers) end(new Error("no answer"));
        }),
      askEveryMs,
    );
    try {
      await announceController(client, this.#options.controller);
      await client.query(`LISTEN ${wakeChannel}`);
      if (ended) throw new Error("the connection was closed");
    } catch (error) {
      end(null);
      throw error;
    }
    if (this.#over.signal.aborted) return end(null);
    this.#end = end;
  }

  #reopen(): void {
    if (this.#opening !== null || this.#over.signal.aborted) return;
    this.#opening = this.#openAgain();
  }

  async #openAgain(): Promise<void> {
    while (!this.held && !this.#over.signal.aborted) {
      try {
        await this.#connect();
        this.#options.wake();
      } catch (error) {
        this.#options.error("the controller's session could not be opened again", error);
        await pause(againMs, undefined, { signal: this.#over.signal }).catch(() => undefined);
      }
    }
    this.#opening = null;
  }
}

async function isAnswering(client: PoolClient): Promise<boolean> {
  const late = new AbortController();
  const answer = client.query("SELECT 1").then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([answer, pause(answerLimitMs, false, { signal: late.signal })]);
  } finally {
    late.abort();
  }
}
