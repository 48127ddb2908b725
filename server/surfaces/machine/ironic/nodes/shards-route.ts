// `GET /v1/shards`: how many nodes each shard has (docs/api-ironic.md#nodes-reading).
import type { FastifyInstance } from "fastify";
import { named } from "@/server/db/hot/pool";
import { demand, ironicRequest, since, type IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import { readQuery } from "@/server/surfaces/machine/ironic/wire/query";

const counts = named<{ readonly name: string; readonly count: number }, []>(
  "ironic_shards",
  "SELECT shard AS name, count(*)::int AS count FROM node_record WHERE shard IS NOT NULL GROUP BY shard ORDER BY shard",
);

export function shardsRoute(app: FastifyInstance, { pool }: IronicDeps): void {
  app.get("/shards", since(82), async (request, reply) => {
    demand(ironicRequest(request).actor, "host.list");
    readQuery(request, []);
    return reply.send({ shards: await counts(pool) });
  });
}
