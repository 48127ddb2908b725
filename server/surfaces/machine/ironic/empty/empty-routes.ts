// Ironic's collections that are always empty in Reclaim, so that a client that reads them continues (docs/api-ironic.md).
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { demand, ironicRequest, since, type IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import { findNode } from "@/server/surfaces/machine/ironic/nodes/find-node";
import { nodePath } from "@/server/surfaces/machine/ironic/nodes/node-routes";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";
import { linksTo } from "@/server/surfaces/machine/ironic/wire/links";
import { readQuery } from "@/server/surfaces/machine/ironic/wire/query";
import type { Microversion } from "@/server/surfaces/machine/ironic/wire/version";

interface EmptyList {
  readonly path: string;
  /** Ironic's name for one item; null: the address is a view of another list. */
  readonly one: string | null;
  /** The member of the answer that contains the list. */
  readonly member: string;
  readonly since: Microversion;
  readonly filters: readonly string[];
}

const lists: readonly EmptyList[] = [
  { path: "/chassis", one: "Chassis", member: "chassis", since: 1, filters: [] },
  { path: "/chassis/detail", one: null, member: "chassis", since: 1, filters: [] },
  { path: "/portgroups", one: "Portgroup", member: "portgroups", since: 23, filters: ["node", "address"] },
  { path: "/portgroups/detail", one: null, member: "portgroups", since: 23, filters: ["node", "address"] },
  { path: "/deploy_templates", one: "Deploy template", member: "deploy_templates", since: 55, filters: [] },
  { path: "/volume/connectors", one: "Volume connector", member: "connectors", since: 32, filters: ["node"] },
  { path: "/volume/targets", one: "Volume target", member: "targets", since: 32, filters: ["node"] },
];

const pageArguments = ["limit", "marker", "sort_key", "sort_dir", "fields", "detail"];

const itemPath = z.object({ item: z.string() });

/** The version that introduced volumes. */
const volumesSince: Microversion = 32;

/** What Ironic returns at `volume`, for all nodes or for one. */
const volumeView = (baseUrl: string, path: string) => ({
  links: linksTo(baseUrl, `${path}/`),
  connectors: linksTo(baseUrl, `${path}/connectors`),
  targets: linksTo(baseUrl, `${path}/targets`),
});

export function emptyRoutes(app: FastifyInstance, deps: IronicDeps): void {
  for (const list of lists) emptyList(app, list);
  app.get("/volume", since(volumesSince), async (request, reply) => {
    demand(ironicRequest(request).actor, "host.list");
    readQuery(request, []);
    return reply.send(volumeView(deps.baseUrl, "volume"));
  });
  app.get("/nodes/:ident/volume", since(volumesSince), async (request, reply) => {
    const { actor, version } = ironicRequest(request);
    readQuery(request, []);
    const { hostId } = await findNode(deps, actor, nodePath.parse(request.params).ident, version);
    return reply.send(volumeView(deps.baseUrl, `nodes/${hostId}/volume`));
  });
  for (const [path, member, version] of [
    ["portgroups", "portgroups", 24],
    ["volume/connectors", "connectors", 32],
    ["volume/targets", "targets", 32],
  ] as const) {
    app.get(`/nodes/:ident/${path}`, since(version), async (request, reply) => {
      const { actor, version: asked } = ironicRequest(request);
      readQuery(request, pageArguments);
      await findNode(deps, actor, nodePath.parse(request.params).ident, asked);
      return reply.send({ [member]: [] });
    });
  }
}

/** The empty list, and 404 for any item that a client requests by name. */
function emptyList(app: FastifyInstance, { path, one, member, since: version, filters }: EmptyList): void {
  app.get(path, since(version), async (request, reply) => {
    demand(ironicRequest(request).actor, "host.list");
    readQuery(request, [...pageArguments, ...filters]);
    return reply.send({ [member]: [] });
  });
  if (one === null) return;
  app.route({
    method: ["GET", "PATCH", "DELETE"],
    url: `${path}/:item`,
    ...since(version),
    handler: async (request) => {
      demand(ironicRequest(request).actor, "host.list");
      throw fault(404, `${one} ${itemPath.parse(request.params).item.slice(0, 255)} could not be found.`);
    },
  });
}
