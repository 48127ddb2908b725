// The server process: one port for the machine surfaces (Fastify) and the console (Next), optionally another for hosts, and a state controller; each by role.
import { createServer } from "node:http";
import type { Server } from "node:http";
import pino from "pino";
import type { Logger } from "pino";
import type { Pool } from "pg";
import { CommandHub } from "@/server/agents/command-hub";
import { loadServerConfig } from "@/server/config";
import type { ServerConfig } from "@/server/config";
import { refuseTies, startController } from "@/server/controller/loop/start-controller";
import type { RunningController } from "@/server/controller/loop/start-controller";
import { claimKey } from "@/server/db/database-state";
import { createHotPool } from "@/server/db/hot/pool";
import { notifyWake } from "@/server/db/hot/signal";
import { createDatabase } from "@/server/db/prisma";
import type { Database } from "@/server/db/prisma";
import { createSecretBox } from "@/server/db/secrets/secret-box";
import type { SecretBox } from "@/server/db/secrets/secret-box";
import { networkAdapters } from "@/server/hardware/network/adapters";
import { startFirmwareRollouts } from "@/server/jobs/firmware-rollouts";
import { startAdmission } from "@/server/jobs/admission";
import { startWebhookDeliveries } from "@/server/jobs/webhook-deliveries";
import { startCertificates } from "@/server/jobs/certificates";
import { startCapacity } from "@/server/jobs/capacity";
import { startNext } from "@/server/jobs/next";
import { startSequencer, warnUnprotected } from "@/server/jobs/audit-log/sequencer";
import { readAuditPolicy } from "@/server/jobs/audit-log/policy";
import { startBulkRunner } from "@/server/jobs/bulk-runner";
import { requireStateDir, startHighWater } from "@/server/jobs/high-water";
import { startHealthHeartbeats } from "@/server/jobs/health-heartbeats";
import { startHousekeeping } from "@/server/jobs/housekeeping";
import { startListening } from "@/server/jobs/listening";
import { storesOf } from "@/server/jobs/evidence-stores";
import { createMetrics } from "@/server/metrics/registry";
import type { Metrics } from "@/server/metrics/registry";
import { startError } from "@/server/start-errors";
import { ConnectionLimit } from "@/server/surfaces/http/connection-limit";
import { ReceivedBytes } from "@/server/surfaces/http/counted-body";
import type { RequestListener } from "@/server/surfaces/http/front";
import { openListeners } from "@/server/surfaces/http/listeners";
import { createMachineServer } from "@/server/surfaces/machine/machine-server";
import { signInAdmission } from "@/server/surfaces/web/admit-sign-in";
import { webBackend } from "@/server/surfaces/web/web-backend";

/** A stop that takes longer counts as a crash; the next controller takes over as after one. */
const stopLimitMs = 15_000;
/** Minimum interval between notifications of signals to other processes (docs/design/datapath.md#signal). */
const wakeEveryMs = 50;

async function main(): Promise<void> {
  const config = loadServerConfig(process.env);
  const logger = pino({
    level: config.logLevel,
    base: { role: config.roles.join(","), name: config.controllerName },
  });
  // safety: start: every process looks at its catalogue
  refuseTies();
  const stop = await start(config, logger);
  let stopping = false;
  const onSignal = (name: string): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal: name }, "stopping");
    setTimeout(() => process.exit(1), stopLimitMs).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, "the stop failed");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", () => onSignal("SIGTERM"));
  process.on("SIGINT", () => onSignal("SIGINT"));
}

interface Parts {
  readonly config: ServerConfig;
  readonly logger: Logger;
  readonly pool: Pool;
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly auditPolicy: ReturnType<typeof readAuditPolicy>;
  readonly metrics: Metrics;
}

/** Few, because machines' requests share statements, and on each connection PostgreSQL plans every statement again. */
const connectionsWithoutPeople = 12;

