// What readers see of an external repair: the provider everything, a repair tenant only that there was one.
import { expect, it } from "vitest";
import { outsideFacts } from "@/server/usecases/repair/leases/outside-repairs";

const row = {
  id: "l1",
  system_name: "fixit",
  issue_summary: "fan 1 fails",
  ticket: "RMA-1",
  summary: "part ordered",
  new_issue: "fan 2 fails",
  lease_end: "returned",
  ended_by: "repair system fixit",
  ended_reason: null,
};
const told = { id: "l1", by: "system", tenant: null, leaseEnd: "returned" };

it("the provider reads which system, why, and what it said", () => {
  expect(outsideFacts(row, { kind: "all" })).toEqual({
    ...told,
    system: "fixit",
    ticket: "RMA-1",
    note: "part ordered",
    issue: { category: null, summary: "fan 1 fails", details: "" },
    newIssue: "fan 2 fails",
  });
});

it.each([
  ["part ordered", "part ordered; lease broken by Ada: gone"],
  [null, "lease broken by Ada: gone"],
])("of a broken lease also who broke it, and why: %s", (summary, words) => {
  const broken = { ...row, summary, lease_end: "broken", ended_by: "Ada", ended_reason: "gone" };
  expect(outsideFacts(broken, { kind: "all" })).toMatchObject({ leaseEnd: "broken", note: words });
});

it("a repair tenant reads how it ended", () => {
  expect(outsideFacts(row, { kind: "tenant", tenantId: "t1", siteIds: [] })).toEqual({
    ...told,
    system: null,
    ticket: null,
    note: null,
    issue: null,
    newIssue: null,
  });
});
