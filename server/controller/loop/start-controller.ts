// Puts a controller together: hardware, network adapters, metrics, and what it tells agents and the live feed.
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Command } from "@/server/domain/agents/protocol";
import type { SecretBox } from "@/server/db/secrets/secret-box";
import { sessionStore } from "@/server/db/hot/hardware/bmc-session";
import { wakeFakeHosts } from "@/server/db/hot/fleet/fake-hosts";
import { notifyFeed } from "@/server/db/hot/signal";
import { networkWebhook } from "@/server/hardware/network/webhook";
import type { NetworkWebhook } from "@/server/hardware/network/webhook";
import { RedfishClient } from "@/server/hardware/redfish/client/client";
import { hardwareTypes } from "@/server/hardware/registry";
import type { Metrics } from "@/server/metrics/registry";
import { effectiveSteps, tieMessage, tiesWithinInterface } from "@/server/domain/cleaning/plan/priorities";
import { cleanSteps } from "@/server/domain/cleaning/steps/catalogue";
import type { CleanStep } from "@/server/domain/cleaning/steps/step";
import { Controller } from "@/server/controller/loop/controller";
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
    readonly takeoverMs: number;
    readonly bmcNetworks: readonly string[];
    readonly fakeHardware: boolean;
  };
}

export interface RunningController {
  readonly wake: () => void;
  /** Null while its loop does its work, else what is wrong, and whether another process would do better. */
  readonly trouble: () => { readonly message: string; readonly restart: boolean } | null;
  readonly stop: () => Promise<void>;
}

/** The live feed is told at most this often. */
const feedEveryMs = 50;
/** A loop that sleeps longest makes a pass every two seconds, and hardware is never waited for in it. */
const loopDeadMs = 30_000;
/** A session that is cut is open again in a second, unless the database cannot be reached. */
const sessionLostMs = 10_000;

/** Throws when two built-in steps of one interface have the same priority: their order would be an accident. No process starts with such a catalogue, whatever its role. */
export function refuseTies(catalogue: readonly CleanStep[] = cleanSteps): void {
  const ties = tiesWithinInterface(effectiveSteps(catalogue, []));
  // safety: start: no order of clean steps that is an accident
  if (ties.length > 0) throw new Error(`the clean steps ${ties.map(tieMessage).join("; ")}`);
}

/** Starts the loop. Rejects when the database cannot be asked. */
export async function startController(options: StartController): Promise<RunningController> {
  const { pool, metrics, logger, settings } = options;
  const client = new RedfishClient({
    networks: settings.bmcNetworks,
    sessions: sessionStore(pool),
    onRequest: ({ method, status, ms }) =>
      metrics.bmcRequests.observe(
        { method, result: status === null ? "none" : `${Math.floor(status / 100)}xx` },
        ms / 1000,
      ),
  });
  const webhooks = new Map<string, NetworkWebhook>();
  const controller = new Controller(
    {
      pool,
      secrets: options.secrets,
      hardware: hardwareTypes(client, { fake: settings.fakeHardware }),
      network: ({ siteId, url, token }) => {
        const key = `${siteId} ${url} ${token}`;
        const known = webhooks.get(key) ?? networkWebhook({ url, token, networks: settings.bmcNetworks });
        webhooks.set(key, known);
        return known;
      },
      observer: metricsObserver(metrics, logger),
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
  await controller.start();
  return {
    wake: () => controller.wake(),
    trouble: () => {
      const seconds = (ms: number): number => Math.round(ms / 1000);
      if (controller.outage !== null) return { message: controller.outage, restart: false };
      if (controller.sessionLostMs > sessionLostMs)
        return {
          message: `no session with the database for ${seconds(controller.sessionLostMs)} s`,
          restart: true,
        };
      const quietMs = performance.now() - controller.lastPassAt;
      return quietMs > loopDeadMs ? { message: `no pass for ${seconds(quietMs)} s`, restart: true } : null;
    },
    stop: async () => {
      await controller.stop();
      await Promise.all([...webhooks.values()].map((webhook) => webhook.close()));
      await client.close();
    },
  };
}

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
