// `…/instance`: list, get, delete, status history (docs/api.md#nico, in this order of checks).
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { nicoInstanceStatuses } from "@/server/domain/lifecycle/projections";
import type { Backend } from "@/server/usecases/backend";
import { releaseInstance } from "@/server/usecases/instances/release-instance";
import { setSubject } from "@/server/surfaces/machine/http/subject";
import { readDeletion } from "@/server/surfaces/machine/nico/deletion";
import {
  nicoError,
  nicoOk,
  nicoRefused,
  sendNicoError,
  type NicoResult,
} from "@/server/surfaces/machine/nico/errors";
import { instanceView, statusDetail } from "@/server/surfaces/machine/nico/instance-view";
import { mayWithInstances, memberOf, type Member } from "@/server/surfaces/machine/nico/membership";
import {
  pageParameters,
  pagination,
  readList,
  readOne,
  readPage,
  readQuery,
} from "@/server/surfaces/machine/nico/query";
import {
  findInstanceOwner,
  historyOrders,
  instanceOrders,
  readInstances,
  readRecentStatus,
  readStatusHistory,
} from "@/server/surfaces/machine/nico/read-instances";

const base = "/org/:org/nico/instance";
const historyInView = 20;
const uuid = z.uuid("must be a valid UUID");
const orgPath = z.object({ org: z.string() });
const noInstance = nicoRefused(404, "Could not find Instance with specified ID");

/** Known to the contract; nothing of ours has one of these, so that a filter by it finds nothing. */
const foreignFilters = [
  "infrastructureProviderId",
  "vpcId",
  "instanceTypeId",
  "operatingSystemId",
  "ipAddress",
  "networkSecurityGroupId",
];
const relations = [
  "InfrastructureProvider",
  "Tenant",
  "Site",
  "InstanceType",
  "Allocation",
  "VPC",
  "Machine",
  "OperatingSystem",
  "NetworkSecurityGroup",
] as const;
const listParameters = [
  ...foreignFilters,
  "siteId",
  "machineId",
  "name",
  "status",
  "query",
  "includeRelation",
  ...pageParameters,
];

/** Whose instances a request is about. The provider's people name the tenant by its org. */
async function tenantOf(backend: Backend, { actor, org }: Member): Promise<NicoResult<string>> {
  if (actor.tenantId !== null) return nicoOk(actor.tenantId);
  const tenant = await backend.database.tenant.findUnique({ where: { org }, select: { id: true } });
  return tenant === null
    ? nicoRefused(403, `Failed to validate membership for org: ${org}`)
    : nicoOk(tenant.id);
}

/** Another tenant's instance is answered like one that does not exist. */
async function ownInstance(
  backend: Backend,
  member: Member,
  id: string,
  endedToo: boolean,
): Promise<NicoResult<string>> {
  if (!uuid.safeParse(id).success) return nicoRefused(400, "Invalid Instance ID in URL");
  const owner = await findInstanceOwner(backend.database, id);
  if (owner === null || (owner.ended && !endedToo)) return noInstance;
  if (member.actor.tenantId !== null && member.actor.tenantId !== owner.tenantId) return noInstance;
  if (owner.tenantOrg !== member.org)
    return nicoRefused(403, "Org specified in request does not match Org of Tenant associated with Instance");
  return nicoOk(owner.tenantId);
}

