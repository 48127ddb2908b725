// Collections of Ironic that Reclaim has none of: their lists are empty, so that a client that looks there goes on (docs/api-ironic.md).
import type { FastifyInstance } from "fastify";
import { demand, ironicRequest, since, type IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import { findNode } from "@/server/surfaces/machine/ironic/nodes/find-node";
import { nodePath } from "@/server/surfaces/machine/ironic/nodes/node-routes";
import { readQuery } from "@/server/surfaces/machine/ironic/wire/query";
import type { Microversion } from "@/server/surfaces/machine/ironic/wire/version";

interface EmptyList {
  readonly path: string;
  /** The member of the answer that holds the list. */
  readonly member: string;
  readonly since: Microversion;
  readonly filters: readonly string[];
}

const lists: readonly EmptyList[] = [
  { path: "/chassis", member: "chassis", since: 1, filters: [] },
  { path: "/chassis/detail", member: "chassis", since: 1, filters: [] },
  { path: "/portgroups", member: "portgroups", since: 23, filters: ["node", "address"] },
  { path: "/portgroups/detail", member: "portgroups", since: 23, filters: ["node", "address"] },
  { path: "/deploy_templates", member: "deploy_templates", since: 55, filters: [] },
  { path: "/volume/connectors", member: "connectors", since: 32, filters: ["node"] },
  { path: "/volume/targets", member: "targets", since: 32, filters: ["node"] },
];

const pageArguments = ["limit", "marker", "sort_key", "sort_dir", "fields", "detail"];

export function emptyRoutes(app: FastifyInstance, deps: IronicDeps): void {
  for (const { path, member, since: version, filters } of lists) {
    app.get(path, since(version), async (request, reply) => {
      demand(ironicRequest(request).actor, "host.list");
      readQuery(request, [...pageArguments, ...filters]);
      return reply.send({ [member]: [] });
    });
  }
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
