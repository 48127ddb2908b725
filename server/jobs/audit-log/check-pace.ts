// How a self-audit goes on: it rests between portions, because hosts come first, and tells how far it is.
import { setTimeout as pause } from "node:timers/promises";
import type { PoolClient } from "pg";
import { noteProgress } from "@/server/db/audit-log/check-rows";
import type { CheckStage } from "@/server/domain/audit-log/self-audit/self-audit";

/** It rests this many times as long as it works. */
const restOver = 3;
const tellEveryMs = 1_000;

export class CheckPace {
  readonly #client: PoolClient;
  readonly #signal: AbortSignal;
  #since = performance.now();
  #toldAt = Number.NEGATIVE_INFINITY;
  #stage: CheckStage = "log";
  #done = 0;
  #total = 0;

  constructor(client: PoolClient, signal: AbortSignal) {
    this.#client = client;
    this.#signal = signal;
  }

  async begin(stage: CheckStage, total: number): Promise<void> {
    [this.#stage, this.#done, this.#total] = [stage, 0, total];
    await this.#tell();
  }

  /** After a portion. @throws when the process stops */
  async rest(done: number): Promise<void> {
    this.#done += done;
    if (performance.now() - this.#toldAt > tellEveryMs) await this.#tell();
    await pause(restOver * (performance.now() - this.#since), undefined, { signal: this.#signal });
    this.#since = performance.now();
  }

  async #tell(): Promise<void> {
    await noteProgress(this.#client, { stage: this.#stage, done: this.#done, total: this.#total });
    this.#toldAt = performance.now();
  }
}
