// `…/tenant/current`, `…/tenant/account`, `…/infrastructure-provider/current` and `…/service-account/current` (docs/api.md#tenants-and-accounts).
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Backend } from "@/server/usecases/backend";
import type { Member } from "@/server/usecases/instances/tenant-instances";
import {
  listAccounts,
  ownAccount,
  ownInstances,
  replaceCapabilities,
  type TenantAccount,
} from "@/server/usecases/sites/tenants/tenant-accounts";
import { createTenant } from "@/server/usecases/sites/tenants/tenant-acts";
import {
  isServiceAccount,
  serviceAccount,
  serviceActor,
} from "@/server/usecases/sites/tenants/service-account";
import { NicoFault, valueOf } from "@/server/surfaces/machine/nico/faults";
import { checkBody, readObject } from "@/server/surfaces/machine/nico/body";
import { memberOf } from "@/server/surfaces/machine/nico/membership";
import {
  pageParameters,
  pagination,
  readOne,
  readPage,
  readQuery,
} from "@/server/surfaces/machine/nico/query";
import type { Query } from "@/server/surfaces/machine/nico/query";
import { readCapabilities } from "@/server/surfaces/machine/nico/tenants/capabilities";
import {
  accountView,
  providerId,
  providerOrg,
  statsView,
  tenantView,
} from "@/server/surfaces/machine/nico/tenants/views";

const base = "/org/:org/nico";
const orgPath = z.object({ org: z.string() });
const accountPath = z.object({ org: z.string(), accountId: z.string() });
const uuid = z.guid("must be a valid UUID");
const text = z.string().max(256);
const relation = z.enum(["InfrastructureProvider", "Tenant"]);
const both = (name: string) => [`${name}_ASC`, `${name}_DESC`];
const orders = z.enum([
  "CREATED_DESC",
  ...["STATUS", "UPDATED", "ACCOUNT_NUMBER", "TENANT_ORG_NAME", "TENANT_ORG_DISPLAY_NAME"].flatMap(both),
  ...["TENANT_CONTACT_EMAIL", "TENANT_CONTACT_FULL_NAME"].flatMap(both),
  "CREATED_ASC",
]);
const accountBody = z.strictObject({ infrastructureProviderId: uuid.nullish(), tenantOrg: z.string() });
const notProvider = { forbidden: "User does not have Provider Admin role with org" };
const notTenant = { forbidden: "User does not have Tenant Admin role with org" };
const noAccount = "Could not find Tenant Account with specified ID";

/** What accounts can be sorted by; NICo's other orders mean nothing here. */
const sortKeys: Readonly<Record<string, (account: TenantAccount) => string>> = {
  TENANT_ORG_NAME: ({ org }) => org,
  TENANT_ORG_DISPLAY_NAME: ({ name }) => name,
};
const created = ({ createdAt }: TenantAccount): string => createdAt.toISOString();

function ordered(accounts: readonly TenantAccount[], orderBy: string): readonly TenantAccount[] {
  const keyOf = sortKeys[orderBy.replace(/_(ASC|DESC)$/, "")] ?? created;
  const sign = orderBy.endsWith("_DESC") ? -1 : 1;
  return accounts.toSorted((a, b) => sign * keyOf(a).localeCompare(keyOf(b)));
}

/** The accounts from the side that the query names, whose id must be the org's own. Throws 400 and 403. */
async function accountsOf(backend: Backend, member: Member, query: Query): Promise<readonly TenantAccount[]> {
  const provider = readOne(query, "infrastructureProviderId", uuid, "Infrastructure Provider ID");
  const tenant = readOne(query, "tenantId", uuid, "Tenant ID");
  if (provider !== null) {
    const accounts = valueOf(await listAccounts(backend, member), notProvider);
    if (provider.toLowerCase() !== providerId)
      throw new NicoFault(
        400,
        "Infrastructure Provider ID in query does not match Infrastructure Provider of org",
      );
    return tenant === null ? accounts : accounts.filter(({ tenantId }) => tenantId === tenant.toLowerCase());
  }
  if (tenant === null)
    throw new NicoFault(400, "Either infrastructureProviderId or tenantId must be specified in query");
  const own = valueOf(await ownAccount(backend, member), notTenant);
  if (own.tenantId !== tenant.toLowerCase())
    throw new NicoFault(400, "Tenant ID in query does not match Tenant of org");
  return [own];
}

