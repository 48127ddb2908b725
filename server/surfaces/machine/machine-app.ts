// The Fastify application below all machine surfaces: ids and headers of every answer, metrics and logs, and error formats.
import type { IncomingMessage } from "node:http";
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerFactory,
} from "fastify";
import type { Logger } from "pino";
import { bodyLimitBytes } from "@/server/domain/agents/protocol";
import { problems } from "@/server/domain/problems";
import type { Metrics } from "@/server/metrics/registry";
import { hasEncodedNul } from "@/server/domain/storable-text";
import { ReceivedBytes } from "@/server/surfaces/http/counted-body";
import { clientAddress } from "@/server/surfaces/http/client-address";
import { problemOfError } from "@/server/surfaces/machine/http/failures";
import { takeJsonOnly } from "@/server/surfaces/machine/http/json-body";
import { problemDocument, sendProblem } from "@/server/surfaces/machine/http/problems";
import { requestIdOf } from "@/server/surfaces/machine/http/request-id";
import { subjectOf } from "@/server/surfaces/machine/http/subject";
import { isIronicUrl, routedUrl, unreadableBody } from "@/server/surfaces/machine/ironic/routes";
import { surfaceOf } from "@/server/surfaces/machine/paths";

declare module "fastify" {
  interface FastifyRequest {
    /** The caller's address, also behind a configured proxy. Fastify's own `ip` is the proxy's. */
    readonly clientAddress: string;
  }
}

export interface MachineAppDeps {
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Proxies whose `X-Forwarded-For` is trusted: CIDRs, or `loopback`. */
  readonly trustedProxies: readonly string[];
  /** Shared with the console of the process; omitted: its own. */
  readonly receivedBytes?: ReceivedBytes | undefined;
  /** Whether Ironic's API is one of the surfaces: its addresses and errors have forms of their own. */
  readonly ironic: boolean;
  /** For a server that is made elsewhere, because the port is shared. */
  readonly serverFactory?: FastifyServerFactory | undefined;
}

/** Without any route. */
export function createMachineApp(deps: MachineAppDeps): FastifyInstance {
  const app: FastifyInstance = Fastify({
    logger: false,
    bodyLimit: bodyLimitBytes,
    genReqId: requestIdOf,
    requestIdHeader: false,
    forceCloseConnections: "idle",
    ...(deps.ironic ? { rewriteUrl: (request: IncomingMessage) => routedUrl(request.url ?? "/") } : {}),
    routerOptions: { maxParamLength: 256 },
    ...(deps.serverFactory === undefined ? {} : { serverFactory: deps.serverFactory }),
    frameworkErrors: answerUnreadable(deps.ironic),
  });
  app.decorate("receivedBytes", deps.receivedBytes ?? new ReceivedBytes());
  takeJsonOnly(app);
  app.decorateRequest("clientAddress", {
    getter() {
      return clientAddress(this.raw, deps.trustedProxies);
    },
  });
  app.addHook("onRequest", beginAnswer);
  app.addHook("onResponse", (request, reply, done) => {
    count(deps.metrics, request, reply);
    log(deps.logger, request, reply);
    done();
  });
  app.setErrorHandler((error, request, reply) => {
    const { problem, expected } = problemOfError(error);
    if (!expected)
      deps.logger.error(
        { requestId: request.id, route: request.routeOptions.url, err: error, ...subjectOf(request) },
        "a machine request failed",
      );
    return sendProblem(reply, problem);
  });
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, { code: "notFound" }));
  return app;
}

/** The answer to what Fastify cannot read as a request: no hook runs for it. */
const answerUnreadable =
  (ironic: boolean) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const { problem } = problemOfError(error);
    const id = requestIdOf(request.raw);
    if (ironic && isIronicUrl(request.raw.url)) {
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
  };

/** Sets the headers of every answer. Fails on an encoded body, because each surface has its own error format. */
function beginAnswer(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
  reply.headers({
    "x-request-id": request.id,
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  });
  // safety: text: NUL in an address
  if (hasEncodedNul(request.raw.url ?? ""))
    return done(Object.assign(new Error("NUL in the address"), { code: "URL_WITH_NUL" }));
  const encoding = request.headers["content-encoding"];
  if (encoding === undefined || encoding === "identity") return done();
  done(Object.assign(new Error("the body is encoded"), { code: "FST_ERR_CTP_INVALID_MEDIA_TYPE" }));
}

const routeOf = (request: FastifyRequest): string => request.routeOptions.url ?? "none";

function count(metrics: Metrics, request: FastifyRequest, reply: FastifyReply): void {
  const route = routeOf(request);
  metrics.requests.observe(
    { surface: surfaceOf(route), route, status: String(reply.statusCode) },
    reply.elapsedTime / 1_000,
  );
}

function log(logger: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const level = reply.statusCode >= 500 ? "error" : reply.statusCode >= 400 ? "info" : "debug";
  if (!logger.isLevelEnabled(level)) return;
  logger[level](
    {
      requestId: request.id,
      method: request.method,
      route: routeOf(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...subjectOf(request),
    },
    "machine request",
  );
}
