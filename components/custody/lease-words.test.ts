// What is said of leases.
import { expect, it } from "vitest";
import { leaseWords, untilOf } from "@/components/custody/lease-words";
import type { HostLease } from "@/server/surfaces/trpc/types";

const lease: HostLease = {
  id: "1",
  system: "fixit",
  state: "open",
  takenAt: new Date(0),
  takenBy: "repair system fixit",
  until: null,
  reason: "fans fail",
  ticket: null,
  note: null,
  notedAt: null,
  endedAt: null,
  endedBy: null,
  how: null,
  endedReason: null,
};

it("says how a lease stands, or how it ended", () => {
  expect(leaseWords(lease)).toBe("in force");
  expect(leaseWords({ ...lease, state: "overdue" })).toBe("overdue");
  expect(leaseWords({ ...lease, how: "returned" })).toBe("returned");
  expect(leaseWords({ ...lease, how: "broken", endedBy: "Ada", endedReason: "gone" })).toBe(
    "broken by Ada: gone",
  );
});

it("counts from now", () => {
  expect(untilOf("none", 0)).toBeNull();
  expect(untilOf("day", 1_000)?.getTime()).toBe(86_401_000);
});