export function tenantRoutes(app: FastifyInstance, backend: Backend): void {
  const { serviceAccountOrg } = backend;
  const member = async (request: FastifyRequest): Promise<Member> =>
    memberOf(backend, request, orgPath.parse(request.params).org);
  /** As a tenant, if the organisation is provider and tenant in one. */
  const tenantOf = async ({ actor, org }: Member): Promise<Member> => ({
    actor: (await serviceActor(backend, actor, org)) ?? actor,
    org,
  });
  const factsOf = (request: FastifyRequest) => ({ requestId: request.id, address: request.clientAddress });

  app.get(`${base}/infrastructure-provider/current`, async (request, reply) => {
    // Only the provider's people may read all tenants.
    valueOf(await listAccounts(backend, await member(request)), notProvider);
    const org = providerOrg(serviceAccountOrg);
    const at = new Date(0).toISOString();
    return reply.send({ id: providerId, org, orgDisplayName: org, created: at, updated: at });
  });

  app.get(`${base}/tenant/current`, async (request, reply) => {
    const own = await ownAccount(backend, await tenantOf(await member(request)));
    return reply.send(tenantView(valueOf(own, notTenant)));
  });

  app.get(`${base}/tenant/current/stats`, async (request, reply) => {
    const own = await tenantOf(await member(request));
    valueOf(await ownAccount(backend, own), notTenant);
    return reply.send(statsView(valueOf(await ownInstances(backend, own), notTenant)));
  });

  app.get(`${base}/service-account/current`, async (request, reply) => {
    const { actor, org } = await member(request);
    if (!isServiceAccount(backend, org)) return reply.send({ enabled: false });
    const account = valueOf(await serviceAccount(backend, actor, factsOf(request), org), notProvider);
    return reply.send(
      account === null
        ? { enabled: false }
        : { enabled: true, infrastructureProviderId: providerId, tenantId: account.tenantId },
    );
  });

  app.get(`${base}/tenant/account`, async (request, reply) => {
    const asker = await member(request);
    const known = ["infrastructureProviderId", "tenantId", "query", "includeRelation", ...pageParameters];
    const query = readQuery(request.query, known);
    readOne(query, "includeRelation", relation, "includeRelation value");
    const words = readOne(query, "query", text, "query")?.toLowerCase() ?? "";
    const page = readPage(query, orders, "CREATED_DESC");
    const forProvider = query.has("infrastructureProviderId");
    const accounts = await accountsOf(backend, forProvider ? asker : await tenantOf(asker), query);
    const found = accounts.filter(({ org, name }) => `${org}\n${name}`.toLowerCase().includes(words));
    const first = (page.pageNumber - 1) * page.pageSize;
    const rows = ordered(found, page.orderBy).slice(first, first + page.pageSize);
    return reply
      .header("x-pagination", pagination(page, found.length))
      .send(rows.map((account) => accountView(account, serviceAccountOrg)));
  });
  accountRoutes(app, backend);
  creation(app, backend);
}

/** One account: both sides can read it, and the provider changes its capabilities. */
function accountRoutes(app: FastifyInstance, backend: Backend): void {
  const { serviceAccountOrg } = backend;

  app.get(`${base}/tenant/account/:accountId`, async (request, reply) => {
    const { org, accountId } = accountPath.parse(request.params);
    const member = await memberOf(backend, request, org);
    const query = readQuery(request.query, ["infrastructureProviderId", "tenantId", "includeRelation"]);
    readOne(query, "includeRelation", relation, "includeRelation value");
    if (!uuid.safeParse(accountId).success) throw new NicoFault(400, "Invalid Tenant Account ID in URL");
    const account = (await accountsOf(backend, member, query)).find(
      ({ tenantId }) => tenantId === accountId.toLowerCase(),
    );
    if (account === undefined) throw new NicoFault(404, noAccount);
    return reply.send(accountView(account, serviceAccountOrg));
  });

  app.patch(`${base}/tenant/account/:accountId`, async (request, reply) => {
    const { org, accountId } = accountPath.parse(request.params);
    const member = await memberOf(backend, request, org);
    if (!uuid.safeParse(accountId).success) throw new NicoFault(400, "Invalid Tenant Account ID in URL");
    const asked = readCapabilities(request.body);
    if (asked === null) {
      valueOf(await ownAccount(backend, member), notTenant);
      throw new NicoFault(400, "Tenant Account status is not Invited");
    }
    const facts = { requestId: request.id, address: request.clientAddress };
    const changed = await replaceCapabilities(backend, member.actor, facts, {
      tenantId: accountId,
      ...asked,
    });
    valueOf(changed, { ...notProvider, notFound: "Could not retrieve TenantAccount to update" });
    const accounts = valueOf(await listAccounts(backend, member), notProvider);
    const account = accounts.find(({ tenantId }) => tenantId === accountId.toLowerCase());
    if (account === undefined) throw new NicoFault(404, noAccount);
    return reply.send(accountView(account, serviceAccountOrg));
  });
}

/** An account is the same as its tenant: an invitation counts as accepted. */
function creation(app: FastifyInstance, backend: Backend): void {
  app.post(`${base}/tenant/account`, async (request, reply) => {
    const { actor, org } = await memberOf(backend, request, orgPath.parse(request.params).org);
    valueOf(await listAccounts(backend, { actor, org }), notProvider);
    const asked = checkBody(
      accountBody,
      readObject(request.body),
      "Error validating Tenant Account creation request data",
    );
    if ((asked.infrastructureProviderId ?? providerId).toLowerCase() !== providerId)
      throw new NicoFault(
        400,
        "Infrastructure Provider ID in request data does not match Infrastructure Provider of org",
      );
    const facts = { requestId: request.id, address: request.clientAddress };
    const tenant = { org: asked.tenantOrg, name: asked.tenantOrg, instanceQuota: null };
    const made = await createTenant(backend, actor, facts, tenant);
    valueOf(made, { ...notProvider, conflict: "Tenant Account for the specified Tenant org already exists" });
    const accounts = valueOf(await listAccounts(backend, { actor, org }), notProvider);
    const account = accounts.find((each) => each.org === asked.tenantOrg);
    if (account === undefined) throw new NicoFault(404, noAccount);
    return reply.code(201).send(accountView(account, backend.serviceAccountOrg));
  });
}
