// `/v1/nodes`: list, detailed list and show (docs/api-ironic.md#nodes-reading).
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { listNodes, type NodeOrder } from "@/server/usecases/hosts/nodes/reading/read-nodes";
import { demand, ironicRequest, since, type IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import { findNode, identOf, nodeText, noNode } from "@/server/surfaces/machine/ironic/nodes/find-node";
import { fieldsByName } from "@/server/surfaces/machine/ironic/nodes/node-fields";
import { nodeFilters, readFilter } from "@/server/surfaces/machine/ironic/nodes/node-filters";
import {
  demandField,
  readFields,
  selectFields,
  type FieldSelection,
} from "@/server/surfaces/machine/ironic/nodes/node-selection";
import { fault, valueOf } from "@/server/surfaces/machine/ironic/wire/errors";
import {
  readFlag,
  readLimit,
  readQuery,
  readUuid,
  type Query,
} from "@/server/surfaces/machine/ironic/wire/query";
import type { Microversion } from "@/server/surfaces/machine/ironic/wire/version";

/** Path parameters of everything below one node. */
export const nodePath = z.object({ ident: z.string() });

const pageArguments = ["limit", "marker", "sort_key", "sort_dir"];
const detailArguments = [...Object.keys(nodeFilters), ...pageArguments];
const listArguments = [...detailArguments, "fields", "detail"];

/** Ironic lists the children of a node without pages. */
const maxChildren = 100_000;

/** The version that introduced the argument `detail`. */
const detailSince: Microversion = 43;

/** Throws 400 for a key that nodes cannot be sorted by, and 406 for one that the version does not have. */
function readOrder(query: Query, version: Microversion): NodeOrder {
  const key = query.get("sort_key") ?? "id";
  const direction = query.get("sort_dir") ?? "asc";
  if (direction !== "asc" && direction !== "desc")
    throw fault(
      400,
      `Invalid sort direction: ${direction.slice(0, 50)}. Acceptable values are 'asc' or 'desc'`,
    );
  const sort = key === "id" ? "enrolled" : (fieldsByName.get(key)?.sort ?? null);
  if (sort === null)
    throw fault(400, `The sort_key value "${key.slice(0, 50)}" is an invalid field for sorting`);
  demandField(key, version);
  return { key: sort, descending: direction === "desc" };
}

/** Throws 400 if both are given. */
function readFieldSelection(query: Query, version: Microversion): FieldSelection {
  const fields = readFields(query, version);
  const detail = readFlag(query, "detail");
  if (detail !== undefined && version < detailSince)
    throw fault(
      406,
      `Request not acceptable. The minimal required API version should be 1.${detailSince}, because of the argument detail.`,
    );
  if (detail === true && fields !== null)
    throw fault(400, "Can't fetch a subset of fields with 'detail' set");
  return detail === true ? "all" : (fields ?? "list");
}

/** The address of the page after `marker`, with all other arguments of this one. */
function nextAddress(baseUrl: string, path: string, query: Query, limit: number, marker: string): string {
  const parameters = new URLSearchParams(
    [...query].filter(([name]) => name !== "limit" && name !== "marker"),
  );
  parameters.set("limit", String(limit));
  parameters.set("marker", marker);
  return `${baseUrl}/v1/${path}?${parameters.toString()}`;
}

async function sendList(
  { pool, baseUrl }: IronicDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  path: "nodes" | "nodes/detail",
): Promise<FastifyReply> {
  const { actor, version } = ironicRequest(request);
  const scope = demand(actor, "host.list");
  const query = readQuery(request, path === "nodes" ? listArguments : detailArguments);
  const order = readOrder(query, version);
  const limit = readLimit(query);
  const marker = readUuid(query, "marker");
  const { parts, write } = selectFields(
    path === "nodes" ? readFieldSelection(query, version) : "all",
    version,
    baseUrl,
  );
  const filter = readFilter(query, version);
  const found = await listNodes(pool, scope, parts, { filter, order, limit, marker });
  if (!found.ok) throw noNode(marker ?? "");
  const rows = found.value;
  const last = rows.at(-1);
  const next =
    last !== undefined && rows.length === limit
      ? `,"next":${JSON.stringify(nextAddress(baseUrl, path, query, limit, last.id))}`
      : "";
  // A single buffer: every layer below would measure and encode a text of megabytes again.
  return reply.type("application/json").send(Buffer.from(`{"nodes":[${rows.map(write).join(",")}]${next}}`));
}

export function nodeRoutes(app: FastifyInstance, deps: IronicDeps): void {
  app.get("/nodes", (request, reply) => sendList(deps, request, reply, "nodes"));
  app.get("/nodes/detail", (request, reply) => sendList(deps, request, reply, "nodes/detail"));

  app.get("/nodes/:ident/children", since(83), async (request, reply) => {
    const { actor, version } = ironicRequest(request);
    const scope = demand(actor, "host.list");
    readQuery(request, []);
    const { hostId } = await findNode(deps, actor, nodePath.parse(request.params).ident, version);
    const found = await listNodes(deps.pool, scope, new Set(["list"]), {
      filter: { parentNode: hostId },
      order: { key: "enrolled", descending: false },
      limit: maxChildren,
      marker: undefined,
    });
    return reply.send({
      children: valueOf(found).map(({ id }) => id),
      links: { href: `${deps.baseUrl}/v1/nodes?parent_node=${hostId}`, rel: "children" },
    });
  });

  app.get("/nodes/:ident", async (request, reply) => {
    const { actor, version } = ironicRequest(request);
    const ident = identOf(actor, nodePath.parse(request.params).ident, version);
    const fields = readFields(readQuery(request, ["fields"]), version);
    return reply.type("application/json").send(await nodeText(deps, ident, version, fields ?? "all"));
  });
}
