// Ends the Redfish sessions of hosts that were deleted: BMCs have few, and nobody else would (docs/decommission.md#sessions).
import type { Pool } from "pg";
import { goneWithin } from "@/server/db/hot/fleet/gone-hosts";

export interface GoneSessionsOptions {
  readonly pool: Pool;
  /** Of these hosts, as far as this process is signed in for them. It ends by itself, whatever BMCs say. */
  readonly endSessions: (hostIds: ReadonlySet<string>) => Promise<void>;
  readonly everyMs: number;
  readonly onError: (error: unknown) => void;
}

/** A call of the deleted host may still be under way and sign in: its host is looked for again for so long. */
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
