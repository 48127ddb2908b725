// All machine surfaces in one Fastify application (docs/design/datapath.md#machine-surfaces). It shares a port with the console, or runs alone in tests.
import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyServerFactory } from "fastify";
import type { Logger } from "pino";
import { AgentServer } from "@/server/agents/agent-server";
import { AttestationServer } from "@/server/agents/attestation-server";
import { BootServer } from "@/server/agents/boot/boot-server";
import type { CommandHub } from "@/server/agents/command-hub";
import { GuestBridge } from "@/server/agents/guest/guest-bridge";
import { GuestServer } from "@/server/agents/guest/guest-server";
import { flushAttempts, noteAttempt } from "@/server/agents/note-attempt";
import { oncePerMinute, type AuditRefusal } from "@/server/agents/refusal";
import type { Metrics } from "@/server/metrics/registry";
import { unknownCallers } from "@/server/usecases/access/unknown-callers";
import type { Backend, HotPool } from "@/server/usecases/backend";
import type { ProcessTrouble } from "@/server/usecases/database/database-trouble";
import type { ReceivedBytes } from "@/server/surfaces/http/counted-body";
import { agentRoutes } from "@/server/surfaces/machine/agent/routes";
import { auditLogRoutes } from "@/server/surfaces/machine/audit-log/routes";
import { auditRefusedCall } from "@/server/agents/audit-refusal";
import { SecurityReports } from "@/server/agents/security-reports";
import { healthRoutes } from "@/server/surfaces/machine/health/routes";
import { leaseRoutes } from "@/server/surfaces/machine/leases/routes";
import { imageFileRoutes } from "@/server/surfaces/machine/boot/image-files";
import { bootRoutes } from "@/server/surfaces/machine/boot/routes";
import { rootRoute } from "@/server/surfaces/machine/ironic/root";
import { ironicRoutes } from "@/server/surfaces/machine/ironic/routes";
import { createMachineApp } from "@/server/surfaces/machine/machine-app";
import { metricsRoutes } from "@/server/surfaces/machine/metrics/routes";
import { networkRoutes } from "@/server/surfaces/machine/network/routes";
import { nicoRoutes } from "@/server/surfaces/machine/nico/routes";

export interface MachineServerDeps {
  readonly pool: HotPool;
  readonly backend: Backend;
  readonly hub: CommandHub;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Called after a signal was stored, so that a controller looks for it. Must not throw. */
  readonly wake: () => void;
  /** Null while the controller's loop is alive, or if there is none; otherwise what is wrong with it. */
  readonly controllerTrouble: () => ProcessTrouble | null;
  /** Called when an agent with a session was heard. Must not throw. */
  readonly agentHeard?: () => void;
  /** Why no host is allocated; null: hosts are allocated. */
  readonly allocationStopped?: () => string | null;
  readonly settings: {
    readonly baseUrl: string;
    /** Begins every URL that a host is given. */
    readonly machineUrl: string;
    readonly bootImageUrl: string;
    /** The folder behind `/boot/image`, absolute. */
    readonly bootImageDir?: string | undefined;
    /** SHA-256 of the initrd there, in hexadecimal digits, and whether iPXE must check the signatures beside the files. */
    readonly bootImageSha256?: string | undefined;
    readonly bootImageSigned?: boolean | undefined;
    readonly longPollMs: number;
    readonly metricsToken: string | undefined;
    readonly ironicNoauth: boolean;
    /** Proxies whose `X-Forwarded-For` is trusted: CIDRs, or `loopback`. */
    readonly trustedProxies: readonly string[];
    /** The site's BMC networks: CIDRs, or `loopback`. */
    readonly bmcNetworks: readonly string[];
  };
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Of bodies, shared with the console of the process; omitted: its own. */
  readonly receivedBytes?: ReceivedBytes;
  /** For a server that is made elsewhere, because the port is shared. */
  readonly serverFactory?: FastifyServerFactory;
  /** For `/boot` and `/agent` alone, if they have a listener of their own; omitted: they are answered with the others. */
  readonly hostsServerFactory?: FastifyServerFactory;
}

