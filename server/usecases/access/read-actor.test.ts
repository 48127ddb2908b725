// Which stored people can act at all: disabled people, and people of disabled tenants, cannot.
import { expect, it } from "vitest";
import { knownPerson } from "@/server/usecases/access/read-actor";

const tenant = { org: "fixers", disabledAt: null, grants: [{ siteId: "a" }] };
const person = {
  id: "p",
  name: "Tomas",
  email: "t@test",
  role: "repair-tenant-admin",
  tenantId: "t",
  sessionEpoch: 1,
  disabledAt: null,
  tenant,
};

it("is somebody with the sites at which the tenant may repair", () => {
  expect(knownPerson(person)?.actor).toMatchObject({ org: "fixers", targetedAt: ["a"] });
});
it.each([
  { ...person, disabledAt: new Date() },
  { ...person, tenant: { ...tenant, disabledAt: new Date() } },
  { ...person, role: "nobody" },
  { ...person, tenantId: null },
  { ...person, role: "operator" },
])("is nobody: %#", (row) => expect(knownPerson(row)).toBeNull());
