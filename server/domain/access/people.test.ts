// Which roles can be given to whom, and by whom.
import { describe, expect, it } from "vitest";
import { changeRefusal, personStatusFault } from "@/server/domain/access/people";
import type { PersonStatus } from "@/server/domain/access/people";
import { roles, roleTable } from "@/server/domain/access/roles";

const tenantId = "10000000-0000-4000-8000-000000000001";
const other = "20000000-0000-4000-8000-000000000002";
const [me, them] = ["me", "them"];
const admin: PersonStatus = { role: "provider-admin", tenantId: null, disabled: false };
const operator: PersonStatus = { role: "operator", tenantId: null, disabled: false };
const ofTenant: PersonStatus = { role: "tenant-admin", tenantId, disabled: false };
const off = (standing: PersonStatus): PersonStatus => ({ ...standing, disabled: true });

describe.each(roles)("%s", (role) => {
  it("has a tenant where its role belongs to one, and none otherwise", () => {
    const needs = roleTable[role].ofTenant;
    expect(personStatusFault({ role, tenantId }) === null).toBe(needs);
    expect(personStatusFault({ role, tenantId: null }) === null).toBe(!needs);
  });
});

describe("a change of a person", () => {
  it.each<[string, string, PersonStatus, PersonStatus, number, string | null]>([
    ["another's role", them, operator, admin, 0, null],
    ["another's tenant", them, ofTenant, { ...ofTenant, tenantId: other }, 1, null],
    ["another is disabled", them, operator, off(operator), 0, null],
    ["another is enabled", them, off(operator), operator, 0, null],
    ["one's own role, up", me, operator, admin, 1, "forbidden"],
    ["one's own role, down", me, admin, operator, 5, "forbidden"],
    ["one's own tenant", me, ofTenant, { ...ofTenant, tenantId: other }, 1, "forbidden"],
    ["oneself, disabled", me, admin, off(admin), 5, "forbidden"],
    ["oneself, enabled", me, off(admin), admin, 5, "forbidden"],
    ["oneself, nothing that counts", me, admin, admin, 0, null],
    ["the last admin's role", them, admin, operator, 0, "notAllowedNow"],
    ["the last admin, disabled", them, admin, off(admin), 0, "notAllowedNow"],
    ["the last admin, moved to a tenant", them, admin, ofTenant, 0, "notAllowedNow"],
    ["an admin of two", them, admin, operator, 1, null],
    ["a disabled admin's role", them, off(admin), off(operator), 0, null],
    ["a role of a tenant without one", them, operator, { ...operator, role: "tenant-admin" }, 1, "invalid"],
    ["a role of the provider with a tenant", them, ofTenant, { ...ofTenant, role: "auditor" }, 1, "invalid"],
  ])("%s", (_words, personId, before, after, otherAdmins, code) =>
    expect(changeRefusal({ actorId: me, personId, before, after, otherAdmins })?.code ?? null).toBe(code),
  );
});
