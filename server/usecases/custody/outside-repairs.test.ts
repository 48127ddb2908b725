// What an outside repair is to who reads it: the provider reads all of it, a repair tenant that there was one.
import { expect, it } from "vitest";
import { toOutsideLine } from "@/server/usecases/custody/outside-repairs";

const lease = {
  id: "l1",
  systemName: "fixit",
  takenAt: new Date(1_000),
  endedAt: new Date(2_000),
  reason: "fan 1 fails",
  ticket: "RMA-1",
  note: "part ordered",
  how: "returned",
  endedBy: "repair system fixit",
  endedReason: null,
};
const place = { hostId: "h1", host: "gpu-1" };
const told = {
  id: "l1",
  ...place,
  by: "system",
  tenant: null,
  claimedAt: lease.takenAt,
  releasedAt: lease.endedAt,
  outcome: null,
  leaseEnd: "returned",
  newIssue: null,
};

it("the provider reads which system, why, and what it said", () => {
  expect(toOutsideLine(lease, place, { kind: "all" })).toEqual({
    ...told,
    system: "fixit",
    ticket: "RMA-1",
    note: "part ordered",
    issue: { category: null, summary: "fan 1 fails", details: "" },
  });
});

it.each([
  ["part ordered", "part ordered; lease broken by Ada: gone"],
  [null, "lease broken by Ada: gone"],
])("of a broken lease also who broke it, and why: %s", (note, words) => {
  const broken = { ...lease, note, how: "broken", endedBy: "Ada", endedReason: "gone" };
  expect(toOutsideLine(broken, place, { kind: "all" })).toMatchObject({ leaseEnd: "broken", note: words });
});

it("a repair tenant reads when, and how it ended", () => {
  expect(toOutsideLine(lease, place, { kind: "tenant", tenantId: "t1", siteIds: [] })).toEqual({
    ...told,
    system: null,
    ticket: null,
    note: null,
    issue: null,
  });
});