/** Starts the role `controller`: the state controller and the background jobs beside it. */
async function startControllerRole(
  { config, logger, pool, database, secrets, auditPolicy, metrics }: Parts,
  hub: CommandHub,
): Promise<{ readonly controller: RunningController; readonly stop: () => Promise<void> }> {
  // Before the jobs, which take all connections at once: if this query timed out waiting for one, the process would not start.
  await warnUnprotected(pool, logger);
  const controller = await startController({
    pool,
    secrets,
    metrics,
    logger,
    settings: config,
    publishCommand: (hostId, bootEpoch, command) => hub.publish(hostId, bootEpoch, command),
  });
  const stopHousekeeping = startHousekeeping(database, logger, config.keepDays, storesOf(database, config));
  const stopHeartbeats = startHealthHeartbeats(database, logger);
  const stopAdmission = startAdmission(pool, logger);
  const stopRollouts = startFirmwareRollouts(database, logger);
  const stopBulkRunner = startBulkRunner(database, logger);
  const stopCapacity = startCapacity(database, logger);
  const stopNext = startNext(database, logger);
  const networks = config.webhookNetworks;
  const stopWebhooks = startWebhookDeliveries({ database, secrets, logger, networks });
  const sequencer = startSequencer({ config, secrets, logger, auditPolicy });
  const { timestampUrl } = config;
  const stopCertificates = startCertificates(pool, sequencer.signers, logger, {
    policy: auditPolicy,
    timestampUrl,
  });
  return {
    controller,
    stop: async () => {
      await stopCertificates();
      await stopHousekeeping();
      await stopHeartbeats();
      await stopAdmission();
      await stopRollouts();
      await stopBulkRunner();
      await stopWebhooks();
      await stopCapacity();
      await stopNext();
      await sequencer.stop();
      await controller.stop();
    },
  };
}

/** What Fastify made of the machine surfaces; `hosts`: of `/boot` and `/agent`, if they have a listener of their own. */
interface MachineListeners {
  readonly machine: RequestListener;
  readonly hosts: RequestListener;
}

/** Serves machines and, if the process has the role `web`, people. */
async function serve(
  parts: Parts,
  { machine, hosts }: MachineListeners,
  received: ReceivedBytes,
): Promise<{ readonly servers: readonly Server[]; readonly close: () => Promise<void> }> {
  const { config, logger } = parts;
  const web = config.roles.includes("web");
  // A process without the role `web` loads neither the console's code nor Next.
  const pagesProgram = web ? await import("@/server/serve-console") : null;
  const closeWebBackend = pagesProgram?.openConsole(parts) ?? (async () => undefined);
  const pages = (await pagesProgram?.nextPages(config, logger)) ?? null;
  const connections = new ConnectionLimit({
    mostOfOne: config.connectionsPerAddress,
    trustedProxies: config.trustedProxies,
    uncounted: ["loopback"],
  });
  const { machineListen } = config;
  const servers = await openListeners({
    machine,
    hosts,
    pages,
    received,
    connections,
    ...(web ? { admitSignIn: signInAdmission(webBackend().database) } : {}),
    trustedProxies: config.trustedProxies,
    keepAliveMs: config.keepAliveMs,
    at: { port: config.port, address: config.listen },
    hostsAt: machineListen,
  });
  logger.info({ port: config.port, roles: config.roles }, "listening");
  if (machineListen !== null) logger.info(machineListen, "listening for hosts");
  return { servers, close: closeWebBackend };
}

/** Opens what every role needs. The key is claimed first, so that a database in use with another key is left alone. */
async function openParts(config: ServerConfig, logger: Logger): Promise<Parts> {
  const auditPolicy = readAuditPolicy(config.audit.policyFile);
  const applicationName = `reclaim ${config.controllerName}`;
  const pool = createHotPool(config.databaseUrl, {
    max: config.roles.includes("web") ? 20 : connectionsWithoutPeople,
    applicationName,
    onError: (error) => logger.warn({ err: error }, "a database connection was lost"),
  });
  const database = createDatabase(config.databaseUrl, { max: 10, applicationName });
  const secrets = createSecretBox(config.encryptionKey);
  await claimKey(
    async (text, ...values) => (await pool.query<Record<string, unknown>>(text, [...values])).rows,
    config.encryptionKey,
  );
  return { config, logger, pool, database, secrets, auditPolicy, metrics: createMetrics() };
}

