// `…/instance`: list, get, delete, status history (docs/api.md#nico, in this order of checks).
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { mayRepairAt } from "@/server/domain/access/tenant-grants";
import { nicoInstanceStatuses } from "@/server/domain/lifecycle/projections";
import type { Backend } from "@/server/usecases/backend";
import { historyOrders, instanceOrders } from "@/server/usecases/instances/instance-pages";
import { findReleasable, releaseInstance } from "@/server/usecases/instances/release-instance";
import {
  getInstanceHistory,
  getTenantInstance,
  listTenantInstances,
} from "@/server/usecases/instances/tenant-instances";
import { setSubject } from "@/server/surfaces/machine/http/subject";
import { readDeletion } from "@/server/surfaces/machine/nico/deletion";
import { valueOf } from "@/server/surfaces/machine/nico/faults";
import { instanceView, statusDetail } from "@/server/surfaces/machine/nico/instance-view";
import { demandInstanceId, instanceText } from "@/server/surfaces/machine/nico/instance-text";
import { instanceMember } from "@/server/surfaces/machine/nico/membership";
import {
  pageParameters,
  pagination,
  readList,
  readOne,
  readPage,
  readQuery,
} from "@/server/surfaces/machine/nico/query";

const base = "/org/:org/nico/instance";
const uuid = z.guid("must be a valid UUID");
const orgPath = z.object({ org: z.string() });
const path = z.object({ org: z.string(), instanceId: z.string() });

/** Filters of the contract that none of our instances match, so they find nothing. */
const foreignFilters = [
  "infrastructureProviderId",
  "operatingSystemId",
  "ipAddress",
  "networkSecurityGroupId",
];
const relation = z.enum([
  "InfrastructureProvider",
  "Tenant",
  "Site",
  "InstanceType",
  "Allocation",
  "VPC",
  "Machine",
  "OperatingSystem",
  "NetworkSecurityGroup",
]);
/** NICo's database has *Terminated*, too, in which no instance is listed. */
const status = z.enum([...nicoInstanceStatuses, "Terminated"]);
const text = z.string().max(256);
const instanceOrder = z.enum(instanceOrders);
const historyOrder = z.enum(historyOrders);
const listParameters = [
  ...foreignFilters,
  "siteId",
  "vpcId",
  "instanceTypeId",
  "machineId",
  "name",
  "status",
  "query",
  "includeRelation",
  ...pageParameters,
];

export function instanceRoutes(app: FastifyInstance, backend: Backend): void {
  const { database } = backend;

  app.get(base, async (request, reply) => {
    const { org } = orgPath.parse(request.params);
    const member = await instanceMember(backend, request, org, "instance.read");
    const query = readQuery(request.query, listParameters);
    const page = readPage(query, instanceOrder, instanceOrders[0]);
    const filter = {
      siteIds: readList(query, "siteId", uuid, "Site ID"),
      statuses: readList(query, "status", status, "Status value"),
      text: readOne(query, "query", text, "query"),
      name: readOne(query, "name", text, "name"),
      skuIds: readList(query, "instanceTypeId", text, "Instance Type ID"),
      vpcIds: readList(query, "vpcId", text, "VPC ID"),
      hostIds: query.get("machineId") ?? null,
    };
    readList(query, "includeRelation", relation, "includeRelation value");
    const foreign = foreignFilters.some((name) => query.has(name));
    const { rows, total } = valueOf(
      await listTenantInstances(database, member, foreign ? null : filter, page),
      { forbidden: `Failed to validate membership for org: ${org}` },
    );
    return reply.header("x-pagination", pagination(page, total)).send(rows.map(instanceView));
  });

  app.get(`${base}/:instanceId`, async (request, reply) => {
    const { org, instanceId } = path.parse(request.params);
    const member = await instanceMember(backend, request, org, "instance.read");
    const query = readQuery(request.query, ["includeRelation"]);
    readList(query, "includeRelation", relation, "includeRelation value");
    const found = await getTenantInstance(database, member, demandInstanceId(instanceId));
    return reply.send(instanceView(valueOf(found, instanceText)));
  });

  app.delete(`${base}/:instanceId`, async (request, reply) => {
    const { org, instanceId } = path.parse(request.params);
    const member = await instanceMember(backend, request, org, "instance.release");
    const found = valueOf(await findReleasable(backend, member, demandInstanceId(instanceId)), instanceText);
    const said = readDeletion(request.body, () => mayRepairAt(member.actor, found.value.siteId));
    const facts = { requestId: request.id, address: request.clientAddress };
    const released = valueOf(
      await releaseInstance.on(found)(backend, member.actor, facts, { instanceId, ...said }),
      {
        notFound: instanceText.notFound,
      },
    );
    setSubject(request, { hostId: released.hostId, reclamationId: null });
    return reply.code(202).type("text/plain; charset=utf-8").send("Deletion request was accepted");
  });

  app.get(`${base}/:instanceId/status-history`, async (request, reply) => {
    const { org, instanceId } = path.parse(request.params);
    const member = await instanceMember(backend, request, org, "instance.read");
    const page = readPage(readQuery(request.query, pageParameters), historyOrder, historyOrders[0]);
    const found = await getInstanceHistory(database, member, demandInstanceId(instanceId), page);
    const { rows, total } = valueOf(found, instanceText);
    return reply.header("x-pagination", pagination(page, total)).send(rows.map(statusDetail));
  });
}
