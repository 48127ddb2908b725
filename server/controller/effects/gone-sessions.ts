// Ends the Redfish sessions of deleted hosts: BMCs have few, and nobody else would end them (docs/decommission.md#sessions).
import type { Pool } from "pg";
import { goneWithin } from "@/server/db/hot/fleet/gone-hosts";

export interface GoneSessionsOptions {
  readonly pool: Pool;
  /** Ends this process's sessions on these hosts. Settles within a limited time, whatever the BMCs answer. */
  readonly endSessions: (hostIds: ReadonlySet<string>) => Promise<void>;
  readonly everyMs: number;
  readonly onError: (error: unknown) => void;
}

/** How long a deleted host is looked for again: a call in progress may still sign in. */
const lookBackMs = 60_000;

export class GoneSessions {
  readonly #options: GoneSessionsOptions;
  #timer: NodeJS.Timeout | null = null;
  #pass: Promise<void> | null = null;

  constructor(options: GoneSessionsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#pass ??= this.#end()
        .catch(this.#options.onError)
        .finally(() => {
          this.#pass = null;
        });
    }, this.#options.everyMs);
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#pass;
  }

  async #end(): Promise<void> {
    const { pool, everyMs, endSessions } = this.#options;
    const hostIds = await goneWithin(pool, lookBackMs + everyMs);
    if (hostIds.size > 0) await endSessions(hostIds);
  }
}
