// `GET /` and `GET /v1`: the collections and versions of the API. Neither needs a sign-in.
import type { FastifyInstance } from "fastify";
import { versionOf, type IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import { notAllowed, sendRoutingFault } from "@/server/surfaces/machine/ironic/wire/errors";
import { linksTo } from "@/server/surfaces/machine/ironic/wire/links";
import { newest, oldest, type Microversion } from "@/server/surfaces/machine/ironic/wire/version";

/** Collections, and the version that introduced each. */
const resources: Readonly<Record<string, Microversion>> = {
  chassis: 1,
  nodes: 1,
  ports: 1,
  drivers: 1,
  portgroups: 23,
  lookup: 22,
  heartbeat: 22,
  volume: 32,
  conductors: 49,
  allocations: 52,
  deploy_templates: 55,
  shards: 82,
  runbooks: 92,
};

const versionDocument = (baseUrl: string) => ({
  id: "v1",
  links: [{ href: `${baseUrl}/v1/`, rel: "self" }],
  status: "CURRENT",
  min_version: `1.${oldest}`,
  version: `1.${newest}`,
});

/** Not below `/v1`, so without its headers. For browsers, the console has the same address (`paths.ts`). */
export function rootRoute(app: FastifyInstance, { baseUrl }: Pick<IronicDeps, "baseUrl">): void {
  const version = versionDocument(baseUrl);
  const document = {
    name: "OpenStack Ironic API",
    description: "Reclaim serves a part of Ironic's API.",
    default_version: version,
    versions: [version],
  };
  app.get("/", async (_request, reply) => reply.send(document));
  app.route({
    method: ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
    url: "/",
    handler: async (request, reply) =>
      sendRoutingFault(reply.header("allow", "GET, HEAD"), 405, notAllowed(request.method)),
  });
}

export function versionRoute(app: FastifyInstance, { baseUrl }: IronicDeps): void {
  app.get("/", { config: { ironicPublic: true } }, async (request, reply) => {
    const version = versionOf(request);
    const there = Object.entries(resources).filter(([, since]) => version >= since);
    return reply.send({
      id: "v1",
      links: [{ href: `${baseUrl}/v1/`, rel: "self" }],
      media_types: { base: "application/json", type: "application/vnd.openstack.ironic.v1+json" },
      version: versionDocument(baseUrl),
      ...Object.fromEntries(there.map(([name]) => [name, linksTo(baseUrl, `${name}/`)])),
    });
  });
}
