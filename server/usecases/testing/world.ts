// A small world for integration tests: a database of its own, a site, tenants, people of every role, and hosts in the states that a test needs.
import { randomBytes, randomUUID } from "node:crypto";
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { roles, roleTable } from "@/server/domain/access/roles";
import type { Role } from "@/server/domain/access/roles";
import type { State } from "@/server/domain/lifecycle/states";
import { createDatabase, type Database } from "@/server/db/prisma";
import { createSecretBox } from "@/server/db/secrets/secret-box";
import { createTestDatabase } from "@/server/db/testing/test-database";
import type { Actor, Request } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { fakeHostColumns } from "@/server/usecases/hosts/fake-hosts";
import type { HostToEnroll } from "@/server/usecases/hosts/acts/enroll-hosts";

export interface World {
  readonly backend: Backend;
  readonly url: string;
  readonly siteId: string;
  readonly tenants: { readonly acme: string; readonly vela: string; readonly repair: string };
  actor(role: Role, tenant?: "acme" | "vela" | "repair"): Actor;
  request(): Request;
  /** A host in Enroll, put into the database as the enroll act would. */
  host(name?: string): Promise<string>;
  /** The same for a host without a machine. */
  fakeHost(name?: string): Promise<string>;
  /** Writes a state for a host as the controller would; for Ready, with all gates in an ended reclamation. */
  put(hostId: string, state: State): Promise<void>;
  stop(): Promise<void>;
}

export function hostToEnroll(name: string, over: Partial<HostToEnroll> = {}): HostToEnroll {
  return {
    name,
    skuId: null,
    rack: "A01",
    slot: "1",
    hardwareType: "redfish",
    manufacturer: "Dell Inc.",
    model: "PowerEdge R750",
    serial: `SN-${name}`,
    systemUuid: randomUUID(),
    macs: [],
    bmcAddress: `http://bmc-${name}.localhost:9`,
    bmcUsername: "root",
    bmcPassword: "calvin-and-hobbes",
    networkInterfaces: ["dpu0"],
    ...over,
  };
}

/** @param encryptionKey of the secrets, for a test with processes that must decrypt them too */
export async function createWorld(encryptionKey: Buffer = randomBytes(32)): Promise<World> {
  const test = await createTestDatabase();
  const database = createDatabase(test.url, { max: 6, applicationName: "test" });
  const backend: Backend = { database, secrets: createSecretBox(encryptionKey) };
  const siteId = await addSite(database);
  const tenants = await addTenants(database);
  await giveEverything(database, siteId, tenants);
  const people = await addPeople(database, tenants, siteId);
  let count = 0;
  /** A host without a name is named by its number. */
  const named = (name: string | undefined, kind: string): string => {
    count += 1;
    return name ?? `${kind}-${count}`;
  };
  return {
    backend,
    url: test.url,
    siteId,
    tenants,
    actor: (role, tenant = role === "repair-tenant-admin" ? "repair" : "acme") => {
      const actor = people.get(`${role}/${tenant}`);
      if (actor === undefined) throw new Error(`nobody is ${role} of ${tenant}`);
      return actor;
    },
    request: () => ({ requestId: randomUUID(), address: "127.0.0.1" }),
    host: (name) => addHost(backend, siteId, named(name, "host")),
    fakeHost: (name) => addFakeHost(database, siteId, named(name, "fake")),
    put: (hostId, state) => putIn(database, hostId, state),
    stop: async () => {
      await database.$disconnect();
      await test.drop();
    },
  };
}

async function addSite(database: Database): Promise<string> {
  const id = randomUUID();
  await database.site.create({
    data: {
      id,
      name: "a",
      demo: true,
      label: "Simulated fleet, ×60",
      policies: { create: { version: 1, body: defaultPolicy() } },
    },
  });
  return id;
}

async function addTenants(database: Database): Promise<World["tenants"]> {
  const tenants = { acme: randomUUID(), vela: randomUUID(), repair: randomUUID() };
  await database.tenant.createMany({
    data: [
      { id: tenants.acme, org: "acme", name: "Acme" },
      { id: tenants.vela, org: "vela", name: "Vela Bio" },
      { id: tenants.repair, org: "repair", name: "Repair" },
    ],
  });
  return tenants;
}

