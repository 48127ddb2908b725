// `GET /v1/shards`: how many nodes each shard has (docs/api-ironic.md#nodes-reading).
import type { FastifyInstance } from "fastify";
import { countShards } from "@/server/usecases/hosts/nodes/reading/find-node";
import { demand, ironicRequest, since, type IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import { readQuery } from "@/server/surfaces/machine/ironic/wire/query";

export function shardsRoute(app: FastifyInstance, { pool }: IronicDeps): void {
  app.get("/shards", since(82), async (request, reply) => {
    const scope = demand(ironicRequest(request).actor, "host.list");
    readQuery(request, []);
    return reply.send({ shards: await countShards(pool, scope) });
  });
}
