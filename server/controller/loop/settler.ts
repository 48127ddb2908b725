// Stores the outcomes of effects, in one statement for all that ended since the last time (docs/design/datapath.md#effects).
import type { ControllerObserver } from "@/server/controller/loop/observer";
import { settleEffects } from "@/server/db/hot/hardware/effects";
import type { Settlement } from "@/server/db/hot/hardware/effects";
import { isRefusal } from "@/server/db/hot/gather";
import type { HotDatabase } from "@/server/db/hot/pool";

export class Settler {
  readonly #settlements: Settlement[] = [];
  #settling: Promise<void> | null = null;

  readonly #database: HotDatabase;
  readonly #controllerId: string;
  readonly #observer: ControllerObserver;

  constructor(database: HotDatabase, controllerId: string, observer: ControllerObserver) {
    this.#database = database;
    this.#controllerId = controllerId;
    this.#observer = observer;
  }

  /** Whether there are outcomes to store. */
  get waiting(): boolean {
    return this.#settlements.length > 0;
  }

  add(settlement: Settlement): void {
    this.#settlements.push(settlement);
  }

  /**
   * Stores what was added so far. One at a time: a host's last outcome ends its lease, so an earlier one that it overtook would be lost.
   * Throws if the database cannot be asked; everything then stays waiting.
   */
  settle(): Promise<void> {
    this.#settling ??= this.#settleAll().finally(() => {
      this.#settling = null;
    });
    return this.#settling;
  }

  async #settleAll(): Promise<void> {
    const batch = this.#settlements.splice(0);
    try {
      await settleEffects(this.#database, this.#controllerId, batch);
    } catch (error) {
      if (!isRefusal(error)) {
        this.#settlements.unshift(...batch);
        throw error;
      }
      // One outcome that the database refuses must not hold back those of other hosts.
      await this.#settleEach(batch);
    }
  }

  async #settleEach(batch: readonly Settlement[]): Promise<void> {
    for (const [index, settlement] of batch.entries()) {
      try {
        await this.#settleAlone(settlement);
      } catch (error) {
        this.#settlements.unshift(...batch.slice(index));
        throw error;
      }
    }
  }

  async #settleAlone(settlement: Settlement): Promise<void> {
    try {
      await settleEffects(this.#database, this.#controllerId, [settlement]);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#observer.error(`the outcome of an effect on host ${settlement.hostId} cannot be stored`, error);
      const message = `the outcome cannot be stored: ${error instanceof Error ? error.message : String(error)}`;
      await settleEffects(this.#database, this.#controllerId, [
        { ...settlement, status: "failed", value: null, error: { kind: "failed", message }, quietMs: 0 },
      ]);
    }
  }
}
