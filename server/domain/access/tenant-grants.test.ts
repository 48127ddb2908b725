// What tenants may do with a site's hosts, with and without grants there: every row of the rules.
import { expect, it } from "vitest";
import { claimGrantRefusal, labelGrantRefusal, mayRepairAt } from "@/server/domain/access/tenant-grants";

const exact = (siteId: string | null) => ({ kind: "exact", siteId }) as const;
const any = (siteId?: string) => ({ kind: "any", siteId }) as const;

// What is requested; sites with an allocation; sites with the capability; the result.
it.each([
  [exact("a"), ["a"], ["a"], null],
  [exact("a"), ["a", "b"], ["a", "b"], null],
  [exact("a"), ["a"], [], "notCapable"],
  [exact("a"), [], [], "notCapable"],
  [exact(null), ["a"], [], "notCapable"],
  [exact("a"), ["a"], ["b"], "unknown"],
  [exact("a"), [], ["b"], "unknown"],
  [exact(null), ["a"], ["a"], "unknown"],
  [exact("a"), [], ["a"], "noAllocation"],
  [exact("a"), ["b"], ["a"], "noAllocation"],
  [any("a"), ["a"], [], null],
  [any("a"), ["b"], ["a"], "noAllocation"],
  [any("a"), [], [], "noAllocation"],
  [any(), ["b"], [], null],
  [any(), [], ["a"], "noAllocation"],
])("a claim of %o, allocated at %o and capable at %o: %s", (asked, allocatedAt, targetedAt, refusal) => {
  expect(claimGrantRefusal(asked, { disabled: false, allocatedAt, targetedAt })).toBe(refusal);
  expect(claimGrantRefusal(asked, { disabled: true, allocatedAt, targetedAt })).toBe("disabled");
});

// Sites with the capability; the host's site and who holds it; the result for the tenant `fixers`.
it.each([
  [["a"], { siteId: "a", heldBy: null }, null],
  [["a"], { siteId: "a", heldBy: "fixers" }, null],
  [["a"], { siteId: "a", heldBy: "acme" }, "heldByAnother"],
  [["a"], { siteId: "b", heldBy: null }, "unknown"],
  [["a"], { siteId: "b", heldBy: "acme" }, "unknown"],
  [["a"], { siteId: "b", heldBy: "fixers" }, "notCapable"],
  [["a"], null, "unknown"],
  [[], { siteId: "a", heldBy: "fixers" }, "notCapable"],
  [[], { siteId: "a", heldBy: null }, "notCapable"],
  [[], null, "notCapable"],
])("labels with the capability at %o, of %o: %s", (targetedAt, host, refusal) => {
  expect(labelGrantRefusal({ tenantId: "fixers", targetedAt }, host)).toBe(refusal);
  expect(labelGrantRefusal({ tenantId: null, targetedAt: [] }, host)).toBe("notCapable");
  expect(labelGrantRefusal(null, host)).toBe(host === null ? "unknown" : null);
});

it("is no right of the provider's people", () => {
  expect(mayRepairAt({ role: "repair-tenant-admin", targetedAt: ["a"] }, "a")).toBe(true);
  expect(mayRepairAt({ role: "repair-tenant-admin", targetedAt: ["a"] }, "b")).toBe(false);
  expect(mayRepairAt({ role: "provider-admin", targetedAt: ["a"] }, "a")).toBe(false);
});
