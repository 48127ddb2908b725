// Who may also act as a tenant: a provider admin, for the single organisation that the server names.
import { expect, it } from "vitest";
import { roles } from "@/server/domain/access/roles";
import { actsAsTenant } from "@/server/usecases/sites/tenants/service-account";

it.each(roles)("as %s: in no organisation but the one that is named", (role) => {
  expect(actsAsTenant("cloud", { role }, "cloud")).toBe(role === "provider-admin");
  expect(actsAsTenant("cloud", { role }, "acme")).toBe(false);
  expect(actsAsTenant(undefined, { role }, "cloud")).toBe(false);
});
