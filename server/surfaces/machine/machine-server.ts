// The Fastify application of all machine surfaces (docs/design/datapath.md#machine-surfaces). It shares a port with the console, or stands alone in tests.
import Fastify, { type FastifyInstance, type FastifyServerFactory } from "fastify";
import type { Logger } from "pino";
import { AgentServer } from "@/server/agents/agent-server";
import { BootServer } from "@/server/agents/boot/boot-server";
import type { CommandHub } from "@/server/agents/command-hub";
import { oncePerMinute, type AuditRefusal } from "@/server/agents/refusal";
import { bodyLimitBytes } from "@/server/domain/agents/protocol";
import { problems } from "@/server/domain/problems";
import type { Metrics } from "@/server/metrics/registry";
import type { Backend, HotPool } from "@/server/usecases/backend";
import type { ProcessTrouble } from "@/server/usecases/database/database-trouble";
import { clientAddress } from "@/server/surfaces/http/client-address";
import { agentRoutes } from "@/server/surfaces/machine/agent/routes";
import { auditRefusedCall } from "@/server/agents/audit-refusal";
import { bootRoutes } from "@/server/surfaces/machine/boot/routes";
import { problemOfError } from "@/server/surfaces/machine/http/failures";
import { takeJsonOnly } from "@/server/surfaces/machine/http/json-body";
import { problemDocument, sendProblem } from "@/server/surfaces/machine/http/problems";
import { requestIdOf } from "@/server/surfaces/machine/http/request-id";
import { subjectOf } from "@/server/surfaces/machine/http/subject";
import { rootRoute } from "@/server/surfaces/machine/ironic/root";
import {
  ironicRoutes,
  isIronicUrl,
  unreadableBody,
  withoutLastSlash,
} from "@/server/surfaces/machine/ironic/routes";
import { metricsRoutes } from "@/server/surfaces/machine/metrics/routes";
import { networkRoutes } from "@/server/surfaces/machine/network/routes";
import { nicoRoutes } from "@/server/surfaces/machine/nico/routes";
import { surfaceOf } from "@/server/surfaces/machine/paths";

declare module "fastify" {
  interface FastifyRequest {
    /** Who asks, also behind a configured proxy. Fastify's own `ip` is the proxy's. */
    readonly clientAddress: string;
  }
}

export interface MachineServerDeps {
  readonly pool: HotPool;
  readonly backend: Backend;
  readonly hub: CommandHub;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Called after a signal was stored: a controller is to look. Must not throw. */
  readonly wake: () => void;
  /** Null while the controller's loop is alive, or where there is none; else what is wrong with it. */
  readonly controllerTrouble: () => ProcessTrouble | null;
  /** Why no host is allocated; null: they are. */
  readonly allocationStopped?: () => string | null;
  readonly settings: {
    readonly baseUrl: string;
    readonly bootImageUrl: string;
    /** Of the initrd there, in hexadecimal digits, and whether iPXE is to check the signatures beside them. */
    readonly bootImageSha256?: string | undefined;
    readonly bootImageSigned?: boolean | undefined;
    readonly longPollMs: number;
    readonly metricsToken: string | undefined;
    readonly ironicNoauth: boolean;
    /** Whose `X-Forwarded-For` is believed: CIDRs, or `loopback`. */
    readonly trustedProxies: readonly string[];
    /** Where BMCs may be: CIDRs, or `loopback`. */
    readonly bmcNetworks: readonly string[];
  };
  /** Milliseconds that only go forward. */
  readonly now: () => number;
  /** Where the server is made elsewhere, because the port is shared. */
  readonly serverFactory?: FastifyServerFactory;
}