async function startHub({ config, logger, pool, metrics }: Parts): Promise<CommandHub> {
  const hub = new CommandHub({
    databaseUrl: config.databaseUrl,
    pool,
    log: (level, message) => logger[level](message),
    onWaiting: (count) => metrics.agentsWaiting.set(count),
  });
  await hub.start();
  return hub;
}

/** Starts the roles and returns how to stop them. Order of the stop: no new requests, hosts handed over, connections closed. */
async function start(config: ServerConfig, logger: Logger): Promise<() => Promise<void>> {
  const stateDir = requireStateDir(config.stateDir);
  const parts = await openParts(config, logger);
  const { pool, database, secrets, auditPolicy, metrics } = parts;
  const highWater = await startHighWater({ pool, stateDir, logger });
  const hub = await startHub(parts);
  const role = config.roles.includes("controller") ? await startControllerRole(parts, hub) : null;
  const wakeOthers = atMostEvery(wakeEveryMs, () => {
    notifyWake(pool).catch((error: unknown) =>
      logger.warn({ err: error }, "controllers could not be told to look"),
    );
  });
  let [machine, hosts]: [RequestListener, RequestListener] = [notYet, notYet];
  const receivedBytes = new ReceivedBytes();
  let agentHeard = false;
  const network = networkAdapters(config.bmcNetworks);
  const app = createMachineServer({
    pool,
    backend: {
      database,
      secrets,
      fakeHardware: config.fakeHardware,
      readsBmcHealth: config.bmcHealthMs > 0,
      serviceAccountOrg: config.serviceAccountOrg,
      auditPolicy,
      askNetworkController: (site, hostId, timeoutMs) => network.of(site).ask(hostId, { timeoutMs }),
    },
    hub,
    metrics,
    logger,
    settings: config,
    receivedBytes,
    wake: role === null ? wakeOthers : () => role.controller.wake(),
    controllerTrouble: () => role?.controller.trouble() ?? null,
    allocationStopped: highWater.stopped,
    agentHeard: () => {
      agentHeard = true;
    },
    now: () => performance.now(),
    serverFactory: (handler) => {
      machine = handler;
      return createServer();
    },
    ...(config.machineListen === null
      ? {}
      : {
          hostsServerFactory: (handler: RequestListener) => {
            hosts = handler;
            return createServer();
          },
        }),
  });
  await app.ready();
  const { servers, close } = await serve(parts, { machine, hosts }, receivedBytes);
  const stopListening = startListening({
    pool,
    logger,
    server: { address: config.machineUrl, server: config.serverName },
    heard: () => {
      const heard = agentHeard;
      agentHeard = false;
      return heard;
    },
    gapOver: wakeOthers,
  });
  return async () => {
    for (const server of servers) server.close();
    await stopListening();
    await app.close();
    await network.close();
    for (const server of servers) server.closeAllConnections();
    await role?.stop();
    await highWater.stop();
    await hub.close();
    await close();
    await database.$disconnect();
    await pool.end();
  };
}

/** Runs `work` once per interval, however often it is called. */
function atMostEvery(ms: number, work: () => void): () => void {
  let timer: NodeJS.Timeout | null = null;
  return () => {
    timer ??= setTimeout(() => {
      timer = null;
      work();
    }, ms);
  };
}

const notYet: RequestListener = (_request, response) => {
  response.writeHead(503).end();
};

main().catch((error: unknown) => {
  const { message, code } = startError(error, process.env);
  process.stderr.write(`${message}\n`);
  process.exitCode = code;
  setTimeout(() => process.exit(), 100).unref();
});
