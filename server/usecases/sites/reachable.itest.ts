// Every setting of a site that the server reads is in its document, or has a reason not to be: a new column fails this test until somebody decides.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { policy } from "@/server/domain/cleaning/policy/policy";
import { siteJsonSchema } from "@/server/domain/sites/json-schema";
import { createDatabase } from "@/server/db/prisma";
import type { Database } from "@/server/db/prisma";
import { createTestDatabase } from "@/server/db/testing/test-database";
import type { TestDatabase } from "@/server/db/testing/test-database";

/** Where it is in the document, or why it is not. */
type Place = { readonly in: string } | { readonly reason: string };

const id: Place = { reason: "made by the database; the document names things by their names" };
const record: Place = { reason: "when, and by whom: the server writes it" };
const rollout: Place = {
  reason: "how far a roll-out is: people take its steps one by one (docs/cleaning.md#new-agent-images)",
};

const columns: Readonly<Record<string, Readonly<Record<string, Place>>>> = {
  site: {
    id,
    name: { in: "site" },
    demo: {
      reason: "lets hosts pass gates that are not built: only the seed sets it (docs/adr/0010-demo-sites.md)",
    },
    label: { reason: "names the simulated fleet: only the seed sets it" },
    policy_version: { reason: "the number of the policy in force" },
    location: { in: "location" },
    network_url: { in: "networkController.url" },
    network_token: { in: "networkController.token" },
    bmc_trust: { in: "bmcTrust" },
    authorities: { in: "authorities" },
    created_at: record,
  },
  site_policy: {
    site_id: id,
    version: { reason: "the server counts" },
    body: { in: "policy" },
    created_at: record,
    created_by: record,
  },
  bmc_credential: {
    id,
    site_id: id,
    name: { in: "bmcCredentials" },
    username: { in: "bmcCredentials" },
    password: { in: "bmcCredentials" },
  },
  adapter_token: {
    id,
    hash: { in: "networkController.acknowledgementToken" },
    adapter: { reason: "the network controller is the only adapter" },
    site_id: id,
    created_at: record,
  },
  step_override: {
    scope: {
      reason:
        "the place in the document: priorities of the site or of a SKU. Of a host, they go with the host",
    },
    scope_id: id,
    interface: { in: "priorities" },
    step: { in: "priorities" },
    priority: { in: "skus.priorities" },
    changed_at: record,
    changed_by: record,
  },
  agent_image: {
    id,
    site_id: id,
    version: { in: "agentImage.version" },
    url: { in: "agentImage.url" },
    sha256: { in: "agentImage.sha256" },
    signed: { in: "agentImage.signed" },
    kind: { in: "agentImage.kind" },
    status: rollout,
    stage: rollout,
    hosts: rollout,
    percent: rollout,
    given: rollout,
    created_at: record,
    created_by: record,
    changed_at: record,
    changed_by: record,
  },
  sku: { id, name: { in: "skus.name" }, components: { in: "skus.components" }, created_at: record },
  tenant: {
    id,
    org: { in: "tenants.org" },
    name: { in: "tenants.name" },
    instance_quota: { in: "tenants.instanceQuota" },
    disabled_at: { reason: "people disable and enable tenants, and say why" },
    created_at: record,
  },
  tenant_grant: {
    tenant_id: id,
    site_id: id,
    kind: { in: "tenants.networkAllocation" },
    given_at: record,
    given_by: record,
  },
};

/** Other tables that belong to a site. */
const notSettings: Readonly<Record<string, string>> = {
  approval: "what people asked another person to decide, and the decisions",
  policy_change: "changes of a site that people asked another person to approve",
  brake: "the server sets it when many hosts fail, and people lift it",
  attestation_bundle: "what boots should measure, which two people say of one hardware",
  enrolment: "what people enrolled, and how far it is",
  fleet_sample: "how many hosts were in which state, for the page *Fleet*",
  health_source: "tokens by which programs report on hosts: secrets, which people add and remove",
  procedure_record: "what people recorded of the procedures of a host",
  gate_exception: "what two people let through of one reclamation of a host",
  repair_system: "tokens by which systems outside take hosts: secrets, which people add and remove",
  host: "hosts are enrolled one by one, and outlive documents",
  host_run: "the state of a host",
  capacity_event: "why hosts left and came back, which the server writes",
  capacity_host: "how hosts stood at the last look",
  notice: "what the provider announces for hosts",
  ticket: "what is wrong with a host, which people and releases report",
  security_event: "what outsiders and machines tried",
  site_version: "what the documents were",
};

let test: TestDatabase;
let database: Database;
beforeAll(async () => {
  test = await createTestDatabase();
  database = createDatabase(test.url, { max: 1, applicationName: "test" });
});
afterAll(async () => {
  await database.$disconnect();
  await test.drop();
});

const node = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
});
/** Members of the object at a path of a JSON Schema; for a list, those of its items. */
function membersAt(schema: unknown, path: readonly string[]): readonly string[] | null {
  const { properties, items } = node.parse(schema);
  if (items !== undefined) return membersAt(items, path);
  const [name, ...rest] = path;
  if (name === undefined) return Object.keys(properties ?? {});
  return properties !== undefined && Object.hasOwn(properties, name)
    ? membersAt(properties[name], rest)
    : null;
}

describe("every setting of a site", () => {
  it("that is a column is in the document, or has a reason", async () => {
    const rows = await database.$queryRaw<{ table: string; column: string }[]>`
      SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns WHERE table_schema = 'public'`;
    for (const [table, places] of Object.entries(columns))
      expect({
        table,
        columns: rows
          .filter((row) => row.table === table)
          .map(({ column }) => column)
          .sort(),
      }).toEqual({
        table,
        columns: Object.keys(places).sort(),
      });
    const ofSites = rows.filter(({ column }) => column === "site_id").map(({ table }) => table);
    expect(ofSites.filter((table) => !Object.hasOwn(columns, table)).sort()).toEqual(
      Object.keys(notSettings).sort(),
    );
  });

  it("has the place in the document that is named here", () => {
    for (const place of Object.values(columns).flatMap((places) => Object.values(places)))
      if ("in" in place)
        expect({ place: place.in, found: membersAt(siteJsonSchema(), place.in.split(".")) !== null }).toEqual(
          { place: place.in, found: true },
        );
  });

  it("of the policy is in the document, at every depth", () => {
    const stored = z.toJSONSchema(policy, { io: "input" });
    const compare = (path: readonly string[]): void => {
      const members = membersAt(stored, path);
      expect({ path, members: membersAt(siteJsonSchema(), ["policy", ...path]) }).toEqual({ path, members });
      for (const member of members ?? []) compare([...path, member]);
    };
    compare([]);
  });
});