/** Call `ready()` and pass requests to `routing`, or call `listen()`. `close()` answers held polls, writes held progress, and waits for what is running. */
export function createMachineServer(deps: MachineServerDeps): FastifyInstance {
  const { pool, backend, hub, metrics, logger, wake, now, settings } = deps;
  const { trustedProxies } = settings;
  const { receivedBytes, serverFactory, hostsServerFactory } = deps;
  const common = { metrics, logger, trustedProxies, receivedBytes };
  const app = createMachineApp({ ...common, ironic: true, serverFactory });
  // The other application does not have these routes at all, so no spelling of their addresses leads to them.
  const hosts =
    hostsServerFactory === undefined
      ? app
      : createMachineApp({ ...common, ironic: false, serverFactory: hostsServerFactory });
  const reports = new SecurityReports(backend.database, logger);
  const audit = auditRefusals(deps);
  const agents = agentServer(deps, audit);

  const boots = bootServer(deps, audit, reports);
  const guests = guestServer(deps, { agents, boots, audit });

  const attestation = new AttestationServer({
    pool,
    agents,
    audit,
    machineUrl: settings.machineUrl,
    random: (count) => randomBytes(count),
    now: () => new Date(),
  });

  agentRoutes(hosts, agents, attestation);
  bootRoutes(hosts, boots, now);
  imageFileRoutes(hosts, settings.bootImageDir);
  networkRoutes(app, { pool, wake, audit });
  healthRoutes(app, { backend, audit });
  leaseRoutes(app, { backend, audit });
  auditLogRoutes(app, backend);
  metricsRoutes(app, {
    pool,
    metrics,
    metricsToken: settings.metricsToken,
    controllerTrouble: deps.controllerTrouble,
    ...(deps.allocationStopped === undefined ? {} : { allocationStopped: deps.allocationStopped }),
    now,
  });
  void app.register(nicoRoutes, { prefix: "/v2", backend, logger });
  rootRoute(app, settings);
  void app.register(ironicRoutes, {
    prefix: "/v1",
    pool,
    backend,
    logger,
    wake,
    guests,
    baseUrl: settings.baseUrl,
    noauth: settings.ironicNoauth,
    bmcNetworks: settings.bmcNetworks,
  });

  app.addHook("onReady", async () => {
    agents.start();
    if (hosts !== app) await hosts.ready();
  });
  app.addHook("preClose", async () => {
    hub.release();
    await guests.close();
    if (hosts !== app) await hosts.close();
  });
  app.addHook("onClose", async () => {
    await agents.close();
    await reports.settled();
    await unknownCallers().flush();
    await flushAttempts();
  });
  return app;
}

/** A refusal stands even if the log cannot be written. */
function auditRefusals({ backend, metrics, logger, now }: MachineServerDeps): AuditRefusal {
  const write = oncePerMinute((call) => auditRefusedCall(backend.database, call), now);
  return async (call) => {
    const { requestId, hostId, action, code: reason } = call;
    metrics.refusals.inc({ action, reason });
    logger.warn({ requestId, hostId, action, reason, ...call.facts }, "refused a report");
    await Promise.all([write(call), noteAttempt(backend.database, call)]).catch((error: unknown) =>
      logger.error({ requestId, err: error }, "a refusal could not be audited"),
    );
  };
}

const agentServer = (
  { pool, hub, wake, now, settings, logger, agentHeard = () => undefined }: MachineServerDeps,
  audit: AuditRefusal,
): AgentServer =>
  new AgentServer({
    pool,
    hub,
    wake,
    audit,
    now,
    longPollMs: settings.longPollMs,
    machineUrl: settings.machineUrl,
    heard: agentHeard,
    onError: (error) => logger.error({ err: error }, "held progress could not be written"),
  });

/** Longest time between two looks at the work of an agent of Ironic's. */
const longestGuestLookMs = 5_000;

function guestServer(
  { pool, backend, wake, logger, settings }: MachineServerDeps,
  {
    agents,
    boots,
    audit,
  }: { readonly agents: AgentServer; readonly boots: BootServer; readonly audit: AuditRefusal },
): GuestServer {
  const log = (hostId: string, message: string): void =>
    logger.warn({ hostId, reason: message }, "Ironic's agent was not spoken to");
  const lookMs = Math.min(settings.longPollMs, longestGuestLookMs);
  const bridge = new GuestBridge({ pool, secrets: backend.secrets, agents, lookMs, log });
  return new GuestServer({ pool, boots, bridge, audit, wake });
}

/** Firmware waits much longer for an answer. */
const longestBootWaitMs = 1_000;

const bootServer = (
  { pool, backend, wake, settings }: MachineServerDeps,
  audit: AuditRefusal,
  reports: SecurityReports,
): BootServer =>
  new BootServer({
    pool,
    secrets: backend.secrets,
    baseUrl: settings.baseUrl,
    machineUrl: settings.machineUrl,
    bootImage: {
      url: settings.bootImageUrl,
      sha256: settings.bootImageSha256 ?? null,
      signed: settings.bootImageSigned ?? false,
      kind: "reclaim",
    },
    audit,
    report: (attempt) => reports.tell(attempt),
    wake,
    patienceMs: Math.min(settings.longPollMs, longestBootWaitMs),
  });