export function instanceRoutes(app: FastifyInstance, backend: Backend): void {
  const path = z.object({ org: z.string(), instanceId: z.string() });

  app.get(base, async (request, reply) => {
    const member = await memberOf(backend, request, orgPath.parse(request.params).org);
    if (!member.ok) return sendNicoError(reply, member.error);
    const may = mayWithInstances(member.value, "instance.read");
    if (!may.ok) return sendNicoError(reply, may.error);
    const query = readQuery(request.query, listParameters);
    if (!query.ok) return sendNicoError(reply, query.error);
    const page = readPage(query.value, instanceOrders);
    if (!page.ok) return sendNicoError(reply, page.error);
    const siteIds = readList(query.value, "siteId", uuid, "Site ID");
    if (!siteIds.ok) return sendNicoError(reply, siteIds.error);
    const statuses = readList(query.value, "status", z.enum(nicoInstanceStatuses), "Status value");
    if (!statuses.ok) return sendNicoError(reply, statuses.error);
    const text = readOne(query.value, "query", z.string().max(256), "query");
    if (!text.ok) return sendNicoError(reply, text.error);
    const name = readOne(query.value, "name", z.string().max(256), "name");
    if (!name.ok) return sendNicoError(reply, name.error);
    const relation = readList(query.value, "includeRelation", z.enum(relations), "includeRelation value");
    if (!relation.ok) return sendNicoError(reply, relation.error);
    const tenant = await tenantOf(backend, member.value);
    if (!tenant.ok) return sendNicoError(reply, tenant.error);

    const foreign = foreignFilters.some((filter) => query.value.has(filter));
    const filter = {
      tenantId: tenant.value,
      siteIds: siteIds.value,
      hostIds: query.value.get("machineId") ?? null,
      statuses: statuses.value,
      text: text.value,
      name: name.value,
    };
    const { rows, total } = foreign
      ? { rows: [], total: 0 }
      : await readInstances(backend.database, filter, page.value);
    const history = await readRecentStatus(
      backend.database,
      rows.map((row) => row.id),
      historyInView,
    );
    reply.header("x-pagination", pagination(page.value, total));
    return reply.send(
      rows.map((row) =>
        instanceView(
          row,
          history.filter((line) => line.instanceId === row.id),
        ),
      ),
    );
  });

  app.get(`${base}/:instanceId`, async (request, reply) => {
    const { org, instanceId } = path.parse(request.params);
    const member = await memberOf(backend, request, org);
    if (!member.ok) return sendNicoError(reply, member.error);
    const may = mayWithInstances(member.value, "instance.read");
    if (!may.ok) return sendNicoError(reply, may.error);
    const query = readQuery(request.query, ["includeRelation"]);
    if (!query.ok) return sendNicoError(reply, query.error);
    const relation = readList(query.value, "includeRelation", z.enum(relations), "includeRelation value");
    if (!relation.ok) return sendNicoError(reply, relation.error);
    const own = await ownInstance(backend, member.value, instanceId, false);
    if (!own.ok) return sendNicoError(reply, own.error);
    const { rows } = await readInstances(
      backend.database,
      { tenantId: own.value, id: instanceId },
      { pageNumber: 1, pageSize: 1, orderBy: "CREATED_DESC" },
    );
    const row = rows[0];
    if (row === undefined) return sendNicoError(reply, noInstance.error);
    return reply.send(instanceView(row, await readRecentStatus(backend.database, [row.id], historyInView)));
  });

  app.delete(`${base}/:instanceId`, async (request, reply) => {
    const { org, instanceId } = path.parse(request.params);
    const member = await memberOf(backend, request, org);
    if (!member.ok) return sendNicoError(reply, member.error);
    const may = mayWithInstances(member.value, "instance.release");
    if (!may.ok) return sendNicoError(reply, may.error);
    const own = await ownInstance(backend, member.value, instanceId, false);
    if (!own.ok) return sendNicoError(reply, own.error);
    const deletion = readDeletion(request.body, member.value.actor.targeted);
    if (!deletion.ok) return sendNicoError(reply, deletion.error);
    const released = await releaseInstance(
      backend,
      member.value.actor,
      { requestId: request.id, address: request.clientAddress },
      { instanceId },
    );
    if (released.ok) {
      setSubject(request, { hostId: released.value.hostId, reclamationId: null });
      return reply.code(202).type("text/plain; charset=utf-8").send("Deletion request was accepted");
    }
    const { code, detail } = released.problem;
    if (code === "notFound") return sendNicoError(reply, noInstance.error);
    const status = {
      invalid: 400,
      unauthenticated: 401,
      forbidden: 403,
      notAllowedNow: 409,
      conflict: 409,
      tooMany: 429,
      unavailable: 503,
      internal: 500,
    }[code];
    return sendNicoError(reply, nicoError(status, detail));
  });

  app.get(`${base}/:instanceId/status-history`, async (request, reply) => {
    const { org, instanceId } = path.parse(request.params);
    const member = await memberOf(backend, request, org);
    if (!member.ok) return sendNicoError(reply, member.error);
    const may = mayWithInstances(member.value, "instance.read");
    if (!may.ok) return sendNicoError(reply, may.error);
    const query = readQuery(request.query, pageParameters);
    if (!query.ok) return sendNicoError(reply, query.error);
    const page = readPage(query.value, historyOrders);
    if (!page.ok) return sendNicoError(reply, page.error);
    const own = await ownInstance(backend, member.value, instanceId, true);
    if (!own.ok) return sendNicoError(reply, own.error);
    const { rows, total } = await readStatusHistory(backend.database, instanceId, page.value);
    reply.header("x-pagination", pagination(page.value, total));
    return reply.send(rows.map(statusDetail));
  });
}
