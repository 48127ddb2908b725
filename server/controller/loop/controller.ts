// The state controller: claims due hosts, decides, commits, carries effects out, and takes over from the dead (docs/design/datapath.md).
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { claimHosts, nextDueInMs } from "@/server/db/hot/host/claim";
import { outageOf } from "@/server/db/outage";
import {
  releaseAll,
  releaseLeases,
  sweepLeases,
  sweepSignals,
  takeOverDead,
} from "@/server/db/hot/fleet/lease";
import type { LeaseRelease } from "@/server/db/hot/fleet/lease";
import { notifyWake } from "@/server/db/hot/signal";
import { brokenHostMs, commitBatch, outageRetryMs } from "@/server/controller/loop/commit-batch";
import type { Decision } from "@/server/controller/host/decision";
import type { HostView } from "@/server/domain/host-record/view";
import type { Decided } from "@/server/controller/loop/commit-rows";
import { certifyBatch } from "@/server/controller/loop/certify";
import { decide } from "@/server/controller/decide/decide";
import { effectLimits } from "@/server/controller/effects/effect-runner";
import type { ControllerDependencies, ControllerOptions } from "@/server/controller/loop/controller-options";
import { EffectsUnderWay } from "@/server/controller/loop/effects-under-way";
import { ControllerSession } from "@/server/controller/loop/session";

/** Hosts in one claim. More would save little per host, and all of them wait for the last one's part of the commit. */
const largestBatch = 64;
/** Passes at the same time. While one waits for the database the other decides, and a host that becomes due is not behind the whole pass at hand. */
const lanes = 2;
/** Between the beginnings of two passes, at least. Hosts that become due meanwhile share the next; a pass that comes later than that, or after a full one, begins at once. */
const passPaceMs = 30;
/** Without its session a controller claims nothing; it looks again after this. */
const sessionlessMs = 200;
/** A host whose record cannot be read is left to other controllers for so long: theirs may be the version that wrote it. */
const unreadableMs = 10_000;
/** An outage that nothing has shown for so long is over. */
const outageOverMs = 10_000;
/** Another process may have put a host off and died before its time came: nobody else would look then. */
const longestSleepMs = 2_000;

/** Of a stop, for answers of hardware; what calls `stop` kills a process that takes much longer. */
const stopPatienceMs = 5_000;
const stopLookMs = 50;

export class Controller {
  readonly id = randomUUID();
  readonly #session: ControllerSession;
  #stopping = false;
  #looking = false;
  /** Of the lanes that sleep. */
  readonly #wakeUps = new Set<() => void>();
  /** By the monotonic clock. */
  #nextPassAt = 0;
  readonly #batch: number;
  readonly #effects: EffectsUnderWay;
  #running: Promise<void> | null = null;
  #timers: NodeJS.Timeout[] = [];
  /** Until when hosts are left to others, by the monotonic clock. */
  readonly #unreadable = new Map<string, number>();
  #lastOutage: { readonly message: string; readonly at: number } | null = null;
  /** Leases that could not be given back yet. */
  #owed: LeaseRelease[] = [];
  /** When the loop last made a pass, by the monotonic clock; for readiness. */
  lastPassAt = performance.now();

  readonly #dependencies: ControllerDependencies;
  readonly #options: ControllerOptions;