/** Each tenant may hold hosts of the site; the repair tenant may repair them. */
async function giveEverything(database: Database, siteId: string, tenants: World["tenants"]): Promise<void> {
  const allocations = Object.values(tenants).map((tenantId) => ({ tenantId, kind: "networkAllocation" }));
  const capability = { tenantId: tenants.repair, kind: "targetedInstanceCreation" };
  await database.tenantGrant.createMany({
    data: [...allocations, capability].map((grant) => ({ ...grant, siteId, givenBy: "test" })),
  });
}

/** One of every role for every tenant, by `role/tenant`. */
async function addPeople(
  database: Database,
  tenants: World["tenants"],
  siteId: string,
): Promise<ReadonlyMap<string, Actor>> {
  const people = new Map<string, Actor>();
  for (const role of roles) {
    for (const tenant of ["acme", "vela", "repair"] as const) {
      const { ofTenant } = roleTable[role];
      const personId = randomUUID();
      const tenantId = ofTenant ? tenants[tenant] : null;
      const name = `${role} of ${tenant}`;
      const email = `${role}-${tenant}@example.test`;
      await database.person.create({
        data: { id: personId, email, name, role, tenantId, passwordHash: "none" },
      });
      people.set(`${role}/${tenant}`, {
        kind: "person",
        personId,
        name,
        email,
        role,
        tenantId,
        org: ofTenant ? tenant : null,
        targetedAt: ofTenant && tenant === "repair" ? [siteId] : [],
      });
    }
  }
  return people;
}

async function addHost({ database, secrets }: Backend, siteId: string, hostName: string): Promise<string> {
  const id = randomUUID();
  const { labels: _, bmcSystem: __, skuId, bmcPassword, ...host } = hostToEnroll(hostName);
  await database.host.create({
    data: {
      ...host,
      skuId,
      id,
      siteId,
      bmcPassword: secrets.seal(bmcPassword, `host.bmc_password:${id}`),
    },
  });
  await database.hostRun.create({ data: { hostId: id, siteId, name: host.name, state: "Enroll" } });
  return id;
}

async function addFakeHost(database: Database, siteId: string, name: string): Promise<string> {
  const id = randomUUID();
  await database.host.create({ data: { ...fakeHostColumns(id), id, siteId, name } });
  await database.hostRun.create({ data: { hostId: id, siteId, name, state: "Enroll" } });
  await database.stateHistory.create({
    data: { hostId: id, version: 1, state: "Enroll", reason: "enrolled", generation: 0 },
  });
  return id;
}

async function putIn(database: Database, hostId: string, state: State): Promise<void> {
  if (state === "Ready") return putInReady(database, hostId);
  const limit = state.startsWith("Failed/") ? new Date() : null;
  await database.$executeRaw`UPDATE host_run SET state = ${state}, state_version = state_version + 1, state_since = now(), limit_at = ${limit}, allocatable = false WHERE host_id = ${hostId}::uuid`;
}

/** With every gate satisfied, in an ended reclamation. */
export async function putInReady(database: Database, hostId: string): Promise<void> {
  const id = randomUUID();
  await database.reclamation.create({
    data: {
      id,
      hostId,
      hostSerial: hostId,
      kind: "onboarding",
      policyVersion: 1,
      policy: defaultPolicy(),
      endedAt: new Date(),
      outcome: "ready",
      gates: {
        create: gateNames.map((gate) => ({
          gate,
          status: "satisfied",
          reason: "test",
          evidence: {},
          generation: 1,
          evidenceSeq: 0,
        })),
      },
    },
  });
  await database.$executeRaw`UPDATE host_run SET state = 'Ready', state_version = state_version + 1, state_since = now(), limit_at = NULL, allocatable = true, reclamation_id = ${id}::uuid WHERE host_id = ${hostId}::uuid`;
}
