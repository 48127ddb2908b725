// Tests the BMCs that people asked to be tested: reads alone, with at most two requests at a time per BMC (docs/hardware.md#test-bmc).
import type { Pool } from "pg";
import { stillTestable, testsWanted } from "@/server/db/hot/fleet/bmc-tests";
import { effectTargets } from "@/server/db/hot/hardware/targets";
import type { TargetRow } from "@/server/db/hot/hardware/targets";
import { noReport } from "@/server/domain/hardware/bmc-report";
import { testBmc } from "@/server/controller/effects/effect-runner";
import type { EffectDependencies } from "@/server/controller/effects/effect-runner";
import { storeBmcTest } from "@/server/usecases/hosts/bmc/store-bmc-test";

export interface BmcTesterOptions extends Pick<EffectDependencies, "hardware" | "secrets"> {
  readonly pool: Pool;
  /** This process's controller; only one of those alive tests. */
  readonly controllerId: string;
  readonly onError: (error: unknown) => void;
}

const everyMs = 1_000;
const maxUnderWay = 16;
/** Of one test, with all its requests. */
const timeoutMs = 120_000;

export class BmcTester {
  readonly #options: BmcTesterOptions;
  /** Each ends its test. */
  readonly #underWay = new Map<string, AbortController>();
  #timer: NodeJS.Timeout | null = null;
  #tick: Promise<void> | null = null;

  constructor(options: BmcTesterOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#tick ??= this.#pass()
        .catch(this.#options.onError)
        .finally(() => {
          this.#tick = null;
        });
    }, everyMs);
  }

  /** Tests in progress end by themselves. One whose report was not stored is made again by the next process. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#tick;
  }

  async #pass(): Promise<void> {
    const { pool, controllerId, onError } = this.#options;
    await this.#breakOff();
    if (this.#underWay.size >= maxUnderWay) return;
    const wanted = (await testsWanted(pool, controllerId)).filter((hostId) => !this.#underWay.has(hostId));
    const taken = wanted.slice(0, maxUnderWay - this.#underWay.size);
    if (taken.length === 0) return;
    for (const [hostId, row] of await effectTargets(pool, taken)) {
      const stop = new AbortController();
      this.#underWay.set(hostId, stop);
      this.#test(hostId, row, stop.signal)
        .catch(onError)
        .finally(() => this.#underWay.delete(hostId));
    }
  }

  /** Ends the tests of hosts on which an erase has begun, or that a repair system took. They stay requested, and are made anew after it. */
  async #breakOff(): Promise<void> {
    if (this.#underWay.size === 0) return;
    const testable = await stillTestable(this.#options.pool, [...this.#underWay.keys()]);
    for (const [hostId, stop] of this.#underWay) if (!testable.has(hostId)) stop.abort();
  }

  async #test(hostId: string, row: TargetRow, signal: AbortSignal): Promise<void> {
    const { pool, onError } = this.#options;
    const checks = await testBmc(this.#options, row, { timeoutMs, signal }).catch((error: unknown) => {
      onError(error);
      return noReport(error instanceof Error ? error.message : String(error));
    });
    if (signal.aborted) return;
    await storeBmcTest(pool, hostId, { address: row.bmc_address, checks });
  }
}
