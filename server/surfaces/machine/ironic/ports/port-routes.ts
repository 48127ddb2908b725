// `/v1/ports`, and the ports of one node (docs/api-ironic.md#ports).
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { macAddress } from "@/server/domain/hosts/nodes/node-values";
import { createPort } from "@/server/usecases/hosts/nodes/create-port";
import {
  getPort,
  isPortSortKey,
  listPorts,
  type PortRow,
} from "@/server/usecases/hosts/nodes/reading/node-ports";
import { removePort } from "@/server/usecases/hosts/nodes/remove-port";
import { updatePort } from "@/server/usecases/hosts/nodes/update-port";
import type { FleetScope } from "@/server/domain/access/access";
import {
  demand,
  handlersOn,
  ironicRequest,
  type IronicDeps,
  type IronicHandler,
} from "@/server/surfaces/machine/ironic/deps";
import { findNode } from "@/server/surfaces/machine/ironic/nodes/find-node";
import { nodePath } from "@/server/surfaces/machine/ironic/nodes/node-routes";
import {
  patchablePort,
  portDocument,
  readPortDocument,
} from "@/server/surfaces/machine/ironic/ports/port-document";
import { portFieldNames, portFieldSince, portView } from "@/server/surfaces/machine/ironic/ports/port-view";
import { readBody } from "@/server/surfaces/machine/ironic/wire/body";
import { fault, IronicFault, valueOf } from "@/server/surfaces/machine/ironic/wire/errors";
import { jsonPatch, patched, rootsOf } from "@/server/surfaces/machine/ironic/wire/json-patch";
import { nextPage } from "@/server/surfaces/machine/ironic/wire/links";
import {
  readFlag,
  readLimit,
  readQuery,
  readUuid,
  type Query,
} from "@/server/surfaces/machine/ironic/wire/query";
import type { Microversion } from "@/server/surfaces/machine/ironic/wire/version";

const newPort = z.looseObject({
  node_uuid: z.string(),
  uuid: z.guid("must be a UUID").nullable().optional(),
});
const portPath = z.object({ port: z.string() });
const uuid = z.guid();

const pageArguments = ["limit", "marker", "sort_key", "sort_dir"];
const listFields = ["uuid", "address", "links"];
const maxTries = 5;

const noPort = (port: string) => fault(404, `Port ${port.slice(0, 255)} could not be found.`);

/** Throws 404. */
async function readPort({ pool }: IronicDeps, scope: FleetScope, portId: string): Promise<PortRow> {
  const found = await getPort(pool, scope, portId);
  if (!found.ok) throw noPort(portId);
  return found.value;
}

/** Throws 404 for anything but a UUID. */
function portIdOf(request: FastifyRequest): string {
  const { port } = portPath.parse(request.params);
  if (!uuid.safeParse(port).success) throw noPort(port);
  return port.toLowerCase();
}

function demandPortField(name: string, version: Microversion): void {
  if (version < portFieldSince(name))
    throw fault(
      406,
      `Request not acceptable. The minimal required API version should be 1.${portFieldSince(name)}, because of the field ${name}.`,
    );
}

/** The requested fields; null: those of a list. Throws 400 and 406. */
function readFields(query: Query, version: Microversion): readonly string[] | null {
  const given = query.get("fields");
  if (given === undefined) return readFlag(query, "detail") === true ? [...portFieldNames] : null;
  const names = given.split(",").map((name) => name.trim());
  const unknown = names.filter((name) => !portFieldNames.has(name));
  if (unknown.length > 0) throw fault(400, `Field(s) "${unknown.join(", ").slice(0, 200)}" are not valid.`);
  for (const name of names) demandPortField(name, version);
  return names;
}

const pick = (view: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (Object.hasOwn(view, name) ? [[name, view[name]]] : [])));

interface Listing {
  readonly scope: FleetScope;
  readonly path: string;
  /** The host whose ports are listed; null: according to the query. */
  readonly hostId: string | null;
  readonly fields: readonly string[] | "all";
  readonly query: Query;
}

async function sendPorts(
  { pool, baseUrl }: IronicDeps,
  reply: FastifyReply,
  version: Microversion,
  { scope, path, hostId, fields, query }: Listing,
): Promise<FastifyReply> {
  const address = query.get("address");
  const mac = address === undefined ? null : macAddress.safeParse(address);
  if (mac !== null && !mac.success)
    throw fault(400, `Expected a MAC address but received ${(address ?? "").slice(0, 50)}.`);
  const direction = query.get("sort_dir") ?? "asc";
  if (direction !== "asc" && direction !== "desc")
    throw fault(
      400,
      `Invalid sort direction: ${direction.slice(0, 50)}. Acceptable values are 'asc' or 'desc'`,
    );
  const limit = readLimit(query);
  const marker = readUuid(query, "marker");
  const sortKey = query.get("sort_key") ?? "id";
  if (!isPortSortKey(sortKey))
    throw fault(400, `The sort_key value "${sortKey.slice(0, 50)}" is an invalid field for sorting`);
  const found = await listPorts(pool, scope, {
    hostId,
    address: mac?.data ?? null,
    limit,
    marker,
    sortKey,
    descending: direction === "desc",
  });
  if (!found.ok) throw noPort(marker ?? "");
  const rows = found.value;
  const show = (row: PortRow) => {
    const view = portView(row, baseUrl, version);
    return fields === "all" ? view : pick(view, fields);
  };
  return reply.send({
    ports: rows.map(show),
    ...nextPage(`${baseUrl}/v1/${path}`, query, limit, rows),
  });
}