  constructor(dependencies: ControllerDependencies, options: ControllerOptions) {
    this.#dependencies = dependencies;
    this.#options = options;

    this.#batch = options.batch ?? largestBatch;
    this.#effects = new EffectsUnderWay(dependencies, this.id, effectLimits(options.leaseMs), {
      ended: () => this.wake(),
      failed: (what, error) => void this.#failed(what, error),
    });
    this.#session = new ControllerSession({
      pool: dependencies.pool,
      controller: { id: this.id, name: options.name, pid: process.pid },
      wake: () => this.wake(),
      error: (message, error) => dependencies.observer.error(message, error),
    });
  }

  /** For how long there has been no session, in ms; without one nothing is claimed. */
  get sessionLostMs(): number {
    return this.#session.lostMs;
  }

  /** Why the database refuses work for now, though it answers; null: it does not. */
  get outage(): string | null {
    return this.#lastOutage !== null && performance.now() - this.#lastOutage.at < outageOverMs
      ? this.#lastOutage.message
      : null;
  }

  /** Says it once, however often it is met; another error is said each time. Returns whether it is an outage. */
  #failed(what: string, error: unknown): boolean {
    const message = outageOf(error);
    if (message === null || message !== this.outage)
      this.#dependencies.observer.error(
        message === null ? what : `work waits until the database takes it: ${message}`,
        error,
      );
    if (message !== null) this.#lastOutage = { message, at: performance.now() };
    return message !== null;
  }

  /** Announces itself, listens, and begins to work. */
  async start(): Promise<void> {
    await this.#session.open();
    const every = (ms: number, work: () => Promise<number>): void => {
      if (ms === 0) return;
      const timer = setInterval(() => {
        work().then(
          (hosts) => {
            if (hosts > 0) this.wake();
          },
          (error: unknown) => void this.#failed("periodic work failed", error),
        );
      }, ms);
      this.#timers.push(timer);
    };
    every(this.#options.takeoverMs, () => takeOverDead(this.#dependencies.pool));
    every(
      this.#options.sweepMs,
      async () =>
        (await sweepLeases(this.#dependencies.pool)) + (await sweepSignals(this.#dependencies.pool)),
    );
    this.#running = Promise.all(Array.from({ length: lanes }, () => this.#loop())).then(() => undefined);
    this.wake();
  }

  /** Says that there may be something to do. Cheap; any number of calls is one look, of one lane. */
  wake(): void {
    this.#looking = true;
    const [first] = this.#wakeUps;
    first?.();
  }

  /**
   * Stops after the pass at hand, and hands all hosts over at once but those with a request under way: it waits a while for these,
   * and what has no answer by then is looked up by the next controller when its permit is over.
   */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const timer of this.#timers) clearInterval(timer);
    for (const wakeUp of this.#wakeUps) wakeUp();
    await this.#running;
    const { pool } = this.#dependencies;
    try {
      await releaseAll(pool, this.id);
      await notifyWake(pool);
      const patienceEnds = performance.now() + stopPatienceMs;
      while (this.#effects.hosts > 0 && performance.now() < patienceEnds) await pause(stopLookMs);
      while (this.#effects.settler.waiting) await this.#effects.settler.settle();
      if ((await releaseAll(pool, this.id)) > 0) await notifyWake(pool);
    } finally {
      await this.#session.close();
    }
  }

  async #loop(): Promise<void> {
    while (!this.#stopping) {
      this.#looking = false;
      try {
        while (this.#effects.settler.waiting) await this.#effects.settler.settle();
        await this.#giveBack([]);
        // Without its session nobody would know that we live: nothing is claimed meanwhile.
        if (!this.#session.held) {
          await this.#sleep(sessionlessMs);
          continue;
        }
        await this.#turn();
        if ((await this.#pass()) > 0) continue;
        const dueInMs = await nextDueInMs(this.#dependencies.pool, this.#leftToOthers());
        await this.#sleep(Math.min(dueInMs ?? longestSleepMs, longestSleepMs));
      } catch (error) {
        const outage = this.#failed("a pass of the controller failed", error);
        // Even while there is work: the database is not asked again at once.
        await pause(outage ? outageRetryMs : 500);
      }
    }
  }

  async #sleep(ms: number): Promise<void> {
    if (this.#looking || this.#stopping || ms <= 0) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#wakeUps.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#wakeUps.add(end);
    });
  }

  /** Waits until the next pass may begin, of whichever lane. */
  async #turn(): Promise<void> {
    const now = performance.now();
    const beginsAt = Math.max(now, this.#nextPassAt);
    this.#nextPassAt = beginsAt + passPaceMs;
    if (beginsAt > now) await pause(beginsAt - now);
  }

  #leftToOthers(): readonly string[] {
    const now = performance.now();
    for (const [hostId, until] of this.#unreadable) if (until <= now) this.#unreadable.delete(hostId);
    return [...this.#unreadable.keys()];
  }

  #decide(view: HostView, certificateFault?: string): Decision {
    return decide(view, { newId: randomUUID, ...this.#options.decide, certificateFault });
  }

  async #pass(): Promise<number> {
    const began = performance.now();
    const { pool, observer } = this.#dependencies;
    const claims = await claimHosts(pool, this.id, this.#batch, this.#options.leaseMs, this.#leftToOthers());
    this.lastPassAt = performance.now();
    if (claims.length === 0) return 0;
    // There are more than one pass takes: the next need not wait for company.
    if (claims.length === this.#batch) this.#nextPassAt = 0;
    const decided: Decided[] = [];
    const broken: LeaseRelease[] = [];
    for (const claim of claims) {
      if (!claim.ok) {
        observer.error(`host ${claim.hostId} cannot be read`, new Error(claim.message));
        this.#unreadable.set(claim.hostId, performance.now() + unreadableMs);
        broken.push({
          hostId: claim.hostId,
          generation: claim.generation,
          afterMs: 0,
          message: `this version cannot read the host's record: ${claim.message}`,
        });
        continue;
      }
      observer.handled(claim.lateMs);
      const { hostId, generation } = claim.view.run;
      try {
        decided.push({
          view: claim.view,
          decision: this.#decide(claim.view),
        });
      } catch (error) {
        observer.error(`no decision about host ${hostId}`, error);
        broken.push({
          hostId,
          generation,
          afterMs: brokenHostMs,
          message: `no decision could be made: ${error instanceof Error ? error.message : String(error)}`,
        });
      }
    }
    const { whole, refused: uncertified } = await certifyBatch(
      {
        pool,
        decide: (view, fault) => this.#decide(view, fault),
        failed: (what, error) => this.#failed(what, error),
      },
      decided,
    );
    const { written, refused } = await commitBatch(
      { pool, observer, controllerId: this.id, failed: (what, error) => void this.#failed(what, error) },
      whole,
    );
    broken.push(...uncertified, ...refused);
    await this.#afterCommit(whole.filter((item) => written.has(item.view.run.hostId)));
    await this.#giveBack(broken);
    observer.pass({ claimed: claims.length, written: written.size, ms: performance.now() - began });
    return claims.length;
  }

  /** Gives leases back, and those that could not be given back before. Throws when the database cannot be asked; then they are owed on. */
  async #giveBack(leases: readonly LeaseRelease[]): Promise<void> {
    this.#owed.push(...leases);
    const batch = this.#owed.splice(0);
    try {
      await releaseLeases(this.#dependencies.pool, this.id, batch);
    } catch (error) {
      this.#owed.push(...batch);
      throw error;
    }
  }

  async #afterCommit(written: readonly Decided[]): Promise<void> {
    const { observer } = this.#dependencies;
    for (const item of written) {
      const { view, decision } = item;
      const { hostId } = view.run;
      observer.written(item);
      if (decision.run.command !== undefined && decision.run.command !== null)
        this.#dependencies.publishCommand(hostId, decision.run.bootEpoch, decision.run.command);
    }
    if (written.length > 0) this.#dependencies.changed();
    await this.#effects.begin(written);
  }
}
