// Assembles a controller: hardware, network adapters, metrics, and what it tells agents and the live feed.
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Command } from "@/server/domain/agents/protocol";
import type { SecretBox } from "@/server/db/secrets/secret-box";
import { sessionStore } from "@/server/db/hot/hardware/bmc-session";
import { wakeFakeHosts } from "@/server/db/hot/fleet/fake-hosts";
import { notifyFeed } from "@/server/db/hot/signal";
import type { EffectDependencies } from "@/server/controller/effects/effect-runner";
import { networkAdapters } from "@/server/hardware/network/adapters";
import { RedfishClient } from "@/server/hardware/redfish/client/client";
import { hardwareTypes } from "@/server/hardware/registry";
import type { Metrics } from "@/server/metrics/registry";
import { effectiveSteps, tieMessage, tiesWithinInterface } from "@/server/domain/cleaning/plan/priorities";
import { cleanSteps } from "@/server/domain/cleaning/steps/catalogue";
import type { CleanStep } from "@/server/domain/cleaning/steps/step";
import { Controller } from "@/server/controller/loop/controller";
import { GoneSessions } from "@/server/controller/effects/gone-sessions";
import { recheckAged } from "@/server/db/hot/fleet/aged-proof";
import { BmcResetter } from "@/server/controller/power/bmc-resetter";
import { BmcTester } from "@/server/controller/power/bmc-tester";
import { healthReader } from "@/server/controller/power/health-reader";
import { ReadyWatcher } from "@/server/controller/power/ready-watcher";
import { powerReader } from "@/server/controller/power/power-reader";
import type { Decided } from "@/server/controller/loop/commit-rows";
import { tellReadyChanged } from "@/server/controller/power/ready-events";
import { tellVoid } from "@/server/controller/loop/void-events";
import { metricsObserver } from "@/server/controller/loop/metrics-observer";

export interface StartController {
  readonly pool: Pool;
  readonly secrets: SecretBox;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly publishCommand: (hostId: string, bootEpoch: number, command: Command) => void;
  readonly settings: {
    readonly controllerName: string;
    readonly leaseMs: number;
    readonly sweepMs: number;
    /** Maximum age of a host's power reading; 0: power is read only when a decision needs it. */
    readonly powerReadMs: number;
    /** How often a host that waits in Ready is compared with what was proven of it; 0: only at its hand-over. */
    readonly readyWatchMs: number;
    /** How often a host's health is read from its BMC; 0: never. */
    readonly bmcHealthMs: number;
    readonly takeoverMs: number;
    readonly bmcNetworks: readonly string[];
    readonly httpBootUri: string | null;
    readonly fakeHardware: boolean;
  };
}

export interface RunningController {
  readonly wake: () => void;
  /** Null while the loop works; otherwise what is wrong, and whether a restarted process would do better. */
  readonly trouble: () => { readonly message: string; readonly restart: boolean } | null;
  readonly stop: () => Promise<void>;
}

/** How often deleted hosts are looked for. */
const goneSessionsMs = 2_000;
/** The live feed is told at most once in this time. */
const feedEveryMs = 50;
/** Even a loop that sleeps makes a pass every two seconds, and never waits for hardware in it. */
const loopDeadMs = 30_000;
/** A session that is cut is reopened within a second, unless the database cannot be reached. */
const sessionLostMs = 10_000;

/** Throws if two built-in steps of one interface have the same priority, which leaves their order undefined. No process starts with such a catalogue. */
export function refuseTies(catalogue: readonly CleanStep[] = cleanSteps): void {
  const ties = tiesWithinInterface(effectiveSteps(catalogue, []));
  // safety: start: no order of clean steps that is an accident
  if (ties.length > 0) throw new Error(`the clean steps ${ties.map(tieMessage).join("; ")}`);
}

