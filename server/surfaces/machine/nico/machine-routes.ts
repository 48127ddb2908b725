// `…/machine`: list and get (docs/api.md#nico). The provider's people see every host, a privileged tenant a summary of every host, and others their own.
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { nicoMachineStatuses } from "@/server/domain/lifecycle/projections";
import type { Backend } from "@/server/usecases/backend";
import { machineOrders } from "@/server/usecases/hosts/machines/machine-pages";
import {
  getMachine,
  listMachines,
  machineScope,
  mayListMachines,
  mayReadMetadata,
  type MachineScope,
} from "@/server/usecases/hosts/machines/read-machines";
import { NicoFault, valueOf } from "@/server/surfaces/machine/nico/faults";
import { machineView } from "@/server/surfaces/machine/nico/machine-view";
import { memberOf } from "@/server/surfaces/machine/nico/membership";
import {
  pageParameters,
  pagination,
  readList,
  readOne,
  readPage,
  readQuery,
} from "@/server/surfaces/machine/nico/query";

const base = "/org/:org/nico/machine";
const uuid = z.guid("must be a valid UUID");
const flag = z
  .enum(["true", "false"], { error: "must be true or false" })
  .transform((text) => text === "true");
/** NICo's messages for a host that does not exist, or that the caller may not see. */
export const notPrivileged = "Tenant does not have targeted Instance creation capability enabled";
export const noMachine = "Could not find Machine specified in URL";
const orgPath = z.object({ org: z.string() });
const machinePath = z.object({ org: z.string(), machineId: z.string() });
const relation = z.enum(["InfrastructureProvider", "Site", "InstanceType"]);
const status = z.enum(nicoMachineStatuses);
const text = z.string().max(256);
const machineOrder = z.enum(machineOrders);

/** Filters of the contract that none of our hosts match. */
const foreignFilters = ["instanceTypeId", "capabilityType", "capabilityName", "hwSkuDeviceType"];
const listParameters = [
  ...foreignFilters,
  "siteId",
  "id",
  "hasInstanceType",
  "tenantId",
  "hasInstance",
  "isMissingOnSite",
  "includeMetadata",
  "status",
  "query",
  "includeRelation",
  // Not in the contract; clients send `type=DPU`, and NICo ignores it.
  "type",
  ...pageParameters,
];

/** Throws 403 if somebody asks for metadata who may not read it. */
function demandMetadata(scope: MachineScope, wanted: boolean | null): boolean {
  if (wanted !== true) return false;
  valueOf(mayReadMetadata(scope), { forbidden: "Machine metadata can only be requested by Provider" });
  return true;
}

export function machineRoutes(app: FastifyInstance, backend: Backend): void {
  const { database } = backend;

  app.get(base, async (request, reply) => {
    const { actor } = await memberOf(backend, request, orgPath.parse(request.params).org);
    const scope = machineScope(actor);
    valueOf(mayListMachines(scope), { forbidden: notPrivileged });
    const query = readQuery(request.query, listParameters);
    const page = readPage(query, machineOrder, machineOrders[0]);
    const siteIds = readList(query, "siteId", uuid, "Site ID");
    const tenantIds = readList(query, "tenantId", uuid, "Tenant ID");
    const statuses = readList(query, "status", status, "Status value");
    const hasInstance = readOne(query, "hasInstance", flag, "hasInstance value");
    const missing = readOne(query, "isMissingOnSite", flag, "isMissingOnSite value");
    const typed = readOne(query, "hasInstanceType", flag, "hasInstanceType value");
    const metadata = readOne(query, "includeMetadata", flag, "includeMetadata value");
    if (hasInstance !== null && siteIds === null)
      throw new NicoFault(400, "siteId must be specified when hasInstance is", {
        siteId: "a value is required",
      });
    const words = readOne(query, "query", text, "query");
    readList(query, "includeRelation", relation, "includeRelation value");
    const withMetadata = demandMetadata(scope, metadata);
    const ids = query.get("id")?.filter((id) => uuid.safeParse(id).success) ?? null;
    const isNone = foreignFilters.some((filter) => query.has(filter)) || missing === true || typed === true;
    const filter = isNone ? null : { ids, siteIds, tenantIds, statuses, hasInstance, text: words };
    const { rows, total } = valueOf(await listMachines(database, scope, filter, page));
    return reply
      .header("x-pagination", pagination(page, total))
      .send(rows.map((row) => machineView(row, withMetadata)));
  });

  app.get(`${base}/:machineId`, async (request, reply) => {
    const { org, machineId } = machinePath.parse(request.params);
    const { actor } = await memberOf(backend, request, org);
    const scope = machineScope(actor);
    const query = readQuery(request.query, ["includeRelation", "includeMetadata"]);
    const metadata = readOne(query, "includeMetadata", flag, "includeMetadata value");
    const withMetadata = demandMetadata(scope, metadata);
    if (!uuid.safeParse(machineId).success) throw new NicoFault(404, noMachine);
    const machine = valueOf(await getMachine(database, scope, machineId), { notFound: noMachine });
    return reply.send(machineView(machine, withMetadata));
  });
}
