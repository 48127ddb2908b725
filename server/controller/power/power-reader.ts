// Reads the power of hosts that nobody works on, each once in a while: somebody may have switched one by hand (docs/adr/0068-power-is-read-again.md).
import type { Pool } from "pg";
import { hostsToRead, storePowerReadings, unheldHosts } from "@/server/db/hot/fleet/power-readings";
import type { PowerReading } from "@/server/db/hot/fleet/power-readings";
import { effectTargets } from "@/server/db/hot/hardware/targets";
import { readPower } from "@/server/controller/effects/effect-runner";
import type { EffectDependencies } from "@/server/controller/effects/effect-runner";
import { ReadingSchedule } from "@/server/controller/power/schedule";

export interface PowerReaderOptions extends Pick<EffectDependencies, "hardware" | "secrets"> {
  readonly pool: Pool;
  /** Of the controller of this process: of those alive one reads. */
  readonly controllerId: string;
  /** How old a reading may become; 0: none is made. */
  readonly everyMs: number;
  readonly onError: (error: unknown) => void;
}

/** Readings under way at a time: they wait for BMCs, and of each host there is one of them at most. */
const mostUnderWay = 256;
const timeoutMs = 5_000;
const mostTickMs = 500;
/** Of the time that a reading may become old: then it is asked anew which hosts there are, and whether this process is the one that reads. */
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
    this.#tickMs = Math.min(mostTickMs, options.everyMs / 20);
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

  /** Readings under way end by themselves within seconds; what they say is not stored any more. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#tick;
  }

  /** Stores what was read since the last pass, and begins what is due. A database that fails is asked again by the next. */
  async #pass(): Promise<void> {
    const { pool, controllerId, everyMs } = this.#options;
    const done = this.#done.splice(0);
    if (done.length > 0) await storePowerReadings(pool, done);
    const now = performance.now();
    if (now - this.#listedAt >= everyMs * listShare) {
      this.#schedule.keep(await hostsToRead(pool, controllerId));
      this.#listedAt = now;
    }
    const taken = this.#schedule.take(now, this.#tickMs, mostUnderWay - this.#schedule.underWay);
    if (taken.length > 0) await this.#begin(taken);
  }

  async #begin(taken: readonly string[]): Promise<void> {
    const targets = await this.#targets(taken).catch((error: unknown) => {
      this.#options.onError(error);
      return null;
    });
    for (const hostId of taken) {
      const row = targets?.get(hostId);
      // Of one that a controller holds by now the power is read by what it does.
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
