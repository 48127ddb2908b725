// OpenStack Ironic's REST API at `/v1`, as far as it is our mission (docs/api-ironic.md).
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { problemOfError } from "@/server/surfaces/machine/http/failures";
import { problems } from "@/server/domain/problems";
import { setIronicRequest, type IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import { emptyRoutes } from "@/server/surfaces/machine/ironic/empty/empty-routes";
import { hardwareRoutes } from "@/server/surfaces/machine/ironic/hardware/hardware-routes";
import { nodeRoutes } from "@/server/surfaces/machine/ironic/nodes/node-routes";
import { recordRoutes } from "@/server/surfaces/machine/ironic/nodes/record-routes";
import { shardsRoute } from "@/server/surfaces/machine/ironic/nodes/shards-route";
import { statesRoute } from "@/server/surfaces/machine/ironic/nodes/states-route";
import { historyRoutes } from "@/server/surfaces/machine/ironic/history/history-routes";
import { maintenanceRoutes } from "@/server/surfaces/machine/ironic/states/maintenance-routes";
import { powerRoutes } from "@/server/surfaces/machine/ironic/states/power-routes";
import { provisionRoutes } from "@/server/surfaces/machine/ironic/states/provision-routes";
import { cleaningStepsRoutes } from "@/server/surfaces/machine/ironic/steps/cleaning-steps-routes";
import { portRoutes } from "@/server/surfaces/machine/ironic/ports/port-routes";
import { allocationRoutes } from "@/server/surfaces/machine/ironic/allocations/allocation-routes";
import { conductorRoutes } from "@/server/surfaces/machine/ironic/conductors/conductor-routes";
import { driverRoutes } from "@/server/surfaces/machine/ironic/drivers/driver-routes";
import { traitRoutes } from "@/server/surfaces/machine/ironic/nodes/trait-routes";
import { unsupportedRoutes } from "@/server/surfaces/machine/ironic/nodes/unsupported-routes";
import { validateRoutes } from "@/server/surfaces/machine/ironic/nodes/validate-routes";
import { runbookRoutes } from "@/server/surfaces/machine/ironic/runbooks/runbook-routes";
import { versionRoute } from "@/server/surfaces/machine/ironic/root";
import { takeText } from "@/server/surfaces/machine/ironic/wire/body";
import { callerOf } from "@/server/surfaces/machine/ironic/wire/caller";
import {
  fault,
  faultBody,
  IronicFault,
  noResource,
  sendFault,
  sendRoutingFault,
} from "@/server/surfaces/machine/ironic/wire/errors";
import { negotiate, rangeHeaders, versionHeader } from "@/server/surfaces/machine/ironic/wire/version";

/** To be registered with the prefix `/v1`. */
export const ironicRoutes: FastifyPluginAsync<IronicDeps> = async (app, deps) => {
  takeText(app);
  app.addHook("onRequest", (request, reply) => receive(deps, request, reply));
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof IronicFault) return sendFault(reply, error);
    const { problem, expected } = problemOfError(error);
    const row = problems[problem.code];
    if (!expected)
      deps.logger.error(
        { requestId: request.id, route: request.routeOptions.url, err: error },
        "an Ironic request failed",
      );
    return sendFault(
      reply,
      fault(
        row.status,
        expected || row.status < 500 || row.status === 503
          ? (problem.detail ?? row.detail)
          : "The request failed. It is safe to retry.",
      ),
    );
  });
  app.setNotFoundHandler((_request, reply) => sendRoutingFault(reply, 404, noResource));

  versionRoute(app, deps);
  nodeRoutes(app, deps);
  recordRoutes(app, deps);
  statesRoute(app, deps);
  hardwareRoutes(app, deps);
  shardsRoute(app, deps);
  emptyRoutes(app, deps);
  provisionRoutes(app, deps);
  powerRoutes(app, deps);
  maintenanceRoutes(app, deps);
  historyRoutes(app, deps);
  cleaningStepsRoutes(app, deps);
  traitRoutes(app, deps);
  validateRoutes(app, deps);
  unsupportedRoutes(app, deps);
  portRoutes(app, deps);
  runbookRoutes(app, deps);
  driverRoutes(app, deps);
  conductorRoutes(app, deps);
  allocationRoutes(app, deps);
};

/** Who asks, then in which version, then whether that version has the address: Ironic's order. */
async function receive(
  deps: IronicDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const config = request.routeOptions.config;
  reply.headers(rangeHeaders);
  const actor = config?.ironicPublic === true ? null : await callerOf(deps.backend, request, deps.noauth);
  const negotiated = negotiate(request.headers);
  if (!negotiated.ok) {
    if (!negotiated.readable) for (const name of Object.keys(rangeHeaders)) reply.removeHeader(name);
    return sendRoutingFault(reply, 406, negotiated.message);
  }
  const { version } = negotiated;
  reply.header(versionHeader, `1.${version}`);
  setIronicRequest(request, actor, version);
  return version < (config?.ironicSince ?? 0) ? sendRoutingFault(reply, 404, noResource) : undefined;
}

/** Ironic takes a slash at the end of every address (its client sends `/v1/nodes/?fields=…`). */
export const withoutLastSlash = (url: string): string =>
  /^\/v1(?:\/|$)/.test(url) ? url.replace(/\/+(?=\?|$)/, "") : url;

export const isIronicUrl = (url: string | undefined): boolean => /^\/v1(?:[/?#]|$)/.test(url ?? "");

/** The body for what is refused before there is a route, such as an address that is not validly encoded. */
export const unreadableBody = (message: string): string =>
  faultBody({ faultcode: "Client", faultstring: message, debuginfo: null });
