// Causes add up to the hosts that need attention, most first.
import { expect, it } from "vitest";
import { causes } from "@/server/usecases/fleet/causes";
import { groupCounts } from "@/server/usecases/fleet/host-counts";
import type { StateCount } from "@/server/usecases/fleet/host-counts";

const count = (state: StateCount["state"], hosts: number, limitPassed = 0, siteId = "a"): StateCount => ({
  siteId,
  state,
  hosts,
  limitPassed,
  allocatable: 0,
});
const counts = [
  count("Failed/NVMECleanFailed", 3, 3),
  count("Failed/NVMECleanFailed", 2, 2, "b"),
  count("Failed/BmcUnreachable", 1, 1),
  count("WaitingForCleanup/BootingAgent", 9, 2),
  count("Ready", 100),
];

it("are most first, with what they add up to", () =>
  expect(
    causes(counts).map(({ label, kind, count: hosts, cumulativePercent, filter }) => [
      label,
      kind,
      hosts,
      Math.round(cumulativePercent),
      filter,
    ]),
  ).toEqual([
    ["NVMECleanFailed", "failed", 5, 63, "state:Failed/NVMECleanFailed"],
    ["WaitingForCleanup/BootingAgent", "overLimit", 2, 88, "state:WaitingForCleanup/BootingAgent sla:over"],
    ["BmcUnreachable", "failed", 1, 100, "state:Failed/BmcUnreachable"],
  ]));
it("are as many as the groups say", () => {
  const groups = groupCounts(counts);
  expect(causes(counts).reduce((sum, { count: hosts }) => sum + hosts, 0)).toBe(
    groups.failed + groups.overLimit,
  );
  expect(Object.values(groups).reduce((sum, hosts) => sum + hosts, 0)).toBe(115);
});
it("are none where nothing is wrong", () => expect(causes([count("Ready", 5)])).toEqual([]));