/** Call `ready()` and hand requests to `routing`, or `listen()`. `close()` answers held polls, writes held progress, and waits for what runs. */
export function createMachineServer(deps: MachineServerDeps): FastifyInstance {
  const { pool, backend, hub, metrics, logger, wake, now, settings } = deps;
  const app: FastifyInstance = Fastify({
    logger: false,
    bodyLimit: bodyLimitBytes,
    genReqId: requestIdOf,
    requestIdHeader: false,
    forceCloseConnections: "idle",
    rewriteUrl: (request) => withoutLastSlash(request.url ?? "/"),
    routerOptions: { maxParamLength: 256 },
    ...(deps.serverFactory === undefined ? {} : { serverFactory: deps.serverFactory }),
    frameworkErrors: (error, request, reply) => {
      const { problem } = problemOfError(error);
      const id = requestIdOf(request.raw);
      if (isIronicUrl(request.raw.url)) {
        const row = problems[problem.code];
        reply.raw
          .writeHead(row.status, { "x-request-id": id, "content-type": "application/json" })
          .end(unreadableBody(problem.detail ?? row.detail));
        return;
      }
      const document = problemDocument(problem, id);
      reply.raw
        .writeHead(document.status, { "x-request-id": id, "content-type": "application/problem+json" })
        .end(JSON.stringify(document));
    },
  });

  takeJsonOnly(app);
  app.decorateRequest("clientAddress", {
    getter() {
      return clientAddress(this.raw, settings.trustedProxies);
    },
  });

  app.addHook("onRequest", async (request, reply) => {
    reply.headers({
      "x-request-id": request.id,
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    });
    const encoding = request.headers["content-encoding"];
    // Thrown, because each surface has its own form of an error.
    if (encoding !== undefined && encoding !== "identity")
      throw Object.assign(new Error("the body is encoded"), { code: "FST_ERR_CTP_INVALID_MEDIA_TYPE" });
  });

  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "none";
    metrics.requests.observe(
      { surface: surfaceOf(route), route, status: String(reply.statusCode) },
      reply.elapsedTime / 1_000,
    );
    const level = reply.statusCode >= 500 ? "error" : reply.statusCode >= 400 ? "info" : "debug";
    if (!logger.isLevelEnabled(level)) return;
    logger[level](
      {
        requestId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...subjectOf(request),
      },
      "machine request",
    );
  });

  app.setErrorHandler((error, request, reply) => {
    const { problem, expected } = problemOfError(error);
    if (!expected)
      logger.error(
        { requestId: request.id, route: request.routeOptions.url, err: error, ...subjectOf(request) },
        "a machine request failed",
      );
    return sendProblem(reply, problem);
  });
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, { code: "notFound" }));

  const write = oncePerMinute((call) => auditRefusedCall(backend.database, call), now);
  /** What was refused stays refused when the log cannot be written. */
  const audit: AuditRefusal = async (call) => {
    metrics.refusals.inc({ action: call.action, reason: call.code });
    logger.warn(
      {
        requestId: call.requestId,
        hostId: call.hostId,
        action: call.action,
        reason: call.code,
        ...call.facts,
      },
      "refused a report",
    );
    await write(call).catch((error: unknown) =>
      logger.error({ requestId: call.requestId, err: error }, "a refusal could not be audited"),
    );
  };

  const agents = new AgentServer({
    pool,
    hub,
    wake,
    audit,
    now,
    longPollMs: settings.longPollMs,
    onError: (error) => logger.error({ err: error }, "held progress could not be written"),
  });
  const boots = new BootServer({
    pool,
    secrets: backend.secrets,
    baseUrl: settings.baseUrl,
    bootImage: {
      url: settings.bootImageUrl,
      sha256: settings.bootImageSha256 ?? null,
      signed: settings.bootImageSigned ?? false,
    },
    audit,
    wake,
  });

  agentRoutes(app, agents);
  bootRoutes(app, boots);
  networkRoutes(app, { pool, wake, audit });
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
    baseUrl: settings.baseUrl,
    noauth: settings.ironicNoauth,
    bmcNetworks: settings.bmcNetworks,
  });

  app.addHook("onReady", async () => agents.start());
  app.addHook("preClose", async () => hub.release());
  app.addHook("onClose", async () => agents.close());
  return app;
}
