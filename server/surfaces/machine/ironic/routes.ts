// OpenStack Ironic's REST API at `/v1`, as far as it is part of our mission (docs/api-ironic.md).
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { problemOfError } from "@/server/surfaces/machine/http/failures";
import { problems } from "@/server/domain/problems";
import { agentRoutes } from "@/server/surfaces/machine/ironic/agent/agent-routes";
import { setIronicRequest, type IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import { emptyRoutes } from "@/server/surfaces/machine/ironic/empty/empty-routes";
import { bootSettingsRoutes } from "@/server/surfaces/machine/ironic/hardware/boot-settings-routes";
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
import { isIronicWithoutVersion } from "@/server/surfaces/machine/paths";
import { versionRoute } from "@/server/surfaces/machine/ironic/root";
import { takeText } from "@/server/surfaces/machine/ironic/wire/body";
import { callerOf } from "@/server/surfaces/machine/ironic/wire/caller";
import {
  fault,
  faultBody,
  IronicFault,
  noResource,
  notAllowed,
  sendFault,
  sendRoutingFault,
} from "@/server/surfaces/machine/ironic/wire/errors";
import {
  negotiate,
  oldest,
  rangeHeaders,
  versionHeader,
  type Microversion,
} from "@/server/surfaces/machine/ironic/wire/version";

/** Register it with the prefix `/v1`. */
export const ironicRoutes: FastifyPluginAsync<IronicDeps> = async (app, deps) => {
  takeText(app);
  const refuseOthers = refuseOtherMethods(app);
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
    return sendFault(reply, fault(row.status, problem.detail ?? row.detail));
  });
  app.setNotFoundHandler((_request, reply) => sendRoutingFault(reply, 404, noResource));

  versionRoute(app, deps);
  agentRoutes(app, deps);
  nodeRoutes(app, deps);
  recordRoutes(app, deps);
  statesRoute(app, deps);
  hardwareRoutes(app, deps);
  bootSettingsRoutes(app, deps);
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
  refuseOthers();
};

const allMethods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Notes each address that is registered from here on. Returns a function that registers answers for the methods that an address lacks. */
function refuseOtherMethods(app: FastifyInstance): () => void {
  const addresses = new Map<string, { methods: Set<string>; since: Microversion }>();
  app.addHook("onRoute", ({ url, method, config }) => {
    const path = url.replace(/\/$/, "");
    const known = addresses.get(path) ?? { methods: new Set<string>(), since: Infinity };
    for (const each of [method].flat()) known.methods.add(each);
    known.since = Math.min(known.since, config?.ironicSince ?? oldest);
    addresses.set(path, known);
  });
  return () => {
    for (const [path, { methods, since: ironicSince }] of [...addresses]) {
      const missing = allMethods.filter((method) => !methods.has(method));
      if (missing.length === 0) continue;
      app.route({
        method: missing,
        url: path.replace(/^\/v1/, ""),
        config: { ironicSince, ironicMethods: [...methods] },
        handler: (request, reply) => sendRoutingFault(reply, 405, notAllowed(request.method)),
      });
    }
  };
}

/** First the caller, then the version, then whether that version has the address: Ironic's order. */
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
  if (version < (config?.ironicSince ?? oldest)) return sendRoutingFault(reply, 404, noResource);
  // Checked here, so that a body that nobody reads is not complained about.
  if (config?.ironicMethods === undefined) return undefined;
  return sendRoutingFault(
    reply.header("allow", config.ironicMethods.join(", ")),
    405,
    notAllowed(request.method),
  );
}

/**
 * The address to route. Ironic accepts a trailing slash at every address (its client sends `/v1/nodes/?fields=…`), and addresses without
 * `/v1` as if they had it.
 */
export function routedUrl(url: string): string {
  const whole = isIronicWithoutVersion(url) ? `/v1${url}` : url;
  return isIronicUrl(whole) ? whole.replace(/\/+(?=\?|$)/, "") : whole;
}

export const isIronicUrl = (url: string | undefined): boolean => /^\/v1(?:[/?#]|$)/.test(url ?? "");

/** The body for requests that are refused before routing, such as an address with invalid encoding. */
export const unreadableBody = (message: string): string =>
  faultBody({ faultcode: "Client", faultstring: message, debuginfo: null });