/** The fields to list for each port: all, or those requested. */
const listed = (detailed: boolean, query: Query, version: Microversion): Listing["fields"] =>
  detailed ? "all" : (readFields(query, version) ?? listFields);

const listArguments = (detailed: boolean): readonly string[] => [
  "address",
  ...pageArguments,
  ...(detailed ? [] : ["fields", "detail"]),
];

const listPage =
  (detailed: boolean): IronicHandler =>
  async (deps, request, reply) => {
    const { actor, version } = ironicRequest(request);
    const scope = demand(actor, "host.read");
    const query = readQuery(request, ["node", "node_uuid", "portgroup", ...listArguments(detailed)]);
    const ident = query.get("node_uuid") ?? query.get("node");
    const group = query.get("portgroup");
    if (group !== undefined) throw fault(404, `Portgroup ${group.slice(0, 100)} could not be found.`);
    const hostId = ident === undefined ? null : (await findNode(deps, actor, ident, version)).hostId;
    return sendPorts(deps, reply, version, {
      scope,
      path: detailed ? "ports/detail" : "ports",
      hostId,
      fields: listed(detailed, query, version),
      query,
    });
  };

const listOfNode =
  (detailed: boolean): IronicHandler =>
  async (deps, request, reply) => {
    const { actor, version } = ironicRequest(request);
    const { hostId } = await findNode(deps, actor, nodePath.parse(request.params).ident, version);
    const scope = demand(actor, "host.read");
    const query = readQuery(request, listArguments(detailed));
    return sendPorts(deps, reply, version, {
      scope,
      path: `nodes/${hostId}/ports${detailed ? "/detail" : ""}`,
      hostId,
      fields: listed(detailed, query, version),
      query,
    });
  };

const show: IronicHandler = async (deps, request, reply) => {
  const { actor, version } = ironicRequest(request);
  const scope = demand(actor, "host.read");
  const fields = readFields(readQuery(request, ["fields"]), version);
  const view = portView(await readPort(deps, scope, portIdOf(request)), deps.baseUrl, version);
  return reply.send(fields === null ? view : pick(view, fields));
};

const create: IronicHandler = async (deps, request, reply) => {
  const { actor, version, facts } = ironicRequest(request);
  readQuery(request, []);
  const { node_uuid, uuid: id = null, ...document } = readBody(request, newPort);
  for (const name of Object.keys(document)) demandPortField(name, version);
  const fields = readPortDocument(document);
  if (!uuid.safeParse(node_uuid).success)
    throw fault(400, `Expected UUID for node_uuid: ${node_uuid.slice(0, 50)}`);
  const { hostId } = await findNode(deps, actor, node_uuid, version).catch((error: unknown) => {
    // A body that names a missing node is a bad request, not a 404.
    throw error instanceof IronicFault && error.status === 404 ? fault(400, error.faultstring) : error;
  });
  const scope = demand(actor, "host.read");
  const { portId } = valueOf(await createPort(deps.backend, actor, facts, { hostId, id, fields }));
  return reply
    .code(201)
    .header("location", `${deps.baseUrl}/v1/ports/${portId}`)
    .send(portView(await readPort(deps, scope, portId), deps.baseUrl, version));
};

const patch: IronicHandler = async (deps, request, reply) => {
  const { actor, version, facts } = ironicRequest(request);
  const scope = demand(actor, "host.read");
  readQuery(request, []);
  const portId = portIdOf(request);
  const changes = readBody(request, jsonPatch);
  for (const root of rootsOf(changes)) if (patchablePort.has(root)) demandPortField(root, version);
  for (let tries = 1; ; tries += 1) {
    const before = await readPort(deps, scope, portId);
    const fields = readPortDocument(
      patched(portDocument(before), changes, { roots: patchablePort, mandatory: ["address"] }),
    );
    const seenMs = before.updatedAt?.getTime() ?? null;
    const outcome = await updatePort(deps.backend, actor, facts, { portId, seenMs, fields });
    if (!outcome.ok && outcome.problem.field === "seenMs" && tries < maxTries) continue;
    valueOf(outcome);
    return reply.send(portView(await readPort(deps, scope, portId), deps.baseUrl, version));
  }
};

const remove: IronicHandler = async (deps, request, reply) => {
  const { actor, facts } = ironicRequest(request);
  readQuery(request, []);
  const portId = portIdOf(request);
  const outcome = await removePort(deps.backend, actor, facts, { portId });
  if (!outcome.ok && outcome.problem.code === "notFound")
    throw fault(404, `Port ${portId} could not be found.`);
  valueOf(outcome);
  return reply.code(204).send();
};

export function portRoutes(app: FastifyInstance, deps: IronicDeps): void {
  const on = handlersOn(deps);
  app.get("/ports", on(listPage(false)));
  app.get("/ports/detail", on(listPage(true)));
  app.post("/ports", on(create));
  app.get("/nodes/:ident/ports", on(listOfNode(false)));
  app.get("/nodes/:ident/ports/detail", on(listOfNode(true)));
  app.get("/ports/:port", on(show));
  app.patch("/ports/:port", on(patch));
  app.delete("/ports/:port", on(remove));
}
