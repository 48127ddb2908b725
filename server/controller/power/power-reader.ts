// Periodically reads the power of hosts that nobody works on, because somebody may have switched one by hand
// (docs/adr/0071-boot-settings-by-a-person.md).
import type { Pool } from "pg";
import { hostsToRead, storePowerReadings, unheldHosts } from "@/server/db/hot/fleet/power-readings";
import type { PowerReading } from "@/server/db/hot/fleet/power-readings";
import { effectTargets } from "@/server/db/hot/hardware/targets";
import { readPower } from "@/server/controller/effects/effect-runner";
import type { EffectDependencies } from "@/server/controller/effects/effect-runner";
import { ReadingSchedule } from "@/server/controller/power/schedule";

export interface PowerReaderOptions extends Pick<EffectDependencies, "hardware" | "secrets"> {
  readonly pool: Pool;
  /** This process's controller; only one of those alive reads. */
  readonly controllerId: string;
  /** Maximum age of a reading; 0: nothing is read. */
  readonly everyMs: number;
  readonly onError: (error: unknown) => void;
}

/** Maximum concurrent readings, which wait for BMCs; at most one per host. */
const maxUnderWay = 256;
const timeoutMs = 5_000;
const maxTickMs = 500;
/** Share of a reading's maximum age after which the list of hosts, and whether this process is the one that reads, are checked again. */
const listShare = 0.1;

export class PowerReader {
  readonly #options: PowerReaderOptions;
  readonly #schedule: ReadingSchedule;
  readonly #tickMs: number;
  readonly #done: PowerReading[] = [];
  #listedAt = -Infinity;
  #timer: NodeJS.Timeout | null = null;
  #tick: Promise<void> | null = null;

  constructor(options: PowerReaderOptions) {
    this.#options = options;
    this.#schedule = new ReadingSchedule(options.everyMs);
    this.#tickMs = Math.min(maxTickMs, options.everyMs / 20);
  }

  start(): void {
    if (this.#options.everyMs === 0) return;
    this.#timer = setInterval(() => {
      this.#tick ??= this.#pass()
        .catch(this.#options.onError)
        .finally(() => {
          this.#tick = null;
        });
    }, this.#tickMs);
  }

  /** Readings in progress end by themselves within seconds; their results are dropped. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#tick;
  }

  /** Stores what was read since the last pass and starts what is due. If the database fails, the next pass tries again. */
  async #pass(): Promise<void> {
    const { pool, controllerId, everyMs } = this.#options;
    const done = this.#done.splice(0);
    if (done.length > 0) await storePowerReadings(pool, done);
    const now = performance.now();
    if (now - this.#listedAt >= everyMs * listShare) {
      this.#schedule.keep(await hostsToRead(pool, controllerId));
      this.#listedAt = now;
    }
    const taken = this.#schedule.take(now, this.#tickMs, maxUnderWay - this.#schedule.underWay);
    if (taken.length > 0) await this.#begin(taken);
  }

  async #begin(taken: readonly string[]): Promise<void> {
    const targets = await this.#targets(taken).catch((error: unknown) => {
      this.#options.onError(error);
      return null;
    });
    for (const hostId of taken) {
      const row = targets?.get(hostId);
      // A host that a controller holds now has its power read by the controller's own work.
      if (row === undefined) this.#schedule.ended(hostId, performance.now(), true);
      else void this.#read(row);
    }
  }

  async #targets(taken: readonly string[]): ReturnType<typeof effectTargets> {
    return effectTargets(this.#options.pool, await unheldHosts(this.#options.pool, taken));
  }

  async #read(row: Parameters<typeof readPower>[1]): Promise<void> {
    const began = performance.now();
    const power = await readPower(this.#options, row, timeoutMs).catch((error: unknown) => {
      this.#options.onError(error);
      return null;
    });
    const now = performance.now();
    this.#schedule.ended(row.host_id, now, power !== null);
    if (power !== null) this.#done.push({ hostId: row.host_id, power, agoMs: Math.ceil(now - began) });
  }
}
