// NICo's REST API at `/v2/org/{org}/nico`, as far as it is part of our mission (docs/api.md#nico).
import type { FastifyPluginAsync } from "fastify";
import type { Logger } from "pino";
import type { Backend } from "@/server/usecases/backend";
import { problemOfError } from "@/server/surfaces/machine/http/failures";
import { problems } from "@/server/domain/problems";
import { hasBody } from "@/server/surfaces/http/linger";
import { countedText } from "@/server/surfaces/machine/http/counted-text";
import { knownCaller } from "@/server/surfaces/machine/nico/membership";
import { NicoFault, sendNicoFault } from "@/server/surfaces/machine/nico/faults";
import { instanceRoutes } from "@/server/surfaces/machine/nico/instance-routes";
import { instanceWritingRoutes } from "@/server/surfaces/machine/nico/instance-writing";
import { machineWritingRoutes } from "@/server/surfaces/machine/nico/machine-writing";
import { measuredBootRoutes } from "@/server/surfaces/machine/nico/measured-boot-routes";
import { placeRoutes } from "@/server/surfaces/machine/nico/place-routes";
import { tenantRoutes } from "@/server/surfaces/machine/nico/tenants/routes";
import { machineRoutes } from "@/server/surfaces/machine/nico/machine-routes";

export interface NicoRouteDeps {
  readonly backend: Backend;
  readonly logger: Logger;
}

/** Register it with the prefix `/v2`. */
export const nicoRoutes: FastifyPluginAsync<NicoRouteDeps> = async (app, { backend, logger }) => {
  // The handler parses the body, after the caller is known: NICo's order of checks.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", countedText);
  app.addHook("onRequest", async (request) => {
    if (hasBody(request.raw)) await knownCaller(backend, request);
  });

  app.setErrorHandler((error, request, reply) => {
    if (error instanceof NicoFault) return sendNicoFault(reply, error);
    const { problem, expected } = problemOfError(error);
    const row = problems[problem.code];
    if (!expected)
      logger.error(
        { requestId: request.id, route: request.routeOptions.url, err: error },
        "a NICo request failed",
      );
    const message =
      problem.detail ?? (row.status < 500 || row.status === 503 ? row.detail : "Error handling API request");
    return sendNicoFault(reply, { status: row.status, message, data: null });
  });
  app.setNotFoundHandler((request, reply) =>
    sendNicoFault(reply, {
      status: 404,
      message: `${request.method} on this path is not a part of NICo's API that Reclaim serves`,
      data: null,
    }),
  );

  instanceRoutes(app, backend);
  instanceWritingRoutes(app, backend);
  machineRoutes(app, backend);
  machineWritingRoutes(app, backend);
  placeRoutes(app, backend);
  measuredBootRoutes(app, backend);
  tenantRoutes(app, backend);
};
