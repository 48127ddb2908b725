// `/v1/allocations`: the instances that hold a node. They are made and released elsewhere (docs/api-ironic.md, Allocations).
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import {
  allocationOf,
  findAllocations,
  listAllocations,
  type AllocationRow,
} from "@/server/usecases/instances/allocations";
import { demand, ironicRequest, since, type IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import { findNode } from "@/server/surfaces/machine/ironic/nodes/find-node";
import { nodePath } from "@/server/surfaces/machine/ironic/nodes/node-routes";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";
import { linksTo } from "@/server/surfaces/machine/ironic/wire/links";
import { readLimit, readQuery, readUuid } from "@/server/surfaces/machine/ironic/wire/query";

const path = z.object({ allocation: z.string() });

export function allocationRoutes(app: FastifyInstance, deps: IronicDeps): void {
  const { pool, baseUrl } = deps;

  /** Every one is active: there is no instance that waits for a node. */
  const view = (row: AllocationRow) => ({
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

  app.get("/allocations", since(52), async (request, reply) => {
    const { actor, version } = ironicRequest(request);
    const scope = demand(actor, "host.read");
    const query = readQuery(request, ["limit", "marker", "node", "resource_class", "state", "owner"]);
    const limit = readLimit(query);
    const marker = readUuid(query, "marker");
    const state = query.get("state");
    const node = query.get("node");
    const hostId = node === undefined ? null : (await findNode(deps, actor, node, version)).hostId;
    if (state !== undefined && state !== "active") return reply.send({ allocations: [] });
    const rows = await listAllocations(pool, scope, {
      hostId,
      resourceClass: query.get("resource_class") ?? null,
      owner: query.get("owner") ?? null,
      marker: marker ?? null,
      limit,
    });
    const last = rows.at(-1);
    const again = new URLSearchParams([...query].filter(([name]) => name !== "limit" && name !== "marker"));
    const next =
      last === undefined || rows.length < limit
        ? {}
        : {
            next: `${baseUrl}/v1/allocations?${new URLSearchParams([...again, ["limit", String(limit)], ["marker", last.id]]).toString()}`,
          };
    return reply.send({ allocations: rows.map(view), ...next });
  });

  app.get("/allocations/:allocation", since(52), async (request, reply) => {
    const scope = demand(ironicRequest(request).actor, "host.read");
    readQuery(request, []);
    const { allocation } = path.parse(request.params);
    const [row, second] = await findAllocations(pool, scope, allocation);
    if (row === undefined) throw fault(404, `Allocation ${allocation.slice(0, 255)} could not be found.`);
    // Instances of two tenants may have one name.
    if (second !== undefined)
      throw fault(409, `Several allocations have the name ${allocation.slice(0, 255)}. Give a UUID.`);
    return reply.send(view(row));
  });

  app.get("/nodes/:ident/allocation", since(52), async (request, reply) => {
    const { actor, version } = ironicRequest(request);
    readQuery(request, []);
    const { hostId } = await findNode(deps, actor, nodePath.parse(request.params).ident, version);
    const row = await allocationOf(pool, hostId);
    if (row === null) throw fault(404, `Allocation for node ${hostId} could not be found.`);
    return reply.send(view(row));
  });

  const elsewhere = (what: string) => async (): Promise<never> => {
    throw fault(
      400,
      `Allocations are not ${what} here: an instance takes a node through Reclaim's NICo API and is released there, or by the provision target "deleted".`,
    );
  };
  app.post("/allocations", since(52), elsewhere("created"));
  app.patch("/allocations/:allocation", since(57), elsewhere("changed"));
  app.delete("/allocations/:allocation", since(52), elsewhere("deleted"));
  app.delete("/nodes/:ident/allocation", since(52), elsewhere("deleted"));
}
