// `/health-reports/v1`: health sources report on hosts (docs/api.md#health-reports).
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { AuditRefusal } from "@/server/agents/refusal";
import { bearerToken } from "@/server/domain/access/tokens";
import type { KeptReport } from "@/server/domain/repair/health/change-report";
import { reportInput } from "@/server/domain/repair/health/report";
import type { RefusalCode } from "@/server/domain/problems";
import type { Backend } from "@/server/usecases/backend";
import { findHostInReach } from "@/server/usecases/repair/external-systems";
import {
  authenticateSource,
  postReport,
  readOwnReport,
  withdrawReport,
} from "@/server/usecases/repair/health/post-report";
import type { SourceActor } from "@/server/usecases/repair/health/post-report";
import { parse } from "@/server/surfaces/machine/http/parse";
import { sendProblem } from "@/server/surfaces/machine/http/problems";
import { tokenFirst } from "@/server/surfaces/machine/http/token-first";
import { setSubject } from "@/server/surfaces/machine/http/subject";

export interface HealthRouteDeps {
  readonly backend: Backend;
  readonly audit: AuditRefusal;
}

const bodyLimit = 256 * 1024;

/** `source`: if given, it must be the token's own. */
const posted = reportInput.extend({
  host: z.string().trim().min(1).max(128),
  source: z.string().max(64).optional(),
});

const ofHost = z.strictObject({ host: z.string().min(1).max(128) });

const reportView = (report: KeptReport) => ({
  source: report.source,
  observedAt: new Date(report.observedAtMs).toISOString(),
  receivedAt: new Date(report.receivedAtMs).toISOString(),
  heartbeatSeconds: report.heartbeatSeconds,
  silentSince: report.silentSinceMs === null ? null : new Date(report.silentSinceMs).toISOString(),
  successes: report.successes,
  alerts: report.alerts,
});

/** The source that the request's token belongs to; null: none. */
async function sourceBehind(database: Backend["database"], request: FastifyRequest) {
  const token = bearerToken(request.headers.authorization);
  return token === null ? null : authenticateSource(database, token, request.clientAddress);
}

/** The host of the request's path; null: none that the source may report on. */
async function hostInPath(database: Backend["database"], request: FastifyRequest, source: SourceActor) {
  const params = parse(ofHost, request.params, "path");
  return params.ok ? findHostInReach(database, source, params.value.host) : null;
}

export function healthRoutes(app: FastifyInstance, { backend: { database }, audit }: HealthRouteDeps): void {
  const sourceOf = (request: FastifyRequest) => sourceBehind(database, request);

  const onRequest = tokenFirst(async (_token, request) => (await sourceOf(request)) !== null);

  const refuse = async (
    request: FastifyRequest,
    reply: FastifyReply,
    source: SourceActor,
    code: RefusalCode,
    facts: Readonly<Record<string, string>>,
  ): Promise<FastifyReply> => {
    await audit({
      action: "health.report",
      code,
      actor: { kind: "adapter", id: source.name },
      hostId: null,
      tenantId: null,
      requestId: request.id,
      address: request.clientAddress,
      facts,
    });
    return sendProblem(reply, { code });
  };

  app.post("/health-reports/v1/reports", { bodyLimit, onRequest }, async (request, reply) => {
    const source = await sourceOf(request);
    if (source === null) return sendProblem(reply, { code: "unauthorized" });
    const body = parse(posted, request.body, "body");
    if (!body.ok) return sendProblem(reply, body.problem);
    const { host, source: named, ...report } = body.value;
    // safety: health: a token writes its own source only
    if (named !== undefined && named !== source.name)
      return refuse(request, reply, source, "foreignSource", { host, source: named });
    const hostId = await findHostInReach(database, source, host);
    if (hostId === null) return refuse(request, reply, source, "unknownHost", { host });
    setSubject(request, { hostId, reclamationId: null });
    const written = await postReport(database, source, hostId, report);
    if (!written.ok) return sendProblem(reply, written.problem);
    return reply.code(200).send({ hostId, source: source.name, health: written.value.level });
  });

  app.get("/health-reports/v1/reports/:host", async (request, reply) => {
    const source = await sourceOf(request);
    if (source === null) return sendProblem(reply, { code: "unauthorized" });
    const hostId = await hostInPath(database, request, source);
    const report = hostId === null ? null : await readOwnReport(database, source, hostId);
    return report === null ? sendProblem(reply, { code: "notFound" }) : reply.send(reportView(report));
  });

  app.delete("/health-reports/v1/reports/:host", async (request, reply) => {
    const source = await sourceOf(request);
    if (source === null) return sendProblem(reply, { code: "unauthorized" });
    const hostId = await hostInPath(database, request, source);
    if (hostId === null) return sendProblem(reply, { code: "unknownHost" });
    const written = await withdrawReport(database, source, hostId);
    return written.ok ? reply.code(204).send() : sendProblem(reply, written.problem);
  });
}
