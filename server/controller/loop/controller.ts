// The state controller: claims due hosts, decides, commits, carries out effects, and takes over from dead controllers (docs/design/datapath.md).
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { claimHosts, nextDueInMs } from "@/server/db/hot/host/claim";
import { findOutage } from "@/server/db/outage";
import {
  releaseAll,
  releaseLeases,
  settleAbandoned,
  sweepLeases,
  sweepSignals,
  takeOverDead,
} from "@/server/db/hot/fleet/lease";
import type { LeaseRelease } from "@/server/db/hot/fleet/lease";
import { notifyWake } from "@/server/db/hot/signal";
import { brokenHostMs, commitBatch, outageRetryMs } from "@/server/controller/loop/commit-batch";
import type { Decision } from "@/server/controller/host/decision";
import type { HostView } from "@/server/domain/hosts/record/view";
import type { Decided } from "@/server/controller/loop/commit-rows";
import { certifyBatch } from "@/server/controller/loop/certify";
import { decide } from "@/server/controller/decide/decide";
import { effectLimits } from "@/server/controller/effects/effect-runner";
import type { ControllerDependencies, ControllerOptions } from "@/server/controller/loop/controller-options";
import { EffectsUnderWay } from "@/server/controller/loop/effects-under-way";
import { OutageMemory } from "@/server/controller/loop/outage-memory";
import { ControllerSession } from "@/server/controller/loop/session";

/** Maximum hosts in one claim. More would save little per host, and each host waits for the whole batch's commit. */
const maxBatch = 64;
/** Concurrent passes. While one waits for the database the other decides, so a host that becomes due need not wait for a whole pass. */
const lanes = 2;
/** Minimum interval between the starts of two passes: hosts that become due meanwhile share the next one. After a full pass the next starts at once. */
const passPaceMs = 30;
/** Without its session a controller claims nothing; it checks again after this. */
const sessionlessMs = 200;
/** How long a host with an unreadable record is left to other controllers, which may run the version that wrote it. */
const unreadableMs = 10_000;
/** Maximum sleep, because a process may have deferred a host and died before it was due, and nobody else would look. */
const maxSleepMs = 2_000;

/** How long a stop waits for hardware to answer. The caller of `stop` kills a process that takes much longer. */
const stopPatienceMs = 5_000;
const stopLookMs = 50;

export class Controller {
  readonly id = randomUUID();
  readonly #session: ControllerSession;
  #stopping = false;
  #looking = false;
  /** Wake-ups of the lanes that sleep. */
  readonly #wakeUps = new Set<() => void>();
  /** By the monotonic clock. */
  #nextPassAt = 0;
  readonly #batch: number;
  readonly #effects: EffectsUnderWay;
  #running: Promise<void> | null = null;
  #timers: NodeJS.Timeout[] = [];
  /** Until when hosts are left to others, by the monotonic clock. */
  readonly #unreadable = new Map<string, number>();
  readonly #outages = new OutageMemory();
  /** Leases still to be given back. */
  #owed: LeaseRelease[] = [];
  /** When the loop last made a pass, by the monotonic clock; used for readiness. */
  lastPassAt = performance.now();

  readonly #dependencies: ControllerDependencies;
  readonly #options: ControllerOptions;

  constructor(dependencies: ControllerDependencies, options: ControllerOptions) {
    this.#dependencies = dependencies;
    this.#options = options;

    this.#batch = options.batch ?? maxBatch;
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

  /** How long there has been no session, in ms; without one nothing is claimed. */
  get sessionLostMs(): number {
    return this.#session.lostMs;
  }

  /** Why the database does not take work now; null: it does. */
  get outage(): string | null {
    return this.#outages.message;
  }

  /** Logs an outage once, however often it is met, and any other error each time. Returns whether it is an outage. */
  #failed(what: string, error: unknown): boolean {
    const outage = findOutage(error);
    if (outage === null) this.#dependencies.observer.error(what, error);
    else if (this.#outages.met(outage))
      this.#dependencies.observer.error(`work waits until the database takes it: ${outage.message}`, error);
    return outage !== null;
  }

  /** Announces the controller, listens, and starts to work. */
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
    every(this.#options.sweepMs, async () => {
      await settleAbandoned(this.#dependencies.pool);
      return (await sweepLeases(this.#dependencies.pool)) + (await sweepSignals(this.#dependencies.pool));
    });
    this.#running = Promise.all(Array.from({ length: lanes }, () => this.#loop())).then(() => undefined);
    this.wake();
  }

  /** Signals that there may be work. Cheap: any number of calls makes one lane look once. */
  wake(): void {
    this.#looking = true;
    const [first] = this.#wakeUps;
    first?.();
  }

  /** Stops after the current pass and hands over all hosts. For those with a request in progress it waits a while; the next controller looks up the rest. */
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
        // Without a session nobody would know that this controller lives, so it claims nothing.
        if (!this.#session.held) {
          await this.#sleep(sessionlessMs);
          continue;
        }
        await this.#turn();
        const claimed = await this.#pass();
        // Whether a host is due is asked first: a claim that finds none costs as much as one that finds some (docs/adr/0142-the-path-of-a-return.md).
        if (claimed === this.#batch || this.#looking) continue;
        const dueInMs = await nextDueInMs(this.#dependencies.pool, this.#leftToOthers());
        await this.#sleep(Math.min(dueInMs ?? maxSleepMs, maxSleepMs));
      } catch (error) {
        const outage = this.#failed("a pass of the controller failed", error);
        // Even if there is work, the database is not asked again at once.
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

  /** Waits until the next pass of any lane may begin. */
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
    this.#outages.answered();
    if (claims.length === 0) return 0;
    // More hosts are due than fit into one pass, so the next one starts at once.
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
    if (written.size > 0) this.#outages.stored();
    broken.push(...uncertified, ...refused);
    await this.#afterCommit(whole.filter((item) => written.has(item.view.run.hostId)));
    await this.#giveBack(broken);
    observer.pass({ claimed: claims.length, written: written.size, ms: performance.now() - began });
    return claims.length;
  }

  /** Gives back these leases and any owed from before. Throws if the database cannot be asked; the leases then stay owed. */
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
