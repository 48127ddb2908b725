// `/v1/nodes`: list, detailed list and show (reference: ironic.md 4, Endpoints).
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { ironicRequest, type IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import { findNode } from "@/server/surfaces/machine/ironic/nodes/find-node";
import { linksTo } from "@/server/surfaces/machine/ironic/wire/links";
import { readQuery } from "@/server/surfaces/machine/ironic/wire/query";

/** The path of everything below one node. */
export const nodePath = z.object({ ident: z.string() });

export function nodeRoutes(app: FastifyInstance, deps: IronicDeps): void {
  app.get("/nodes/:ident", async (request, reply) => {
    const { actor, version } = ironicRequest(request);
    readQuery(request, []);
    const node = await findNode(deps, actor, nodePath.parse(request.params).ident, version);
    return reply.send({ uuid: node.hostId, name: node.name, links: linksTo(deps.baseUrl, `nodes/${node.hostId}`) });
  });
}