/** Starts the loop. Rejects if the database cannot be asked. */
export async function startController(options: StartController): Promise<RunningController> {
  const { pool, metrics, logger, settings } = options;
  const client = new RedfishClient({
    networks: settings.bmcNetworks,
    httpBootUri: settings.httpBootUri,
    sessions: sessionStore(pool),
    onRequest: ({ method, status, ms }) =>
      metrics.bmcRequests.observe(
        { method, result: status === null ? "none" : `${Math.floor(status / 100)}xx` },
        ms / 1000,
      ),
  });
  const network = networkAdapters(settings.bmcNetworks);
  const hardware = hardwareTypes(client, { fake: settings.fakeHardware });
  const observer = metricsObserver(metrics, logger);
  const controller = new Controller(
    {
      pool,
      secrets: options.secrets,
      hardware,
      network: network.of,
      observer: {
        ...observer,
        written: (item) => {
          observer.written(item);
          tellVoid(pool, logger, item);
          tellHandOver(pool, logger, item);
        },
      },
      publishCommand: options.publishCommand,
      changed: feedTeller(pool, logger),
    },
    {
      name: settings.controllerName,
      leaseMs: settings.leaseMs,
      sweepMs: settings.sweepMs,
      takeoverMs: settings.takeoverMs,
      decide: { fakeHardware: settings.fakeHardware },
    },
  );
  await wakeFakeHosts(pool, settings.fakeHardware);
  const power = powerReaderOf(options, hardware, controller.id);
  const readyWatcher = readyWatcherOf(options, hardware, controller.id);
  const health = healthReaderOf(options, hardware, controller.id);
  const tester = bmcTesterOf(options, hardware, controller.id);
  const resetter = bmcResetterOf(options, hardware, controller.id);
  const goneSessions = goneSessionsOf(options, client);
  await controller.start();
  power.start();
  readyWatcher.start();
  health.start();
  tester.start();
  resetter.start();
  goneSessions.start();
  return {
    wake: () => controller.wake(),
    trouble: () => troubleOf(controller),
    stop: async () => {
      // Silent BMCs do not hold up the stop: another process takes over their hosts.
      await power.stop();
      await readyWatcher.stop();
      await health.stop();
      await tester.stop();
      await resetter.stop();
      await Promise.all([goneSessions.stop(), controller.stop()]);
      await network.close();
      await client.close();
    },
  };
}

function tellHandOver(pool: Pool, logger: Logger, { view, decision }: Decided): void {
  const { hostId } = view.run;
  if (decision.readyChanged !== null)
    tellReadyChanged(pool, { hostId, why: decision.readyChanged, path: "at its hand-over" }, (error) =>
      logger.error({ hostId, err: error }, "a security event could not be stored"),
    );
}

function troubleOf(controller: Controller): ReturnType<RunningController["trouble"]> {
  const seconds = (ms: number): number => Math.round(ms / 1000);
  if (controller.outage !== null) return { message: controller.outage, restart: false };
  if (controller.sessionLostMs > sessionLostMs)
    return {
      message: `no session with the database for ${seconds(controller.sessionLostMs)} s`,
      restart: true,
    };
  const quietMs = performance.now() - controller.lastPassAt;
  return quietMs > loopDeadMs ? { message: `no pass for ${seconds(quietMs)} s`, restart: true } : null;
}

const powerReaderOf = (
  { pool, secrets, logger, settings }: StartController,
  hardware: EffectDependencies["hardware"],
  controllerId: string,
): ReturnType<typeof powerReader> =>
  powerReader({
    pool,
    controllerId,
    hardware,
    secrets,
    everyMs: settings.powerReadMs,
    onError: (error) => logger.warn({ err: error }, "the power of hosts could not be read"),
  });

const readyWatcherOf = (
  { pool, secrets, logger, settings }: StartController,
  hardware: EffectDependencies["hardware"],
  controllerId: string,
): ReadyWatcher =>
  new ReadyWatcher({
    pool,
    controllerId,
    hardware,
    secrets,
    everyMs: settings.readyWatchMs,
    recheckAged,
    onError: (error) => logger.warn({ err: error }, "Ready hosts could not be compared with what was proven"),
  });

const healthReaderOf = (
  { pool, secrets, logger, settings }: StartController,
  hardware: EffectDependencies["hardware"],
  controllerId: string,
): ReturnType<typeof healthReader> =>
  healthReader({
    pool,
    controllerId,
    hardware,
    secrets,
    everyMs: settings.bmcHealthMs,
    onError: (error) => logger.warn({ err: error }, "the health of hosts could not be read from their BMCs"),
  });

const bmcTesterOf = (
  { pool, secrets, logger }: StartController,
  hardware: EffectDependencies["hardware"],
  controllerId: string,
): BmcTester =>
  new BmcTester({
    pool,
    controllerId,
    hardware,
    secrets,
    onError: (error) => logger.warn({ err: error }, "a BMC could not be tested"),
  });

const bmcResetterOf = (
  { pool, secrets, logger }: StartController,
  hardware: EffectDependencies["hardware"],
  controllerId: string,
): BmcResetter =>
  new BmcResetter({
    pool,
    controllerId,
    hardware,
    secrets,
    onError: (error) => logger.warn({ err: error }, "a BMC could not be restarted"),
  });

const goneSessionsOf = ({ pool, logger }: StartController, client: RedfishClient): GoneSessions =>
  new GoneSessions({
    pool,
    endSessions: (hostIds) => client.endSessions(hostIds),
    everyMs: goneSessionsMs,
    onError: (error) => logger.warn({ err: error }, "the sessions of deleted hosts could not be ended"),
  });

/** Tells the live feed once per interval, however many commits there were. */
function feedTeller(pool: Pool, logger: Logger): () => void {
  let timer: NodeJS.Timeout | null = null;
  return () => {
    if (timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      notifyFeed(pool).catch((error: unknown) =>
        logger.warn({ err: error }, "the live feed could not be told"),
      );
    }, feedEveryMs);
  };
}
