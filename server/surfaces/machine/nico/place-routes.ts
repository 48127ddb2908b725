// `…/site`, `…/expected-machine`, and the lists of what Reclaim keeps none of: InfiniBand partitions and SSH key groups (docs/api.md#nico).
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Backend } from "@/server/usecases/backend";
import {
  getMachine,
  listMachines,
  machineScope,
  mayListMachines,
} from "@/server/usecases/hosts/machines/read-machines";
import type { Machine } from "@/server/usecases/hosts/machines/read-machines";
import { listSites } from "@/server/usecases/sites/list-sites";
import { NicoFault, valueOf } from "@/server/surfaces/machine/nico/faults";
import { nicoLabels } from "@/server/surfaces/machine/nico/instance-view";
import { notPrivileged } from "@/server/surfaces/machine/nico/machine-routes";
import { instanceMember, memberOf } from "@/server/surfaces/machine/nico/membership";
import {
  pageParameters,
  pagination,
  readList,
  readOne,
  readPage,
  readQuery,
} from "@/server/surfaces/machine/nico/query";
import { providerId, providerOrg } from "@/server/surfaces/machine/nico/tenants/views";

const base = "/org/:org/nico";
const orgPath = z.object({ org: z.string() });
const sitePath = z.object({ org: z.string(), siteId: z.string() });
const expectedPath = z.object({ org: z.string(), expectedMachineId: z.string() });
const uuid = z.guid("must be a valid UUID");
const text = z.string().max(256);
const created = ["CREATED_DESC", "CREATED_ASC"] as const;
const orders = z.enum(created);
const siteOrders = z.enum([...created, "NAME_ASC", "NAME_DESC", "UPDATED_ASC", "UPDATED_DESC"]);
export const noSite = "Could not find Site with specified ID";
const noExpected = "Could not find Expected Machine with specified ID";

type Site = Awaited<ReturnType<typeof listSites>>[number];

const sortKeys: Readonly<Record<string, (site: Site) => string>> & {
  readonly CREATED: (site: Site) => string;
} = {
  CREATED: ({ createdAt }) => createdAt.toISOString(),
  NAME: ({ name }) => name,
  UPDATED: ({ updatedAt }) => updatedAt.toISOString(),
};

/** Who answers for a site is not known here, so it is left out. */
const siteView = ({ id, name, location, createdAt, updatedAt }: Site, org: string) => ({
  ...{ id, name, org, description: null, infrastructureProviderId: providerId },
  ...(location === null ? {} : { location }),
  status: "Registered",
  capabilities: { networkSecurityGroup: false, nvLinkPartition: false, imageBasedOperatingSystem: false },
  created: createdAt.toISOString(),
  updated: updatedAt.toISOString(),
});

/** Each host is expected: it was enrolled by name. */
const expectedView = (row: Machine) => ({
  ...{ id: row.id, siteId: row.siteId, machineId: row.id, name: row.name },
  ...(row.serial === null ? {} : { chassisSerialNumber: row.serial }),
  ...{ manufacturer: row.manufacturer, model: row.model, rackId: row.rack },
  labels: nicoLabels(row.labels),
  created: row.createdAt.toISOString(),
  updated: row.updatedAt.toISOString(),
});

export function placeRoutes(app: FastifyInstance, backend: Backend): void {
  const member = (request: FastifyRequest) => memberOf(backend, request, orgPath.parse(request.params).org);

  app.get(`${base}/site`, async (request, reply) => {
    const { actor } = await member(request);
    const query = readQuery(request.query, [
      "infrastructureProviderId",
      "tenantId",
      "query",
      "includeRelation",
      ...pageParameters,
    ]);
    const words = readOne(query, "query", text, "query")?.toLowerCase() ?? "";
    const page = readPage(query, siteOrders, "CREATED_DESC");
    const all = await listSites(backend, actor);
    const found = all.filter(({ name }) => name.toLowerCase().includes(words));
    const keyOf = sortKeys[page.orderBy.replace(/_(ASC|DESC)$/, "")] ?? sortKeys.CREATED;
    const sign = page.orderBy.endsWith("_DESC") ? -1 : 1;
    const sorted = found.toSorted((a, b) => sign * keyOf(a).localeCompare(keyOf(b)));
    const first = (page.pageNumber - 1) * page.pageSize;
    const org = providerOrg(backend.serviceAccountOrg);
    return reply
      .header("x-pagination", pagination(page, found.length))
      .send(sorted.slice(first, first + page.pageSize).map((site) => siteView(site, org)));
  });

  app.get(`${base}/site/:siteId`, async (request, reply) => {
    const { siteId } = sitePath.parse(request.params);
    const { actor } = await member(request);
    readQuery(request.query, []);
    const site = (await listSites(backend, actor)).find(({ id }) => id === siteId.toLowerCase());
    if (site === undefined) throw new NicoFault(404, noSite);
    return reply.send(siteView(site, providerOrg(backend.serviceAccountOrg)));
  });

  app.get(`${base}/expected-machine`, async (request, reply) => {
    const { actor } = await member(request);
    const scope = machineScope(actor);
    valueOf(mayListMachines(scope), { forbidden: notPrivileged });
    const query = readQuery(request.query, ["siteId", "includeRelation", ...pageParameters]);
    const page = readPage(query, orders, "CREATED_DESC");
    const siteIds = readList(query, "siteId", uuid, "Site ID");
    const filter = { ids: null, siteIds, tenantIds: null, statuses: null, hasInstance: null, text: null };
    const { rows, total } = valueOf(await listMachines(backend.database, scope, filter, page));
    return reply.header("x-pagination", pagination(page, total)).send(rows.map(expectedView));
  });

  app.get(`${base}/expected-machine/:expectedMachineId`, async (request, reply) => {
    const { expectedMachineId } = expectedPath.parse(request.params);
    const { actor } = await member(request);
    readQuery(request.query, ["includeRelation"]);
    if (!uuid.safeParse(expectedMachineId).success) throw new NicoFault(404, noExpected);
    const found = await getMachine(backend.database, machineScope(actor), expectedMachineId);
    return reply.send(expectedView(valueOf(found, { notFound: noExpected })));
  });

  // Reclaim keeps none of its own: partitions are the site's fabric manager's, and no key reaches a host through Reclaim.
  for (const [route, known] of [
    ["infiniband-partition", ["siteId", "status", "query", "includeRelation"]],
    ["sshkeygroup", ["siteId", "instanceId", "status", "query", "includeRelation"]],
  ] as const)
    app.get(`${base}/${route}`, async (request, reply) => {
      await instanceMember(backend, request, orgPath.parse(request.params).org, "instance.read");
      const page = readPage(readQuery(request.query, [...known, ...pageParameters]), orders, "CREATED_DESC");
      return reply.header("x-pagination", pagination(page, 0)).send([]);
    });
}
