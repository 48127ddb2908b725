// `/v1/allocations`: the instances that hold a node. They are created and released elsewhere (docs/api-ironic.md, Allocations).
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import {
  allocationOf,
  findAllocations,
  listAllocations,
  type AllocationRow,
} from "@/server/usecases/instances/allocations";
import {
  demand,
  handlersOn,
  ironicRequest,
  since,
  type IronicDeps,
  type IronicHandler,
} from "@/server/surfaces/machine/ironic/deps";
import { findNode } from "@/server/surfaces/machine/ironic/nodes/find-node";
import { nodePath } from "@/server/surfaces/machine/ironic/nodes/node-routes";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";
import { linksTo, nextPage } from "@/server/surfaces/machine/ironic/wire/links";
import { readLimit, readQuery, readUuid } from "@/server/surfaces/machine/ironic/wire/query";

const path = z.object({ allocation: z.string() });

/** Always active: no instance waits for a node. */
const allocationView = (row: AllocationRow, baseUrl: string) => ({
  uuid: row.id,
  name: row.name,
  node_uuid: row.hostId,
  state: "active",
  last_error: null,
  resource_class: row.resourceClass,
  traits: row.traits,
  candidate_nodes: [],
  extra: {},
  owner: row.owner,
  created_at: row.createdAt.toISOString().replace("Z", "+00:00"),
  updated_at: row.updatedAt.toISOString().replace("Z", "+00:00"),
  links: linksTo(baseUrl, `allocations/${row.id}`),
});

const listPage: IronicHandler = async (deps, request, reply) => {
  const { actor, version } = ironicRequest(request);
  const scope = demand(actor, "host.read");
  const query = readQuery(request, ["limit", "marker", "node", "resource_class", "state", "owner"]);
  const limit = readLimit(query);
  const marker = readUuid(query, "marker");
  const state = query.get("state");
  const node = query.get("node");
  const hostId = node === undefined ? null : (await findNode(deps, actor, node, version)).hostId;
  if (state !== undefined && state !== "active") return reply.send({ allocations: [] });
  const rows = await listAllocations(deps.pool, scope, {
    hostId,
    resourceClass: query.get("resource_class") ?? null,
    owner: query.get("owner") ?? null,
    marker: marker ?? null,
    limit,
  });
  return reply.send({
    allocations: rows.map((row) => allocationView(row, deps.baseUrl)),
    ...nextPage(`${deps.baseUrl}/v1/allocations`, query, limit, rows),
  });
};

const show: IronicHandler = async ({ pool, baseUrl }, request, reply) => {
  const scope = demand(ironicRequest(request).actor, "host.read");
  readQuery(request, []);
  const { allocation } = path.parse(request.params);
  const [row, second] = await findAllocations(pool, scope, allocation);
  if (row === undefined) throw fault(404, `Allocation ${allocation.slice(0, 255)} could not be found.`);
  // Instances of two tenants may have the same name.
  if (second !== undefined)
    throw fault(409, `Several allocations have the name ${allocation.slice(0, 255)}. Give a UUID.`);
  return reply.send(allocationView(row, baseUrl));
};

const showOfNode: IronicHandler = async (deps, request, reply) => {
  const { actor, version } = ironicRequest(request);
  readQuery(request, []);
  const { hostId } = await findNode(deps, actor, nodePath.parse(request.params).ident, version);
  const row = await allocationOf(deps.pool, hostId);
  if (row === null) throw fault(404, `Allocation for node ${hostId} could not be found.`);
  return reply.send(allocationView(row, deps.baseUrl));
};

const elsewhere = (what: string) => async (): Promise<never> => {
  throw fault(
    400,
    `Allocations are not ${what} here: an instance takes a node through Reclaim's NICo API and is released there, or by the provision target "deleted".`,
  );
};

export function allocationRoutes(app: FastifyInstance, deps: IronicDeps): void {
  const on = handlersOn(deps);
  app.get("/allocations", since(52), on(listPage));
  app.get("/allocations/:allocation", since(52), on(show));
  app.get("/nodes/:ident/allocation", since(52), on(showOfNode));
  app.post("/allocations", since(52), elsewhere("created"));
  app.patch("/allocations/:allocation", since(57), elsewhere("changed"));
  app.delete("/allocations/:allocation", since(52), elsewhere("deleted"));
  app.delete("/nodes/:ident/allocation", since(52), elsewhere("deleted"));
}
